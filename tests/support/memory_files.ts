import type { ProjectFiles } from "../../src/domain/project_files.ts";

/** A project's file tree as data: the only way to meet Windows paths and hostile links on every system. */
export function memoryFiles(
  /** path → what is there: "file", "directory", or the absolute target of a link to a file */
  entries: Record<string, string>,
  options: Partial<Pick<ProjectFiles, "root" | "namedRoot" | "platform">> = {},
): ProjectFiles & { readonly inspected: string[] } {
  const platform = options.platform ?? "posix";
  const root = options.root ?? (platform === "windows" ? "C:\\work\\project" : "/code/project");
  const separator = platform === "windows" ? "\\" : "/";
  const inspected: string[] = [];
  return {
    ...options,
    root,
    platform,
    inspected,
    inspect(path) {
      inspected.push(path);
      if (path === ".") return { realPath: root, isDirectory: true };
      const entry = Object.hasOwn(entries, path) ? entries[path] : undefined;
      if (entry === undefined) return null;
      const own = root + separator + path.replaceAll("/", separator);
      const realPath = entry === "file" || entry === "directory" ? own : entry;
      return { realPath, isDirectory: entry === "directory" };
    },
    list(directory) {
      const prefix = directory === "" ? "" : `${directory}/`;
      return Object.keys(entries).flatMap((path) => {
        const name = path.slice(prefix.length);
        if (!path.startsWith(prefix) || name === "" || name.includes("/")) return [];
        return [{ name, isDirectory: entries[path] === "directory" }];
      });
    },
  };
}
