/**
 * `pytest-mcp discover`: discover_tests once, for a person.
 *
 * @module
 */
import { discoverInputJsonSchema, parseDiscoverParams } from "../domain/discover_params.ts";
import type { DiscoverResult, TestTree } from "../domain/discover_result.ts";
import { discoverTests } from "../domain/discover_tests.ts";
import type { Outcome } from "../domain/run_failure.ts";
import { renderCollectionError, renderRunFailure } from "./failure_text.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { renderExtras } from "./extras_text.ts";
import { createRunView } from "./run_view.ts";
import { awaitEnd } from "./signals.ts";
import { createStyle, printable, type Style } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { renderTestTree } from "./test_tree_text.ts";
import { openToolCommand } from "./tool_command.ts";

/** pytest's codes for a collection with errors, and for one without tests. */
const COLLECTION_ERRORS = 2;
const NO_TESTS = 5;

/** The command; its exit code is that of `pytest --collect-only`. */
export async function discover(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = await openToolCommand("discover", args, {
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
  const view = input["view"] ?? "tree";
  // who names a page wants that page; all others want everything
  const onePage = input["limit"] !== undefined || input["cursor"] !== undefined;
  const shown = new Map<string, TestTree[string]>();
  let page = await tellThatItCollects(terminal, ask({ ...input, view }));
  while (page.ok) {
    const { tests, tree, next_cursor: cursor, count } = page.result;
    for (const { node_id } of tests) terminal.out(`${printable(node_id)}\n`);
    addTree(shown, tree ?? {});
    if (cursor !== null && !onePage) {
      page = await tellThatItCollects(terminal, ask({ ...input, view, cursor }));
      continue;
    }
    terminal.out(renderTestTree(Object.fromEntries(shown), style));
    const sum = `${style.bold(plural(count, "test"))}${
      onePage ? " in all" : view === "tree" ? ` in ${plural(shown.size, "file")}` : ""
    }${onePage && cursor !== null ? `; the next page: --cursor ${cursor}` : ""}\n`;
    // a list of ids is for other programs: nothing else is in it
    const tell = view === "tree" ? terminal.out : terminal.err;
    tell(renderEnd(page.result, style) + sum);
    return exitCode(page.result);
  }
  terminal.err(renderRunFailure(page.failure, style));
  return exitCodeOf(page.failure);
}

/** A person at a terminal sees that time passes. */
async function tellThatItCollects<T>(terminal: Terminal, answer: Promise<T>): Promise<T> {
  const view = createRunView({ terminal, everyTest: false, now: () => performance.now() });
  const ticker = setInterval(view.tick, 500);
  try {
    return await answer;
  } finally {
    clearInterval(ticker);
    view.end();
  }
}

/** What belongs to no single test. */
function renderEnd({ collection_errors, selection }: DiscoverResult, style: Style): string {
  const errors = collection_errors.map((error) => renderCollectionError(error, style));
  return errors.join("") + (selection === undefined ? "" : renderExtras({ selection }, style));
}

/** A page may end within a file. */
function addTree(all: Map<string, TestTree[string]>, tree: TestTree): void {
  for (const [file, added] of Object.entries(tree)) {
    const classes = new Map(Object.entries(all.get(file) ?? {}));
    for (const [name, functions] of Object.entries(added)) {
      const known = Object.entries(classes.get(name) ?? {});
      classes.set(name, Object.fromEntries([...known, ...Object.entries(functions)]));
    }
    all.set(file, Object.fromEntries(classes));
  }
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function exitCode({ collection_errors, count }: DiscoverResult): number {
  if (collection_errors.length > 0) return COLLECTION_ERRORS;
  return count === 0 ? NO_TESTS : 0;
}
