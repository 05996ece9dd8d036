/**
 * The result of execute_tests, exactly as it goes to the agent.
 *
 * @module
 */
import * as z from "zod";

const count = z.int().min(0);

/** Counts; `total = passed + failed + skipped + errors`. */
export const runSummarySchema = z.strictObject({
  total: count,
  passed: count,
  failed: count,
  skipped: count,
  errors: count,
  duration: z.number(),
  xfailed: count,
  xpassed: count,
  deselected: count,
  warnings: count,
  not_run: count,
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** One test, or at verbosity 0 and below one cause. */
export const testEntrySchema = z.strictObject({
  node_id: z.string(),
  outcome: z.enum(["passed", "failed", "skipped", "error"]),
  duration: z.number(),
  message: z.string().optional(),
  traceback: z.string().optional(),
  same_cause: z.strictObject({
    count,
    node_ids: z.array(z.string()),
    messages: z.array(z.string()),
  }).optional(),
});
export type TestEntry = z.infer<typeof testEntrySchema>;

/** A file that could not be collected. */
export const collectionErrorSchema = z.strictObject({
  file: z.string(),
  error_type: z.string(),
  message: z.string(),
  line: z.int().nullable(),
  traceback: z.string(),
});
export type CollectionError = z.infer<typeof collectionErrorSchema>;

/** Which tests were chosen, where the request left that to the server. */
export const selectionSchema = z.strictObject({
  /** nearest first; the chain of symbols that leads from a test to the change */
  files: z.array(z.strictObject({ path: z.string(), because: z.string(), distance: count }))
    .optional(),
  selected: count.nullable(),
  total: count.nullable(),
  notes: z.array(z.string()),
});

const repeatSchema = z.strictObject({
  runs: count,
  /** runs that were wanted, where the timeout allowed fewer */
  asked: count.optional(),
  flaky: count,
  /** those that failed at least once */
  tests: z.array(z.strictObject({
    node_id: z.string(),
    passed: count,
    failed: count,
    flaky: z.boolean(),
    messages: z.array(z.strictObject({ message: z.string(), count })),
  })),
});

const coverageSchema = z.strictObject({
  percent: z.number(),
  statements: count,
  missing: count,
  branches: count.optional(),
  missing_branches: count.optional(),
  fail_under: z.number().optional(),
  reached: z.boolean().optional(),
  complete_files: count,
  files: z.array(z.strictObject({ path: z.string(), percent: z.number(), missing: z.string() })),
  problem: z.string().optional(),
});

/** The whole result: seven keys, always there, in this order; then those that were asked for. */
export const executeResultSchema = z.strictObject({
  exit_code: z.int(),
  summary: runSummarySchema,
  tests: z.array(testEntrySchema),
  collection_errors: z.array(collectionErrorSchema),
  text_output: z.string().nullable(),
  json_report: z.record(z.string(), z.unknown()).nullable(),
  truncated: z.record(z.string(), z.union([z.int(), z.string()])).nullable(),
  selection: selectionSchema.optional(),
  resume_after: z.string().nullable().optional(),
  repeat: repeatSchema.optional(),
  coverage: coverageSchema.optional(),
  durations: z.array(z.strictObject({
    node_id: z.string(),
    setup: z.number(),
    call: z.number(),
    teardown: z.number(),
  })).optional(),
});
export type ExecuteResult = z.infer<typeof executeResultSchema>;
