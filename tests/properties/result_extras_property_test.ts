import assert from "node:assert/strict";
import fc from "fast-check";
import { executeResultSchema } from "../../src/domain/execute_result.ts";
import type { EventOf } from "../../src/domain/run_report.ts";
import { arbitraryRun } from "../support/arbitrary_run.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";
import { execute } from "../support/use_case_context.ts";

const RUNS = Math.ceil(PROPERTY_RUNS / 30);

const text = fc.string({ maxLength: 80 });
const number = fc.nat({ max: 100_000 });
const seconds = fc.double({ min: 0, max: 100, noNaN: true });
const covered = {
  statements: number,
  missing_statements: number,
  branches: number,
  missing_branches: number,
};

const maybe = (arbitrary: fc.Arbitrary<number>): fc.Arbitrary<number | null> =>
  fc.option(arbitrary, { nil: null });

const selection: fc.Arbitrary<EventOf<"selection">> = fc.record({
  event: fc.constant("selection" as const),
  files: fc.array(
    fc.record({
      path: text,
      because: text.map((part) => part.repeat(9)),
      distance: fc.nat({ max: 9 }),
      tests: fc.constant(null),
      functions: fc.nat({ max: 50 }),
    }),
    { minLength: 1, maxLength: 60 },
  ),
  total: maybe(number),
  everything: fc.boolean(),
  why: text,
  notes: fc.array(text, { maxLength: 9 }),
});
const durations: fc.Arbitrary<EventOf<"durations">> = fc.record({
  event: fc.constant("durations" as const),
  tests: fc.array(
    fc.record({ id: text, setup: seconds, call: seconds, teardown: seconds }),
    { maxLength: 100 },
  ),
});
const coverage: fc.Arbitrary<EventOf<"coverage">> = fc.record({
  event: fc.constant("coverage" as const),
  ...covered,
  files: fc.array(fc.record({ path: text, missing: fc.array(text), ...covered })),
  complete_files: number,
  unmeasured_files: fc.nat({ max: 3 }),
  required: maybe(fc.nat({ max: 100 })),
  problem: fc.option(text, { nil: null }),
});
const resumePoint: fc.Arbitrary<EventOf<"resume_point">> = fc.record({
  event: fc.constant("resume_point" as const),
  offset: number,
  count: number,
  order: fc.constant("abc123def456"),
  seed: maybe(fc.nat()),
});
const extras = fc.record({ selection, durations, coverage, resumePoint });
const limit = fc.oneof(fc.constant(1_000), fc.integer({ min: 1_000, max: 20_000 }));

Deno.test("executeTests() fits whatever was asked for into the response, and counts what does not fit", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, extras, limit, async (run, more, maxResponseChars) => {
      fc.pre(run.completed);
      const events = [...run.events.slice(0, 2), ...Object.values(more), ...run.events.slice(2)];
      const params = { time_budget: 9, durations: 100, coverage: {} };
      const outcome = await execute(events, { params, settings: { maxResponseChars } });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      const result = executeResultSchema.parse(outcome.result);
      const size = JSON.stringify(result).length;
      assert.ok(size <= maxResponseChars, `${size}: ${JSON.stringify(result)}`);
      assert.equal(typeof result.resume_after, "string");
      const lists = [
        ["selection_files_omitted", result.selection?.files, more.selection.files],
        ["durations_omitted", result.durations, more.durations.tests],
        ["coverage_files_omitted", result.coverage?.files, more.coverage.files],
      ] as const;
      for (const [name, shown, all] of lists) {
        const omitted = Number(result.truncated?.[name] ?? 0);
        assert.equal((shown?.length ?? 0) + omitted, all.length, name);
      }
    }),
    { numRuns: RUNS },
  );
});
