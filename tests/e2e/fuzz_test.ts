/**
 * Random and mutated lines, the same in every run: each request that carries an id gets exactly one answer,
 * one that is cancelled at most one, the process lives, and its memory stays where it was.
 *
 * @module
 */
import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { RawServer } from "../support/raw_server.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import type { WireMessage } from "../support/wire_message.ts";

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

type Id = string | number;

/** A line without a newline in it, and what must be answered. */
interface FuzzLine {
  readonly bytes: Uint8Array;
  /** ids that must be answered, each once; others cannot be told apart */
  readonly ids?: readonly Id[];
  /** an id that need not be answered any more */
  readonly cancels?: Id;
}

/** How one connection is spoken to. */
interface Dialect {
  readonly name: string;
  readonly lines: number;
  /** levels of nesting; thousands cost V8 memory that it keeps, which the long run would count */
  readonly maxDepth: number;
  readonly open: (server: RawServer) => Promise<unknown>;
  /** what a request carries besides what it asks for */
  readonly meta: (random: Random) => { [key: string]: Json };
  /** a request that is answered with a result, to see that the server lives */
  readonly alive: (server: RawServer) => Promise<WireMessage>;
}

const ENVELOPE_KEYS = [
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientCapabilities",
] as const;
const ENVELOPE = { [ENVELOPE_KEYS[0]]: "2026-07-28", [ENVELOPE_KEYS[1]]: {} };

const DIALECTS: readonly Dialect[] = [
  {
    name: "2025-03-26, with batches",
    lines: 20_000,
    maxDepth: 100,
    open: async (server) => {
      await server.initialize("2025-03-26");
      // What answers a call is loaded with the first one: that is not growth.
      await server.call("execute_tests", { unknown: true });
    },
    meta: () => ({}),
    alive: (server) => server.request("ping"),
  },
  {
    name: "2026-07-28, with envelopes",
    lines: 5_000,
    maxDepth: 6_000,
    open: (server) => server.request("tools/list", { _meta: ENVELOPE }),
    meta: (random) => ({
      _meta: random.pick<() => { [key: string]: Json }>([
        () => ENVELOPE,
        () => ENVELOPE,
        () => ({ ...ENVELOPE, progressToken: value(random, 1) }),
        () => ({ ...ENVELOPE, [random.pick(ENVELOPE_KEYS)]: value(random, 2) }),
        () => ({}),
      ])(),
    }),
    alive: (server) => server.request("prompts/list", { _meta: ENVELOPE }),
  },
];

/** What one connection was sent so far. */
interface Sent {
  readonly dialect: Dialect;
  /** counts the lines, and makes ids */
  readonly count: number;
  /** ids of requests that may have no answer yet */
  readonly recent: readonly Id[];
}

function fuzzLine(random: Random, sent: Sent): FuzzLine {
  const encoder = new TextEncoder();
  const id = newId(random, sent.count);
  const request = fuzzRequest(random, id, sent.dialect);
  const whole = JSON.stringify(request);
  // A changed byte must not make it the id of another request.
  const spoilt = `spoilt-${sent.count}`;
  switch (random.below(8)) {
    case 0: // bytes of any kind
      return {
        bytes: noise(Uint8Array.from({ length: random.below(200) }, () => random.below(256))),
      };
    case 1: // JSON of any kind
      return { bytes: encoder.encode(JSON.stringify(value(random, 4))) };
    case 2: { // a request that lost a part of itself
      const bytes = encoder.encode(JSON.stringify({ ...request, id: spoilt }));
      return { bytes: bytes.slice(0, random.below(bytes.length)) };
    }
    case 3: { // a request with a byte changed
      const bytes = encoder.encode(JSON.stringify({ ...request, id: spoilt }));
      bytes[random.below(bytes.length)] = random.below(256);
      return { bytes: noise(bytes) };
    }
    case 4: // a request with a field of another kind; the id stays
      return {
        bytes: encoder.encode(JSON.stringify({
          ...request,
          [random.pick(["jsonrpc", "method", "params", "extra"])]: value(random, 2),
        })),
        ids: [id],
      };
    case 5: { // not JSON, but with an id that can be read
      const line = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":nope}`;
      return { bytes: encoder.encode(line), ids: [id] };
    }
    case 6:
      return random.pick([
        () => cancellation(random, sent.recent),
        () => batch(random, sent),
        () => ({ bytes: encoder.encode(deepRequest(random, id, sent.dialect)), ids: [id] }),
      ])();
    default:
      return { bytes: encoder.encode(whole), ids: [id] };
  }
}

/** Never one that the test itself uses. */
function newId(random: Random, count: number): Id {
  return random.below(3) === 0 ? 1_000_000 + count : `fuzz-${count}`;
}

function fuzzRequest(random: Random, id: Id, { meta }: Dialect): { [key: string]: Json } {
  const given = params(random);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  return {
    jsonrpc: "2.0",
    id,
    method: random.pick(METHODS),
    params: isObject ? { ...meta(random), ...given } : given,
  };
}

/** One that the protocol allows ends its request; one that it does not must change nothing. */
function cancellation(random: Random, recent: readonly Id[]): FuzzLine {
  const requestId = recent[random.below(recent.length)] ?? null;
  const valid = random.below(2) === 0;
  const reason: Json = valid ? text(random) : random.pick<Json>([5, null, {}, []]);
  const method = "notifications/cancelled";
  const line = JSON.stringify({ jsonrpc: "2.0", method, params: { requestId, reason } });
  return {
    bytes: new TextEncoder().encode(line),
    ...(valid && requestId !== null ? { cancels: requestId } : {}),
  };
}

/** Only one version has them: elsewhere nothing in it can be told apart. */
function batch(random: Random, { dialect, count }: Sent): FuzzLine {
  const ids = Array.from({ length: 1 + random.below(2) }, (_, at) => `fuzz-${count}-${at}`);
  const entries: Json[] = ids.map((id) => fuzzRequest(random, id, dialect));
  if (random.below(2) === 0) entries.push(value(random, 2));
  return {
    bytes: new TextEncoder().encode(JSON.stringify(entries)),
    ...(dialect.name.startsWith("2025-03-26") ? { ids } : {}),
  };
}

/** Deeper than JSON.stringify() can go with some of these keys. */
function deepRequest(random: Random, id: Id, { maxDepth }: Dialect): string {
  const [open, close] = random.pick<readonly [string, string]>([
    ["[", "]"],
    ['{"1":', "}"],
    ['{"toJSON":', "}"],
  ]);
  const depth = random.below(maxDepth);
  const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
  const start = `"id":${JSON.stringify(id)},"method":"tools/call"`;
  return random.pick([
    `{${start},"a":${deep}}`,
    `{"jsonrpc":"2.0",${start},"params":{"name":"execute_tests","arguments":{"x":${deep}}}}`,
    `{"jsonrpc":"2.0",${start},"params":{"name":${deep}}}`,
    `{"jsonrpc":"2.0",${start},"params":{"_meta":{"progressToken":${deep}}}}`,
  ]);
}

/** Without newlines: one line stays one line. */
function noise(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte === 0x0a ? 0x20 : byte);
}

for (const dialect of DIALECTS) {
  Deno.test(`${dialect.lines} random and mutated lines in ${dialect.name}: each id answered once, the server lives and stays small`, async () => {
    await using project = await e2eProject({ environment: null });
    const server = new RawServer({ root: project.root });
    await dialect.open(server);
    const before = await server.residentBytes();
    const random = new SeededRandom(20260728);
    const asked = new Set<unknown>();
    const cancelled = new Set<unknown>();
    let recent: Id[] = [];
    for (let count = 0; count < dialect.lines; count++) {
      const { bytes, ids = [], cancels } = fuzzLine(random, { dialect, count, recent });
      for (const id of ids) asked.add(id);
      recent = [...recent, ...ids].slice(-20);
      if (cancels !== undefined) cancelled.add(cancels);
      await server.raw(bytes);
      await server.raw("\n");
    }
    assert.ok((await dialect.alive(server)).result !== undefined);
    // Answers may come in any order, and some in batches.
    const missing = new Set([...asked].filter((id) => !cancelled.has(id)));
    await server.next((message) => {
      for (const { id } of [message].flat()) missing.delete(id);
      return missing.size === 0;
    });
    const counts = new Map<unknown, number>();
    for (const { id } of server.messages.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const id of asked) {
      const answers = counts.get(id) ?? 0;
      assert.ok(answers === 1 || (answers === 0 && cancelled.has(id)), `${id}: ${answers} answers`);
    }
    const grown = await server.residentBytes() - before;
    assert.ok(grown < 64 * MEGABYTE, `${Math.round(grown / MEGABYTE)} MB more than at the start`);
    const { code, stderr } = await server.close();
    assert.equal(code, 0, stderr);
  });
}
