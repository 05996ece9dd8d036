import assert from "node:assert/strict";
import type { RunSummary } from "../../src/domain/execute_result.ts";
import { renderSummary } from "../../src/cli/run_summary_text.ts";
import { createStyle } from "../../src/cli/style.ts";

const NONE: RunSummary = {
  total: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  errors: 0,
  duration: 0.126,
  xfailed: 0,
  xpassed: 0,
  deselected: 0,
  warnings: 0,
  not_run: 0,
};

Deno.test("renderSummary() counts each test once, worst first", () => {
  const summary = {
    ...NONE,
    total: 16,
    failed: 2,
    errors: 1,
    passed: 9,
    xpassed: 1,
    skipped: 4,
    xfailed: 3,
    not_run: 5,
    deselected: 6,
    warnings: 1,
  };
  assert.equal(
    renderSummary(summary, createStyle(false)),
    "✗ 2 failed, 1 error, 8 passed, 1 skipped, 3 xfailed, 1 xpassed, 5 not run, 6 deselected, 1 warning in 0.13s",
  );
});

Deno.test("renderSummary() does not call an empty run a success", () => {
  assert.equal(renderSummary(NONE, createStyle(false)), "– no tests ran in 0.13s");
  assert.equal(
    renderSummary({ ...NONE, total: 1, passed: 1 }, createStyle(true)),
    "\x1b[32m✓\x1b[39m \x1b[32m1 passed\x1b[39m \x1b[2min 0.13s\x1b[22m",
  );
});

Deno.test("renderSummary() never ticks a run that did not come to its end", () => {
  const summary = { ...NONE, total: 1, passed: 1, not_run: 2 };
  assert.equal(
    renderSummary(summary, createStyle(false), { interrupted: 1 }),
    "✗ 1 interrupted, 1 passed, 2 not run in 0.13s",
  );
  assert.equal(
    renderSummary({ ...NONE, total: 1, passed: 1 }, createStyle(false), { interrupted: 0 }),
    "✗ 1 passed in 0.13s",
  );
});
