"""Collects what a piece of code uses, with Python's scoping: names that are local to a function are nobody's symbols."""

from __future__ import annotations

import ast
from typing import Callable, Dict, List, Sequence, Set, Union, cast

from pytest_mcp_related_uses import (
    SIBLING,
    Function,
    Uses,
    chain_of,
    imports_of,
    is_type_checking,
    parameters_of,
    required_parameters_of,
)

# A longer string is no name and no path; it can only be source text.
LONGEST_NAME = 200
# Methods that put something into the object that they are called on.
FILLING = frozenset("add append appendleft extend insert register setdefault update".split())
# Calls whose first argument names a module.
BY_MODULE = frozenset(("import_module", "importorskip", "__import__", "run_module"))
EVALUATING = frozenset(("eval", "exec"))
# From these a module makes the names of its siblings.
OWN_PACKAGE = frozenset(("__name__", "__package__", "__path__"))
# Calls whose second argument names an attribute of the first.
BY_NAME = frozenset(("getattr", "hasattr", "setattr", "delattr", "object"))


class Collector:
    """Walks code without recursion, except into nested functions, which have a scope of their own."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self._stack: List[ast.AST] = []
        self._local: Set[str] = set()
        self._shared: Set[str] = set()

    def walk(self, nodes: Sequence[ast.AST]) -> None:
        """Collect from these nodes and all below them."""
        stack, handler_of, children = self._stack, HANDLERS.get, Collector._children
        stack.extend(nodes)
        while stack:
            node = stack.pop()
            handler_of(type(node), children)(self, node)

    def function(self, node: Function) -> None:
        """Collect from a function; names that are local to it are nobody's symbols."""
        inner = Uses()
        scope = Collector(inner)
        scope._local.update(parameters_of(node.args))
        scope.walk(node.body)
        hidden = scope._local - scope._shared - inner.imports.keys()
        inner.chains = {chain for chain in inner.chains if chain[0] not in hidden}
        inner.searched -= hidden
        inner.arguments.update(required_parameters_of(node.args))
        self.uses.add(inner)
        around = [*node.decorator_list, node.args, *getattr(node, "type_params", ())]
        self.walk([*around, node.returns] if node.returns else around)

    def _children(self, node: ast.AST) -> None:
        stack = self._stack
        for field in node._fields:
            value = getattr(node, field, None)
            if type(value) is list:
                stack += value
            elif isinstance(value, ast.AST):
                stack.append(value)

    def _name(self, node: ast.Name) -> None:
        if type(node.ctx) is ast.Load:
            self.uses.chains.add((node.id,))
        else:
            self._local.add(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        self.uses.attributes.add(node.attr)
        chain = chain_of(node)
        if chain is None:
            self._stack.append(node.value)
            return
        self.uses.attributes.update(chain[1:])
        self.uses.chains.add(chain)

    def _constant(self, node: ast.Constant) -> None:
        value: object = node.value
        if not isinstance(value, str):
            return
        if len(value) <= LONGEST_NAME:
            self.uses.strings.add(value)
        elif "import " in value:
            self.uses.texts.append(value)

    def _subscript(self, node: ast.Subscript) -> None:
        if type(node.ctx) is not ast.Load:
            self.uses.filled.update((chain_of(node.value) or ())[:1])
        self._stack.extend((node.value, node.slice))

    def _compare(self, node: ast.Compare) -> None:
        self._stack.append(node.left)
        for operator, other in zip(node.ops, node.comparators):
            if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(other, ast.Name):
                self.uses.searched.add(other.id)
            else:
                self._stack.append(other)

    def _call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in FILLING:
            self.uses.filled.update((chain_of(node.func) or ())[:1])
        if name in BY_MODULE and node.args:
            self._imported_module(node)
        if name in EVALUATING and node.args and isinstance(node.args[0], ast.Constant):
            self._evaluated(cast(object, node.args[0].value))
        if name in BY_NAME and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            chain, attribute = chain_of(node.args[0]), cast(object, node.args[1].value)
            if chain is not None and isinstance(attribute, str):
                self.uses.chains.add(chain + tuple(attribute.split(".")))
                self.uses.attributes.update((*chain[1:], attribute))
                self._stack.extend([node.func, *node.args[2:], *node.keywords])
                return
        self._children(node)

    def _evaluated(self, source: object) -> None:
        try:
            self._stack.append(ast.parse(source if isinstance(source, str) else ""))
        except (SyntaxError, ValueError):
            pass  # filled in later

    def _imported_module(self, node: ast.Call) -> None:
        first = node.args[0]
        module = cast(object, first.value) if isinstance(first, ast.Constant) else None
        if isinstance(module, str):
            self.uses.modules.add(module)
        elif any(getattr(each, "id", "") in OWN_PACKAGE or getattr(each, "value", "") == "." for each in ast.walk(node)):
            self.uses.modules.add(SIBLING)

    def _import(self, node: Union[ast.Import, ast.ImportFrom]) -> None:
        for bound, item, executed in imports_of(node):
            self.uses.imports.setdefault(bound, []).append(item)
            self.uses.executed.append(executed)

    def _function(self, node: Function) -> None:
        self._local.add(node.name)
        self.function(node)

    def _class(self, node: ast.ClassDef) -> None:
        # Names bound in a class body are attributes: they hide nothing in the functions around or inside.
        self._local.add(node.name)
        inner = Uses()
        scope = Collector(inner)
        scope._children(node)
        scope.walk(())
        self.uses.add(inner)

    def _expression_statement(self, node: ast.Expr) -> None:
        # A string that stands alone is a docstring: text, not a use.
        if not isinstance(node.value, ast.Constant):
            self._stack.append(node.value)

    def _if(self, node: ast.If) -> None:
        if is_type_checking(node):
            self._stack.extend(node.orelse)
        else:
            self._children(node)

    def _global(self, node: ast.Global) -> None:
        self._shared.update(node.names)
        self.uses.globals.update(node.names)
        self.uses.chains.update((name,) for name in node.names)

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        self._shared.update(node.names)

    def _comprehension(self, node: ast.comprehension) -> None:
        # Its target lives in a scope of its own, and must not hide a global from the function.
        self._stack.extend([node.iter, *node.ifs])

    def _except(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._local.add(node.name)
        self._children(node)


def _ignore(_collector: Collector, _node: object) -> None:
    """Operators, contexts and the plain values that stand among child nodes."""


HANDLERS: Dict[type, Callable[..., None]] = {
    ast.Name: Collector._name,
    ast.Attribute: Collector._attribute,
    ast.Constant: Collector._constant,
    ast.Call: Collector._call,
    ast.Compare: Collector._compare,
    ast.Subscript: Collector._subscript,
    ast.Import: Collector._import,
    ast.ImportFrom: Collector._import,
    ast.FunctionDef: Collector._function,
    ast.AsyncFunctionDef: Collector._function,
    ast.ClassDef: Collector._class,
    ast.Expr: Collector._expression_statement,
    ast.If: Collector._if,
    ast.Global: Collector._global,
    ast.Nonlocal: Collector._nonlocal,
    ast.ExceptHandler: Collector._except,
    ast.comprehension: Collector._comprehension,
    **dict.fromkeys((ast.Load, ast.Store, ast.Del, ast.Pass, str, type(None)), _ignore),
}
