/**
 * The parameters of execute_tests: one schema for types, validation, defaults, descriptions and tools/list.
 *
 * @module
 */
import * as z from "zod";
import { onceFor } from "./once_for.ts";
import { invalidParameters } from "./parameter_issue.ts";
import { type ParseOptions, parseParams, type Targets } from "./parse_params.ts";
import { hashRun, readResumePoint, resumePointIssue } from "./resume_point.ts";
import type { Outcome } from "./run_failure.ts";
import { choiceFields, selectionFields, toInputJsonSchema } from "./selection_params.ts";
import type { Settings } from "./settings.ts";

const coverage = z.strictObject({
  paths: z.array(z.string().min(1).max(4_096)).min(1).max(100)
    .describe("Up to 100 directories or files; default: what the project's settings say")
    .optional(),
  branch: z.boolean().default(false),
  fail_under: z.number().min(0).max(100).describe("Percent below which exit_code is 1").optional(),
  changed_only: z.boolean().default(false).describe("Only lines changed in git since HEAD"),
});

/** What makes a run one part of several. */
const PARTS: ReadonlySet<string> = new Set(["time_budget", "resume_after", "shard"]);

/** Pairs that contradict each other, or of which one would change what the other means. */
const CONFLICTS: readonly (readonly [string, string])[] = [
  ["node_ids", "path"],
  ["failfast", "maxfail"],
  ["related_to", "node_ids"],
  ["changed", "node_ids"],
  ["last_failed", "failed_first"],
  // Files without failures are not even collected then: no other selection could be complete.
  ["last_failed", "node_ids"],
  ["last_failed", "related_to"],
  ["last_failed", "changed"],
  ["last_failed", "shard"],
  // Each run changes what the cache holds.
  ["last_failed", "repeat"],
  ["last_failed", "time_budget"],
  ["last_failed", "resume_after"],
  ["failed_first", "time_budget"],
  ["failed_first", "resume_after"],
  // A place to go on from needs one order of tests.
  ["parallel", "time_budget"],
  ["parallel", "resume_after"],
  ["repeat", "time_budget"],
  ["repeat", "resume_after"],
  ["repeat", "coverage"],
  ["repeat", "include_json_report"],
];

// A schema costs milliseconds to make, and zod makes it fast only from its second use on.
const schemaFor = onceFor((settings: Settings) => {
  const { path, ...selection } = selectionFields(settings);
  return z.strictObject({
    node_ids: z.array(z.string().min(1).max(4_096)).min(1).max(10_000)
      .describe(
        "Up to 10,000 tests, classes, files or directories, from the root: tests/test_user.py::TestAuth::test_login[admin]",
      ).optional(),
    path: path.describe("Directory or file to run within, from the root; not with node_ids"),
    ...selection,
    verbosity: z.int().min(-2).max(2).default(0).describe(
      "-2 crash line only; -1 no captured output; 0 failures, one entry a cause; " +
        "1 every test, and pytest's terminal output without tracebacks; 2 its whole output, full diffs",
    ),
    failfast: z.boolean().default(false)
      .describe("Stop at the first failure; not with maxfail"),
    maxfail: z.int().min(1).describe("Stop after N failures").optional(),
    show_capture: z.boolean().describe(
      "Captured output of failing tests; unset: last 5 lines of each section at verbosity 0, all above, none below",
    ).optional(),
    color: z.boolean().default(false).describe("ANSI colours in text_output"),
    traceback: z.enum(["lean", "short", "long", "native"]).default("lean")
      .describe("lean: a line a frame; the others are pytest's own"),
    show_locals: z.boolean().default(false).describe("Local variables in tracebacks"),
    include_json_report: z.boolean().default(false)
      .describe("Fill json_report, where the project has pytest-json-report"),
    ...choiceFields,
    parallel: z.union([z.enum(["auto"]), z.int().min(1).max(64)])
      .describe("Worker processes; needs pytest-xdist").optional(),
    last_failed: z.boolean().default(false)
      .describe("Only what failed last time, by pytest's cache"),
    failed_first: z.boolean().default(false).describe("That first, then the others"),
    time_budget: z.int().min(1).max(settings.maxTimeout).describe(
      "Seconds after which the run ends between two tests, with resume_after in the result",
    ).optional(),
    resume_after: z.string().min(1).max(200)
      .describe("Goes on where the run that gave it ended; other parameters as before").optional(),
    repeat: z.int().min(2).max(100).describe("Run N times, tell which tests are flaky").optional(),
    coverage: coverage.describe("Measure coverage; needs pytest-cov; {} for all").optional(),
    durations: z.int().min(1).max(100).describe("Tell the N slowest tests").optional(),
  }).check(({ value: { time_budget, timeout, coverage, ...others }, issues }) => {
    if (time_budget !== undefined && time_budget >= timeout) {
      issues.push({
        code: "custom",
        input: time_budget,
        path: ["time_budget"],
        message: `must be less than timeout, which is ${timeout}: ` +
          "a run that ends in a timeout leaves no place to go on from",
        params: { type: "too_big" },
      });
    }
    const parts = Object.entries({ time_budget, ...others });
    const [part] = parts.find(([name, value]) => PARTS.has(name) && value !== undefined) ?? [];
    if (coverage?.fail_under !== undefined && part !== undefined) {
      issues.push({
        code: "custom",
        input: coverage.fail_under,
        path: ["coverage", "fail_under"],
        message:
          `cannot be given together with ${part}: a part of the tests covers a part of the ` +
          "lines; leave one of them out",
        params: { type: "conflict" },
      });
    }
  });
});

/** The schema, within the limits that the person who started the server set. */
export function executeInputSchema(settings: Settings): ReturnType<typeof schemaFor> {
  return schemaFor(settings);
}

/** Checked parameters: paths and node ids exist, are relative to the root and spelled with `/`. */
export type ExecuteParams = z.infer<ReturnType<typeof executeInputSchema>> & Targets;

/** The JSON Schema for tools/list. */
export function executeInputJsonSchema(settings: Settings): z.core.JSONSchema.JSONSchema {
  return toInputJsonSchema(executeInputSchema(settings));
}

/** Checks a request; all that is wrong with it is reported at once. */
export function parseExecuteParams(input: unknown, options: ParseOptions): Outcome<ExecuteParams> {
  const outcome = parseParams(input, executeInputSchema(options.settings), {
    ...options,
    tool: "execute_tests",
    conflicts: CONFLICTS,
    token: {
      field: "resume_after",
      isReadable: (text) => readResumePoint(text) !== null,
      toIssue: resumePointIssue,
    },
  });
  if (!outcome.ok || outcome.result.resume_after === undefined) return outcome;
  const point = readResumePoint(outcome.result.resume_after);
  if (point?.request === hashRun(outcome.result)) return outcome;
  const issue = resumePointIssue(outcome.result.resume_after);
  return { ok: false, failure: invalidParameters([issue], { tool: "execute_tests" }) };
}
