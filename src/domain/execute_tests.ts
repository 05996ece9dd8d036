import type { ExecuteParams } from "./execute_params.ts";
import type { ExecuteResult } from "./execute_result.ts";
import { describeFailure } from "./execution_failure.ts";
import { classifyRun, type RunEnding } from "./exit_code.ts";
import { failureStyle } from "./failure_text.ts";
import { toJsonReport } from "./json_report.ts";
import { plainText } from "./plain_text.ts";
import { buildPytestArgs } from "./pytest_args.ts";
import type { PytestRequest } from "./pytest_runner.ts";
import { RepeatedRuns } from "./repeated_runs.ts";
import { fitResult } from "./response_budget.ts";
import { buildExtras } from "./result_extras.ts";
import { draftLists } from "./result_draft.ts";
import type { Outcome } from "./run_failure.ts";
import type { ReportDetail, RunReport } from "./run_report.ts";
import { runSession } from "./run_session.ts";
import { summarize } from "./run_summary.ts";
import type { UseCaseContext } from "./use_case.ts";

/** Runs the tests of a checked request. */
export async function executeTests(
  params: ExecuteParams,
  context: UseCaseContext,
): Promise<Outcome<ExecuteResult>> {
  const request = buildPytestArgs(params);
  const everyTest = params.verbosity > 0;
  const repeated = params.repeat === undefined ? null : new RepeatedRuns();
  const { report, ending } = repeated === null
    ? await runOnce(request, context, { everyTest })
    : await runRepeatedly(repeated, { request, context, params });
  const style = failureStyle(params, context.files);
  if (ending.kind !== "completed") {
    const failure = describeFailure({ report, request, ending, style, everyTest });
    const run = repeated === null ? "" : `In run ${repeated.runs} of ${params.repeat}: `;
    return { ok: false, failure: { ...failure, message: run + failure.message } };
  }
  const lists = draftLists(report, style, { everyTest });
  const output = report.last.process_end?.stdout ?? "";
  const extras = buildExtras(params, report, repeated);
  const missed = extras.coverage?.reached === false && ending.exitCode === 0;
  const draft = {
    ...lists,
    exit_code: missed ? 1 : ending.exitCode,
    summary: summarize(report),
    text_output: !everyTest ? null : params.color ? output : plainText(output),
    json_report: toJsonReport(report.last.json_report?.report),
    extras,
  };
  return { ok: true, result: fitResult(draft, context.settings.maxResponseChars) };
}

async function runOnce(
  request: PytestRequest,
  context: UseCaseContext,
  detail: ReportDetail,
): Promise<{ report: RunReport; ending: RunEnding }> {
  const report = await runSession(request, context, detail);
  return { report, ending: classifyRun(report) };
}

/** A run may take that much longer than the longest before it: one that ends in a timeout helps nobody. */
const SPARE = 1.5;

interface Repetition {
  readonly request: PytestRequest;
  readonly context: UseCaseContext;
  readonly params: ExecuteParams;
}

/** Each run is a process of its own; all of them together keep to the timeout. */
async function runRepeatedly(
  runs: RepeatedRuns,
  { request, context, params }: Repetition,
): Promise<{ report: RunReport; ending: RunEnding }> {
  const asked = params.repeat ?? 1;
  const everyTest = params.verbosity > 0;
  const codes = new Set<number>();
  let next = request;
  for (let run = 0;; run++) {
    const watched = { ...context, ...watchRun(context, run, asked) };
    const { report, ending } = await runOnce(next, watched, { everyTest: true });
    runs.add(report);
    const left = request.timeoutSeconds - runs.seconds;
    const narrowed = report.last.process_start?.narrowed;
    // The selection of the first run holds for all.
    next = { ...next, ...(narrowed && { ...narrowed, related: null }), timeoutSeconds: left };
    const over = run + 1 === asked || left < runs.longest * SPARE || !report.last.process_end;
    if (ending.kind === "completed") codes.add(ending.exitCode);
    if (!over && ending.kind === "completed") continue;
    const merged = runs.merged({ everyTest });
    if (ending.kind !== "completed") return { report: merged, ending };
    // One run that fails makes all of them fail; one that runs tests is enough to have run some.
    if (merged.counts.failed + merged.counts.errors > 0) codes.add(1);
    const exitCode = [1, 0].find((code) => codes.has(code)) ?? ending.exitCode;
    return { report: merged, ending: { kind: "completed", exitCode } };
  }
}

/** Progress over all runs, so that it grows. */
function watchRun(
  { onProgress }: UseCaseContext,
  run: number,
  asked: number,
): Pick<UseCaseContext, "onProgress"> {
  if (onProgress === undefined) return {};
  return {
    onProgress: (progress) => {
      const { total, finished } = progress;
      if (total === null) return;
      onProgress({ ...progress, finished: run * total + finished, total: asked * total });
    },
  };
}
