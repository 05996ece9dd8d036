import assert from "node:assert/strict";
import { join } from "node:path";
import { buildEnvironment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";

const CONFTEST = `import os, sys

def pytest_unconfigure():
    with open(os.path.join(os.path.dirname(__file__), "loaded.txt"), "w") as file:
        file.write(str("hypothesis" in sys.modules))
`;
const PLAIN = "def test_plain():\n    pass\n";
const PROPERTY = `from hypothesis import given, strategies

@given(strategies.integers())
def test_property(number):
    assert number < 100
`;

async function run(tests: string) {
  const { python } = await buildEnvironment("bench_hypothesis");
  const root = await Deno.makeTempDir({ prefix: "pytest-mcp-" });
  try {
    await Deno.writeTextFile(join(root, "conftest.py"), CONFTEST);
    await Deno.writeTextFile(join(root, "test_it.py"), tests);
    const { outcome } = await runProject({ root, python });
    assert(outcome.ok, JSON.stringify(outcome));
    return { result: outcome.result, loaded: await Deno.readTextFile(join(root, "loaded.txt")) };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a run does not import hypothesis for a summary that nobody reads", async () => {
  const { result, loaded } = await run(PLAIN);
  assert.equal(result.summary.passed, 1);
  assert.equal(loaded, "False");
});

Deno.test("a run with a property that fails says for which value", async () => {
  const { result, loaded } = await run(PROPERTY);
  assert.equal(result.summary.failed, 1);
  assert.match(result.tests[0]?.traceback ?? "", /number=100/);
  assert.equal(loaded, "True");
});
