/**
 * Starts a program whose last part is a Python interpreter: the only place that starts any.
 *
 * @module
 */
import { PYTHON_SOURCES } from "./python_sources.ts";

/** Where and how a program is started. */
export interface SpawnOptions {
  readonly root: string;
  /** variables beside those of the server */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts our boot code in an interpreter; throws what `Deno.Command` throws when there is none. `command` is
 * the interpreter, or what starts it and then the interpreter.
 */
export function spawnPython(
  command: readonly string[],
  { root, environment }: SpawnOptions,
): Deno.ChildProcess {
  const [program = "", ...before] = command;
  const code = PYTHON_SOURCES.pytest_mcp_boot;
  const start = (args: string[], env: Record<string, string>) =>
    new Deno.Command(program, {
      args: [...before, "-c", code, ...args],
      cwd: root,
      env: { ...environment, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  try {
    return start([], {});
  } catch (error) {
    const names = loaderVariables(error);
    if (names.length === 0) throw error;
    // Deno starts no scoped program with these set; the Python side sets them again and restarts itself.
    const values = names.map((name) => [name, Deno.env.get(name) ?? ""]);
    const blank = names.map((name) => [name, ""]);
    return start([JSON.stringify(Object.fromEntries(values)), code], Object.fromEntries(blank));
  }
}

/** The LD_* and DYLD_* variables that Deno's refusal to start a program names. */
export function loaderVariables(error: unknown): string[] {
  if (!(error instanceof Deno.errors.NotCapable)) return [];
  return error.message.match(/\b(?:LD|DYLD)_\w+/g) ?? [];
}
