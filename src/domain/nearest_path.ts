import { nearest } from "./nearest.ts";
import type { ProjectFiles } from "./project_files.ts";

/** More directories than this are not worth the time of a refusal. */
const MOST_DIRECTORIES = 200;
const MOST_PATHS = 3;

/** Where no tests of the project are. */
const FOREIGN = /^(\..*|__pycache__|node_modules|site-packages|venv|build|dist)$/;

/** Paths that a request may have meant: the same name in another directory, else what is spelled alike. */
export function nearestPaths(path: string, files: ProjectFiles): string[] {
  const segments = path.split("/");
  const namesakes = findByName(segments.at(-1) ?? "", files);
  if (namesakes.length > 0) return namesakes;
  const at = segments.findIndex((_, index) => {
    const found = files.inspect(segments.slice(0, index + 1).join("/"));
    return found === null;
  });
  const directory = segments.slice(0, Math.max(0, at)).join("/");
  const names = files.list(directory).map(({ name }) => name);
  return nearest(segments[at] ?? "", names, MOST_PATHS).map((name) => join(directory, name));
}

/** Breadth first: what is nearer to the root is meant more often. */
function findByName(wanted: string, files: ProjectFiles): string[] {
  const found: string[] = [];
  const directories = [""];
  for (const [index, directory] of directories.entries()) {
    if (index >= MOST_DIRECTORIES || found.length >= MOST_PATHS) break;
    for (const { name, isDirectory } of files.list(directory)) {
      if (name === wanted) found.push(join(directory, name));
      if (isDirectory && !FOREIGN.test(name)) directories.push(join(directory, name));
    }
  }
  return found.slice(0, MOST_PATHS);
}

function join(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
