/**
 * The commands and the flags that do not belong to a tool: the one table behind parsing and --help.
 *
 * @module
 */
import { describeFlag, type Flag, twoColumns } from "./flags.ts";

/** What a person can type after `pytest-mcp`. */
export const COMMAND_NAMES = ["serve", "run", "discover", "doctor", "config"] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

const ROOT: Flag = {
  name: "root",
  value: "DIR",
  help: "the project; default: the working directory",
};
const PYTHON: Flag = {
  name: "python",
  value: "PATH",
  help: "interpreter to use; default: the active, the nearest or the first on PATH",
};
const HELP: Flag = { name: "help", short: "h", help: "show this text" };
const JSON_FLAG: Flag = { name: "json", help: "print the result as JSON" };
const MAX_RESPONSE: Flag = {
  name: "max-response-chars",
  value: "N",
  help: "characters of a result; what is left out is announced; default 10000",
};
const MAX_SHOWN: Flag = {
  ...MAX_RESPONSE,
  help:
    "characters of a result; what is left out is announced; default: 10000 with --json, else all",
};
const LOG_LEVEL: Flag = {
  name: "log-level",
  value: "LEVEL",
  help: "debug, info, warn or error; logs go to stderr, one JSON object a line; default warn",
};

const ISOLATION: readonly Flag[] = [
  {
    name: "sandbox",
    help: "run tests under bubblewrap (Linux): all read-only but the project, no network, no home",
  },
  { name: "max-memory", value: "MB", help: "memory of each process of a run" },
  { name: "max-processes", value: "N", help: "processes and threads that a run may start" },
  { name: "max-cpu-seconds", value: "N", help: "processor time of each process of a run" },
];

/** One command as the help text shows it. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** in addition, run and discover take the parameters of their tool as flags */
  readonly flags: readonly Flag[];
}

/** Every command; `serve` is the default. */
export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve: {
    usage: "[serve] [flags]",
    summary: "MCP server on stdin and stdout (the default); ends when stdin closes",
    flags: [
      ROOT,
      PYTHON,
      { name: "timeout", value: "SECONDS", help: "of a run that names none; default 300" },
      {
        name: "max-timeout",
        value: "SECONDS",
        help: "the most that a run may ask for; default 3600",
      },
      MAX_RESPONSE,
      {
        name: "max-concurrent-runs",
        value: "N",
        help: "runs at once, further ones wait; default: the number of cores",
      },
      { name: "no-prewarm", help: "do not start Python ahead of the next run" },
      { name: "audit-log", value: "FILE", help: "append one JSON line a call; - is stderr" },
      ...ISOLATION,
      LOG_LEVEL,
      HELP,
    ],
  },
  run: {
    usage: "run [flags] [test, file or directory …]",
    summary: "run tests once, as execute_tests does; exits with pytest's exit code",
    flags: [ROOT, PYTHON, MAX_SHOWN, ...ISOLATION, JSON_FLAG, LOG_LEVEL, HELP],
  },
  discover: {
    usage: "discover [flags] [file or directory]",
    summary: "list tests once, as discover_tests does",
    flags: [ROOT, PYTHON, MAX_SHOWN, ...ISOLATION, JSON_FLAG, LOG_LEVEL, HELP],
  },
  doctor: {
    usage: "doctor [flags]",
    summary: "check interpreter, pytest, settings and permissions, and say how to mend each",
    flags: [ROOT, PYTHON, JSON_FLAG, HELP],
  },
  config: {
    usage: "config [flags] CLIENT",
    // not taken from clients.ts: every start of the server would read that
    summary:
      "print what makes an MCP client start the server: claude-code, claude-desktop, cursor, " +
      "vscode, codex, gemini, zed, opencode, goose",
    flags: [
      ROOT,
      PYTHON,
      {
        name: "form",
        value: "FORM",
        help: "binary, jsr or checkout; default: the form of this program",
      },
      { name: "sandbox", help: "let the server run tests in its sandbox" },
      { name: "diff", help: "print the change to the project's file as a patch" },
      { name: "write", help: "show the change to the project's file and make it" },
      HELP,
    ],
  },
};

/** The command that `args` ask for, with what is left for it to read. */
export type ChosenCommand =
  | { readonly kind: "command"; readonly name: CommandName; readonly args: readonly string[] }
  | { readonly kind: "help" | "version" }
  | { readonly kind: "error"; readonly message: string };

/** Reads the first argument only: the rest belongs to the command. */
export function chooseCommand(args: readonly string[]): ChosenCommand {
  const [first, ...rest] = args;
  if (first === "--help" || first === "-h" || first === "help") return { kind: "help" };
  if (first === "--version" || first === "-V") return { kind: "version" };
  if (first === undefined || first.startsWith("-")) return { kind: "command", name: "serve", args };
  const name = COMMAND_NAMES.find((known) => known === first);
  if (name !== undefined) return { kind: "command", name, args: rest };
  return {
    kind: "error",
    message: `Unknown command '${first}': the commands are ${COMMAND_NAMES.join(", ")}`,
  };
}

/** Characters in a line of help, where nobody can say how wide the terminal is. */
const USUAL_WIDTH = 80;

/** Longer lines are hard to read, however wide the terminal. */
const WIDEST = 100;

/** The text of `pytest-mcp --help`. */
export function renderHelp(version: string, columns = USUAL_WIDTH): string {
  const width = Math.min(columns, WIDEST);
  const commands = COMMAND_NAMES.map((name) =>
    [`pytest-mcp ${COMMANDS[name].usage}`, COMMANDS[name].summary] as const
  );
  return [
    `pytest-mcp ${version}: pytest for AI agents, without a shell`,
    "",
    twoColumns(commands, width),
    "",
    "Flags of serve:",
    twoColumns(COMMANDS.serve.flags.map(describeFlag), width),
    "",
    "'pytest-mcp COMMAND --help' shows the flags of another command.",
  ].join("\n");
}

/** The text of `pytest-mcp COMMAND --help`; `parameters` are the flags that come from a tool. */
export function renderCommandHelp(
  name: CommandName,
  options: { readonly parameters: readonly Flag[]; readonly columns: number },
): string {
  const { usage, summary, flags } = COMMANDS[name];
  const { parameters, columns } = options;
  const width = Math.min(columns, WIDEST);
  return [
    `pytest-mcp ${usage}`,
    summary,
    ...(parameters.length === 0 ? [] : ["", twoColumns(parameters.map(describeFlag), width)]),
    "",
    twoColumns(flags.map(describeFlag), width),
  ].join("\n");
}
