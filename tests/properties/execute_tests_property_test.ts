import assert from "node:assert/strict";
import fc from "fast-check";
import { executeResultSchema, type TestEntry } from "../../src/domain/execute_result.ts";
import { type ArbitraryRun, arbitraryRun, type Fate } from "../support/arbitrary_run.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";
import { execute } from "../support/use_case_context.ts";

/** Each case is a whole run, told several times. */
const RUNS = Math.ceil(PROPERTY_RUNS / 30);

const call = fc.record({
  verbosity: fc.integer({ min: -2, max: 2 }),
  traceback: fc.constantFrom("lean", "short"),
  show_capture: fc.option(fc.boolean(), { nil: undefined }),
  maxResponseChars: fc.oneof(fc.constant(1_000), fc.integer({ min: 1_000, max: 20_000 })),
});

async function answer(
  { events }: ArbitraryRun,
  { maxResponseChars, show_capture, ...rest }: typeof call extends fc.Arbitrary<infer T> ? T
    : never,
) {
  const params = show_capture === undefined ? rest : { ...rest, show_capture };
  return await execute(events, { params, settings: { maxResponseChars } });
}

function count(fates: ReadonlyMap<string, Fate>, ...wanted: Fate[]): number {
  return [...fates.values()].filter((fate) => wanted.includes(fate)).length;
}

function told(tests: readonly TestEntry[]): number {
  return tests.reduce((sum, { same_cause }) => sum + (same_cause?.count ?? 1), 0);
}

Deno.test("executeTests() keeps its promises for any run that completes", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, call, async (run, options) => {
      fc.pre(run.completed);
      const outcome = await answer(run, options);
      assert.ok(outcome.ok, JSON.stringify(outcome));
      const result = executeResultSchema.parse(outcome.result);
      const { summary, tests, truncated } = result;

      assert.equal(
        summary.total,
        summary.passed + summary.failed + summary.skipped + summary.errors,
      );
      assert.equal(summary.passed, count(run.fates, "passed"));
      assert.equal(summary.failed, count(run.fates, "failed"));
      assert.equal(summary.skipped, count(run.fates, "skipped") + run.collectionSkips);
      assert.equal(summary.errors, count(run.fates, "error") + run.collectionErrors);
      assert.equal(summary.not_run, run.collected - run.fates.size);

      assert.ok(JSON.stringify(result).length <= options.maxResponseChars);

      const ids = tests.map(({ node_id }) => node_id);
      assert.equal(new Set(ids).size, ids.length, "each test once");
      const failing = tests.filter(({ outcome }) => outcome === "failed" || outcome === "error");
      for (const { node_id, outcome, message, traceback } of failing) {
        assert.equal(outcome, run.fates.get(node_id));
        assert.ok(message && traceback, `${node_id} has no message or traceback`);
      }

      const omitted = Number(truncated?.["tests_omitted"] ?? 0);
      const listable = options.verbosity > 0
        ? run.fates.size + run.collectionSkips
        : count(run.fates, "failed", "error");
      assert.equal(told(tests) + omitted, listable, "nothing is cut unannounced");
      const errorsOmitted = Number(truncated?.["collection_errors_omitted"] ?? 0);
      assert.equal(result.collection_errors.length + errorsOmitted, run.collectionErrors);
      assert.ok(truncated === null || typeof truncated["hint"] === "string");

      assert.deepEqual(await answer(run, options), outcome, "same input, same output");
    }),
    { numRuns: RUNS },
  );
});

Deno.test("executeTests() announces whatever a smaller budget takes away", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, call, async (run, options) => {
      fc.pre(run.completed);
      const whole = await answer(run, { ...options, maxResponseChars: 10_000_000 });
      const small = await answer(run, { ...options, maxResponseChars: 1_500 });
      assert.ok(whole.ok && small.ok);
      if (small.result.truncated === null) assert.deepEqual(small, whole);
    }),
    { numRuns: RUNS },
  );
});

Deno.test("executeTests() loses nothing that ran, wherever a run is cut off", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, call, async (run, options) => {
      fc.pre(!run.completed);
      const outcome = await answer(run, options);
      assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
      const { message, data } = outcome.failure;
      assert.equal(data.error_type, "crash");
      assert.ok(message.length < 4_000);
      const { summary } = data;
      assert.equal(
        summary.total,
        summary.passed + summary.failed + summary.skipped + summary.errors,
      );
      assert.ok(summary.passed >= count(run.fates, "passed"));
      assert.ok(summary.failed + summary.errors >= count(run.fates, "failed", "error"));
      const begun = run.events.flatMap((event) => event.event === "begin" ? [event.id] : []);
      const open = begun.filter((id) => run.fates.get(id) === "unfinished");
      assert.deepEqual([...data.running].sort(), open.sort());
      assert.equal(summary.not_run, run.collected - begun.length);
    }),
    { numRuns: RUNS },
  );
});
