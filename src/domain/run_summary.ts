import type { RunSummary } from "./execute_result.ts";
import type { RunReport } from "./run_report.ts";

/** Counts that add up; what was collected and never began is not_run. */
export function summarize(report: RunReport): RunSummary {
  const { passed, failed, skipped, errors, xfailed, xpassed, deselected, warnings } = report.counts;
  const running = [...report.running].filter((id) => !report.failed.some((test) => test.id === id));
  return {
    total: passed + failed + skipped + errors,
    passed,
    failed,
    skipped,
    errors,
    duration: round(report.last.process_end?.duration ?? 0),
    xfailed,
    xpassed,
    deselected,
    warnings,
    not_run: Math.max(0, (report.collected ?? 0) - report.finished - running.length),
  };
}

/** Milliseconds are as much as a duration says. */
export function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
