/**
 * What pytest itself says about a project, without any code of the server: the ground truth.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ExpectedOutcome } from "../../fixtures/expected_outcomes.ts";

/** What was seen of a run, complete or not. */
export interface BareRun {
  readonly tests: Map<string, ExpectedOutcome>;
  readonly skippedModules: string[];
  readonly collectionErrors: string[];
  /** null when pytest did not come to its end */
  exitCode: number | null;
}

/** How to run it. */
export interface BareOptions {
  readonly python: string;
  readonly directory: string;
  /** kill pytest when this test has begun: it never ends by itself */
  readonly killAt: string | undefined;
}

const recordSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("collected"), ids: z.array(z.string()) }),
  z.object({
    event: z.literal("not_collected"),
    id: z.string(),
    outcome: z.enum(["failed", "skipped"]),
  }),
  z.object({ event: z.literal("begin"), id: z.string() }),
  z.object({
    event: z.literal("report"),
    id: z.string(),
    when: z.enum(["setup", "call", "teardown"]),
    outcome: z.enum(["passed", "failed", "skipped"]),
    xfail: z.boolean(),
  }),
  z.object({ event: z.literal("exit"), code: z.int() }),
]);
type PytestRecord = z.infer<typeof recordSchema>;

/** From the mildest to the worst; a failing call says more about the code than a teardown that fails after it. */
const SEVERITY: readonly ExpectedOutcome[] = [
  "not_run",
  "running",
  "passed",
  "xpassed",
  "skipped",
  "xfailed",
  "error",
  "failed",
];

/** Runs bare pytest in a project, writing nothing into it. */
export async function runBarePytest(options: BareOptions): Promise<BareRun> {
  const script = fileURLToPath(new URL("record_outcomes.py", import.meta.url));
  const child = new Deno.Command(options.python, {
    args: [script, "--continue-on-collection-errors", "-p", "no:cacheprovider"],
    cwd: options.directory,
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const run: BareRun = {
    tests: new Map(),
    skippedModules: [],
    collectionErrors: [],
    exitCode: null,
  };
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const record = recordSchema.parse(JSON.parse(line));
      addRecord(run, record);
      if (record.event === "begin" && record.id === options.killAt) child.kill("SIGKILL");
    }
  }
  await child.status;
  return run;
}

function addRecord(run: BareRun, record: PytestRecord): void {
  switch (record.event) {
    case "collected":
      for (const id of record.ids) run.tests.set(id, "not_run");
      break;
    case "not_collected":
      (record.outcome === "failed" ? run.collectionErrors : run.skippedModules).push(record.id);
      break;
    case "begin":
      worsen(run, record.id, "running");
      break;
    case "report":
      // A set-up or teardown that passes says nothing about the test.
      if (record.outcome !== "passed" || record.when === "call") {
        worsen(run, record.id, outcomeOf(record));
      }
      break;
    case "exit":
      run.exitCode = record.code;
  }
}

function outcomeOf({ when, outcome, xfail }: PytestRecord & { event: "report" }): ExpectedOutcome {
  if (outcome === "failed") return when === "call" ? "failed" : "error";
  if (outcome === "skipped") return xfail ? "xfailed" : "skipped";
  return xfail ? "xpassed" : "passed";
}

function worsen(run: BareRun, id: string, outcome: ExpectedOutcome): void {
  const before = run.tests.get(id) ?? "not_run";
  if (SEVERITY.indexOf(outcome) > SEVERITY.indexOf(before)) run.tests.set(id, outcome);
}
