"""The symbol graph of a project: what every symbol uses."""

from __future__ import annotations

import re
from typing import Dict, FrozenSet, Iterable, List, Set

from pytest_mcp_related_classes import Classes
from pytest_mcp_related_graph import Graph, mention
from pytest_mcp_related_layout import Import
from pytest_mcp_related_registry import Registry
from pytest_mcp_related_resolve import IMPORT, MISSING, MODULE, WHOLE, Node, Resolver
from pytest_mcp_related_scan import imports_in_text
from pytest_mcp_related_symbols import Module, Symbol
from pytest_mcp_related_uses import SIBLING, Uses, called, lists_files, runs_files

# Who calls this gets every name of the module.
WHOLE_BY_CALL = frozenset((("globals",),))
# The setting of Django that lists the packages which it loads.
INSTALLED_APPS = "INSTALLED_APPS"
# Who names one of these sets the same in another way.
APPS_OF_DJANGO = "django.contrib."
# Calls that find a class by its name, wherever it is: mappers of databases.
RELATING = frozenset("relationship backref ForeignKey OneToOneField ManyToManyField get_model".split())
# `Name`, `list[Name]`, `Name | None`: annotations in quotes.
ANNOTATION = re.compile(r"(?:[A-Z]\w*|[\w.]+ *[\[|].*)$")
CLASS_NAME = re.compile(r"\b[A-Z]\w*")
START = re.compile(r"(?:^|\s)-m\s+([A-Za-z_][\w.]*)")


def link(resolver: Resolver) -> Graph:
    """Build the graph."""
    linker = _Linker(resolver)
    registry = Registry(linker.graph, resolver)
    for module in resolver.modules.values():
        linker.module(module)
        for symbol in module.symbols.values():
            registry.hand_over(module, symbol)
    registry.link()
    classes = Classes(linker.graph, resolver)
    classes.subclasses()
    classes.metaclasses()
    classes.methods()
    return linker.graph


def link_starred_names(graph: Graph, resolver: Resolver) -> None:
    """Link the names that star imports bring, once all names have been looked up."""
    for node, targets in resolver.star_bound.items():
        graph.add(node, targets)
        graph.silent.add(node)


class _Linker:
    def __init__(self, resolver: Resolver) -> None:
        self.graph = Graph()
        self.resolver = resolver
        self._classes: Dict[str, List[Node]] = {}
        for module in resolver.modules.values():
            for symbol in module.symbols.values():
                if symbol.kind == "class":
                    self._classes.setdefault(symbol.name, []).append((module.path, symbol.name))
        self._running: Dict[str, bool] = {}
        self._texts: Dict[str, Dict[str, Set[Node]]] = {}
        self._method_names: FrozenSet[str] = frozenset(
            symbol.name.rpartition(".")[2]
            for module in resolver.modules.values()
            for symbol in module.symbols.values()
            if symbol.conditional
        )

    def module(self, module: Module) -> None:
        """Link every symbol of a file."""
        path, add = module.path, self.graph.add
        nodes = [(path, symbol.name) for symbol in module.symbols.values() if symbol.kind != "doctest"]
        statements, at_import, whole = (path, MODULE), (path, IMPORT), (path, WHOLE)
        add(whole, [*nodes, statements])
        add((path, MISSING), [statements])
        self.graph.silent.update((whole, statements, at_import, (path, MISSING)))
        add(at_import, self._executed(path, module.executed))
        for symbol in module.symbols.values():
            node = (path, symbol.name)
            if node != statements:
                add(node, [statements, at_import])
            add(node, self._used(module, symbol))
            add(node, [(path, setter) for setter in symbol.setters])
            for name in symbol.uses.filled & module.symbols.keys():
                if module.symbols[name].kind == "variable" and name != symbol.name:
                    add((path, name), [node])
            if symbol.kind == "effect":
                add(statements, [node])
                if module.problem or self._reaches_outside(module, symbol):
                    add(at_import, [node])

    def _used(self, module: Module, symbol: Symbol) -> Set[Node]:
        path, uses = module.path, symbol.uses
        used = self._executed(path, uses.executed)
        for item in module.bindings.get(symbol.name, ()):
            value = self.resolver.imported(path, item)
            used |= value.direct
            if symbol.kind == "import":
                self.graph.silent.add((path, symbol.name))
        for chain in [*uses.chains, *((name,) for name in uses.searched)]:
            used |= self.resolver.chain(path, chain, uses.imports).links
        for items in uses.imports.values():
            for item in items:
                used |= self.resolver.imported(path, item).direct
        if not uses.chains.isdisjoint(WHOLE_BY_CALL):
            used.add((path, WHOLE))
        if symbol.name != "__all__":
            used |= self._named(path, symbol.name, uses)
        used |= self._mentioned(uses)
        used.discard((path, symbol.name))
        return used

    def _executed(self, path: str, items: List[Import]) -> Set[Node]:
        layout = self.resolver.layout
        files = (layout.file_of(module) for item in items for module in layout.chain(path, item))
        return {(file, IMPORT) for file in files if file is not None and file != path}

    def _named(self, path: str, name: str, uses: Uses) -> Set[Node]:
        """What the strings of a symbol name: dotted paths, classes of the module, code that imports."""
        used: Set[Node] = set()
        known = self._texts.setdefault(path, {})
        symbols = self.resolver.modules[path].symbols
        for text in uses.strings:
            if text not in known:
                known[text] = self.resolver.text(path, text)
                if ANNOTATION.match(text):
                    names = CLASS_NAME.findall(text)
                    known[text] = known[text].union((path, name) for name in names if name in symbols)
                elif "import " in text:
                    known[text] = self._imported_in(path, text)
            used |= known[text]
        for text in uses.texts:
            used |= self._imported_in(path, text)
        for module in uses.modules:
            if module == SIBLING:
                used |= {(file, WHOLE) for file in self.resolver.layout.below(path.rpartition("/")[0]) if file != path}
            used |= self.resolver.whole(self.resolver.layout.absolute(module, path))
        if lists_files(uses) or self._runs_files(path):
            files = (file for text in uses.strings for file in self.resolver.layout.in_folder(text))
            used |= {(file, WHOLE) for file in files if file != path}
        if not called(uses).isdisjoint(RELATING):
            used |= {node for text in uses.strings for node in self._classes.get(text.rpartition(".")[2], ())}
        if name == INSTALLED_APPS or any(text.startswith(APPS_OF_DJANGO) for text in uses.strings):
            used |= {node for text in uses.strings for node in self.resolver.installed(text)}
        if "-m" in uses.strings:
            used |= self._started(uses.strings)
        starts_programs = self._starts_programs(self.resolver.modules[path])
        for text in uses.strings:
            used |= self.resolver.group(text) | self.resolver.command(text)
            if "-m " in text:
                used |= self._started(START.findall(text))
            if starts_programs:
                used |= self.resolver.script(text)
        return used

    def _runs_files(self, path: str) -> bool:
        if path not in self._running:
            symbols = self.resolver.modules[path].symbols.values()
            self._running[path] = any(runs_files(symbol.uses) for symbol in symbols)
        return self._running[path]

    def _starts_programs(self, module: Module) -> bool:
        """Whether a string of a file can be a command; elsewhere the name of a script is the project's name more often."""
        if module.tests is not None or module.path.endswith("conftest.py"):
            return True
        return any(item.module in ("subprocess", "asyncio.subprocess", "pexpect") for item in module.executed)

    def _started(self, names: Iterable[str]) -> Set[Node]:
        """`python -m package`, in a list of arguments or in one string."""
        used: Set[Node] = set()
        for text in names:
            if text.replace(".", "").isidentifier():
                modules = self.resolver.layout.absolute(text)
                mains = [self.resolver.layout.child(module, "__main__") for module in modules]
                used |= self.resolver.whole([*modules, *(main for main in mains if main is not None)])
        return used

    def _imported_in(self, path: str, text: str) -> Set[Node]:
        used: Set[Node] = set()
        for item in imports_in_text(text):
            if item.name in ("", "*"):
                used |= self.resolver.whole(self.resolver.layout.find(path, item))
            else:
                value = self.resolver.imported(path, item)
                used |= value.direct | self.resolver.whole(value.modules)
        return used

    def _mentioned(self, uses: Uses) -> Set[Node]:
        names = self._method_names
        mentioned = names.intersection(uses.attributes).union(names.intersection(uses.strings))
        for text in uses.strings:
            if text.endswith("_") and text.isidentifier():
                mentioned = mentioned.union(name for name in names if name.startswith(text))
        return {mention(name) for name in mentioned}

    def _reaches_outside(self, module: Module, symbol: Symbol) -> bool:
        """Whether a statement calls something that is no object of the project: its effect can be anywhere."""
        found = [self.resolver.chain(module.path, chain, {}) for chain in symbol.hands]
        return any(not each.rest or not each.origins for each in found)

