"""The symbols of one Python file, found with `ast`: nothing is imported, nothing is executed."""

from __future__ import annotations

import ast
import re
from typing import Callable, Dict, List, Optional, Sequence, Type, Union

from pytest_mcp_related_collect import Collector
from pytest_mcp_related_layout import Import
from pytest_mcp_related_symbols import Module, Span, Symbol, TestNames
from pytest_mcp_related_uses import Chain, Function, FunctionNode, called_chain, chain_of, imports_of, is_type_checking

# Decorators that, like any bare `@name`, hand the method to nobody.
CALLED_BY_NAME = frozenset(("setter", "getter", "deleter", "cached_property", "lru_cache", "wraps"))
IMPORT_LINE = re.compile(r"^[ \t>.]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b[ \t]*\(?([\w \t,*]*)|import[ \t]+([\w.]+))", re.M)


def scan(path: str, source: bytes, tests: Optional[TestNames] = None) -> Module:
    """Find the symbols of a file. A file that does not parse keeps its imports, as far as they can be read."""
    module = Module(path, tests)
    try:
        tree = ast.parse(source, path)
        _Scanner(module).body(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        module = Module(path, tests)
        module.problem = f"{type(error).__name__}: {getattr(error, 'msg', None) or error}"
        module.symbol("<unreadable>", "effect").uses.texts.append(source.decode("utf-8", "replace"))
    return module


def imports_in_text(text: str) -> List[Import]:
    """The imports in a string of source code, or in a file that does not parse."""
    found: List[Import] = []
    for dots, module, names, plain in IMPORT_LINE.findall(text):
        words = [name.split()[0] for name in names.split(",") if name.strip()]
        # Names that are filled in later can be any name of the module.
        found += [Import(len(dots), module or plain, name) for name in words or [""]]
    return found


class _Scanner:
    """Sorts the statements of a module into symbols."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._handlers: Dict[Type[ast.AST], Callable[..., None]] = {
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import,
            ast.Assign: self._assign,
            ast.AnnAssign: self._assign,
            ast.AugAssign: self._assign,
            ast.If: self._if,
            ast.Expr: self._expression,
        }

    def body(self, statements: Sequence[ast.stmt]) -> None:
        for node in statements:
            handler = self._handlers.get(type(node))
            if handler is not None:
                handler(node)
            elif hasattr(node, "body"):
                self._block(node)
            else:
                self._effect(node)

    def _define(self, name: str, kind: str, node: ast.AST, owner: str = "") -> Symbol:
        symbol = self.module.symbol(name, kind, owner)
        symbol.spans.append(_span(node))
        return symbol

    def _function(self, node: Function) -> None:
        symbol = self._define(node.name, "function", node)
        Collector(symbol.uses).function(node)
        symbol.hands += _chains(node.decorator_list)
        self._fixture(node, symbol)
        self._globals(symbol)

    def _globals(self, symbol: Symbol) -> None:
        """A variable that a function binds with `global` depends on that function."""
        for name in symbol.uses.globals:
            self.module.symbol(name, "variable").setters.add(symbol.name)

    def _fixture(self, node: Function, symbol: Symbol) -> None:
        for decorator in node.decorator_list:
            keywords = {k.arg: k.value for k in decorator.keywords} if isinstance(decorator, ast.Call) else {}
            chain = called_chain(decorator)
            if chain is None or "fixture" not in chain[-1]:
                continue
            alias = getattr(keywords.get("name"), "value", None)
            self.module.fixtures[alias if isinstance(alias, str) else node.name] = symbol.name
            if "autouse" in keywords and getattr(keywords["autouse"], "value", True) is not False:
                self.module.autouse.add(symbol.name)

    def _class(self, node: ast.ClassDef) -> None:
        symbol = self._define(node.name, "class", node)
        symbol.bases += _chains(node.bases)
        symbol.metaclasses += _chains([each.value for each in node.keywords if each.arg == "metaclass"])
        symbol.hands += _chains(node.decorator_list)
        collector = Collector(symbol.uses)
        collector.walk([*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", ())])
        for statement in node.body:
            if isinstance(statement, FunctionNode) and self._stands_alone(statement):
                self._method(statement, symbol)
            else:
                collector.walk([statement])
                symbol.knows_subclasses |= getattr(statement, "name", "") == "__init_subclass__"
        self._globals(symbol)

    def _stands_alone(self, node: Function) -> bool:
        """In test modules the tests, elsewhere what is called by its name alone; the rest is part of the class."""
        if self.module.tests is not None:
            return self.module.tests.is_function(node.name)
        if node.name.startswith("test") or (node.name.startswith("__") and node.name.endswith("__")):
            return False
        return all(map(_leaves_name, node.decorator_list))

    def _method(self, node: Function, owner: Symbol) -> None:
        symbol = self._define(f"{owner.name}.{node.name}", "method", node, owner.name)
        symbol.conditional = self.module.tests is None
        Collector(symbol.uses).function(node)
        symbol.hands += _chains(node.decorator_list)
        self._globals(symbol)

    def _import(self, node: Union[ast.Import, ast.ImportFrom]) -> None:
        for bound, item, executed in imports_of(node):
            self.module.executed.append(executed)
            if item.name == "*":
                self.module.stars.append(item)
                continue
            self.module.bindings.setdefault(bound, []).append(item)
            symbol = self.module.symbols.get(bound) or self.module.symbol(bound, "import")
            symbol.spans.append(_span(node))

    def _assign(self, node: Union[ast.Assign, ast.AnnAssign, ast.AugAssign]) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = _bound_names(targets)
        if not names or _parts(targets):
            self._effect(node)
        for name in names:
            symbol = self._define(name, "variable", node)
            Collector(symbol.uses).walk([node])
            self._assigned_fixture(name, node.value)
            if isinstance(node.value, ast.Call) and not all(isinstance(a, ast.Constant) for a in node.value.args):
                symbol.hands += [chain for chain in _chains([node.value]) if len(chain) > 1]

    def _assigned_fixture(self, name: str, value: Optional[ast.AST]) -> None:
        """`name = pytest.fixture(name="alias")(function)`."""
        chain = called_chain(value) if value is not None else None
        while chain is not None and "fixture" in chain[-1] and isinstance(value, ast.Call):
            alias = next((k.value for k in value.keywords if k.arg == "name"), None)
            given = getattr(alias, "value", None)
            self.module.fixtures[given if isinstance(given, str) else name] = name
            value = value.func

    def _if(self, node: ast.If) -> None:
        if is_type_checking(node):
            self.body(node.orelse)
        elif isinstance(node.test, ast.Compare) and chain_of(node.test.left) == ("__name__",):
            Collector(self._define("<main>", "function", node).uses).walk(node.body)
        else:
            self._block(node)

    def _block(self, node: ast.AST) -> None:
        """A compound statement at module level: its header is code of the module, its body more statements."""
        bound = [node.target] if isinstance(node, (ast.For, ast.AsyncFor)) else []
        header: List[ast.AST] = []
        for field in node._fields:
            value = getattr(node, field, None)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.withitem) and item.optional_vars is not None:
                    bound.append(item.optional_vars)
                if isinstance(item, ast.stmt):
                    self.body([item])
                elif isinstance(item, ast.AST):
                    if isinstance(getattr(item, "body", None), list):
                        self._block(item)  # except handlers and match cases
                    else:
                        header.append(item)
        for name in _bound_names(bound):
            Collector(self.module.symbol(name, "variable").uses).walk(header)
        if header:
            Collector(self.module.symbol("<module>", "effect").uses).walk(header)

    def _expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._effect(node)

    def _effect(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Pass, ast.Global)):
            return
        symbol = self._define(f"<line {node.lineno}>", "effect", node)
        Collector(symbol.uses).walk([node])
        if isinstance(node, ast.Expr):
            symbol.hands += _chains([node.value])
        for target in _parts(getattr(node, "targets", None) or [getattr(node, "target", None)]):
            # The last step stands for the item or attribute that is set.
            symbol.hands += [chain + ("=",) for chain in _chains([target])]


def _leaves_name(decorator: ast.expr) -> bool:
    """Whether a decorated method is still reached by its name alone, and handed to nobody."""
    name = (called_chain(decorator) or ("fixture",))[-1]
    return "fixture" not in name and (isinstance(decorator, ast.Name) or name in CALLED_BY_NAME)


def _span(node: ast.AST) -> Span:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])  # type: ignore[attr-defined]
    return first, getattr(node, "end_lineno", None) or first


def _chains(nodes: Sequence[ast.AST]) -> List[Chain]:
    return [chain for chain in map(called_chain, nodes) if chain is not None]


def _flat(targets: Sequence[Optional[ast.AST]]) -> List[ast.AST]:
    found: List[ast.AST] = []
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            found += _flat(target.elts)
        elif isinstance(target, ast.Starred):
            found += _flat([target.value])
        elif target is not None:
            found.append(target)
    return found


def _bound_names(targets: Sequence[ast.AST]) -> List[str]:
    return [target.id for target in _flat(targets) if isinstance(target, ast.Name)]


def _parts(targets: Sequence[Optional[ast.AST]]) -> List[ast.AST]:
    """Targets that set a part of something: an item or an attribute."""
    return [target for target in _flat(targets) if isinstance(target, (ast.Subscript, ast.Attribute))]
