/**
 * What the project's own pytest knows about itself; asked anew each time, never kept.
 *
 * @module
 */
import { toCollectionError } from "./collection_error.ts";
import type { CollectionError } from "./execute_result.ts";
import { describeFailure } from "./execution_failure.ts";
import { classifyRun } from "./exit_code.ts";
import { failureStyle } from "./failure_text.ts";
import { buildInspectArgs } from "./pytest_args.ts";
import type { ProjectFixture, ProjectMarker, PytestEvent } from "./pytest_event.ts";
import type { Outcome } from "./run_failure.ts";
import { addEvent, createRunReport, type RunReport } from "./run_report.ts";
import type { UseCaseContext } from "./use_case.ts";

/** Which Python and which pytest run the project's tests, and why these. */
export interface ProjectEnvironment {
  /** absolute path of the interpreter */
  readonly executable: string;
  /** why this interpreter was taken */
  readonly reason: string;
  readonly python: string;
  readonly pytest: string;
  readonly rootdir: string;
  readonly inifile: string | null;
  /** name and version of each installed plugin: "pytest-xdist-3.6.1" */
  readonly plugins: readonly string[];
}

/** Asks which interpreter, versions, settings file and plugins the tests run with. */
export async function inspectEnvironment(
  context: UseCaseContext,
): Promise<Outcome<ProjectEnvironment>> {
  return await inspect("markers", context, (_, { last: { process_start, session_start } }) => {
    if (process_start === undefined || session_start === undefined) return null;
    const { event: _event, ...session } = session_start;
    const { python, reason } = process_start;
    // a name on PATH says less than what it led to
    const executable = /[\\/]/.test(python) ? python : session.executable;
    return { ...session, executable, reason };
  });
}

/** Asks for the registered markers. */
export async function inspectMarkers(
  context: UseCaseContext,
): Promise<Outcome<{ readonly markers: readonly ProjectMarker[] }>> {
  return await inspect("markers", context, (events) => {
    const said = events.flatMap((event) => event.event === "markers" ? [event.markers] : []);
    return said.length === 0 ? null : { markers: said.flat() };
  });
}

/** What tests can use, as far as their modules can be imported. */
export interface ProjectFixtures {
  readonly fixtures: readonly ProjectFixture[];
  /** modules that could not be, whose fixtures are missing here; not there if there are none */
  readonly collection_errors?: readonly Omit<CollectionError, "traceback">[];
}

/** Asks for the fixtures; collects, and so imports, all test modules. */
export async function inspectFixtures(context: UseCaseContext): Promise<Outcome<ProjectFixtures>> {
  return await inspect("fixtures", context, (events, { collectionErrors }) => {
    const said = events.flatMap((event) => event.event === "fixtures" ? [event.fixtures] : []);
    if (said.length === 0) return null;
    const style = failureStyle({ verbosity: 0, traceback: "lean" }, context.files);
    const errors = [...collectionErrors.values()].map((event) => {
      const { traceback: _, ...error } = toCollectionError(event, style);
      return error;
    });
    return {
      fixtures: said.flat(),
      ...(errors.length === 0 ? {} : { collection_errors: errors }),
    };
  });
}

/** Runs one session; `read` finds the answer, or null where pytest did not come so far. */
async function inspect<T>(
  what: "markers" | "fixtures",
  { runner, files, settings, signal }: UseCaseContext,
  read: (events: readonly PytestEvent[], report: RunReport) => T | null,
): Promise<Outcome<T>> {
  const request = buildInspectArgs(what, settings.defaultTimeout);
  const report = createRunReport();
  const events: PytestEvent[] = [];
  for await (const event of runner.run(request, { signal })) {
    addEvent(report, event, { everyTest: false });
    if (event.event === what) events.push(event);
  }
  const answer = report.last.cancelled ? null : read(events, report);
  if (answer !== null) return { ok: true, result: answer };
  const ending = classifyRun(report);
  const failed = ending.kind === "completed" ? { ...ending, kind: "unknown" as const } : ending;
  const style = failureStyle({ verbosity: 0, traceback: "lean" }, files);
  const run = { report, request, ending: failed, style, everyTest: false };
  return { ok: false, failure: describeFailure(run) };
}
