import assert from "node:assert/strict";
import { join } from "node:path";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { MARK, survivors } from "../support/survivors.ts";

/** What a test can do that looks for the way on which its results go. */
const FORGE = `
import json, time
import pytest_mcp_plugin

def write(text):
    pytest_mcp_plugin.controller.mailbox.write(text.encode())

def say(**event):
    write(json.dumps(event) + "\\n")

END = {"event": "process_end", "exit_code": 0, "signal": None, "timed_out": False, "stdout": "", "stderr": "", "duration": 0}

`;

/** Runs one test, with the process started ahead or not; the runner lives on while what is left is looked for. */
async function run(body: string, { prewarm }: { prewarm: boolean }) {
  const { python } = await environment("pytest9");
  await using files = await e2eProject({ files: { "test_it.py": FORGE + body } });
  const mark = crypto.randomUUID();
  let longest = 0;
  await using runner = createPytestRunner({
    root: files.root,
    python,
    prewarm,
    environment: { [MARK]: mark },
    overhear: (event) => longest = Math.max(longest, JSON.stringify(event).length),
  });
  runner.prepare();
  const context = {
    runner,
    files: openProjectFiles(files.root),
    settings: DEFAULT_SETTINGS,
    signal: new AbortController().signal,
  };
  const params = parseExecuteParams({ timeout: 60 }, context);
  assert.ok(params.ok);
  const outcome = await executeTests(params.result, context);
  const runs = await Deno.readTextFile(join(files.root, "runs")).catch(() => "");
  return { outcome, runs, longest, left: prewarm ? [] : await survivors(mark) };
}

for (const prewarm of [false, true]) {
  const how = prewarm ? "in a process that was started ahead" : "in a new process";

  Deno.test(`a test is not run again by what it says itself, ${how}`, async () => {
    const { outcome, runs } = await run(
      "def test_it():\n" +
        "    with open('runs', 'a') as file: file.write('x')\n" +
        "    say(event='stale', reason='x')\n" +
        "    say(event='accepted')\n" +
        "    say(event='no_pytest', detail='x')\n",
      { prewarm },
    );
    assert.equal(runs, "x");
    assert.ok(outcome.ok);
    assert.equal(outcome.result.summary.passed, 1);
  });
}

Deno.test("a run is over when its answer is there, also if a test has said that it is over", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const body = "def test_it():\n    say(event='session_end', exit_status=0)\n    say(**END)\n" +
    "    time.sleep(60)\n";
  const { left } = await run(body, { prewarm: false });
  assert.deepEqual(left, []);
});

const LIES: Record<string, string> = {
  "what only the runner can say": "say(event='cancelled')",
  "what is no event": "say(event='pardon')",
  "what is no JSON": "write('{\\n')",
  "a report without its outcome": "say(event='report', id='x')",
  "an error of endless causes":
    'write(\'{"event":"internal_error","text":"","error":\' + \'{"type":"","message":"","frames":[],"cause":\' * 50000 + \'0\' + \'}\' * 50001 + \'\\n\')',
};

for (const [what, lie] of Object.entries(LIES)) {
  Deno.test(`a run in which a test has sent ${what} has no result that looks complete`, async () => {
    const { outcome } = await run(`def test_it():\n    ${lie}\n`, { prewarm: false });
    assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
    assert.equal(outcome.failure.data.error_type, "pytest_internal");
    assert.match(outcome.failure.message, /results are not complete/);
    assert.equal(outcome.failure.data.summary.passed, 1);
  });
}

Deno.test("reasons of any length and any number of sections are told within bounds", async () => {
  const { outcome, longest } = await run(
    "import pytest\n" +
      "def test_skips(): pytest.skip('x' * (80 << 20))\n" +
      "@pytest.mark.xfail(reason='x' * (80 << 20))\n" +
      "def test_xfails(): assert 0\n" +
      "def test_sections(request):\n" +
      "    for n in range(3000): request.node.add_report_section('call', 'part %d' % n, 'y' * 30000)\n" +
      "    assert 0\n" +
      "def test_exits(): pytest.exit('x' * (80 << 20))\n",
    { prewarm: false },
  );
  assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
  assert.equal(outcome.failure.data.error_type, "interrupted");
  const { skipped, xfailed, failed } = outcome.failure.data.summary;
  assert.deepEqual({ skipped, xfailed, failed }, { skipped: 2, xfailed: 1, failed: 1 });
  assert.ok(longest < 2_000_000, `an event of ${longest} characters`);
});
