import { dirname } from "node:path";
import { findEntriesBelow } from "../pytest/entries_below.ts";
import {
  ENVIRONMENT_DIRECTORIES,
  environmentPython,
  type PythonPlatform,
} from "../pytest/python_layout.ts";

/** The interpreters of environments below the root, relative to it; the root's own are left out. */
export function findEnvironments(root: string, platform: PythonPlatform): string[] {
  return findEntriesBelow(root, ENVIRONMENT_DIRECTORIES)
    .filter(({ path, isDirectory }) => isDirectory && dirname(path) !== ".")
    .map(({ path }) => environmentPython(path, platform)).sort();
}
