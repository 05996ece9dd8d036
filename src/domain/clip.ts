/**
 * Shortening that always says how much is missing.
 *
 * @module
 */

function count(n: number, noun: string): string {
  return `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
}

/** Half of a surrogate pair is no character: a cut between the halves moves by `step`. */
function safeCut(text: string, at: number, step: -1 | 1): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + step : at;
}

/** Keeps the beginning of a one-line text within `limit` characters. */
export function clipEnd(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = (n: number) => ` …[${count(n, "character")} more]`;
  const kept = safeCut(text, Math.max(0, limit - note(text.length).length), -1);
  return text.slice(0, kept) + note(text.length - kept);
}

/** Keeps head and tail of a text within `limit` characters, without breaking its line. */
export function clipInline(text: string, limit: number): string {
  return clipMiddle(text, limit, 2 / 3).replace(/\n(…\[.*? left out\]…)\n/, " $1 ");
}

/** Keeps head and tail of a text within `limit` characters; `headShare` of it goes to the head. */
export function clipMiddle(text: string, limit: number, headShare = 0.5): string {
  if (text.length <= limit) return text;
  const note = (n: number) => `\n…[${count(n, "character")} left out]…\n`;
  const room = Math.max(0, limit - note(text.length).length);
  const head = safeCut(text, Math.floor(room * headShare), -1);
  const tail = safeCut(text, text.length - (room - Math.floor(room * headShare)), 1);
  return text.slice(0, head) + note(tail - head) + text.slice(tail);
}

/** What two lines, shortened, leave to the note about those between. */
const LINE_SHARE = 0.42;

/** Keeps the first line and as many of the last as fit; characters only where a line alone is too long. */
export function clipLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const share = Math.floor(limit * LINE_SHARE);
  const lines = text.split("\n");
  // The note in a line that is a little too long would take more than it saves.
  const rough = lines.map((line) => line.length > share * 1.5 ? clipInline(line, share) : line);
  return bothEnds(rough, limit) ??
    bothEnds(lines.map((line) => clipInline(line, share)), limit) ??
    clipMiddle(text, limit, Math.min(0.4, (lines[0]?.length ?? 0) / Math.max(1, limit - 40)));
}

/** All lines, or the first and as many of the last as fit; null if none of the last does. */
function bothEnds(lines: readonly string[], limit: number): string | null {
  const whole = lines.join("\n");
  if (whole.length <= limit) return whole;
  const [first = "", ...rest] = lines;
  let room = limit - first.length - note(rest.length).length - 2;
  let kept = 0;
  while (kept < rest.length && (rest.at(-kept - 1)?.length ?? 0) + 1 <= room) {
    room -= (rest.at(-kept - 1)?.length ?? 0) + 1;
    kept++;
  }
  return kept === 0 ? null : [first, note(rest.length - kept), ...rest.slice(-kept)].join("\n");
}

function note(lines: number): string {
  return `… ${count(lines, "line")} left out`;
}

/** Joins as many entries as fit and counts the others. */
export function joinWithin(entries: readonly string[], separator: string, limit: number): string {
  let text = "";
  for (const [index, entry] of entries.entries()) {
    const rest = entries.length - index;
    const note = `${separator}… and ${rest} more`;
    const next = index === 0 ? entry : text + separator + entry;
    if (next.length + (rest > 1 ? note.length : 0) > limit) {
      if (index === 0) {
        return clipEnd(entry, limit - note.length) +
          (rest > 1 ? `${separator}… and ${rest - 1} more` : "");
      }
      return text + note;
    }
    text = next;
  }
  return text;
}

/** Keeps head and tail within `limit` bytes of UTF-8. */
export function clipBytes(text: string, limit: number): string {
  // A UTF-16 unit takes at most three bytes: most texts need no measuring.
  if (text.length * 3 <= limit) return text;
  let size = new TextEncoder().encode(text).length;
  let room = text.length;
  let clipped = text;
  while (size > limit) {
    room = Math.floor(room * Math.min(0.98, limit / size));
    clipped = clipMiddle(text, room);
    size = new TextEncoder().encode(clipped).length;
  }
  return clipped;
}
