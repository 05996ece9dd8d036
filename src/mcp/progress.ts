import type { RunProgress } from "../domain/use_case.ts";

/** What a progress notification says besides its token. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** At most ten notifications a second, however late one of them arrives. */
const INTERVAL_MILLISECONDS = 110;

/** What paces the reports. */
export interface Clock {
  /** milliseconds */
  now(): number;
  /** Calls back later, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Turns every step of a run into few notifications: paced, growing, and none after `stop()`. */
export class ProgressReporter {
  readonly #notify: (progress: McpProgress) => Promise<void>;
  readonly #clock: Clock;
  #latest: RunProgress | undefined;
  #sentFinished = -1;
  #sentAt = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #sending: Promise<void> | undefined;
  #stopped = false;

  constructor(notify: (progress: McpProgress) => Promise<void>, clock: Clock = REAL_CLOCK) {
    this.#notify = notify;
    this.#clock = clock;
  }

  /** Notes how far the run is; says so now, later or never. */
  report(progress: RunProgress): void {
    this.#latest = progress;
    this.#schedule();
  }

  /** Ends the reports; resolves when the last one is out, so that none comes after the answer. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer?.();
    await this.#sending;
  }

  #schedule(): void {
    // A client that does not read is not sent more: the next report waits for the one before.
    if (this.#stopped || this.#cancelTimer !== undefined || this.#sending !== undefined) return;
    if (this.#latest === undefined || this.#latest.finished <= this.#sentFinished) return;
    const wait = this.#sentAt + INTERVAL_MILLISECONDS - this.#clock.now();
    if (wait <= 0) this.#send(this.#latest);
    else {
      this.#cancelTimer = this.#clock.after(wait, () => {
        this.#cancelTimer = undefined;
        this.#schedule();
      });
    }
  }

  #send(progress: RunProgress): void {
    this.#sentFinished = progress.finished;
    this.#sentAt = this.#clock.now();
    this.#sending = this.#notify(toMcpProgress(progress))
      .catch(() => {}) // the connection is gone: the run is being ended for the same reason
      .finally(() => {
        this.#sending = undefined;
        this.#schedule();
      });
  }
}

/** "812/2000 passed 810 failed 2 — tests/test_x.py::test_y" */
export function toMcpProgress(progress: RunProgress): McpProgress {
  const { finished, total, passed, failed, current } = progress;
  const counts = `${finished}/${total ?? "?"} passed ${passed} failed ${failed}`;
  return {
    progress: finished,
    ...(total === null ? {} : { total }),
    message: current === null ? counts : `${counts} — ${current}`,
  };
}
