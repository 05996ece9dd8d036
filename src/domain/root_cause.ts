/**
 * Tests that fail for the same reason: in the same phase, with the same exception type, at the same
 * innermost line of the project.
 *
 * @module
 */
import { speaksByText } from "./failure_text.ts";
import type { FailedTest, PhaseFailure } from "./test_outcome.ts";
import { textHeadline } from "./text_headline.ts";

/** What failures of one cause have in common; without a place of its own, a text stands for the test alone. */
export function causeKey(failure: PhaseFailure | undefined, id: string): string {
  if (failure === undefined) return "";
  const { when, error, text } = failure;
  const said = error?.message ?? [textHeadline(text ?? ""), lastFrame(text ?? "")].join(" ");
  return [when, error?.type ?? "", place(failure, id) ?? firstLine(withoutAddresses(said))].join(
    "\n",
  );
}

function place({ error, text }: PhaseFailure, id: string): string | null {
  if (error === null) return null;
  const own = error.syntax ?? error.frames.findLast((frame) => frame.project);
  // Every doctest fails at the same line of the standard library.
  if (own === undefined && speaksByText(error)) return textPlaces(text ?? "") || id;
  const at = own ?? error.frames.at(-1);
  return at === undefined ? null : `${at.path}:${at.line}`;
}

/** Where a doctest fails and where a fixture is asked for, as pytest ends its account of them. */
function textPlaces(text: string): string {
  return [...text.matchAll(/^\S.*:\d+(?=$|: (?:DocTestFailure|UnexpectedException)$)/gm)].join(
    "\n",
  );
}

/** Where Python's own traceback ends; a text without one has no place. */
function lastFrame(text: string): string {
  return text.match(/^ +File ".+", line \d+/gm)?.at(-1)?.trim() ?? "";
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** A message, alike for objects that differ only in their place in memory. */
export function withoutAddresses(text: string): string {
  return text.replace(/ at 0x[0-9a-f]+/gi, "");
}

/** The tests of each cause, largest cause first, in run order within it. */
export function groupByCause(failed: readonly FailedTest[]): FailedTest[][] {
  const groups = new Map<string, FailedTest[]>();
  for (const test of failed) {
    const group = groups.get(test.cause);
    if (group === undefined) groups.set(test.cause, [test]);
    else group.push(test);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}
