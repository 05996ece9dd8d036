"""What symbols do to others when their module is imported: decorators, registries, statements."""

from __future__ import annotations

import builtins
from typing import Dict, List, Set

from pytest_mcp_related_graph import Graph
from pytest_mcp_related_resolve import IMPORT, WHOLE, Node, Resolver
from pytest_mcp_related_symbols import Module, Symbol
from pytest_mcp_related_uses import Chain

# Decorators of other packages that only give back what they got; pytest's are known elsewhere.
GIVE_BACK = frozenset(
    "wraps lru_cache cache cached_property contextmanager asynccontextmanager singledispatch total_ordering dataclass define "
    "frozen mutable attrs s unique overload final abstractmethod runtime_checkable deprecated jit njit command group".split()
)
# Those that call what they got, also where the project calls it, too: signals, events, steps of a scenario.
KEEP = frozenset("receiver connect listens_for listen register subscribe given when then step".split())


class Registry:
    """Who is handed to whom."""

    def __init__(self, graph: Graph, resolver: Resolver) -> None:
        self.graph = graph
        self.resolver = resolver
        # For each function or class that symbols are handed to at import: those symbols.
        self._handed: Dict[Node, List[Node]] = {}
        # Symbols that are handed to something outside the project; true for those that it surely keeps.
        self._outside: Dict[Node, bool] = {}

    def hand_over(self, module: Module, symbol: Symbol) -> None:
        """`@app.route` and `registry.add(f)` change `app` and `registry`: who uses those, uses this symbol."""
        node = (module.path, symbol.name)
        for chain in symbol.hands:
            found = self.resolver.chain(module.path, chain, symbol.uses.imports)
            if not found.origins and _goes_outside(module, symbol, chain):
                self._outside[node] = self._outside.get(node, False) or chain[-1] in KEEP
            for origin in found.origins:
                if origin == node or origin == (module.path, symbol.owner):
                    continue
                if not found.rest:
                    if symbol.kind != "variable":
                        self._handed.setdefault(origin, []).append(node)
                elif symbol.kind != "variable" or self.resolver.symbol(origin).kind != "class":
                    self.graph.add(origin, [node])

    def link(self) -> None:
        """A decorator that fills a variable of its module: who takes from that variable uses what was registered.

        The decorator and its helpers are left out, or everything that is registered would use everything else; who
        calls such a helper from elsewhere counts instead.
        """
        self._link_outside()
        taken: Dict[Node, Set[Node]] = {}
        for receiver, symbols in self._handed.items():
            for name in self._filled_by(receiver):
                taken.setdefault((receiver[0], name), set()).update(symbols)
        if not taken:
            return
        inside = {node for receiver in self._handed for node in self._around(receiver)}
        for node in inside:
            registered = self._registered(node, taken)
            if registered and node not in self._handed:
                taken[node] = registered
        for module in self.resolver.modules.values():
            for name in module.symbols:
                if (module.path, name) not in inside:
                    self.graph.add((module.path, name), self._registered((module.path, name), taken))

    def _link_outside(self) -> None:
        """What another package keeps can run once its module is imported; where the project names it, that says who runs it."""
        named = {used for user, every in self.graph.uses.items() if user[1] != WHOLE for used in every if used != user}
        for node, is_kept in self._outside.items():
            if is_kept or node not in named:
                self.graph.add((node[0], IMPORT), [node])

    def _registered(self, node: Node, taken: Dict[Node, Set[Node]]) -> Set[Node]:
        uses = self.resolver.symbol(node).uses
        found: Set[Node] = set()
        for chain in uses.chains:
            for origin in self.resolver.chain(node[0], chain, uses.imports).origins:
                found |= taken.get(origin, set())
        return found

    def _around(self, receiver: Node) -> List[Node]:
        """A function or class, its methods, and what they use in their own file."""
        path, name = receiver
        symbols = self.resolver.modules[path].symbols
        own = [receiver, *((path, symbol.name) for symbol in symbols.values() if symbol.owner == name)]
        used = (each for node in own for each in self.graph.uses.get(node, ()))
        return [*own, *(each for each in used if each[0] == path and each[1] in symbols)]

    def _filled_by(self, receiver: Node) -> Set[str]:
        """The variables of its module that a function or class puts something into."""
        symbols = self.resolver.modules[receiver[0]].symbols
        filled = {name for node in self._around(receiver) for name in symbols[node[1]].uses.filled}
        return {name for name in filled if name in symbols and symbols[name].kind == "variable"}


def _goes_outside(module: Module, symbol: Symbol, chain: Chain) -> bool:
    """Whether a decorator of another package can keep a function or class. pytest finds its tests, fixtures and hooks by itself."""
    if symbol.kind not in ("function", "class") or chain[-1] in GIVE_BACK or chain[0] in ("pytest", "typing") or hasattr(builtins, chain[0]):
        return False
    tests = module.tests
    is_test = tests is not None and (tests.is_function(symbol.name) or tests.is_class(symbol.name))
    return not is_test and symbol.name not in module.fixtures.values()
