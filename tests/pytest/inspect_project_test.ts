import assert from "node:assert/strict";
import { join } from "node:path";
import {
  inspectEnvironment,
  inspectFixtures,
  inspectMarkers,
} from "../../src/domain/inspect_project.ts";
import type { Outcome } from "../../src/domain/run_failure.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import type { UseCaseContext } from "../../src/domain/use_case.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";

const FILES: Readonly<Record<string, string>> = {
  "pytest.ini": `[pytest]
markers =
    slow: takes long
    needs(thing): wants: a thing
`,
  "conftest.py": `import pytest

def pytest_configure(config):
    config.addinivalue_line("markers", "from_conftest: said late")

@pytest.fixture(scope="session")
def db():
    """A database.

    With more to say."""
    yield 1

@pytest.fixture(autouse=True)
def always():
    yield

@pytest.fixture
def _private():
    yield
`,
  "sub/conftest.py": `import pytest

@pytest.fixture
def db(db):
    return db
`,
  "sub/test_a.py": `import pytest

class TestA:
    @pytest.fixture(params=[1, 2])
    def own(self, request):
        "Only here."
        return request.param

    def test_a(self, own, db):
        pass
`,
  "test_broken.py": "import nothing_of_this_name\n",
};

async function withProject(
  python: string,
  run: (context: UseCaseContext) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(root, "sub"));
  for (const [name, text] of Object.entries(FILES)) {
    await Deno.writeTextFile(join(root, name), text);
  }
  {
    await using runner = createPytestRunner({ root, python });
    const files = openProjectFiles(root);
    const { signal } = new AbortController();
    await run({ runner, files, settings: DEFAULT_SETTINGS, signal });
  }
  await Deno.remove(root, { recursive: true });
}

function ok<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result;
}

for (const name of chosenEnvironments()) {
  Deno.test(`inspectEnvironment(), inspectMarkers() and inspectFixtures() ask pytest in ${name}`, async () => {
    const { python } = await environment(name);
    await withProject(python, async (context) => {
      const found = ok(await inspectEnvironment(context));
      assert.equal(found.executable, python);
      assert.match(found.reason, /--python/);
      assert.match(found.pytest, /^\d+\.\d+/);
      assert.match(found.python, /^3\.\d+\.\d+/);
      assert.equal(found.rootdir, context.files.root);
      assert.equal(found.inifile, join(context.files.root, "pytest.ini"));
      assert.equal(found.plugins.length > 0, name === "rich");

      const { markers } = ok(await inspectMarkers(context));
      const described = new Map(markers.map((marker) => [marker.name, marker.description]));
      assert.equal(described.get("slow"), "takes long");
      assert.equal(described.get("needs(thing)"), "wants: a thing");
      assert.equal(described.get("from_conftest"), "said late");
      assert.ok(described.has("parametrize(argnames, argvalues)"));

      const { fixtures, collection_errors } = ok(await inspectFixtures(context));
      assert.deepEqual(collection_errors, [{
        file: "test_broken.py",
        error_type: "ModuleNotFoundError",
        message: "No module named 'nothing_of_this_name'",
        line: 1,
      }]);
      assert.deepEqual(
        fixtures.slice(0, 4), // the project's own come first
        [
          {
            name: "always",
            scope: "function",
            autouse: true,
            file: "conftest.py",
            line: 13,
            visible_in: "",
            doc: null,
          },
          {
            name: "db",
            scope: "session",
            autouse: false,
            file: "conftest.py",
            line: 6,
            visible_in: "",
            doc: "A database.\n\nWith more to say.",
          },
          {
            name: "db",
            scope: "function",
            autouse: false,
            file: "sub/conftest.py",
            line: 3,
            visible_in: "sub",
            doc: null,
          },
          {
            name: "own",
            scope: "function",
            autouse: false,
            file: "sub/test_a.py",
            line: 4,
            visible_in: "sub/test_a.py::TestA",
            doc: "Only here.",
          },
        ],
      );
      const tmpPath = fixtures.find((fixture) => fixture.name === "tmp_path");
      assert.equal(tmpPath?.file, "_pytest/tmpdir.py");
    });
  });
}
