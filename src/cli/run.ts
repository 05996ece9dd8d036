/**
 * `pytest-mcp run`: execute_tests once, for a person.
 *
 * @module
 */
import { executeInputJsonSchema, parseExecuteParams } from "../domain/execute_params.ts";
import type { ExecuteResult } from "../domain/execute_result.ts";
import { executeTests } from "../domain/execute_tests.ts";
import { failureStyle } from "../domain/failure_text.ts";
import type { Outcome } from "../domain/run_failure.ts";
import { renderExtras } from "./extras_text.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { renderRunFailure } from "./failure_text.ts";
import { openToolCommand } from "./tool_command.ts";
import { createRunView } from "./run_view.ts";
import { renderSummary } from "./run_summary_text.ts";
import { awaitEnd } from "./signals.ts";
import { createStyle } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { watchRunner } from "./watch_runner.ts";

/** The command; its exit code is pytest's. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = await openToolCommand("run", args, {
    terminal,
    schema: executeInputJsonSchema,
    positionals: "node_ids",
  });
  if (command.kind === "exit") return command.code;
  await using runner = command.project.runner;
  const { settings, input, json } = command;
  const { files } = command.project;
  const params = parseExecuteParams(input, { settings, files });
  if (!params.ok) return showOutcome(params, { terminal, json });

  using end = awaitEnd();
  if (json) {
    const context = { runner, files, settings, signal: end.signal };
    return showOutcome(await executeTests(params.result, context), { terminal, json });
  }
  const view = createRunView({
    terminal,
    everyTest: params.result.verbosity > 0,
    detail: failureStyle(params.result, files),
    now: () => performance.now(),
  });
  const ticker = setInterval(view.tick, 500);
  try {
    const outcome = await executeTests(params.result, {
      runner: watchRunner(runner, view.event),
      files,
      settings,
      signal: end.signal,
      onProgress: view.progress,
    });
    view.end();
    // from 2 on, what pytest itself would have shown; at 1 the view has named every test
    if (outcome.ok && params.result.verbosity > 1) terminal.out(outcome.result.text_output ?? "");
    return showOutcome(outcome, { terminal, json });
  } finally {
    clearInterval(ticker);
  }
}

/** Prints how it ended, and gives the exit code. */
export function showOutcome(
  outcome: Outcome<ExecuteResult>,
  { terminal, json }: { terminal: Terminal; json: boolean },
): number {
  const style = createStyle(terminal.color);
  if (outcome.ok) {
    terminal.out(
      json
        ? `${JSON.stringify(outcome.result, null, 2)}\n`
        : renderExtras(outcome.result, style) + `${renderSummary(outcome.result.summary, style)}\n`,
    );
    return outcome.result.exit_code;
  }
  const { failure } = outcome;
  if (json) terminal.out(`${JSON.stringify({ error: failure }, null, 2)}\n`);
  else {
    terminal.err(renderRunFailure(failure, style));
    if (failure.kind === "execution_failure") {
      const { summary, running } = failure.data;
      const incomplete = { interrupted: running.length };
      if (summary.total + running.length > 0) {
        terminal.out(`${renderSummary(summary, style, incomplete)}\n`);
      }
    }
  }
  return exitCodeOf(failure);
}
