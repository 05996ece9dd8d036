import { join } from "node:path";
import {
  ENVIRONMENT_DIRECTORIES,
  environmentPython,
  type PythonPlatform,
} from "../pytest/python_layout.ts";

/** How far below the root a monorepo keeps its parts: `services/a/.venv`, `packages/x/y/.venv`. */
const DEPTH = 3;

/** The interpreters of environments below the root, relative to it; the root's own are left out. */
export function findEnvironments(root: string, platform: PythonPlatform): string[] {
  const found: string[] = [];
  const visit = (directory: string, depth: number) => {
    for (const name of subdirectories(join(root, directory))) {
      const path = join(directory, name);
      if (ENVIRONMENT_DIRECTORIES.some((known) => known === name)) {
        if (directory !== "") found.push(environmentPython(path, platform));
      } else if (depth < DEPTH && !name.startsWith(".") && name !== "node_modules") {
        visit(path, depth + 1);
      }
    }
  };
  visit("", 0);
  return found.sort();
}

function subdirectories(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].filter((entry) => entry.isDirectory)
      .map((entry) => entry.name);
  } catch {
    return []; // what cannot be read holds no environment that could be used
  }
}
