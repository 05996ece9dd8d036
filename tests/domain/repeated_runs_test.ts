import assert from "node:assert/strict";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { RunProgress } from "../../src/domain/use_case.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { memoryFiles } from "../support/memory_files.ts";
import { exception, processEnd, session, sessionStart, test } from "../support/run_events.ts";

const FAILS = { error: exception("AssertionError: assert 1 == 2", ["t.py:1 test_b: assert x"]) };
const SKIPS = { outcome: "skipped" as const, reason: "not here" };

/** execute_tests with as many runs as there are lists of events. */
async function repeat(
  runs: readonly (readonly PytestEvent[])[],
  params: Record<string, unknown> = {},
  onProgress?: (progress: RunProgress) => void,
) {
  const waiting = [...runs];
  const runner = fakeRunner(() => waiting.shift() ?? []);
  const context = {
    runner,
    files: memoryFiles({}),
    settings: DEFAULT_SETTINGS,
    signal: new AbortController().signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  const parsed = parseExecuteParams({ repeat: runs.length, ...params }, context);
  assert.ok(parsed.ok);
  return { outcome: await executeTests(parsed.result, context), requests: runner.requests };
}

Deno.test("executeTests() counts each test once over all runs, by the worst that became of it", async () => {
  const { outcome } = await repeat([
    session([...test("t.py::a"), ...test("t.py::b"), ...test("t.py::c", SKIPS)]),
    session([...test("t.py::a"), ...test("t.py::b", FAILS), ...test("t.py::c", SKIPS)]),
    session([...test("t.py::a"), ...test("t.py::b"), ...test("t.py::c", SKIPS)]),
  ], { verbosity: 1 });
  assert.ok(outcome.ok);
  const { summary, tests, exit_code, repeat: told } = outcome.result;
  const { total, passed, failed, skipped, errors, not_run } = summary;
  assert.deepEqual([total, passed, failed, skipped, errors, not_run], [3, 1, 1, 1, 0, 0]);
  assert.deepEqual(tests.map(({ node_id, outcome }) => [node_id, outcome]), [
    ["t.py::b", "failed"],
    ["t.py::c", "skipped"],
    ["t.py::a", "passed"],
  ]);
  assert.equal(exit_code, 1);
  assert.equal(summary.duration, 3.704);
  assert.deepEqual(told, {
    runs: 3,
    flaky: 1,
    tests: [{
      node_id: "t.py::b",
      passed: 2,
      failed: 1,
      flaky: true,
      messages: [{ message: "AssertionError: assert 1 == 2", count: 1 }],
    }],
  });
});

Deno.test("executeTests() keeps what earlier runs told when a later one crashes, and says which", async () => {
  const crash = [...sessionStart(), { event: "collected" as const, total: 2 }, {
    event: "begin" as const,
    id: "t.py::a",
  }, processEnd({ exit_code: null, signal: "SIGSEGV" })];
  const { outcome } = await repeat([
    session([...test("t.py::a"), ...test("t.py::b", FAILS)]),
    crash,
    session(test("t.py::a")),
  ]);
  assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
  const { message, data } = outcome.failure;
  assert.match(
    message,
    /^In run 2 of 3: The pytest process was killed by SIGSEGV while this ran: t\.py::a/,
  );
  assert.deepEqual(data.tests.map(({ node_id }) => node_id), ["t.py::b"]);
  assert.deepEqual([data.running, data.error_type], [["t.py::a"], "crash"]);
});

Deno.test("executeTests() does not take the end of an earlier run for that of one that broke off", async () => {
  const left = [...sessionStart(), { event: "collected" as const, total: 1 }, {
    event: "begin" as const,
    id: "t.py::a",
  }, processEnd({ exit_code: 1 })];
  const { outcome } = await repeat([session(test("t.py::a")), left]);
  assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
  assert.match(outcome.failure.message, /^In run 2 of 2: .* exit code 1 before its session did/);
});

Deno.test("executeTests() shares one timeout among all runs, and reports progress that grows", async () => {
  const run = session([...test("t.py::a"), ...test("t.py::b")]);
  const seen: number[] = [];
  const watch = ({ finished, total }: RunProgress) => {
    assert.equal(total, 6);
    seen.push(finished);
  };
  const { outcome, requests } = await repeat([run, run, run], { timeout: 10 }, watch);
  assert.ok(outcome.ok);
  assert.deepEqual(requests.map(({ timeoutSeconds }) => Math.round(timeoutSeconds * 10) / 10), [
    10,
    8.8,
    7.5,
  ]);
  assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
  assert.equal(seen.at(-1), 6);
});

Deno.test("executeTests() counts crashes of a test alike, whichever worker they ended", async () => {
  const crash = (worker: string) =>
    session(test("t.py::a", {
      when: "crash",
      text: `worker '${worker}' crashed while running 't.py::a'`,
    }));
  const { outcome } = await repeat([crash("gw0"), crash("gw1")]);
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.result.repeat?.tests[0]?.messages, [
    { message: "a worker crashed while running 't.py::a'", count: 2 },
  ]);
});

const BROKEN: PytestEvent = {
  event: "collection_error",
  id: "broken.py",
  file: "b.py",
  error: exception("RuntimeError: at import", ["b.py:1 <module>: boom()"]),
  text: "",
};

for (const [which, broken] of [["first", 0], ["second", 1], ["last", 2]] as const) {
  Deno.test(`executeTests() keeps a collection error of the ${which} run, and the tests of the others`, async () => {
    const whole = session([...test("a.py::a"), ...test("b.py::b")]);
    const runs = [whole, whole, whole].with(broken, session([BROKEN, ...test("a.py::a")]));
    const { outcome } = await repeat(runs);
    assert.ok(outcome.ok);
    const { exit_code, summary, collection_errors } = outcome.result;
    assert.deepEqual(collection_errors.map(({ file }) => file), ["b.py"]);
    const { total, passed, errors, not_run } = summary;
    assert.deepEqual([exit_code, total, passed, errors, not_run], [1, 3, 2, 1, 0]);
  });
}

Deno.test("executeTests() does not call a run without tests the result of all", async () => {
  const { outcome } = await repeat([session(test("a.py::a")), session([], { exitCode: 5 })]);
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.result.exit_code, outcome.result.summary.passed], [0, 1]);
});

Deno.test("executeTests() keeps the selection of the first run when a later one collects more", async () => {
  const selection: PytestEvent = {
    event: "selection",
    files: [{ path: "a.py", because: "a changed", distance: 0, tests: null, functions: 2 }],
    total: 9,
    everything: false,
    why: "",
    notes: [],
  };
  const more = session([...test("a.py::a"), ...test("b.py::b")]);
  const { outcome } = await repeat([
    [selection, ...session([BROKEN, ...test("a.py::a")])],
    more,
    more,
  ]);
  assert.ok(outcome.ok);
  assert.equal(outcome.result.selection?.total, 9);
});

const XFAILS = { outcome: "skipped" as const, reason: "known", xfail: true };
const XPASSES = { outcome: "passed" as const, xfail: true };
const XPASSES_STRICTLY = { error: null, text: "[XPASS(strict)] known" };

Deno.test("executeTests() counts expected failures of all runs, each test once", async () => {
  const run = (loose: Partial<typeof XFAILS | typeof XPASSES>, skips: boolean) =>
    session([
      ...test("t.py::always", XFAILS),
      ...test("t.py::loose", loose),
      ...(skips ? test("t.py::mixed", SKIPS) : test("t.py::mixed")),
    ]);
  const runs = [run(XFAILS, true), run(XPASSES, false), run(XFAILS, true)];
  const { outcome } = await repeat(runs, { verbosity: 1 });
  assert.ok(outcome.ok);
  const { total, passed, skipped, xfailed, xpassed } = outcome.result.summary;
  assert.deepEqual({ total, passed, skipped, xfailed, xpassed }, {
    total: 3,
    passed: 2,
    skipped: 1,
    xfailed: 1,
    xpassed: 1,
  });
  assert.deepEqual(outcome.result.tests.map(({ node_id, outcome }) => [node_id, outcome]), [
    ["t.py::always", "skipped"],
    ["t.py::loose", "passed"],
    ["t.py::mixed", "passed"],
  ]);
});

Deno.test("executeTests() calls a strict expected failure flaky when it passes once", async () => {
  const { outcome } = await repeat([
    session(test("t.py::a", XFAILS)),
    session(test("t.py::a", XPASSES_STRICTLY)),
    session(test("t.py::a", XFAILS)),
  ]);
  assert.ok(outcome.ok);
  const { repeat: told, summary, exit_code } = outcome.result;
  assert.deepEqual([told?.flaky, told?.tests[0]?.flaky, told?.tests[0]?.failed], [1, true, 1]);
  assert.deepEqual([summary.total, summary.failed, summary.xfailed, exit_code], [1, 1, 0, 1]);
});
