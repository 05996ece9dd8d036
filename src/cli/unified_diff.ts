/** Lines of unchanged text around a change. */
const CONTEXT = 3;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** A patch that `git apply` and `patch -p1` take; empty when nothing changes. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const lines = compare(split(before ?? ""), split(after));
  const changed = lines.flatMap((line, index) => line.mark === " " ? [] : [index]);
  if (changed.length === 0) return "";
  const hunks: string[] = [];
  for (let at = 0; at < changed.length;) {
    const start = Math.max(0, (changed[at] ?? 0) - CONTEXT);
    let end = (changed[at] ?? 0) + 1;
    while (at < changed.length && (changed[at] ?? 0) <= end + CONTEXT * 2) {
      end = (changed[at++] ?? 0) + 1;
    }
    hunks.push(hunk(lines, start, Math.min(lines.length, end + CONTEXT)));
  }
  return `--- ${before === null ? "/dev/null" : `a/${path}`}\n+++ b/${path}\n${hunks.join("")}`;
}

function hunk(lines: readonly Line[], start: number, end: number): string {
  const shown = lines.slice(start, end);
  const count = (side: readonly Line[], mark: "-" | "+") =>
    side.filter((line) => line.mark === " " || line.mark === mark).length;
  const range = (mark: "-" | "+") => {
    const length = count(shown, mark);
    return `${count(lines.slice(0, start), mark) + (length === 0 ? 0 : 1)},${length}`;
  };
  const body = shown.map(({ mark, text }) =>
    text.endsWith("\n") ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`
  );
  return `@@ -${range("-")} +${range("+")} @@\n${body.join("")}`;
}

/** Longest common subsequence: configuration files are small enough for the whole table. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      table[i * width + j] = before[i] === after[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: " ", text: old });
      i++, j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i++;
    } else {
      lines.push({ mark: "+", text: fresh ?? "" });
      j++;
    }
  }
  return lines;
}

function split(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
