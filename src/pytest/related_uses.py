"""What a piece of code uses: names, imports, strings; and how to read them from single expressions."""

from __future__ import annotations

import ast
from typing import Dict, List, Optional, Set, Tuple, Union

from pytest_mcp_related_layout import Import

# `nx.algorithms.dag` is ("nx", "algorithms", "dag"); a bare name is a chain of one.
Chain = Tuple[str, ...]
FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

LISTING = frozenset("glob iglob rglob iterdir listdir scandir".split())
# Calls that run a Python file by its path.
BY_FILE = frozenset("spec_from_file_location SourceFileLoader run_path".split())
# What a call imports that names a module of its own package, whichever.
SIBLING = "."


class Uses:
    """What one symbol uses."""

    __slots__ = ("chains", "imports", "executed", "strings", "texts", "modules", "arguments", "attributes", "globals", "filled", "searched")

    def __init__(self) -> None:
        self.chains: Set[Chain] = set()
        # Names bound by imports inside the symbol, and every import that it executes.
        self.imports: Dict[str, List[Import]] = {}
        self.executed: List[Import] = []
        self.strings: Set[str] = set()
        self.texts: List[str] = []
        # Strings that a call imports as modules.
        self.modules: Set[str] = set()
        # Parameters without a default: in a test module they can be fixtures.
        self.arguments: Set[str] = set()
        # Every attribute that is mentioned, on whatever object.
        self.attributes: Set[str] = set()
        # Names that the code binds in the module with a `global` statement.
        self.globals: Set[str] = set()
        # Names of things that the code puts something into.
        self.filled: Set[str] = set()
        # Names that are only looked into with `in`: nothing is taken out of them.
        self.searched: Set[str] = set()

    def add(self, other: "Uses") -> None:
        """Take over everything that another piece of code uses."""
        self.chains |= other.chains
        for name, items in other.imports.items():
            self.imports.setdefault(name, []).extend(items)
        self.executed += other.executed
        self.strings |= other.strings
        self.texts += other.texts
        self.modules |= other.modules
        self.arguments |= other.arguments
        self.attributes |= other.attributes
        self.globals |= other.globals
        self.filled |= other.filled
        self.searched |= other.searched


def lists_files(uses: Uses) -> bool:
    """Whether a piece of code looks up which files a folder has."""
    return not called(uses).isdisjoint(LISTING) or ("os", "walk") in uses.chains


def runs_files(uses: Uses) -> bool:
    """Whether a piece of code runs a Python file that it has a path of."""
    return not called(uses).isdisjoint(BY_FILE)


def called(uses: Uses) -> Set[str]:
    """The last names of what a piece of code may call."""
    return uses.attributes.union(chain[0] for chain in uses.chains if len(chain) == 1)


def chain_of(node: ast.AST) -> Optional[Chain]:
    """The dotted name that an expression spells, if it is one."""
    names: List[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    names.append(node.id)
    return tuple(reversed(names))


def called_chain(node: ast.AST) -> Optional[Chain]:
    """The dotted name at the bottom of calls and subscripts: `cli.command("x")(f)` → cli.command."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return chain_of(node)


def imports_of(node: Union[ast.Import, ast.ImportFrom]) -> List[Tuple[str, Import, Import]]:
    """For each name of the statement: the name it binds, what is bound, what is executed."""
    found: List[Tuple[str, Import, Import]] = []
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            item = Import(node.level, node.module or "", alias.name)
            found.append((alias.asname or alias.name, item, item))
            continue
        whole = Import(0, alias.name, "")
        first = Import(0, alias.name.partition(".")[0], "")
        found.append((alias.asname or first.module, whole if alias.asname else first, whole))
    return found


def parameters_of(node: ast.arguments) -> List[str]:
    """All parameters, `*args` and `**kwargs` included."""
    extra = [arg for arg in (node.vararg, node.kwarg) if arg is not None]
    return [arg.arg for arg in [*node.posonlyargs, *node.args, *node.kwonlyargs, *extra]]


def required_parameters_of(node: ast.arguments) -> List[str]:
    """Parameters without a default: those that pytest takes for fixtures."""
    positional = [*node.posonlyargs, *node.args]
    named = [arg for arg, default in zip(node.kwonlyargs, node.kw_defaults) if default is None]
    return [arg.arg for arg in [*positional[: len(positional) - len(node.defaults)], *named]]


def is_type_checking(node: ast.If) -> bool:
    """`if TYPE_CHECKING:` — its body never runs."""
    chain = chain_of(node.test)
    return chain is not None and chain[-1] == "TYPE_CHECKING"
