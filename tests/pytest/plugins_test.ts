import assert from "node:assert/strict";
import { join } from "node:path";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import type { Outcome } from "../../src/domain/run_failure.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";
import { runProject } from "../support/run_project.ts";

const FLAKY = `import pytest
attempts = []
@pytest.fixture
def broken(): raise ValueError("broken")
def test_second_time():
    attempts.append(1)
    assert len(attempts) == 2
def test_never(): assert 0
def test_no_setup(broken): pass
def test_at_once(): pass
`;

const SLOW = `import time
def test_a(): pass
def test_b(): time.sleep(60)
`;

async function runRich(
  files: Record<string, string>,
  verbosity = 0,
): Promise<Outcome<ExecuteResult>> {
  const { python } = await environment("rich");
  const root = await Deno.makeTempDir({ prefix: "pytest-mcp-plugins-" });
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(root, name), text);
    }
    return (await runProject({ root, python, params: { verbosity } })).outcome;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

if (chosenEnvironments().includes("rich")) {
  for (const options of ["", "-n 2 --dist loadfile"]) {
    Deno.test(`pytest-rerunfailures: each test counts once, by its last attempt ${options}`, async () => {
      const settings = `[pytest]\naddopts = -p no:randomly --reruns 2 ${options}\n`;
      const outcome = await runRich({ "pytest.ini": settings, "test_it.py": FLAKY }, 1);
      assert(outcome.ok);
      const { summary: { total, not_run }, tests } = outcome.result;
      assert.deepEqual(tests.map(({ node_id, outcome }) => `${outcome} ${node_id}`), [
        "failed test_it.py::test_never",
        "error test_it.py::test_no_setup",
        "passed test_it.py::test_second_time",
        "passed test_it.py::test_at_once",
      ]);
      assert.deepEqual({ total, not_run }, { total: 4, not_run: 0 });
    });
  }

  Deno.test("pytest-randomly: discovery goes on from page to page in the project's order", async () => {
    const names = Array.from({ length: 30 }, (_, n) => `test_${n}`);
    const text = names.map((name) => `def ${name}(): pass\n`).join("");
    await using files = await e2eProject({ files: { "test_it.py": text }, environment: null });
    const { python } = await environment("rich");
    await using project = openRealProject(files.root, python);
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await project.discover({ limit: 12, ...(cursor === "" ? {} : { cursor }) });
      assert(page.ok, JSON.stringify(page));
      found.push(...page.result.tests.map((test) => test.function ?? ""));
      cursor = page.result.next_cursor;
    }
    assert.deepEqual(found, names);
  });

  Deno.test("pytest-cov: a limit that is missed is no riddle", async () => {
    const files = {
      "pytest.ini": "[pytest]\naddopts = --cov=unused --cov-fail-under=99\n",
      "unused.py": "def unused():\n    return 1\n",
      "test_it.py": "import unused\ndef test_a(): pass\n",
    };
    const short = await runRich(files);
    assert(short.ok);
    assert.equal(short.result.exit_code, 1);
    assert.match(String(short.result.truncated?.["hint"]), /limit of coverage/);
    const long = await runRich(files, 1);
    assert(long.ok);
    assert.match(long.result.text_output ?? "", /Required test coverage of 99/);
  });

  Deno.test("pytest-timeout: a test that it interrupts has failed, where it stood", async () => {
    const settings = "[pytest]\naddopts = -p no:randomly --timeout=1\n";
    const outcome = await runRich({ "pytest.ini": settings, "test_it.py": SLOW });
    assert(outcome.ok);
    assert.equal(outcome.result.summary.passed, 1);
    assert.match(outcome.result.tests[0]?.message ?? "", /^Failed: Timeout/);
    assert.match(outcome.result.tests[0]?.traceback ?? "", /^test_it.py:3 test_b: .*sleep/);
  });

  Deno.test("pytest-timeout: a process that it ends is a crash that says so", async () => {
    const settings = "[pytest]\naddopts = -p no:randomly --timeout=1 --timeout-method=thread\n";
    const outcome = await runRich({ "pytest.ini": settings, "test_it.py": SLOW });
    assert(!outcome.ok && outcome.failure.kind === "execution_failure");
    const { data, message } = outcome.failure;
    assert.equal(data.error_type, "crash");
    assert.deepEqual(data.running, ["test_it.py::test_b"]);
    assert.equal(data.summary.passed, 1);
    assert.match(message, /\+ Timeout \+/);
  });
}
