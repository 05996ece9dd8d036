import type { PytestRequest } from "./pytest_runner.ts";
import { addEvent, createRunReport, type ReportDetail, type RunReport } from "./run_report.ts";
import type { UseCaseContext } from "./use_case.ts";

/** The events that change how far a run is. */
const MOVES: ReadonlySet<string> = new Set(["collected", "begin", "passed", "finished"]);

/** Runs one session to its end and folds what it says; the caller is told how far it is. */
export async function runSession(
  request: PytestRequest,
  { runner, signal, onProgress }: UseCaseContext,
  detail: ReportDetail,
): Promise<RunReport> {
  const report = createRunReport();
  let current: string | null = null;
  for await (const event of runner.run(request, { signal })) {
    addEvent(report, event, detail);
    if (event.event === "begin") current = event.id;
    if (onProgress === undefined || !MOVES.has(event.event)) continue;
    onProgress({
      finished: report.finished,
      total: report.collected,
      passed: report.counts.passed,
      failed: report.counts.failed + report.counts.errors,
      current,
    });
  }
  return report;
}
