import assert from "node:assert/strict";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

/** A flat layout, which only the root on sys.path makes importable, and an outcome of each kind. */
const FLAT = {
  "core.py": "def run():\n    return 1\n",
  "tests/test_a.py": `import sys, warnings
import pytest
from core import run

def test_passes():
    warnings.warn("w")
    assert run() == 1

def test_fails():
    print("out")
    print("err", file=sys.stderr)
    assert {"a": run()} == {"a": 2}

def test_skipped():
    pytest.skip("why")

@pytest.mark.xfail(reason="r")
def test_xfails():
    assert 0

@pytest.mark.xfail
def test_xpasses():
    pass

@pytest.fixture
def broken():
    raise ValueError("setup")

def test_error(broken):
    pass

@pytest.fixture
def falls():
    yield
    raise ValueError("teardown")

def test_teardown(falls):
    pass

def test_caused():
    try:
        1 / 0
    except ZeroDivisionError as error:
        raise RuntimeError("x") from error

@pytest.mark.parametrize("p", ["a::b", "x y", "[z]"])
def test_parameter(p):
    assert p == "q"

def test_subtests(subtests):
    for i in ("one", 2, 3):
        with subtests.test("part", i=i):
            assert i == 3
`,
  "tests/test_b.py": "import nonexistent_module\n",
  "tests/test_c.py": "import pytest\npytest.skip('all of it', allow_module_level=True)\n",
  "tests/test_d.py": "def test_d():\n    pass\n",
};

/** What must not depend on how many processes ran the tests. */
function comparable({ exit_code, summary, tests, collection_errors }: ExecuteResult) {
  const { duration: _, ...counts } = summary;
  // Which of several alike came first does depend on it.
  const told = new Map(tests.map(({ node_id, traceback }) => [`same as ${node_id}`, traceback]));
  const entries = tests.map(({ duration: _, traceback = "", ...entry }) => ({
    ...entry,
    traceback: told.get(traceback) ?? traceback,
  }));
  const sorted = entries.toSorted((a, b) => a.node_id < b.node_id ? -1 : 1);
  return { exit_code, counts, tests: sorted, collection_errors };
}

for (const prewarm of [false, true]) {
  const process = prewarm ? "a process made ahead" : "a fresh process";

  for (const workers of ["parallel: 2", "addopts = -n 2"]) {
    Deno.test(`${workers} gives the report of one process, from ${process}`, async () => {
      const { python } = await environment("rich");
      await using project = await e2eProject({ environment: null, files: FLAT });
      const ini = (more: string) =>
        Deno.writeTextFile(
          `${project.root}/pytest.ini`,
          `[pytest]\naddopts = -p no:randomly ${more}\n`,
        );
      const run = async (request: Record<string, unknown>) => {
        await using real = openRealProject(project.root, python, { prewarm });
        const outcome = await real.execute({ verbosity: 1, ...request });
        assert.ok(outcome.ok, JSON.stringify(outcome));
        return outcome.result;
      };
      await ini("");
      const serial = await run({});
      if (workers.startsWith("addopts")) await ini("-n 2");
      const parallel = await run(workers.startsWith("addopts") ? {} : { parallel: 2 });
      assert.match(parallel.text_output ?? "", /2 workers/);
      assert.equal(serial.summary.total, 15);
      assert.deepEqual(comparable(parallel), comparable(serial));
    });
  }
}

/** [what a module does, what must be said of it] */
const ENDINGS: [string, string, RegExp][] = [
  [
    "os._exit() at import",
    "import os\nos._exit(7)\n",
    /^Every worker process .* while it collected tests: gw0, gw1.* \(Not properly terminated\)/,
  ],
  ["sys.exit() at import", "import sys\nsys.exit('enough')\n", /test_end\.py", line 2[^]*enough$/m],
  [
    "pytest.exit() in a test",
    "import pytest\ndef test_end():\n    pytest.exit('enough')\n",
    /^pytest was interrupted by pytest\.exit\(\): enough\ntest_end\.py:3 test_end/,
  ],
  [
    "KeyboardInterrupt in a test",
    "def test_end():\n    raise KeyboardInterrupt\n",
    /^pytest was interrupted by a KeyboardInterrupt\ntest_end\.py:2 test_end/,
  ],
];

for (const [label, source, expected] of ENDINGS) {
  Deno.test(`parallel says why a run came to no end: ${label}`, async () => {
    const { python } = await environment("rich");
    const files = { "test_end.py": source, "test_other.py": "def test_other():\n    pass\n" };
    await using project = await e2eProject({ environment: null, files });
    await using real = openRealProject(project.root, python);
    const outcome = await real.execute({ parallel: 2 });
    assert.ok(!outcome.ok, JSON.stringify(outcome));
    assert.match(outcome.failure.message, expected);
    assert.doesNotMatch(outcome.failure.message, /crashed|WorkerController/);
  });
}
