import { fileURLToPath } from "node:url";
import { cliCommand, type CliOptions, type CliResult } from "./run_cli.ts";

const SCRIPT = fileURLToPath(new URL("./in_terminal.py", import.meta.url));

/** What happens in the terminal. */
export interface TerminalOptions extends CliOptions {
  readonly python: string;
  readonly columns: number;
  /** Ctrl-C is typed when this has appeared */
  readonly interruptAt?: string;
}

/** Runs pytest-mcp in a real pseudo-terminal, with `␛` for each escape; there is none on Windows. */
export async function runInTerminal(
  args: readonly string[],
  options: TerminalOptions,
): Promise<CliResult> {
  const { python, columns, interruptAt = "" } = options;
  const output = await new Deno.Command(python, {
    args: [SCRIPT, `${columns}`, interruptAt, ...cliCommand(args, options)],
    cwd: options.cwd,
    env: {
      NO_COLOR: "",
      VIRTUAL_ENV: "",
      CONDA_PREFIX: "",
      TERM: "xterm-256color",
      ...options.env,
    },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const stdout = text(output.stdout).replaceAll("\x1b", "␛");
  return { code: output.code, stdout, stderr: text(output.stderr) };
}

/** The lines that stay on the screen: what stands before an erasure is gone. */
export function screen(written: string): string[] {
  return written.split("\r\n").map((line) => line.split("␛[2K").at(-1) ?? "");
}
