import assert from "node:assert/strict";
import { join } from "node:path";
import { discoverResultSchema } from "../../src/domain/discover_result.ts";
import { environment } from "../support/environments.ts";
import { PROJECTS, runCli } from "../support/run_cli.ts";

const { python } = await environment("pytest9");

function discover(project: string, ...args: string[]) {
  return runCli(["discover", "--python", python, ...args], {
    cwd: join(PROJECTS, project),
    python,
  });
}

Deno.test("discover draws a tree of files, classes and functions", async () => {
  const { code, stdout, stderr } = await discover("sample");
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.match(stdout, /^tests\/test_basket\.py\n├─ test_empty_basket_costs_nothing {2}:\d+\n/);
  assert.match(stdout, /\n├─ test_copies_must_be_positive ×2 {2}:\d+\n/);
  assert.match(stdout, /\n└─ TestDiscount\n {3}├─ test_code_takes_ten_percent_off {2}:\d+\n/);
  assert.match(stdout, /\n8 tests in 1 file\n$/);
});

Deno.test("discover --json prints the structured result", async () => {
  const { code, stdout } = await discover("sample", "--json", "--limit", "2");
  assert.equal(code, 0);
  const result = discoverResultSchema.parse(JSON.parse(stdout));
  assert.equal(result.count, 8);
  assert.equal(result.tests.length, 2);
});

Deno.test("discover shows collection errors and exits as pytest does", async () => {
  const { code, stdout } = await discover("collection_errors");
  assert.equal(code, 2);
  assert.match(stdout, /\nCANNOT COLLECT /);
  assert.equal((await discover("no_tests")).code, 5);
});

Deno.test("discover takes one path", async () => {
  const { code, stderr } = await discover("sample", "a", "b");
  assert.equal(code, 2);
  assert.match(stderr, /discover takes one path: 'b' is one too many/);
  assert.equal((await discover("sample", "--path", "tests", "b")).code, 2);
});
