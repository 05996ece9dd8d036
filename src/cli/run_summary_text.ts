import type { RunSummary } from "../domain/execute_result.ts";
import type { Style } from "./style.ts";

/** A run that did not come to its end, and how many tests it broke off. */
export interface Incomplete {
  readonly interrupted: number;
}

/** The last line of a run: what was counted, worst first, and how long it took. */
export function renderSummary(summary: RunSummary, style: Style, incomplete?: Incomplete): string {
  const { failed, errors, passed, skipped, xfailed, xpassed, deselected, warnings, not_run } =
    summary;
  const bad = failed + errors > 0 || incomplete !== undefined;
  const parts = [
    count(failed, "failed", style.red),
    count(errors, errors === 1 ? "error" : "errors", style.red),
    count(incomplete?.interrupted ?? 0, "interrupted", style.red),
    count(passed - xpassed, "passed", style.green),
    count(skipped - xfailed, "skipped", style.yellow),
    count(xfailed, "xfailed", style.yellow),
    count(xpassed, "xpassed", style.yellow),
    count(not_run, "not run", style.yellow),
    count(deselected, "deselected", style.dim),
    count(warnings, warnings === 1 ? "warning" : "warnings", style.yellow),
  ].filter((part) => part !== "");
  const counted = parts.length === 0 ? style.yellow("no tests ran") : parts.join(", ");
  const mark = bad ? style.red("✗") : summary.total === 0 ? style.yellow("–") : style.green("✓");
  return `${mark} ${counted} ${style.dim(`in ${summary.duration.toFixed(2)}s`)}`;
}

function count(number: number, word: string, paint: (text: string) => string): string {
  return number > 0 ? paint(`${number} ${word}`) : "";
}
