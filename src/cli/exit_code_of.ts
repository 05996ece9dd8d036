import type { RunFailure } from "../domain/run_failure.ts";

/** pytest's own codes, for what has no exit code of pytest. */
const INTERRUPTED = 2;
const INTERNAL_ERROR = 3;
const USAGE_ERROR = 4;

/** The exit code of a run without a result: pytest's where it has one, and never 0 or 1. */
export function exitCodeOf(failure: RunFailure): number {
  if (failure.kind === "invalid_parameters") return USAGE_ERROR;
  const { error_type, exit_code } = failure.data;
  // whether or not pytest came to say so before it was killed
  if (error_type === "cancelled" || error_type === "timeout") return INTERRUPTED;
  return exit_code === null || exit_code <= 1 ? INTERNAL_ERROR : exit_code;
}
