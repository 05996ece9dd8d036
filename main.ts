/**
 * pytest-mcp: pytest for AI agents, without a shell. This file only finds the command; each command
 * is loaded when it is asked for, so that the server starts fast.
 *
 * @module
 */
import config from "./deno.json" with { type: "json" };
import { usageError } from "./src/cli/command_line.ts";
import { chooseCommand, type CommandName, renderHelp } from "./src/cli/commands.ts";
import { openTerminal, type Terminal } from "./src/cli/terminal.ts";

export type { Terminal };

/** Runs one command line and gives its exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const chosen = chooseCommand(args);
  switch (chosen.kind) {
    case "help":
      terminal.out(`${renderHelp(config.version, terminal.columns())}\n`);
      return 0;
    case "version":
      terminal.out(`pytest-mcp ${config.version}\n`);
      return 0;
    case "error":
      return usageError(chosen.message, terminal);
    case "command":
      return await runCommand(chosen.name, chosen.args, terminal);
  }
}

async function runCommand(
  name: CommandName,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  switch (name) {
    case "serve":
      return await (await import("./src/cli/serve.ts")).serve(args, terminal);
    case "run":
      return await (await import("./src/cli/run.ts")).run(args, terminal);
    case "discover":
      return await (await import("./src/cli/discover.ts")).discover(args, terminal);
    case "doctor":
      return await (await import("./src/cli/doctor.ts")).doctor(args, terminal);
    case "config":
      return await (await import("./src/cli/config.ts")).config(args, terminal);
  }
}

/** pytest's exit code for an internal error: 1 would mean that tests failed. */
const INTERNAL_ERROR = 3;

if (import.meta.main) {
  const terminal = openTerminal();
  Deno.exit(
    await main(Deno.args, terminal).catch((error: unknown) => {
      terminal.err(`pytest-mcp: this is a bug: ${error instanceof Error ? error.stack : error}\n`);
      return INTERNAL_ERROR;
    }),
  );
}
