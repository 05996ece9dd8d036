/**
 * What git shows as changed: working tree and index against HEAD, and files that it does not know yet.
 *
 * @module
 */
import type { ChangedLines } from "../domain/pytest_runner.ts";
import { type GitOutput, mayRunGit, runGit } from "./git.ts";

/** The changes below the root, or why they cannot be known. */
export type GitChanges =
  | {
    readonly changes: ChangedLines;
    /** files that lost a function, method or class: who still asks for it cannot be told by lines */
    readonly losing: readonly string[];
  }
  | { readonly problem: string };

/** Nothing here comes from a request, and nothing that the repository configures is run for a diff. */
const DIFF = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-renames"],
  // A run itself leaves files in a submodule that git does not know, such as compiled modules.
  ...["--ignore-submodules=untracked", "--submodule=short"],
];
/** What HEAD is before the first commit: git's name for a tree without files. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const ADVICE = "or name the changed files in related_to";

/** Asks git; paths are relative to the root and end there. */
export async function findGitChanges(
  root: string,
  { signal }: { signal: AbortSignal },
): Promise<GitChanges> {
  if (!mayRunGit()) {
    return {
      problem: "Deno may not run git, or git was not on PATH when the server started. Start the " +
        `server with git in --allow-run (pytest-mcp config prints the flags), ${ADVICE}.`,
    };
  }
  const git = (...args: string[]) => runGit(args, { root, signal });
  const inside = await git("rev-parse", "--is-inside-work-tree");
  if (inside.code !== 0) return cannotTell(inside);
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  const base = head.code === 0 ? "HEAD" : EMPTY_TREE;
  const [named, patch, unknown] = await Promise.all([
    git(...DIFF, "--relative", "--name-only", "-z", base),
    git(...DIFF, "--relative", "--no-color", "--no-prefix", "--unified=0", base),
    git("ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  const failed = [named, patch, unknown].find(({ code }) => code !== 0);
  if (failed !== undefined) return cannotTell(failed);
  const patches = parsePatch(patch.stdout);
  const split = (text: string) => text.split("\0").filter((path) => path !== "");
  const changes = [...split(named.stdout), ...split(unknown.stdout)]
    // A name that git had to quote, a binary file: all of it counts.
    .map((path) => [path, patches.get(path)?.ranges ?? null] as const);
  const losing = [...patches].filter(([, { losesName }]) => losesName).map(([path]) => path);
  return { changes: Object.fromEntries(changes), losing };
}

function cannotTell({ stderr }: GitOutput): GitChanges {
  const said = stderr.trim().split("\n")[0] ?? "";
  return { problem: `git cannot tell what has changed: ${said}. Mend that, ${ADVICE}.` };
}

/** A function, method or class that a patch takes away or brings. */
const DEFINITION = /^([-+])\s*(?:async\s+def|def|class)\s+(\w+)/;

/** What a patch does to one file. */
export interface FilePatch {
  /** its new lines; a deletion is an empty range where it was */
  readonly ranges: readonly (readonly [number, number])[];
  /** a definition is gone that no line brings back */
  readonly losesName: boolean;
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
    found.set(name, { ranges: hunks.map(rangeOf), losesName: losesName(part) });
  }
  return found;
}

function rangeOf(hunk: string): [number, number] {
  const [, start = "0", length = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  const first = Number(start) + (length === "0" ? 1 : 0);
  return [first, first + Number(length) - 1];
}

function losesName(patch: string): boolean {
  const names = { "-": new Set<string>(), "+": new Set<string>() };
  for (const line of patch.split("\n")) {
    const [, sign, name] = DEFINITION.exec(line) ?? [];
    if (name !== undefined) names[sign === "-" ? "-" : "+"].add(name);
  }
  return !names["-"].isSubsetOf(names["+"]);
}
