import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { addEvent, createRunReport } from "../../src/domain/run_report.ts";
import { selectionResult } from "../../src/domain/selection_result.ts";

const RELATED: PytestEvent = {
  event: "selection",
  files: [
    { path: "a.py", because: "a changed", distance: 0, tests: null, functions: 7 },
    { path: "b.py", because: "b → a", distance: 1, tests: null, functions: 6 },
  ],
  total: 40,
  everything: false,
  why: "",
  notes: [],
};
const SHARDED: PytestEvent = {
  event: "sharded",
  selected: 6,
  total: 14,
  files: 1,
  all_files: 2,
};

function select(...events: PytestEvent[]) {
  const report = createRunReport();
  for (const event of events) addEvent(report, event, { everyTest: false });
  return selectionResult(report);
}

Deno.test("selectionResult() counts what a shard has of the related tests when both were asked for", () => {
  const found = select(RELATED, SHARDED);
  assert.deepEqual([found?.selected, found?.total, found?.files?.length], [6, 40, 2]);
  assert.equal(found?.notes.at(-1), "this shard has 6 of these 14 tests, in 1 of 2 files");
});

Deno.test("selectionResult() counts a shard alone by its tests, related ones by their functions", () => {
  assert.deepEqual(select(SHARDED), {
    selected: 6,
    total: 14,
    notes: ["this shard has 1 of 2 files"],
  });
  assert.deepEqual([select(RELATED)?.selected, select(RELATED)?.total], [13, 40]);
  assert.equal(select(), null);
});
