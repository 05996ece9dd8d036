import assert from "node:assert/strict";
import { join } from "node:path";
import { discoverResultSchema } from "../../src/domain/discover_result.ts";
import { environment } from "../support/environments.ts";
import { PROJECTS, runCli } from "../support/run_cli.ts";
import { runInTerminal, screen } from "../support/run_in_terminal.ts";

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

Deno.test("discover shows the page that is asked for, and how to see the next", async () => {
  const first = await discover("sample", "--limit", "3");
  assert.equal(first.code, 0);
  const [, cursor = ""] = /\n8 tests in all; the next page: --cursor (\S+)\n$/.exec(first.stdout) ??
    assert.fail(first.stdout);
  assert.doesNotMatch(first.stdout, /TestDiscount/);
  const last = await discover("sample", "--limit", "100", "--cursor", cursor);
  assert.match(last.stdout, /^tests\/test_basket\.py\n└─ TestDiscount\n/);
  assert.match(last.stdout, /\n8 tests in all\n$/);
});

Deno.test("discover joins pages into one tree when none is asked for", async () => {
  const whole = await discover("sample");
  const pages = await discover("sample", "--max-response-chars", "1000");
  assert.equal(pages.stdout, whole.stdout);
});

Deno.test("discover --view tests prints node ids and nothing else", async () => {
  const { code, stdout, stderr } = await discover("sample", "--view", "tests");
  assert.equal(code, 0);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 8);
  assert.ok(lines.every((line) => line.startsWith("tests/test_basket.py::")), stdout);
  assert.equal(stderr, "8 tests\n");
});

Deno.test("discover refuses a wrong view as the tool does", async () => {
  const { code, stderr } = await discover("sample", "--view", "list");
  assert.equal(code, 4);
  assert.match(stderr, /view: must be one of "tests", "tree", received "list"/);
});

Deno.test("discover says which tests a change can affect, and why", async () => {
  const { stdout } = await discover("sample", "--related-to", "bookshop/discounts.py");
  assert.match(stdout, /\nselected \d of \d\n[^]*\n\d tests in 1 file\n$/);
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

Deno.test("discover draws its tree in colours on a terminal", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const cwd = join(PROJECTS, "sample");
  const args = ["discover", "--python", python];
  const { code, stdout } = await runInTerminal(args, { cwd, python, columns: 100 });
  assert.equal(code, 0);
  const lines = screen(stdout);
  assert.equal(lines[0], "␛[1mtests/test_basket.py␛[22m");
  assert.ok(
    lines.some((line) => /├─␛\[22m test_copies_must_be_positive␛\[33m ×2/.test(line)),
    stdout,
  );
  assert.equal(lines.at(-2), "␛[1m8 tests␛[22m in 1 file");
});

Deno.test("discover shows that it collects, and ends when Ctrl-C is typed", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(root, "conftest.py"), "import time\n\ntime.sleep(3600)\n");
    const { code, stdout } = await runInTerminal(["discover", "--python", python], {
      cwd: root,
      python,
      columns: 100,
      env: { NO_COLOR: "1" },
      interruptAt: "collecting … 1s",
    });
    assert.equal(code, 2, stdout);
    assert.deepEqual(screen(stdout).slice(-3), ["The run was cancelled.", "No test was run.", ""]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
