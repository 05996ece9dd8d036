/**
 * What git shows as changed: working tree and index against HEAD, and files that it does not know yet.
 *
 * @module
 */
import type { ChangedLines } from "../domain/pytest_runner.ts";
import { type GitOptions, mayRunGit, openGit } from "./git.ts";
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

/** Nothing here comes from a request, and no program that the repository names is run for a diff. */
const DIFF = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative"],
  // For what is changed within a submodule, git would start another git, with the settings found there.
  ...["--ignore-submodules=dirty", "--submodule=short"],
];
/** What can be done where git cannot help; nothing to do with related tests if only coverage asks. */
const ADVICE = "name the changed files in related_to";

/** Asks git; paths are relative to the root and end there. */
export async function findGitChanges(
  root: string,
  { advice = ADVICE, ...options }: Omit<GitOptions, "root"> & { readonly advice?: string },
): Promise<GitChanges> {
  if (!mayRunGit()) {
    return {
      problem: "Deno may not run git, or git was not on PATH when the server started. Start the " +
        `server with git in --allow-run (pytest-mcp config prints the flags), or ${advice}.`,
    };
  }
  const known = await findKnownChanges({ ...options, root }, new Set());
  if ("problem" in known) return cannotTell(known.problem, advice);
  const { git, paths, patches } = known;
  const unknown = await git("ls-files", "--others", "--exclude-standard", "-z");
  if (unknown.code !== 0) return cannotTell(unknown.stderr, advice);
  const changes = [...paths, ...split(unknown.stdout)]
    // A name that git had to quote, a binary file: all of it counts.
    .map((path) => [path, patches.get(path)?.ranges ?? null] as const);
  const losing = [...patches].flatMap(([path, { lost }]) => lost === null ? [] : [[path, lost]]);
  return { changes: Object.fromEntries(changes), losing: Object.fromEntries(losing) };
}

/**
 * Changes of what git knows in one repository. `seen` are those that have been asked: what should be a
 * submodule and is none would be its parent again.
 */
async function findKnownChanges(options: GitOptions, seen: Set<string>) {
  const git = await openGit(options);
  if ("problem" in git) return git;
  const patches = new Map<string, FilePatch>();
  const top = await git("rev-parse", "--show-toplevel");
  if (top.code !== 0) return { problem: top.stderr };
  if (seen.has(top.stdout)) return { git, patches, paths: [] };
  seen.add(top.stdout);
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  // Before the first commit: the name of a tree without files, which depends on how the repository hashes.
  const empty = head.code === 0 ? head : await git("hash-object", "-t", "tree", "--stdin");
  const base = head.code === 0 ? "HEAD" : empty.stdout.trim();
  const [named, patch, staged] = await Promise.all([
    git(...DIFF, "--name-only", "-z", base),
    git(...DIFF, "--no-color", "--no-prefix", "--unified=0", base),
    git("ls-files", "--stage", "-z"),
  ]);
  const failed = [empty, named, patch, staged].find(({ code }) => code !== 0);
  if (failed !== undefined) return { problem: failed.stderr };
  for (const [path, found] of parsePatch(patch.stdout)) patches.set(path, found);
  // What was only touched has a name here, and no patch.
  const paths = new Set(
    split(named.stdout).filter((path) => patches.has(path) || QUOTED.test(path)),
  );
  for (const path of submodulesOf(staged.stdout)) {
    const at = options.at === undefined ? path : `${options.at}/${path}`;
    const inner = await findKnownChanges({ ...options, at }, seen);
    if ("problem" in inner || inner.paths.length > 0) paths.add(path);
  }
  return { git, patches, paths: [...paths].sort() };
}

/** Whatever is written otherwise in a patch. */
// deno-lint-ignore no-control-regex -- control characters are what this is about
const QUOTED = /["\\\x00-\x1f\x7f]/;

function split(text: string): string[] {
  return text.split("\0").filter((path) => path !== "");
}

/** From the index: mode, object and stage, then a tab and the path. */
function submodulesOf(staged: string): string[] {
  return split(staged).filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
}

function cannotTell(stderr: string, advice: string): GitChanges {
  const said = stderr.trim().split("\n")[0] ?? "";
  return { problem: `git cannot tell what has changed: ${said}. Mend that, or ${advice}.` };
}

/** What a patch does to one file. */
export interface FilePatch {
  /** its new lines; a deletion is an empty range where it was; null: all of it */
  readonly ranges: readonly (readonly [number, number])[] | null;
  /** what `lossesOf()` says, of a file that is still there */
  readonly lost: readonly string[] | null;
}

/** What a patch does to each file. */
export function parsePatch(patch: string): Map<string, FilePatch> {
  const found = new Map<string, FilePatch>();
  // Every line of a file has a sign before it, so nothing in a file looks like a header.
  for (const part of `\n${patch}`.split("\ndiff --git ").slice(1)) {
    const [header = "", ...hunks] = part.split(/\n(?=@@ -)/);
    const [names = ""] = header.split("\n", 1);
    // The same name twice, and a space between.
    const name = names.slice(0, (names.length - 1) / 2);
    const isThere = /\n\+\+\+ (?!\/dev\/null$)/.test(header);
    found.set(name, {
      ranges: isThere ? hunks.map(rangeOf) : null,
      lost: isThere ? lossesOf(part) : null,
    });
  }
  return found;
}

function rangeOf(hunk: string): [number, number] {
  const [, start = "0", length = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  const first = Number(start) + (length === "0" ? 1 : 0);
  return [first, first + Number(length) - 1];
}
