import { clipEnd } from "./clip.ts";
import type { ExecuteResult } from "./execute_result.ts";
import type { CoverageData } from "./pytest_event.ts";

type Coverage = NonNullable<ExecuteResult["coverage"]>;
type Covered = Pick<
  CoverageData,
  "statements" | "missing_statements" | "branches" | "missing_branches"
>;

/** A file with more gaps than this needs tests, not a list of lines. */
const MISSING_CHARS = 300;

/** Totals, the limit, and the lines that each file misses, worst first. */
export function coverageResult(data: CoverageData, failUnder: number | undefined): Coverage {
  const { statements, missing_statements, branches, missing_branches, complete_files } = data;
  const nothing = statements + branches === 0 && data.unmeasured_files > 0;
  const percent = nothing ? 0 : percentOf(data);
  const required = failUnder ?? data.required;
  const files = data.files.map(({ path, missing, ...covered }) => ({
    path,
    percent: percentOf(covered),
    missing: clipEnd(missing.join(", "), MISSING_CHARS),
  }));
  return {
    percent,
    statements,
    missing: missing_statements,
    ...(branches === 0 ? {} : { branches, missing_branches }),
    ...(required === null
      ? {}
      : { fail_under: required, reached: percent >= required && data.unmeasured_files === 0 }),
    complete_files,
    files: files.sort((a, b) => a.percent - b.percent || (a.path < b.path ? -1 : 1)),
    ...(data.problem === null ? {} : { problem: data.problem }),
  };
}

/** As coverage.py counts: a branch weighs as much as a statement; nothing to cover is covered. */
function percentOf(
  { statements, missing_statements, branches, missing_branches }: Covered,
): number {
  const all = statements + branches;
  if (all === 0) return 100;
  const share = (all - missing_statements - missing_branches) / all;
  // Rounding up would hide the last line that is missing.
  return Math.floor(share * 10_000) / 100;
}
