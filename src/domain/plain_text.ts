// deno-lint-ignore no-control-regex -- the escape character is what this is about
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;

/** Text without terminal escapes and with one kind of line end. */
export function plainText(text: string): string {
  return text.replace(ANSI, "").replaceAll("\r\n", "\n");
}

/** Makes absolute paths below any of the roots relative to it; the end of another path or of an URL is none. */
export function relativizePaths(text: string, roots: readonly string[]): string {
  let relative = text;
  for (const root of roots) {
    const base = root.replace(/[\\/]+$/, "");
    // Most texts name no root, and need no pattern.
    if (base === "" || !relative.includes(base)) continue;
    const literal = base.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
    relative = relative.replace(
      new RegExp(`(?<![\\p{L}\\p{N}_.~%/\\\\-])${literal}[/\\\\]`, "gu"),
      "",
    );
  }
  return relative;
}
