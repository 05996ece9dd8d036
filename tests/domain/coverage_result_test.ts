import assert from "node:assert/strict";
import { coverageResult } from "../../src/domain/coverage_result.ts";
import type { CoverageData } from "../../src/domain/pytest_event.ts";

function measured(more: Partial<CoverageData> = {}): CoverageData {
  return {
    statements: 0,
    missing_statements: 0,
    branches: 0,
    missing_branches: 0,
    files: [],
    complete_files: 0,
    unmeasured_files: 0,
    required: null,
    problem: null,
    ...more,
  };
}

function file(path: string, statements: number, missing: string[]): CoverageData["files"][number] {
  const none = { branches: 0, missing_branches: 0 };
  return { path, statements, missing_statements: missing.length, missing, ...none };
}

Deno.test("coverageResult() tells the worst file first, by name where they are alike", () => {
  const files = [file("b.py", 2, ["1"]), file("c.py", 10, ["1"]), file("a.py", 4, ["1", "3"])];
  const result = coverageResult(
    measured({ statements: 16, missing_statements: 4, files }),
    undefined,
  );
  assert.deepEqual(result, {
    percent: 75,
    statements: 16,
    missing: 4,
    complete_files: 0,
    files: [
      { path: "a.py", percent: 50, missing: "1, 3" },
      { path: "b.py", percent: 50, missing: "1" },
      { path: "c.py", percent: 90, missing: "1" },
    ],
  });
});

Deno.test("coverageResult() never rounds a missing line away", () => {
  const almost = measured({ statements: 1_000_000, missing_statements: 1 });
  assert.equal(coverageResult(almost, 100).percent, 99.99);
  assert.equal(coverageResult(almost, 100).reached, false);
  assert.equal(coverageResult(measured(), undefined).percent, 100);
});

Deno.test("coverageResult() holds the request's limit, else the project's", () => {
  const half = measured({ statements: 2, missing_statements: 1, required: 40 });
  const limit = (failUnder?: number) => {
    const { fail_under, reached } = coverageResult(half, failUnder);
    return [fail_under, reached];
  };
  assert.deepEqual(limit(), [40, true]);
  assert.deepEqual(limit(60), [60, false]);
});

Deno.test("coverageResult() does not reach a limit with files of which nothing is known", () => {
  assert.equal(coverageResult(measured({ statements: 2, unmeasured_files: 1 }), 50).reached, false);
  assert.equal(coverageResult(measured({ unmeasured_files: 1 }), undefined).percent, 0);
});

Deno.test("coverageResult() says how much of a long list of lines is missing", () => {
  const lines = Array.from({ length: 500 }, (_, n) => String(n * 2));
  const [only] = coverageResult(measured({ files: [file("a.py", 900, lines)] }), undefined).files;
  assert.ok((only?.missing.length ?? 999) <= 300);
  assert.match(only?.missing ?? "", / …\[[\d,]+ characters more\]$/);
});
