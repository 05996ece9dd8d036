/**
 * Everything that the pytest process can say, in the order in which it says it. The Python plugin and
 * the supervisor write these as one JSON object a line; the fold in `run_report.ts` reads them.
 *
 * @module
 */
import * as z from "zod";
import type { PytestRequest } from "./pytest_runner.ts";

/** One stack frame; `project` is false for the standard library and installed packages. */
export const frameSchema = z.object({
  project: z.boolean(),
  /** Relative to the root where possible; installed packages relative to their site-packages. */
  path: z.string(),
  line: z.number().int(),
  function: z.string(),
  source: z.string(),
  /** how often this frame stands here in a row, when more than once: recursion */
  repeat: z.number().int().optional(),
  /** Name and repr of each local variable; only when locals were asked for. */
  locals: z.array(z.tuple([z.string(), z.string()])).optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/** An exception as data: frames outermost first, chained exceptions nested. */
export interface ExceptionData {
  type: string;
  message: string;
  frames: Frame[];
  /** frames left out of the middle of a very deep stack */
  omitted_frames?: number | undefined;
  notes?: string[] | undefined;
  /** `raise … from cause` */
  cause?: ExceptionData | undefined;
  /** raised while handling this one */
  context?: ExceptionData | undefined;
  /** links left out of a long chain, between this one and its cause or context */
  omitted_chained?: number | undefined;
  /** members of an ExceptionGroup, the first few of `group_size` */
  group?: ExceptionData[] | undefined;
  group_size?: number | undefined;
  /** where a SyntaxError is: frames never reach that file */
  syntax?: { path: string; line: number; text: string } | undefined;
}

export const exceptionSchema: z.ZodType<ExceptionData> = z.lazy(() =>
  z.object({
    type: z.string(),
    message: z.string(),
    frames: z.array(frameSchema),
    omitted_frames: z.number().int().optional(),
    notes: z.array(z.string()).optional(),
    cause: exceptionSchema.optional(),
    context: exceptionSchema.optional(),
    omitted_chained: z.number().int().optional(),
    group: z.array(exceptionSchema).optional(),
    group_size: z.number().int().optional(),
    syntax: z.object({ path: z.string(), line: z.number().int(), text: z.string() }).optional(),
  })
);

/** A test function with all of its parameter sets; `params` is null for an unparametrised item. */
export const itemGroupSchema = z.object({
  /** node id without the parameter id */
  id: z.string(),
  file: z.string().nullable(),
  line: z.number().int().nullable(),
  module: z.string().nullable(),
  class: z.string().nullable(),
  function: z.string().nullable(),
  markers: z.array(z.string()),
  /** parameter ids, without the brackets, in collection order */
  params: z.array(z.string()).nullable(),
});
export type ItemGroup = z.infer<typeof itemGroupSchema>;

/** A registered marker. */
export const markerSchema = z.object({
  /** as registered, with its signature: "skipif(condition, *, reason=...)" */
  name: z.string(),
  description: z.string(),
});
export type ProjectMarker = z.infer<typeof markerSchema>;

/** A fixture that some test of the project can ask for. */
export const fixtureSchema = z.object({
  name: z.string(),
  scope: z.string(),
  /** every test within reach gets it without asking */
  autouse: z.boolean(),
  /** relative to the root where possible */
  file: z.string(),
  line: z.number().int(),
  /** node id of the directory, file or class whose tests see it; empty: all do */
  visible_in: z.string(),
  doc: z.string().nullable(),
});
export type ProjectFixture = z.infer<typeof fixtureSchema>;

/** "crash": the xdist worker that ran the test died. */
const phase = z.enum(["setup", "call", "teardown", "crash"]);
export type Phase = z.infer<typeof phase>;

/** Lines and branches, of a file or of all. */
const coveredSchema = z.object({
  statements: z.number().int(),
  missing_statements: z.number().int(),
  branches: z.number().int(),
  missing_branches: z.number().int(),
});

/** What was measured. */
export const coverageSchema = coveredSchema.extend({
  /** only files that miss something; `missing` as in "3-9, 14, 20->exit" */
  files: z.array(coveredSchema.extend({ path: z.string(), missing: z.array(z.string()) })),
  /** files that miss nothing */
  complete_files: z.number().int(),
  /** files that were asked for by name or by their change, and of which nothing is known */
  unmeasured_files: z.number().int(),
  /** percent that the project's own settings ask for */
  required: z.number().nullable(),
  /** why there is nothing to tell */
  problem: z.string().nullable(),
});
export type CoverageData = z.infer<typeof coverageSchema>;

/** What the static analysis answers. */
export const relatedTestsSchema = z.object({
  /** nearest first; `tests` are names within the file, null for all of it */
  files: z.array(z.object({
    path: z.string(),
    because: z.string(),
    distance: z.number().int(),
    tests: z.array(z.string()).nullable(),
    functions: z.number().int(),
  })),
  /** test functions in all of the files, without their parameters; null when nobody counted */
  total: z.number().int().nullable(),
  /** every test can be affected; `files` is empty then */
  everything: z.boolean(),
  why: z.string(),
  notes: z.array(z.string()),
});
export type RelatedTests = z.infer<typeof relatedTestsSchema>;

const seconds = z.number();

/** The wire form of an event. */
export const pytestEventSchema = z.discriminatedUnion("event", [
  /** a process has started: its interpreter and why this one; before everything that it says */
  z.object({
    event: z.literal("process_start"),
    python: z.string(),
    reason: z.string(),
    /** what it was asked for, where that differs from the request: only related tests */
    narrowed: z.custom<Pick<PytestRequest, "args" | "select" | "targets">>().optional(),
  }),
  /** which tests the changes can affect, before any process that runs them starts */
  z.object({ event: z.literal("selection"), ...relatedTestsSchema.shape }),
  /** the request cannot be served here, and nothing was run; the message says what to do */
  z.object({ event: z.literal("refused"), message: z.string() }),
  /** pytest has read its configuration */
  z.object({
    event: z.literal("session_start"),
    pytest: z.string(),
    python: z.string(),
    executable: z.string(),
    rootdir: z.string(),
    inifile: z.string().nullable(),
    plugins: z.array(z.string()),
  }),
  /** items found so far */
  z.object({ event: z.literal("collecting"), count: z.number().int() }),
  /** collection mode only: what there is, in the order of collection, before any plugin shuffled it */
  z.object({ event: z.literal("items"), items: z.array(itemGroupSchema) }),
  /** run mode only: how many items each function, before any was deselected, has */
  z.object({
    event: z.literal("functions"),
    counts: z.array(z.tuple([z.string(), z.number().int()])),
  }),
  /** collection is over; `total` items will run */
  z.object({ event: z.literal("collected"), total: z.number().int() }),
  z.object({ event: z.literal("deselected"), count: z.number().int() }),
  z.object({
    event: z.literal("collection_error"),
    /** of the file, class or directory that cannot be collected */
    id: z.string(),
    file: z.string(),
    error: exceptionSchema.nullable(),
    /** pytest's own text of it */
    text: z.string(),
  }),
  /** a module or class skipped as a whole during collection */
  z.object({ event: z.literal("collection_skip"), id: z.string(), reason: z.string() }),
  /**
   * Selectors of the request that match no collected item, each with the nearest known ids. Those within
   * a file that failed to collect or was skipped as a whole are not among them: that is the answer then.
   */
  z.object({
    event: z.literal("unknown_ids"),
    ids: z.array(z.object({ id: z.string(), nearest: z.array(z.string()) })),
  }),
  /** said before the test runs, so that a crash can name it */
  z.object({ event: z.literal("begin"), id: z.string() }),
  /** a test all of whose phases passed: one event instead of three reports */
  z.object({ event: z.literal("passed"), id: z.string(), duration: z.number() }),
  /** one phase of a test that did not simply pass */
  z.object({
    event: z.literal("report"),
    id: z.string(),
    when: phase,
    outcome: z.enum(["passed", "failed", "skipped", "rerun"]),
    duration: z.number(),
    /** skip reason, or the xfail reason when `xfail` */
    reason: z.string().nullable(),
    /** the test is marked xfail (imperatively or by mark); with outcome passed it is an xpass */
    xfail: z.boolean(),
    /** description of the subtest that this report is about */
    subtest: z.string().nullable(),
    error: exceptionSchema.nullable(),
    /** pytest's own rendering: the style asked for, or the text of an error that has no frames */
    text: z.string().nullable(),
    sections: z.array(z.tuple([z.string(), z.string()])),
  }),
  /** the test is over; follows the reports. Without a report since the last rerun, it passed. */
  z.object({ event: z.literal("finished"), id: z.string(), duration: z.number() }),
  z.object({
    event: z.literal("warning"),
    category: z.string(),
    message: z.string(),
    file: z.string(),
    line: z.number().int(),
    id: z.string().nullable(),
  }),
  /** an xdist worker died */
  z.object({ event: z.literal("worker_down"), worker: z.string(), error: z.string() }),
  z.object({
    event: z.literal("internal_error"),
    error: exceptionSchema.nullable(),
    text: z.string(),
  }),
  /** KeyboardInterrupt or pytest.exit(), which gives its reason */
  z.object({
    event: z.literal("interrupted"),
    kind: z.enum(["keyboard", "exit"]),
    reason: z.string(),
    error: exceptionSchema.nullable(),
  }),
  /** pytest refused its arguments or settings */
  z.object({ event: z.literal("usage_error"), message: z.string() }),
  /** a conftest.py or plugin that the start needs does not load */
  z.object({
    event: z.literal("conftest_error"),
    file: z.string().nullable(),
    error: exceptionSchema.nullable(),
    text: z.string(),
  }),
  z.object({ event: z.literal("session_end"), exit_status: z.number().int() }),
  /** pytest's main function has returned */
  z.object({ event: z.literal("exit"), exit_code: z.number().int() }),
  /** pytest-json-report's own report, when asked for and installed */
  z.object({ event: z.literal("json_report"), report: z.json() }),
  /** where a run with a time budget stopped; not said when nothing is left to run */
  z.object({
    event: z.literal("resume_point"),
    /** tests of this order that have been run, by this run and those before it */
    offset: z.number().int(),
    count: z.number().int(),
    /** a hash of the ids in their order */
    order: z.string(),
    /** of the plugin that shuffled them */
    seed: z.number().int().nullable(),
  }),
  /** how much of the collection is in this shard */
  z.object({
    event: z.literal("sharded"),
    selected: z.number().int(),
    total: z.number().int(),
    files: z.number().int(),
    all_files: z.number().int(),
  }),
  /** failures that pytest's cache remembers, and how many of them were collected */
  z.object({
    event: z.literal("last_failed"),
    remembered: z.number().int(),
    selected: z.number().int(),
  }),
  /** the slowest tests, slowest first */
  z.object({
    event: z.literal("durations"),
    tests: z.array(
      z.object({ id: z.string(), setup: seconds, call: seconds, teardown: seconds }),
    ),
  }),
  /** what pytest-cov measured, worst file first */
  z.object({ event: z.literal("coverage"), ...coverageSchema.shape }),
  /** inspection only: registered markers */
  z.object({ event: z.literal("markers"), markers: z.array(markerSchema) }),
  /** inspection only: fixtures that some test can ask for */
  z.object({ event: z.literal("fixtures"), fixtures: z.array(fixtureSchema) }),
  /** a defect of our plugin: never changes an outcome, goes to the log */
  z.object({ event: z.literal("plugin_error"), message: z.string() }),
  /** the stacks of the worker at a timeout */
  z.object({ event: z.literal("stacks"), text: z.string() }),
  /** the process is over: always the last event of a process that started */
  z.object({
    event: z.literal("process_end"),
    /** null when pytest was killed by a signal */
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
    timed_out: z.boolean(),
    stdout: z.string(),
    stderr: z.string(),
    /** seconds since the worker got its request */
    duration: z.number(),
  }),
  /** no process could be started: the only event of such a run */
  z.object({
    event: z.literal("spawn_failure"),
    message: z.string(),
    tried: z.array(z.object({ python: z.string(), origin: z.string(), problem: z.string() })),
    fix: z.string(),
  }),
  /** the queue is full: the only event of such a run */
  z.object({ event: z.literal("busy"), running: z.number().int(), waiting: z.number().int() }),
  /** the run was cancelled by its signal: the last event */
  z.object({ event: z.literal("cancelled") }),
]);
export type PytestEvent = z.infer<typeof pytestEventSchema>;
