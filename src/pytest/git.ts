import { mayRun } from "./deno_python_host.ts";
import { loaderVariables } from "./spawn_python.ts";

/** The program, by its name on PATH. */
export const GIT = "git";

/** How a command of git ended. */
export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command of git runs, and what it reads. */
export interface GitOptions {
  readonly root: string;
  readonly signal?: AbortSignal;
  readonly input?: string;
}

/** Whether git is there and Deno lets us start it. */
export function mayRunGit(): boolean {
  return mayRun(GIT);
}

/** Runs one command of git; nothing in `args` may come from a request. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitOutput> {
  const { root, signal, input = "" } = options;
  const start = (env: Record<string, string>) =>
    new Deno.Command(GIT, {
      args: ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", ...args],
      cwd: root,
      env: { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", ...env },
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
    // Deno starts no scoped program with these set, and git does not need them.
    child = start(Object.fromEntries(names.map((name) => [name, ""])));
  }
  const [{ code, stdout, stderr }] = await Promise.all([
    child.output(),
    // A program that ends without reading shows in its exit code.
    new Response(input).body?.pipeTo(child.stdin).catch(() => {}) ?? child.stdin.close(),
  ]);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Makes a change that a person has asked for, where this program may write no file itself; null: it is made. */
export async function applyPatch(root: string, patch: string): Promise<string | null> {
  if (!mayRunGit()) return "git is not there, or Deno may not run it";
  const plain = ["-c", "core.autocrlf=false", "-c", "core.safecrlf=false"];
  // Told how much of a path to leave out, git takes the rest from here, also in a part of a repository.
  const args = [...plain, "apply", "-p1", "--whitespace=nowarn", "-"];
  const applied = await runGit(args, { root, input: patch });
  return applied.code === 0 ? null : applied.stderr.trim();
}
