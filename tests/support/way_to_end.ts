/**
 * How a run ended, in the terms of the table of ways to end, from a use case or over the wire.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { WayToEnd } from "../../fixtures/ways_to_end.ts";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import type { ExecutionData, Outcome } from "../../src/domain/run_failure.ts";
import type { WireMessage } from "./wire_message.ts";

/** A result, or the data of a failure with its message. */
export type RunEnd =
  | { readonly result: ExecuteResult }
  | { readonly failure: ExecutionData; readonly message: string };

/** The end of a run as the use case tells it. */
export function endOfOutcome(outcome: Outcome<ExecuteResult>): RunEnd {
  if (outcome.ok) return { result: outcome.result };
  const { failure } = outcome;
  if (failure.kind === "invalid_parameters") assert.fail(failure.message);
  return { failure: failure.data, message: failure.message };
}

/** The end of a run as the client sees it. */
export function endOfAnswer({ result, error }: WireMessage): RunEnd {
  if (result !== undefined) return { result: result.structuredContent };
  assert.ok(error?.data?.error_type !== undefined, JSON.stringify(error));
  return { failure: error.data, message: error.message };
}

/** What the table says of a way to end. */
export function expectedEnd(way: WayToEnd) {
  return {
    failure: way.failure,
    ...(way.exit !== undefined && { exit: way.exit }),
    signal: way.signal ?? null,
    passed: way.passed ?? 0,
    failed: way.failed ?? 0,
    errors: way.errors ?? 0,
    collectionErrors: way.collectionErrors ?? 0,
    running: way.running ?? [],
    stackShown: way.stack !== undefined,
  };
}

/** The same of a run, as far as the table speaks about it. */
export function seenEnd(end: RunEnd, way: WayToEnd) {
  const failure = "failure" in end ? end.failure : undefined;
  const message = "failure" in end ? end.message : "";
  const { summary, exit_code, collection_errors } = "failure" in end ? end.failure : end.result;
  const { passed, failed, errors } = summary;
  return {
    failure: failure?.error_type,
    ...(way.exit !== undefined && { exit: exit_code }),
    signal: failure?.error_type === "timeout" ? null : failure?.signal ?? null,
    passed,
    failed,
    errors,
    collectionErrors: collection_errors.length,
    running: failure?.running ?? [],
    stackShown: way.stack !== undefined && message.includes(way.stack),
  };
}
