"""One project, read once: its files, its symbol graph, its tests."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from typing import Callable, Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

from pytest_mcp_related_doctest import STANDARD_GLOB, add_doctests
from pytest_mcp_related_scripts import read_django_settings, read_entry_points, read_scripts
from pytest_mcp_related_fixtures import INHERITED, Named, add_pytest
from pytest_mcp_related_graph import Graph, Step, distances
from pytest_mcp_related_layout import Layout, find_files, matches, matches_folder
from pytest_mcp_related_link import link, link_starred_names
from pytest_mcp_related_resolve import Node, Resolver, Started
from pytest_mcp_related_scan import scan
from pytest_mcp_related_symbols import Module, TestNames

CONFIG_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
# A chain with more symbols than this is told by its ends.
LONGEST_CHAIN = 4


class Options(NamedTuple):
    """What is known about tests; what is empty, the project's settings say."""

    files: Tuple[str, ...] = ()
    functions: Tuple[str, ...] = ()
    classes: Tuple[str, ...] = ()
    paths: Tuple[str, ...] = ()
    doctest_modules: bool = False
    doctest_globs: Tuple[str, ...] = ()


class Selected(NamedTuple):
    """A test file that can be affected; tests is None for all of them."""

    path: str
    because: str
    distance: int
    tests: Optional[List[str]]
    functions: int


class Project:
    """The symbol graph of a project and what can be asked of it."""

    def __init__(self, root: str, options: Options = Options(), gone: Iterable[str] = ()) -> None:
        """`gone` are files that were deleted: imports of them still mean something."""
        self.root = root
        config = read_config(root)
        options = config.complete(options)
        every = sorted(set(find_files(root, options.doctest_globs)).union(gone))
        self.files = [path for path in every if path.endswith(".py")]
        self.layout = Layout(root, self.files, config.import_roots)
        self.modules: Dict[str, Module] = {path: _read(root, path, options) for path in every}
        resolver = Resolver(self.layout, self.modules, config.started)
        self.graph: Graph = link(resolver)
        self.tests: List[Node] = add_pytest(self.graph, resolver, config.named)
        link_starred_names(self.graph, resolver)
        self.tests_of: Dict[str, List[str]] = {}
        for path, name in self.tests:
            self.tests_of.setdefault(path, []).append(name)
        self._reach: Optional[Dict[Node, int]] = None
        self._used: Optional[Set[str]] = None
        self._users: Optional[Dict[Node, List[Node]]] = None

    @property
    def used_files(self) -> Set[str]:
        """The files that other files have to do with."""
        if self._used is None:
            self._used = {used[0] for node, every in self.graph.uses.items() for used in every if used[0] != node[0]}
        return self._used

    @property
    def test_files(self) -> List[str]:
        return sorted(self.tests_of)

    def select(self, changed: Set[Node]) -> List[Selected]:
        """The tests that can reach a changed node, nearest first."""
        if self._reach is None or self._users is None:
            self._reach, self._users = self.graph.reaching(self.tests), self.graph.users()
        bits = 0
        for node in changed:
            bits |= self._reach.get(node, 0)
        if not bits:
            return []
        chosen: Dict[str, List[Node]] = {}
        for index, test in enumerate(self.tests):
            if bits >> index & 1:
                chosen.setdefault(test[0], []).append(test)
        steps = distances(self.graph, self._users, changed)
        found = [self._selected(path, nodes, steps) for path, nodes in chosen.items()]
        return sorted(found, key=lambda each: (each.distance, each.path))

    def _selected(self, path: str, nodes: List[Node], steps: Dict[Node, Step]) -> Selected:
        nearest = min(nodes, key=lambda node: (steps[node].distance, node[1].endswith(INHERITED)))
        chosen = [node[1] for node in nodes]
        tests = _names(self.tests_of[path], chosen)
        functions = count_functions(self.tests_of[path] if tests is None else chosen)
        return Selected(path, self._because(nearest, steps), steps[nearest].distance, tests, functions)

    def _because(self, node: Node, steps: Dict[Node, Step]) -> str:
        chain = [test_name(node[1])]
        following = steps[node].nearer
        while following is not None:
            if following not in self.graph.silent or steps[following].nearer is None:
                chain.append(label(following))
            following = steps[following].nearer
        if len(chain) == 1:
            return f"{chain[0]} changed"
        if len(chain) > LONGEST_CHAIN:
            left_out = len(chain) - LONGEST_CHAIN + 1
            chain[2:-1] = [f"({left_out} more)"]
        return " → ".join(chain)


def test_name(symbol: str) -> str:
    """`TestA.test_b` → `TestA::test_b`, as in node ids."""
    if symbol.startswith("<"):
        return symbol.strip("<>")
    name = symbol[: -len(INHERITED)] if symbol.endswith(INHERITED) else symbol
    return name.replace(".", "::")


def label(node: Node) -> str:
    """A node for people."""
    path, symbol = node
    return path if symbol.startswith("<") else f"{path}:{symbol}"


def count_functions(names: Sequence[str]) -> int:
    """How many test functions these are; a class whose tests are all inherited counts as one."""
    owners = {name.partition(".")[0] for name in names if not name.endswith(INHERITED)}
    return sum(1 for name in names if not name.endswith(INHERITED) or name[: -len(INHERITED)] not in owners)


def _names(every: Sequence[str], chosen: Sequence[str]) -> Optional[List[str]]:
    """The chosen tests by name, classes for all of their tests; None for all of the file."""
    if len(chosen) == len(every) or any(name.startswith("<") for name in chosen):
        return None
    classes = {name[: -len(INHERITED)] for name in chosen if name.endswith(INHERITED)}
    return sorted(classes.union(test_name(name) for name in chosen if name.partition(".")[0] not in classes))


class Config(NamedTuple):
    """What the configuration files say."""

    import_roots: FrozenSet[str]
    named: Named
    started: Started
    options: Options

    def complete(self, options: Options) -> Options:
        """The options with what was not said from the settings, and pytest's defaults."""
        said = self.options
        return Options(
            options.files or said.files or ("test_*.py", "*_test.py"),
            options.functions or said.functions or ("test",),
            options.classes or said.classes or ("Test",),
            options.paths or said.paths,
            options.doctest_modules or said.doctest_modules,
            options.doctest_globs or said.doctest_globs or (STANDARD_GLOB,),
        )


def read_config(root: str) -> Config:
    """What matters here of the configuration files at the root, whatever their format."""
    text = "\n".join(_text(os.path.join(root, name)) for name in CONFIG_FILES)
    plugins = re.findall(r"-p[ =]?(?!no:)([\w.]+)", text)
    for after in text.split("pytest11")[1:]:
        plugins += re.findall(r"=\s*[\"']?([\w.]+)", after[:500])
    paths = {path.strip("./") for path in _values(text, "pythonpath")}
    globs = re.findall(r"--doctest-glob[= ]\\?[\"']?([^\s\"'\\]+)", text)
    named = Named(tuple(_values(text, "usefixtures")), tuple(plugins), tuple(read_django_settings(text)))
    options = Options(
        tuple(_values(text, "python_files")),
        tuple(_values(text, "python_functions")),
        tuple(_values(text, "python_classes")),
        _folders(_values(text, "testpaths")),
        "--doctest-modules" in text,
        tuple(globs),
    )
    return Config(frozenset(paths), named, Started(read_scripts(text), read_entry_points(text)), options)


def _folders(paths: Sequence[str]) -> Tuple[str, ...]:
    """Where tests are; a pattern can mean any folder."""
    return () if any("*" in path for path in paths) else tuple(paths)


def _values(text: str, key: str) -> List[str]:
    """The words of `key = a b`, `key = ["a", "b"]` and of indented lines below `key =`."""
    found = re.findall(rf"^[ \t]*{key}[ \t]*=[ \t]*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n=]+$)*)", text, re.M)
    return [word for value in found for word in re.findall(r"[\w./*?-]+", value)]


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _read(root: str, path: str, options: Options) -> Module:
    tests = _test_names(options) if _is_test(path, options) else None
    try:
        with open(os.path.join(root, path), "rb") as file:
            source = file.read()
        module = scan(path, source, tests) if path.endswith(".py") else Module(path)
        if not path.endswith(".py") or (options.doctest_modules and b">>>" in source):
            add_doctests(module, source.decode("utf-8", "replace"))
        return module
    except OSError as error:
        module = Module(path, tests)
        module.problem = error.strerror or str(error)
        return module


def _is_test(path: str, options: Options) -> bool:
    inside = not options.paths or any(matches_folder(path, folder) for folder in options.paths)
    return inside and matches(path, options.files)


def _test_names(options: Options) -> TestNames:
    def named(patterns: Sequence[str]) -> Callable[[str], bool]:
        return lambda name: any(name.startswith(p) or fnmatchcase(name, p) for p in patterns)

    # unittest's methods are called test…, whatever python_functions says.
    return TestNames(named((*options.functions, "test")), named(options.classes))
