// deno-lint-ignore no-control-regex -- the escape character is what this is about
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;

/** Text without terminal escapes and with one kind of line end. */
export function plainText(text: string): string {
  return text.replace(ANSI, "").replaceAll("\r\n", "\n");
}

/** A path below any of the roots from there on; any other as it is. */
export function relativePath(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const base = root.replace(/[\\/]+$/, "");
    if (base !== "" && path.startsWith(base) && /[\\/]/.test(path.charAt(base.length))) {
      return path.slice(base.length + 1);
    }
  }
  return path;
}

/** `File "…"`, `file …, line 3` and `…:3:`, as Python and pytest begin a line that names a place. */
const LOCATION = /^([ |]*File ")([^"\n]+)|^(file )(.+)(?=, line \d+$)|^()(\S.*?)(?=:\d+(?::|$))/gm;

/** Makes the paths of such lines relative to the roots; a path anywhere else is a value, and stays what it is. */
export function relativizeLocations(text: string, roots: readonly string[]): string {
  return text.replace(LOCATION, (whole, ...groups: (string | undefined)[]) => {
    const [prefix, path] = groups.slice(0, 6).filter((group) => group !== undefined);
    return path === undefined ? whole : `${prefix}${relativePath(path, roots)}`;
  });
}
