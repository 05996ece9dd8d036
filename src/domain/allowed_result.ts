/**
 * A result of which each part is said as far as it is allowed, with an account of what is not.
 *
 * @module
 */
import { sectionText } from "./captured_output.ts";
import { clipInline, clipLines, clipMiddle } from "./clip.ts";
import type { CollectionError, ExecuteResult, TestEntry } from "./execute_result.ts";
import { type JsonReportLevel, shortenJsonReport } from "./json_report.ts";
import type { FailureDraft, ListsDraft } from "./result_draft.ts";
import type { FittedExtras, ResultExtras } from "./result_extras.ts";

/** A result with everything in it. */
export interface ResultDraft extends ListsDraft {
  readonly exit_code: number;
  readonly summary: ExecuteResult["summary"];
  readonly text_output: string | null;
  readonly json_report: ExecuteResult["json_report"];
  readonly extras?: ResultExtras;
}

/** How much of each part is said. */
export interface Allowance {
  jsonReport: JsonReportLevel;
  passed: number;
  collapseRepeats: boolean;
  /** characters of each captured section, and of text_output */
  captured: number;
  /** characters of each traceback without its captured sections */
  traceback: number;
  message: number;
  /** selectors and other messages of each cause */
  related: number;
  skipped: number;
  failures: number;
  collectionErrors: number;
}

type Account = Record<string, number>;

/** The least that is worth its place: a line and a note of what is missing. */
export const SHORTEST_TEXT = 160;

/** Says what the allowance allows; `limit` is only named. */
export function buildResult(
  draft: ResultDraft,
  allowance: Allowance,
  { limit, extras, omitted }: FittedExtras & { readonly limit: number },
): ExecuteResult {
  const account: Account = { ...omitted };
  const count = (what: string, n = 1) => {
    if (n > 0) account[what] = (account[what] ?? 0) + n;
  };
  const failures = draft.failures.slice(0, allowance.failures);
  const shown = failures.map((failure) => buildFailure(failure, allowance, count));
  const skipped = draft.skipped.slice(0, allowance.skipped)
    .map((entry) => shortenMessage(entry, allowance, count));
  const passed = draft.passed.slice(0, allowance.passed);
  const left = draft.failures.slice(allowance.failures)
    .reduce((sum, failure) => sum + failure.tests, 0);
  count(
    "tests_omitted",
    left + draft.skipped.length - skipped.length + draft.passed.length - passed.length,
  );
  const collectionErrors = draft.collectionErrors.slice(0, allowance.collectionErrors);
  count("collection_errors_omitted", draft.collectionErrors.length - collectionErrors.length);
  count("same_cause_node_ids_omitted", draft.selectorsOmitted);
  const errors = buildCollectionErrors(collectionErrors, allowance, count);
  const text = draft.text_output === null ? null : clipText(draft.text_output, allowance.captured);
  if (text !== draft.text_output) count("text_output_shortened");
  const { failed, errors: broken } = draft.summary;
  // Why pytest is not content with a run in which nothing failed, only its output tells.
  const unexplained = draft.exit_code === 1 && failed + broken === 0 &&
    draft.extras?.coverage?.reached !== false;
  if (unexplained && text === null) count("text_output_omitted");
  const json_report = shortenJsonReport(draft.json_report, allowance.jsonReport);
  if (json_report !== draft.json_report) {
    count(json_report === null ? "json_report_omitted" : "json_report_shortened");
  }
  return {
    exit_code: draft.exit_code,
    summary: draft.summary,
    tests: [...shown, ...skipped, ...passed],
    collection_errors: errors,
    text_output: text,
    json_report,
    truncated: Object.keys(account).length === 0
      ? null
      : { ...account, hint: hint(account, limit) },
    ...extras,
  };
}

type Count = (what: string, n?: number) => void;

function buildFailure(failure: FailureDraft, allowance: Allowance, count: Count): TestEntry {
  const entry = shortenMessage(failure.entry, allowance, count);
  const collapsed = allowance.collapseRepeats && failure.repeats !== null;
  if (collapsed && !failure.traceback.startsWith("same as ")) count("tracebacks_shortened");
  const traceback = collapsed ? `same as ${failure.repeats}` : failure.traceback;
  const clipped = clipLines(traceback, allowance.traceback);
  if (clipped !== traceback) count("tracebacks_shortened");
  const parts = [clipped];
  for (const section of collapsed ? [] : failure.captured) {
    const text = clipText(section.text, allowance.captured);
    if (text !== section.text) count("captured_shortened");
    if (text !== "") parts.push(sectionText({ ...section, text }));
  }
  if (collapsed) count("captured_shortened", failure.captured.length);
  const { same_cause, ...own } = entry;
  const built = { ...own, traceback: parts.join("\n") };
  return same_cause === undefined ? built : {
    ...built,
    same_cause: shortenCause(same_cause, allowance, count),
  };
}

function shortenCause(
  cause: NonNullable<TestEntry["same_cause"]>,
  { related, message }: Allowance,
  count: Count,
): NonNullable<TestEntry["same_cause"]> {
  const node_ids = cause.node_ids.slice(0, related);
  const messages = cause.messages.slice(0, related).map((text) => clipInline(text, message));
  count("same_cause_node_ids_omitted", cause.node_ids.length - node_ids.length);
  count("same_cause_messages_omitted", cause.messages.length - messages.length);
  return { ...cause, node_ids, messages };
}

function shortenMessage<T extends TestEntry>(entry: T, allowance: Allowance, count: Count): T {
  if (entry.message === undefined) return entry;
  const message = clipInline(entry.message, allowance.message);
  if (message === entry.message) return entry;
  count("messages_shortened");
  return { ...entry, message };
}

function buildCollectionErrors(
  errors: readonly CollectionError[],
  allowance: Allowance,
  count: Count,
): CollectionError[] {
  const told = new Map<string, string>();
  return errors.map((error) => {
    const same = told.get(error.traceback);
    told.set(error.traceback, same ?? error.file);
    const repeats = allowance.collapseRepeats && same !== undefined;
    const traceback = repeats ? `same as ${same}` : clipLines(error.traceback, allowance.traceback);
    const message = clipInline(error.message, allowance.message);
    if (traceback !== error.traceback) count("tracebacks_shortened");
    if (message !== error.message) count("messages_shortened");
    return { ...error, message, traceback };
  });
}

/** Head and tail stay; nothing at all where there is room for neither. */
function clipText(text: string, limit: number): string {
  return limit < SHORTEST_TEXT && text.length > limit ? "" : clipMiddle(text, limit);
}

function hint(account: Account, limit: number): string {
  const { same_cause_node_ids_omitted: _, text_output_omitted, ...others } = account;
  if (text_output_omitted !== undefined) {
    return "Exit code 1 without a failure: a plugin or conftest.py decided so, such as a limit of coverage. " +
      "verbosity 1 shows pytest's output";
  }
  if (Object.keys(others).length === 0) return "verbosity 1 lists every test";
  // What was measured does not shrink with the tests.
  const measured = others["coverage_files_omitted"] === undefined
    ? ""
    : ", measure less (coverage.paths)";
  return `A response holds ${limit} characters. ` +
    `For the rest run fewer tests (node_ids, path, maxfail)${measured} or lower the verbosity`;
}
