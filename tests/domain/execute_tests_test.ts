import assert from "node:assert/strict";
import { executeResultSchema } from "../../src/domain/execute_result.ts";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { RunProgress } from "../../src/domain/use_case.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { memoryFiles } from "../support/memory_files.ts";
import { exception, session, test } from "../support/run_events.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { type Call, execute } from "../support/use_case_context.ts";
import { passing, SITUATIONS } from "./situations.ts";

async function result(events: Iterable<PytestEvent>, call: Call = {}): Promise<ExecuteResult> {
  const outcome = await execute(events, call);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result;
}

function situation(name: string): Promise<ExecuteResult> {
  const { events = [], params = {}, maxResponseChars } = SITUATIONS[name] ?? {};
  return result(events, {
    params,
    settings: maxResponseChars === undefined ? {} : { maxResponseChars },
  });
}

Deno.test("executeTests() answers each situation exactly as the snapshot has it", async () => {
  const parts: string[] = [];
  for (const name of Object.keys(SITUATIONS)) {
    const answer = await situation(name);
    executeResultSchema.parse(answer);
    const length = JSON.stringify(answer).length;
    parts.push(`##### ${name} (${length} characters)\n${JSON.stringify(answer, null, 2)}\n`);
  }
  await assertSnapshot(new URL("./snapshots/execute_tests.txt", import.meta.url), parts.join("\n"));
});

Deno.test("executeTests() has the seven keys in the order of the contract", async () => {
  for (const name of Object.keys(SITUATIONS)) {
    assert.deepEqual(Object.keys(await situation(name)), [
      "exit_code",
      "summary",
      "tests",
      "collection_errors",
      "text_output",
      "json_report",
      "truncated",
    ]);
  }
});

Deno.test("executeTests() says where to look when pytest fails a run without a failure", async () => {
  const events = session(passing(3), { exitCode: 1 });
  const { summary, truncated } = await result(events);
  assert.equal(summary.failed + summary.errors, 0);
  assert.match(String(truncated?.["hint"]), /^Exit code 1 without a failure.*verbosity 1/);
  assert.equal((await result(events, { params: { verbosity: 1 } })).truncated, null);
});

Deno.test("executeTests() answers '1 of 10 fails' with all that is needed to correct it", async () => {
  const { tests: [entry] } = await situation("1 of 10 fails");
  const told = `${entry?.node_id}\n${entry?.message}\n${entry?.traceback}`;
  for (
    const fact of [
      "tests/test_user.py::TestAuth::test_login",
      "tests/test_user.py:42",
      "check(client.post('/login', data=form), 401)",
      "tests/helpers.py:7 check",
      "assert response.status_code == status",
      "500 == 401",
      "<Response [500]>.status_code",
      "Captured log call (last 5 of 8 lines)",
    ]
  ) assert.ok(told.includes(fact), fact);
});

Deno.test("executeTests() costs the same for a green run of any size", async () => {
  const small = JSON.stringify(await result(session(passing(10)))).length;
  const large = JSON.stringify(await result(session(passing(8_000)))).length;
  assert.ok(large - small < 10 && large < 320, `${small} → ${large}`);
});

Deno.test("executeTests() lists failures, then skipped, then passed, in run order, from verbosity 1", async () => {
  const error = (line: number) => exception("E: x", [`t.py:${line} f: x`]);
  const events = session([
    ...test("a"),
    ...test("b", { outcome: "skipped", reason: "later" }),
    ...test("c", { error: error(1) }),
    ...test("d", { when: "setup", error: error(2) }),
    ...test("e"),
    ...test("f", { error: error(3) }),
  ]);
  const { tests } = await result(events, { params: { verbosity: 1 } });
  assert.deepEqual(tests.map(({ node_id, outcome }) => `${node_id} ${outcome}`), [
    "c failed",
    "d error",
    "f failed",
    "b skipped",
    "a passed",
    "e passed",
  ]);
  assert.deepEqual(tests[3], {
    node_id: "b",
    outcome: "skipped",
    duration: 0.012,
    message: "later",
  });
  assert.deepEqual(tests[4], { node_id: "a", outcome: "passed", duration: 0.012 });
  const quiet = await result(events, { params: { verbosity: 0 } });
  assert.deepEqual(quiet.tests.map(({ node_id }) => node_id), ["c", "d", "f"]);
});

Deno.test("executeTests() puts the largest cause first below verbosity 1, with selectors for exactly it", async () => {
  const at = (line: number, message: string) => ({
    error: exception(`ValueError: ${message}`, [`app.py:${line} f: raise`]),
  });
  const events = session([
    ...test("t.py::test_one", at(1, "single")),
    ...["x", "y", "x"].flatMap((message, n) => test(`t.py::test_p[${n}]`, at(2, message))),
    ...test("t.py::test_q[0]", at(2, "x")),
    ...test("t.py::test_q[1]"),
    ...test("u.py::test_r", { ...at(2, "x"), when: "setup" }),
  ]);
  const { tests } = await result(events);
  assert.deepEqual(tests.map(({ node_id }) => node_id), [
    "t.py::test_p[0]",
    "t.py::test_one",
    "u.py::test_r",
  ]);
  assert.deepEqual(tests[0]?.same_cause, {
    count: 4,
    node_ids: ["t.py::test_p", "t.py::test_q[0]"],
    messages: ["ValueError: y"],
  });
  assert.equal(tests[1]?.same_cause, undefined);
});

Deno.test("executeTests() tells messages of a cause apart by all of their lines, but not by addresses", async () => {
  const failures = ["17 >= 18", "17 >= 18", "12 >= 18"].map((values, n) => ({
    error: exception(`AssertionError: <User at 0x7f000${n}> is too young\nassert ${values}`, [
      "t.py:3 check: assert age >= 18",
    ]),
  }));
  const { tests: [entry] } = await result(
    session(failures.flatMap((failure, n) => test(`t.py::test_${n}`, failure))),
  );
  assert.deepEqual(entry?.same_cause?.messages, [
    "AssertionError: <User> is too young\nassert 12 >= 18",
  ]);
});

Deno.test("executeTests() names 20 selectors of a cause and 5 messages, and counts the other selectors", async () => {
  const events = session(
    Array.from({ length: 31 }, (_, n) => [
      ...test(`t${n}.py::test_a`, { error: exception(`E: ${n}`, ["app.py:1 f: raise"]) }),
      ...test(`t${n}.py::test_b`),
    ]).flat(),
  );
  const { tests: [entry], truncated } = await result(events);
  assert.equal(entry?.same_cause?.count, 31);
  assert.equal(entry?.same_cause?.node_ids.length, 20);
  assert.equal(entry?.same_cause?.messages.length, 5);
  assert.equal(truncated?.["same_cause_node_ids_omitted"], 11);
  assert.equal(truncated?.["hint"], "verbosity 1 lists every test");
});

Deno.test("executeTests() writes a repeated traceback once, from verbosity 1", async () => {
  const failure = { error: exception("E: x", ["conftest.py:1 db: raise"]), when: "setup" as const };
  const other = {
    ...failure,
    sections: [["Captured stdout setup", "only here"]] as [string, string][],
  };
  const events = session([...test("a", failure), ...test("b", failure), ...test("c", other)]);
  const { tests, truncated } = await result(events, { params: { verbosity: 1 } });
  assert.equal(tests[0]?.traceback, "at setup:\nconftest.py:1 db: raise");
  assert.equal(tests[1]?.traceback, "same as a");
  assert.match(tests[2]?.traceback ?? "", /only here/);
  assert.equal(truncated, null);
});

Deno.test("executeTests() gives text_output from verbosity 1, with colours only when asked", async () => {
  const events = session(passing(1), { stdout: "\x1b[32m1 passed\x1b[0m" });
  const text = async (params: Record<string, unknown>) =>
    (await result(events, { params })).text_output;
  assert.equal(await text({ verbosity: 0 }), null);
  assert.equal(await text({ verbosity: -2 }), null);
  assert.equal(await text({ verbosity: 1 }), "1 passed");
  assert.equal(await text({ verbosity: 2 }), "1 passed");
  assert.equal(await text({ verbosity: 2, color: true }), "\x1b[32m1 passed\x1b[0m");
});

Deno.test("executeTests() tells how far it is", async () => {
  const files = memoryFiles({});
  const params = parseExecuteParams({}, { settings: DEFAULT_SETTINGS, files });
  assert.ok(params.ok);
  const seen: RunProgress[] = [];
  await executeTests(params.result, {
    runner: fakeRunner(session([...test("a"), ...test("b", { error: exception("E: x") })])),
    files,
    settings: DEFAULT_SETTINGS,
    signal: new AbortController().signal,
    onProgress: (progress) => seen.push(progress),
  });
  const told = seen.map(({ finished, total, passed, failed, current }) =>
    `${finished}/${total} ${passed} ${failed} ${current}`
  );
  assert.deepEqual(told, ["0/2 0 0 null", "0/2 0 0 a", "1/2 1 0 a", "1/2 1 0 b", "2/2 1 1 b"]);
});
