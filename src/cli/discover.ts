/**
 * `pytest-mcp discover`: discover_tests once, for a person.
 *
 * @module
 */
import { discoverInputJsonSchema, parseDiscoverParams } from "../domain/discover_params.ts";
import type { DiscoverResult } from "../domain/discover_result.ts";
import { discoverTests } from "../domain/discover_tests.ts";
import type { Outcome } from "../domain/run_failure.ts";
import { renderCollectionError, renderRunFailure } from "./failure_text.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { awaitEnd } from "./signals.ts";
import { createStyle } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { renderTestTree } from "./test_tree_text.ts";
import { openToolCommand } from "./tool_command.ts";

/** pytest's codes for a collection with errors, and for one without tests. */
const COLLECTION_ERRORS = 2;
const NO_TESTS = 5;

/** The command; its exit code is that of `pytest --collect-only`. */
export async function discover(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = openToolCommand("discover", args, {
    terminal,
    schema: discoverInputJsonSchema,
    positionals: "path",
  });
  if (command.kind === "exit") return command.code;
  await using runner = command.project.runner;
  const { json, input, settings } = command;
  const { files } = command.project;
  using end = awaitEnd();
  const context = { runner, files, settings, signal: end.signal };
  const ask = async (parameters: Record<string, unknown>): Promise<Outcome<DiscoverResult>> => {
    const params = parseDiscoverParams(parameters, context);
    return params.ok ? await discoverTests(params.result, context) : params;
  };
  if (json) {
    const outcome = await ask(input);
    const shown = outcome.ok ? outcome.result : { error: outcome.failure };
    terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    return outcome.ok ? exitCode(outcome.result) : exitCodeOf(outcome.failure);
  }
  const style = createStyle(terminal.color);
  let page = await ask({ ...input, view: "tree" });
  let shown = 0;
  while (page.ok) {
    const { tree, next_cursor: cursor, collection_errors: errors, count } = page.result;
    terminal.out(renderTestTree(tree ?? {}, style));
    shown += Object.keys(tree ?? {}).length;
    if (cursor !== null) {
      page = await ask({ ...input, view: "tree", cursor });
      continue;
    }
    for (const error of errors) terminal.out(renderCollectionError(error, style));
    terminal.out(
      `${style.bold(`${count} ${count === 1 ? "test" : "tests"}`)} in ${shown} ${
        shown === 1 ? "file" : "files"
      }\n`,
    );
    return exitCode(page.result);
  }
  terminal.err(renderRunFailure(page.failure, style));
  return exitCodeOf(page.failure);
}

function exitCode({ collection_errors, count }: DiscoverResult): number {
  if (collection_errors.length > 0) return COLLECTION_ERRORS;
  return count === 0 ? NO_TESTS : 0;
}
