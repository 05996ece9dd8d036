import assert from "node:assert/strict";
import { type AuditEntry, auditLines, openAuditLog } from "../../src/mcp/audit_log.ts";
import { passingRun } from "../support/canned_events.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { InProcessServer } from "../support/in_process_server.ts";

async function auditCalls(
  calls: readonly (readonly [name: string, args: object])[],
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const server = new InProcessServer({
    runner: fakeRunner(passingRun(2)),
    auditLog: { append: (entry) => void entries.push(entry) },
  });
  await server.initialize();
  for (const [name, args] of calls) await server.request("tools/call", { name, arguments: args });
  await server.close();
  return entries;
}

Deno.test("audited() notes what a call asked for, what was started and how it ended", async () => {
  const parameters = { node_ids: ["tests/test_x.py::test_0"] };
  const [entry] = await auditCalls([["execute_tests", parameters]]);
  assert.ok(entry !== undefined);
  assert.ok(!Number.isNaN(Date.parse(entry.time)));
  assert.equal(entry.tool, "execute_tests");
  assert.deepEqual(entry.parameters, parameters);
  assert.deepEqual(entry.argv?.slice(0, 3), ["/project/.venv/bin/python", "-m", "pytest"]);
  assert.deepEqual(entry.select, ["tests/test_x.py::test_0"]);
  assert.equal(entry.interpreter, "/project/.venv/bin/python");
  assert.equal(entry.interpreter_reason, ".venv in the root");
  assert.equal(entry.exit, 0);
  assert.equal(entry.counts?.["passed"], 2);
  assert.ok(entry.duration >= 0);
  assert.equal(entry.error, null);
});

Deno.test("audited() notes a call that started nothing, and a discovery", async () => {
  const [refused, discovery] = await auditCalls([
    ["execute_tests", { nothing: 1 }],
    ["discover_tests", {}],
  ]);
  assert.equal(refused?.argv, null);
  assert.equal(refused?.interpreter, null);
  assert.equal(refused?.error, "invalid_parameters");
  assert.deepEqual(discovery?.counts, { tests: 0 });
});

Deno.test("auditRefusal() notes a call of an unknown tool, and one that breaks the protocol's schema", async () => {
  const entries = await auditCalls([
    ["run_tests", { path: "tests" }],
    ["execute_tests", []],
  ]);
  assert.deepEqual(
    entries.map(({ tool, parameters, argv, error }) => [tool, parameters, argv, error]),
    [
      ["run_tests", { path: "tests" }, null, "unknown_tool"],
      ["execute_tests", [], null, "invalid_parameters"],
    ],
  );
});

Deno.test("audited() keeps the answer when the log cannot be written, and says so", async () => {
  const server = new InProcessServer({
    runner: fakeRunner(passingRun(1)),
    auditLog: {
      append() {
        throw new Error("no space left");
      },
    },
  });
  await server.initialize();
  const { result } = await server.request("tools/call", { name: "execute_tests", arguments: {} });
  assert.equal(result.structuredContent.exit_code, 0);
  assert.match(server.logged.join(), /audit log.*no space left/);
  await server.close();
});

Deno.test("audited() notes a call that ends in a bug of ours", async () => {
  const entries: AuditEntry[] = [];
  const server = new InProcessServer({
    runner: fakeRunner(() => {
      throw new Error("boom");
    }),
    auditLog: { append: (entry) => void entries.push(entry) },
  });
  await server.initialize();
  await server.request("tools/call", { name: "execute_tests", arguments: {} });
  assert.equal(entries[0]?.error, "bug");
  await server.close();
});

Deno.test("openAuditLog() appends one JSON line an entry, to what is there", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "before\n");
  const [entry] = await auditCalls([["discover_tests", {}]]);
  assert.ok(entry !== undefined);
  {
    using log = await openAuditLog(path);
    log.append(entry);
    log.append(entry);
  }
  const line = JSON.stringify(entry);
  assert.equal(await Deno.readTextFile(path), `before\n${line}\n${line}\n`);
  await Deno.remove(path);
});

const ENTRY: AuditEntry = {
  time: "2026-01-01T00:00:00.000Z",
  tool: "execute_tests",
  parameters: {},
  argv: null,
  select: null,
  interpreter: null,
  interpreter_reason: null,
  exit: null,
  signal: null,
  duration: 0,
  counts: null,
  error: null,
};

/** A disk with room for so many bytes; what is on it, and how to make more room. */
function smallDisk(room: number) {
  const written: number[] = [];
  return {
    write(bytes: Uint8Array): number {
      if (room === 0) throw new Error("no space left");
      const taken = bytes.subarray(0, room);
      written.push(...taken);
      room -= taken.length;
      return taken.length;
    },
    add: (more: number) => void (room += more),
    text: () => new TextDecoder().decode(Uint8Array.from(written)),
  };
}

Deno.test("auditLines() reports an entry that is cut off, and begins the next on a line of its own", () => {
  const disk = smallDisk(50);
  const append = auditLines(disk.write);
  assert.throws(() => append(ENTRY), /no space left/);
  assert.throws(() => append(ENTRY), /no space left/);
  disk.add(10_000);
  append(ENTRY);
  append(ENTRY);
  const line = JSON.stringify(ENTRY);
  assert.equal(disk.text(), `${line.slice(0, 50)}\n${line}\n${line}\n`);
});

Deno.test("auditLines() writes the rest when only a part was taken", () => {
  let text = "";
  const append = auditLines((bytes) => {
    const taken = bytes.subarray(0, 100);
    text += new TextDecoder().decode(taken);
    return taken.length;
  });
  append(ENTRY);
  append(ENTRY);
  assert.equal(text, `${JSON.stringify(ENTRY)}\n`.repeat(2));
});

Deno.test("auditLines() notes a call whose parameters JSON.stringify() cannot write", () => {
  let text = "";
  const append = auditLines((bytes) => {
    text += new TextDecoder().decode(bytes);
    return bytes.length;
  });
  const deep: unknown = JSON.parse(`${'{"1":'.repeat(100_000)}1${"}".repeat(100_000)}`);
  append({ ...ENTRY, parameters: deep });
  assert.deepEqual(JSON.parse(text), { ...ENTRY, parameters: "[nested too deeply to be shown]" });
});

Deno.test("openAuditLog() says what to do when its directory does not exist", async () => {
  await assert.rejects(
    openAuditLog("/nowhere/at/all.jsonl"),
    /'\/nowhere\/at\/all.jsonl'.*Create it/,
  );
});

Deno.test({
  name: "openAuditLog() names the flag that is missing when Deno may not write",
  permissions: { write: false },
  fn: async () => {
    await assert.rejects(openAuditLog("audit.jsonl"), /--allow-write=audit.jsonl/);
  },
});

Deno.test({
  name: "openAuditLog() advises against a device, to which Deno writes only with all permissions",
  ignore: Deno.build.os !== "linux",
  permissions: { read: true, write: true },
  fn: async () => {
    await assert.rejects(openAuditLog("/dev/full"), /'\/dev\/full'.*ordinary file/);
    await assert.rejects(openAuditLog("/proc/x"), /'\/proc\/x'.*ordinary file/);
  },
});
