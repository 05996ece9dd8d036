/**
 * A failed test in words: its message, its traceback and what it printed.
 *
 * @module
 */
import { type CapturedSection, type CaptureMode, captureSections } from "./captured_output.ts";
import { clipMiddle } from "./clip.ts";
import type { ExecuteParams } from "./execute_params.ts";
import { crashLine, headline, leanTraceback } from "./lean_traceback.ts";
import { leanFixtureError } from "./fixture_error.ts";
import { plainText, relativizeLocations } from "./plain_text.ts";
import type { ProjectFiles } from "./project_files.ts";
import type { ExceptionData } from "./pytest_event.ts";
import type { FailedTest, PhaseFailure } from "./test_outcome.ts";
import { textHeadline } from "./text_headline.ts";

/** How failures are told, as the request's parameters say. */
export interface FailureStyle {
  /** pytest's own rendering instead of the lean one */
  readonly pytestText: boolean;
  /** nothing but the line where it was raised */
  readonly crashOnly: boolean;
  readonly frames: number;
  readonly explanation: number;
  readonly capture: CaptureMode;
  /** frames whose source, and lists of fixtures that the same response has shown already */
  readonly told?: Set<string>;
  /** spellings of the root, to be left out of the paths of frames */
  readonly roots: readonly string[];
}

/** A traceback in the two parts of which the second gives way first. */
export interface FailureText {
  readonly message: string;
  readonly traceback: string;
  readonly captured: readonly CapturedSection[];
}

/** An exception that describes itself in a text of pytest's; its own message says little. */
const SPEAKS_BY_TEXT =
  /^(FixtureLookupError|(doctest\.)?(DocTestFailure|UnexpectedException)|MultipleDoctestFailures)$/;

/** Whether the text that comes with an exception says what its message does not. */
export function speaksByText({ type }: ExceptionData): boolean {
  return SPEAKS_BY_TEXT.test(type);
}

/** Without a style, an explanation as long as a screen; with full verbosity only the response limits it. */
const EXPLANATION_CHARS = 3_000;

/** As many failures at one line show how they differ. */
const MOST_REPEATS = 20;

/** The style of a run without parameters, with paths as they are. */
export const LEAN_STYLE: FailureStyle = {
  pytestText: false,
  crashOnly: false,
  frames: 12,
  explanation: EXPLANATION_CHARS,
  capture: "tail",
  roots: [],
};

/** The style that the parameters ask for. */
export function failureStyle(
  params: Pick<ExecuteParams, "verbosity" | "traceback" | "show_capture">,
  files: ProjectFiles,
): FailureStyle {
  const { verbosity, show_capture } = params;
  const unset: CaptureMode = verbosity < 0 ? "none" : verbosity === 0 ? "tail" : "all";
  return {
    pytestText: params.traceback !== "lean",
    crashOnly: verbosity === -2,
    frames: verbosity > 0 ? 40 : 12,
    explanation: verbosity > 0 ? Infinity : EXPLANATION_CHARS,
    capture: show_capture === undefined ? unset : show_capture ? "all" : "none",
    roots: files.namedRoot === undefined ? [files.root] : [files.root, files.namedRoot],
  };
}

/** The words for a failed test; message and traceback are never empty. */
export function failureText(
  { failures }: Pick<FailedTest, "failures">,
  style: FailureStyle,
): FailureText {
  const [first, ...others] = failures;
  if (first === undefined) return { message: "failed", traceback: "failed", captured: [] };
  const message = failureMessage(first);
  const parts = style.crashOnly
    ? [crashPlace(first, style)]
    : [bodyOf(first, style), ...otherFailures(first, others, style)];
  return {
    message,
    traceback: parts.filter((part) => part !== "").join("\n") || message,
    captured: captureSections(distinctSections(failures), style.capture),
  };
}

/** The exception with its values, in a line or two. */
export function failureMessage({ error, text, subtest }: PhaseFailure): string {
  const byText = text !== null && (error === null || speaksByText(error));
  const said = byText ? textHeadline(text, error) : error === null ? "" : headline(error);
  const message = said || "failed without a message";
  return subtest === null ? message : `${subtest} ${message}`;
}

function bodyOf(failure: PhaseFailure, style: FailureStyle): string {
  const phase = failure.when === "call" ? "" : `at ${failure.when}:\n`;
  return phase + (bodyText(failure, style) || failureMessage(failure));
}

/** Subtests in a loop fail at one line: it is shown once, then only their messages, then their number. */
function otherFailures(
  first: PhaseFailure,
  others: readonly PhaseFailure[],
  style: FailureStyle,
): string[] {
  const told = new Map([[bodyText(first, style), 0]]);
  const parts = others.flatMap((failure) => {
    const body = bodyText(failure, style);
    const repeats = told.get(body);
    told.set(body, (repeats ?? -1) + 1);
    if (repeats !== undefined && repeats >= MOST_REPEATS) return [];
    const where = failure.when === "call" ? "" : ` at ${failure.when}`;
    const head = `and${where} ${failureMessage(failure)}`;
    return [repeats === undefined ? `${head}\n${body}`.trimEnd() : head];
  });
  const left = [...told.values()].reduce(
    (sum, count) => sum + Math.max(0, count - MOST_REPEATS),
    0,
  );
  return left === 0 ? parts : [...parts, `… and ${left} more at a line shown above`];
}

function bodyText({ error, text }: PhaseFailure, style: FailureStyle): string {
  const ownText = text === null ? "" : tidyText(text, style);
  if (style.pytestText && ownText !== "") return ownText;
  if (error === null) return ownText;
  const lean = leanTraceback(error, style);
  // A text beside an exception is what a plugin or pytest wants to be read instead of it.
  const instead = ownText !== "" && ownText !== plainText(error.message).trim();
  if (!instead) return lean.join("\n");
  const frames = speaksByText(error) ? [] : leanTraceback({ ...error, message: "" }, style);
  return [...frames, clipMiddle(ownText, style.explanation)].join("\n");
}

function crashPlace(failure: PhaseFailure, style: FailureStyle): string {
  const { error, text } = failure;
  const line = error === null
    ? null
    : speaksByText(error)
    ? textPlace(relativizeLocations(plainText(text ?? ""), style.roots))
    : crashLine(error, style);
  return line ?? failureMessage(failure);
}

/** Where a fixture is asked for that does not exist, or the example of a doctest stands. */
function textPlace(text: string): string | null {
  const fixture = leanFixtureError(text)?.definitions.at(-1);
  const place = /^(\S.*:\d+): (?:DocTestFailure|UnexpectedException)$/m.exec(text)?.[1];
  const example = [...text.matchAll(/^\d+ +>>> (.*)$/gm)].at(-1)?.[1];
  return fixture ?? (place && example ? `${place}: ${example}` : place) ?? null;
}

function tidyText(text: string, { roots, pytestText, told }: FailureStyle): string {
  const plain = relativizeLocations(plainText(text), roots).trim();
  const lean = pytestText ? null : leanFixtureError(plain);
  if (lean === null) return plain;
  const { definitions, available } = lean;
  const known = told?.has(available);
  told?.add(available);
  return [...definitions, known ? "available fixtures: as above" : available].join("\n");
}

function distinctSections(failures: readonly PhaseFailure[]): PhaseFailure["sections"] {
  const seen = new Map<string, readonly [string, string]>();
  for (const { sections } of failures) {
    for (const section of sections) seen.set(section.join("\n"), section);
  }
  return [...seen.values()];
}
