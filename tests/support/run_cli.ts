import { fileURLToPath } from "node:url";
import { denoRunFlags } from "../../src/cli/permissions.ts";

/** main.ts of this checkout. */
export const MAIN: string = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** Where the fixture projects are. */
export const PROJECTS: string = fileURLToPath(new URL("../../fixtures/projects/", import.meta.url));

/** How the program is run. */
export interface CliOptions {
  /** the directory where it is started: the root */
  readonly cwd: string;
  /** an interpreter that it may start beside the usual ones */
  readonly python?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a program left behind. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line of pytest-mcp from this checkout, under exactly the flags that users get. */
export function cliCommand(args: readonly string[], { python }: CliOptions): string[] {
  const flags = denoRunFlags("checkout", {
    platform: Deno.build.os === "windows" ? "windows" : "posix",
    pythons: python === undefined ? [] : [python],
  });
  return [Deno.execPath(), "run", ...flags, MAIN, ...args];
}

/** Runs pytest-mcp to its end. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const [program = "", ...rest] = cliCommand(args, options);
  const output = await new Deno.Command(program, {
    args: rest,
    cwd: options.cwd,
    env: { NO_COLOR: "", VIRTUAL_ENV: "", CONDA_PREFIX: "", ...options.env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}
