/**
 * Small projects, a change in each, and the tests that it selects.
 * `test_b` never depends on the change: it shows that a case selects no more than it must.
 *
 * @module
 */

/** What the Python side is asked about a project made of these files. */
export interface RelatedCase {
  readonly name: string;
  /** path → content */
  readonly files: Readonly<Record<string, string>>;
  /** paths of whole files, or line ranges by path */
  readonly changed: readonly string[] | Readonly<Record<string, [number, number][] | null>>;
  /** further fields of the request */
  readonly options?: Readonly<Record<string, unknown>>;
  /** a path for a whole file, `path::name` for a test in it */
  readonly selected: readonly string[];
}

const CORE = "def run():\n    return 1\n\ndef other():\n    return 2\n";
const TWO_TESTS = "\ndef test_a():\n    assert run()\n\ndef test_b():\n    assert True\n";
const RUN_LINES: [number, number][] = [[2, 2]];

const SCRIPT = {
  "src/pkg/info.py": "def name():\n    return 'my-tool'\n",
  "src/pkg/__init__.py": "",
  "src/pkg/core.py": "def run():\n    return 1\n",
  "src/pkg/cli.py": "from pkg.core import run\ndef main():\n    run()\n",
  "tests/test_it.py": "import subprocess\ndef test_a():\n    subprocess.run(['my-tool', '-v'])\n" +
    "def test_b():\n    from pkg.info import name\n    name()\n" +
    "def test_shell():\n    subprocess.run('my-tool -v', shell=True)\n",
};

/** Names, imports and layouts. */
export const IMPORT_CASES: readonly RelatedCase[] = [
  {
    name: "a name imported from a module in the root",
    files: { "core.py": CORE, "test_it.py": "from core import run\n" + TWO_TESTS },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a src layout",
    files: {
      "src/pkg/__init__.py": "",
      "src/pkg/core.py": CORE,
      "tests/test_it.py": "from pkg.core import run\n" + TWO_TESTS,
    },
    changed: ["src/pkg/core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a package in the middle of a monorepo, without __init__.py above it",
    files: {
      "services/api/lib/pkg/__init__.py": "",
      "services/api/lib/pkg/core.py": CORE,
      "services/api/tests/test_it.py": "from pkg.core import run\n" + TWO_TESTS,
    },
    changed: ["services/api/lib/pkg/core.py"],
    selected: ["services/api/tests/test_it.py::test_a"],
  },
  {
    name: "a namespace package",
    files: {
      "src/company/tools/core.py": CORE,
      "tests/test_it.py": "from company.tools.core import run\n" + TWO_TESTS,
    },
    changed: ["src/company/tools/core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a folder from pythonpath in the configuration, a package itself",
    files: {
      "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["app"]\n',
      "app/__init__.py": "",
      "app/core.py": CORE,
      "tests/test_it.py": "from core import run\n" + TWO_TESTS,
    },
    changed: ["app/core.py"],
    selected: ["tests/test_it.py::test_a"],
  },
  {
    name: "a module name that two folders have, the nearer one",
    files: {
      "one/helper.py": CORE,
      "one/test_it.py": "from helper import run\n" + TWO_TESTS,
      "two/helper.py": CORE,
      "two/test_other.py": "from helper import run\n" + TWO_TESTS,
    },
    changed: ["one/helper.py"],
    selected: ["one/test_it.py::test_a"],
  },
  {
    name: "a re-export in __init__.py",
    files: {
      "pkg/__init__.py": "from .core import run as go, other\n",
      "pkg/core.py": CORE,
      "test_it.py": "import pkg\ndef test_a():\n    pkg.go()\ndef test_b():\n    pkg.other()\n",
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "the line of a re-export",
    files: {
      "pkg/__init__.py": "from .core import run\nfrom .core import other\n",
      "pkg/core.py": CORE,
      "test_it.py": "import pkg\ndef test_a():\n    pkg.run()\ndef test_b():\n    pkg.other()\n",
    },
    changed: { "pkg/__init__.py": [[1, 1]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "star imports, one behind the other",
    files: {
      "pkg/__init__.py": "from .middle import *\n",
      "pkg/middle.py": "from .core import *\n",
      "pkg/core.py": CORE,
      "test_it.py": "from pkg import *\n" + TWO_TESTS,
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "star imports in a circle",
    files: {
      "pkg/__init__.py": "from .x import *\n",
      "pkg/x.py": "from .y import *\nfrom .core import *\n",
      "pkg/y.py": "from .x import *\n",
      "pkg/core.py": CORE,
      "test_it.py": "from pkg.y import run\n" + TWO_TESTS,
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a submodule that a star import brings as an attribute",
    files: {
      "pkg/__init__.py": "from pkg.sub import *\n",
      "pkg/sub/__init__.py": "from pkg.sub.core import *\n",
      "pkg/sub/core.py": CORE,
      "test_it.py":
        "import pkg\ndef test_a():\n    pkg.core.run()\ndef test_b():\n    pkg.core.other()\n",
    },
    changed: { "pkg/sub/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "attribute chains through packages",
    files: {
      "pkg/__init__.py": "",
      "pkg/sub/__init__.py": "",
      "pkg/sub/core.py": CORE,
      "test_it.py":
        "import pkg.sub.core\ndef test_a():\n    pkg.sub.core.run()\ndef test_b():\n    pkg.sub.core.other()\n",
    },
    changed: { "pkg/sub/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "relative imports from a parent",
    files: {
      "pkg/__init__.py": "",
      "pkg/core.py": CORE,
      "pkg/deep/__init__.py": "",
      "pkg/deep/user.py": "from ..core import run\nfrom .. import core\ndef use():\n    run()\n",
      "test_it.py": "from pkg.deep.user import use as run\n" + TWO_TESTS,
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "imports inside functions, the same name in each",
    files: {
      "one.py": CORE,
      "two.py": CORE,
      "test_it.py":
        "def test_a():\n    from one import run\n    run()\ndef test_b():\n    import two as one\n    one.run()\n",
    },
    changed: ["one.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a local variable that hides an imported name",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from core import run\ndef test_a():\n    run()\ndef test_b(run=None):\n    assert run is None\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a comprehension variable that hides nothing",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from core import run\ndef test_a():\n    [run for run in ()]\n    run()\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "either branch of an import with a fallback",
    files: {
      "fast.py": CORE,
      "slow.py": CORE,
      "test_it.py":
        "try:\n    from fast import run\nexcept ImportError:\n    from slow import run\n" +
        TWO_TESTS,
    },
    changed: ["slow.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a module with __getattr__, and a lazy submodule behind it",
    files: {
      "pkg/__init__.py":
        "import importlib\ndef __getattr__(name):\n    return getattr(importlib.import_module('.core', __name__), name)\n",
      "pkg/core.py": CORE,
      "test_it.py": "import pkg\ndef test_a():\n    pkg.run()\ndef test_b():\n    pass\n",
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a module held as an object",
    files: {
      "core.py": CORE,
      "test_it.py": "import core\ndef test_a():\n    vars(core)\ndef test_b():\n    core.other()\n",
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a name that only type checkers import",
    files: {
      "core.py": CORE,
      "test_it.py":
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from core import run\ndef test_a(x: 'run' = 1):\n    pass\n",
    },
    changed: ["core.py"],
    selected: [],
  },
];

/** Strings, registries, classes and statements. */
export const SYMBOL_CASES: readonly RelatedCase[] = [
  {
    name: "a string for mock.patch",
    files: {
      "pkg/__init__.py": "",
      "pkg/core.py": CORE,
      "test_it.py":
        "from unittest import mock\ndef test_a():\n    with mock.patch('pkg.core.run'):\n        pass\ndef test_b():\n    with mock.patch('pkg.core.other'):\n        pass\n",
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "importlib.import_module with a literal and with the beginning of a name",
    files: {
      "pkg/__init__.py": "",
      "pkg/core.py": CORE,
      "test_it.py":
        "import importlib\ndef test_a():\n    importlib.import_module('pkg.core').run()\ndef test_b():\n    pass\ndef test_c(name='core'):\n    importlib.import_module(f'pkg.{name}')\n",
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a", "test_it.py::test_c"],
  },
  {
    name: "getattr, monkeypatch.setattr and patch.object with a literal",
    files: {
      "core.py": CORE,
      "test_it.py":
        "import core\ndef test_a():\n    getattr(core, 'run')\ndef test_b():\n    getattr(core, 'other')\ndef test_c(monkeypatch):\n    monkeypatch.setattr(core, 'run', 1)\n",
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a", "test_it.py::test_c"],
  },
  {
    name: "a program started with python -m",
    files: {
      "pkg/__init__.py": "",
      "pkg/__main__.py": "from pkg.core import run\nrun()\n",
      "pkg/core.py": CORE,
      "test_it.py":
        "import subprocess, sys\ndef test_a():\n    subprocess.run([sys.executable, '-m', 'pkg'])\ndef test_b():\n    pass\n",
    },
    changed: ["pkg/core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "source code in a string",
    files: {
      "core.py": CORE,
      "test_it.py":
        "def test_a(tmp_path):\n    (tmp_path / 'x.py').write_text('''\nfrom core import run\nrun()\n''')\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "names that are filled into source code later",
    files: {
      "core.py": CORE,
      "test_it.py":
        "def test_a(names):\n    exec(f'from core import {names}')\ndef test_b():\n    pass\n",
    },
    changed: ["core.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a function that a decorator hands to an object",
    files: {
      "app.py":
        "class App:\n    def route(self, path):\n        return lambda f: f\napp = App()\nquiet = 1\n",
      "views.py": "from app import app\n@app.route('/')\ndef index():\n    return 1\n",
      "test_it.py":
        "import app\ndef test_a():\n    app.app('/')\ndef test_b():\n    assert app.quiet\n",
    },
    changed: { "views.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a function that a decorator puts into a registry",
    files: {
      "registry.py":
        "ALL = {}\ndef register(f):\n    ALL[f.__name__] = f\n    return f\ndef find(name):\n    return ALL[name]\n",
      "plugins.py": "from registry import register\n@register\ndef one():\n    return 1\n",
      "more.py": "from registry import register\n@register\ndef two():\n    return 2\n",
      "test_it.py":
        "from registry import find\nfrom more import two\ndef test_a():\n    find('one')\ndef test_b():\n    two()\n",
    },
    changed: { "plugins.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a table that a function fills with all names of the module",
    files: {
      "errors.py":
        "TABLE = {}\ndef find():\n    for name, value in globals().items():\n        TABLE[name] = value\nfind()\n\nclass Broken:\n    def __init__(self):\n        self.x = 1\n\nclass Fine:\n    pass\n",
      "test_it.py": "import errors\ndef test_a():\n    errors.TABLE['Broken']()\n",
      "test_other.py": "def test_b():\n    pass\n",
    },
    changed: { "errors.py": [[9, 9]] },
    selected: ["test_it.py"],
  },
  {
    name: "a subclass that its base finds by itself",
    files: {
      "base.py":
        "class Base:\n    @classmethod\n    def make(cls):\n        return cls.__subclasses__()[0]()\nclass Plain:\n    pass\n",
      "sub.py":
        "from base import Base\nclass Sub(Base):\n    def __init__(self):\n        self.x = 1\n",
      "test_it.py":
        "from base import Base, Plain\ndef test_a():\n    Base.make()\ndef test_b():\n    Plain()\n",
    },
    changed: ["sub.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a base class in another module",
    files: {
      "base.py": "class Base:\n    def go(self):\n        return 1\n",
      "sub.py": "from base import Base\nclass Sub(Base):\n    pass\nclass Plain:\n    pass\n",
      "test_it.py":
        "from sub import Sub, Plain\ndef test_a():\n    Sub().go()\ndef test_b():\n    Plain()\n",
    },
    changed: ["base.py"],
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a method that only one test names",
    files: {
      "shop.py":
        "class Shop:\n    def __init__(self):\n        self.x = 1\n    def buy(self):\n        return self.x\n    def sell(self):\n        return self.x\n",
      "test_it.py":
        "from shop import Shop\ndef test_a():\n    Shop().buy()\ndef test_b():\n    Shop().sell()\n",
    },
    changed: { "shop.py": [[5, 5]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a method under another name in its class",
    files: {
      "shop.py":
        "class Shop:\n    def buy(self):\n        return 1\n    purchase = buy\nShop().buy()\n",
      "test_it.py":
        "from shop import Shop\ndef test_a():\n    Shop().purchase()\ndef test_b():\n    pass\n",
    },
    changed: { "shop.py": [[3, 3]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a method that a base from outside calls",
    files: {
      "worker.py":
        "import threading\nclass Worker(threading.Thread):\n    def task(self):\n        return 1\n",
      "test_it.py":
        "from worker import Worker\ndef test_a():\n    Worker().start()\ndef test_b():\n    object().task()\n",
    },
    changed: { "worker.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a statement of a module that changes the process",
    files: {
      "setup_env.py": "import os\nos.environ['MODE'] = 'x'\n",
      "core.py": "import setup_env\n" + CORE,
      "test_it.py": "from core import run\n" + TWO_TESTS,
      "test_other.py": "def test_b():\n    pass\n",
    },
    changed: ["setup_env.py"],
    selected: ["test_it.py"],
  },
  {
    name: "a statement that changes an object of another module",
    files: {
      "settings.py": "class Settings:\n    pass\nsettings = Settings()\nquiet = 1\n",
      "patches.py": "from settings import settings\nsettings.debug = True\n",
      "test_it.py":
        "import patches\nfrom settings import settings, quiet\ndef test_a():\n    settings.debug\n",
      "test_other.py": "from settings import quiet\ndef test_b():\n    quiet\n",
    },
    changed: ["patches.py"],
    selected: ["test_it.py"],
  },
  {
    name: "a variable that a function sets with global",
    files: {
      "state.py":
        "value = None\ndef load():\n    global value\n    value = 1\ndef other():\n    pass\n",
      "test_it.py":
        "import state\ndef test_a():\n    assert state.value\ndef test_b():\n    state.other()\n",
    },
    changed: { "state.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "an unpacked assignment",
    files: {
      "core.py": "def make():\n    return 1, 2\n(x, y), *z = make(), 3\nw = 4\n",
      "test_it.py": "import core\ndef test_a():\n    core.y\ndef test_b():\n    core.w\n",
    },
    changed: { "core.py": [[2, 2]] },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a module that is imported by its bare name in a string",
    files: {
      "one.py": "def run():\n    return 1\n",
      "two.py": "def run():\n    return 1\n",
      "test_it.py": "import importlib, pytest\n" +
        "def test_a():\n    importlib.import_module('one').run()\n" +
        "def test_b():\n    assert 'one'\n" +
        "def test_c():\n    pytest.importorskip('two').run()\n",
    },
    changed: { "one.py": RUN_LINES, "two.py": RUN_LINES },
    selected: ["test_it.py::test_a", "test_it.py::test_c"],
  },
  {
    name: "a package that a command line starts with -m",
    files: {
      "pkg/__init__.py": "",
      "pkg/__main__.py": "from pkg.core import run\nrun()\n",
      "pkg/core.py": CORE,
      "test_it.py": "import subprocess\n" +
        "def test_a():\n    subprocess.run('python -m pkg --x', shell=True)\n" +
        "def test_b():\n    subprocess.run('python -m other', shell=True)\n",
    },
    changed: { "pkg/core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "a console script that a test starts, as pyproject.toml names it",
    files: {
      "pyproject.toml": '[project]\nname = "x"\n[project.scripts]\nmy-tool = "pkg.cli:main"\n',
      ...SCRIPT,
    },
    changed: ["src/pkg/core.py"],
    selected: ["tests/test_it.py::test_a", "tests/test_it.py::test_shell"],
  },
  {
    name: "a console script that a test starts, as setup.cfg names it",
    files: {
      "setup.cfg":
        "[options.entry_points]\nconsole_scripts =\n    other = pkg.x:y\n    my-tool = pkg.cli:main\n",
      ...SCRIPT,
    },
    changed: ["src/pkg/core.py"],
    selected: ["tests/test_it.py::test_a", "tests/test_it.py::test_shell"],
  },
  {
    name: "Python files of a folder that code lists",
    files: {
      "plugins/one.py": "from core import run\n",
      "core.py": CORE,
      "load.py": "import pathlib\nFOLDER = 'plugins'\n" +
        "def load():\n    return list(pathlib.Path('plugins').glob('*.py'))\n" +
        "def other():\n    return 'plugins'\n",
      "test_it.py": "from load import load, other\ndef test_a():\n    load()\n" +
        "def test_b():\n    other()\n",
    },
    changed: { "core.py": RUN_LINES },
    selected: ["test_it.py::test_a"],
  },
  {
    name: "classes that a metaclass registers",
    files: {
      "base.py": "REGISTRY = {}\nclass Meta(type):\n" +
        "    def __new__(meta, name, bases, space):\n" +
        "        made = super().__new__(meta, name, bases, space)\n" +
        "        REGISTRY[name] = made\n        return made\n" +
        "class Base(metaclass=Meta):\n    pass\ndef make(name):\n    return REGISTRY[name]()\n",
      "dog.py": "from base import Base\nclass Dog(Base):\n    def speak(self):\n        return 1\n",
      "test_it.py": "import dog\nfrom base import make\n" +
        "def test_a():\n    make('Dog').speak()\ndef test_b():\n    pass\n",
    },
    changed: { "dog.py": [[4, 4]] },
    selected: ["test_it.py::test_a"],
  },
];
