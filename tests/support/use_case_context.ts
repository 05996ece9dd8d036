import { parseDiscoverParams } from "../../src/domain/discover_params.ts";
import type { DiscoverResult } from "../../src/domain/discover_result.ts";
import { discoverTests } from "../../src/domain/discover_tests.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { Outcome } from "../../src/domain/run_failure.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/domain/settings.ts";
import { fakeRunner } from "./fake_runner.ts";
import { memoryFiles } from "./memory_files.ts";

const FILES = memoryFiles({ "tests": "directory", "tests/test_a.py": "file" });

/** One call of a tool on events that are given. */
export interface Call {
  readonly params?: Record<string, unknown>;
  readonly settings?: Partial<Settings>;
}

/** execute_tests as a client would call it, on a run that says `events`. */
export async function execute(
  events: Iterable<PytestEvent>,
  call: Call = {},
): Promise<Outcome<ExecuteResult>> {
  const context = contextOf(events, call);
  const params = parseExecuteParams(call.params ?? {}, context);
  return params.ok ? await executeTests(params.result, context) : params;
}

/** discover_tests as a client would call it, on a collection that says `events`. */
export async function discover(
  events: Iterable<PytestEvent>,
  call: Call = {},
): Promise<Outcome<DiscoverResult>> {
  const context = contextOf(events, call);
  const params = parseDiscoverParams(call.params ?? {}, context);
  return params.ok ? await discoverTests(params.result, context) : params;
}

function contextOf(events: Iterable<PytestEvent>, { settings }: Call) {
  return {
    runner: fakeRunner(events),
    files: FILES,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    signal: new AbortController().signal,
  };
}
