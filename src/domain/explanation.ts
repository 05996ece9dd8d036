/**
 * The message of an exception in fewer words: what pytest writes for somebody at a shell, and what only
 * repeats what is already there, goes.
 *
 * @module
 */
import { plainText } from "./plain_text.ts";

/** A message in two parts. */
export interface SplitMessage {
  /** what is wrong, in a line; with the author's words before it, or all of a short message, in a few */
  readonly headline: string;
  /** what else there is to say */
  readonly rest: readonly string[];
}

/** Of a longer text before the assertion, such as the body of a response, only the first line is in the headline. */
const MOST_LINES_BEFORE_ASSERT = 5;

/** A message as short as this is a headline as it is, unless it holds a diff. */
const GLANCE_CHARS = 240;
const GLANCE_LINES = 4;

/** Splits a message after its headline, which ends with the assertion where there is one. */
export function splitMessage(message: string): SplitMessage {
  const lines = withoutAddresses(message).split("\n");
  const assertion = findAssertion(lines);
  const end = Math.max(0, assertion) + 1;
  const first = lines.findIndex((line) => plainLine(line) !== "");
  const far = assertion >= MOST_LINES_BEFORE_ASSERT && first < assertion;
  const head = far ? [lines[first] ?? "", lines[assertion] ?? ""] : lines.slice(0, end);
  const headline = head.map(plainLine).join("\n").trim();
  const between = far ? lines.slice(first + 1, assertion) : [];
  // Only pytest's own explanation is indented, and only it speaks to somebody at a shell.
  const explained = assertion < 0 ? lines.slice(end) : lines.slice(end).map(tidyLine);
  const given = [...between, ...explained];
  const said = given.filter((line) => line.trim() !== "");
  const rest = said.filter((_, index) => !isMarker(said, index));
  if (isShownBy(headline, rest)) return { headline, rest: [] };
  const visible = showInvisible(rest);
  if (assertion >= 0) return { headline, rest: joinCalls(visible) };
  const whole = [headline, ...visible].join("\n");
  return isGlance(whole) ? { headline: whole, rest: [] } : { headline, rest: visible };
}

/** The line of the assertion; below a long text only one that nothing but its explanation follows. */
function findAssertion(lines: readonly string[]): number {
  const near = lines.slice(0, MOST_LINES_BEFORE_ASSERT)
    .findIndex((line) => line.startsWith("assert "));
  if (near >= 0) return near;
  const last = lines.findLastIndex((line) => !/^(?: |$)/.test(line));
  return lines[last]?.startsWith("assert ") ? last : -1;
}

/** The values are often below the first line: `expected call not found.`, `Expected: …`, `Actual: …`. */
function isGlance(text: string): boolean {
  const lines = text.split("\n");
  return text.length <= GLANCE_CHARS && lines.length <= GLANCE_LINES &&
    !lines.some((line) => DIFFERENCE.test(line));
}

/** An address tells objects apart and nothing else: without a second of its kind it says nothing. */
function withoutAddresses(text: string): string {
  const addresses = new Map<string, Set<string>>();
  for (const [, what = "", address = ""] of text.matchAll(OBJECT)) {
    addresses.set(what, (addresses.get(what) ?? new Set()).add(address));
  }
  return text.replace(
    OBJECT,
    (whole, what: string) => (addresses.get(what)?.size ?? 0) > 1 ? whole : `<${what}>`,
  );
}

const OBJECT = /<((?:[^<>\n]|<[^<>\n]{1,100}>){1,200}) at (0x[0-9a-fA-F]{4,16})>/g;

/** pytest speaks to somebody at a shell; what an agent can do instead is said in its terms. */
function tidyLine(line: string): string {
  return line
    .replace(/^ {1,2}/, "")
    .replace(/^\s*Use -v+ to get .*diff$/, "")
    .replace(
      /^\.\.\.Full output truncated \((\d+) lines? hidden\).*$/,
      "… $1 more lines at verbosity 2",
    )
    .replace(/^\.\.\.Full output truncated\b.*$/, "… more at verbosity 2")
    .replace(/, use -v+ to show$/, "");
}

/** A line without what nobody sees. */
function plainLine(line: string): string {
  return plainText(line).trimEnd();
}

/** What an eye makes of a line: one kind of white space, and no character without width. */
function visibleText(line: string): string {
  return plainLine(line).replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cf}]/gu, "");
}

/** A string literal in which nothing is invisible. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? "";
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

const DIFFERENCE = /^([+-]) (.*)$/s;

/** Lines of a diff that look alike and are not, as string literals; all others without what nobody sees. */
function showInvisible(lines: readonly string[]): string[] {
  const spellings = new Map<string, Set<string>>();
  for (const line of lines) {
    const content = DIFFERENCE.exec(line)?.[2];
    if (content === undefined) continue;
    const key = visibleText(content);
    spellings.set(key, (spellings.get(key) ?? new Set()).add(content));
  }
  return lines.map((line) => {
    const [, sign, content = ""] = DIFFERENCE.exec(line) ?? [];
    const isAmbiguous = sign && (spellings.get(visibleText(content))?.size ?? 0) > 1;
    return isAmbiguous ? `${sign} ${literal(content)}` : plainLine(line);
  });
}

const WHERE = /^\+( +)(where|and {2}) (.+) = (.+)$/;

/** `where 3 = add(1)` and below it `where add = shop.add` say `where 3 = shop.add(1)`. */
function joinCalls(lines: readonly string[]): string[] {
  const joined = [...lines];
  for (let index = joined.length - 2; index >= 0; index--) {
    const outer = WHERE.exec(joined[index] ?? "");
    const inner = WHERE.exec(joined[index + 1] ?? "");
    if (outer === null || inner === null) continue;
    const [, indent = "", word, value, call = ""] = outer;
    const [, deeper = "", , name = "", origin] = inner;
    if (deeper.length <= indent.length || !call.startsWith(`${name}(`)) continue;
    joined.splice(index, 2, `+${indent}${word} ${value} = ${origin}${call.slice(name.length)}`);
  }
  return joined;
}

/** The line of a diff that points at what differs in the line before: for eyes, unless nothing else shows it. */
function isMarker(lines: readonly string[], index: number): boolean {
  const [before = "", line = ""] = lines.slice(Math.max(0, index - 1), index + 1);
  if (!/^\?[ ^+-]+(?:\.\.\.)?$/.test(line) || !DIFFERENCE.test(before)) return false;
  // pytest takes the ends off the lines that it compares, whatever they are.
  const others = [lines[index - 2], lines[index + 1]];
  return !others.some((other) => other !== before && other?.slice(1) === before.slice(1));
}

/** `- Bob`, `+ Ada` after `assert 'Ada' == 'Bob'` repeats it. */
function isShownBy(headline: string, rest: readonly string[]): boolean {
  const [expected = "", actual = "", ...more] = rest;
  return more.length === 0 && expected.startsWith("- ") && actual.startsWith("+ ") &&
    rest.every((line) => headline.includes(`'${line.slice(2)}'`));
}
