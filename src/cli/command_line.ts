import { type CommandName, COMMANDS, renderCommandHelp } from "./commands.ts";
import { type Flag, type FlagValues, parseFlags } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

/** The exit code of a command line that cannot be understood. */
export const USAGE_EXIT = 2;

/** The flags of a command, or the exit code when help or an error was printed instead. */
export type CommandLine =
  | {
    readonly kind: "go";
    readonly values: FlagValues;
    readonly positionals: readonly string[];
  }
  | { readonly kind: "exit"; readonly code: number };

/** Reads the arguments of `command`; `parameters` are the flags that come from a tool. */
export async function readCommandLine(
  command: CommandName,
  args: readonly string[],
  options: { readonly terminal: Terminal; readonly parameters?: readonly Flag[] },
): Promise<CommandLine> {
  const { terminal, parameters = [] } = options;
  const parsed = await parseFlags(args, [...parameters, ...COMMANDS[command].flags]);
  if (!parsed.ok) return { kind: "exit", code: usageError(parsed.message, terminal) };
  if (parsed.values["help"] === true) {
    terminal.out(`${renderCommandHelp(command, { parameters, columns: terminal.columns() })}\n`);
    return { kind: "exit", code: 0 };
  }
  return { kind: "go", values: parsed.values, positionals: parsed.positionals };
}

/** Prints the one line that says what is wrong with the command line, and gives the exit code. */
export function usageError(message: string, terminal: Terminal): number {
  return refuse(`${message} (see pytest-mcp --help)`, terminal);
}

/** Prints the one line that says why the command cannot begin, and gives the exit code. */
export function refuse(message: string, terminal: Terminal): number {
  terminal.err(`pytest-mcp: ${message}\n`);
  return USAGE_EXIT;
}
