/**
 * Progress, cancellation, disconnection and the audit log around real runs of pytest.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { environmentPython } from "../../src/pytest/python_layout.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { processesNaming } from "../support/processes.ts";
import { RawServer } from "../support/raw_server.ts";

const WAITS = `import pathlib, time

def test_waits():
    pathlib.Path(__file__).with_name("began").write_text("")
    time.sleep(3600)
`;

const MANY = `import pytest, time

@pytest.mark.parametrize("number", range(60))
def test_many(number):
    time.sleep(0.02)
    assert number != 7
`;

/** Resolves when the test has begun: its file is there. */
async function began(root: string): Promise<void> {
  for (;;) {
    try {
      await Deno.stat(`${root}/began`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

Deno.test("a run reports progress: paced, growing, none after the answer", async () => {
  await using project = await e2eProject({ files: { "test_many.py": MANY } });
  const server = new RawServer({ root: project.root });
  await server.initialize();
  const { result } = await server.request("tools/call", {
    name: "execute_tests",
    arguments: {},
    _meta: { progressToken: "p" },
  });
  assert.equal(result.structuredContent.summary.failed, 1);
  const answer = server.messages.findIndex((message) => message.result === result);
  await server.request("ping");
  const progress = server.messages.flatMap(({ method, params }, at) =>
    method === "notifications/progress" ? [{ at, ...params }] : []
  );
  assert.ok(progress.length >= 3, String(progress.length));
  const values = progress.map((entry) => entry.progress);
  assert.deepEqual(values, [...new Set(values)].sort((a, b) => a - b));
  for (const { at, progressToken, total, message, progress: finished } of progress) {
    assert.ok(at < answer);
    assert.equal(progressToken, "p");
    if (total === undefined) continue;
    assert.equal(total, 60);
    assert.match(message, /^\d+\/60 passed \d+ failed [01]( — test_many\.py::test_many\[\d+\])?$/);
    assert.ok(message.startsWith(`${finished}/60 `));
  }
  await server.close();
});

Deno.test("a cancelled run is killed, gets no answer, and frees its slot for the one in line", async () => {
  await using project = await e2eProject({
    files: { "test_waits.py": WAITS, "test_quick.py": "def test_quick():\n    pass\n" },
  });
  const server = new RawServer({ root: project.root, flags: ["--max-concurrent-runs", "1"] });
  await server.initialize();
  const call = (path: string) => ({ name: "execute_tests", arguments: { path } });
  const first = server.send("tools/call", call("test_waits.py"));
  await began(project.root);
  const queued = server.send("tools/call", call("test_waits.py"));
  const next = server.send("tools/call", call("test_quick.py"));
  await server.notify("notifications/cancelled", { requestId: queued.id });
  await server.notify("notifications/cancelled", { requestId: first.id });
  const { result } = await next.answer;
  assert.equal(result.structuredContent.summary.passed, 1);
  await server.request("ping");
  assert.ok(!server.messages.some(({ id }) => id === first.id || id === queued.id));
  assert.equal((await server.close()).code, 0);
});

Deno.test("a client that goes away leaves no process behind", async () => {
  await using project = await e2eProject({ files: { "test_waits.py": WAITS } });
  const server = new RawServer({ root: project.root });
  await server.initialize();
  const running = server.call("execute_tests");
  await began(project.root);
  assert.ok((await processesNaming(project.root)).length > 0);
  assert.equal((await server.close()).code, 0);
  assert.equal((await running).error?.data.error_type, "cancelled");
  assert.deepEqual(await processesNaming(project.root), []);
});

Deno.test("a client that goes away without reading its answers leaves no process behind", async () => {
  await using project = await e2eProject({ files: { "test_waits.py": WAITS } });
  const server = new RawServer({ root: project.root, readOutput: false });
  await server.readFor(async () => {
    await server.initialize();
  });
  void server.call("execute_tests");
  await began(project.root);
  for (let sent = 0; sent < 1_300; sent++) void server.send("tools/list");
  await server.closeInput();
  assert.equal((await server.gone).code, 0);
  assert.deepEqual(await processesNaming(project.root), []);
  await server.close();
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test({
    name: `${signal} to the server leaves no process behind`,
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using project = await e2eProject({ files: { "test_waits.py": WAITS } });
      const server = new RawServer({ root: project.root });
      await server.initialize();
      void server.call("execute_tests");
      await began(project.root);
      server.kill(signal);
      await server.close();
      while ((await processesNaming(project.root)).length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  });
}

Deno.test("the audit log has one line a call", {
  // the binary may write no file
  ignore: Deno.env.get("PYTEST_MCP_SERVER_COMMAND") !== undefined,
}, async () => {
  await using project = await e2eProject({ fixture: "sample" });
  const auditLog = join(project.root, "audit.jsonl");
  const server = new RawServer({ root: project.root, auditLog });
  await server.initialize();
  await server.call("execute_tests", { node_ids: ["tests/test_basket.py"] });
  await server.call("execute_tests", { nothing: 1 });
  await server.call("discover_tests");
  await server.request("resources/read", { uri: "pytest://markers" });
  await server.close();
  const text = await Deno.readTextFile(auditLog);
  const entries = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(entries.map(({ tool, exit, error }) => [tool, exit, error]), [
    ["execute_tests", 1, null],
    ["execute_tests", null, "invalid_parameters"],
    ["discover_tests", 0, null],
    ["pytest://markers", 0, null],
  ]);
  const [run] = entries;
  const platform = Deno.build.os === "windows" ? "windows" : "posix";
  assert.equal(run.interpreter, environmentPython(join(project.root, ".venv"), platform));
  assert.equal(run.interpreter_reason, ".venv");
  assert.deepEqual(run.argv.slice(0, 3), [run.interpreter, "-m", "pytest"]);
  assert.deepEqual(run.parameters, { node_ids: ["tests/test_basket.py"] });
  assert.equal(run.counts.failed, 1);
  assert.ok(run.duration > 0 && !Number.isNaN(Date.parse(run.time)));
});

Deno.test("an audit log that cannot be opened ends the server with one line that says why", async () => {
  await using project = await e2eProject({ environment: null });
  const server = new RawServer({ root: project.root, flags: ["--audit-log", "audit.jsonl"] });
  const { code, stderr } = await server.close();
  assert.equal(code, 2);
  assert.match(stderr, /audit\.jsonl.*--allow-write/);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
});
