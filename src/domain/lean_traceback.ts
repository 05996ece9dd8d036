/**
 * An exception in as few lines as keep every fact: a line for each frame of the project and for the
 * foreign one that raised, what the message still has to say, and where it all came from.
 *
 * @module
 */
import { clipInline, clipMiddle } from "./clip.ts";
import { splitMessage } from "./explanation.ts";
import { plainText, relativePath } from "./plain_text.ts";
import type { ExceptionData, Frame } from "./pytest_event.ts";

/** How much of an exception is shown. */
export interface LeanLimits {
  /** lines of frames; of more, the first few and the last stay */
  readonly frames: number;
  /** characters of the message beyond its headline */
  readonly explanation: number;
  /** frames whose source the same response has shown already, and shows no second time on the way */
  readonly told?: Set<string>;
  /** spellings of the root, to be left out of the paths of frames */
  readonly roots?: readonly string[];
}

/** A headline is read at a glance; whatever is longer is data. */
const HEADLINE_CHARS = 600;

/** A call cycle of more functions than this is no longer recognised, only cut. */
const LONGEST_CYCLE = 4;

/** The exception with its values, as far as one reads at a glance: `AssertionError: assert 500 == 401`. */
export function headline(error: ExceptionData): string {
  const text = splitMessage(error.message).headline;
  return clipInline(text === "" ? error.type : `${error.type}: ${text}`, HEADLINE_CHARS);
}

/** The lines below a headline: frames, explanation, notes, members of a group, causes. */
export function leanTraceback(error: ExceptionData, limits: LeanLimits): string[] {
  return [
    ...frameLines(error, limits),
    ...(error.syntax ? [syntaxLine(error.syntax, limits)] : []),
    ...explanationLines(error, limits),
    ...(error.notes ?? []).flatMap((note) => plainText(note).split("\n")),
    ...groupLines(error, limits),
    ...chainLines(error, limits),
  ];
}

/** The line of the project where it was raised; of a library where the project has no part in it. */
export function crashLine(
  error: ExceptionData,
  from: Pick<LeanLimits, "roots"> = {},
): string | null {
  const frame = error.frames.findLast((candidate) => candidate.project) ?? error.frames.at(-1);
  if (error.syntax) return syntaxLine(error.syntax, from);
  return frame === undefined ? null : frameLine(frame, from);
}

function explanationLines(error: ExceptionData, { explanation }: LeanLimits): string[] {
  const { headline, rest } = splitMessage(error.message);
  // What the headline had to leave out is told here.
  const whole = headline.length > HEADLINE_CHARS ? [headline, ...rest] : rest;
  return whole.length === 0 ? [] : clipMiddle(whole.join("\n"), explanation, 0.7).split("\n");
}

function groupLines(error: ExceptionData, limits: LeanLimits): string[] {
  const members = error.group ?? [];
  const lines = members.flatMap((member, index) => [
    `[${index + 1}] ${headline(member)}`,
    ...leanTraceback(member, limits).map((line) => `  ${line}`),
  ]);
  const missing = (error.group_size ?? members.length) - members.length;
  return missing > 0 ? [...lines, `… ${missing} more in the group`] : lines;
}

function chainLines(error: ExceptionData, limits: LeanLimits): string[] {
  const chained = error.cause ?? error.context;
  if (chained === undefined) return [];
  const link = error.cause ? "caused by" : "while handling";
  const omitted = error.omitted_chained ?? 0;
  const head = [
    ...(omitted > 0 ? [note(omitted, "exception").text] : []),
    `${link} ${headline(chained)}`,
  ];
  const foreign = chained.frames.length > 0 && chained.frames.every((frame) => !frame.project);
  // Where a library stumbles over itself, the names are enough: the project is in the frames above.
  if (!foreign) return [...head, ...leanTraceback(chained, limits)];
  const count = chained.frames.length + (chained.omitted_frames ?? 0);
  return [
    ...head,
    note(count, "library frame").text,
    ...leanTraceback({ ...chained, frames: [], omitted_frames: undefined }, limits),
  ];
}

function frameLine(
  { path, line, function: name, source, repeat }: Frame,
  { roots = [] }: Pick<LeanLimits, "roots">,
): string {
  const times = repeat === undefined ? "" : ` (${repeat} times)`;
  const code = source === "" ? "" : `: ${oneLine(source)}`;
  return `${relativePath(path, roots)}:${line} ${name}${times}${code}`;
}

function syntaxLine(
  { path, line, text }: NonNullable<ExceptionData["syntax"]>,
  { roots = [] }: Pick<LeanLimits, "roots">,
): string {
  return `${relativePath(path, roots)}:${line}: ${oneLine(text)}`;
}

/** A source that was cut has its note on a line of its own. */
function oneLine(source: string): string {
  return source.replaceAll("\n", " ");
}

function frameLines(error: ExceptionData, limits: LeanLimits): string[] {
  const { frames: limit, told } = limits;
  const { omitted_frames, syntax } = error;
  const frames = withoutComprehensions(error.frames);
  const shown: FrameLine[] = [];
  let foreign = 0;
  const middle = Math.floor(frames.length / 2);
  // Library frames before the project's are how the test was called.
  const start = Math.max(0, frames.findIndex((frame) => frame.project));
  const crash = frames.findLastIndex((frame) => frame.project);
  for (const [index, frame] of frames.entries()) {
    if (omitted_frames && index === middle) {
      shown.push({ ...note(omitted_frames, "frame"), isGap: true });
    }
    if (index < start) continue;
    // What compiles a file that cannot be read raises, and is not to blame.
    const raised = index === frames.length - 1 && !syntax;
    if (!frame.project && !raised) {
      foreign += frame.repeat ?? 1;
      continue;
    }
    if (foreign > 0) shown.push(note(foreign, "library frame"));
    foreign = 0;
    const isEnd = index === start || index === crash;
    shown.push({
      text: frameLine(frame, limits),
      count: frame.repeat ?? 1,
      detail: localLines(frame),
      ...(isEnd ? {} : { brief: frameLine({ ...frame, source: "" }, limits) }),
    });
  }
  return shorten(foldCycles(shown), limit).flatMap(({ text, detail, brief = text }) => {
    const isKnown = told?.has(text) === true;
    told?.add(text);
    return [isKnown ? brief : text, ...detail];
  });
}

/** A comprehension stands on the line of the function around it, and newer Pythons give it no frame. */
function withoutComprehensions(frames: readonly Frame[]): Frame[] {
  return frames.filter((frame, index) => {
    const before = frames[index - 1];
    return !/^<(listcomp|dictcomp|setcomp|genexpr)>$/.test(frame.function) ||
      before?.path !== frame.path || before.line !== frame.line;
  });
}

interface FrameLine {
  readonly text: string;
  /** frames that this line stands for */
  readonly count: number;
  readonly detail: readonly string[];
  /** on the way, and so without its source when it was shown before */
  readonly brief?: string;
  /** stands for frames that nobody knows */
  readonly isGap?: true;
}

function note(count: number, noun: string): FrameLine {
  return { text: `… ${count} ${noun}${count === 1 ? "" : "s"}`, count, detail: [] };
}

function localLines({ locals }: Frame): string[] {
  return (locals ?? []).map(([name, value]) => `    ${name} = ${plainText(value)}`);
}

/** Functions that call each other in a circle are shown once, and the rounds counted. */
function foldCycles(lines: readonly FrameLine[]): FrameLine[] {
  const folded: FrameLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const { length, rounds } = cycleAt(lines, at);
    const cycle = lines.slice(at, at + length);
    folded.push(...cycle);
    at += length;
    if (rounds === 1) continue;
    const end = cycleEnd(lines, at, cycle);
    const count = countFrames(lines.slice(at, end));
    const again = count / countFrames(cycle);
    const what = length === 1 ? "the line" : `the ${length} lines`;
    const times = Number.isInteger(again) ? `${again} more times` : `again, ${count} frames`;
    folded.push({ text: `… ${what} above ${times}`, count, detail: [] });
    at = end;
  }
  return folded;
}

/** A circle goes on through a last round that is not whole, and through frames that were left out of its middle. */
function cycleEnd(lines: readonly FrameLine[], at: number, cycle: readonly FrameLine[]): number {
  const texts = new Set(cycle.map(({ text }) => text));
  const belongs = (line: FrameLine | undefined) => line !== undefined && texts.has(line.text);
  let end = at;
  while (belongs(lines[end]) || (lines[end]?.isGap && belongs(lines[end + 1]))) end++;
  return end;
}

function countFrames(lines: readonly FrameLine[]): number {
  return lines.reduce((sum, { count }) => sum + count, 0);
}

function cycleAt(lines: readonly FrameLine[], at: number): { length: number; rounds: number } {
  for (let length = 1; length <= LONGEST_CYCLE; length++) {
    let rounds = 1;
    while (sameLines(lines, at, at + length * rounds, length)) rounds++;
    // Two of a kind may be chance, and folding them would save nothing.
    if (rounds > 2) return { length, rounds };
  }
  return { length: 1, rounds: 1 };
}

function sameLines(
  lines: readonly FrameLine[],
  first: number,
  second: number,
  length: number,
): boolean {
  if (second + length > lines.length) return false;
  for (let offset = 0; offset < length; offset++) {
    if (lines[first + offset]?.text !== lines[second + offset]?.text) return false;
  }
  return true;
}

/** The way in and the crash end stay. */
function shorten(lines: readonly FrameLine[], limit: number): FrameLine[] {
  if (lines.length <= limit) return [...lines];
  const head = Math.floor(limit / 3);
  const tail = limit - head - 1;
  const left = countFrames(lines.slice(head, lines.length - tail));
  return [...lines.slice(0, head), note(left, "frame"), ...lines.slice(-tail)];
}
