/**
 * What pytest adds: fixtures, conftest files, plugins, classes; and changes that are no ordinary edits.
 *
 * @module
 */
import type { RelatedCase } from "./related_cases.ts";

const CORE = "def run():\n    return 1\n\ndef other():\n    return 2\n";
const FIXTURE =
  "import pytest\nfrom core import run\n@pytest.fixture\ndef thing():\n    return run()\n";
const TESTS = "def test_a(thing):\n    pass\ndef test_b():\n    pass\n";

const OVERRIDE =
  "import pytest\nfrom core import run\n@pytest.fixture\ndef v():\n    return run()\n";

/** Fixtures, conftest files, plugins, test classes. */
export const PYTEST_CASES: readonly RelatedCase[] = [
  {
    name: "a fixture of a conftest, by argument name",
    files: { "core.py": CORE, "tests/conftest.py": FIXTURE, "tests/test_it.py": TESTS },
    changed: ["core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a fixture under another name",
    files: {
      "core.py": CORE,
      "tests/conftest.py":
        "import pytest\nfrom core import run\n@pytest.fixture(name='thing')\ndef make_thing():\n    return run()\n",
      "tests/test_it.py": TESTS,
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a fixture that extends the one of the same name above it",
    files: {
      "core.py": CORE,
      "tests/conftest.py": FIXTURE,
      "tests/sub/conftest.py":
        "import pytest\n@pytest.fixture\ndef thing(thing):\n    return thing\n",
      "tests/sub/test_it.py": TESTS,
    },
    changed: ["core.py"],
    selected: ["tests/sub/test_it.py::test_a"],
  },
  {
    name: "a fixture that hides the one above it",
    files: {
      "core.py": CORE,
      "tests/conftest.py": FIXTURE,
      "tests/test_it.py": "import pytest\n@pytest.fixture\ndef thing():\n    return 1\n" + TESTS,
    },
    changed: ["core.py"],
    selected: [],
  },
  {
    name: "a fixture that takes the place of one that a fixture above it uses",
    files: {
      "core.py": CORE,
      "tests/conftest.py": "import pytest\n@pytest.fixture\ndef v():\n    return 1\n" +
        "@pytest.fixture\ndef w(v):\n    return v\n",
      "tests/sub/conftest.py": OVERRIDE,
      "tests/sub/test_below.py": "def test_a(w):\n    pass\ndef test_b():\n    pass\n",
      "tests/test_it.py": OVERRIDE + "def test_a(w):\n    pass\ndef test_b():\n    pass\n",
    },
    changed: { "core.py": [[2, 2]] },
    selected: ["tests/sub/test_below.py::test_a", "tests/test_it.py::test_a"],
  },
  {
    name: "the settings module of Django",
    files: {
      "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = site.settings\n",
      "site/settings.py": "ROOT_URLCONF = 'site.urls'\n",
      "site/urls.py": "from site.views import index\nurlpatterns = [index]\n",
      "site/views.py": "def index():\n    return 1\n",
      "tests/test_it.py": "def test_a(client):\n    client.get('/')\n",
    },
    changed: ["site/views.py"],
    selected: ["tests/test_it.py"],
  },
  {
    name: "plugins that a conftest finds in a folder",
    files: {
      "core.py": CORE,
      "conftest.py": "from glob import glob\npytest_plugins = [\n" +
        "    f.replace('/', '.')[:-3] for f in glob('tests/fixtures/[!_]*.py')\n]\n",
      "tests/fixtures/db.py": "import pytest\nfrom core import run\n" +
        "@pytest.fixture(autouse=True)\ndef v():\n    return run()\n",
      "tests/test_it.py": "def test_a():\n    pass\n",
    },
    changed: { "core.py": [[2, 2]] },
    selected: ["tests/test_it.py"],
  },
  {
    name: "fixtures named by usefixtures and getfixturevalue",
    files: {
      "core.py": CORE,
      "tests/conftest.py": FIXTURE,
      "tests/test_it.py":
        "import pytest\n@pytest.mark.usefixtures('thing')\ndef test_a():\n    pass\ndef test_b():\n    pass\ndef test_c(request):\n    request.getfixturevalue('thing')\n",
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py::test_a", "tests/test_it.py::test_c"],
  },
  {
    name: "usefixtures in the configuration",
    files: {
      "pytest.ini": "[pytest]\nusefixtures = thing\n",
      "core.py": CORE,
      "tests/conftest.py": FIXTURE,
      "tests/test_it.py": TESTS,
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py"],
  },
  {
    name: "an autouse fixture, for the tests below its conftest only",
    files: {
      "core.py": CORE,
      "tests/x/conftest.py": FIXTURE.replace("fixture", "fixture(autouse=True)"),
      "tests/x/test_it.py": TESTS,
      "tests/y/test_other.py": "def test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["tests/x/test_it.py"],
  },
  {
    name: "an autouse fixture that a conftest imports",
    files: {
      "core.py": CORE,
      "tests/fixtures.py": FIXTURE.replace("fixture", "fixture(autouse=True)"),
      "tests/conftest.py": "from fixtures import *\n",
      "tests/test_it.py": TESTS,
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py"],
  },
  {
    name: "pytest_plugins",
    files: {
      "core.py": CORE,
      "conftest.py": "pytest_plugins = ['tests.plug']\n",
      "tests/plug.py": FIXTURE.replace("fixture", "fixture(autouse=True)"),
      "tests/test_it.py": TESTS,
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py"],
  },
  {
    name: "a hook in a conftest",
    files: {
      "core.py": CORE,
      "tests/x/conftest.py": "from core import run\ndef pytest_runtest_setup(item):\n    run()\n",
      "tests/x/test_it.py": TESTS,
      "tests/y/test_other.py": "def test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["tests/x/test_it.py"],
  },
  {
    name: "one method of a test class",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from core import run\nclass TestIt:\n    def test_a(self):\n        run()\n    def test_b(self):\n        pass\ndef test_c():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::TestIt::test_a"],
  },
  {
    name: "setup of a test class",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from core import run\nclass TestIt:\n    def setup_method(self):\n        run()\n    def test_a(self):\n        pass\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::TestIt"],
  },
  {
    name: "tests that a class inherits from another file",
    files: {
      "core.py": CORE,
      "tests/shared.py":
        "from core import run\nclass Shared:\n    def test_a(self):\n        run()\n",
      "tests/test_it.py":
        "from shared import Shared\nclass TestIt(Shared):\n    def test_x(self):\n        pass\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py::TestIt"],
  },
  {
    name: "tests in a nested class",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from core import run\nclass TestOuter:\n    class TestInner:\n        def test_a(self):\n            run()\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::TestOuter"],
  },
  {
    name: "a parameter list",
    files: {
      "core.py": CORE,
      "test_it.py":
        "import pytest\nfrom core import run\n@pytest.mark.parametrize('x', [run()])\ndef test_a(x):\n    pass\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a test file of another name, as the request says",
    files: {
      "core.py": CORE,
      "checks/check_it.py":
        "from core import run\ndef check_a():\n    run()\ndef check_b():\n    pass\n",
      "checks/test_old.py": "from core import run\ndef test_a():\n    run()\n",
    },
    changed: ["core.py"],
    options: { test_files: ["check_*.py"], test_functions: ["check"] },
    selected: ["checks/check_it.py::check_a"],
  },
  {
    name: "examples in docstrings, when the configuration runs them",
    files: {
      "pytest.ini": "[pytest]\naddopts = --doctest-modules\n",
      "core.py": CORE,
      "api.py":
        'import core\ndef go():\n    """Goes.\n\n    >>> core.run()\n    1\n    """\ndef stay():\n    """Stays."""\n',
      "quiet.py": 'def rest():\n    """Rests.\n\n    >>> rest()\n    """\n',
    },
    changed: { "core.py": [[2, 2]] },
    selected: ["api.py"],
  },
  {
    name: "examples in docstrings, when nothing runs them",
    files: {
      "core.py": CORE,
      "api.py": 'import core\ndef go():\n    """>>> core.run()"""\n',
    },
    changed: ["core.py"],
    selected: [],
  },
  {
    name: "examples in a document that pytest collects",
    files: {
      "core.py": CORE,
      "docs/test_it.txt": "Text\n\n>>> import core\n>>> for x in 1, 2:\n...     core.run()\n1\n1\n",
      "docs/test_other.txt": ">>> import core\n>>> core.other()\n",
      "docs/guide.txt": ">>> import core\n>>> core.run()\n",
    },
    changed: { "core.py": [[2, 2]] },
    selected: ["docs/test_it.txt"],
  },
  {
    name: "test files outside the test paths",
    files: {
      "core.py": CORE,
      "tests/test_it.py": "from core import run\ndef test_a():\n    run()\n",
      "examples/test_it.py": "from core import run\ndef test_a():\n    run()\n",
    },
    changed: ["core.py"],
    options: { test_paths: ["tests"] },
    selected: ["tests/test_it.py"],
  },
];

const TWO_FILES = {
  "core.py": CORE,
  "tests/test_it.py": "from core import run\ndef test_a():\n    run()\ndef test_b():\n    pass\n",
  "tests/test_other.py": "def test_c():\n    pass\n",
};

/** Nobody uses a name of core. */
const LOST = {
  "core.py": "def other():\n    return 1\n",
  "user.py": "import core\ndef use():\n    return 1\n",
  "tests/test_it.py": "from user import use\ndef test_a():\n    use()\n",
  "tests/test_other.py": "def test_b():\n    pass\n",
};

/** Kinds of change. */
export const CHANGE_CASES: readonly RelatedCase[] = [
  {
    name: "a test file",
    files: TWO_FILES,
    changed: ["tests/test_it.py"],
    selected: ["tests/test_it.py"],
  },
  {
    name: "the lines of one test",
    files: TWO_FILES,
    changed: { "tests/test_it.py": [[5, 5]] },
    selected: ["tests/test_it.py::test_b"],
  },
  {
    name: "a blank line, a function and a blank line",
    files: TWO_FILES,
    changed: { "core.py": [[3, 5]] },
    selected: [],
  },
  {
    name: "a comment between functions: nobody",
    files: { ...TWO_FILES, "core.py": CORE.replace("\n\n", "\n# why\n") },
    changed: { "core.py": [[3, 3]] },
    selected: [],
  },
  {
    name: "a line of a text that looks like a comment",
    files: { ...TWO_FILES, "core.py": 'def run():\n    return """\n# title\n"""\n' },
    changed: { "core.py": [[3, 3]] },
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a deletion inside a function",
    files: TWO_FILES,
    changed: { "core.py": [[2, 1]] },
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a deletion between functions: anything may be gone",
    files: TWO_FILES,
    changed: { "core.py": [[4, 3]] },
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a deleted module: whatever imports it",
    files: {
      "tests/test_it.py": "def test_a():\n    import core\ndef test_b():\n    pass\n",
      "tests/test_top.py": "from core import run\ndef test_c():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["tests/test_it.py::test_a", "tests/test_top.py"],
  },
  {
    name: "a name that a module no longer has",
    files: { ...TWO_FILES, "core.py": "def other():\n    pass\n" },
    changed: ["core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "lines that took the place of a name: who still asks for it",
    files: {
      "core.py": "def one():\n    pass\ndef renamed():\n    pass\n",
      "test_it.py": "import core\nfrom core import one\ndef test_a():\n    one()\n" +
        "def test_b():\n    core.two()\n",
    },
    changed: { "core.py": [[3, 3]] },
    selected: ["test_it.py::test_b"],
  },
  {
    name: "a method that lost its name: who uses the class",
    files: {
      "core.py":
        "class A:\n    def one(self):\n        pass\n    def renamed(self):\n        pass\n",
      "test_it.py": "from core import A\ndef test_a():\n    A().two()\n" +
        "def test_b():\n    A().renamed()\ndef test_c():\n    pass\n",
    },
    changed: { "core.py": [[4, 4], [4, 3]] },
    selected: ["test_it.py::test_a", "test_it.py::test_b"],
  },
  {
    name: "a list of names for star imports: who uses one that is no longer in it",
    files: {
      "core.py": "__all__ = [\n    'one',\n]\ndef one():\n    pass\ndef two():\n    pass\n",
      "mid.py": "from core import *\ndef run():\n    two()\n",
      "test_it.py": "import mid\ndef test_a():\n    mid.run()\ndef test_b():\n    pass\n",
    },
    changed: { "core.py": [[3, 2]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a module that lost a statement: whatever imports it",
    files: LOST,
    changed: ["core.py"],
    options: { lost: { "core.py": [""] } },
    selected: ["tests/test_it.py"],
  },
  {
    name: "a module that lost the import of another: whatever imports it",
    files: { ...LOST, "pkg/__init__.py": "", "pkg/plug.py": "" },
    changed: ["core.py"],
    options: { lost: { "core.py": ["pkg.plug"] } },
    selected: ["tests/test_it.py"],
  },
  {
    name: "a module that lost an import from elsewhere, or of a name: who uses it",
    files: LOST,
    changed: ["core.py"],
    options: { lost: { "core.py": ["json", "user.use"] } },
    selected: [],
  },
  {
    name: "a module that does not parse: whatever imports it",
    files: { ...TWO_FILES, "core.py": "def run(:\n" },
    changed: { "core.py": [[1, 1]] },
    selected: ["tests/test_it.py"],
  },
  {
    name: "a module below one that does not parse",
    files: {
      "core.py": CORE,
      "middle.py": "from core import run\ndef broken(:\n",
      "test_it.py": "def test_a():\n    import middle\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a deleted test file",
    files: TWO_FILES,
    changed: ["tests/test_gone.py"],
    selected: [],
  },
  {
    name: "a conftest below the root: every test beside and below it",
    files: {
      ...TWO_FILES,
      "tests/x/conftest.py": "",
      "tests/x/test_it.py": "def test_a():\n    pass\n",
    },
    changed: ["tests/x/conftest.py"],
    selected: ["tests/x/test_it.py"],
  },
  {
    name: "the lines of a fixture in a conftest",
    files: {
      "core.py": CORE,
      "tests/conftest.py": FIXTURE + "@pytest.fixture\ndef more():\n    return 1\n",
      "tests/test_it.py": TESTS,
    },
    changed: { "tests/conftest.py": [[5, 5]] },
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a data file that code names",
    files: {
      ...TWO_FILES,
      "data/users.json": "{}",
      "core.py": "def run():\n    return open('data/users.json')\ndef other():\n    return 2\n",
    },
    changed: ["data/users.json"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a data file whose folder or pattern code names",
    files: {
      ...TWO_FILES,
      "data/users.json": "{}",
      "tests/test_other.py":
        "def test_c(path):\n    path.glob('*.json')\ndef test_d():\n    pass\n",
    },
    changed: ["data/users.json"],
    selected: ["tests/test_other.py::test_c"],
  },
  {
    name: "a data file that some code names and other code finds in its folder",
    files: {
      "data/users.json": "{}",
      "docs/conf.py": "x = 'see users.json'\n",
      "core.py": "import pathlib\nDATA = pathlib.Path('data')\n" +
        "def load():\n    return [each.read_text() for each in DATA.iterdir()]\n",
      "pages.py": "def render(name):\n    return open(f'data/{name}.json')\n",
      "other.py": "def other():\n    return 'data'\n",
      "test_it.py": "from core import load\nfrom pages import render\nfrom other import other\n" +
        "def test_a():\n    load()\ndef test_b():\n    other()\ndef test_c():\n    render('x')\n",
    },
    changed: ["data/users.json"],
    selected: ["test_it.py::test_a", "test_it.py::test_c"],
  },
  {
    name: "a document that code finds by its ending",
    files: {
      "README.md": "",
      "test_it.py": "import pathlib\ndef test_a():\n" +
        "    [each for each in pathlib.Path('.').iterdir() if each.suffix == '.md']\n" +
        "def test_b():\n    assert '.md'\n",
    },
    changed: ["README.md"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "files that only tools and people read",
    files: { ...TWO_FILES, ".github/workflows/ci.yml": "", "docs/usage.md": "", "pkg/LICENSE": "" },
    changed: [".github/workflows/ci.yml", "docs/usage.md", "pkg/LICENSE", ".gitignore"],
    selected: [],
  },
  {
    name: "a document that no code names",
    files: { ...TWO_FILES, "README.md": "# Title\n" },
    changed: ["README.md"],
    selected: [],
  },
  {
    name: "a stub: the module that it describes",
    files: { ...TWO_FILES, "core.pyi": "def run() -> int: ...\n" },
    changed: ["core.pyi"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a document with examples that pytest runs",
    files: {
      ...TWO_FILES,
      "pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n",
      "README.md": ">>> 1\n1\n",
    },
    changed: ["README.md"],
    selected: ["README.md"],
  },
  {
    name: "a folder: the Python files in it",
    files: {
      ...TWO_FILES,
      "lib/pkg/core.py": CORE,
      "tests/test_other.py": "def test_c():\n    from pkg.core import run\n",
    },
    changed: ["lib"],
    selected: ["tests/test_other.py"],
  },
  {
    name: "a path outside the root",
    files: TWO_FILES,
    changed: ["../elsewhere.py"],
    selected: [],
  },
];

/** Changes after which every test can be affected, and why. */
export const EVERYTHING_CASES: readonly { changed: string; why: string }[] = [
  { changed: "pytest.ini", why: "pytest.ini configures the whole run" },
  { changed: "pyproject.toml", why: "pyproject.toml configures the whole run" },
  { changed: "setup.cfg", why: "setup.cfg configures the whole run" },
  { changed: "tox.ini", why: "tox.ini configures the whole run" },
  { changed: "conftest.py", why: "conftest.py at the root belongs to every test" },
  {
    changed: "requirements-dev.txt",
    why: "requirements-dev.txt decides which packages are installed",
  },
  {
    changed: ".env",
    why: ".env is not Python and no code names it, so any test could read it",
  },
  {
    changed: "app/prompts/hello.md",
    why: "app/prompts/hello.md is not Python and no code names it, so any test could read it",
  },
  {
    changed: "data/unknown.bin",
    why: "data/unknown.bin is not Python and no code names it, so any test could read it",
  },
  {
    changed: "shop/migrations/0001_first.py",
    why: "shop/migrations/0001_first.py is a migration: any test with a database can run it",
  },
];
