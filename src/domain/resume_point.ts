/**
 * Where a run that ended early goes on. The text carries all that is needed to continue without any
 * state in the server, and to notice that the request or the collection is another one.
 *
 * @module
 */
import type { ExecuteParams } from "./execute_params.ts";
import type { EventOf } from "./run_report.ts";
import type { ParameterIssue } from "./run_failure.ts";
import { StableHash } from "./stable_hash.ts";

/** A place in one order of the tests of one request. */
export interface ResumePoint extends Omit<EventOf<"resume_point">, "event"> {
  readonly request: string;
}

/** A point as text. */
export function writeResumePoint({ offset, count, order, seed, request }: ResumePoint): string {
  const numbers = [offset, count].map((number) => number.toString(36));
  return [...numbers, request, order, ...(seed === null ? [] : [seed.toString(36)])].join("-");
}

/** Reads a point; null if it is none. */
export function readResumePoint(text: string): ResumePoint | null {
  const part = "([0-9a-z]{1,13})";
  const parts = new RegExp(`^${part}-${part}-${part}-${part}(?:-${part})?$`).exec(text);
  if (parts === null) return null;
  const [, offset = "", count = "", request = "", order = "", seed] = parts;
  return {
    offset: parseInt(offset, 36),
    count: parseInt(count, 36),
    request,
    order,
    seed: seed === undefined ? null : parseInt(seed, 36),
  };
}

/** Alike for requests that select the same tests. */
export function hashRun(params: ExecuteParams): string {
  const { node_ids, path, pattern, markers, keywords, related_to, changed, shard } = params;
  const selection = [node_ids, path, pattern, markers, keywords, related_to, changed, shard];
  return new StableHash().add(JSON.stringify(selection)).digest();
}

/** What is wrong with a point that no run of this request has given. */
export function resumePointIssue(text: string): ParameterIssue {
  return {
    field: "resume_after",
    message:
      "must be the resume_after of a run with the same node_ids, path, pattern, markers, keywords, " +
      `related_to, changed and shard, received ${JSON.stringify(text)}; ` +
      "start again without resume_after",
    type: "foreign_cursor",
    received_value: text,
  };
}
