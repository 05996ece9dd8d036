/**
 * 20,000 random and mutated lines, the same in every run: each request that carries an id gets exactly
 * one answer, the process lives, and its memory stays where it was.
 *
 * @module
 */
import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { RawServer } from "../support/raw_server.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const LINES = 20_000;
const MEGABYTE = 1024 * 1024;

type Random = SeededRandom;
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const METHODS = [
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "initialize",
  "server/discover",
  "logging/setLevel",
  "notifications/initialized",
  "notifications/progress",
  "no/such/method",
  "__proto__",
  "",
] as const;

/** Every call fails before pytest would start: a path that is nowhere, a parameter that does not exist. */
function params(random: Random): Json {
  return random.pick<() => Json>([
    () => ({}),
    () => ({ name: "execute_tests", arguments: { path: "nowhere", failfast: true } }),
    () => ({ name: "discover_tests", arguments: { nothing: value(random, 2) } }),
    () => ({ name: "execute_tests", arguments: { node_ids: value(random, 2), nothing: 1 } }),
    () => ({ name: value(random, 1), arguments: value(random, 2) }),
    () => ({ uri: "pytest://nowhere" }),
    () => ({ name: "tdd_cycle", arguments: { feature: text(random) } }),
    () => ({ ref: { type: "ref/prompt", name: "fix_failing_tests" }, argument: value(random, 2) }),
    () => ({ protocolVersion: text(random), capabilities: {}, clientInfo: value(random, 1) }),
    () => ({ _meta: { progressToken: value(random, 1) } }),
    () => value(random, 3),
  ])();
}

function value(random: Random, depth: number): Json {
  const leaves = [
    () => null,
    () => random.below(2) === 0,
    () => random.below(2000) - 1000,
    () => random.below(1000) / 7,
    () => text(random),
  ] as const;
  if (depth === 0) return random.pick<() => Json>(leaves)();
  const inner = () => Array.from({ length: random.below(4) }, () => value(random, depth - 1));
  return random.pick<() => Json>([
    ...leaves,
    () => inner(),
    () => Object.fromEntries(inner().map((item) => [text(random), item])),
  ])();
}

function text(random: Random): string {
  const characters = 'abc:/."\\[]{}ü€𝄞\u0000\u2028 ';
  return Array.from(
    { length: random.below(12) },
    () => [...characters][random.below([...characters].length)] ?? "",
  ).join("");
}

/** A line without a newline in it, and the id that must be answered: once, if it is a request's. */
interface FuzzLine {
  readonly bytes: Uint8Array;
  /** undefined: no answer can be told apart */
  readonly id?: string;
}

function fuzzLine(random: Random, id: string): FuzzLine {
  const encoder = new TextEncoder();
  const request = { jsonrpc: "2.0", id, method: random.pick(METHODS), params: params(random) };
  const whole = JSON.stringify(request);
  switch (random.below(8)) {
    case 0: // bytes of any kind
      return {
        bytes: noise(Uint8Array.from({ length: random.below(200) }, () => random.below(256))),
      };
    case 1: // JSON of any kind
      return { bytes: encoder.encode(JSON.stringify(value(random, 4))) };
    case 2: { // a request that lost a part of itself
      const bytes = encoder.encode(whole);
      return { bytes: bytes.slice(0, random.below(bytes.length)) };
    }
    case 3: { // a request with a byte changed
      const bytes = encoder.encode(whole);
      bytes[random.below(bytes.length)] = random.below(256);
      return { bytes: noise(bytes) };
    }
    case 4: // a request with a field of another kind; the id stays
      return {
        bytes: encoder.encode(JSON.stringify({
          ...request,
          [random.pick(["jsonrpc", "method", "params", "extra"])]: value(random, 2),
        })),
        id,
      };
    case 5: { // not JSON, but with an id that can be read
      return { bytes: encoder.encode(`{"jsonrpc":"2.0","id":"${id}","method":nope}`), id };
    }
    default:
      return { bytes: encoder.encode(whole), id };
  }
}

/** Without newlines: one line stays one line. */
function noise(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte === 0x0a ? 0x20 : byte);
}

Deno.test("20,000 random and mutated lines: each id answered once, the server lives and stays small", async () => {
  await using project = await e2eProject({ environment: null });
  const server = new RawServer({ root: project.root });
  await server.initialize();
  const before = await server.residentBytes();
  const random = new SeededRandom(20260728);
  const ids = new Set<string>();
  for (let sent = 0; sent < LINES; sent++) {
    const { bytes, id } = fuzzLine(random, `fuzz-${sent}`);
    if (id !== undefined) ids.add(id);
    await server.raw(bytes);
    await server.raw("\n");
  }
  assert.deepEqual((await server.request("ping")).result, {});
  // Answers may come in any order, but the last of these comes after all that can be answered at once.
  await Promise.all([...ids].map((id) => server.next((message) => message.id === id)));
  const counts = new Map<unknown, number>();
  for (const { id } of server.messages) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const id of ids) assert.equal(counts.get(id), 1, id);
  const grown = await server.residentBytes() - before;
  assert.ok(grown < 64 * MEGABYTE, `${Math.round(grown / MEGABYTE)} MB more than at the beginning`);
  const { code, stderr } = await server.close();
  assert.equal(code, 0, stderr);
});
