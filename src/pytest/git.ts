/**
 * git, such that nothing which a repository configures is run: neither by its settings nor by its hooks.
 *
 * @module
 */
import { mayRun } from "./deno_python_host.ts";
import { type ProgramOptions, type ProgramOutput, runProgram } from "./run_program.ts";

/** The program, by its name on PATH. */
export const GIT = "git";

/** Where git runs. */
export interface GitOptions extends ProgramOptions {
  /** the repository, relative to the root; default: there */
  readonly at?: string;
  /** what starts git, such as a sandbox; default: nothing */
  readonly wrapper?: readonly string[];
}

/** Runs one command of git; nothing in `args` may come from a request. */
export type Git = (...args: string[]) => Promise<ProgramOutput>;

const SETTINGS = [
  ...["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"],
  // A diff would write the index anew when times have changed, and then call a hook.
  ...["-c", "diff.autoRefreshIndex=false", "-c", "core.hooksPath=/dev/null"],
];
const VARIABLES = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // Objects that are missing are not fetched, not even by a git that does not know the first of these.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Whether git is there and Deno lets us start it. */
export function mayRunGit(): boolean {
  return mayRun(GIT);
}

/** git for one repository, with every filter set to nothing: they are programs, and attributes name them. */
export async function openGit(options: GitOptions): Promise<Git | { readonly problem: string }> {
  const environment = { ...options.environment, ...VARIABLES };
  const { at = ".", wrapper = [] } = options;
  const start = [...wrapper, GIT, "-C", at, ...SETTINGS];
  const run = (args: readonly string[]) =>
    runProgram([...start, ...args], { ...options, environment });
  const { code, stdout, stderr } = await run(["config", "--list", "--name-only", "-z"]);
  if (code !== 0) return { problem: stderr };
  const filters = stdout.split("\0").filter((key) =>
    /^filter\..*\.(clean|smudge|process|required)$/s.test(key)
  );
  // On a command line a name ends at the first "=", and one that is not UTF-8 does not come through.
  const unfit = filters.find((key) => /[=\uFFFD]/.test(key));
  if (unfit !== undefined) return { problem: `the filter ${unfit} cannot be switched off` };
  const off = filters.flatMap((key) => ["-c", `${key}=`]);
  return (...args) => run([...off, ...args]);
}

/** Makes a change that a person has asked for, where this program may write no file itself; null: it is made. */
export async function applyPatch(root: string, patch: string): Promise<string | null> {
  if (!mayRunGit()) return "git is not there, or Deno may not run it";
  const git = await openGit({ root, input: patch });
  if ("problem" in git) return git.problem.trim();
  const plain = ["-c", "core.autocrlf=false", "-c", "core.safecrlf=false"];
  // Told how much of a path to leave out, git takes the rest from here, also in a part of a repository.
  const applied = await git(...plain, "apply", "-p1", "--whitespace=nowarn", "-");
  return applied.code === 0 ? null : applied.stderr.trim();
}
