import { type DiscoverParams, parseDiscoverParams } from "../../src/domain/discover_params.ts";
import type { DiscoverResult } from "../../src/domain/discover_result.ts";
import { discoverTests } from "../../src/domain/discover_tests.ts";
import { type ExecuteParams, parseExecuteParams } from "../../src/domain/execute_params.ts";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import type { Outcome } from "../../src/domain/run_failure.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/domain/settings.ts";
import type { UseCaseContext } from "../../src/domain/use_case.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";

/** A project on disk behind our own use cases and driver, without MCP in front. */
export interface RealProject extends AsyncDisposable {
  /** whether a process that was started ahead of a call has served it */
  readonly servedWarm: boolean;
  execute(input: Record<string, unknown>): Promise<Outcome<ExecuteResult>>;
  discover(input: Record<string, unknown>): Promise<Outcome<DiscoverResult>>;
}

/** Room for every test of a result, so that nothing is left out. */
const SETTINGS: Settings = { ...DEFAULT_SETTINGS, maxResponseChars: 100_000_000 };

/** Opens a project with an interpreter that has pytest; `prewarm` starts it ahead of the first call. */
export function openRealProject(
  directory: string,
  python: string,
  { prewarm = false }: { prewarm?: boolean } = {},
): RealProject {
  let servedWarm = false;
  const runner = createPytestRunner({
    root: directory,
    python,
    prewarm,
    overhear: ({ event }) => servedWarm ||= event === "accepted",
  });
  runner.prepare();
  const context: UseCaseContext = {
    runner,
    files: openProjectFiles(directory),
    settings: SETTINGS,
    signal: new AbortController().signal,
  };
  return {
    get servedWarm() {
      return servedWarm;
    },
    async execute(input) {
      const params: Outcome<ExecuteParams> = parseExecuteParams(input, context);
      return params.ok ? await executeTests(params.result, context) : params;
    },
    async discover(input) {
      const params: Outcome<DiscoverParams> = parseDiscoverParams(input, context);
      return params.ok ? await discoverTests(params.result, context) : params;
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}
