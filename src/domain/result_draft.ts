/**
 * Everything there is to say about a run, before the response budget decides how much of it is said.
 *
 * @module
 */
import type { CapturedSection } from "./captured_output.ts";
import { clipInline } from "./clip.ts";
import { toCollectionError } from "./collection_error.ts";
import type { CollectionError, TestEntry } from "./execute_result.ts";
import { failureMessage, type FailureStyle, failureText } from "./failure_text.ts";
import { groupByCause, withoutAddresses } from "./root_cause.ts";
import type { RunReport } from "./run_report.ts";
import type { FailedTest } from "./test_outcome.ts";
import { round } from "./run_summary.ts";
import { Selectors } from "./selectors.ts";

/** A failed test, or a cause with its first one. */
export interface FailureDraft {
  readonly entry: TestEntry & { readonly message: string };
  readonly traceback: string;
  readonly captured: readonly CapturedSection[];
  /** the first test of the same cause, if this is not it */
  readonly repeats: string | null;
  /** tests that this entry speaks for */
  readonly tests: number;
}

/** The lists of a result, complete. */
export interface ListsDraft {
  readonly failures: readonly FailureDraft[];
  readonly skipped: readonly TestEntry[];
  readonly passed: readonly TestEntry[];
  readonly collectionErrors: readonly CollectionError[];
  /** selectors of causes beyond those that an entry names */
  readonly selectorsOmitted: number;
}

/** As many selectors as an agent passes on; more is a list to count, not to read. */
const MOST_SELECTORS = 20;

const MOST_MESSAGES = 5;

/** A second message tells how it differs from the first. */
const OTHER_MESSAGE_CHARS = 200;

/** The lists of a report: one entry a cause, or one a test. */
export function draftLists(
  report: RunReport,
  style: FailureStyle,
  { everyTest }: { everyTest: boolean },
): ListsDraft {
  const causes = everyTest ? null : draftCauses(report, style);
  return {
    failures: causes?.failures ?? draftTests(report.failed, style),
    skipped: report.skipped.map(({ id, duration, reason }) => ({
      node_id: id,
      outcome: "skipped",
      duration: round(duration),
      message: reason ?? "",
    })),
    passed: report.passed.map(({ id, duration }) => ({
      node_id: id,
      outcome: "passed",
      duration: round(duration),
    })),
    collectionErrors: [...report.collectionErrors.values()]
      .map((error) => toCollectionError(error, style)),
    selectorsOmitted: causes?.selectorsOmitted ?? 0,
  };
}

function draftTests(failed: readonly FailedTest[], style: FailureStyle): FailureDraft[] {
  const firsts = new Map<string, string>();
  const told = new Map<string, string>();
  return failed.map((test) => {
    const first = firsts.get(test.cause);
    if (first === undefined) firsts.set(test.cause, test.id);
    const draft = draftTest(test, style);
    if (!test.inFull) return { ...draft, traceback: `same as ${first}`, repeats: first ?? null };
    const text = JSON.stringify([draft.traceback, draft.captured]);
    const same = told.get(text);
    if (same !== undefined) {
      return { ...draft, traceback: `same as ${same}`, captured: [], repeats: same };
    }
    told.set(text, test.id);
    return { ...draft, repeats: first ?? null };
  });
}

function draftTest(test: FailedTest, style: FailureStyle): FailureDraft {
  const { message, traceback, captured } = failureText(test, style);
  const { id, outcome, duration } = test;
  const entry = { node_id: id, outcome, duration: round(duration), message };
  return { entry, traceback, captured, repeats: null, tests: 1 };
}

function draftCauses(
  report: RunReport,
  style: FailureStyle,
): { failures: FailureDraft[]; selectorsOmitted: number } {
  let selectors: Selectors | null = null;
  let selectorsOmitted = 0;
  const told = new Set<string>();
  const failures = groupByCause(report.failed).flatMap((tests) => {
    const [first] = tests;
    if (first === undefined) return [];
    const draft = draftTest(first, { ...style, told });
    if (tests.length === 1) return [draft];
    selectors ??= new Selectors(report.functions);
    const nodeIds = selectors.cover(tests.map((test) => test.id));
    selectorsOmitted += Math.max(0, nodeIds.length - MOST_SELECTORS);
    const same_cause = {
      count: tests.length,
      node_ids: nodeIds.slice(0, MOST_SELECTORS),
      messages: otherMessages(tests),
    };
    return [{ ...draft, entry: { ...draft.entry, same_cause }, tests: tests.length }];
  });
  return { failures, selectorsOmitted };
}

function otherMessages(tests: readonly FailedTest[]): string[] {
  const seen = new Set<string>();
  const messages: string[] = [];
  for (const { failures: [failure] } of tests) {
    if (failure === undefined) continue;
    const message = failureMessage(failure);
    const key = withoutAddresses(message);
    if (seen.size > 0 && !seen.has(key)) {
      messages.push(clipInline(message, OTHER_MESSAGE_CHARS));
      if (messages.length === MOST_MESSAGES) break;
    }
    seen.add(key);
  }
  return messages;
}
