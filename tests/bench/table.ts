/**
 * Results as text for people, as Markdown and as JSON.
 *
 * @module
 */
import type { ContenderName } from "./contenders.ts";
import type { Measured, RowResult } from "./measure_row.ts";
import type { Spread } from "./statistics.ts";

/** The header and one line a row; cells are text. */
export function tableCells(
  results: readonly RowResult[],
  contenders: readonly ContenderName[],
): string[][] {
  const header = ["", "bare pytest, or an empty Deno script", ...contenders.map(titleOf)];
  return [header, ...results.map((result) => rowCells(result, contenders))];
}

function titleOf(name: ContenderName): string {
  return name === "warm" || name === "cold" ? `pytest-mcp, ${name}` : name;
}

function rowCells({ row, lanes }: RowResult, contenders: readonly ContenderName[]): string[] {
  const find = (name: string) => lanes.find((lane) => lane.name === name);
  const [base] = lanes;
  return [
    row.title,
    base === undefined ? "–" : absolute(base.value, row.unit),
    ...contenders.map((name) => ratioCell(find(name))),
  ];
}

function absolute({ median, low, high }: Spread, unit: string): string {
  return `${Math.round(median)} ${unit} (${Math.round(low)}–${Math.round(high)})`;
}

function ratioCell(lane: Measured | undefined): string {
  if (lane === undefined) return "–";
  const { median, low, high } = lane.ratio;
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** Columns side by side, for a terminal. */
export function toText(cells: readonly string[][]): string {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0))
  );
  return cells.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  ).join("\n");
}

/** A Markdown table. */
export function toMarkdown(cells: readonly string[][]): string {
  const [header = [], ...rows] = cells;
  const line = (parts: readonly string[]) => `| ${parts.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Who did not take part, and why. */
export function notes(results: readonly RowResult[]): string[] {
  const reasons = results.flatMap(({ row, missing }) =>
    Object.entries(missing).map(([name, why]) => `${name} in "${row.title}": ${why}`)
  );
  return [...new Set(reasons)];
}

/** Everything that was measured, for machines. */
export function toJson(results: readonly RowResult[]): object {
  return {
    rows: results.map(({ row, lanes, missing }) => ({
      name: row.name,
      title: row.title,
      unit: row.unit,
      lanes,
      missing,
    })),
  };
}
