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

/** Keeps the first line and as many of the last as fit; characters only where a line alone is too long. */
export function clipLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [first = "", ...rest] = text.split("\n");
  const note = (n: number) => `… ${count(n, "line")} left out`;
  let room = limit - first.length - note(rest.length).length - 2;
  let kept = 0;
  while (kept < rest.length && (rest.at(-kept - 1)?.length ?? 0) + 1 <= room) {
    room -= (rest.at(-kept - 1)?.length ?? 0) + 1;
    kept++;
  }
  if (kept === 0) {
    return clipMiddle(text, limit, Math.min(0.4, first.length / Math.max(1, limit - 40)));
  }
  return [first, note(rest.length - kept), ...rest.slice(-kept)].join("\n");
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
