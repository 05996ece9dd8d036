/**
 * What a run was asked to tell beyond its counts, for a person.
 *
 * @module
 */
import type { ExecuteResult } from "../domain/execute_result.ts";
import type { ResultExtras } from "../domain/result_extras.ts";
import { printable, type Style } from "./style.ts";

/** One paragraph for each thing; empty when nothing was asked for. */
export function renderExtras(
  extras: ResultExtras & Partial<Pick<ExecuteResult, "truncated">>,
  style: Style,
): string {
  const { selection, repeat, coverage, durations, resume_after, truncated } = extras;
  return [
    ...(selection === undefined ? [] : renderSelection(selection, style)),
    ...(durations ?? []).map(({ node_id, setup, call, teardown }) =>
      `${seconds(setup + call + teardown)}  ${printable(node_id)}  ` +
      style.dim(`setup ${seconds(setup)}, call ${seconds(call)}, teardown ${seconds(teardown)}`)
    ),
    ...(repeat?.tests ?? []).flatMap((test) => renderRepeated(test, style)),
    ...(coverage === undefined ? [] : renderCoverage(coverage, style)),
    ...(truncated ? renderTruncated(truncated, style) : []),
    ...(resume_after ? [style.yellow(`the rest: --resume-after ${resume_after}`)] : []),
  ].map((line) => `${line}\n`).join("");
}

/** What a person is shown of a result; failures they have seen whole, as they came. */
const SHOWN = /^(?:selection_notes|repeat_tests|coverage_files|durations|text_output)_/;

function renderTruncated(
  { hint, ...account }: NonNullable<ExecuteResult["truncated"]>,
  style: Style,
): string[] {
  const parts = Object.entries(account).filter(([what]) => SHOWN.test(what))
    .map(([what, count]) => `${what.replaceAll("_", " ")}: ${count}`);
  return parts.length === 0 ? [] : [style.yellow(parts.join(", ")), style.dim(`  ${hint}`)];
}

function seconds(time: number): string {
  return `${time.toFixed(2)}s`;
}

function renderSelection(
  { selected, total, notes }: NonNullable<ExecuteResult["selection"]>,
  style: Style,
): string[] {
  return [
    `selected ${selected ?? "?"} of ${total ?? "?"}`,
    ...notes.map((note) => style.dim(`  ${printable(note)}`)),
  ];
}

function renderRepeated(
  test: NonNullable<ExecuteResult["repeat"]>["tests"][number],
  style: Style,
): string[] {
  const word = test.flaky ? style.yellow("FLAKY") : style.red("FAILS");
  return [
    `${word} ${printable(test.node_id)}  ${test.passed} passed, ${test.failed} failed`,
    ...test.messages.map(({ message, count }) => `  ${count} × ${printable(message)}`),
  ];
}

function renderCoverage(
  { percent, files, fail_under, reached, problem }: NonNullable<ExecuteResult["coverage"]>,
  style: Style,
): string[] {
  const limit = fail_under === undefined
    ? ""
    : reached
    ? style.green(` (${fail_under}% asked for)`)
    : style.red(` (${fail_under}% asked for)`);
  return [
    style.bold(`coverage ${percent}%`) + limit,
    ...files.map((file) =>
      `${`${file.percent}%`.padStart(8)}  ${printable(file.path)}  ${style.dim(file.missing)}`
    ),
    ...(problem === undefined ? [] : [style.yellow(printable(problem))]),
  ];
}
