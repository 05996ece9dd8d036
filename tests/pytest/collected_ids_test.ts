/**
 * Whatever collection finds is told once, under an id that a request can name.
 *
 * @module
 */
import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject, type RealProject } from "../support/real_project.ts";

async function withProject(
  name: ReturnType<typeof chosenEnvironments>[number],
  files: Record<string, string>,
  use: (project: RealProject) => Promise<void>,
): Promise<void> {
  const { python } = await environment(name);
  await using copy = await e2eProject({ files, environment: null });
  await using project = openRealProject(copy.root, python);
  await use(project);
}

async function discoveredIds(project: RealProject): Promise<string[]> {
  const answer = await project.discover({});
  assert(answer.ok, JSON.stringify(answer));
  return answer.result.tests.map(({ node_id }) => node_id);
}

async function executed(project: RealProject, params: Record<string, unknown> = {}) {
  const answer = await project.execute(params);
  assert(answer.ok, JSON.stringify(answer));
  return answer.result;
}

const BROKEN_CLASSES = `import pytest
class TestA:
    @pytest.mark.parametrize("x", [1])
    def test_a(self): pass
class TestB:
    @pytest.mark.parametrize("x", [1])
    def test_b(self): pass
def test_fine(): pass
`;

for (const name of chosenEnvironments()) {
  Deno.test(`two classes of a file that cannot be collected are two errors, with ${name}`, () =>
    withProject(name, {
      "pytest.ini": `[pytest]\naddopts = ${name === "rich" ? "-n 2" : ""}\n`,
      "test_it.py": BROKEN_CLASSES,
    }, async (project) => {
      const { summary, collection_errors } = await executed(project);
      assert.deepEqual([summary.passed, summary.errors], [1, 2]);
      assert.deepEqual(
        collection_errors.map(({ message }) => message.match(/test_[ab]/)?.[0]).toSorted(),
        ["test_a", "test_b"],
      );
    }));
}

const HIDDEN_PARAMETER = `import pytest
@pytest.mark.parametrize("x", [1, pytest.param(2, id=pytest.HIDDEN_PARAM), 3])
def test_a(x): pass
`;

Deno.test("discoverTests() gives a hidden parameter set the id that pytest gives it", {
  ignore: !chosenEnvironments().includes("pytest9"),
}, () =>
  withProject("pytest9", { "test_it.py": HIDDEN_PARAMETER }, async (project) => {
    const node_ids = await discoveredIds(project);
    assert.deepEqual(node_ids, [
      "test_it.py::test_a[1]",
      "test_it.py::test_a",
      "test_it.py::test_a[3]",
    ]);
    assert.equal((await executed(project, { node_ids })).summary.passed, 3);
  }));
