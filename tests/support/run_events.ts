/**
 * Events as pytest says them, with everything that a test does not care about filled in.
 *
 * @module
 */
import type { ExceptionData, Frame, PytestEvent } from "../../src/domain/pytest_event.ts";

type EventOf<K extends PytestEvent["event"]> = Extract<PytestEvent, { event: K }>;

/** A frame from `path:line function: source`; of a library when it starts with `lib `. */
export function frame(text: string, more: Partial<Frame> = {}): Frame {
  const match = /^(lib )?(.+?):(\d+) (\S+): (.*)$/.exec(text);
  if (match === null) throw new Error(`not a frame: ${text}`);
  const [, library, path = "", line, name = "", source = ""] = match;
  return {
    project: library === undefined,
    path,
    line: Number(line),
    function: name,
    source,
    ...more,
  };
}

/** An exception from `Type: message` and its frames, outermost first. */
export function exception(
  text: string,
  frames: readonly (string | Frame)[] = [],
  more: Partial<ExceptionData> = {},
): ExceptionData {
  const [type = "", ...message] = text.split(": ");
  return {
    type,
    message: message.join(": "),
    frames: frames.map((entry) => typeof entry === "string" ? frame(entry) : entry),
    ...more,
  };
}

/** One phase of a test. */
export function phase(id: string, more: Partial<EventOf<"report">> = {}): EventOf<"report"> {
  return {
    event: "report",
    id,
    when: "call",
    outcome: "failed",
    duration: 0.01,
    reason: null,
    xfail: false,
    subtest: null,
    error: null,
    text: null,
    sections: [],
    ...more,
  };
}

/** A test from its begin to its end, with the phases that did not simply pass. */
export function test(id: string, ...phases: Partial<EventOf<"report">>[]): PytestEvent[] {
  const begin: PytestEvent = { event: "begin", id };
  if (phases.length === 0) return [begin, { event: "passed", id, duration: 0.012_345 }];
  return [
    begin,
    ...phases.map((more) => phase(id, more)),
    { event: "finished", id, duration: 0.012_345 },
  ];
}

/** The beginning of a session. */
export function sessionStart(): PytestEvent[] {
  return [
    {
      event: "process_start",
      python: "/code/project/.venv/bin/python",
      reason: ".venv in the root",
    },
    {
      event: "session_start",
      pytest: "9.0.0",
      python: "3.12.1",
      executable: "/code/project/.venv/bin/python",
      rootdir: "/code/project",
      inifile: null,
      plugins: [],
    },
  ];
}

/** The end of a process. */
export function processEnd(more: Partial<EventOf<"process_end">> = {}): EventOf<"process_end"> {
  return {
    event: "process_end",
    exit_code: 0,
    signal: null,
    timed_out: false,
    stdout: "",
    stderr: "",
    duration: 1.234_56,
    ...more,
  };
}

/** How a session is to be told. */
export interface SessionOptions {
  /** items; by default as many as tests begin */
  readonly total?: number;
  readonly exitCode?: number;
  readonly stdout?: string;
}

/** A session that comes to its end, around the events of its tests. */
export function session(
  events: readonly PytestEvent[],
  options: SessionOptions = {},
): PytestEvent[] {
  const begun = events.filter(({ event }) => event === "begin").length;
  const exit_code = options.exitCode ?? (events.some(isFailure) ? 1 : 0);
  return [
    ...sessionStart(),
    { event: "functions", counts: functionCounts(events) },
    { event: "collected", total: options.total ?? begun },
    ...events,
    { event: "session_end", exit_status: exit_code },
    { event: "exit", exit_code },
    processEnd({ exit_code, stdout: options.stdout ?? "" }),
  ];
}

function isFailure(event: PytestEvent): boolean {
  return event.event === "collection_error" ||
    (event.event === "report" && event.outcome === "failed");
}

/** As the plugin counts: tests of each function; here a parameter id begins at the first bracket. */
function functionCounts(events: readonly PytestEvent[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.event !== "begin") continue;
    const name = event.id.replace(/\[.*$/s, "");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts];
}
