import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildInspectArgs } from "../../src/domain/pytest_args.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { RawServer } from "../support/raw_server.ts";
import { runProject } from "../support/run_project.ts";
import { MARK, markedProcesses, survivors } from "../support/survivors.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));
const way = (name: string) => join(FIXTURES, "ways_to_end", name);

function executionFailure(outcome: Awaited<ReturnType<typeof runProject>>["outcome"]) {
  assert(!outcome.ok && outcome.failure.kind === "execution_failure");
  return outcome.failure;
}

Deno.test("a run that is cancelled ends with everything that it started", async () => {
  const { python } = await environment("pytest9");
  for (const name of ["loop_ignoring_sigterm", "gil", "subproc_wait"]) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 1500);
    const run = await runProject({ root: way(name), python, signal: stop.signal });
    clearTimeout(timer);
    assert.equal(executionFailure(run.outcome).data.error_type, "cancelled", name);
    // Nothing is left when the call returns, so there is nothing to wait for.
    assert.deepEqual(markedProcesses(run.mark), [], name);
  }
});

Deno.test("a run whose supervisor is stopped can be cancelled", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const { python } = await environment("pytest9");
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 3000);
  const run = await runProject({ root: way("sigstop_parent"), python, signal: stop.signal });
  clearTimeout(timer);
  assert.equal(executionFailure(run.outcome).data.error_type, "cancelled");
  assert.deepEqual(markedProcesses(run.mark), []);
});

Deno.test("a runner that is disposed of has closed the pipes of a process that left before", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const end = '{"event":"process_end","exit_code":0,"signal":null,"timed_out":false,' +
    '"stdout":"","stderr":"","duration":0}';
  // It says all that is to be said and is gone, but something that it started still holds its pipes.
  const interpreter = `#!/bin/sh\nread -r boot; read -r request; echo '${end}'\nsleep 1 &\n`;
  await using files = await e2eProject({ files: { "python": interpreter } });
  const python = join(files.root, "python");
  await Deno.chmod(python, 0o755);
  await using runner = createPytestRunner({ root: files.root, python });
  const request = buildInspectArgs("markers", 10);
  for await (const _ of runner.run(request, { signal: new AbortController().signal })) { /* all */ }
  // Enough for Deno to see that it is gone; the pipes stay open for a second.
  await new Promise((resolve) => setTimeout(resolve, 300));
});

Deno.test("a run whose supervisor is killed leaves nothing behind and keeps its results", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { python } = await environment("pytest9");
  const kill = "import os, signal, time\n" +
    "def test_a(): pass\n" +
    "def test_b(): time.sleep(0.3); os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)\n";
  await using files = await e2eProject({ files: { "test_it.py": kill } });
  const run = await runProject({ root: files.root, python });
  const { data } = executionFailure(run.outcome);
  assert.equal(data.error_type, "crash");
  assert.equal(data.summary.passed, 1);
  assert.deepEqual(data.running, ["test_it.py::test_b"]);
  assert.match(data.stderr, /did a test end its parent process\?/);
  assert.deepEqual(await survivors(run.mark), []);
});

Deno.test("an orphan ends with its run, even one whose name is no text", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { python } = await environment("pytest9");
  const orphan = "import ctypes, os, time\n" +
    "def test_a():\n" +
    "    reader, writer = os.pipe()\n" +
    "    if os.fork() == 0:\n" +
    "        os.setsid()\n" +
    "        if os.fork() == 0:\n" +
    "            ctypes.CDLL(None).prctl(15, 'тестовый-сервер'.encode()[:15], 0, 0, 0)\n" +
    "            os.write(writer, b'x')\n" +
    "            time.sleep(60)\n" +
    "        os._exit(0)\n" +
    "    os.wait()\n" +
    "    os.read(reader, 1)\n";
  await using files = await e2eProject({ files: { "test_it.py": orphan } });
  const run = await runProject({ root: files.root, python });
  assert(run.outcome.ok);
  assert.deepEqual(await survivors(run.mark), []);
});

Deno.test("a run ends in order though Python makes errors of its warnings", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { python } = await environment("pytest9");
  const child = "import subprocess, time\n" +
    "def test_a(): subprocess.Popen(['sleep', '60'], start_new_session=True); time.sleep(60)\n";
  await using files = await e2eProject({ files: { "test_it.py": child } });
  const variables = { PYTHONWARNDEFAULTENCODING: "1", PYTHONWARNINGS: "error" };
  const params = { timeout: 2 };
  const run = await runProject({ root: files.root, python, params, environment: variables });
  assert.equal(executionFailure(run.outcome).data.error_type, "timeout");
  assert.deepEqual(await survivors(run.mark), []);
});

Deno.test("what a test prints does not grow the server, and the ends of it come back", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const print = "import os\n" +
    "def test_a(capfd):\n" +
    "    with capfd.disabled():\n" +
    "        os.write(1, b'first line\\n')\n" +
    "        for _ in range(1024): os.write(1, b'z' * (1 << 20))\n" +
    "        os.write(1, b'\\nlast line\\n')\n" +
    "    os.abort()\n";
  await using files = await e2eProject({
    files: {
      "test_it.py": print,
      "test_small.py": "def test_b(): pass\n",
    },
  });
  const { answer: { error }, growth } = await growthOfServer(files);
  assert(growth < 32, `grew by ${growth} MB`);
  const { error_type, stdout } = error?.data ?? {};
  assert.equal(error_type, "crash");
  assert(stdout.length <= 64 << 10);
  assert(stdout.includes("first line"));
  assert(stdout.includes("last line"));
  assert.match(stdout, /\d+ bytes elided/);
});

Deno.test("20,000 tests that pass grow the server by less than 64 MB", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const tests = "import pytest\n" +
    "@pytest.mark.parametrize('n', range(20000))\n" +
    "def test_ok(n): pass\n";
  await using files = await e2eProject({
    files: {
      "test_it.py": tests,
      "test_small.py": "def test_b(): pass\n",
    },
  });
  const { answer, growth } = await growthOfServer(files);
  assert.equal(answer.result?.structuredContent.summary.passed, 20_000);
  assert(growth < 64, `grew by ${growth} MB`);
});

/** Runs test_it.py in a server that has run test_small.py before; growth is in MB, at its worst. */
async function growthOfServer(files: { root: string }) {
  const server = new RawServer(files);
  await server.initialize();
  await server.call("execute_tests", { node_ids: ["test_small.py"] });
  const before = await server.residentBytes();
  let peak = before;
  let over = false;
  const answering = server.call("execute_tests", { node_ids: ["test_it.py"] })
    .finally(() => over = true);
  while (!over) {
    peak = Math.max(peak, await server.residentBytes());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const answer = await answering;
  await server.close();
  return { answer, growth: (peak - before) >> 20 };
}

Deno.test("xdist: a crashed worker costs one test, and the others are kept", async () => {
  const { python } = await environment("rich");
  const tests = "import os, pytest\n" +
    "@pytest.mark.parametrize('n', range(20))\n" +
    "def test_ok(n): pass\n" +
    "def test_dies(): os._exit(3)\n" +
    "def test_fails():\n    x = 1\n    assert x == 2\n";
  await using files = await e2eProject({
    files: {
      "pytest.ini": "[pytest]\naddopts = -n 2 -p no:randomly\n",
      "test_it.py": tests,
    },
  });
  const { outcome } = await runProject({ root: files.root, python });
  assert(outcome.ok);
  const { passed, failed, errors, not_run } = outcome.result.summary;
  assert.deepEqual({ passed, failed, errors, not_run }, {
    passed: 20,
    failed: 1,
    errors: 1,
    not_run: 0,
  });
  const byId = new Map(outcome.result.tests.map((test) => [test.node_id, test]));
  assert.equal(byId.get("test_it.py::test_dies")?.outcome, "error");
  assert.match(byId.get("test_it.py::test_dies")?.message ?? "", /worker 'gw\d+' crashed/);
  // The frames of a failure cross from xdist's process to ours as data.
  assert.match(
    byId.get("test_it.py::test_fails")?.traceback ?? "",
    /test_it\.py:7 test_fails: assert x == 2/,
  );
});

Deno.test("xdist: exact ids are selected in the workers, and unknown ones are named", async () => {
  const { python } = await environment("rich");
  await using files = await e2eProject({
    files: {
      "pytest.ini": "[pytest]\naddopts = -n 2\n",
      "test_it.py": "def test_one(): pass\ndef test_two(): pass\n",
    },
  });
  const one = await runProject({
    root: files.root,
    python,
    params: { node_ids: ["test_it.py::test_two"] },
  });
  assert(one.outcome.ok);
  assert.equal(one.outcome.result.summary.total, 1);
  const none = await runProject({
    root: files.root,
    python,
    params: { node_ids: ["test_it.py::test_tow"] },
  });
  const failure = executionFailure(none.outcome);
  assert.equal(failure.data.error_type, "usage_error");
  assert.match(failure.message, /test_it\.py::test_two/);
});

Deno.test("xdist: a timeout names the tests that hang and shows where", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { python } = await environment("rich");
  await using files = await e2eProject({
    files: {
      "pytest.ini": "[pytest]\naddopts = -n 2\n",
      "test_it.py": "import time\ndef stuck(): time.sleep(60)\ndef test_hangs(): stuck()\n",
    },
  });
  const run = await runProject({ root: files.root, python, params: { timeout: 15 } });
  const failure = executionFailure(run.outcome);
  assert.equal(failure.data.error_type, "timeout");
  assert.deepEqual(failure.data.running, ["test_it.py::test_hangs"]);
  assert.match(failure.message, /stuck/);
  assert.deepEqual(await survivors(run.mark), []);
});

Deno.test("20 calls at once on one project each get their own answer, whether they run or wait", async () => {
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const tests = numbers.map((number) => `def test_${number}(): assert ${number} % 2\n`).join("");
  await using files = await e2eProject({ files: { "test_it.py": tests } });
  const server = new RawServer({ root: files.root, flags: ["--max-concurrent-runs", "3"] });
  await server.initialize();
  const answers = await Promise.all(
    numbers.map((number) =>
      server.call("execute_tests", { node_ids: [`test_it.py::test_${number}`] })
    ),
  );
  for (const [number, { result }] of answers.entries()) {
    const { summary, tests: [failure] } = result.structuredContent;
    assert.equal(summary.total, 1);
    assert.equal(failure?.node_id, number % 2 ? undefined : `test_it.py::test_${number}`);
  }
  await server.close();
});

Deno.test("variables of the dynamic loader reach the tests although Deno holds them back", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { python } = await environment("pytest9");
  await using files = await e2eProject({
    files: {
      "test_it.py":
        "import os\ndef test_a(): assert os.environ['LD_LIBRARY_PATH'] == '/nowhere/lib'\n",
    },
  });
  const script = fileURLToPath(new URL("../../main.ts", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read=.",
      `--allow-run=${python}`,
      "--allow-env=VIRTUAL_ENV,CONDA_PREFIX,PATH,LD_*,DYLD_*,NO_COLOR",
      script,
      "run",
      "--python",
      python,
      "--json",
    ],
    cwd: files.root,
    env: { LD_LIBRARY_PATH: "/nowhere/lib" },
  }).output();
  const decoder = new TextDecoder();
  assert.match(decoder.decode(stdout), /"passed": ?1/, decoder.decode(stderr));
});

for (const signal of ["SIGKILL", "SIGTERM", "SIGINT"] as const) {
  Deno.test(`a server that gets ${signal} leaves no process behind`, {
    ignore: Deno.build.os === "windows",
  }, async () => {
    const hang = await Deno.readTextFile(join(way("loop_ignoring_sigterm"), "test_it.py"));
    await using files = await e2eProject({ files: { "test_it.py": hang } });
    const mark = crypto.randomUUID();
    const server = new RawServer({ ...files, env: { [MARK]: mark } });
    await server.initialize();
    server.send("tools/call", { name: "execute_tests", arguments: {} });
    // The server, and a supervisor with its worker.
    while (markedProcesses(mark).length < 3) await new Promise((later) => setTimeout(later, 50));
    await new Promise((later) => setTimeout(later, 500));
    server.kill(signal);
    const { code } = await server.close();
    if (signal !== "SIGKILL") assert.equal(code, 0);
    assert.deepEqual(await survivors(mark), []);
  });
}
