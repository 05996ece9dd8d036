import { sep } from "node:path";

/** Whether a path is a directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}
