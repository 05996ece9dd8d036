import assert from "node:assert/strict";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { fitCollectionErrors } from "../../src/domain/response_budget.ts";
import { exception, session, test } from "../support/run_events.ts";
import { execute } from "../support/use_case_context.ts";
import { passing } from "./situations.ts";

async function fit(
  events: PytestEvent[],
  maxResponseChars: number,
  params: Record<string, unknown> = { verbosity: 1 },
): Promise<ExecuteResult> {
  const outcome = await execute(events, { params, settings: { maxResponseChars } });
  assert.ok(outcome.ok, JSON.stringify(outcome));
  assert.ok(JSON.stringify(outcome.result).length <= maxResponseChars);
  return outcome.result;
}

const LONG = "x".repeat(3_000);

function failing(
  count: number,
  more: (n: number) => { frame?: string; output?: string } = () => ({}),
) {
  return Array.from({ length: count }, (_, n) => {
    const { frame = `a.py:${n + 1} f: g()`, output } = more(n);
    return test(`tests/test_a.py::test_f[${n}]`, {
      error: exception(`E: ${n}`, ["tests/test_a.py:1 test_f: f()", frame]),
      sections: output === undefined ? [] : [["Captured stdout call", output]],
    });
  }).flat();
}

Deno.test("fitResult() lets passed entries give way first, and as few as need be", async () => {
  const events = session([...passing(200), ...failing(2)]);
  const whole = await fit(events, 100_000);
  assert.equal(whole.truncated, null);
  const { tests, truncated } = await fit(events, 6_000);
  const listed = tests.filter(({ outcome }) => outcome === "passed").length;
  assert.ok(listed > 50 && listed < 200, String(listed));
  assert.deepEqual(Object.keys(truncated ?? {}), ["tests_omitted", "hint"]);
  assert.equal(truncated?.["tests_omitted"], 200 - listed);
  assert.deepEqual(tests.slice(0, 2), whole.tests.slice(0, 2));
});

Deno.test("fitResult() then refers to the first traceback of a cause", async () => {
  const same = failing(12, (n) => ({ frame: `a.py:7 f: ${"y".repeat(150)}`, output: `run ${n}` }));
  const { tests, truncated } = await fit(session([...passing(50), ...same]), 3_500);
  assert.equal(tests.length, 12);
  assert.match(tests[0]?.traceback ?? "", /^tests\/test_a\.py:1 .*\na\.py:7 .*\n--- Captured/);
  for (const { traceback } of tests.slice(1)) {
    assert.equal(traceback, "same as tests/test_a.py::test_f[0]");
  }
  assert.equal(truncated?.["tests_omitted"], 50);
  assert.equal(truncated?.["tracebacks_shortened"], 11);
  assert.equal(truncated?.["captured_shortened"], 11);
});

Deno.test("fitResult() then shortens captured output, whose head and tail stay", async () => {
  const output = `first line\n${LONG}\nlast line`;
  const { tests, truncated } = await fit(session(failing(3, () => ({ output }))), 4_000);
  for (const { traceback = "" } of tests) {
    assert.match(traceback, /a\.py:\d+ f: g\(\)\n--- Captured stdout call ---\nfirst line\n/);
    assert.match(traceback, /characters left out\]…\n[^]*\nlast line$/);
  }
  assert.deepEqual(Object.keys(truncated ?? {}), ["captured_shortened", "hint"]);
});

Deno.test("fitResult() then shortens tracebacks, whose crash end stays", async () => {
  const deep = (n: number): PytestEvent[] =>
    test(`t.py::test_${n}`, {
      error: exception(`E: ${n}`, [
        "t.py:1 test: f0()",
        ...Array.from({ length: 30 }, (_, depth) =>
          `a${n}.py:${depth + 1} f${depth}: ${"z".repeat(60)}`),
      ]),
    });
  const events = session([...deep(1), ...deep(2), ...deep(3)]);
  const { tests, truncated } = await fit(events, 3_000);
  assert.equal(tests.length, 3);
  for (const [index, { traceback = "" }] of tests.entries()) {
    assert.match(traceback, /^t\.py:1 test: f0\(\)\n… \d+ lines left out\n/);
    assert.match(traceback, new RegExp(`a${index + 1}\\.py:30 f29: z+$`));
  }
  assert.deepEqual(Object.keys(truncated ?? {}), ["tracebacks_shortened", "hint"]);
});

Deno.test("fitResult() leaves out whole entries last, and says how many tests that are", async () => {
  const { tests, truncated, summary } = await fit(session(failing(500)), 4_000, {});
  assert.ok(tests.length > 3, String(tests.length));
  assert.equal(tests.length + Number(truncated?.["tests_omitted"]), 500);
  assert.equal(summary.failed, 500);
  assert.match(String(truncated?.["hint"]), /4000 characters.*node_ids, path, maxfail/);
});

Deno.test("fitResult() counts all tests of a cause that is left out", async () => {
  const causes = Array.from(
    { length: 60 },
    (_, cause) =>
      [0, 1, 2].flatMap((n) =>
        test(`tests/test_${cause}.py::test_x[${n}]`, {
          error: exception("E: x", [`a.py:${cause + 1} f: g()`]),
        })
      ),
  ).flat();
  const { tests, truncated } = await fit(session(causes), 3_000, {});
  const told = tests.reduce((sum, { same_cause }) => sum + (same_cause?.count ?? 1), 0);
  assert.equal(told + Number(truncated?.["tests_omitted"]), 180);
});

Deno.test("fitResult() shortens text_output beside captured output", async () => {
  const stdout = `=== starts ===\n${LONG}\n=== 1 failed ===`;
  const { text_output, truncated } = await fit(session(failing(1), { stdout }), 2_000);
  assert.match(text_output ?? "", /^=== starts ===\n[^]*left out\]…\n[^]*\n=== 1 failed ===$/);
  assert.equal(truncated?.["text_output_shortened"], 1);
});

Deno.test("fitResult() shortens a JSON report to failures, then crashes, then leaves it out", async () => {
  const failed = {
    nodeid: "f",
    lineno: 3,
    outcome: "failed",
    keywords: ["x"],
    setup: { outcome: "passed" },
    call: { outcome: "failed", crash: { path: "t.py", lineno: 4, message: "E" }, longrepr: LONG },
  };
  const report = (more: Record<string, string>): PytestEvent => ({
    event: "json_report",
    report: {
      summary: { total: 40 },
      ...more,
      collectors: [LONG],
      tests: [failed, ...Array(40).fill({ outcome: "passed" })],
    },
  });
  const params = { include_json_report: true };
  const events = session([report({}), ...failing(1)]);
  assert.equal((await fit(events, 10_000, params)).truncated, null);
  const failures = await fit(events, 5_000, params);
  assert.deepEqual(failures.json_report, { summary: { total: 40 }, tests: [failed] });
  assert.equal(failures.truncated?.["json_report_shortened"], 1);
  const crashes = await fit(events, 2_000, params);
  const { nodeid, lineno, outcome, call: { crash } } = failed;
  assert.deepEqual(crashes.json_report?.["tests"], [{ nodeid, lineno, outcome, call: { crash } }]);
  assert.equal(crashes.truncated?.["json_report_shortened"], 1);
  const none = await fit(session([report({ environment: LONG }), ...failing(1)]), 2_000, params);
  assert.equal(none.json_report, null);
  assert.equal(none.truncated?.["json_report_omitted"], 1);
});

Deno.test("fitResult() fits even what consists of a single huge test", async () => {
  const huge = test(`t.py::${LONG}`, { error: exception(`E: ${LONG}`, [`a.py:1 f: ${LONG}`]) });
  const { tests, truncated } = await fit(session(huge), 1_000);
  assert.deepEqual(tests, []);
  assert.equal(truncated?.["tests_omitted"], 1);
});

Deno.test("fitResult() collapses and counts collection errors", async () => {
  const events = session(Array.from({ length: 200 }, (_, n): PytestEvent => ({
    event: "collection_error",
    id: `tests/test_${n}.py`,
    file: `tests/test_${n}.py`,
    error: exception("ImportError: no", ["conftest.py:1 <module>: import x"]),
    text: "",
  })));
  const { collection_errors, truncated, summary } = await fit(events, 3_000, {});
  assert.equal(summary.errors, 200);
  assert.equal(collection_errors.length + Number(truncated?.["collection_errors_omitted"]), 200);
  assert.equal(collection_errors[1]?.traceback, "same as tests/test_0.py");
});

Deno.test("fitCollectionErrors() ends with a count of those that it leaves out", () => {
  const error = { error_type: "E", message: "m", line: 1, traceback: "t.py:1 <module>: import x" };
  const errors = Array.from({ length: 100 }, (_, n) => ({ file: `test_${n}.py`, ...error }));
  const fitted = fitCollectionErrors(errors, 3_000);
  assert.ok(JSON.stringify(fitted).length <= 3_200, String(JSON.stringify(fitted).length));
  assert.deepEqual(fitted.at(-1), {
    file: "",
    error_type: "omitted",
    message: `${101 - fitted.length} more files could not be collected; a narrower path shows them`,
    line: null,
    traceback: "",
  });
  assert.deepEqual(fitCollectionErrors(errors.slice(0, 3), 3_000), errors.slice(0, 3));
});

Deno.test("fitResult() says what makes the list of covered files shorter", async () => {
  const none = { statements: 9, missing_statements: 9, branches: 0, missing_branches: 0 };
  const files = Array.from(
    { length: 99 },
    (_, n) => ({ ...none, path: `a${n}.py`, missing: ["1-9"] }),
  );
  const told = { complete_files: 0, unmeasured_files: 0, required: null, problem: null };
  const coverage: PytestEvent = { event: "coverage", ...none, files, ...told };
  const { truncated } = await fit(session([coverage, ...passing(1)]), 2_000, { coverage: {} });
  assert.deepEqual(Object.keys(truncated ?? {}), ["coverage_files_omitted", "hint"]);
  assert.match(String(truncated?.["hint"]), /measure less \(coverage\.paths\)/);
});
