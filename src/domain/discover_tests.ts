import { hashCollection, hashRequest, readCursor, writeCursor } from "./discover_cursor.ts";
import { type DiscoverParams, foreignCursor } from "./discover_params.ts";
import type { DiscoverResult } from "./discover_result.ts";
import { countTests, takePage } from "./discovery_page.ts";
import { describeFailure } from "./execution_failure.ts";
import { classifyRun } from "./exit_code.ts";
import { failureStyle } from "./failure_text.ts";
import { countFiles } from "./file_counts.ts";
import { invalidParameters } from "./parameter_issue.ts";
import { buildDiscoverArgs } from "./pytest_args.ts";
import { fitCollectionErrors } from "./response_budget.ts";
import { draftLists } from "./result_draft.ts";
import { fitExtras } from "./result_extras.ts";
import type { InvalidParameters, Outcome } from "./run_failure.ts";
import { runSession } from "./run_session.ts";
import { selectionResult } from "./selection_result.ts";
import type { RunReport } from "./run_report.ts";
import type { UseCaseContext } from "./use_case.ts";

/** Collects the tests of a checked request without running them. */
export async function discoverTests(
  params: DiscoverParams,
  context: UseCaseContext,
): Promise<Outcome<DiscoverResult>> {
  const request = buildDiscoverArgs(params);
  const report = await runSession(request, context, { everyTest: false });
  const ending = classifyRun(report);
  const style = failureStyle({ verbosity: 0, traceback: "lean" }, context.files);
  if (ending.kind !== "completed") {
    return {
      ok: false,
      failure: describeFailure({ report, request, ending, style, everyTest: false }),
    };
  }
  const lists = draftLists(report, style, { everyTest: false });
  const room = context.settings.maxResponseChars;
  const errors = fitCollectionErrors(lists.collectionErrors, Math.floor(room / 3));
  return toPage(params, report, { room, errors });
}

/** The longest cursor, and what JSON puts around it. */
const CURSOR_CHARS = 60;

function toPage(
  params: DiscoverParams,
  report: RunReport,
  { room, errors }: { room: number; errors: DiscoverResult["collection_errors"] },
): Outcome<DiscoverResult> {
  const { items } = report;
  const count = countTests(items);
  const collection = hashCollection(items, params.view);
  const cursor = params.cursor === undefined ? null : readCursor(params.cursor);
  if (cursor !== null && cursor.collection !== collection) {
    return { ok: false, failure: collectionChanged(params, cursor.count, count) };
  }
  const offset = cursor?.offset ?? 0;
  if (offset > 0 && offset >= (params.view === "tree" ? items.length : count)) {
    return { ok: false, failure: foreignCursor(params.cursor ?? "") };
  }
  const frame: DiscoverResult = {
    tests: [],
    count,
    collection_errors: errors,
    files: cursor === null ? countFiles(items, Math.floor(room / 3)) : {},
    tree: null,
    next_cursor: null,
    ...describeSelection(report, room),
  };
  const { tests, tree, nextOffset } = takePage(items, {
    view: params.view,
    offset,
    limit: params.limit,
    room: room - JSON.stringify(frame).length - CURSOR_CHARS,
  });
  const next_cursor = nextOffset === null
    ? null
    : writeCursor({ offset: nextOffset, count, request: hashRequest(params), collection });
  return { ok: true, result: { ...frame, tests, tree, next_cursor } };
}

/** On every page, because each stands alone; what does not fit is counted in a note. */
function describeSelection(report: RunReport, room: number): Pick<DiscoverResult, "selection"> {
  const selection = selectionResult(report);
  if (selection === null) return {};
  const { extras, omitted } = fitExtras({ selection }, Math.floor(room / 2));
  if (extras.selection === undefined || Object.keys(omitted).length === 0) return extras;
  const left = `left out here: ${JSON.stringify(omitted)}`;
  return { selection: { ...extras.selection, notes: [...extras.selection.notes, left] } };
}

function collectionChanged(
  { cursor }: DiscoverParams,
  before: number,
  now: number,
): InvalidParameters {
  return invalidParameters([{
    field: "cursor",
    message: `the collection has changed since the page before (${before} tests then, ${now} now${
      before === now ? ", others or in another order" : ""
    }), so its pages no longer follow each other; start again without cursor, or with view "tree"`,
    type: "collection_changed",
    received_value: cursor ?? null,
  }], { tool: "discover_tests" });
}
