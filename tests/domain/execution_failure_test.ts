import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { ExecutionFailure, RunFailure } from "../../src/domain/run_failure.ts";
import {
  exception,
  phase,
  processEnd,
  session,
  sessionStart,
  test,
} from "../support/run_events.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { type Call, discover, execute } from "../support/use_case_context.ts";
import { passing } from "./situations.ts";

async function failure(events: PytestEvent[], call: Call = {}): Promise<RunFailure> {
  const outcome = await execute(events, call);
  assert.ok(!outcome.ok, JSON.stringify(outcome));
  return outcome.failure;
}

async function executionFailure(events: PytestEvent[], call: Call = {}): Promise<ExecutionFailure> {
  const found = await failure(events, call);
  assert.ok(found.kind === "execution_failure");
  return found;
}

const failing = test("tests/test_a.py::test_sum", {
  error: exception("AssertionError: assert 3 == 4", [
    "tests/test_a.py:9 test_sum: assert add(1, 2) == 4",
  ]),
});
const some = [...passing(3), ...failing];
const begin: PytestEvent = { event: "begin", id: "tests/test_pool.py::test_acquire" };
const collected: PytestEvent = { event: "collected", total: 40 };

const STACKS: PytestEvent = {
  event: "stacks",
  text: `Current thread 0x00007f1b (most recent call first):
  File "/code/project/app/pool.py", line 31 in acquire
  File "/code/project/tests/test_pool.py", line 12 in test_acquire
  File "/venv/lib/python3.12/site-packages/_pytest/python.py", line 195 in pytest_pyfunc_call
`,
};

/** Every row of the contract's error table that a run can produce. */
const FAILURES: Record<string, { events: PytestEvent[]; call?: Call }> = {
  "unknown node ids": {
    events: session([{
      event: "unknown_ids",
      ids: [
        { id: "tests/test_a.py::test_smu", nearest: ["tests/test_a.py::test_sum"] },
        { id: "tests/test_a.py::TestGone", nearest: [] },
      ],
    }], { exitCode: 4 }),
  },
  "pytest refuses a file": {
    events: session([{
      event: "usage_error",
      message: "not found: /code/project/README.md\n(no match in any of [<Dir project>])",
    }], { exitCode: 4 }),
  },
  "pytest refuses the request": {
    events: session([{
      event: "usage_error",
      message:
        "Wrong expression passed to '-m': device(serial=1): at column 7: unexpected character \"=\"",
    }], { exitCode: 4 }),
  },
  "a conftest.py does not load": {
    events: [
      {
        event: "conftest_error",
        file: "tests/conftest.py",
        error: exception("ModuleNotFoundError: No module named 'sqlalchemy'", [
          "tests/conftest.py:3 <module>: from app.db import engine",
          "app/db.py:1 <module>: import sqlalchemy",
        ]),
        text: "ImportError while loading conftest",
      },
      processEnd({ exit_code: 4 }),
    ],
  },
  "settings that pytest refuses, said by pytest": {
    events: session([{
      event: "conftest_error",
      file: null,
      error: exception("UsageError: /code/project/pytest.ini:3: unexpected line: 'addopts'"),
      text: "UsageError",
    }], { exitCode: 4 }),
  },
  "settings that pytest refuses, before anything": {
    events: [
      { event: "process_start", python: "/usr/bin/python3", reason: "python3 on PATH" },
      { event: "exit", exit_code: 4 },
      processEnd({
        exit_code: 4,
        stderr: "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --cov\n" +
          "  inifile: /code/project/pytest.ini\n  rootdir: /code/project\n",
      }),
    ],
  },
  "settings that pytest 9.2 refuses": {
    events: session([{
      event: "conftest_error",
      file: null,
      error: exception("pytest.UsageError: Unknown config option: nokey"),
      text: "UsageError",
    }], { exitCode: 4 }).map((event) =>
      event.event === "session_start"
        ? { ...event, inifile: "/code/project/pyproject.toml" }
        : event
    ),
  },
  "a conftest.py refuses to start": {
    events: session([{
      event: "conftest_error",
      file: null,
      error: exception("pytest.UsageError: needs DB_URL", [
        "conftest.py:4 pytest_collection_modifyitems: raise pytest.UsageError('needs DB_URL')",
      ]),
      text: "UsageError",
    }], { exitCode: 4 }),
  },
  "a pytest that is too old": {
    events: [
      { event: "exit", exit_code: 4 },
      processEnd({
        exit_code: 4,
        stderr:
          "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --no-summary\n" +
          "  inifile: None\n  rootdir: /code/project\n",
      }),
    ],
  },
  "pytest.exit() in a test": {
    events: session([
      ...some,
      begin,
      {
        event: "interrupted",
        kind: "exit",
        reason: "no database",
        error: exception("Exit: no database", [
          "tests/test_pool.py:12 test_acquire: pool.acquire()",
          "app/pool.py:9 acquire: pytest.exit('no database')",
        ]),
      },
    ], { exitCode: 7, total: 40 }),
  },
  "KeyboardInterrupt": {
    events: session([...some, begin, {
      event: "interrupted",
      kind: "keyboard",
      reason: "",
      error: exception("KeyboardInterrupt", [
        "tests/test_pool.py:12 test_acquire: raise KeyboardInterrupt",
      ]),
    }], { exitCode: 2, total: 40 }),
  },
  "a plugin stops the session": {
    events: session([...some, {
      event: "interrupted",
      kind: "keyboard",
      reason: "Test failed, continuing from this test next run.",
      error: exception("Interrupted: Test failed, continuing from this test next run."),
    }], { exitCode: 2, total: 40 }),
  },
  "internal error": {
    events: session([...passing(1), {
      event: "internal_error",
      error: exception("TypeError: 'NoneType' object is not iterable", [
        "lib acme_pytest/plugin.py:40 pytest_runtest_setup: for mark in item.acme:",
      ]),
      text: "INTERNALERROR>",
    }], { exitCode: 3, total: 40 }),
  },
  "more warnings than allowed": { events: session(passing(3), { exitCode: 6 }) },
  "an exit code of a plugin": { events: session(some, { exitCode: 99 }) },
  "killed by a signal in a test": {
    events: [
      ...sessionStart(),
      collected,
      ...some,
      begin,
      processEnd({
        exit_code: null,
        signal: "SIGSEGV",
        stderr:
          "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n" +
          '  File "/code/project/tests/test_pool.py", line 12 in test_acquire\n',
      }),
    ],
  },
  "os._exit(0) in a test": {
    events: [...sessionStart(), collected, ...some, begin, processEnd()],
  },
  "a plugin ends the process and says why": {
    events: [
      ...sessionStart(),
      collected,
      ...some,
      begin,
      processEnd({
        exit_code: 1,
        stdout: "collected 40 items\n\ntests/test_a.py ...F+++++ Timeout +++++\n" +
          '  File "/code/project/tests/test_pool.py", line 12, in test_acquire\n+++++ Timeout +++++\n',
      }),
    ],
  },
  "an exception after the tests": {
    events: [
      ...session(passing(3)).slice(0, -2),
      processEnd({
        exit_code: 1,
        stderr: 'Traceback (most recent call last):\n  File "/code/project/conftest.py", line 2, ' +
          'in pytest_unconfigure\n    raise RuntimeError("late")\nRuntimeError: late\n',
      }),
    ],
  },
  "os._exit(0) in conftest.py": { events: [processEnd()] },
  "killed while it collects": {
    events: [...sessionStart(), processEnd({ exit_code: null, signal: "SIGKILL" })],
  },
  "every worker of xdist dies while it collects": {
    events: [
      ...sessionStart(),
      ...["gw0", "gw1"].map((worker): PytestEvent => ({
        event: "worker_down",
        worker,
        error: "Not properly terminated",
      })),
      { event: "session_end", exit_status: 5 },
      { event: "exit", exit_code: 5 },
      processEnd({ exit_code: 5, stderr: "libfoo: cannot open device\n" }),
    ],
  },
  "timeout in a test": {
    events: [
      ...sessionStart(),
      collected,
      ...some,
      begin,
      STACKS,
      processEnd({ exit_code: 2, timed_out: true, duration: 60 }),
    ],
    call: { params: { timeout: 60 } },
  },
  "timeout while it collects": {
    events: [
      ...sessionStart(),
      STACKS,
      processEnd({ exit_code: null, signal: "SIGKILL", timed_out: true, duration: 60 }),
    ],
    call: { params: { timeout: 60 } },
  },
  "no interpreter has pytest": {
    events: [{
      event: "spawn_failure",
      message: "No Python with pytest was found for this project.",
      tried: [
        {
          python: ".venv/bin/python",
          origin: ".venv in the root",
          problem: "No module named 'pytest'",
        },
        {
          python: "/usr/bin/python3",
          origin: "python3 on PATH",
          problem: "no permission to run it",
        },
      ],
      fix: "Install it: .venv/bin/python -m pip install pytest",
    }],
  },
  "too many runs": { events: [{ event: "busy", running: 2, waiting: 32 }] },
  "cancelled": { events: [...sessionStart(), collected, ...some, begin, { event: "cancelled" }] },
};

Deno.test("describeFailure() gives each failure the message that the snapshot has", async () => {
  const parts: string[] = [];
  for (const [name, { events, call }] of Object.entries(FAILURES)) {
    const { message, data } = await executionFailure(events, call);
    assert.ok(message.length < 4_000, name);
    const { summary: _, ...shown } = data;
    parts.push(`##### ${name}\n${message}\n----- data\n${JSON.stringify(shown, null, 1)}\n`);
  }
  await assertSnapshot(new URL("./snapshots/failures.txt", import.meta.url), parts.join("\n"));
});

Deno.test("describeFailure() always has all keys of the execution data", async () => {
  for (const [name, { events, call }] of Object.entries(FAILURES)) {
    const { data } = await executionFailure(events, call);
    assert.deepEqual(Object.keys(data), [
      "error_type",
      "exit_code",
      "signal",
      "timeout_exceeded",
      "stdout",
      "stderr",
      "command",
      "duration",
      "collection_errors",
      "summary",
      "tests",
      "running",
    ], name);
  }
});

Deno.test("describeFailure() loses nothing that ran before a crash", async () => {
  const events = [
    ...sessionStart(),
    collected,
    ...some,
    begin,
    phase("tests/test_pool.py::test_acquire", { error: exception("E: x", ["p.py:1 f: x"]) }),
    processEnd({ exit_code: null, signal: "SIGKILL" }),
  ];
  const { data } = await executionFailure(events, { params: { verbosity: 1 } });
  assert.deepEqual(data.tests.map(({ node_id, outcome }) => `${node_id} ${outcome}`), [
    "tests/test_a.py::test_sum failed",
    "tests/test_pool.py::test_acquire failed",
    "tests/test_a.py::test_0 passed",
    "tests/test_a.py::test_1 passed",
    "tests/test_a.py::test_2 passed",
  ]);
  assert.deepEqual(data.running, ["tests/test_pool.py::test_acquire"]);
  assert.equal(data.summary.total, 5);
  assert.equal(data.summary.not_run, 35);
});

Deno.test("describeFailure() keeps head and tail of the streams within 64 KiB each", async () => {
  const noise = `first\n${"é".repeat(200_000)}\nlast`;
  const events = [...sessionStart(), begin, processEnd({ stdout: noise, stderr: noise })];
  const { message, data } = await executionFailure(events);
  for (const stream of [data.stdout, data.stderr]) {
    assert.ok(new TextEncoder().encode(stream).length <= 64 * 1024);
    assert.ok(stream.startsWith("first\n") && stream.endsWith("\nlast"));
    assert.match(stream, /…\[[\d,]+ characters left out\]…/);
  }
  assert.ok(message.length < 4_000);
});

Deno.test("describeFailure() stays readable when everything is large", async () => {
  const huge = "x".repeat(20_000);
  const many = Array.from({ length: 300 }, (_, n) =>
    test(`tests/test_a.py::${huge}[${n}]`, {
      error: exception(`E: ${huge}`, [`a.py:${n + 1} f: ${huge}`]),
    })).flat();
  const { message, data } = await executionFailure([
    ...sessionStart(),
    collected,
    ...many,
    { event: "begin", id: huge },
    { event: "stacks", text: huge },
    processEnd({ timed_out: true, stderr: huge }),
  ]);
  assert.ok(message.length < 4_000);
  assert.match(message, /^pytest execution exceeded timeout of 300 seconds\n300 of 40 tests/);
  assert.match(message, /raise timeout or run fewer tests/);
  assert.match(message, /The data leaves out/);
  assert.ok(JSON.stringify(data.tests).length <= 200_000);
});

Deno.test("describeFailure() gives a command that a person can paste", async () => {
  const { data } = await executionFailure(
    [...sessionStart(), begin, processEnd({ exit_code: null, signal: "SIGKILL" })],
    { params: { node_ids: ["tests/test_a.py::test_x[a b]"], markers: "not slow" } },
  );
  assert.deepEqual(data.command, [
    "/code/project/.venv/bin/python",
    "-m",
    "pytest",
    "--continue-on-collection-errors",
    "--no-summary",
    "--tb=native",
    "--color=no",
    "-m=not slow",
    "tests/test_a.py::test_x[a b]",
  ]);
});

Deno.test("discoverTests() fails in the same words", async () => {
  for (
    const name of ["a conftest.py does not load", "timeout while it collects", "too many runs"]
  ) {
    const { events = [], call = {} } = FAILURES[name] ?? {};
    const outcome = await discover(events, call);
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.message, (await failure(events, call)).message);
  }
});
