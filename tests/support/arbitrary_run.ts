/**
 * Random runs for property tests: every order, outcome and ending that the protocol allows.
 *
 * @module
 */
import fc from "fast-check";
import type { ExceptionData, Frame, Phase, PytestEvent } from "../../src/domain/pytest_event.ts";
import { phase, processEnd, sessionStart } from "./run_events.ts";

/** What became of one test, to be compared with what is said about it. */
export type Fate = "passed" | "failed" | "skipped" | "error" | "unfinished";

/** A run and the truth about it. */
export interface ArbitraryRun {
  readonly events: PytestEvent[];
  readonly fates: ReadonlyMap<string, Fate>;
  readonly collectionErrors: number;
  readonly collectionSkips: number;
  readonly collected: number;
  readonly completed: boolean;
}

const text = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\n", '"', "\\", "é", "😀", "\x1b[31m", "::", "[", "]", "<"),
  maxLength: 60,
});
const longText = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: text.map((part) => `${part}\n`.repeat(80)) },
);

const frame: fc.Arbitrary<Frame> = fc.record({
  project: fc.boolean(),
  path: fc.constantFrom("app.py", "tests/test_a.py", "conftest.py"),
  line: fc.integer({ min: 1, max: 4 }),
  function: fc.constantFrom("f", "g", "test"),
  source: text,
});

const plainError: fc.Arbitrary<ExceptionData> = fc.record({
  type: fc.constantFrom("AssertionError", "KeyError", "app.Oops"),
  message: longText,
  frames: fc.array(frame, { maxLength: 20 }),
});
const error: fc.Arbitrary<ExceptionData> = fc.oneof(
  { weight: 4, arbitrary: plainError },
  {
    weight: 1,
    arbitrary: fc.tuple(plainError, plainError)
      .map(([first, cause]) => ({ ...first, cause, notes: ["a note"] })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(plainError, plainError)
      .map(([first, member]) => ({ ...first, group: [member, member], group_size: 9 })),
  },
);

const failure = fc.record({
  error: fc.option(error),
  text: fc.option(longText),
  sections: fc.array(
    fc.tuple(fc.constantFrom("Captured stdout call", "Captured log call"), longText),
    {
      maxLength: 2,
    },
  ),
});

type Step = (id: string) => PytestEvent;

function fails(when: Phase): fc.Arbitrary<Step> {
  return failure.map((more) => (id: string) => phase(id, { when, ...more }));
}
const reruns: fc.Arbitrary<Step> = failure.map((more) => (id) =>
  phase(id, { outcome: "rerun", ...more })
);
const skips: fc.Arbitrary<Step> = fc.tuple(text, fc.boolean())
  .map(([reason, xfail]) => (id) => phase(id, { outcome: "skipped", reason, xfail }));

interface Plot {
  readonly steps: readonly Step[];
  readonly fate: Fate;
}

function plotOf(fate: Fate, ...steps: fc.Arbitrary<Step>[]): fc.Arbitrary<Plot> {
  return fc.tuple(...steps).map((steps) => ({ steps, fate }));
}

const failingSubtest: fc.Arbitrary<Step> = failure.map((more) => (id) =>
  phase(id, { subtest: "(i=1)", ...more })
);
const unexpectedPass: fc.Arbitrary<Step> = fc.boolean().map((xfail) => (id) =>
  phase(id, { outcome: "passed", xfail })
);

/** The phases of one test and its fate. */
const plot: fc.Arbitrary<Plot> = fc.oneof(
  { weight: 6, arbitrary: plotOf("passed") },
  { weight: 3, arbitrary: plotOf("failed", fails("call")) },
  { weight: 2, arbitrary: plotOf("error", fails("setup")) },
  { weight: 1, arbitrary: plotOf("failed", fails("call"), fails("teardown")) },
  { weight: 2, arbitrary: plotOf("skipped", skips) },
  { weight: 1, arbitrary: plotOf("passed", reruns) },
  { weight: 1, arbitrary: plotOf("failed", reruns, fails("call")) },
  { weight: 1, arbitrary: plotOf("failed", failingSubtest) },
  { weight: 1, arbitrary: plotOf("passed", unexpectedPass) },
);

const testId = fc.tuple(
  fc.constantFrom("tests/test_a.py", "tests/test_b.py"),
  fc.constantFrom("test_x", "T::test_y", "T::U::test_z"),
  fc.option(text),
).map(([file, name, param]) => `${file}::${name}${param === null ? "" : `[${param}]`}`);

const collectionError: fc.Arbitrary<PytestEvent> = fc.record({
  id: fc.constantFrom("tests/broken_1.py", "tests/broken_2.py", "tests/broken_2.py::T"),
  error: fc.option(error),
  text: longText,
}).map((more) => ({
  event: "collection_error",
  file: more.id.split("::", 1)[0] ?? "",
  ...more,
}));

/** Puts the events of tests together as several workers would: each test in its own order. */
function interleave(stories: PytestEvent[][], picks: readonly number[]): PytestEvent[] {
  const queues = stories.map((story) => [...story]);
  const events: PytestEvent[] = [];
  for (let turn = 0; queues.length > 0; turn++) {
    const index = (picks[turn % Math.max(1, picks.length)] ?? 0) % Math.min(3, queues.length);
    const event = queues[index]?.shift();
    if (event !== undefined) events.push(event);
    if (queues[index]?.length === 0) queues.splice(index, 1);
  }
  return events;
}

/** Any run: complete, or ended at any point. */
export const arbitraryRun: fc.Arbitrary<ArbitraryRun> = fc.record({
  ids: fc.uniqueArray(testId, { maxLength: 25 }),
  plots: fc.array(plot, { minLength: 25, maxLength: 25 }),
  picks: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 30 }),
  errors: fc.array(collectionError, { maxLength: 4 }),
  skips: fc.subarray(["tests/skip_1.py", "tests/skip_2.py"]),
  unrun: fc.nat({ max: 30 }),
  cutAt: fc.option(fc.nat({ max: 60 }), { freq: 3 }),
  counted: fc.boolean(),
}).map(({ ids, plots, picks, errors, skips, unrun, cutAt, counted }): ArbitraryRun => {
  const fates = new Map<string, Fate>();
  const stories = ids.map((id, index): PytestEvent[] => {
    const { steps, fate } = plots[index] ?? { steps: [], fate: "passed" };
    fates.set(id, fate);
    const end: PytestEvent = steps.length === 0
      ? { event: "passed", id, duration: 0.1 }
      : { event: "finished", id, duration: 0.2 };
    return [{ event: "begin", id }, ...steps.map((step) => step(id)), end];
  });
  const told = interleave(stories, picks);
  const said = cutAt === null ? told : told.slice(0, cutAt);
  const completed = said.length === told.length;
  const ended = new Set(
    said.flatMap((event) =>
      event.event === "passed" || event.event === "finished" ? [event.id] : []
    ),
  );
  for (const id of ids) if (!ended.has(id)) fates.set(id, "unfinished");
  const collected = ids.length + unrun;
  const exit_code = [...fates.values()].some((fate) => fate === "failed" || fate === "error")
    ? 1
    : 0;
  const functions = new Map<string, number>();
  for (const id of ids) {
    const name = id.split("[", 1)[0] ?? id;
    functions.set(name, (functions.get(name) ?? 0) + 1);
  }
  const events: PytestEvent[] = [
    ...sessionStart(),
    ...errors,
    ...skips.map((id): PytestEvent => ({ event: "collection_skip", id, reason: "whole" })),
    ...(counted ? [{ event: "functions" as const, counts: [...functions] }] : []),
    { event: "collected", total: collected },
    ...said,
    ...(completed ? [{ event: "session_end" as const, exit_status: exit_code }] : []),
    processEnd(completed ? { exit_code } : { exit_code: null, signal: "SIGKILL" }),
  ];
  const distinct = new Set(errors.map((event) => JSON.stringify(placeOf(event))));
  return {
    events,
    fates,
    collectionErrors: distinct.size,
    collectionSkips: skips.length,
    collected,
    completed,
  };
});

function placeOf(event: PytestEvent): unknown[] {
  if (event.event !== "collection_error") return [];
  const at = event.error?.frames.at(-1);
  return [event.id, event.error?.type, at?.path, at?.line];
}
