import { dirname, join } from "node:path";
import { isWithin } from "./is_within.ts";
import { findEntriesBelow } from "./entries_below.ts";
import { ENVIRONMENT_DIRECTORIES } from "./python_layout.ts";

/** What an environment of any name has at its top. */
const MARK = "pyvenv.cfg";

/**
 * Parts of the project that people and programs outside will run, so that nothing inside may change them:
 * environments, and git's settings and hooks. What a link out of the project leads to is read-only anyway.
 */
export function frozenPaths(root: string, python: string): string[] {
  const own = join(dirname(dirname(python)), MARK);
  const found = findEntriesBelow(root, [...ENVIRONMENT_DIRECTORIES, ".git", MARK])
    .map(({ path }) => join(root, path));
  const frozen = [...found, own].map((path) =>
    path.endsWith(MARK) ? dirname(realPath(path)) : realPath(path)
  );
  return [...new Set(frozen)].filter((path) => path !== root && isWithin(path, root)).sort();
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return ""; // gone, or beyond what Deno lets us see
  }
}
