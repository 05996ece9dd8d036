/**
 * What a result says beyond its seven keys: only what the request asked for, each within its share of
 * the response.
 *
 * @module
 */
import { clipEnd } from "./clip.ts";
import { coverageResult } from "./coverage_result.ts";
import type { ExecuteParams } from "./execute_params.ts";
import type { ExecuteResult } from "./execute_result.ts";
import type { RepeatedRuns } from "./repeated_runs.ts";
import { hashRun, writeResumePoint } from "./resume_point.ts";
import type { RunReport } from "./run_report.ts";
import { round } from "./run_summary.ts";
import { selectionResult } from "./selection_result.ts";

/** The optional keys of a result. */
export type ResultExtras = Pick<
  ExecuteResult,
  "selection" | "resume_after" | "repeat" | "coverage" | "durations"
>;

/** The keys, and how many entries of which list were left out. */
export interface FittedExtras {
  readonly extras: ResultExtras;
  readonly omitted: Readonly<Record<string, number>>;
}

/** Room that the lists leave to everything else, and their part of what is left. */
const OTHERS_CHARS = 1_000;
const LISTS_SHARE = 0.5;

/** A reason or a list of lines is read at a glance. */
const ENTRY_CHARS = 300;

/** Everything that was asked for, with lists as long as they are. */
export function buildExtras(
  params: ExecuteParams,
  report: RunReport,
  repeated: RepeatedRuns | null,
): ResultExtras {
  const { resume_point, durations, coverage } = report.last;
  const selection = selectionResult(report);
  const resumable = params.time_budget !== undefined || params.resume_after !== undefined;
  const request = hashRun(params);
  return {
    ...(selection === null ? {} : { selection }),
    ...(resumable
      ? { resume_after: resume_point ? writeResumePoint({ ...resume_point, request }) : null }
      : {}),
    ...(repeated === null ? {} : { repeat: repeated.result(params.repeat ?? 1) }),
    ...(coverage === undefined
      ? {}
      : { coverage: coverageResult(coverage, params.coverage?.fail_under) }),
    ...(durations === undefined ? {} : {
      durations: durations.tests.map(({ id, setup, call, teardown }) => ({
        node_id: id,
        setup: round(setup),
        call: round(call),
        teardown: round(teardown),
      })),
    }),
  };
}

/** Shortens the lists so that each keeps to its share of `limit` characters. */
export function fitExtras(extras: ResultExtras, limit: number): FittedExtras {
  const omitted: Record<string, number> = {};
  const { selection, repeat, coverage, durations } = extras;
  const lists = [selection?.files, selection?.notes, repeat?.tests, coverage?.files, durations];
  const present = lists.filter((list) => list !== undefined && list.length > 0).length;
  const room = Math.floor(Math.max(0, limit - OTHERS_CHARS) * LISTS_SHARE / Math.max(1, present));
  const fit = <T>(what: string, list: readonly T[]): T[] => {
    let size = 0;
    const kept = list.filter((entry) => (size += JSON.stringify(entry).length + 1) <= room);
    if (kept.length < list.length) omitted[`${what}_omitted`] = list.length - kept.length;
    return kept;
  };
  const fitted: ResultExtras = {
    ...extras,
    ...(selection === undefined ? {} : {
      selection: {
        ...selection,
        ...(selection.files === undefined ? {} : {
          files: fit("selection_files", selection.files).map((file) => ({
            ...file,
            because: clipEnd(file.because, ENTRY_CHARS),
          })),
        }),
        notes: fit("selection_notes", selection.notes),
      },
    }),
    ...(repeat === undefined
      ? {}
      : { repeat: { ...repeat, tests: fit("repeat_tests", repeat.tests) } }),
    ...(coverage === undefined
      ? {}
      : { coverage: { ...coverage, files: fit("coverage_files", coverage.files) } }),
    ...(durations === undefined ? {} : { durations: fit("durations", durations) }),
  };
  return { extras: fitted, omitted };
}
