"""What a module defines."""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Set, Tuple

from pytest_mcp_related_layout import Import
from pytest_mcp_related_uses import Chain, Uses

Span = Tuple[int, int]


class Symbol:
    """Something that a module defines. kind: function, class, method, variable, import, or effect (a bare statement)."""

    __slots__ = ("name", "kind", "uses", "spans", "owner", "bases", "metaclasses", "hands", "conditional", "knows_subclasses", "setters")

    def __init__(self, name: str, kind: str, owner: str = "") -> None:
        self.name = name
        self.kind = kind
        self.owner = owner
        self.uses = Uses()
        self.spans: List[Span] = []
        self.bases: List[Chain] = []
        self.metaclasses: List[Chain] = []
        # Objects and functions that this symbol is handed to when the module is imported: decorators, registries.
        self.hands: List[Chain] = []
        # A method that runs only if somebody mentions its name.
        self.conditional = False
        self.knows_subclasses = False
        # For a variable: the symbols of its module that bind it with `global`.
        self.setters: Set[str] = set()


class TestNames(NamedTuple):
    """Whether a name is one that pytest collects."""

    is_function: Callable[[str], bool]
    is_class: Callable[[str], bool]


class Module:
    """What one file defines."""

    def __init__(self, path: str, tests: Optional[TestNames] = None) -> None:
        self.path = path
        self.tests = tests
        self.symbols: Dict[str, Symbol] = {}
        self.bindings: Dict[str, List[Import]] = {}
        self.executed: List[Import] = []
        self.stars: List[Import] = []
        # Fixtures by the name that tests use, and the symbols of those that every test uses.
        self.fixtures: Dict[str, str] = {}
        self.autouse: Set[str] = set()
        self.problem = ""

    @property
    def is_lazy(self) -> bool:
        """Whether it may have names that no statement binds: by a function, or because another object takes its place."""
        if "__getattr__" in self.symbols:
            return True
        return any(("sys", "modules") in symbol.uses.chains for symbol in self.symbols.values())

    def symbol(self, name: str, kind: str, owner: str = "") -> Symbol:
        """The symbol of that name; a second definition adds to the first."""
        found = self.symbols.get(name)
        if found is None:
            found = self.symbols[name] = Symbol(name, kind, owner)
        elif found.kind == "import":
            found.kind = kind
        return found
