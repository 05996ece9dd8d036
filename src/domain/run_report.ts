/**
 * Folds the events of a session into what there is to say about it. A test that simply passed leaves
 * nothing but a count, unless every test is to be listed.
 *
 * @module
 */
import type { ExceptionData, ItemGroup, PytestEvent } from "./pytest_event.ts";
import {
  addPhase,
  type FailedTest,
  finishFailing,
  finishTest,
  type OtherTest,
  type PendingTest,
} from "./test_outcome.ts";

/** One kind of event. */
export type EventOf<K extends PytestEvent["event"]> = Extract<PytestEvent, { event: K }>;

/** What a session has told so far. */
export interface RunReport {
  readonly failed: FailedTest[];
  /** empty unless every test is to be listed */
  readonly skipped: OtherTest[];
  readonly passed: OtherTest[];
  readonly counts: Record<CountName, number>;
  /** items to run; null until collection is over */
  collected: number | null;
  /** tests that are over, whatever became of them; collection errors and skips apart */
  finished: number;
  /** tests that have begun and not ended, in the order of their beginning */
  readonly running: Set<string>;
  readonly collectionErrors: Map<string, EventOf<"collection_error">>;
  readonly collectionSkips: Set<string>;
  /** tests of each function, before any was deselected */
  readonly functions: Map<string, number>;
  readonly items: ItemGroup[];
  readonly unknownIds: EventOf<"unknown_ids">["ids"];
  readonly workersDown: EventOf<"worker_down">[];
  readonly conftestErrors: EventOf<"conftest_error">[];
  /** the timeout came while something was imported, and some versions of pytest went on after that */
  interruptedImport: boolean;
  /** where the process stood at its timeout */
  readonly stacks: string[];
  /** the last event of each kind that comes once */
  readonly last: { [K in OnceEvent]?: EventOf<K> };
  /** how many tests each cause has failed */
  readonly causes: Map<string, number>;
  /** phases of tests that are not over */
  readonly pending: Map<string, PendingTest>;
}

type CountName =
  | "passed"
  | "failed"
  | "errors"
  | "skipped"
  | "xfailed"
  | "xpassed"
  | "deselected"
  | "warnings";

type OnceEvent =
  | "process_start"
  | "session_start"
  | "session_end"
  | "exit"
  | "process_end"
  | "internal_error"
  | "interrupted"
  | "usage_error"
  | "json_report"
  | "spawn_failure"
  | "busy"
  | "cancelled"
  | "selection"
  | "refused"
  | "resume_point"
  | "sharded"
  | "last_failed"
  | "durations"
  | "coverage";

/** How much a report keeps. */
export interface ReportDetail {
  /** every test by name; otherwise only those that failed, and each cause in full only once */
  readonly everyTest: boolean;
}

/** A report of nothing. */
export function createRunReport(): RunReport {
  return {
    failed: [],
    skipped: [],
    passed: [],
    counts: {
      passed: 0,
      failed: 0,
      errors: 0,
      skipped: 0,
      xfailed: 0,
      xpassed: 0,
      deselected: 0,
      warnings: 0,
    },
    collected: null,
    finished: 0,
    running: new Set(),
    collectionErrors: new Map(),
    collectionSkips: new Set(),
    functions: new Map(),
    items: [],
    unknownIds: [],
    workersDown: [],
    conftestErrors: [],
    interruptedImport: false,
    stacks: [],
    last: {},
    causes: new Map(),
    pending: new Map(),
  };
}

/** Adds what an event says. */
export function addEvent(report: RunReport, event: PytestEvent, detail: ReportDetail): void {
  switch (event.event) {
    case "begin":
      report.running.add(event.id);
      break;
    case "passed":
    case "finished":
      finishTest(report, event, detail);
      report.running.delete(event.id);
      break;
    case "report":
      addPhase(report, event);
      break;
    case "collecting":
    case "plugin_error":
    case "markers":
    case "fixtures":
      break;
    case "items":
      for (const item of event.items) report.items.push(item);
      break;
    case "functions":
      for (const [id, count] of event.counts) {
        report.functions.set(id, (report.functions.get(id) ?? 0) + count);
      }
      break;
    case "collected":
      report.collected = event.total;
      break;
    case "deselected":
      report.counts.deselected += event.count;
      break;
    case "warning":
      report.counts.warnings++;
      break;
    case "collection_error":
      addCollectionError(report, event);
      break;
    case "collection_skip":
      addCollectionSkip(report, event, detail);
      break;
    case "unknown_ids":
      report.unknownIds.push(...event.ids);
      break;
    case "worker_down":
      report.workersDown.push(event);
      break;
    case "stacks":
      report.stacks.push(event.text);
      break;
    case "conftest_error":
      report.conftestErrors.push(event);
      break;
    case "process_end":
      if (event.timed_out) forgetOwnInterrupt(report);
      finishFailing(report, detail);
      remember(report, event);
      break;
    default:
      remember(report, event);
  }
}

function remember(report: RunReport, event: EventOf<OnceEvent>): void {
  Object.assign(report.last, { [event.event]: event });
}

/** xdist tells a collection error once for each worker; a file may also fail in two places, and two classes alike. */
function addCollectionError(report: RunReport, event: EventOf<"collection_error">): void {
  const at = event.error?.frames.at(-1);
  const key = `${event.id}\n${event.error?.type ?? ""}\n${at?.path ?? ""}:${at?.line ?? ""}`;
  if (report.collectionErrors.has(key)) return;
  report.collectionErrors.set(key, event);
  report.counts.errors++;
}

function addCollectionSkip(
  report: RunReport,
  { id, reason }: EventOf<"collection_skip">,
  { everyTest }: ReportDetail,
): void {
  if (report.collectionSkips.has(id)) return;
  report.collectionSkips.add(id);
  report.counts.skipped++;
  if (everyTest) report.skipped.push({ id, duration: 0, reason });
}

/** What was being imported at the timeout did not fail: we interrupted it. */
function forgetOwnInterrupt(report: RunReport): void {
  const isOwn = ({ error }: { error: ExceptionData | null }) => error?.type === "KeyboardInterrupt";
  for (const [key, event] of report.collectionErrors) {
    if (!isOwn(event)) continue;
    report.interruptedImport = true;
    report.collectionErrors.delete(key);
    report.counts.errors--;
  }
  const others = report.conftestErrors.filter((event) => !isOwn(event));
  report.conftestErrors.splice(0, report.conftestErrors.length, ...others);
}
