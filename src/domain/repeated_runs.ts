/**
 * Several runs of the same tests as one: each test once, by the worst that became of it, and how often
 * it passed and failed.
 *
 * @module
 */
import { clipInline } from "./clip.ts";
import type { ExecuteResult } from "./execute_result.ts";
import { failureMessage } from "./failure_text.ts";
import { withoutAddresses } from "./root_cause.ts";
import { createRunReport, type RunReport } from "./run_report.ts";
import type { FailedTest, OtherTest } from "./test_outcome.ts";

interface Tally {
  passed: number;
  failed: number;
  /** as it failed, passed and was skipped first */
  failure: FailedTest | null;
  pass: OtherTest | null;
  skip: OtherTest | null;
  /** message → how often */
  readonly messages: Map<string, number>;
}

/** Distinct messages of one test; more of them have no pattern. */
const MOST_MESSAGES = 5;
const MESSAGE_CHARS = 200;

/** Gathers runs; each must list every test. */
export class RepeatedRuns {
  readonly #tallies = new Map<string, Tally>();
  readonly #collectionErrors: RunReport["collectionErrors"] = new Map();
  readonly #collectionSkips = new Set<string>();
  #first: RunReport | null = null;
  /** the run that collected most: it speaks for what should be the same in all */
  #widest: RunReport | null = null;
  #last: RunReport = createRunReport();
  #runs = 0;
  #seconds = 0;
  #longest = 0;

  /** how many were added */
  get runs(): number {
    return this.#runs;
  }

  /** seconds that all runs took */
  get seconds(): number {
    return this.#seconds;
  }

  /** seconds of the one that took longest */
  get longest(): number {
    return this.#longest;
  }

  /** Adds a run, complete or not. */
  add(report: RunReport): void {
    this.#runs++;
    this.#first ??= report;
    if (this.#widest === null || (report.collected ?? 0) > (this.#widest.collected ?? 0)) {
      this.#widest = report;
    }
    this.#last = report;
    const seconds = report.last.process_end?.duration ?? 0;
    this.#seconds += seconds;
    this.#longest = Math.max(this.#longest, seconds);
    for (const [key, error] of report.collectionErrors) this.#collectionErrors.set(key, error);
    for (const id of report.collectionSkips) this.#collectionSkips.add(id);
    for (const test of report.passed) {
      const tally = this.#tally(test.id);
      tally.passed++;
      tally.pass ??= test;
    }
    for (const test of report.skipped) this.#tally(test.id).skip ??= test;
    for (const test of report.failed) {
      const tally = this.#tally(test.id);
      tally.failed++;
      tally.failure ??= test;
      const message = messageOf(test);
      tally.messages.set(message, (tally.messages.get(message) ?? 0) + 1);
    }
  }

  /** All runs as one; passing and skipped tests by name only if asked. */
  merged({ everyTest }: { everyTest: boolean }): RunReport {
    const widest = this.#widest ?? this.#last;
    const none = { passed: 0, failed: 0, skipped: 0, xfailed: 0, xpassed: 0 };
    const report: RunReport = {
      ...widest,
      failed: [],
      passed: [],
      skipped: [],
      collectionErrors: this.#collectionErrors,
      collectionSkips: this.#collectionSkips,
      counts: { ...widest.counts, ...none, errors: this.#collectionErrors.size },
      finished: this.#tallies.size - this.#collectionSkips.size,
      running: this.#last.running,
      workersDown: this.#last.workersDown,
      stacks: this.#last.stacks,
      // Only the first run tells which tests were chosen.
      last: { ...chosenBy(this.#first), ...this.#last.last },
    };
    for (const { failure, pass, skip } of this.#tallies.values()) {
      if (failure !== null) {
        report.counts[failure.outcome === "failed" ? "failed" : "errors"]++;
        report.failed.push(failure);
        continue;
      }
      const other = pass ?? skip;
      const kind = pass === null ? "skipped" : "passed";
      report.counts[kind]++;
      if (other?.xfail) report.counts[pass === null ? "xfailed" : "xpassed"]++;
      if (everyTest && other !== null) report[kind].push(other);
    }
    const end = this.#last.last.process_end;
    if (end !== undefined) report.last.process_end = { ...end, duration: this.#seconds };
    return report;
  }

  /** The tests that failed, flaky ones first; `asked` runs were wanted. */
  result(asked: number): NonNullable<ExecuteResult["repeat"]> {
    const failing = [...this.#tallies].filter(([, { failed }]) => failed > 0);
    const tests = failing.map(([node_id, { passed, failed, skip, messages }]) => ({
      node_id,
      passed,
      failed,
      // One that fails as expected in another run has done there what it should.
      flaky: passed > 0 || skip?.xfail === true,
      messages: [...messages].sort((a, b) => b[1] - a[1]).slice(0, MOST_MESSAGES)
        .map(([message, count]) => ({ message, count })),
    }));
    return {
      runs: this.#runs,
      ...(this.#runs === asked ? {} : { asked }),
      flaky: tests.filter(({ flaky }) => flaky).length,
      tests: tests.sort((a, b) => Number(b.flaky) - Number(a.flaky)),
    };
  }

  #tally(id: string): Tally {
    let tally = this.#tallies.get(id);
    if (tally === undefined) {
      tally = {
        passed: 0,
        failed: 0,
        failure: null,
        pass: null,
        skip: null,
        messages: new Map(),
      };
      this.#tallies.set(id, tally);
    }
    return tally;
  }
}

function chosenBy(first: RunReport | null): Partial<RunReport["last"]> {
  const { selection, sharded, last_failed } = first?.last ?? {};
  return {
    ...(selection && { selection }),
    ...(sharded && { sharded }),
    ...(last_failed && { last_failed }),
  };
}

/** The name that xdist gave to a worker. */
const WORKER = /^worker '\w+' crashed/;

/** Neither another place in memory nor another worker makes another message. */
function messageOf({ failures: [failure] }: FailedTest): string {
  if (failure === undefined) return "failed";
  const message = withoutAddresses(failureMessage(failure));
  return clipInline(message.replace(WORKER, "a worker crashed"), MESSAGE_CHARS);
}
