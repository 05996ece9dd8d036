/**
 * Tests that fail for the same reason: in the same phase, with the same exception type, at the same
 * innermost line of the project.
 *
 * @module
 */
import type { ExceptionData } from "./pytest_event.ts";
import type { FailedTest, PhaseFailure } from "./test_outcome.ts";

/** What failures of one cause have in common. */
export function causeKey(failure: PhaseFailure | undefined): string {
  if (failure === undefined) return "";
  const { when, error, text } = failure;
  return [when, error?.type ?? "", place(error) ?? withoutAddresses(error?.message ?? text ?? "")]
    .join("\n");
}

function place(error: ExceptionData | null): string | null {
  if (error === null) return null;
  const at = error.syntax ?? error.frames.findLast((frame) => frame.project) ?? error.frames.at(-1);
  return at === undefined ? null : `${at.path}:${at.line}`;
}

/** The first line of a message, alike for objects that differ only in their place in memory. */
export function withoutAddresses(text: string): string {
  return text.split("\n", 1)[0]?.replace(/ at 0x[0-9a-f]+/gi, "") ?? "";
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
