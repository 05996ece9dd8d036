"""What pytest adds to the graph: fixtures, hooks, conftest files, plugins, and which nodes are tests."""

from __future__ import annotations

from typing import Dict, Iterable, List, NamedTuple, Set, Tuple

from pytest_mcp_related_doctest import DOCTESTS
from pytest_mcp_related_graph import Graph
from pytest_mcp_related_layout import SHORTEST_NAME, conftests_above, matches_folder, parents
from pytest_mcp_related_resolve import IMPORT, MODULE, WHOLE, Node, Resolver
from pytest_mcp_related_symbols import Module, Symbol
from pytest_mcp_related_uses import lists_files

# A node for each test file: what all of its tests use without naming it.
SHARED = "<tests>"
# A test node for the tests of a file that cannot be told apart.
ALL_TESTS = "<all tests>"
# A test node for each class that inherits tests: `TestA.*`.
INHERITED = ".*"
# Fixtures that run pytest, and with it the plugins of the project.
PYTESTERS = frozenset(("pytester", "testdir"))
SPECIAL = frozenset(
    "pytestmark setup_module teardown_module setup_function teardown_function setup_method teardown_method setup "
    "teardown setUpModule tearDownModule load_tests __test__ collect_ignore collect_ignore_glob "
    "urlpatterns".split()  # Django's tests can be their own ROOT_URLCONF
)


class Named(NamedTuple):
    """What the configuration names: fixtures that every test uses, plugin modules, and modules that are settings."""

    fixtures: Tuple[str, ...]
    plugins: Tuple[str, ...]
    settings: Tuple[str, ...]


def add_pytest(graph: Graph, resolver: Resolver, named: Named) -> List[Node]:
    """Add pytest's edges; returns the nodes that are tests."""
    linker = _PytestLinker(graph, resolver, named)
    tests: List[Node] = []
    for module in resolver.modules.values():
        if module.tests is not None or linker.is_visible_module(module.path):
            linker.requests(module)
        if module.tests is not None or DOCTESTS in module.symbols:
            tests += linker.tests(module)
    return tests


class _PytestLinker:
    def __init__(self, graph: Graph, resolver: Resolver, named: Named) -> None:
        self.graph = graph
        self.resolver = resolver
        self.modules = resolver.modules
        self._files = frozenset(self.modules)
        self._plugins = self._find_plugins(named.plugins)
        self._named_fixtures = named.fixtures
        layout = resolver.layout
        self._settings = resolver.whole(each for name in named.settings for each in layout.absolute(name))
        self._anywhere: Dict[str, List[Node]] = {}
        for module in self.modules.values():
            for name, symbol in module.fixtures.items():
                self._anywhere.setdefault(name, []).append((module.path, symbol))

    def is_visible_module(self, path: str) -> bool:
        """Whether pytest looks for fixtures in this file by itself, or the file defines some."""
        return path.endswith("conftest.py") or path in self._plugins or bool(self.modules[path].fixtures)

    def _find_plugins(self, names: Iterable[str]) -> List[str]:
        wanted = set(names)
        listed: Set[str] = set()
        layout = self.resolver.layout
        for module in self.modules.values():
            if "pytest_plugins" in module.symbols:
                uses = module.symbols["pytest_plugins"].uses
                wanted |= uses.strings
                listed.update(file for text in uses.strings if lists_files(uses) for file in layout.in_folder(text))
        files = (layout.file_of(each) for name in sorted(wanted) for each in layout.absolute(name))
        return [*(path for path in files if path is not None), *sorted(listed)]

    def _visible(self, path: str) -> List[str]:
        """The files whose fixtures and hooks a file sees, nearest first."""
        above = conftests_above(path, self._files)
        return [path, *above, *(plugin for plugin in self._plugins if plugin != path)]

    def requests(self, module: Module) -> None:
        """Link the functions of a file to the fixtures that they name, as arguments or as strings."""
        visible = self._visible(module.path)
        for symbol in module.symbols.values():
            node = (module.path, symbol.name)
            is_fixture = symbol.name in module.fixtures.values()
            names = symbol.uses.arguments | (symbol.uses.strings & self._anywhere.keys())
            if "getfixturevalue" in symbol.uses.attributes:
                names |= self._completed(symbol.uses.strings)
            if not names.isdisjoint(PYTESTERS):
                self.graph.add(node, [(path, WHOLE) for path in self._plugins])
            for name in names:
                self.graph.add(node, self._fixture(visible, name, node))
                if is_fixture:
                    self.graph.add(node, self._overriding(module, name) - {node})

    def _completed(self, parts: Iterable[str]) -> Set[str]:
        """Fixtures whose names begin or end with a part, which code completes."""
        long = tuple(part for part in parts if len(part) >= SHORTEST_NAME)
        return {name for name in self._anywhere if long and (name.startswith(long) or name.endswith(long))}

    def _overriding(self, module: Module, name: str) -> Set[Node]:
        """Fixtures that take the place of a visible one for tests further below: a fixture of this file gets those."""
        if module.tests is not None:
            return set()
        folder = module.path.rpartition("/")[0] if module.path.endswith("conftest.py") else ""
        return {node for node in self._anywhere.get(name, ()) if matches_folder(node[0], folder)}

    def _fixture(self, visible: List[str], name: str, user: Node) -> Set[Node]:
        found: Set[Node] = set()
        for path in visible:
            module = self.modules[path]
            symbol = module.fixtures.get(name)
            if symbol is not None and (path, symbol) != user:
                return found | {(path, symbol)}
            if symbol is None and (name in module.symbols or module.stars):
                # A helper of that name, or an imported fixture: only the imported one is sure.
                found |= {n for n in self.resolver.chain(path, (name,), {}).links if n != user}
        return found | {node for node in self._anywhere.get(name, ()) if node != user}

    def tests(self, module: Module) -> List[Node]:
        """The test nodes of a file, linked to what all of its tests use."""
        path = module.path
        found = self._test_symbols(module)
        if DOCTESTS in module.symbols:
            found.append((path, DOCTESTS))
        if not found:
            self.graph.add((path, ALL_TESTS), [(path, WHOLE)])
            found = [(path, ALL_TESTS)]
        shared = (path, SHARED)
        self.graph.silent.add(shared)
        self.graph.add(shared, self._shared(module))
        for node in found:
            self.graph.add(node, [shared])
        return found

    def _test_symbols(self, module: Module) -> List[Node]:
        if module.tests is None:
            return []
        found: List[Node] = []
        names = set(module.symbols)
        for item in module.stars:
            for starred in self.resolver.layout.find(module.path, item):
                file = self.resolver.layout.file_of(starred)
                names |= set(self.modules[file].symbols) if file is not None else set()
        for name in sorted(names):
            symbol = module.symbols.get(name)
            node = (module.path, name)
            if symbol is not None and symbol.kind == "class":
                found += self._class_tests(module, symbol)
            elif symbol is not None and symbol.kind == "method":
                continue
            elif module.tests.is_function(name) or module.tests.is_class(name):
                self.graph.add(node, self.resolver.chain(module.path, (name,), {}).links - {node})
                found += self._imported_class(node)
        return found

    def _imported_class(self, node: Node) -> List[Node]:
        """A test that the file imports; with a class come the tests of that class."""
        for origin in self.resolver.chain(node[0], (node[1],), {}).origins:
            self.graph.add(node, self._members(origin, set()))
        return [node]

    def _class_tests(self, module: Module, symbol: Symbol) -> List[Node]:
        """The test methods of a class, and one node for the tests that it inherits or holds in nested classes."""
        assert module.tests is not None
        owner = (module.path, symbol.name)
        methods = [(module.path, s.name) for s in module.symbols.values() if s.owner == symbol.name]
        if not module.tests.is_class(symbol.name) and not symbol.bases:
            self.graph.add(owner, methods)
            return []
        members: Set[Node] = {owner}
        for chain in symbol.bases:
            for origin in self.resolver.chain(module.path, chain, {}).origins:
                members |= {origin} | self._members(origin, set())
        rest = (module.path, symbol.name + INHERITED)
        self.graph.add(rest, members)
        return [*methods, rest]

    def _members(self, owner: Node, seen: Set[Node]) -> Set[Node]:
        if owner in seen:
            return set()
        seen.add(owner)
        module = self.modules[owner[0]]
        found = {(owner[0], s.name) for s in module.symbols.values() if s.owner == owner[1] and s.kind == "method"}
        for chain in module.symbols[owner[1]].bases:
            for origin in self.resolver.chain(owner[0], chain, {}).origins:
                found |= self._members(origin, seen)
        return found

    def _shared(self, module: Module) -> Set[Node]:
        visible = self._visible(module.path)
        used = {(module.path, name) for name in SPECIAL & module.symbols.keys()} | self._settings
        inits = (f"{folder}/__init__.py" if folder else "__init__.py" for folder in parents(module.path))
        used |= {(path, IMPORT) for path in inits if path in self._files}
        for path in visible:
            each = self.modules[path]
            used |= {(path, name) for name in each.symbols if name.startswith("pytest_")}
            used |= self._autouse(path, set())
            if path != module.path:
                used |= {(path, MODULE), (path, IMPORT)}
        for name in self._named_fixtures:
            used |= self._fixture(visible, name, (module.path, SHARED))
        return used

    def _autouse(self, path: str, seen: Set[str]) -> Set[Node]:
        """Autouse fixtures of a file, those that it imports included."""
        if path in seen:
            return set()
        seen.add(path)
        module = self.modules[path]
        found = {(path, name) for name in module.autouse}
        for name in module.bindings:
            for origin in self.resolver.chain(path, (name,), {}).origins:
                if origin[1] in self.modules[origin[0]].autouse:
                    found |= {origin, (path, name)}
        for item in module.stars:
            for starred in self.resolver.layout.find(path, item):
                file = self.resolver.layout.file_of(starred)
                found |= self._autouse(file, seen) if file is not None else set()
        return found
