/**
 * What went wrong, for a person who looks at a terminal.
 *
 * @module
 */
import type { CollectionError } from "../domain/execute_result.ts";
import { captureSections } from "../domain/captured_output.ts";
import type { FailureStyle } from "../domain/failure_text.ts";
import { crashLine, headline, leanTraceback } from "../domain/lean_traceback.ts";
import type { ExceptionData, PytestEvent } from "../domain/pytest_event.ts";
import type { RunFailure } from "../domain/run_failure.ts";
import { printable, type Style } from "./style.ts";

/** A person scrolls, but not for ever. */
const LIMITS = { frames: 50, explanation: 20_000 };

/** How much of a failure is shown. */
export type FailureDetail = Pick<FailureStyle, "crashOnly" | "capture">;

/** One phase of a test that failed, as soon as it has. */
export function renderFailedPhase(
  report: Extract<PytestEvent, { event: "report" }>,
  style: Style,
  { crashOnly, capture }: FailureDetail,
): string {
  const { id, when, subtest, error, text, sections } = report;
  const what = when === "call" ? "FAILED" : `ERROR in ${when}`;
  const name = printable(subtest === null ? id : `${id} ${subtest}`);
  const body = error === null || (text !== null && !crashOnly)
    ? printable(text ?? "")
    : renderException(error, style, crashOnly);
  const captured = captureSections(sections, capture).map(({ heading, text: output }) =>
    `${style.dim(`── ${printable(heading)} ──`)}\n${printable(output)}`
  );
  return `${style.bold(style.red(what))} ${style.bold(name)}\n` +
    `${indent([body, ...captured].join("\n"))}\n`;
}

/** A file that cannot be imported. */
export function renderCollectionError(error: CollectionError, style: Style): string {
  const place = error.line === null ? error.file : `${error.file}:${error.line}`;
  return `${style.bold(style.red("CANNOT COLLECT"))} ${style.bold(printable(place))}\n` +
    `${indent(style.red(printable(`${error.error_type}: ${error.message}`)))}\n`;
}

/** Why there is no result. */
export function renderRunFailure(failure: RunFailure, style: Style): string {
  return `${style.red(printable(failure.message))}\n`;
}

/** The exception first, then the way to it; places stand out. */
function renderException(error: ExceptionData, style: Style, crashOnly: boolean): string {
  const told = crashOnly ? [crashLine(error) ?? ""] : leanTraceback(error, LIMITS);
  const lines = told.map((line) => printable(line).replace(/^\S+:\d+(?= )/, style.cyan));
  return [style.red(printable(headline(error))), ...lines].join("\n");
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`.trimEnd()).join("\n");
}
