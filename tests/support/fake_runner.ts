import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { PytestRequest, PytestRunner } from "../../src/domain/pytest_runner.ts";

/** A runner that says what it is told to say, and remembers what it was asked. */
export interface FakeRunner extends PytestRunner {
  readonly requests: PytestRequest[];
}

/** The one fake of the tests: everything else that touches pytest runs the real one. */
export function fakeRunner(
  events: Iterable<PytestEvent> | ((request: PytestRequest) => Iterable<PytestEvent>),
): FakeRunner {
  const requests: PytestRequest[] = [];
  return {
    requests,
    async *run(request, { signal }) {
      requests.push(request);
      for (const event of typeof events === "function" ? events(request) : events) {
        await Promise.resolve();
        if (signal.aborted) {
          yield { event: "cancelled" };
          return;
        }
        yield event;
      }
    },
  };
}
