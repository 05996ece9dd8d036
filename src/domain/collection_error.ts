import type { CollectionError } from "./execute_result.ts";
import { failureMessage, type FailureStyle, failureText } from "./failure_text.ts";
import type { ExceptionData } from "./pytest_event.ts";
import type { EventOf } from "./run_report.ts";
import type { PhaseFailure } from "./test_outcome.ts";

/** A collection error as the agent sees it; the same for a conftest.py that does not load. */
export function toCollectionError(
  { file, error: told, text }: Pick<EventOf<"conftest_error">, "file" | "error" | "text">,
  style: FailureStyle,
): CollectionError {
  const error = unwrap(told);
  const failure: PhaseFailure = {
    when: "call",
    subtest: null,
    error,
    text: error === null || style.pytestText ? text : null,
    sections: [],
  };
  const message = failureMessage(failure);
  const nearest = error?.syntax ?? error?.frames.findLast((frame) => frame.project);
  // A line is one of the file, or of a file in what is a directory.
  const own = [error?.syntax, ...(error?.frames ?? []).toReversed()].find((place) =>
    place?.path === file
  );
  const inside = !file || nearest?.path.startsWith(`${file}/`) === true;
  return {
    file: file ?? nearest?.path ?? "",
    // Newer versions of pytest give their errors another module.
    error_type: error?.type.replace(/^pytest\./, "") ?? "CollectError",
    message: error === null ? message : message.slice(error.type.length + 2) || message,
    line: (own ?? (inside ? nearest : undefined))?.line ?? null,
    traceback: failureText({ failures: [failure] }, style).traceback,
  };
}

/** pytest wraps what went wrong in an error that says no more. */
function unwrap(error: ExceptionData | null): ExceptionData | null {
  const inner = error?.cause ?? error?.context;
  const wraps = error !== null && /^(ConftestImportFailure|CollectError)$/.test(error.type);
  return wraps && inner !== undefined ? unwrap(inner) : error;
}
