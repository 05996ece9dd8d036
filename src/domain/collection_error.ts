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
  const frames = error?.frames.filter((frame) => frame.project) ?? [];
  const places = error?.syntax ? [...frames, error.syntax] : frames;
  // Of a conftest.py that does not load, some versions of pytest name the directory and others nothing.
  const directory = !file || file === "." ? "" : `${file}/`;
  const named = places.some(({ path }) => path === file)
    ? file
    : places.find(({ path }) => path.startsWith(directory))?.path ?? file;
  return {
    file: named ?? "",
    // Newer versions of pytest give their errors another module.
    error_type: error?.type.replace(/^pytest\./, "") ?? "CollectError",
    message: error === null ? message : message.slice(error.type.length + 2) || message,
    line: places.findLast(({ path }) => path === named)?.line ?? null,
    traceback: failureText({ failures: [failure] }, style).traceback,
  };
}

/** pytest wraps what went wrong in an error that says no more. */
function unwrap(error: ExceptionData | null): ExceptionData | null {
  const inner = error?.cause ?? error?.context;
  const wraps = error !== null && /^(ConftestImportFailure|CollectError)$/.test(error.type);
  return wraps && inner !== undefined ? unwrap(inner) : error;
}
