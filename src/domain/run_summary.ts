import type { RunSummary } from "./execute_result.ts";
import type { RunReport } from "./run_report.ts";

/** Counts that add up; what was collected and came to no result is not_run, unless it was under way at the end. */
export function summarize(report: RunReport): RunSummary {
  const { passed, failed, skipped, errors, xfailed, xpassed, deselected, warnings } = report.counts;
  const running = isComplete(report)
    ? []
    : [...report.running].filter((id) => !report.failed.some((test) => test.id === id));
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

/** Whether the session ended by itself: then nothing is under way, not even a test that was only set up. */
function isComplete({ last: { session_end } }: RunReport): boolean {
  return session_end !== undefined && [0, 1, 5].includes(session_end.exit_status);
}

/** Milliseconds are as much as a duration says. */
export function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
