/** Whether a path is a directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  const separator = Deno.build.os === "windows" ? "\\" : "/"; // as real paths have it
  return path === directory || path.startsWith(directory + separator);
}
