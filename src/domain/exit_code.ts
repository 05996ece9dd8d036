/**
 * How a run ended. The events decide and the exit code only completes them: a test may end the process
 * with any code, and a plugin may make any code of any run.
 *
 * @module
 */
import type { ExecutionErrorType } from "./run_failure.ts";
import type { RunReport } from "./run_report.ts";

/** The kind of failure that a run is. */
export interface FailedEnding {
  readonly kind: ExecutionErrorType;
  readonly exitCode: number | null;
}

/** A run that came to its end with a result, or that did not. */
export type RunEnding = { readonly kind: "completed"; readonly exitCode: number } | FailedEnding;

/** Reasons with which pytest and xdist stop a session by themselves, as asked to. */
const STOPPED =
  /^stopping after \d+ failures?|^xdist\.dsession\.Interrupted: stopping|^the time budget is spent$/;
/** pytest's exit code when no test was run. */
const NO_TESTS = 5;
/** pytest's exit code when it, a plugin or a hook of the project failed. */
const INTERNAL_ERROR = 3;
/** pytest's own codes, below those that only a plugin or the project can mean. */
const LAST_KNOWN = 5;
const COLLECTION_STOPPED = /\berrors? during collection/;

/** Classifies a run by what it said and how its process ended. */
export function classifyRun(report: RunReport): RunEnding {
  const { last } = report;
  if (last.spawn_failure) return { kind: "spawn_failure", exitCode: null };
  if (last.busy) return { kind: "busy", exitCode: null };
  if (last.cancelled) return { kind: "cancelled", exitCode: null };
  if (last.refused) return { kind: "usage_error", exitCode: 4 };
  if (last.selection && !last.selection.everything && last.selection.files.length === 0) {
    return { kind: "completed", exitCode: NO_TESTS };
  }
  const processCode = last.process_end?.exit_code ?? null;
  const exitCode = last.exit?.exit_code ?? last.session_end?.exit_status ?? processCode;
  if (last.process_end?.timed_out) return { kind: "timeout", exitCode };
  if (report.unknownIds.length > 0) return { kind: "usage_error", exitCode: 4 };
  if (last.usage_error) return { kind: "usage_error", exitCode: 4 };
  if (report.conftestErrors.length > 0) return { kind: "project_error", exitCode };
  // `--help` and its like read the settings and return.
  const began = last.session_start && (last.session_end || report.collected !== null);
  if (last.interrupted && !began) return { kind: "interrupted", exitCode };
  const killed = last.process_end === undefined || last.process_end.signal !== null;
  const returned = last.session_end !== undefined || last.exit !== undefined;
  // Before a session an exception that nobody catches ends with 1, and anything else is no end of Python's.
  if (!returned && (killed || last.session_start || processCode !== 1)) {
    return { kind: "crash", exitCode: processCode };
  }
  // pytest's own end can fail after that, and make another code of it.
  if (last.internal_error || last.session_end?.exit_status === INTERNAL_ERROR) {
    return { kind: "pytest_internal", exitCode };
  }
  if (!began) return { kind: "project_error", exitCode };
  if (leftEarly(report)) {
    const isKnown = processCode !== null && processCode >= 0 && processCode <= LAST_KNOWN;
    return { kind: isKnown ? "crash" : "unknown", exitCode: processCode };
  }
  return classifySession(report, exitCode);
}

/**
 * The session came to its end and pytest did not: what runs after the tests raised, or ended the process. Where that
 * makes no other exit code, the result is what pytest says it is.
 */
function leftEarly({ last: { session_end, exit, process_end } }: RunReport): boolean {
  if (!session_end || exit || !process_end || process_end.signal !== null) return false;
  return process_end.exit_code !== session_end.exit_status;
}

/** A session whose end was seen. */
function classifySession(report: RunReport, code: number | null): RunEnding {
  const { last, collectionErrors, counts, workersDown } = report;
  const reason = last.interrupted?.reason ?? "";
  const stopped = STOPPED.test(reason) || COLLECTION_STOPPED.test(reason);
  if (last.interrupted && !stopped) return { kind: "interrupted", exitCode: code };
  // xdist takes workers that die before they have collected anything for a run without tests.
  if (workersDown.length > 0 && !report.collected) return { kind: "crash", exitCode: code };
  switch (code) {
    case 0:
    case 1:
    case 5:
      return { kind: "completed", exitCode: code };
    case 2:
      // xdist ends so where pytest alone ends with 1: after enough failures, or a collection error.
      if (stopped || (!last.interrupted && collectionErrors.size > 0)) {
        return { kind: "completed", exitCode: counts.failed + counts.errors > 0 ? 1 : 0 };
      }
      return { kind: "interrupted", exitCode: code };
    case INTERNAL_ERROR:
      return { kind: "pytest_internal", exitCode: code };
    case 4:
      return { kind: "project_error", exitCode: code };
    default:
      return { kind: "unknown", exitCode: code };
  }
}
