import { equal } from "node:assert/strict";
import { readable } from "./readable.ts";

Deno.test("readable() shows long text as indented lines and short objects on one", () => {
  const answer = {
    exit_code: 1,
    summary: { total: 1, failed: 1 },
    tests: [{ node_id: "test_a.py::test_a", traceback: "test_a.py:2 test_a\nassert 1 == 2" }],
    collection_errors: [],
    text_output: null,
  };
  equal(
    readable(answer),
    `exit_code: 1
summary: {"total":1,"failed":1}
tests:
  - node_id: test_a.py::test_a
    traceback:
      test_a.py:2 test_a
      assert 1 == 2
collection_errors: []
text_output: null`,
  );
});
