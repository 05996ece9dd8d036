import assert from "node:assert/strict";
import { classifyRun, type RunEnding } from "../../src/domain/exit_code.ts";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { addEvent, createRunReport } from "../../src/domain/run_report.ts";
import { exception, processEnd, session, sessionStart, test } from "../support/run_events.ts";

function classify(events: PytestEvent[]): RunEnding {
  const report = createRunReport();
  for (const event of events) addEvent(report, event, { everyTest: false });
  return classifyRun(report);
}

const failing = test("t.py::test", { error: exception("E: x", ["t.py:1 test: x"]) });
const broken: PytestEvent = {
  event: "collection_error",
  id: "t.py",
  file: "t.py",
  error: null,
  text: "x",
};
const conftest: PytestEvent = {
  event: "conftest_error",
  file: "conftest.py",
  error: null,
  text: "x",
};
const unknown: PytestEvent = { event: "unknown_ids", ids: [{ id: "t.py::x", nearest: [] }] };
const begin: PytestEvent = { event: "begin", id: "t.py::test" };
const down: PytestEvent = { event: "worker_down", worker: "gw0", error: "Not properly terminated" };
const internal: PytestEvent = { event: "internal_error", error: null, text: "INTERNALERROR" };

function interrupted(kind: "keyboard" | "exit", reason: string): PytestEvent {
  return { event: "interrupted", kind, reason, error: null };
}

/** [how it ends, events, kind, exit code] */
const ENDINGS: [string, PytestEvent[], RunEnding["kind"], number | null][] = [
  ["all pass", session(test("a")), "completed", 0],
  ["one fails", session(failing), "completed", 1],
  ["nothing collected", session([], { exitCode: 5 }), "completed", 5],
  ["a plugin hides failures", session(failing, { exitCode: 0 }), "completed", 0],
  ["collection errors", session([broken], { exitCode: 1 }), "completed", 1],
  ["collection errors in discovery", session([broken], { exitCode: 2 }), "completed", 1],
  [
    "collection errors in discovery, said by pytest",
    session([broken, interrupted("keyboard", "1 error during collection")], { exitCode: 2 }),
    "completed",
    1,
  ],
  [
    "xdist stops after enough failures",
    session([...failing, interrupted("keyboard", "stopping after 1 failures")], { exitCode: 2 }),
    "completed",
    1,
  ],
  ["exit 2", session([], { exitCode: 2 }), "interrupted", 2],
  ["Ctrl-C", session([interrupted("keyboard", "")], { exitCode: 2 }), "interrupted", 2],
  [
    "pytest.exit(returncode=0) after a failure",
    session([...failing, interrupted("exit", "enough")], { exitCode: 0 }),
    "interrupted",
    0,
  ],
  [
    "pytest.exit(returncode=7)",
    session([interrupted("exit", "")], { exitCode: 7 }),
    "interrupted",
    7,
  ],
  ["exit 3", session([], { exitCode: 3 }), "pytest_internal", 3],
  ["internal error", session([internal], { exitCode: 3 }), "pytest_internal", 3],
  [
    "an internal error that takes pytest's own end with it",
    [
      ...session([begin], { exitCode: 3 }).slice(0, -2),
      { event: "exit", exit_code: 1 },
      processEnd({ exit_code: 1 }),
    ],
    "pytest_internal",
    1,
  ],
  ["exit 4 within a session", session([], { exitCode: 4 }), "project_error", 4],
  ["more warnings than allowed", session([], { exitCode: 6 }), "unknown", 6],
  ["a plugin's own code", session([], { exitCode: 99 }), "unknown", 99],
  ["an unknown node id", session([unknown], { exitCode: 4 }), "usage_error", 4],
  [
    "an argument that pytest refuses",
    session([{ event: "usage_error", message: "not found: x" }], { exitCode: 4 }),
    "usage_error",
    4,
  ],
  ["a broken conftest.py", [conftest, processEnd({ exit_code: 4 })], "project_error", 4],
  [
    "bad settings",
    [{ event: "exit", exit_code: 4 }, processEnd({ exit_code: 4 })],
    "project_error",
    4,
  ],
  ["a missing -p plugin", [processEnd({ exit_code: 1 })], "project_error", 1],
  ["--help in addopts", [{ event: "exit", exit_code: 0 }, processEnd()], "project_error", 0],
  [
    "--help in addopts, after the settings were read",
    [...sessionStart(), { event: "exit", exit_code: 0 }, processEnd()],
    "project_error",
    0,
  ],
  [
    "pytest.exit() in pytest_configure or pytest_sessionstart",
    [
      ...sessionStart(),
      interrupted("exit", "no database"),
      { event: "exit", exit_code: 7 },
      processEnd({ exit_code: 7 }),
    ],
    "interrupted",
    7,
  ],
  [
    "an exception after the tests",
    [...session(test("a")).slice(0, -2), processEnd({ exit_code: 1 })],
    "crash",
    1,
  ],
  [
    "os._exit(7) after the tests",
    [...session(test("a")).slice(0, -2), processEnd({ exit_code: 7 })],
    "unknown",
    7,
  ],
  [
    "os._exit(0) after a failure",
    [...session(failing).slice(0, -2), processEnd({ exit_code: 0 })],
    "crash",
    0,
  ],
  [
    "an exception or os._exit() with the session's own code",
    [...session(failing).slice(0, -2), processEnd({ exit_code: 1 })],
    "completed",
    1,
  ],
  ["os._exit(0) in conftest.py", [processEnd()], "crash", 0],
  ["os._exit(3) in conftest.py", [processEnd({ exit_code: 3 })], "crash", 3],
  ["os._exit(0) in a test", [...sessionStart(), begin, processEnd()], "crash", 0],
  ["os._exit(3) in a test", [...sessionStart(), begin, processEnd({ exit_code: 3 })], "crash", 3],
  [
    "killed by a signal",
    [...sessionStart(), begin, processEnd({ exit_code: null, signal: "SIGSEGV" })],
    "crash",
    null,
  ],
  ["killed while it starts", [processEnd({ exit_code: null, signal: "SIGKILL" })], "crash", null],
  ["nothing said at all", [], "crash", null],
  [
    "killed after the session's end: a thread kept it",
    [...session(failing).slice(0, -2), processEnd({ exit_code: null, signal: "SIGKILL" })],
    "completed",
    1,
  ],
  [
    "timeout, session ended by SIGINT",
    [
      ...session([interrupted("keyboard", "")], { exitCode: 2 }).slice(0, -1),
      processEnd({ exit_code: 2, timed_out: true }),
    ],
    "timeout",
    2,
  ],
  [
    "timeout, killed",
    [...sessionStart(), processEnd({ exit_code: null, signal: "SIGKILL", timed_out: true })],
    "timeout",
    null,
  ],
  [
    "no interpreter",
    [{ event: "spawn_failure", message: "none", tried: [], fix: "install" }],
    "spawn_failure",
    null,
  ],
  [
    "every worker dies while it collects",
    [...sessionStart(), down, down, ...session([], { exitCode: 5 }).slice(-3)],
    "crash",
    5,
  ],
  ["a worker dies in a test", session([down, ...failing]), "completed", 1],
  ["too many waiting", [{ event: "busy", running: 4, waiting: 100 }], "busy", null],
  ["cancelled", [...sessionStart(), begin, { event: "cancelled" }], "cancelled", null],
];

Deno.test("classifyRun() goes by what the run said, and by its exit code last", () => {
  for (const [label, events, kind, exitCode] of ENDINGS) {
    assert.deepEqual(classify(events), { kind, exitCode }, label);
  }
});
