/**
 * One test in the fold: its phases as they come, and what they make of it in the end.
 *
 * @module
 */
import { clipMiddle } from "./clip.ts";
import type { ExceptionData, Phase } from "./pytest_event.ts";
import { causeKey } from "./root_cause.ts";
import type { EventOf, ReportDetail, RunReport } from "./run_report.ts";
import { textHeadline } from "./text_headline.ts";

/** One phase of a test that failed. */
export interface PhaseFailure {
  readonly when: Phase;
  readonly subtest: string | null;
  readonly error: ExceptionData | null;
  /** pytest's own rendering, where asked for or where there is nothing else */
  readonly text: string | null;
  readonly sections: readonly (readonly [string, string])[];
}

/** A test that failed, or could not be set up or torn down. */
export interface FailedTest {
  readonly id: string;
  readonly outcome: "failed" | "error";
  readonly duration: number;
  /** the same for all tests that fail for the same reason */
  readonly cause: string;
  /** the call first, which names the cause; at least one */
  readonly failures: readonly PhaseFailure[];
  /** false: the cause is known and only the message was kept */
  readonly inFull: boolean;
}

/** A test that was skipped or failed as expected, with its reason; or that passed, without one. */
export interface OtherTest {
  readonly id: string;
  readonly duration: number;
  readonly reason: string | null;
  /** it was expected to fail */
  readonly xfail?: true;
}

/** The phases of a test that is not over. */
export interface PendingTest {
  failures: PhaseFailure[];
  skip: { readonly reason: string; readonly xfail: boolean } | null;
  xpass: boolean;
  duration: number;
}

/** No response has room for more tracebacks of causes that it has shown already. */
const MOST_IN_FULL = 2_000;
/** Of the text and of each captured section of a failure beyond those, in characters. */
const [MOST_TEXT, MOST_PRINTED] = [8_000, 500];

/** Adds a phase that did not simply pass. */
export function addPhase(report: RunReport, event: EventOf<"report">): void {
  const test = report.pending.get(event.id) ??
    { failures: [], skip: null, xpass: false, duration: 0 };
  report.pending.set(event.id, test);
  test.duration += event.duration;
  if (event.outcome === "rerun") {
    test.failures = [];
    test.skip = null;
    test.xpass = false;
  } else if (event.outcome === "failed") {
    const { when, subtest, error, text, sections } = event;
    test.failures.push({ when, subtest, error, text, sections });
  } else if (event.subtest === null) {
    if (event.outcome === "skipped") {
      test.skip = { reason: event.reason ?? "", xfail: event.xfail };
    } else if (event.xfail && event.when === "call") test.xpass = true;
  }
}

/** Counts a test that is over, by its worst phase. */
export function finishTest(
  report: RunReport,
  { id, duration }: { id: string; duration: number },
  { everyTest }: ReportDetail,
): void {
  const test = report.pending.get(id);
  report.pending.delete(id);
  report.finished++;
  if (test !== undefined && test.failures.length > 0) {
    addFailed(report, { id, duration, failures: test.failures }, everyTest);
  } else if (test?.skip) {
    report.counts.skipped++;
    if (test.skip.xfail) report.counts.xfailed++;
    const xfail = test.skip.xfail ? { xfail: true as const } : {};
    if (everyTest) report.skipped.push({ id, duration, reason: test.skip.reason, ...xfail });
  } else {
    report.counts.passed++;
    if (test?.xpass) report.counts.xpassed++;
    const xfail = test?.xpass ? { xfail: true as const } : {};
    if (everyTest) report.passed.push({ id, duration, reason: null, ...xfail });
  }
}

function addFailed(
  report: RunReport,
  { id, duration, failures }: { id: string; duration: number; failures: PhaseFailure[] },
  everyTest: boolean,
): void {
  // A test whose subtests fail is failed by pytest 9 in their name; the subtests say why.
  const own = failures.filter((failure) => !standsForSubtests(failure));
  const told = own.length > 0 ? own : failures;
  const called = told.filter((failure) => failure.when === "call");
  const ordered = [...called, ...told.filter((failure) => failure.when !== "call")];
  // A failing call says more about the code than a teardown that fails after it.
  const outcome = called.length > 0 ? "failed" : "error";
  report.counts[outcome === "failed" ? "failed" : "errors"]++;
  const cause = causeKey(ordered[0], id);
  const known = report.causes.get(cause) ?? 0;
  report.causes.set(cause, known + 1);
  const inFull = known === 0 || (everyTest && report.failed.length < MOST_IN_FULL);
  const kept = !inFull
    ? ordered.slice(0, 1).map(messageOnly)
    : report.failed.length < MOST_IN_FULL
    ? ordered
    : ordered.map(withoutBulk);
  report.failed.push({ id, outcome, duration, cause, failures: kept, inFull });
}

/** What shows where it failed and why; what was printed, only by its ends: a broken suite can have many causes. */
function withoutBulk(failure: PhaseFailure): PhaseFailure {
  const { text, sections } = failure;
  return apart({
    ...failure,
    text: text === null ? null : clipMiddle(text, MOST_TEXT),
    sections: sections.map(([title, printed]) => [title, clipMiddle(printed, MOST_PRINTED)]),
  });
}

/** A copy: a part of a text keeps all of that text in memory, as long as it is the same object. */
function apart(failure: PhaseFailure): PhaseFailure {
  return structuredClone(failure);
}

/** What the message of a failure is made from, and nothing else of it. */
function messageOnly({ when, subtest, error, text }: PhaseFailure): PhaseFailure {
  if (error === null) {
    const short = text === null ? null : textHeadline(text);
    return apart({ when, subtest, error, text: short, sections: [] });
  }
  const short = { type: error.type, message: error.message.slice(0, 1_000), frames: [] };
  const beginning = text?.slice(0, 1_000) ?? null;
  return apart({ when, subtest, error: short, text: beginning, sections: [] });
}

function standsForSubtests({ subtest, error, text }: PhaseFailure): boolean {
  return subtest === null && /^contains \d+ failed subtest/.test(error?.message ?? text ?? "");
}

/** A test that failed and then never came to its end has still failed. */
export function finishFailing(report: RunReport, detail: ReportDetail): void {
  for (const [id, test] of [...report.pending]) {
    if (test.failures.length > 0) finishTest(report, { id, duration: test.duration }, detail);
  }
}
