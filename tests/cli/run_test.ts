import assert from "node:assert/strict";
import { join } from "node:path";
import { executeResultSchema } from "../../src/domain/execute_result.ts";
import { environment } from "../support/environments.ts";
import { cliCommand, PROJECTS, runCli } from "../support/run_cli.ts";
import { runInTerminal, screen } from "../support/run_in_terminal.ts";

const { python } = await environment("pytest9");
const SAMPLE = join(PROJECTS, "sample");
const onPosix = { ignore: Deno.build.os === "windows" };

function run(project: string, ...args: string[]) {
  return runCli(["run", "--python", python, ...args], { cwd: join(PROJECTS, project), python });
}

Deno.test("run prints failures and a summary into a pipe, and exits with pytest's code", async () => {
  const { code, stdout, stderr } = await run("sample");
  assert.equal(code, 1);
  assert.equal(stderr, "");
  assert.match(
    stdout,
    /^FAILED tests\/test_basket\.py::TestDiscount::test_code_in_small_letters_works_too\n {2}bookshop/,
  );
  assert.match(
    stdout,
    /UnknownCode: no discount code 'summer10'.*\n {2}tests\/test_basket\.py:\d+ /,
  );
  assert.match(stdout, /\n✗ 1 failed, 6 passed, 1 skipped in \d+\.\d\ds\n$/);
});

Deno.test("run exits 0 when all pass and 5 when there is nothing to run", async () => {
  assert.equal((await run("passing")).code, 0);
  const none = await run("no_tests");
  assert.equal(none.code, 5);
  assert.match(none.stdout, /^– no tests ran in /);
});

Deno.test("run --json prints the structured result and nothing else", async () => {
  const { code, stdout, stderr } = await run("sample", "--json");
  assert.equal(code, 1);
  assert.equal(stderr, "");
  const result = executeResultSchema.parse(JSON.parse(stdout));
  assert.deepEqual([result.exit_code, result.summary.total, result.tests.length], [1, 8, 1]);
});

Deno.test("run takes tests as arguments and the tool's parameters as flags", async () => {
  const { code, stdout } = await run("sample", "-k", "empty or copies", "-v", "1", "tests");
  assert.equal(code, 0);
  assert.deepEqual(stdout.trimEnd().split("\n").slice(0, -1).sort(), [
    "PASSED tests/test_basket.py::test_copies_must_be_positive[-1]",
    "PASSED tests/test_basket.py::test_copies_must_be_positive[0]",
    "PASSED tests/test_basket.py::test_empty_basket_costs_nothing",
    "PASSED tests/test_basket.py::test_total_adds_up_all_copies",
  ]);
});

Deno.test("run runs what --node-ids names as well as what stands without a flag", async () => {
  const [first, second] = ["test_total_adds_up_all_copies", "test_empty_basket_costs_nothing"]
    .map((name) => `tests/test_basket.py::${name}`);
  const { code, stdout } = await run("sample", "--node-ids", `${first}`, `${second}`);
  assert.equal(code, 0);
  assert.match(stdout, /^✓ 2 passed in /);
});

Deno.test("run tells a person every line that was asked for, and what a limit left out", async () => {
  const root = await Deno.makeTempDir();
  try {
    const name = "a name that makes a response long";
    await Deno.writeTextFile(
      join(root, "test_many.py"),
      `import pytest

@pytest.mark.parametrize("n", [f"${name} {n}" for n in range(120)])
def test_one(n):
    pass
`,
    );
    const durations = async (...args: string[]) => {
      const words = ["run", "--python", python, "--durations", "100", ...args];
      const { stdout } = await runCli(words, { cwd: root, python });
      return { count: stdout.split(name).length - 1, stdout };
    };
    assert.equal((await durations()).count, 100);
    const limited = await durations("--max-response-chars", "10000");
    assert.ok(limited.count < 100, `${limited.count}`);
    const left = `durations omitted: ${100 - limited.count}\n  A response holds 10000 characters.`;
    assert.ok(limited.stdout.includes(left), limited.stdout);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("run shows as much of a failure as verbosity and show-capture say", async () => {
  const shown = async (...args: string[]) => (await run("noisy", ...args)).stdout;
  assert.doesNotMatch(await shown("--verbosity=-1"), /── Captured/);
  const usual = await shown();
  assert.match(usual, /── Captured stdout call \(last 5 of \d+ lines\) ──/);
  assert.doesNotMatch(await shown("--no-show-capture"), /── Captured/);
  assert.match(await shown("--show-capture"), /── Captured stdout call ──/);
});

Deno.test("run explains wrong parameters and exits with pytest's code for them", async () => {
  const { code, stdout, stderr } = await run("sample", "../outside.py");
  assert.equal(code, 4);
  assert.equal(stdout, "");
  assert.match(stderr, /node_ids/);
  const json = await run("sample", "--maxfail", "0", "--json");
  assert.equal(json.code, 4);
  assert.equal(JSON.parse(json.stdout).error.kind, "invalid_parameters");
});

Deno.test("run answers an unknown flag with one line and exit code 2", async () => {
  const { code, stderr } = await run("sample", "--pdb");
  assert.equal(code, 2);
  assert.match(stderr, /^pytest-mcp: Unknown option '--pdb' \(see pytest-mcp --help\)\n$/);
});

Deno.test("run shows what finished when pytest does not come to its end", async () => {
  const { code, stdout, stderr } = await run("slow", "--timeout", "5");
  assert.equal(code, 2);
  assert.match(stderr, /exceeded timeout of 5 seconds/);
  assert.match(stdout, /✗ 1 failed, 1 interrupted, 1 passed, 1 not run in /);
});

Deno.test("run exits alike after a timeout, whether or not pytest could be interrupted", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      join(root, "test_deaf.py"),
      `import signal
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_deaf():
    time.sleep(3600)
`,
    );
    const { code, stderr } = await runCli(["run", "--python", python, "--timeout", "1"], {
      cwd: root,
      python,
    });
    assert.match(stderr, /exceeded timeout of 1 seconds/);
    assert.equal(code, 2);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("run marks a crash as a failure though every test before it passed", async () => {
  const { code, stdout } = await run("crashing", "-k", "not fails");
  assert.notEqual(code, 0);
  assert.match(stdout, /^✗ 1 interrupted, 1 passed, 1 not run, 1 deselected in /);
});

Deno.test("run draws a bar with the current test on a terminal", onPosix, async () => {
  const { code, stdout } = await runInTerminal(["run", "--python", python], {
    cwd: SAMPLE,
    python,
    columns: 120,
  });
  assert.equal(code, 1);
  assert.match(stdout, /␛\[2m─/, "no bar was drawn");
  assert.match(stdout, /\/8␛\[22m {2}␛\[32m\d passed/, "no counts were drawn");
  const lines = screen(stdout);
  assert.match(lines[0] ?? "", /^␛\[1m␛\[31mFAILED/);
  assert.match(lines.at(-2) ?? "", /^␛\[31m✗␛\[39m ␛\[31m1 failed/);
  assert.ok(!lines.some((line) => line.includes("━")), "the bar was left behind");
});

Deno.test("run writes no colours on a terminal when NO_COLOR is set", onPosix, async () => {
  const { stdout } = await runInTerminal(["run", "--python", python], {
    cwd: SAMPLE,
    python,
    columns: 120,
    env: { NO_COLOR: "1" },
  });
  assert.doesNotMatch(stdout, /␛\[\d+m/);
  assert.match(stdout, /✗ 1 failed, 6 passed, 1 skipped/);
});

Deno.test("run ends cleanly with the results so far when Ctrl-C is typed", onPosix, async () => {
  const { code, stdout } = await runInTerminal(["run", "--python", python], {
    cwd: join(PROJECTS, "slow"),
    python,
    columns: 120,
    env: { NO_COLOR: "1" },
    interruptAt: "test_waits_for_an_hour",
  });
  assert.equal(code, 2);
  const lines = screen(stdout);
  assert.ok(lines.includes("FAILED test_slow.py::test_fails_quickly"), stdout);
  assert.ok(lines.includes("Still running: test_slow.py::test_waits_for_an_hour"), stdout);
  assert.match(lines.at(-2) ?? "", /^✗ 1 failed, 1 interrupted, 1 passed, 1 not run in /);
});

Deno.test("run exits as a shell expects when nobody reads its output", onPosix, async () => {
  const words = cliCommand(["run", "--python", python], { cwd: SAMPLE, python });
  const { code, stderr } = await new Deno.Command("sh", {
    // stdout is closed before the program writes to it: `true` reads nothing
    args: ["-c", '{ "$@"; echo $? >&2; } | true', "sh", ...words],
    cwd: SAMPLE,
    env: { VIRTUAL_ENV: "", CONDA_PREFIX: "" },
  }).output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stderr), "141\n");
});

Deno.test("run writes no colours into a file when only stdout is a terminal", onPosix, async () => {
  const errors = await Deno.makeTempFile();
  try {
    const words = cliCommand(["run", "--python", python, "../outside.py"], { cwd: SAMPLE, python });
    const { code } = await new Deno.Command(python, {
      args: [
        "-c",
        `import pty, sys
sys.exit(pty.spawn(["sh", "-c", 'exec "$@" 2>"$0"'] + sys.argv[1:]) >> 8)`,
        errors,
        ...words,
      ],
      cwd: SAMPLE,
      env: { NO_COLOR: "", VIRTUAL_ENV: "", CONDA_PREFIX: "" },
      stdin: "null",
    }).output();
    assert.equal(code, 4);
    const written = await Deno.readTextFile(errors);
    assert.match(written, /node_ids/);
    assert.ok(!written.includes("\x1b"), JSON.stringify(written));
  } finally {
    await Deno.remove(errors);
  }
});

Deno.test("run says in one line that its output cannot be written", {
  ignore: Deno.build.os !== "linux", // where a device is always full
}, async () => {
  const words = cliCommand(["run", "--python", python], { cwd: SAMPLE, python });
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > /dev/full', "sh", ...words],
    cwd: SAMPLE,
    env: { VIRTUAL_ENV: "", CONDA_PREFIX: "" },
  }).output();
  assert.equal(code, 3);
  assert.match(
    new TextDecoder().decode(stderr),
    /^pytest-mcp: cannot write: No space left[^\n]*\n$/,
  );
});
