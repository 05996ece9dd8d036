import type { RunEnd } from "../support/way_to_end.ts";

/** Of the ordinary run, whose tests only differ in their number. */
const ORDINARY_FAILURES = [3, 13, 23].map((n) => `ordinary/test_it.py::test_it[${n}]`);

/**
 * What is wrong with the tests that an answer tells of, whatever became of its run: tests of another run,
 * failures without their words, counts that are not those of the entries; null if nothing is.
 */
export function whatIsWrong(directory: string, end: RunEnd): string | null {
  const { summary, tests, collection_errors } = "failure" in end ? end.failure : end.result;
  const { total, passed, failed, skipped, errors } = summary;
  if (total !== passed + failed + skipped + errors) {
    return `the counts do not add up: ${JSON.stringify(summary)}`;
  }
  const ids = tests.flatMap(({ node_id, same_cause }) => [node_id, ...same_cause?.node_ids ?? []]);
  const places = [
    ...ids,
    ...collection_errors.map(({ file }) => file).filter((file) => file !== ""),
  ];
  const strange = places.find((place) => place !== directory && !place.startsWith(`${directory}/`));
  if (strange !== undefined) return `${strange} is of another run`;
  const told = tests.map(({ same_cause }) => same_cause?.count ?? 1)
    .reduce((sum, count) => sum + count, 0);
  // What keeps pytest from starting is no error of a test or of its file.
  const started = !("failure" in end && end.failure.error_type === "project_error");
  if (started && told + collection_errors.length !== failed + errors) {
    return `${failed} failed and ${errors} errors, but ${told} are told of`;
  }
  const silent = tests.find(({ message, traceback }) => !message || !traceback);
  if (silent !== undefined) return `${silent.node_id} does not say why it failed`;
  if (directory !== "ordinary" || failed !== ORDINARY_FAILURES.length) return null;
  return ORDINARY_FAILURES.every((id) => ids.includes(id)) ? null : `other failures: ${ids}`;
}
