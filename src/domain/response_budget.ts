/**
 * What gives way when a result is too large for one response, in the order of the contract.
 *
 * @module
 */
import { type Allowance, buildResult, type ResultDraft, SHORTEST_TEXT } from "./allowed_result.ts";
import type { CollectionError, ExecuteResult } from "./execute_result.ts";
import { fitExtras } from "./result_extras.ts";

/** An entry takes more than this besides its name: no need to look at those that cannot fit. */
const SMALLEST_ENTRY = 40;

/** Fits a result into `limit` characters of JSON text. */
export function fitResult(draft: ResultDraft, limit: number): ExecuteResult {
  const ids = (entries: readonly { node_id: string }[]) =>
    mostThatFit(entries.map(({ node_id }) => node_id), limit);
  const allowance: Allowance = {
    jsonReport: "whole",
    passed: ids(draft.passed),
    collapseRepeats: false,
    captured: limit,
    traceback: limit,
    message: limit,
    related: Infinity,
    skipped: ids(draft.skipped),
    failures: ids(draft.failures.map(({ entry }) => entry)),
    collectionErrors: mostThatFit(draft.collectionErrors.map(({ file }) => file), limit),
  };
  const frame = { ...fitExtras(draft.extras ?? {}, limit), limit };
  for (const giveWay of STEPS) {
    const result = buildResult(draft, allowance, frame);
    if (JSON.stringify(result).length <= limit) return result;
    giveWay(allowance, (key, least) => {
      allowance[key] = largest(least, allowance[key], (value) => {
        const tried = buildResult(draft, { ...allowance, [key]: value }, frame);
        return JSON.stringify(tried).length <= limit;
      });
    });
  }
  return buildResult(draft, allowance, frame);
}

const EMPTY: ResultDraft = {
  exit_code: 0,
  summary: {
    total: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    errors: 0,
    duration: 0,
    xfailed: 0,
    xpassed: 0,
    deselected: 0,
    warnings: 0,
    not_run: 0,
  },
  failures: [],
  skipped: [],
  passed: [],
  collectionErrors: [],
  selectorsOmitted: 0,
  text_output: null,
  json_report: null,
};
/** What a result without content takes. */
const EMPTY_CHARS = JSON.stringify(EMPTY).length;

function mostThatFit(names: readonly string[], limit: number): number {
  let size = 0;
  const first = names.findIndex((name) => (size += name.length + SMALLEST_ENTRY) > limit);
  return first < 0 ? names.length : first;
}

type NumericPart = {
  [K in keyof Allowance]: Allowance[K] extends number ? K : never;
}[keyof Allowance];

/** Sets one part to the largest value with which everything fits, or to the least. */
type Reduce = (key: NumericPart, least: number) => void;

const STEPS: ((allowance: Allowance, reduce: Reduce) => void)[] = [
  (allowance) => allowance.jsonReport = "failures",
  (_, reduce) => reduce("passed", 0),
  (allowance) => allowance.jsonReport = "crashes",
  (allowance) => allowance.jsonReport = "none",
  (allowance) => allowance.collapseRepeats = true,
  (_, reduce) => reduce("captured", SHORTEST_TEXT),
  (_, reduce) => reduce("traceback", SHORTEST_TEXT),
  (_, reduce) => reduce("skipped", 0),
  (_, reduce) => reduce("message", SHORTEST_TEXT),
  (allowance) => allowance.related = 3,
  (_, reduce) => reduce("failures", 1),
  (_, reduce) => reduce("collectionErrors", 1),
  (allowance) => allowance.related = 0,
  (_, reduce) => reduce("captured", 0),
  (_, reduce) => reduce("failures", 0),
  (_, reduce) => reduce("collectionErrors", 0),
];

function largest(least: number, most: number, fits: (value: number) => boolean): number {
  // Most parts give way entirely before the next one does: only the last needs a search.
  if (!fits(least)) return least;
  let low = least;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Fits collection errors into `room` characters; a last entry counts those that are left out. */
export function fitCollectionErrors(
  errors: readonly CollectionError[],
  room: number,
): CollectionError[] {
  const fitted = fitResult({ ...EMPTY, collectionErrors: errors }, room + EMPTY_CHARS);
  const left = errors.length - fitted.collection_errors.length;
  return left === 0 ? fitted.collection_errors : [...fitted.collection_errors, {
    file: "",
    error_type: "omitted",
    message: `${left} more files could not be collected; a narrower path shows them`,
    line: null,
    traceback: "",
  }];
}
