import { readText } from "./read_text.ts";
import { loaderVariables } from "./spawn_python.ts";

/** How a program ended. */
export interface ProgramOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a program runs, and what it reads. */
export interface ProgramOptions {
  readonly root: string;
  readonly signal?: AbortSignal;
  readonly input?: string;
  /** variables beside those of the server */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program that is not Python to its end; nothing in `command` may come from a request. */
export async function runProgram(
  command: readonly string[],
  { root, signal, input = "", environment }: ProgramOptions,
): Promise<ProgramOutput> {
  const [program = "", ...args] = command;
  const start = (env: Record<string, string>) =>
    new Deno.Command(program, {
      args,
      cwd: root,
      env: { ...environment, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...(signal === undefined ? {} : { signal }),
    }).spawn();
  let child: Deno.ChildProcess;
  try {
    child = start({});
  } catch (error) {
    const names = loaderVariables(error);
    if (names.length === 0) throw error;
    // Deno starts no scoped program with these set, and none that is started here needs them.
    child = start(Object.fromEntries(names.map((name) => [name, ""])));
  }
  let tooLong = false;
  const tooMuch = () => {
    tooLong = true;
    try {
      child.kill("SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  };
  const [{ code }, stdout, stderr] = await Promise.all([
    child.status,
    readText(child.stdout, tooMuch),
    readText(child.stderr, tooMuch),
    // A program that ends without reading shows in its exit code.
    new Response(input).body?.pipeTo(child.stdin).catch(() => {}) ?? child.stdin.close(),
  ]);
  if (signal?.aborted) return { code: 1, stdout: "", stderr: "it did not answer in time" };
  return tooLong
    ? { code: 1, stdout: "", stderr: "it said more than can be read" }
    : { code, stdout, stderr };
}
