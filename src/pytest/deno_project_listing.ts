import { join, sep } from "node:path";
import type { ProjectFiles } from "../domain/project_files.ts";
import type { ListedEntry, ProjectListing } from "../domain/project_listing.ts";

/** The names within the directories of a project; what leads out of it is empty. */
export function listProjectFiles(files: ProjectFiles): ProjectListing {
  return {
    async list(directory) {
      const found = files.inspect(directory === "" ? "." : directory);
      if (found === null || !found.isDirectory || !isWithin(found.realPath, files.root)) return [];
      const entries: ListedEntry[] = [];
      try {
        for await (const { name, isDirectory } of Deno.readDir(join(files.root, directory))) {
          entries.push({ name, isDirectory });
        }
      } catch (error) {
        if (error instanceof Deno.errors.PermissionDenied) return [];
        throw error;
      }
      return entries;
    },
  };
}

/** Whether a path is a directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}
