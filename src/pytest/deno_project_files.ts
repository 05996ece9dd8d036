import { join, resolve } from "node:path";
import { isWithin } from "./is_within.ts";
import type { ProjectFiles } from "../domain/project_files.ts";

/** The project's file tree; throws when the root is not a directory. */
export function openProjectFiles(directory: string): ProjectFiles {
  const namedRoot = resolve(directory);
  const root = Deno.realPathSync(namedRoot);
  if (!Deno.statSync(root).isDirectory) throw new Deno.errors.NotADirectory(namedRoot);
  return {
    root,
    namedRoot,
    platform: Deno.build.os === "windows" ? "windows" : "posix",
    inspect(path) {
      try {
        const named = join(namedRoot, path);
        return {
          realPath: Deno.realPathSync(named),
          isDirectory: Deno.statSync(named).isDirectory,
        };
      } catch {
        // Not there, a link that leads nowhere, or a place that Deno does not let us see.
        return null;
      }
    },
    list(directory) {
      try {
        const named = join(namedRoot, directory);
        if (!isWithin(Deno.realPathSync(named), root)) return [];
        const entries = Array.from(
          Deno.readDirSync(named),
          ({ name, isDirectory }) => ({ name, isDirectory }),
        );
        return entries.sort((one, other) => one.name < other.name ? -1 : 1);
      } catch {
        return []; // no directory, or one that Deno does not let us see
      }
    },
  };
}
