import type { ExecuteResult } from "./execute_result.ts";
import type { RelatedTests } from "./pytest_event.ts";
import type { EventOf, RunReport } from "./run_report.ts";

type Selection = NonNullable<ExecuteResult["selection"]>;

/** What no static analysis can see: dynamic names, data, other processes. */
const STATIC_NOTE =
  "found statically and counted in test functions: run all tests before you finish";

/** How many of how many tests were chosen, and why; null when nothing was to be chosen. */
export function selectionResult(report: RunReport): Selection | null {
  const { selection, sharded, last_failed } = report.last;
  const parts = [
    ...(selection === undefined ? [] : [fromRelated(selection, report)]),
    ...(sharded === undefined ? [] : [{
      selected: sharded.selected,
      total: sharded.total,
      notes: [shardNote(sharded, selection !== undefined)],
    }]),
    ...(last_failed === undefined ? [] : [{
      selected: last_failed.selected,
      total: last_failed.remembered,
      notes: lastFailedNotes(last_failed, report),
    }]),
  ];
  const [first, ...others] = parts;
  if (first === undefined) return null;
  return { ...first, notes: [...first.notes, ...others.flatMap(({ notes }) => notes)] };
}

function shardNote(
  { selected, total, files, all_files }: EventOf<"sharded">,
  ofRelated: boolean,
): string {
  const tests = ofRelated ? `${selected} of these ${total} tests, in ` : "";
  return `this shard has ${tests}${files} of ${all_files} files`;
}

function fromRelated(
  { files, total, everything, why, notes }: RelatedTests,
  { collected, last }: RunReport,
): Selection {
  const selected = files.reduce((sum, { functions }) => sum + functions, 0);
  return {
    files: files.map(({ path, because, distance }) => ({ path, because, distance })),
    selected: last.sharded?.selected ?? (everything ? collected : selected),
    total: everything ? last.sharded?.total ?? collected : total,
    notes: [...(everything ? [`all tests: ${why}`] : [STATIC_NOTE]), ...notes],
  };
}

/** pytest runs everything where it remembers nothing, unless told otherwise: nobody should take that for a rerun. */
function lastFailedNotes(
  { remembered, selected }: { readonly remembered: number; readonly selected: number },
  { collected, counts }: RunReport,
): string[] {
  if (selected > 0) return [];
  const why = remembered === 0
    ? "pytest's cache remembers no failure"
    : "none of the failures that pytest's cache remembers is among these tests";
  if (collected !== 0 || counts.deselected === 0) return [`${why}, so nothing was left out`];
  // Files without failures are not collected, and other parameters can leave out the rest.
  const by = remembered === 0 ? "the project's settings leave out every test" : "no test is left";
  return [`${why}, so ${by}`];
}
