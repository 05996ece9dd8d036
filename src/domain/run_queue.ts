/**
 * A limit on concurrent runs, as a runner around a runner: what does not fit waits in line, what does
 * not even fit there is told so at once.
 *
 * @module
 */
import type { PytestRunner } from "./pytest_runner.ts";

/** How many runs at once, and how many more may wait. */
export interface RunLimits {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
}

/** Limits a runner. Waiting is not part of a run's timeout, and a run that waits can be cancelled. */
export function limitRuns(
  runner: PytestRunner,
  { maxConcurrent, maxWaiting }: RunLimits,
): PytestRunner {
  let running = 0;
  const waiting = new Set<() => void>();

  function release(): void {
    running--;
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    // Taken on behalf of the one that waited: nobody who arrives meanwhile may overtake it.
    running++;
    next();
  }

  function waitForTurn(signal: AbortSignal): Promise<"turn" | "cancelled"> {
    return new Promise((resolve) => {
      const cancel = () => {
        waiting.delete(turn);
        resolve("cancelled");
      };
      const turn = () => {
        signal.removeEventListener("abort", cancel);
        resolve("turn");
      };
      waiting.add(turn);
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  return {
    async *run(request, options) {
      if (options.signal.aborted) {
        yield { event: "cancelled" };
        return;
      }
      if (running < maxConcurrent) {
        running++;
      } else if (waiting.size >= maxWaiting) {
        yield { event: "busy", running, waiting: waiting.size };
        return;
      } else if (await waitForTurn(options.signal) === "cancelled") {
        yield { event: "cancelled" };
        return;
      }
      try {
        yield* runner.run(request, options);
      } finally {
        release();
      }
    },
  };
}
