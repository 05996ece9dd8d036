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

/** What many projects have, to read the ids of parameters in their own script. */
const RENAMING = `def pytest_collection_modifyitems(items):
    for item in items:
        item.name = item.name.encode("utf-8").decode("unicode_escape")
        item._nodeid = item.nodeid.encode("utf-8").decode("unicode_escape")
`;

const RENAMED = `import pytest
@pytest.mark.parametrize("x", ["a", "中文", "文"])
def test_a(x): assert x == "a"
def test_b(): pass
`;

const GROUPED = `import pytest
@pytest.mark.xdist_group("g1")
def test_a(): assert 0
@pytest.mark.parametrize("x", ["@b"])
@pytest.mark.xdist_group("g1")
def test_b(x): assert 0
def test_c(): pass
`;

for (const name of chosenEnvironments()) {
  for (const workers of name === "rich" ? ["", "-n 2"] : [""]) {
    Deno.test(`ids that a project changes are accepted as they are told, with ${name} ${workers}`, () =>
      withProject(name, {
        "pytest.ini": `[pytest]\naddopts = ${workers}\n`,
        "conftest.py": RENAMING,
        "test_it.py": RENAMED,
      }, async (project) => {
        const discovered = await discoveredIds(project);
        const { tests } = await executed(project, { verbosity: 1 });
        assert.deepEqual(tests.map(({ node_id }) => node_id).toSorted(), discovered.toSorted());
        const [cause] = (await executed(project)).tests;
        assert.equal(cause?.same_cause?.count, 2);
        const again = await executed(project, { node_ids: cause?.same_cause?.node_ids });
        assert.deepEqual([again.summary.failed, again.summary.total], [2, 2]);
        const unknown = await project.execute({ node_ids: ["test_it.py::test_a[没有]"] });
        assert(!unknown.ok && unknown.failure.kind === "execution_failure");
        assert.equal(unknown.failure.data.error_type, "usage_error");
        assert.match(unknown.failure.message, /test_it\.py::test_a/);
      }));
  }
}

/** What xdist does to the ids of its workers, where pytest lets it. */
const GROUPING = `def pytest_addoption(parser):
    parser.addoption("--dist", default="loadgroup")
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("xdist_group"):
            item._nodeid = item.nodeid + "@g1"
`;

for (const name of chosenEnvironments()) {
  const isRich = name === "rich";
  Deno.test(`the group of a test in xdist is no part of its id, with ${name}`, () =>
    withProject(name, {
      "pytest.ini": `[pytest]\naddopts = ${isRich ? "-n 2 --dist loadgroup" : ""}\n`,
      "conftest.py": isRich ? "" : GROUPING,
      "test_it.py": GROUPED,
    }, async (project) => {
      const { tests } = await executed(project, { verbosity: 1 });
      const node_ids = tests.map(({ node_id }) => node_id).toSorted();
      assert.deepEqual(node_ids, [
        "test_it.py::test_a",
        "test_it.py::test_b[@b]",
        "test_it.py::test_c",
      ]);
      assert.equal((await executed(project, { node_ids })).summary.total, 3);
    }));
}
