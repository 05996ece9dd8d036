import assert from "node:assert/strict";
import { join } from "node:path";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";

const TESTS = `import pytest
def test_pass(): pass
def test_fail():
    x = 1
    assert x == 2
@pytest.mark.skip(reason="later")
def test_skip(): pass
`;

interface Settings {
  readonly addopts: string;
  /** passed, failed, skipped, not_run, deselected */
  readonly counts: readonly [number, number, number, number, number];
  readonly message?: string;
}

/** What a project's own settings do to a run, and that they do not blind us. */
const SETTINGS: readonly Settings[] = [
  { addopts: "-p no:terminal", counts: [1, 1, 1, 0, 0] },
  { addopts: "-qq --color=yes", counts: [1, 1, 1, 0, 0] },
  { addopts: "-vv --tb=no -rA", counts: [1, 1, 1, 0, 0] },
  { addopts: "-p no:logging -p no:warnings -s", counts: [1, 1, 1, 0, 0] },
  { addopts: "-p no:skipping", counts: [2, 1, 0, 0, 0] },
  { addopts: "-x", counts: [1, 1, 0, 1, 0] },
  { addopts: "-k fail", counts: [0, 1, 0, 0, 2] },
  { addopts: "--collect-only", counts: [0, 0, 0, 3, 0] },
  { addopts: "--assert=plain", counts: [1, 1, 1, 0, 0], message: "AssertionError" },
];

const plain = chosenEnvironments().filter((name) => name !== "rich");

for (const name of new Set([plain.at(0), plain.at(-1)])) {
  if (name === undefined) continue;
  Deno.test(`a project's own addopts are kept, and the run still seen, with ${name}`, async () => {
    const { python } = await environment(name);
    const root = await Deno.makeTempDir({ prefix: "pytest-mcp-addopts-" });
    try {
      await Deno.writeTextFile(join(root, "test_it.py"), TESTS);
      for (const { addopts, counts, message } of SETTINGS) {
        await Deno.writeTextFile(join(root, "pytest.ini"), `[pytest]\naddopts = ${addopts}\n`);
        const { outcome } = await runProject({ root, python });
        assert(outcome.ok, addopts);
        const { passed, failed, skipped, not_run, deselected } = outcome.result.summary;
        assert.deepEqual([passed, failed, skipped, not_run, deselected], counts, addopts);
        const failure = outcome.result.tests.find((test) => test.outcome === "failed");
        if (failed > 0) {
          assert.equal(failure?.message, message ?? "AssertionError: assert 1 == 2", addopts);
        }
      }
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

Deno.test("a path of the request is run within, whatever paths the project's addopts name", async () => {
  await using project = await e2eProject({
    environment: null,
    files: {
      "one/test_one.py": "def test_one(): pass\n",
      "two/test_two.py": "def test_two(): pass\n",
      "pytest.ini": "[pytest]\naddopts = one\n",
    },
  });
  for (const name of chosenEnvironments()) {
    const { python } = await environment(name);
    const params = { path: "two", verbosity: 1 };
    const { outcome } = await runProject({ root: project.root, python, params });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.deepEqual(outcome.result.tests.map(({ node_id }) => node_id), [
      "two/test_two.py::test_two",
    ]);
  }
});

for (const name of plain) {
  Deno.test(`ids name the files where they are when pytest's rootdir is elsewhere, with ${name}`, async () => {
    const { python } = await environment(name);
    await using project = await e2eProject({
      environment: null,
      files: { "config/pytest.ini": "[pytest]\n", "tests/test_it.py": TESTS },
    });
    const { root } = project;
    const environmentOf = { PYTEST_ADDOPTS: "--rootdir=config" };
    for (
      const params of [{}, { path: "tests" }, { node_ids: ["tests/test_it.py::test_fail"] }]
    ) {
      const run = { root, python, params, environment: environmentOf };
      const { outcome } = await runProject(run);
      assert(outcome.ok, JSON.stringify(outcome));
      const { tests: [failure], summary: { failed } } = outcome.result;
      assert.equal(failed, 1, JSON.stringify(params));
      assert.equal(failure?.node_id, "tests/test_it.py::test_fail", JSON.stringify(params));
    }
  });
}
