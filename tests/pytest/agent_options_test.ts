/**
 * What the plugin does beside reporting, in every pytest that we support.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment, type EnvironmentName } from "../support/environments.ts";
import { git, NEEDS_GIT } from "../support/git_repository.ts";
import { openRealProject } from "../support/real_project.ts";

type Files = Readonly<Record<string, string>>;

/** Runs requests one after the other in a project of these files. */
async function ask(
  name: EnvironmentName,
  files: Files,
  ...requests: Record<string, unknown>[]
): Promise<ExecuteResult[]> {
  const { python } = await environment(name);
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  const results: ExecuteResult[] = [];
  for (const request of requests) {
    const outcome = await real.execute(request);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    results.push(outcome.result);
  }
  return results;
}

const names = ({ tests }: ExecuteResult) => tests.map(({ node_id }) => node_id.split("::")[1]);

const SLOW: Files = {
  "conftest.py": "import pytest\n@pytest.fixture(scope='module', autouse=True)\n" +
    "def log():\n    yield\n    open('torn_down', 'a').write('x')\n",
  "test_slow.py": Array.from(
    { length: 3 },
    (_, n) => `def test_${n}():\n    import time\n    time.sleep(${n === 0 ? 1.1 : 0})\n`,
  ).join("") + "def test_down():\n    assert open('torn_down').read() == 'x'\n",
};

/** What a part sees of it: a seed of its own in each process. */
const PYTEST_RANDOM_ORDER = `import random
def pytest_addoption(parser):
    seed = "default:%d" % random.SystemRandom().randrange(10**6)
    parser.addoption("--random-order-seed", dest="random_order_seed", default=seed)
def pytest_collection_modifyitems(config, items):
    random.Random(config.option.random_order_seed).shuffle(items)
`;

/** What the parts list, until none is left. */
async function inParts(name: EnvironmentName, files: Files): Promise<string[]> {
  const { python } = await environment(name);
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  const seen: string[] = [];
  for (let resume: Record<string, unknown> = {}, more = true; more;) {
    const outcome = await real.execute({ time_budget: 1, verbosity: 1, ...resume });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    seen.push(...outcome.result.tests.map(({ node_id }) => node_id));
    const { resume_after } = outcome.result;
    more = typeof resume_after === "string";
    resume = { resume_after };
  }
  return seen;
}

for (const name of chosenEnvironments()) {
  const order = name === "rich" ? { "pytest.ini": "[pytest]\naddopts = -p no:randomly\n" } : {};

  Deno.test(`a run whose time is spent ends between two tests and goes on there in ${name}`, async () => {
    const files = { ...SLOW, ...order };
    const [first] = await ask(name, files, { time_budget: 1, verbosity: 1 });
    assert.ok(first?.resume_after);
    assert.deepEqual([names(first), first.exit_code], [["test_0"], 0]);
    assert.deepEqual([first.summary.total, first.summary.not_run], [1, 3]);
    const both = [{ time_budget: 1 }, { resume_after: first.resume_after, verbosity: 1 }];
    const [, rest] = await ask(name, files, ...both);
    assert.ok(rest);
    // The fixture of the module was torn down when the first part ended, not before.
    assert.deepEqual(names(rest), ["test_1", "test_2", "test_down"]);
    assert.deepEqual([rest.summary.failed, rest.resume_after], [0, null]);
  });

  Deno.test(`what a budget leaves time for ends as it would without one in ${name}`, async () => {
    const files = { "test_a.py": "def test_a():\n    pass\n", ...order };
    const [result] = await ask(name, files, { time_budget: 60 });
    assert.deepEqual([result?.exit_code, result?.resume_after], [0, null]);
  });

  Deno.test(`failfast leaves a place to go on from, where a budget was given, in ${name}`, async () => {
    const files = {
      "test_a.py": "def test_a():\n    assert 0\ndef test_b():\n    pass\n",
      ...order,
    };
    const [result] = await ask(name, files, { time_budget: 60, failfast: true });
    assert.equal(result?.summary.not_run, 1);
    assert.ok(result?.resume_after);
  });

  Deno.test(`each part has the tests in the order of the first one, whatever failed in it, in ${name}`, async () => {
    const files = {
      "test_a.py": "import time\ndef test_a():\n    time.sleep(1.1)\ndef test_b():\n    assert 0\n",
      "test_b.py": "import time\ndef test_c():\n    time.sleep(1.1)\n    assert 0\n" +
        "def test_d():\n    pass\n",
      "test_skipped.py": "import pytest\npytest.skip('all', allow_module_level=True)\n",
      "pytest.ini": "[pytest]\naddopts = --failed-first -p no:randomly\n",
      "conftest.py": PYTEST_RANDOM_ORDER,
    };
    assert.deepEqual((await inParts(name, files)).sort(), [
      ...["test_a.py::test_a", "test_a.py::test_b", "test_b.py::test_c", "test_b.py::test_d"],
      "test_skipped.py",
    ]);
  });

  Deno.test(`the slowest tests are told with their phases in ${name}`, async () => {
    const files = {
      "test_a.py": "import time, pytest\n@pytest.fixture\ndef slow():\n    time.sleep(0.2)\n" +
        "    yield\n    time.sleep(0.1)\ndef test_setup(slow):\n    pass\n" +
        "def test_call():\n    time.sleep(0.05)\ndef test_fast():\n    pass\n",
    };
    const [result] = await ask(name, files, { durations: 2 });
    const [setup, call, ...more] = result?.durations ?? [];
    assert.deepEqual([setup?.node_id, call?.node_id, more], [
      "test_a.py::test_setup",
      "test_a.py::test_call",
      [],
    ]);
    assert.ok((setup?.setup ?? 0) >= 0.2 && (setup?.teardown ?? 0) >= 0.1);
    assert.ok((setup?.call ?? 1) < 0.2 && (call?.call ?? 0) >= 0.05);
  });

  Deno.test(`shards are disjoint and complete in ${name}`, async () => {
    const files = Object.fromEntries(
      ["a", "b", "c", "d", "e"].map((
        each,
      ) => [`${each}/test_${each}.py`, "def test_x(): pass\n".repeat(1)]),
    );
    const requests = [1, 2, 3].map((index) => ({ shard: { index, total: 3 }, verbosity: 1 }));
    const results = await ask(name, files, ...requests);
    assert.deepEqual(results.map(({ summary }) => summary.total), [2, 2, 1]);
    const ids = results.flatMap(({ tests }) => tests.map(({ node_id }) => node_id));
    assert.deepEqual(
      ids.toSorted(),
      ["a", "b", "c", "d", "e"].map((x) => `${x}/test_${x}.py::test_x`),
    );
  });

  Deno.test(`pytest's cache is told apart from no cache in ${name}`, async () => {
    const files = { "test_a.py": "def test_a():\n    assert 0\ndef test_b():\n    pass\n" };
    const again = { last_failed: true };
    const [empty, full] = await ask(name, files, again, again);
    assert.deepEqual([empty?.summary.total, full?.summary.total], [2, 1]);
    assert.deepEqual(empty?.selection, {
      selected: 0,
      total: 0,
      notes: ["pytest's cache remembers no failure, so nothing was left out"],
    });
    assert.deepEqual(full?.selection, { selected: 1, total: 1, notes: [] });
    const other = { ...files, "test_c.py": "def test_c():\n    pass\n" };
    const [, outside] = await ask(name, other, {}, { ...again, path: "test_c.py" });
    assert.equal(outside?.summary.total, 1);
    assert.match(
      outside?.selection?.notes[0] ?? "",
      /none of the failures .* nothing was left out/,
    );
  });

  Deno.test(`names that the source has and pytest does not are no obstacle in ${name}`, async () => {
    const files = {
      "core.py": "def run():\n    return 1\n",
      "test_a.py": "from core import run\ndef test_a():\n    assert run()\n" +
        "import sys\nif sys.platform == 'nowhere':\n    def test_gone():\n        run()\n" +
        "def test_b():\n    pass\n",
    };
    const [result] = await ask(name, files, { related_to: ["core.py"], verbosity: 1 });
    assert.ok(result);
    assert.deepEqual(names(result), ["test_a"]);
  });
}

Deno.test("a worker that crashes is named, its test is an error and the others are kept", async () => {
  // Many short tests: work is stolen from the dead worker before its death is known.
  const files = {
    "test_a.py": "import os\ndef test_dies():\n    os._exit(3)\n" +
      Array.from({ length: 40 }, (_, n) => `def test_${n}():\n    pass\n`).join(""),
  };
  const [result] = await ask("rich", files, { parallel: 2 });
  assert.deepEqual([result?.summary.passed, result?.summary.errors, result?.exit_code], [40, 1, 1]);
  const [dead] = result?.tests ?? [];
  assert.equal(dead?.node_id, "test_a.py::test_dies");
  assert.equal(dead?.outcome, "error");
  assert.match(dead?.message ?? "", /worker 'gw\d+' crashed while running/);
});

Deno.test("parallel steals work, unless the project has said how its tests are spread", async () => {
  const test = { "test_a.py": "def test_a(): pass\ndef test_b(): pass\n" };
  const chosen = { ...test, "pytest.ini": "[pytest]\naddopts = --dist loadfile\n" };
  const tell = "def pytest_terminal_summary(terminalreporter, config):\n" +
    "    terminalreporter.write_line('spread by ' + config.option.dist)\n";
  const request = { parallel: 2, verbosity: 1 };
  for (
    const [files, expected] of [[test, /spread by worksteal/], [chosen, /by loadfile/]] as const
  ) {
    const [result] = await ask("rich", { ...files, "conftest.py": tell }, request);
    assert.match(result?.text_output ?? "", expected);
  }
});

Deno.test("a budget takes one process, whatever the project's settings say", async () => {
  const files = { ...SLOW, "pytest.ini": "[pytest]\naddopts = -n 2 -p no:randomly\n" };
  const [result] = await ask("rich", files, { time_budget: 1, coverage: { paths: ["."] } });
  assert.deepEqual([result?.summary.total, result?.summary.not_run], [1, 3]);
  assert.ok((result?.coverage?.statements ?? 0) > 0);
});

Deno.test("repeat tells flaky tests from those that always fail", async () => {
  const files = {
    "test_a.py": "import pathlib\ndef test_flaky():\n    runs = pathlib.Path('runs')\n" +
      "    count = int(runs.read_text()) + 1 if runs.exists() else 1\n" +
      "    runs.write_text(str(count))\n    assert count % 3, f'run {count}'\n" +
      "def test_fails():\n    assert 0\ndef test_passes():\n    pass\n",
    "pytest.ini": "[pytest]\naddopts = -p no:randomly\n",
  };
  const [result] = await ask("rich", files, { repeat: 7 });
  assert.deepEqual(result?.summary.total, 3);
  assert.deepEqual([result?.summary.failed, result?.summary.passed, result?.exit_code], [2, 1, 1]);
  assert.deepEqual(result?.repeat, {
    runs: 7,
    flaky: 1,
    tests: [
      {
        node_id: "test_a.py::test_flaky",
        passed: 5,
        failed: 2,
        flaky: true,
        messages: [{ message: "AssertionError: run 3\nassert (3 % 3)", count: 1 }, {
          message: "AssertionError: run 6\nassert (6 % 3)",
          count: 1,
        }],
      },
      {
        node_id: "test_a.py::test_fails",
        passed: 0,
        failed: 7,
        flaky: false,
        messages: [{ message: "AssertionError: assert 0", count: 7 }],
      },
    ],
  });
});

Deno.test("repeat keeps to the timeout of all runs together, and says how many there were", async () => {
  const files = { "test_a.py": "import time\ndef test_a():\n    time.sleep(2)\n" };
  const [result] = await ask("pytest9", files, { repeat: 50, timeout: 15 });
  const { runs = 0, asked } = result?.repeat ?? {};
  assert.equal(asked, 50);
  assert.ok(runs >= 2 && runs <= 7, String(runs));
});

Deno.test("coverage measures what the settings name when the request names nothing", async () => {
  const files = {
    "pkg/__init__.py": "",
    "pkg/a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "other.py": "x = 1\n",
    "test_a.py": "import other\nfrom pkg.a import f\ndef test_a():\n    f()\n",
    "pytest.ini": "[pytest]\naddopts = --cov=pkg --cov-report=term\n",
  };
  const [plain, narrowed, spread] = await ask(
    "rich",
    files,
    { coverage: {} },
    { coverage: { paths: ["other.py"] } },
    { coverage: {}, parallel: 2 },
  );
  assert.deepEqual(spread?.coverage, plain?.coverage);
  assert.deepEqual(plain?.coverage?.files, [{ path: "pkg/a.py", percent: 75, missing: "6" }]);
  assert.deepEqual([narrowed?.coverage?.percent, narrowed?.coverage?.complete_files], [100, 1]);
});

Deno.test("coverage leaves nothing in the project, and explains a limit of the project's own", async () => {
  const files = {
    "a.py": "def f():\n    return 1\n",
    "test_a.py": "import a\ndef test_a():\n    pass\n",
    ".coveragerc": "[report]\nfail_under = 99\n",
  };
  const { python } = await environment("rich");
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  const outcome = await real.execute({ coverage: { paths: ["a.py"] } });
  assert.ok(outcome.ok);
  const { exit_code, coverage } = outcome.result;
  assert.deepEqual([exit_code, coverage?.fail_under, coverage?.reached], [1, 99, false]);
  const left = [...Deno.readDirSync(project.root)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => /coverage$/.test(name)), []);
});

Deno.test(
  "coverage of changed lines names the changed files that were not measured",
  NEEDS_GIT,
  async () => {
    const files = { "a.py": "A = 1\n", "test_a.py": "import a\ndef test_a():\n    pass\n" };
    const { python } = await environment("rich");
    await using project = await e2eProject({ environment: null, files });
    const { root } = project;
    await git(root, "init", "--quiet");
    await git(root, "add", ".");
    await git(root, "commit", "--quiet", "--message", "all");
    await Deno.writeTextFile(`${root}/a.py`, "A = 2\n");
    await Deno.writeTextFile(`${root}/new.py`, "B = 1\n");
    await using real = openRealProject(root, python);
    const outcome = await real.execute({ coverage: { changed_only: true } });
    assert.ok(outcome.ok);
    assert.equal(outcome.result.coverage?.complete_files, 1);
    assert.match(outcome.result.coverage?.problem ?? "", /^new\.py: changed, but not measured/);
  },
);

const CALL =
  "def f(x):\n    if x:\n        return 1\n    return max(\n        2,\n        5,\n    )\n";

Deno.test(
  "coverage of changed lines counts the statement that an inner line belongs to",
  NEEDS_GIT,
  async () => {
    const files = {
      "a.py": CALL,
      "test_a.py": "from a import f\ndef test_a():\n    assert f(1) == 1\n",
    };
    const { python } = await environment("rich");
    await using project = await e2eProject({ environment: null, files });
    const { root } = project;
    await git(root, "init", "--quiet");
    await git(root, "add", ".");
    await git(root, "commit", "--quiet", "--message", "all");
    await Deno.writeTextFile(`${root}/a.py`, CALL.replace("5", "6"));
    await using real = openRealProject(root, python);
    const request = { changed_only: true, paths: ["a.py"], fail_under: 100 };
    const outcome = await real.execute({ coverage: request });
    assert.ok(outcome.ok);
    const { exit_code, coverage } = outcome.result;
    assert.deepEqual([coverage?.percent, coverage?.reached, exit_code], [0, false, 1]);
    assert.deepEqual(coverage?.files, [{ path: "a.py", percent: 0, missing: "4" }]);
  },
);

Deno.test("coverage of files of which nothing was measured is not reached", async () => {
  const files = {
    "pkg/__init__.py": "",
    "pkg/never.py": "A = 1\n",
    "test_a.py": "import pkg\ndef test_a():\n    pass\n",
    ".coveragerc": "[run]\nomit = pkg/never.py\n",
  };
  const never = { paths: ["pkg/never.py"], fail_under: 100 };
  const both = { paths: ["pkg/__init__.py", "pkg/never.py"], fail_under: 100 };
  const empty = { paths: ["pkg/__init__.py"], fail_under: 100 };
  const results = await ask(
    "rich",
    files,
    ...[never, both, empty].map((coverage) => ({ coverage })),
  );
  assert.deepEqual(results.map(({ exit_code, coverage }) => [exit_code, coverage?.reached]), [
    [1, false],
    [1, false],
    [0, true],
  ]);
  assert.equal(results[0]?.coverage?.percent, 0);
  assert.match(results[1]?.coverage?.problem ?? "", /^pkg\/never\.py: .*not measured/);
});

Deno.test("coverage is refused where the settings turn it off", async () => {
  const files = {
    "test_a.py": "def test_a():\n    pass\n",
    "pytest.ini": "[pytest]\naddopts = --no-cov\n",
  };
  const { python } = await environment("rich");
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  const outcome = await real.execute({ coverage: { paths: ["."], fail_under: 100 } });
  assert.ok(!outcome.ok);
  assert.match(outcome.failure.message, /^coverage .*--no-cov.*leave coverage out/);
});

Deno.test("coverage of changed lines without git does not advise about related tests", async () => {
  const { python } = await environment("rich");
  const files = { "test_a.py": "def test_a():\n    pass\n" };
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  const outcome = await real.execute({ coverage: { changed_only: true } });
  assert.ok(!outcome.ok);
  assert.match(outcome.failure.message, /^coverage\.changed_only: .*or leave changed_only out\./);
});

Deno.test("no change below the root is not called no change at all", NEEDS_GIT, async () => {
  const files = { "part/test_a.py": "def test_a():\n    pass\n", "beside.py": "" };
  const { python } = await environment("pytest9");
  await using project = await e2eProject({ environment: null, files });
  await git(project.root, "init", "--quiet");
  await git(project.root, "add", ".");
  await git(project.root, "commit", "--quiet", "--message", "all");
  await Deno.writeTextFile(`${project.root}/beside.py`, "A = 1\n");
  await using real = openRealProject(`${project.root}/part`, python);
  const outcome = await real.execute({ changed: true });
  assert.ok(outcome.ok);
  assert.equal(outcome.result.exit_code, 5);
  assert.match(outcome.result.selection?.notes.join() ?? "", /no change below the root since HEAD/);
});

Deno.test("an empty cache is not said to leave out nothing where the settings leave out everything", async () => {
  const files = {
    "test_a.py": "def test_a():\n    pass\n",
    "pytest.ini": "[pytest]\naddopts = --last-failed-no-failures=none\n",
  };
  const [result] = await ask("pytest9", files, { last_failed: true });
  assert.equal(result?.exit_code, 5);
  assert.match(
    result?.selection?.notes[0] ?? "",
    /no failure, so the project's settings leave out/,
  );
});

Deno.test("a file that could not be collected is what failed last time", async () => {
  const { python } = await environment("pytest9");
  const files = {
    "test_a.py": "def test_a():\n    pass\n",
    "test_b.py": "import nothing_here\ndef test_b():\n    pass\n",
  };
  await using project = await e2eProject({ environment: null, files });
  await using real = openRealProject(project.root, python);
  await real.execute({});
  await Deno.writeTextFile(`${project.root}/test_b.py`, "def test_b():\n    pass\n");
  const outcome = await real.execute({ last_failed: true, verbosity: 1 });
  assert.ok(outcome.ok);
  assert.deepEqual(names(outcome.result), ["test_b"]);
  assert.deepEqual(outcome.result.selection, { selected: 1, total: 1, notes: [] });
});

Deno.test("after what failed come the others, also where the settings leave them out", async () => {
  const files = {
    "test_a.py": "def test_a():\n    pass\ndef test_b():\n    assert 0\n",
    "pytest.ini": "[pytest]\naddopts = --last-failed\n",
  };
  const [, result] = await ask("pytest9", files, {}, { failed_first: true, verbosity: 1 });
  assert.deepEqual([result?.summary.total, result?.summary.deselected], [2, 0]);
});

Deno.test("a collection that changed is said, and nothing runs", async () => {
  const { python } = await environment("pytest9");
  await using project = await e2eProject({ environment: null, files: SLOW });
  await using real = openRealProject(project.root, python);
  const first = await real.execute({ time_budget: 1 });
  assert.ok(first.ok);
  await Deno.writeTextFile(`${project.root}/test_new.py`, "def test_new(): pass\n");
  const { resume_after } = first.result;
  const second = await real.execute({ resume_after });
  assert.ok(!second.ok && second.failure.kind === "execution_failure");
  assert.match(second.failure.message, /collection has changed .*4 tests then, 5 now/);
  assert.equal(second.failure.data.error_type, "usage_error");
  assert.equal(second.failure.data.summary.total, 0);
});

Deno.test("discover_tests lists only related tests, or those of a shard", async () => {
  const { python } = await environment("pytest9");
  await using project = await e2eProject({ environment: null, fixture: "library" });
  await using real = openRealProject(project.root, python);
  const related = await real.discover({ related_to: ["src/library/catalog.py"] });
  assert.ok(related.ok);
  assert.deepEqual(related.result.tests.map((test) => test.function), [
    "test_find_ignores_case",
    "test_shelves_are_in_order",
  ]);
  assert.equal(related.result.selection?.total, 6);
  const shard = await real.discover({ shard: { index: 1, total: 3 } });
  assert.ok(shard.ok);
  assert.deepEqual(Object.keys(shard.result.files).length, 1);
  assert.equal(shard.result.selection?.selected, shard.result.count);
  const none = await real.discover({ related_to: ["pytest.ini"] });
  assert.ok(none.ok);
  assert.deepEqual(none.result.selection?.notes, [
    "all tests: pytest.ini configures the whole run",
  ]);
  assert.equal(none.result.count, 9);
});
