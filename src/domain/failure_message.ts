/**
 * The message of a run that did not complete. Most hosts show a model nothing else: it says what happened,
 * how far the run came and what to do next.
 *
 * @module
 */
import { clipInline, clipMiddle, joinWithin } from "./clip.ts";
import type { CollectionError } from "./execute_result.ts";
import type { ToldRun } from "./execution_failure.ts";
import { tidyStacks } from "./hang_stack.ts";
import { headline, leanTraceback } from "./lean_traceback.ts";
import { plainText, relativizeLocations } from "./plain_text.ts";
import type { ExceptionData } from "./pytest_event.ts";
import type { RunReport } from "./run_report.ts";

/** What each part may take of the message. */
const EVIDENCE_CHARS = 1_400;
const LIST_CHARS = 600;
const TERMINAL_CHARS = 400;

/** The parts of the message, what happened first, what to do last. */
export function failureMessageParts(run: ToldRun): string[] {
  const { report, ending } = run;
  if (isTooOld(run)) return tooOld(report);
  switch (ending.kind) {
    case "usage_error":
      return report.unknownIds.length > 0 ? unknownIds(report) : refused(run);
    case "project_error":
      return projectError(run);
    case "interrupted":
      return [...interrupted(run), progress(report), failuresSoFar(run), INTERRUPTED_ADVICE];
    case "pytest_internal":
      return [...internalError(run), progress(report), failuresSoFar(run), INTERNAL_ADVICE];
    case "unknown":
      return [
        unknownExit(run),
        progress(report),
        failuresSoFar(run),
        stderrTail(run),
        ending.exitCode === 6 ? WARNINGS_ADVICE : UNKNOWN_ADVICE,
      ];
    case "crash":
      return crash(run);
    case "timeout":
      return timeout(run);
    case "spawn_failure":
      return spawnFailure(report);
    case "busy": {
      const { running, waiting } = report.last.busy ?? { running: 0, waiting: 0 };
      return [
        `Too many runs: ${running} are running and ${waiting} are waiting. Nothing was run.`,
        "Try again when one of them has ended.",
      ];
    }
    case "cancelled":
      return ["The run was cancelled.", progress(report), stillRunning(report)];
  }
}

function tooOld({ last: { process_start } }: RunReport): string[] {
  return [
    "The project's pytest is too old: pytest 6.2 or newer is needed. No test was run.",
    `Update it: ${process_start?.python ?? "python"} -m pip install --upgrade pytest`,
  ];
}

/** A pytest that says which it is, or that does not know a flag of 6.2 though it knows an older one beside it. */
function isTooOld({ report, lists: { collectionErrors: [error] } }: ToldRun): boolean {
  return /^([0-5]\.|6\.[01]\.)/.test(report.last.session_start?.pytest ?? "") ||
    /^unrecognized arguments:(?!.*--tb=).* --no-summary\b/.test(error?.message ?? "");
}

const INTERRUPTED_ADVICE =
  "To see the other tests, remove what interrupts the run, or leave its test out by node_ids or keywords.";
const WARNINGS_ADVICE =
  "Correct what warns (verbosity 1 shows the warnings), or raise the limit in the pytest settings.";
const UNKNOWN_ADVICE =
  "Look for what sets the exit code: pytest_sessionfinish, pytest_unconfigure, pytest.exit(), sys.exit() or os._exit() in conftest.py or a plugin.";
const INTERNAL_ADVICE =
  "No assertion failed here: look at the line that the traceback names, in a plugin, conftest.py or test module.";

function unknownIds({ unknownIds }: RunReport): string[] {
  const lines = unknownIds.map(({ id, nearest }) =>
    `- ${clipInline(id, 300)}` + (nearest.length > 0 ? ` — nearest: ${nearest.join(", ")}` : "")
  );
  const what = unknownIds.length === 1
    ? "A node id matches"
    : `${unknownIds.length} node ids match`;
  return [
    `${what} no test, so nothing was run:`,
    joinWithin(lines, "\n", 3_000),
    "Take ids from discover_tests; a file, class or function stands for all of its tests.",
  ];
}

function refused({ report }: ToldRun): string[] {
  if (report.last.refused) return [report.last.refused.message, "Nothing was run."];
  const said = plainText(report.last.usage_error?.message ?? "").trim();
  return [
    `pytest refused the request, and nothing was run: ${clipMiddle(said, EVIDENCE_CHARS)}`,
    "Correct the parameter that it names; discover_tests shows what there is.",
  ];
}

function projectError(run: ToldRun): string[] {
  const { lists: { collectionErrors: [error] } } = run;
  if (error !== undefined && error.error_type !== "UsageError") {
    const what = error.message === "" ? error.error_type : `${error.error_type}: ${error.message}`;
    return [
      `pytest could not start, because ${error.file || "a plugin"} does not load: ${what}`,
      clipMiddle(error.traceback, EVIDENCE_CHARS),
      "No test was run. Correct that, then run again.",
    ];
  }
  const code = run.ending.exitCode === null ? "" : ` (exit code ${run.ending.exitCode})`;
  return [
    error === undefined
      ? `pytest ended${code} before it began a session: its settings or plugins do not allow it to start.`
      : `pytest could not start with the project's settings${
        settingsPlace(error)
      }: ${error.message}`,
    error === undefined ? stderrTail(run) : "",
    "No test was run. Correct the pytest settings (pytest.ini, pyproject.toml, tox.ini, setup.cfg, conftest.py) or install what is missing.",
  ];
}

function settingsPlace({ file, line, message }: CollectionError): string {
  if (file === "" || message.includes(file)) return "";
  return ` (${file}${line === null ? "" : `:${line}`})`;
}

function interrupted({ report, style }: ToldRun): string[] {
  const event = report.last.interrupted;
  // pytest stops a session by an interrupt of its own, which has a reason.
  const isOwn = event?.error?.type === "Interrupted";
  const how = event?.kind === "exit"
    ? "by pytest.exit()"
    : isOwn
    ? "by the project or a plugin (session.shouldstop)"
    : "by a KeyboardInterrupt";
  const reason = event && event.reason !== "" ? `: ${clipInline(event.reason, 300)}` : "";
  const where = event?.error ? frames(event.error, style.roots) : "";
  return [`pytest was interrupted ${how}${reason}`, where];
}

function internalError({ report, style }: ToldRun): string[] {
  const event = report.last.internal_error;
  if (!event) return ["pytest ended with an internal error."];
  if (!event.error) {
    return ["pytest ended with an internal error:", clipMiddle(event.text, EVIDENCE_CHARS)];
  }
  return [
    `pytest ended with an internal error: ${headline(event.error)}`,
    frames(event.error, style.roots),
  ];
}

function unknownExit({ ending: { exitCode } }: ToldRun): string {
  return exitCode === 6
    ? "pytest ended with exit code 6: more warnings than the project's --max-warnings allows."
    : `pytest ended with exit code ${exitCode}, which only a plugin or conftest.py of the project can mean.`;
}

function crash(run: ToldRun): string[] {
  const { report, ending } = run;
  const signal = report.last.process_end?.signal ?? null;
  const isLate = signal === null && report.last.session_end !== undefined;
  if (isLate && report.workersDown.length > 0) return deadWorkers(run);
  const how = isLate
    ? `ended with exit code ${ending.exitCode} after the session, before pytest itself did`
    : signal === null
    ? `ended with exit code ${ending.exitCode} before its session did (as os._exit() does)`
    : `was killed by ${signal}${
      signal === "SIGXCPU" ? ", the limit of processor time (--max-cpu-seconds of the server)" : ""
    }`;
  const during = report.running.size > 0
    ? ` while this ran: ${running(report)}`
    : report.last.session_start === undefined
    ? " while pytest started"
    : !report.collected
    ? " while tests were collected"
    : "";
  return [
    `The pytest process ${how}${during}`,
    progress(report),
    failuresSoFar(run),
    lastWords(run),
    signal === null && !isLate ? lastTerminalLines(run) : "",
    report.running.size > 0
      ? "Run that test alone to confirm it, then look for what ends its process: C code, memory, os._exit(), a signal."
      : isLate
      ? "The results are complete. Look at what runs after the tests, in conftest.py or a plugin: pytest_unconfigure, pytest_terminal_summary, os._exit()."
      : "Look for what ends the process: C code, memory, os._exit(), a signal.",
  ];
}

/** A session that came to its end without a test, because nobody was left to run one. */
function deadWorkers(run: ToldRun): string[] {
  // xdist starts others in their place, which end alike.
  const inOrder = run.report.workersDown.toSorted((one, other) =>
    one.worker.localeCompare(other.worker, "en", { numeric: true })
  );
  const workers = [...Map.groupBy(inOrder, ({ error }) => error)].map(([error, alike]) =>
    `${alike.map(({ worker }) => worker).join(", ")} (${clipInline(error, 200)})`
  );
  return [
    `Every worker process of pytest-xdist ended while it collected tests: ${
      joinWithin(workers, "; ", LIST_CHARS)
    }`,
    progress(run.report),
    failuresSoFar(run),
    lastWords(run),
    "A test module or conftest.py ends the process when it is imported (C code, os._exit(), a signal): " +
    "discover_tests with path shows which.",
  ];
}

function timeout(run: ToldRun): string[] {
  const { report, request } = run;
  const stacks = tidyStacks(relativizeLocations(report.stacks.join("\n"), run.style.roots));
  const stuck = report.running.size > 0
    ? stillRunning(report)
    : !report.collected || report.interruptedImport
    ? "It was still collecting: a test module or conftest.py hangs, or collection is that slow."
    : "No test was running: a fixture's or plugin's end hangs.";
  return [
    `pytest execution exceeded timeout of ${request.timeoutSeconds} seconds`,
    progress(report),
    stuck,
    stacks === "" ? "" : `Its stack:\n${clipMiddle(stacks, EVIDENCE_CHARS)}`,
    failuresSoFar(run),
    "If it hangs, correct that line; if it is only slow, raise timeout or run fewer tests (node_ids, path).",
  ];
}

function spawnFailure(report: RunReport): string[] {
  const { message, fix } = report.last.spawn_failure ?? { message: "", fix: "" };
  const tried = triedInterpreters(report);
  return [message, tried.length === 0 ? "" : `Tried:\n${joinWithin(tried, "\n", 2_000)}`, fix];
}

/** The interpreters that were tried, and why each was not taken. */
export function triedInterpreters({ last: { spawn_failure } }: RunReport): string[] {
  return (spawn_failure?.tried ?? []).map(({ python, origin, problem }) =>
    `- ${python} (${origin}): ${problem}`
  );
}

function progress({ last, collected, finished, counts }: RunReport): string {
  if (last.session_start === undefined) return "No test was run.";
  if (!collected) return "No test was run: collection was not over.";
  const { passed, failed, errors, skipped } = counts;
  const parts = Object.entries({ passed, failed, errors, skipped })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  const detail = parts.length > 0 ? `: ${parts.join(", ")}` : "";
  return `${finished} of ${collected} tests had finished${detail}.`;
}

function stillRunning(report: RunReport): string {
  return report.running.size === 0 ? "" : `Still running: ${running(report)}`;
}

function running(report: RunReport): string {
  return joinWithin([...report.running].map((id) => clipInline(id, 300)), ", ", LIST_CHARS);
}

function failuresSoFar({ lists }: ToldRun): string {
  const lines = [
    ...lists.failures.map(({ entry, tests }) =>
      `- ${clipInline(entry.node_id, 200)}${tests > 1 ? ` and ${tests - 1} more` : ""}: ` +
      clipInline(entry.message.replaceAll("\n", " "), 200)
    ),
    ...lists.collectionErrors.map(({ file, error_type, message }) =>
      `- ${file} (not collected): ${error_type}: ${clipInline(message, 200)}`
    ),
  ];
  return lines.length === 0 ? "" : `Failed before that:\n${joinWithin(lines, "\n", LIST_CHARS)}`;
}

function stderrTail(run: ToldRun): string {
  const { process_end } = run.report.last;
  return lastOutput(process_end?.stderr.trim() || process_end?.stdout.trim() || "", run);
}

/** What a process that crashed wrote to stderr; Python's own account of a fatal error is a stack. */
function lastWords(run: ToldRun): string {
  const { stderr = "" } = run.report.last.process_end ?? {};
  const isStack = stderr.includes("(most recent call first)");
  return lastOutput(
    // Its paths are shortened as long as they can be told from what is around them.
    isStack ? tidyStacks(relativizeLocations(plainText(stderr), run.style.roots)) : stderr,
    run,
  );
}

/** What was said to the terminal after pytest's own line of progress, which stays open while a test runs. */
function lastTerminalLines({ report, style }: ToldRun): string {
  const text = plainText(report.last.process_end?.stdout ?? "");
  if (!text.endsWith("\n")) return "";
  const plain = relativizeLocations(text, style.roots).trim();
  return plain === "" ? "" : `Its terminal's end:\n${clipMiddle(plain, TERMINAL_CHARS, 0).trim()}`;
}

function lastOutput(text: string, { style }: ToldRun): string {
  const plain = relativizeLocations(plainText(text), style.roots).trim();
  return plain === "" ? "" : `Its last output:\n${clipMiddle(plain, EVIDENCE_CHARS, 0.2)}`;
}

function frames(error: ExceptionData, roots: readonly string[]): string {
  const lines = leanTraceback(error, { frames: 8, explanation: 600, roots });
  return clipMiddle(lines.join("\n"), EVIDENCE_CHARS, 0.3);
}
