/**
 * A run that did not complete, as a failure: data that is complete, and a message that stands alone.
 *
 * @module
 */
import { clipBytes, clipMiddle } from "./clip.ts";
import { toCollectionError } from "./collection_error.ts";
import type { FailedEnding } from "./exit_code.ts";
import { failureMessageParts, triedInterpreters } from "./failure_message.ts";
import type { FailureStyle } from "./failure_text.ts";
import { pasteableArgs } from "./pytest_args.ts";
import type { PytestRequest } from "./pytest_runner.ts";
import { fitResult } from "./response_budget.ts";
import { draftLists, type ListsDraft } from "./result_draft.ts";
import type { CollectionError } from "./execute_result.ts";
import { relativePath } from "./plain_text.ts";
import type { ExecutionFailure } from "./run_failure.ts";
import type { RunReport } from "./run_report.ts";
import { round, summarize } from "./run_summary.ts";
import { startError } from "./start_error.ts";

/** All that is known about a run that did not complete. */
export interface FailedRun {
  readonly report: RunReport;
  readonly request: PytestRequest;
  readonly ending: FailedEnding;
  readonly style: FailureStyle;
  /** list every test, not one a cause */
  readonly everyTest: boolean;
}

/** The same, with what it says in words. */
export interface ToldRun extends FailedRun {
  readonly lists: ListsDraft;
}

/** The contract's limit of a message, with room for what a host puts around it. */
const MESSAGE_CHARS = 3_900;

/** Head and tail of each stream. */
const STREAM_BYTES = 64 * 1024;

/** Far more than a host shows, far less than a server can choke on. */
const DATA_CHARS = 200_000;

/** Describes a run that did not complete. */
export function describeFailure(run: FailedRun): ExecutionFailure {
  const { report, request, ending, style } = run;
  const { process_end: end, process_start, session_start } = report.last;
  const drafted = draftLists(report, style, run);
  const collectionErrors = [...startErrors(run), ...drafted.collectionErrors];
  const lists = { ...drafted, collectionErrors };
  const { tests, collection_errors, truncated } = fitResult({
    ...lists,
    exit_code: 0,
    summary: summarize(report),
    text_output: null,
    json_report: null,
  }, DATA_CHARS);
  const cut = truncated === null ? [] : [`The data leaves out ${JSON.stringify(truncated)}.`];
  const parts = [...failureMessageParts({ ...run, lists }), ...cut];
  return {
    kind: "execution_failure",
    message: clipMiddle(parts.filter((part) => part !== "").join("\n"), MESSAGE_CHARS),
    data: {
      error_type: ending.kind,
      exit_code: ending.exitCode,
      signal: end?.signal ?? null,
      timeout_exceeded: end?.timed_out ?? false,
      stdout: clipBytes(end?.stdout ?? "", STREAM_BYTES),
      stderr: clipBytes(end?.stderr ?? triedInterpreters(report).join("\n"), STREAM_BYTES),
      command: [
        process_start?.python ?? session_start?.executable ?? "python",
        "-m",
        "pytest",
        ...pasteableArgs(process_start?.narrowed ?? request),
      ],
      duration: round(end?.duration ?? 0),
      collection_errors,
      summary: summarize(report),
      tests,
      running: [...report.running],
    },
  };
}

/** Why pytest did not start: what its plugins saw, else what it wrote. */
function startErrors({ report, ending, style }: FailedRun): CollectionError[] {
  const { process_end, session_start } = report.last;
  if (report.conftestErrors.length === 0) {
    const said = ending.kind === "project_error"
      ? startError(process_end?.stderr ?? "", style)
      : null;
    return said === null ? [] : [said];
  }
  const settings = relativePath(session_start?.inifile ?? "", style.roots);
  return report.conftestErrors.map((event) => {
    const error = toCollectionError(event, style);
    // What no frame raised but pytest's own is said of the settings.
    const isOfSettings = error.error_type === "UsageError" && event.error?.frames.length === 0;
    return isOfSettings && error.file === "" ? { ...error, file: settings } : error;
  });
}
