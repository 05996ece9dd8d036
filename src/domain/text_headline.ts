import { clipInline } from "./clip.ts";
import { plainText } from "./plain_text.ts";
import type { ExceptionData } from "./pytest_event.ts";

/** The line of pytest's text about a failure that names what is wrong; beside an exception, with its type. */
export function textHeadline(text: string, error: ExceptionData | null = null): string {
  const plain = plainText(text);
  const marked = /^E +(\S.*)$/m.exec(plain)?.[1] ??
    /^UNEXPECTED EXCEPTION: (.+)$/m.exec(plain)?.[1];
  const said = marked ?? compared(plain) ?? differences(plain) ?? raised(plain);
  const line = said ?? plain.split("\n").find((candidate) => candidate.trim() !== "")?.trim() ?? "";
  const type = error?.type.replace(/^doctest\./, "");
  return clipInline(type === undefined || marked ? line : `${type}: ${line}`, 600);
}

/** What a doctest expected and what it got, in one line. */
function compared(plain: string): string | undefined {
  // Looked for once, not from each line that begins so: a text may have thousands of them.
  const first = plain.search(/^Expected:$/m);
  if (first === -1) return undefined;
  const [text] = /^Expected:\n[^]*?\nGot:\n(?: {4}.*\n?)*/.exec(plain.slice(first)) ?? [];
  return text?.split("\n").map((line) => line.trim()).filter((line) => line !== "").join(" ");
}

/** The lines in which a doctest of several lines differs, as one of a single line tells them. */
function differences(plain: string): string | undefined {
  const diff = /^Differences \(.*\):\n((?: {4}.*\n?)+)/m.exec(plain)?.[1];
  if (diff === undefined) return undefined;
  const marked = (sign: string) =>
    diff.split("\n").flatMap((line) => line[4] === sign ? [line.slice(5).trim()] : []);
  return ["Expected:", ...marked("-"), "Got:", ...marked("+")].join(" ");
}

/** What follows the frames of Python's own traceback; of chained ones the last was raised. */
function raised(plain: string): string | undefined {
  const last = plain.lastIndexOf("Traceback (most recent call last):\n");
  return last === -1 ? undefined : /\n(\S.*)/.exec(plain.slice(last))?.[1];
}
