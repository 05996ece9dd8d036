import { join } from "node:path";

/** How far below the root a monorepo keeps its parts: `services/a/.venv`, `packages/x/y/.venv`. */
const DEPTH = 3;

/** Something in the project, relative to its root. */
export interface FoundEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** What has one of these names in the root or in one of its parts; nothing is looked for within it. */
export function findEntriesBelow(root: string, names: readonly string[]): FoundEntry[] {
  const found: FoundEntry[] = [];
  const visit = (directory: string, depth: number) => {
    for (const { name, isDirectory } of entriesOf(join(root, directory))) {
      const path = join(directory, name);
      if (names.includes(name)) {
        found.push({ path, isDirectory });
      } else if (isDirectory && depth < DEPTH && !/^\.|^node_modules$/.test(name)) {
        visit(path, depth + 1);
      }
    }
  };
  visit("", 0);
  return found;
}

function entriesOf(directory: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(directory)];
  } catch {
    return []; // what cannot be read holds nothing that could be used
  }
}
