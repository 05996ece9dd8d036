import assert from "node:assert/strict";
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

/**
 * Opens a project with an interpreter that has pytest; `prewarm` starts it ahead of the first call. A defect of our
 * plugin changes no result, so it fails the test here, unless the project does what our plugin cannot stand.
 */
export function openRealProject(
  directory: string,
  python: string,
  { prewarm = false, hostile = false }: { prewarm?: boolean; hostile?: boolean } = {},
): RealProject {
  let servedWarm = false;
  const defects: string[] = [];
  const runner = createPytestRunner({
    root: directory,
    python,
    prewarm,
    overhear: (event) => {
      servedWarm ||= event.event === "accepted";
      if (event.event === "plugin_error") defects.push(event.message);
    },
  });
  runner.prepare();
  const context: UseCaseContext = {
    runner,
    files: openProjectFiles(directory),
    settings: SETTINGS,
    signal: new AbortController().signal,
  };
  const checked = async <T>(outcome: Promise<T>): Promise<T> => {
    const told = await outcome;
    if (!hostile) assert.deepEqual(defects, []);
    return told;
  };
  return {
    get servedWarm() {
      return servedWarm;
    },
    async execute(input) {
      const params: Outcome<ExecuteParams> = parseExecuteParams(input, context);
      return params.ok ? await checked(executeTests(params.result, context)) : params;
    },
    async discover(input) {
      const params: Outcome<DiscoverParams> = parseDiscoverParams(input, context);
      return params.ok ? await checked(discoverTests(params.result, context)) : params;
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
}
