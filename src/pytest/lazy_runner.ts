/**
 * The runner, loaded when it is first needed: a client waits for the answer to `initialize`, which needs none.
 *
 * @module
 */
import type { OwnedPytestRunner, PytestRunnerOptions } from "./pytest_process.ts";

/** Like `createPytestRunner()`, but nothing of it is loaded before it has something to do. */
export function createLazyRunner(options: PytestRunnerOptions): OwnedPytestRunner {
  let loading: Promise<OwnedPytestRunner> | undefined;
  const load = () => loading ??= loadRunner(options);
  return {
    prepare() {
      if (options.prewarm) load().then((runner) => runner.prepare());
    },
    async *run(request, options) {
      yield* (await load()).run(request, options);
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.[Symbol.asyncDispose]();
    },
  };
}

async function loadRunner(options: PytestRunnerOptions): Promise<OwnedPytestRunner> {
  const { createPytestRunner } = await import("./pytest_process.ts");
  return createPytestRunner(options);
}
