/**
 * Runs the tests of a fixture through the use case, with the real runner, in a marked process tree.
 *
 * @module
 */
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import type { Outcome } from "../../src/domain/run_failure.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import type { Limits } from "../../src/pytest/limits.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { MARK } from "./survivors.ts";

/** One run. */
export interface ProjectRun {
  /** directory of the project */
  readonly root: string;
  readonly python: string;
  /** parameters of execute_tests */
  readonly params?: Record<string, unknown>;
  readonly settings?: Partial<Settings>;
  readonly signal?: AbortSignal;
  readonly sandbox?: boolean;
  /** start the process ahead of the request */
  readonly prewarm?: boolean;
  readonly limits?: Limits;
  /** variables of the server's environment */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A run and the mark that its processes carry. */
export interface MarkedOutcome {
  readonly outcome: Outcome<ExecuteResult>;
  readonly mark: string;
  /** the process that was started ahead of the request has served it */
  readonly warm: boolean;
}

/** Runs execute_tests once; returns when the process has left too. */
export async function runProject(run: ProjectRun): Promise<MarkedOutcome> {
  const files = openProjectFiles(run.root);
  const settings = { ...DEFAULT_SETTINGS, ...run.settings };
  const params = parseExecuteParams(run.params ?? {}, { settings, files });
  const mark = crypto.randomUUID();
  if (!params.ok) return { outcome: params, mark, warm: false };
  const environment = { ...run.environment, [MARK]: mark };
  const { python, sandbox = false, prewarm = false, limits = {} } = run;
  let warm = false;
  await using runner = createPytestRunner({
    root: files.root,
    python,
    environment,
    sandbox,
    prewarm,
    limits,
    overhear: ({ event }) => warm ||= event === "accepted",
  });
  runner.prepare();
  const outcome = await executeTests(params.result, {
    runner,
    files,
    settings,
    signal: run.signal ?? new AbortController().signal,
  });
  return { outcome, mark, warm };
}
