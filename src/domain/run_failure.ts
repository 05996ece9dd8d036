import type { CollectionError, RunSummary, TestEntry } from "./execute_result.ts";

/** One thing wrong with a request. */
export interface ParameterIssue {
  /** dotted path of the parameter: `node_ids.3` */
  readonly field: string;
  readonly message: string;
  readonly type: string;
  readonly received_value: unknown;
}

/** The request does not validate: nothing was started. */
export interface InvalidParameters {
  readonly kind: "invalid_parameters";
  /** stands alone: what was received, what is allowed, what to do next */
  readonly message: string;
  /** at least one, all that were found */
  readonly issues: readonly ParameterIssue[];
}

/** Why a run did not complete. */
export type ExecutionErrorType =
  | "usage_error"
  | "project_error"
  | "interrupted"
  | "pytest_internal"
  | "unknown"
  | "crash"
  | "timeout"
  | "spawn_failure"
  | "busy"
  | "cancelled";

/** Everything known about a run that did not complete; nothing that ran is lost. */
export interface ExecutionData {
  readonly error_type: ExecutionErrorType;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timeout_exceeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** a list that a person can paste */
  readonly command: readonly string[];
  readonly duration: number;
  readonly collection_errors: readonly CollectionError[];
  readonly summary: RunSummary;
  readonly tests: readonly TestEntry[];
  /** node ids of the tests that had begun and not ended */
  readonly running: readonly string[];
}

/** pytest ran, or should have, and did not come to its end. */
export interface ExecutionFailure {
  readonly kind: "execution_failure";
  /** stands alone: what happened, how far it came, what to do next */
  readonly message: string;
  readonly data: ExecutionData;
}

/** Every expected way in which a request cannot be answered with a result. */
export type RunFailure = InvalidParameters | ExecutionFailure;

/** What a use case returns: a throw means a bug. */
export type Outcome<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly failure: RunFailure };
