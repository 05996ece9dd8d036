/**
 * What git shows as changed: working tree and index against HEAD, and files that it does not know yet.
 *
 * @module
 */
import type { ChangedLines } from "../domain/pytest_runner.ts";
import { type GitOutput, mayRunGit, runGit } from "./git.ts";
import { lossesOf } from "./patch_losses.ts";

/** For each file what `lossesOf()` says. */
export type LostEffects = Readonly<Record<string, readonly string[]>>;

/** The changes below the root, or why they cannot be known. */
export type GitChanges =
  | {
    readonly changes: ChangedLines;
    /** files whose old lines provided what they no longer do, with the effects of importing them that are gone */
    readonly losing: LostEffects;
  }
  | { readonly problem: string };

/** Nothing here comes from a request, and nothing that the repository configures is run for a diff. */
const DIFF = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-renames"],
  // A run itself leaves files in a submodule that git does not know, such as compiled modules.
  ...["--ignore-submodules=untracked", "--submodule=short"],
];
/** What can be done where git cannot help; nothing to do with related tests if only coverage asks. */
const ADVICE = "name the changed files in related_to";

/** Asks git; paths are relative to the root and end there. */
export async function findGitChanges(
  root: string,
  { signal, advice = ADVICE }: { signal: AbortSignal; advice?: string },
): Promise<GitChanges> {
  if (!mayRunGit()) {
    return {
      problem: "Deno may not run git, or git was not on PATH when the server started. Start the " +
        `server with git in --allow-run (pytest-mcp config prints the flags), or ${advice}.`,
    };
  }
  const git = (...args: string[]) => runGit(args, { root, signal });
  const inside = await git("rev-parse", "--is-inside-work-tree");
  if (inside.code !== 0) return cannotTell(inside, advice);
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  // Before the first commit: the name of a tree without files, which depends on how the repository hashes.
  const empty = head.code === 0 ? head : await git("hash-object", "-t", "tree", "--stdin");
  const base = head.code === 0 ? "HEAD" : empty.stdout.trim();
  const [named, patch, unknown] = await Promise.all([
    git(...DIFF, "--relative", "--name-only", "-z", base),
    git(...DIFF, "--relative", "--no-color", "--no-prefix", "--unified=0", base),
    git("ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  const failed = [empty, named, patch, unknown].find(({ code }) => code !== 0);
  if (failed !== undefined) return cannotTell(failed, advice);
  const patches = parsePatch(patch.stdout);
  const split = (text: string) => text.split("\0").filter((path) => path !== "");
  const changes = [...split(named.stdout), ...split(unknown.stdout)]
    // A name that git had to quote, a binary file: all of it counts.
    .map((path) => [path, patches.get(path)?.ranges ?? null] as const);
  const losing = [...patches].flatMap(([path, { lost }]) => lost === null ? [] : [[path, lost]]);
  return { changes: Object.fromEntries(changes), losing: Object.fromEntries(losing) };
}

function cannotTell({ stderr }: GitOutput, advice: string): GitChanges {
  const said = stderr.trim().split("\n")[0] ?? "";
  return { problem: `git cannot tell what has changed: ${said}. Mend that, or ${advice}.` };
}

/** What a patch does to one file. */
export interface FilePatch {
  /** its new lines; a deletion is an empty range where it was */
  readonly ranges: readonly (readonly [number, number])[];
  /** what `lossesOf()` says */
  readonly lost: readonly string[] | null;
}

/** What a patch does to each file that is still there. */
export function parsePatch(patch: string): Map<string, FilePatch> {
  const found = new Map<string, FilePatch>();
  // Every line of a file has a sign before it, so nothing in a file looks like a header.
  for (const part of `\n${patch}`.split("\ndiff --git ").slice(1)) {
    const [header = "", ...hunks] = part.split(/\n(?=@@ -)/);
    // git ends a name that holds a space with a tab.
    const name = /\n\+\+\+ ([^\n]*?)\t?$/.exec(header)?.[1];
    if (name === undefined || name === "/dev/null") continue;
    found.set(name, { ranges: hunks.map(rangeOf), lost: lossesOf(part) });
  }
  return found;
}

function rangeOf(hunk: string): [number, number] {
  const [, start = "0", length = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  const first = Number(start) + (length === "0" ? 1 : 0);
  return [first, first + Number(length) - 1];
}
