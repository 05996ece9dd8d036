/**
 * What other packages, settings and data do with the code of a project without importing it by its name.
 *
 * @module
 */
import type { RelatedCase } from "./related_cases.ts";

const CORE = "def run():\n    return 1\n";
const RUN_LINES: [number, number][] = [[2, 2]];
const TEST_B = "def test_b():\n    pass\n";

/** A fixture that a test asks for by the name `thing_x`. */
const THING = "import pytest\nfrom core import run\n@pytest.fixture\ndef thing_x():\n    run()\n";

const ENTRY_POINT = {
  "pkg/__init__.py": "from importlib.metadata import entry_points\n" +
    "def load():\n    return [each.load() for each in entry_points(group='pkg.plugins')]\n",
  "pkg/plugin.py": CORE,
  "test_it.py": "import pkg\ndef test_a():\n    pkg.load()\n" + TEST_B,
};

/** Signals, plugins, settings, templates. */
export const FRAMEWORK_CASES: readonly RelatedCase[] = [
  {
    name: "a function that a decorator of another package keeps",
    files: {
      "core.py": CORE,
      "signals.py": "from django.dispatch import receiver\nimport core\n" +
        "@receiver('saved')\ndef on_saved():\n    core.run()\n",
      "app.py": "import signals\nimport functools\n" +
        "@functools.lru_cache\ndef cached():\n    return 1\ndef go():\n    pass\n",
      "test_it.py": "from app import go\ndef test_a():\n    go()\n",
      "test_other.py": TEST_B,
    },
    changed: { "core.py": RUN_LINES, "app.py": [[5, 5]] },
    selected: ["test_it.py"],
  },
  {
    name: "a decorated function that nobody keeps",
    files: {
      "app.py": "import functools\n@functools.lru_cache\ndef cached():\n    return 1\n" +
        "def go():\n    pass\n",
      "test_it.py": "import app\ndef test_a():\n    app.cached()\ndef test_b():\n    app.go()\n",
    },
    changed: { "app.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "the steps of a scenario in a conftest",
    files: {
      "core.py": CORE,
      "tests/conftest.py": "from pytest_bdd import given\nimport core\n" +
        "@given('something')\ndef something():\n    core.run()\n",
      "tests/test_it.py": "from pytest_bdd import scenarios\nscenarios('x.feature')\n",
      "test_other.py": TEST_B,
    },
    changed: { "core.py": RUN_LINES },
    selected: ["tests/test_it.py"],
  },
  {
    name: "a plugin that is loaded by the group in pyproject.toml",
    files: {
      ...ENTRY_POINT,
      "pyproject.toml": "[project.entry-points.'pkg.plugins']\none = 'pkg.plugin:run'\n",
    },
    changed: { "pkg/plugin.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a plugin that is loaded by the group in setup.cfg",
    files: {
      ...ENTRY_POINT,
      "setup.cfg": "[options.entry_points]\npkg.plugins =\n    one = pkg.plugin:run\n",
    },
    changed: { "pkg/plugin.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a plugin of pytest, in the tests that run pytest",
    files: {
      "pyproject.toml": "[project.entry-points.pytest11]\nmine = 'plugin'\n",
      "core.py": CORE,
      "plugin.py": "import pytest\nimport core\n@pytest.fixture\ndef mine():\n    core.run()\n",
      "test_it.py": "def test_a(pytester):\n    pytester.runpytest()\n" + TEST_B,
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "what Django loads of an app, and a model by its label",
    files: {
      "pytest.ini": "[pytest]\nDJANGO_SETTINGS_MODULE = site_settings\n",
      "site_settings.py": "INSTALLED_APPS = ['shop']\n",
      "shop/__init__.py": "",
      "shop/apps.py": "class Shop:\n    def ready(self):\n        return 1\n",
      "shop/models.py": "class Order:\n    def total(self):\n        return 1\n",
      "test_it.py": "def test_a():\n    get('shop.Order').total()\n" + TEST_B,
    },
    changed: { "shop/models.py": [[3, 3]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "tags for templates and commands of an app of Django, and the addresses of a test file",
    files: {
      "core.py": CORE,
      "conftest.py": "def pytest_configure():\n" +
        "    settings.configure(INSTALLED_APPS=['django.contrib.auth', 'shop'])\n",
      "shop/__init__.py": "",
      "shop/templatetags/shop_tags.py": "def tag():\n    return 1\n",
      "shop/management/commands/sell.py": CORE,
      "test_command.py": "from django.core.management import call_command\n" +
        "def test_a():\n    call_command('sell')\n" + TEST_B,
      "test_it.py": "import core\nurlpatterns = [core.run]\ndef test_a(client):\n    pass\n",
    },
    changed: { "shop/management/commands/sell.py": RUN_LINES, "core.py": RUN_LINES },
    selected: ["test_command.py::test_a", "test_it.py"],
  },
  {
    name: "a tag for templates: every test may render one",
    files: {
      "conftest.py": "def pytest_configure():\n" +
        "    settings.configure(INSTALLED_APPS=['django.contrib.auth', 'shop'])\n",
      "shop/__init__.py": "",
      "shop/templatetags/shop_tags.py": "def tag():\n    return 1\n",
      "test_it.py": TEST_B,
    },
    changed: { "shop/templatetags/shop_tags.py": [[2, 2]] },
    selected: ["test_it.py"],
  },
  {
    name: "a class that a mapper finds by its name",
    files: {
      "post.py": "class Post:\n    size = 1\n",
      "user.py": "from sqlalchemy.orm import relationship\nclass User:\n" +
        "    posts = relationship('Post')\n    name = 'Post'\n",
      "test_it.py": "import user\ndef test_a():\n    user.User()\n" + TEST_B,
    },
    changed: { "post.py": [[2, 2]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a class within an annotation in quotes",
    files: {
      "core.py": "class Outer:\n    inner: 'list[Inner]'\nclass Inner:\n    size = 1\n",
      "test_it.py": "from core import Outer\ndef test_a():\n    Outer()\n" + TEST_B,
    },
    changed: { "core.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "siblings that a package imports by names it makes",
    files: {
      "pkg/__init__.py": "import importlib\ndef load(name):\n" +
        "    return importlib.import_module('.' + name, __package__)\n",
      "pkg/core.py": CORE,
      "test_it.py": "import pkg\ndef test_a():\n    pkg.load('core').run()\n" + TEST_B,
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "names of a module that puts another object into its place",
    files: {
      "pkg/__init__.py": "import sys\nfrom lazy import Lazy\nsys.modules[__name__] = Lazy()\n",
      "pkg/core.py": CORE,
      "test_it.py": "import pkg\ndef test_a():\n    pkg.run()\n" + TEST_B,
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a file that is run by its path",
    files: {
      "scripts/tool.py": CORE,
      "test_it.py": "import importlib.util, pathlib\nFOLDER = pathlib.Path('scripts')\n" +
        "def load(name):\n" +
        "    return importlib.util.spec_from_file_location(name, FOLDER / (name + '.py'))\n" +
        "def test_a():\n    load('tool')\n" + TEST_B,
    },
    changed: { "scripts/tool.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "source in a string that is evaluated",
    files: {
      "core.py": CORE,
      "test_it.py": "from core import run\ndef test_a():\n    eval('run()')\n" + TEST_B,
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "fixtures by names that a test completes",
    files: {
      "core.py": CORE,
      "conftest.py": THING,
      "test_it.py":
        "def test_a(request):\n    request.getfixturevalue(f'thing_{1}')\ndef test_b():\n    'thing_'\n",
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a fixture that is made by a call, under another name",
    files: {
      "conftest.py":
        "import pytest\nfrom core import run\nmade = pytest.fixture(name='mine')(run)\n",
      "core.py": CORE,
      "test_it.py": "def test_a(mine):\n    pass\n" + TEST_B,
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a statement of the package that a test file is in",
    files: {
      "tests/__init__.py": "import os\nos.environ['A'] = '1'\n",
      "tests/unit/__init__.py": "",
      "tests/unit/test_it.py": "def test_a():\n    pass\n",
      "test_other.py": TEST_B,
    },
    changed: { "tests/__init__.py": [[2, 2]] },
    selected: ["tests/unit/test_it.py"],
  },
  {
    name: "a method that only templates name",
    files: {
      "core.py": "class Page:\n    def title(self):\n        return 1\n" +
        "    def other(self):\n        return 2\n",
      "templates/page.html": "<h1>{{ page.title }}</h1>",
      "test_it.py": "import core\ndef test_a():\n    render('page.html', core.Page())\n" + TEST_B +
        "def test_c(x):\n    x.title()\n    x.other()\n",
    },
    changed: { "core.py": [[3, 3]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a property of which getattr takes a part",
    files: {
      "core.py": "class Page:\n    @property\n    def top(self):\n        return 1\n" +
        "    def is_free(self):\n        return getattr(self.top, 'free', 0)\n",
      "test_it.py": "import core\ndef test_a():\n    core.Page().is_free()\n" + TEST_B,
    },
    changed: { "core.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a template that another template takes in",
    files: {
      "templates/base.html": "",
      "templates/page.html": "{% extends 'base.html' %}",
      "views.py": "def page():\n    return render('page.html')\n" +
        "def base():\n    return render('base.html')\n",
      "test_it.py": "from views import page, base\ndef test_a():\n    page()\n" +
        "def test_base():\n    base()\n" + TEST_B,
    },
    changed: ["templates/base.html"],
    selected: ["test_it.py::test_a", "test_it.py::test_base"],
  },
  {
    name: "a Python file that code finds as it finds data",
    files: {
      "data/sample.py": "x = 1\n",
      "test_it.py": "import pathlib\nDATA = pathlib.Path('data')\n" +
        "def test_a():\n    [*DATA.glob('*.py')]\n" + TEST_B,
    },
    changed: { "data/sample.py": [[1, 1]] },
    selected: ["test_it.py::test_a"],
  },
];
