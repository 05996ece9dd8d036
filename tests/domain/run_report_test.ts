import assert from "node:assert/strict";
import type { ExceptionData, PytestEvent } from "../../src/domain/pytest_event.ts";
import { addEvent, createRunReport, type RunReport } from "../../src/domain/run_report.ts";
import { summarize } from "../../src/domain/run_summary.ts";
import {
  exception,
  phase,
  processEnd,
  session,
  sessionStart,
  test,
} from "../support/run_events.ts";

function fold(events: Iterable<PytestEvent>, everyTest = false): RunReport {
  const report = createRunReport();
  for (const event of events) addEvent(report, event, { everyTest });
  return report;
}

function counts(events: PytestEvent[], total?: number): Record<string, number> {
  const summary = summarize(fold(session(events, total === undefined ? {} : { total })));
  assert.equal(summary.total, summary.passed + summary.failed + summary.skipped + summary.errors);
  const shown = Object.entries(summary).filter(([name, n]) => name !== "duration" && n > 0);
  return Object.fromEntries(shown);
}

const error = exception("AssertionError: assert 0", ["t.py:1 test: assert 0"]);
const failed = { error };
const around = (when: "setup" | "teardown") => ({ when, error });

/** [what happens to one test, the counts that it makes] */
const OUTCOMES: [string, PytestEvent[], Record<string, number>][] = [
  ["passes", test("t"), { total: 1, passed: 1 }],
  ["fails", test("t", failed), { total: 1, failed: 1 }],
  ["fails in setup", test("t", around("setup")), { total: 1, errors: 1 }],
  ["passes and fails in teardown", test("t", around("teardown")), { total: 1, errors: 1 }],
  ["fails and fails in teardown", test("t", failed, around("teardown")), { total: 1, failed: 1 }],
  ["loses its xdist worker", test("t", { when: "crash", text: "gone" }), { total: 1, errors: 1 }],
  ["is skipped", test("t", { when: "setup", outcome: "skipped" }), { total: 1, skipped: 1 }],
  [
    "is skipped and fails in teardown",
    test("t", { outcome: "skipped" }, around("teardown")),
    { total: 1, errors: 1 },
  ],
  [
    "fails as expected",
    test("t", { outcome: "skipped", xfail: true }),
    { total: 1, skipped: 1, xfailed: 1 },
  ],
  [
    "passes unexpectedly",
    test("t", { outcome: "passed", xfail: true }),
    { total: 1, passed: 1, xpassed: 1 },
  ],
  [
    "passes unexpectedly and fails in teardown",
    test("t", { outcome: "passed", xfail: true }, around("teardown")),
    { total: 1, errors: 1 },
  ],
  [
    "passes unexpectedly, strictly",
    test("t", { xfail: true, text: "[XPASS(strict)]" }),
    { total: 1, failed: 1 },
  ],
  ["passes in its second run", test("t", { outcome: "rerun", error }), { total: 1, passed: 1 }],
  [
    "fails in its second run",
    test("t", { outcome: "rerun", error }, failed),
    { total: 1, failed: 1 },
  ],
  [
    "fails in setup first, then in the call",
    test("t", { outcome: "rerun", when: "setup", error }, failed),
    { total: 1, failed: 1 },
  ],
  [
    "has a failing subtest and passes itself",
    test("t", { subtest: "(i=1)", error }),
    { total: 1, failed: 1 },
  ],
  [
    "has a skipped subtest",
    test("t", { subtest: "(i=1)", outcome: "skipped" }),
    { total: 1, passed: 1 },
  ],
];

Deno.test("addEvent() counts each test once, by its worst phase", () => {
  for (const [label, events, expected] of OUTCOMES) {
    assert.deepEqual(counts(events), expected, label);
  }
});

Deno.test("addEvent() takes the failing subtests for the reason, not pytest's word for them", () => {
  const report = fold(session(test(
    "t",
    { subtest: "(i=1)", error },
    { subtest: "(i=2)", error },
    { text: "contains 2 failed subtests" },
  )));
  assert.deepEqual(report.failed[0]?.failures.map(({ subtest }) => subtest), ["(i=1)", "(i=2)"]);
});

Deno.test("addEvent() counts a collection error once, though each xdist worker tells it", () => {
  const broken = (error: ExceptionData, id = "t.py"): PytestEvent => ({
    event: "collection_error",
    id,
    file: "t.py",
    error,
    text: error.message,
  });
  const twice = ["in process 17", "in process 18"].map((message) =>
    broken(exception(`ImportError: ${message}`, ["t.py:1 <module>: import x"]))
  );
  const events = [...twice, ...test("u")];
  assert.deepEqual(counts(events), { total: 2, passed: 1, errors: 1 });
  const other = broken(exception("TypeError: x", ["t.py:9 f: x"]));
  assert.deepEqual(counts([...events, other]), { total: 3, passed: 1, errors: 2 });
  const inClasses = ["t.py::TestA", "t.py::TestB"].map((id) => broken(exception("Failed: x"), id));
  assert.deepEqual(counts([...inClasses, ...inClasses]), { total: 2, errors: 2 });
});

Deno.test("addEvent() counts a module that skips itself as one skipped, as pytest does", () => {
  const skip: PytestEvent = { event: "collection_skip", id: "t.py", reason: "no db" };
  assert.deepEqual(counts([skip, skip, ...test("u")]), { total: 2, passed: 1, skipped: 1 });
  assert.deepEqual(fold(session([skip]), true).skipped, [
    { id: "t.py", duration: 0, reason: "no db" },
  ]);
});

Deno.test("addEvent() counts warnings, deselected tests and tests that never ran", () => {
  const warning: PytestEvent = {
    event: "warning",
    category: "UserWarning",
    message: "x",
    file: "t.py",
    line: 1,
    id: null,
  };
  const events = [
    warning,
    warning,
    { event: "deselected", count: 3 } as const,
    ...test("t", failed),
  ];
  assert.deepEqual(counts(events, 10), {
    total: 1,
    failed: 1,
    deselected: 3,
    warnings: 2,
    not_run: 9,
  });
});

Deno.test("addEvent() knows the tests that have begun and not ended", () => {
  const report = fold([
    ...sessionStart(),
    { event: "collected", total: 5 },
    ...test("a"),
    { event: "begin", id: "b" },
    { event: "begin", id: "c" },
    phase("c", failed),
    processEnd({ exit_code: null, signal: "SIGKILL" }),
  ]);
  assert.deepEqual([...report.running], ["b", "c"]);
  // c failed before its end was lost, so it is counted; b never ran to an outcome; two never began.
  const { total, passed, failed: fails, not_run } = summarize(report);
  assert.deepEqual({ total, passed, fails, not_run }, {
    total: 2,
    passed: 1,
    fails: 1,
    not_run: 2,
  });
});

Deno.test("addEvent() keeps nothing of a passing test but its count", () => {
  const report = fold(session(Array.from({ length: 500 }, (_, n) => test(`t${n}`)).flat()));
  assert.equal(report.counts.passed, 500);
  assert.deepEqual(report.passed, []);
  assert.equal(report.pending.size + report.running.size, 0);
});

Deno.test("addEvent() keeps a known cause by its message only, unless every test is to be listed", () => {
  const events = session(["a", "b"].flatMap((id) => test(id, { error, sections: [["out", "x"]] })));
  const [first, second] = fold(events).failed;
  assert.equal(first?.failures[0]?.error?.frames.length, 1);
  assert.equal(second?.failures[0]?.error?.frames.length, 0);
  assert.equal(second?.failures[0]?.error?.message, "assert 0");
  assert.equal(second?.inFull, false);
  assert.equal(fold(events, true).failed[1]?.inFull, true);
});

Deno.test("addEvent() keeps little of what failing tests have printed when thousands fail, each for its own cause", () => {
  const printed = "x".repeat(30_000);
  function* failing(): Generator<PytestEvent> {
    for (let n = 0; n < 4_000; n++) {
      const own = exception(`AssertionError: ${n}`, [`t.py:${n} test: assert 0`]);
      yield* test(`t${n}`, { error: own, text: printed + n, sections: [["stdout", printed + n]] });
    }
  }
  const report = fold(failing());
  const bytes = JSON.stringify(report.failed).length;
  assert.ok(bytes < 150_000_000, `${bytes} are kept`);
  const [first, last] = [report.failed.at(0), report.failed.at(-1)];
  assert.equal(first?.failures[0]?.sections[0]?.[1], `${printed}0`);
  assert.match(last?.failures[0]?.sections[0]?.[1] ?? "", /^x+\n….*left out.*…\nx+3999$/);
  assert.equal(last?.failures[0]?.error?.message, "3999");
});
