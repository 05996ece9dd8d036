import type { ProjectFiles } from "../domain/project_files.ts";
import { isWithin } from "./is_within.ts";

/** The file tree of the project at this absolute path; throws when it is not a directory. */
export function openProjectFiles(namedRoot: string): ProjectFiles {
  const root = Deno.realPathSync(namedRoot);
  if (!Deno.statSync(root).isDirectory) throw new Deno.errors.NotADirectory(namedRoot);
  return {
    root,
    namedRoot,
    platform: Deno.build.os === "windows" ? "windows" : "posix",
    inspect(path) {
      try {
        const named = `${namedRoot}/${path}`; // both slashes separate on Windows
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
        const named = `${namedRoot}/${directory}`;
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
