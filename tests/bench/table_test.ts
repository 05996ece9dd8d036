import { deepEqual, equal } from "node:assert/strict";
import type { RowResult } from "./measure_row.ts";
import { ROWS } from "./rows.ts";
import { notes, tableCells, toMarkdown, toText } from "./table.ts";

const [row] = ROWS;
if (row === undefined) throw new Error("There are no rows");

const RESULT: RowResult = {
  row,
  lanes: [
    lane("bare", [400, 410, 420], 1),
    lane("warm", [80, 82, 84], 0.2),
  ],
  missing: { "mcp-pytest-runner": "it needs Python 3.12" },
};

function lane(name: string, values: [number, number, number], ratio: number) {
  const [low, median, high] = values;
  return {
    name,
    base: "bare",
    values,
    value: { low, median, high },
    ratio: { low: ratio - 0.01, median: ratio, high: ratio + 0.01 },
  };
}

const CELLS = tableCells([RESULT], ["warm", "mcp-pytest-runner"]);

Deno.test("tableCells() shows the base in its unit and contenders as ratios, a dash for who is missing", () => {
  deepEqual(CELLS[1], ["one test", "410 ms (400–420)", "0.20 (0.19–0.21)", "–"]);
});

Deno.test("notes() say why a contender is missing", () => {
  deepEqual(notes([RESULT]), ['mcp-pytest-runner in "one test": it needs Python 3.12']);
});

Deno.test("toText() and toMarkdown() hold the same cells", () => {
  const cells = [["", "a"], ["row", "1.00"]];
  equal(toText(cells), "     a\nrow  1.00");
  equal(toMarkdown(cells), "|  | a |\n| --- | --- |\n| row | 1.00 |");
});
