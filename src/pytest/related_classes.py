"""How classes hang together: subclasses that their bases find, and methods that run only where their name is used."""

from __future__ import annotations

import builtins
import re
from typing import Dict, Iterable, Set

from pytest_mcp_related_graph import Graph, mention
from pytest_mcp_related_resolve import Node, Resolver
from pytest_mcp_related_symbols import Module, Symbol
from pytest_mcp_related_uses import Chain

# Bases from outside that call no method of a subclass by its name.
QUIET_BASES = frozenset(("ABC", "Generic", "Protocol", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag"))
# Methods that the standard library and other packages call on whatever object they are given.
CALLED_FROM_OUTSIDE = frozenset(
    "read read1 readinto write writelines close flush readline readlines seek tell fileno isatty readable writable "
    "seekable keys items values get update copy run emit format filter handle send throw default encode decode".split()
)

# What methods of a metaclass call the metaclass or the class that they make.
OWN_NAMES = frozenset(("cls", "mcs", "mcls", "meta", "metacls"))

ATTRIBUTE = re.compile(r"\.([A-Za-z_]\w*)")


def read_template_names(files: Iterable[str]) -> Set[str]:
    """What templates ask objects for: they call methods that no code names."""
    found: Set[str] = set()
    for file in files:
        try:
            with open(file, encoding="utf-8", errors="replace") as template:
                found.update(ATTRIBUTE.findall(template.read()))
        except OSError:
            pass
    return found


class Classes:
    """The classes of a project."""

    def __init__(self, graph: Graph, resolver: Resolver) -> None:
        self.graph = graph
        self._in_templates = read_template_names(resolver.layout.templates())
        self.resolver = resolver
        self._open: Dict[Node, bool] = {}
        self._subclasses: Dict[Node, Set[Node]] = {}
        self._made_by: Dict[Node, Set[Node]] = {}
        for module in resolver.modules.values():
            for symbol in module.symbols.values():
                self._bases(module, symbol)

    def _bases(self, module: Module, symbol: Symbol) -> None:
        for chain in symbol.bases:
            for origin in self.resolver.chain(module.path, chain, {}).origins:
                self._subclasses.setdefault(origin, set()).add((module.path, symbol.name))
        for chain in symbol.metaclasses:
            for origin in self.resolver.chain(module.path, chain, {}).origins:
                self._made_by.setdefault(origin, set()).add((module.path, symbol.name))

    def subclasses(self) -> None:
        """Classes that know their subclasses use them."""
        for base, below in self._subclasses.items():
            symbol = self.resolver.symbol(base)
            members = [s for s in self.resolver.modules[base[0]].symbols.values() if s.owner == base[1]]
            if any("__subclasses__" in s.uses.attributes for s in [symbol, *members]) or symbol.knows_subclasses:
                self.graph.add(base, self._all_below(base))
        for module in self.resolver.modules.values():
            for symbol in module.symbols.values():
                if "__subclasses__" in symbol.uses.attributes:
                    self._ask_subclasses(module, symbol)

    def metaclasses(self) -> None:
        """Metaclasses that keep the classes that they make use them."""
        for meta, classes in self._made_by.items():
            symbols = self.resolver.modules[meta[0]].symbols
            filled = self.resolver.symbol(meta).uses.filled
            if any(name in OWN_NAMES or (name in symbols and symbols[name].kind == "variable") for name in filled):
                self.graph.add(meta, classes.union(*map(self._all_below, classes)))

    def _ask_subclasses(self, module: Module, symbol: Symbol) -> None:
        for chain in symbol.uses.chains:
            if chain[-1] == "__subclasses__":
                for origin in self.resolver.chain(module.path, chain, symbol.uses.imports).origins:
                    self.graph.add((module.path, symbol.name), self._all_below(origin))

    def _all_below(self, base: Node) -> Set[Node]:
        found: Set[Node] = set()
        waiting = [base]
        while waiting:
            for each in self._subclasses.get(waiting.pop(), set()) - found:
                found.add(each)
                waiting.append(each)
        return found

    def methods(self) -> None:
        """Tie methods to their classes: by their names where nobody else can call them, for good elsewhere."""
        mentioned = {used for uses in self.graph.uses.values() for used in uses if not used[0]}
        for module in self.resolver.modules.values():
            for symbol in module.symbols.values():
                if symbol.kind != "method":
                    continue
                node, owner = (module.path, symbol.name), (module.path, symbol.owner)
                name = symbol.name.rpartition(".")[2]
                if not symbol.conditional:
                    self.graph.add(node, [owner])
                elif mention(name) not in mentioned or self._is_called_unseen(owner, name):
                    self.graph.add(owner, [node])
                else:
                    self.graph.owners[node] = owner

    def _is_called_unseen(self, owner: Node, name: str) -> bool:
        """Whether a method can run though nobody mentions it: by other packages, or as `alias = name` in its class."""
        used_in_class = (name,) in self.resolver.symbol(owner).uses.chains
        return used_in_class or name in CALLED_FROM_OUTSIDE or name in self._in_templates or self._is_open(owner)

    def _is_open(self, node: Node) -> bool:
        """Whether a class has a base outside the project, which may call its methods."""
        if node not in self._open:
            self._open[node] = False  # a class cannot be its own base
            symbol = self.resolver.symbol(node)
            self._open[node] = symbol.kind != "class" or any(
                self._is_open_base(node[0], chain) for chain in symbol.bases
            )
        return self._open[node]

    def _is_open_base(self, path: str, chain: Chain) -> bool:
        origins = self.resolver.chain(path, chain, {}).origins
        if origins:
            return any(self._is_open(origin) for origin in origins)
        return chain[-1] not in QUIET_BASES and not isinstance(getattr(builtins, chain[-1], None), type)
