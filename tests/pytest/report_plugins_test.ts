/**
 * What plugins do to the reports of tests, imitated by a conftest.py that does the same.
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

/** As pytest-forked does: the test runs in a child, and plain data of its reports comes back. */
const FORKED = `import marshal, os, pytest
from _pytest.reports import TestReport
from _pytest.runner import runtestprotocol

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reader, writer = os.pipe()
    if os.fork() == 0:
        reports = [plain(report) for report in runtestprotocol(item, log=False)]
        os.write(writer, marshal.dumps(reports))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        reports = marshal.loads(file.read())
    os.wait()
    for data in reports:
        item.ihook.pytest_runtest_logreport(report=TestReport._from_json(data))
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
`;

const PLAIN: Readonly<Record<string, string>> = {
  "text, with all attributes": `
def plain(report):
    longrepr = None if report.longrepr is None else str(report.longrepr)
    return {**report._to_json(), "longrepr": longrepr}
`,
  "text, with pytest's attributes": `
def plain(report):
    longrepr = None if report.longrepr is None else str(report.longrepr)
    data = {**report._to_json(), "longrepr": longrepr}
    return {name: value for name, value in data.items() if "mcp" not in name}
`,
  "data, with pytest's attributes": `
def plain(report):
    return {name: value for name, value in report._to_json().items() if "mcp" not in name}
`,
};

const THREE_CAUSES = `def test_assertion():
    one = 1
    assert one == 3
def test_key():
    {}["k"]
def test_system():
    raise OSError("disk")
`;

// The oldest and the newest: reports have changed little between them.
const environments = chosenEnvironments().filter((name) =>
  name === "pytest62" || name === "pytest9"
);

/** As pytest-forked tells of a child that crashed. */
const CRASHED = `import pytest
from _pytest import runner

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    call = runner.CallInfo.from_call(lambda: 0 / 0, "???")
    call.excinfo = "test_it.py:1: running the test CRASHED with signal 6"
    report = runner.pytest_runtest_makereport(item, call)
    item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
`;

for (const name of environments) {
  Deno.test(`a test that crashed in a child has not passed, with ${name}`, () =>
    withProject(
      name,
      { "conftest.py": CRASHED, "test_it.py": "def test_a(): pass\n" },
      async (project) => {
        const answer = await project.execute({});
        assert(answer.ok, JSON.stringify(answer));
        const { summary: { total, errors }, tests: [test] } = answer.result;
        assert.deepEqual({ total, errors }, { total: 1, errors: 1 });
        assert.match(test?.message ?? "", /CRASHED with signal 6/);
      },
    ));

  for (const [how, plain] of Object.entries(PLAIN)) {
    Deno.test(`tests that run in a child keep their errors: ${how}, with ${name}`, {
      ignore: Deno.build.os === "windows",
    }, () =>
      withProject(name, {
        "pytest.ini": "[pytest]\naddopts = -p no:randomly\n",
        "conftest.py": FORKED + plain,
        "test_it.py": THREE_CAUSES,
      }, async (project) => {
        const answer = await project.execute({});
        assert(answer.ok, JSON.stringify(answer));
        const { summary, tests } = answer.result;
        assert.equal(summary.failed, 3);
        assert.deepEqual(tests.map(({ message, same_cause }) => ({ message, same_cause })), [
          { message: "AssertionError: assert 1 == 3", same_cause: undefined },
          { message: "KeyError: 'k'", same_cause: undefined },
          { message: "OSError: disk", same_cause: undefined },
        ]);
        assert.match(tests[1]?.traceback ?? "", /test_it\.py.*5[^]*\{\}\["k"\]/);
      }));
  }
}

/** As flaky does: the call of an attempt that is to be repeated is not told, its setup and teardown are. */
const REPEATED = `from _pytest import runner
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    def call_and_report(item, when, log=True, **options):
        report = original(item, when, log=False, **options)
        attempt["again"] = when == "call" and report.failed and attempt["number"] < 2
        if log and not attempt["again"]:
            item.ihook.pytest_runtest_logreport(report=report)
        again.append(attempt["again"])
        return report

    original, attempt = runner.call_and_report, {"number": 0}
    runner.call_and_report = call_and_report
    try:
        while attempt["number"] == 0 or any(again):
            again = []
            attempt["number"] += 1
            runner.pytest_runtest_protocol(item, nextitem)
    finally:
        runner.call_and_report = original
    return True
`;

const FLAKY = `import pytest
attempts = []
def test_second_time():
    attempts.append(1)
    assert len(attempts) == 2
def test_never(): assert 0
def test_at_once(): pass
@pytest.mark.skip
def test_skipped(): pass
`;

/** Fails in a hook that others follow. */
const RAISES = `def pytest_runtest_logreport(report):
    if report.when == "call" and report.failed: raise RuntimeError("hook")
`;

const SET_UP_ONLY = "[pytest]\naddopts = --setup-only\n";

for (const name of environments) {
  Deno.test(`a test that a plugin repeats counts once, by its last attempt, with ${name}`, () =>
    withProject(
      name,
      { "conftest.py": REPEATED, "test_it.py": FLAKY },
      async (project) => {
        const answer = await project.execute({ verbosity: 1 });
        assert(answer.ok, JSON.stringify(answer));
        const { summary: { total, not_run }, tests } = answer.result;
        assert.deepEqual(tests.map(({ outcome, node_id }) => `${outcome} ${node_id}`), [
          "failed test_it.py::test_never",
          "skipped test_it.py::test_skipped",
          "passed test_it.py::test_second_time",
          "passed test_it.py::test_at_once",
        ]);
        assert.deepEqual({ total, not_run }, { total: 4, not_run: 0 });
      },
    ));

  Deno.test(`a test whose call is never run has not passed, with ${name}`, () =>
    withProject(
      name,
      { "pytest.ini": SET_UP_ONLY, "test_it.py": "def test_a(): pass\n" },
      async (project) => {
        const answer = await project.execute({});
        assert(answer.ok, JSON.stringify(answer));
        const { passed, not_run } = answer.result.summary;
        assert.deepEqual({ passed, not_run }, { passed: 0, not_run: 1 });
      },
    ));

  Deno.test(`a failure is told though a plugin raises at its report, with ${name}`, () =>
    withProject(
      name,
      { "conftest.py": RAISES, "test_it.py": "def test_a(): pass\ndef test_b(): assert 0\n" },
      async (project) => {
        const answer = await project.execute({});
        assert(!answer.ok && answer.failure.kind === "execution_failure");
        const { error_type, summary, tests } = answer.failure.data;
        assert.equal(error_type, "pytest_internal");
        assert.deepEqual([summary.passed, summary.failed], [1, 1]);
        assert.deepEqual(tests.map(({ node_id }) => node_id), ["test_it.py::test_b"]);
      },
    ));
}

const SUBTESTS = `import pytest
def test_skips_a_part(subtests):
    with subtests.test("a"): pytest.skip("no")
def test_part_fails_as_expected(subtests):
    with subtests.test("b"): pytest.xfail("known")
`;

Deno.test("a test of which a subtest is skipped or fails as expected has passed", {
  ignore: !chosenEnvironments().includes("pytest9"),
}, () =>
  withProject("pytest9", { "test_it.py": SUBTESTS }, async (project) => {
    const answer = await project.execute({});
    assert(answer.ok, JSON.stringify(answer));
    const { passed, skipped, xfailed } = answer.result.summary;
    assert.deepEqual({ passed, skipped, xfailed }, { passed: 2, skipped: 0, xfailed: 0 });
  }));
