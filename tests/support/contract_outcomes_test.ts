import assert from "node:assert/strict";
import { differences, listedOutcomes } from "./contract_outcomes.ts";

Deno.test("differences() shows a test that is told twice", () => {
  const entry = { node_id: "t.py::test_a", outcome: "passed", duration: 0 } as const;
  const expected = listedOutcomes([entry]);
  assert.deepEqual(differences(expected, expected), []);
  assert.deepEqual(differences(listedOutcomes([entry, entry]), expected), [
    "t.py::test_a is passed and passed, expected passed",
  ]);
});
