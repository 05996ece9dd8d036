/**
 * What the Python side says: the protocol of the domain, and what only the driver needs.
 *
 * @module
 */
import * as z from "zod";
import { type PytestEvent, pytestEventSchema } from "../domain/pytest_event.ts";

const driverOnlySchema = z.discriminatedUnion("event", [
  /** this interpreter cannot run pytest: the next one is asked */
  z.object({ event: z.literal("no_pytest"), detail: z.string() }),
  /** the worker that was started ahead of its request no longer fits: another is started */
  z.object({ event: z.literal("stale"), reason: z.string() }),
  /** it still fits: from here on, what happens to it happens to the run */
  z.object({ event: z.literal("accepted") }),
]);

/** An event on its way from Python to the runner. */
export type DriverEvent = PytestEvent | z.infer<typeof driverOnlySchema>;

const schema = z.union([pytestEventSchema, driverOnlySchema]);

/** What the runner says of a process; one that says it of itself is a test that tries to be the runner. */
const OF_RUNNER: ReadonlySet<string> = new Set<DriverEvent["event"]>([
  "process_start",
  "selection",
  "spawn_failure",
  "busy",
  "cancelled",
]);

/** An escaped backslash, a surrogate pair, or half of one, which Python's strings may hold. */
const SURROGATES = /\\\\|\\ud[89ab]..\\ud[c-f]..|(\\ud[89a-f]..)/g;

/** Reads one line; null for one that is no event: a worker can die while it writes. */
export function parseDriverEvent(line: string): DriverEvent | null {
  try {
    const event = schema.parse(JSON.parse(line.includes("\\ud") ? spellHalves(line) : line));
    return OF_RUNNER.has(event.event) ? null : event;
  } catch {
    return null; // no JSON, of another shape, or so deep that reading it runs out of stack
  }
}

/** Half a pair as the text `\udc80`: JSON of ours that has the escape itself is refused by strict readers. */
function spellHalves(line: string): string {
  return line.replace(
    SURROGATES,
    (whole, half?: string) => half === undefined ? whole : `\\${half}`,
  );
}
