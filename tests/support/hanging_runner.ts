import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { PytestRequest, PytestRunner } from "../../src/domain/pytest_runner.ts";

/** A run of the hanging runner. */
export interface HangingRun {
  readonly request: PytestRequest;
  /** Lets the run go on with these events, and end. */
  readonly finish: (events: Iterable<PytestEvent>) => void;
}

/** The fake runner's other half: runs that last until the test ends them, or their signal does. */
export class HangingRunner implements PytestRunner {
  readonly runs: HangingRun[] = [];
  /** requests of runs that their signal ended */
  readonly cancelled: PytestRequest[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];

  /** Resolves when this many runs have begun. */
  begun(count: number): Promise<void> {
    if (this.runs.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async *run(
    request: PytestRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<PytestEvent> {
    const { promise, resolve } = Promise.withResolvers<Iterable<PytestEvent> | null>();
    const cancel = () => resolve(null);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    this.runs.push({ request, finish: resolve });
    for (const entry of this.#waiting) if (this.runs.length >= entry.count) entry.resolve();
    const events = await promise;
    signal.removeEventListener("abort", cancel);
    if (events === null) {
      this.cancelled.push(request);
      yield { event: "cancelled" };
    } else yield* events;
  }
}
