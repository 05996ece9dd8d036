import type { PytestEvent } from "../domain/pytest_event.ts";
import type { PytestRunner } from "../domain/pytest_runner.ts";

/** The same runner, with somebody looking on. */
export function watchRunner(
  runner: PytestRunner,
  onEvent: (event: PytestEvent) => void,
): PytestRunner {
  return {
    async *run(request, options) {
      for await (const event of runner.run(request, options)) {
        onEvent(event);
        yield event;
      }
    },
  };
}
