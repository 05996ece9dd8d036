import assert from "node:assert/strict";
import { join } from "node:path";
import { discoverInputJsonSchema } from "../../src/domain/discover_params.ts";
import { executeInputJsonSchema } from "../../src/domain/execute_params.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { AuditEntry } from "../../src/mcp/audit_log.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";
import { RawServer } from "../support/raw_server.ts";
import { succeeds } from "../support/succeeds.ts";
import type { WireMessage } from "../support/wire_message.ts";
import { type AskedFor, assertKnownArguments } from "./argv_grammar.ts";
import { attackStrings, HOSTILE_KEYS, HOSTILE_VALUES } from "./attacks.ts";
import { type HostileProject, hostileProject, snapshotTree } from "./hostile_project.ts";

/** Text that may be anything must start pytest to be tried: all of it only at night. */
const PER_KIND = PROPERTY_RUNS > 5_000 ? Infinity : 1;
/** Fewer than may wait for their turn. */
const AT_ONCE = 20;

const FREE_TEXT = ["pattern", "markers", "keywords"];
const TOOLS = {
  execute_tests: Object.keys(executeInputJsonSchema(DEFAULT_SETTINGS).properties ?? {}),
  discover_tests: Object.keys(discoverInputJsonSchema(DEFAULT_SETTINGS).properties ?? {}),
};

interface Attack {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** nothing of this kind may ever start anything */
  readonly hopeless: boolean;
}

/** A text where the field takes one, so that it gets as far as it can. */
function inShape(field: string, text: string): unknown {
  switch (field) {
    case "node_ids":
    case "related_to":
      return ["tests/test_ok.py", text];
    case "coverage":
      return { paths: ["tests", text] };
    case "shard":
      return { index: 1, total: 1, [text]: text };
    default:
      return text;
  }
}

function attacksOn(tool: keyof typeof TOOLS, outside: string): Attack[] {
  const strings = Object.values(attackStrings({ outside }));
  const texts = TOOLS[tool].flatMap((field) => {
    const free = FREE_TEXT.includes(field);
    return strings.flatMap((kind) => kind.slice(0, free ? PER_KIND : Infinity)).map((text) => {
      return { tool, args: { [field]: inShape(field, text) }, hopeless: !free };
    });
  });
  const values = TOOLS[tool].flatMap((field) =>
    HOSTILE_VALUES.filter((value) => typeof value === "object" && value !== null)
      .map((value) => ({ tool, args: { [field]: value }, hopeless: true }))
  );
  const keys = HOSTILE_KEYS.map((key) => ({
    tool,
    args: JSON.parse(`{${JSON.stringify(key)}: ["-p", "evil_plugin"]}`),
    // The SDK leaves this one key out of what it hands on.
    hopeless: key !== "__proto__",
  }));
  return [...texts, ...values, ...keys];
}

async function callAll(server: RawServer, attacks: readonly Attack[]): Promise<WireMessage[]> {
  const answers: WireMessage[] = [];
  for (let at = 0; at < attacks.length; at += AT_ONCE) {
    const calls = attacks.slice(at, at + AT_ONCE).map(({ tool, args }) => server.call(tool, args));
    answers.push(...await Promise.all(calls));
  }
  return answers;
}

/** Fails if anything beyond the project was reached, or anything but pytest's own caches was written. */
async function assertUntouched(project: HostileProject, before: unknown): Promise<void> {
  const { root, outside } = project;
  assert.deepEqual({ ...snapshotTree(root), ...snapshotTree(outside) }, before);
  const log = await project.watched();
  assert.ok(log.some((line) => line.includes("test_ok.py")), "the watch works");
  assert.deepEqual(log.filter((line) => line.includes(outside)), []);
  const started = /"event": "(subprocess|os\.(system|exec|posix_spawn|spawn)|socket\.(?!__new__))/;
  assert.deepEqual(log.filter((line) => started.test(line)), []);
}

Deno.test("no parameter of a tool reaches beyond the project's own tests", async () => {
  await using project = await hostileProject();
  const { root, outside } = project;
  const auditLog = join(root, "..", "audit.jsonl");
  const before = { ...snapshotTree(root), ...snapshotTree(outside) };
  const server = new RawServer({ root, auditLog, env: project.env });
  await server.initialize();
  const attacks = [
    ...attacksOn("execute_tests", outside),
    ...attacksOn("discover_tests", outside),
    { tool: "execute_tests", args: {}, hopeless: false },
  ];
  const answers = await callAll(server, attacks);
  attacks.forEach(({ args, hopeless }, at) => {
    const { error, result } = answers[at] ?? assert.fail();
    if (hopeless) assert.equal(error?.code, -32602, JSON.stringify({ args, result, error }));
    else assert.ok(result !== undefined || error?.code === -32602 || error?.code === -32000);
  });
  assert.deepEqual(answers.at(-1)?.result?.structuredContent?.summary?.passed, 1);
  assert.equal((await server.close()).code, 0);

  const entries: (AuditEntry & { parameters: AskedFor })[] = (await Deno.readTextFile(auditLog))
    .trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(entries.length, attacks.length);
  const started = entries.filter(({ argv }) => argv !== null);
  for (const { argv, parameters } of started) {
    assertKnownArguments(argv?.slice(3) ?? [], parameters);
  }
  await assertUntouched(project, before);
});

/** strace sees what the server itself does, too; not every machine has it, or lets it look. */
const TRACE = ["strace", "--follow-forks", "--trace=%file,execve,connect", "--string-limit=4096"];
const canTrace = Deno.build.os === "linux" &&
  await succeeds("strace", [...TRACE.slice(1), "true"]);

Deno.test({
  name: "neither the server nor a child of it opens a file that an attack names",
  ignore: !canTrace,
  async fn() {
    await using project = await hostileProject();
    const { root, outside } = project;
    const log = join(root, "..", "trace.txt");
    // `deno run` itself asks for newer versions of Deno now and then; a binary does not.
    const env = { DENO_NO_UPDATE_CHECK: "1" };
    const server = new RawServer({ root, env, wrapper: [...TRACE, `--output=${log}`] });
    await server.initialize();
    const attacks = [
      ...attacksOn("execute_tests", outside),
      ...attacksOn("discover_tests", outside),
    ];
    await callAll(server, attacks.filter(({ hopeless }) => hopeless));
    const { result } = await server.call("execute_tests");
    assert.equal(result?.structuredContent.summary.passed, 1);
    await server.close();
    const lines = (await Deno.readTextFile(log)).split("\n");
    const isAbout = (calls: RegExp) => lines.filter((line) => calls.test(line));
    assert.ok(isAbout(/\bopenat\(.*test_ok\.py/).length > 0, "the trace works");
    // Looking where a link leads is how a path is refused; opening, changing and running is what is not done.
    const harmless =
      /^\d+ +(<\.\.\. )?(readlink(at)?|l?stat|newfstatat|statx|f?access(at2?)?|getcwd)\b/;
    assert.deepEqual(isAbout(/outside|passwd/).filter((line) => !harmless.test(line)), []);
    const programs = isAbout(/\bexecve\(/).map((line) => /execve\("([^"]*)/.exec(line)?.[1]);
    assert.deepEqual(new Set(programs), new Set([Deno.execPath(), join(root, ".venv/bin/python")]));
    assert.deepEqual(isAbout(/\bconnect\(.*AF_INET/), []);
  },
});

Deno.test("no name, address or argument of the other methods reaches beyond the project", async () => {
  await using project = await hostileProject();
  const { root, outside } = project;
  const before = { ...snapshotTree(root), ...snapshotTree(outside) };
  const server = new RawServer({ root, env: project.env });
  await server.initialize();
  const texts = [...Object.values(attackStrings({ outside })).flat(), ...HOSTILE_KEYS]
    .filter((text) => text !== "environment");
  for (const text of texts) {
    const refused = await Promise.all([
      server.request(text),
      server.call(text),
      server.request("resources/read", { uri: text }),
      server.request("resources/read", { uri: `pytest://${text}` }),
      server.request("prompts/get", { name: text }),
    ]);
    for (const { error } of refused) assert.ok(error !== undefined && error.code !== -32603, text);
    const ref = { type: "ref/prompt", name: "fix_failing_tests" };
    for (const value of [text, `${text}/`, `${text}/test_`, `${text}/test_evil.py::`]) {
      for (const name of ["path", "node_id"]) {
        const argument = { name, value };
        const { result } = await server.request("completion/complete", { ref, argument });
        const values: string[] = result?.completion.values;
        assert.deepEqual(values.filter((each) => /test_evil|canary|passwd/.test(each)), [], value);
      }
    }
  }
  const { result } = await server.call("execute_tests");
  assert.equal(result?.structuredContent.summary.passed, 1);
  await server.close();
  await assertUntouched(project, before);
});

Deno.test("the server answers every line that is made to break it, and serves on", async () => {
  await using project = await hostileProject();
  const server = new RawServer({ root: project.root, env: project.env });
  await server.initialize();
  for (const [at, line] of hostileLines().entries()) {
    await server.raw(`${line.replace('"id":0', `"id":"hostile-${at}"`)}\n`);
    assert.deepEqual((await server.request("ping")).result, {});
    if (!line.includes('"id":0')) continue;
    const { error } = await server.next((message) => message.id === `hostile-${at}`);
    assert.ok(error !== undefined && error.code !== -32603, JSON.stringify(error).slice(0, 500));
    assert.ok(error.message.length <= 4_000);
  }
  const { result } = await server.call("execute_tests");
  assert.equal(result?.structuredContent.summary.passed, 1);
  assert.deepEqual(await server.close(), { code: 0, signal: null, stderr: "" });
});

/** Those with the id 0 are requests, and must be answered as such. */
function hostileLines(): string[] {
  const call = (rest: string) =>
    `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{${rest}}}`;
  const run = (args: string) => call(`"name":"execute_tests","arguments":${args}`);
  const deepList = "[".repeat(200_000) + "]".repeat(200_000);
  const deepObject = '{"a":'.repeat(200_000) + "0" + "}".repeat(200_000);
  const pollution = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
  return [
    deepList,
    deepObject,
    ...[deepList, deepObject].flatMap((deep) => [
      run(deep),
      run(`{"path":${deep}}`),
      run(`{"node_ids":[${deep}]}`),
      run(`{"x":${deep}}`),
      call(`"_meta":${deep},"name":"execute_tests","arguments":{"path":"nowhere"}`),
      `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
      `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${deep}}`,
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${deep}}}`,
      `{"jsonrpc":"2.0","id":1,"result":${deep}}`,
    ]),
    run(pollution),
    run(`{"path":${pollution}}`),
    call(`"name":"execute_tests","arguments":{"path":"nowhere"},"__proto__":{"arguments":{}}`),
    call(`"name":"execute_tests","name":"__proto__"`),
    run(`{"keywords":"${"x or ".repeat(1_000_000)}"}`),
    run(`{"keywords":"${"x or ".repeat(50_000)}x"}`),
    run(`{"markers":"${"(".repeat(5_000_000)}"}`),
    run(`{"path":"${"../".repeat(3_000_000)}"}`),
    run(`{"node_ids":["${"a::".repeat(3_000_000)}"]}`),
    run(`{"node_ids":[${Array(500_000).fill('"x.py"')}]}`),
    run(`{"node_ids":[${Array(10_000).fill(`"${"::".repeat(500)}"`)}]}`),
    run(`{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`)}}`),
    run(`{"path":"\\u0000\\ud800\\u0000"}`),
    run(`{"timeout":1e999}`),
    run(`{"timeout":${"9".repeat(100_000)}}`),
  ];
}
