"""What a name means: from chains, imports and strings to the symbols that define them."""

from __future__ import annotations

import re
from typing import Dict, FrozenSet, Iterable, List, NamedTuple, Set, Tuple

from pytest_mcp_related_layout import Import, Layout, module_id
from pytest_mcp_related_symbols import Module, Symbol
from pytest_mcp_related_uses import Chain

Node = Tuple[str, str]
"""A file and a symbol in it, or one of these."""
WHOLE = "<whole>"  # every symbol of the file: somebody holds the module itself
MODULE = "<module>"  # statements of the file that bind no name
IMPORT = "<import>"  # what importing the file does to the rest of the process
MISSING = "<missing>"  # names that the file is asked for and does not define

DOTTED = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_][\w.]*)?$")
PREFIX = re.compile(r"^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.(?:$|[%{*])")
RELATIVE = re.compile(r"^(\.+)([A-Za-z_]\w*(?:\.\w+)*)$")
# Attributes that every module has: asking for them says nothing about its content.
OF_EVERY_MODULE = frozenset(("__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__", "__cached__"))

TEST_FOLDERS = frozenset(("test", "tests", "testing"))
# File names that mean no file of the project in particular.
OF_EVERY_FOLDER = frozenset(("__init__.py", "__main__.py", "conftest.py", "setup.py", ".py"))


class Value(NamedTuple):
    """What a name can stand for."""

    direct: FrozenSet[Node]  # where the name itself is bound, re-exports included
    origins: FrozenSet[Node]  # the definitions behind it
    modules: FrozenSet[str]  # the modules behind it


class Found(NamedTuple):
    """What a chain leads to; `rest` are the attributes beyond the last known symbol."""

    links: Set[Node]
    origins: FrozenSet[Node]
    rest: Chain


class Started(NamedTuple):
    """What the configuration names to be run: the function behind each command, what is behind each group of entry points."""

    scripts: Dict[str, str]
    groups: Dict[str, List[str]]


NOTHING = Value(frozenset(), frozenset(), frozenset())


def _union(values: Iterable[Value]) -> Value:
    found = [value for value in values if value is not NOTHING]
    if len(found) < 2:
        return found[0] if found else NOTHING
    direct, origins, modules = zip(*found)
    return Value(frozenset().union(*direct), frozenset().union(*origins), frozenset().union(*modules))


class Resolver:
    """Looks names up through bindings, re-exports, star imports and lazy modules."""

    def __init__(self, layout: Layout, modules: Dict[str, Module], started: Started) -> None:
        self.layout = layout
        self.modules = modules
        self._started = started
        # Names that exist in a module only because of a star import, with what they lead to.
        self.star_bound: Dict[Node, FrozenSet[Node]] = {}
        self._commands: Dict[str, List[str]] = {}
        for path in layout.files:
            if "/management/commands/" in "/" + path:
                self._commands.setdefault(path.rpartition("/")[2][:-3], []).append(path)
        self._members: Dict[Tuple[str, str], Value] = {}
        self._starred_names: Dict[str, Dict[str, List[str]]] = {}
        self._chains: Dict[Tuple[str, Chain], Found] = {}

    def symbol(self, node: Node) -> Symbol:
        """The symbol of a node that is one."""
        return self.modules[node[0]].symbols[node[1]]

    def imported(self, importer: str, item: Import) -> Value:
        """What an import statement binds."""
        return self._imported(importer, item, set())

    def member(self, module: str, name: str) -> Value:
        """What `module.name` is."""
        return self._member(module, name, set())

    def chain(self, path: str, chain: Chain, local: Dict[str, List[Import]]) -> Found:
        """What a dotted name means in a file; `local` are imports inside the function that uses it."""
        if chain[0] in local:
            items = local[chain[0]]
            values = [self.imported(path, item) for item in items]
            return self._follow(_union([*values, self._head(path, chain[0])]), chain)
        key = (path, chain)
        found = self._chains.get(key)
        if found is None:
            found = self._chains[key] = self._follow(self._head(path, chain[0]), chain)
        return found

    def text(self, path: str, text: str) -> Set[Node]:
        """What a string can name: a dotted path, the beginning of one, a relative module, or a file."""
        if text.endswith(".py") and text not in OF_EVERY_FOLDER:
            name = text.replace("\\", "/").lstrip("./")
            return {(f, WHOLE) for f in self.layout.files if f == name or f.endswith("/" + name)}
        relative = RELATIVE.match(text)
        if relative is not None:
            return self.whole(self.layout.find(path, Import(len(relative[1]), relative[2], "")))
        prefix = PREFIX.match(text)
        if prefix is not None:
            return {(f, WHOLE) for each in self.layout.absolute(prefix[1]) for f in self.layout.below(each)}
        return self._dotted(text.replace(":", ".")) if DOTTED.match(text) else set()

    def script(self, text: str) -> Set[Node]:
        """What a command line starts, if it is a script of the project."""
        scripts = self._started.scripts
        target = scripts.get(text) or scripts.get(text.partition(" ")[0])
        return self._dotted(target.replace(":", ".")) if target else set()

    def group(self, text: str) -> Set[Node]:
        """What is loaded by the name of a group of entry points; one that lies among the tests is only for some of them."""
        found = {node for target in self._started.groups.get(text, ()) for node in self._dotted(target.replace(":", "."))}
        return {node for node in found if TEST_FOLDERS.isdisjoint(node[0].split("/"))}

    def whole(self, modules: Iterable[str]) -> Set[Node]:
        """The nodes that stand for all of these modules."""
        files = (self.layout.file_of(module) for module in modules)
        return {(path, WHOLE) for path in files if path is not None}

    def installed(self, app: str) -> Set[Node]:
        """What Django does with an app that the settings name: its models are imported, its configuration and tags for templates used."""
        modules = self.layout.absolute(app)
        models = (self.layout.child(module, "models") for module in modules)
        files = (self.layout.file_of(module) for module in (*modules, *models) if module is not None)
        configuration = (self.layout.child(module, "apps") for module in modules)
        tags = (self.layout.child(module, "templatetags") for module in modules)
        used = {(path, WHOLE) for folder in tags if folder is not None for path in self.layout.below(folder)}
        used |= self.whole(module for module in configuration if module is not None)
        return used | {(path, IMPORT) for path in files if path is not None}

    def command(self, text: str) -> Set[Node]:
        """The command of Django with that name."""
        return {(path, WHOLE) for path in self._commands.get(text, ())}

    def _dotted(self, dotted: str) -> Set[Node]:
        names = tuple(dotted.split("."))
        modules = self.layout.absolute(names[0])
        value = Value(frozenset(), frozenset(), frozenset(modules))
        found = self._follow(value, names).links if modules else set()
        if len(names) == 2 and names[1][:1].isupper() and any(self.layout.child(each, "models") for each in modules):
            found |= self._follow(value, (names[0], "models", names[1])).links  # Django's name of a model
        return found

    def _imported(self, importer: str, item: Import, seen: Set[Tuple[str, str]]) -> Value:
        modules = self.layout.find(importer, item)
        if not item.name:
            return Value(frozenset(), frozenset(), frozenset(modules)) if modules else NOTHING
        return _union([self._member(module, item.name, seen) for module in modules])

    def _head(self, path: str, name: str) -> Value:
        """A bare name in a file: its own symbols only, or the answer is a builtin."""
        value = self._defined(path, name, set())
        if name == "__path__":
            return Value(frozenset((f, WHOLE) for f in self.layout.below(module_id(path))), frozenset(), frozenset())
        return value

    def _member(self, module: str, name: str, seen: Set[Tuple[str, str]]) -> Value:
        key = (module, name)
        if key in self._members:
            return self._members[key]
        if key in seen:
            return NOTHING
        first = not seen
        seen.add(key)
        value = self._find(module, name, seen)
        if first:
            # Inside an import cycle an answer is only a part.
            self._members[key] = value
        return value

    def _find(self, module: str, name: str, seen: Set[Tuple[str, str]]) -> Value:
        path = self.layout.file_of(module)
        value = self._defined(path, name, seen) if path is not None else NOTHING
        value = self._with_child(value, module, name)
        if value is not NOTHING or path is None or name in OF_EVERY_MODULE:
            return value
        return self._dynamic(path, name, seen)

    def _defined(self, path: str, name: str, seen: Set[Tuple[str, str]]) -> Value:
        module = self.modules[path]
        node = (path, name)
        symbol = module.symbols.get(name)
        if symbol is not None:
            bound = _union([self._imported(path, item, seen) for item in module.bindings.get(name, ())])
            own = frozenset() if symbol.kind == "import" else frozenset((node,))
            return Value(frozenset((node,)), bound.origins | own, bound.modules)
        files = self._star_table(module).get(name) if module.stars else None
        if not files:
            return NOTHING
        starred = _union([self._starred(file, name, seen) for file in files])
        if starred is NOTHING:
            return NOTHING
        self.star_bound[node] = self.star_bound.get(node, frozenset()) | starred.direct
        return Value(frozenset((node,)), starred.origins, starred.modules)

    def _starred(self, file: str, name: str, seen: Set[Tuple[str, str]]) -> Value:
        key = (file, "*" + name)
        if key in seen:
            return NOTHING
        seen.add(key)
        # Importing a submodule makes it an attribute of its package, and a star import takes that too.
        return self._with_child(self._defined(file, name, seen), module_id(file), name)

    def _with_child(self, value: Value, module: str, name: str) -> Value:
        child = self.layout.child(module, name)
        return value if child is None else Value(value.direct, value.origins, value.modules | {child})

    def _star_table(self, module: Module) -> Dict[str, List[str]]:
        """For each name that the star imports of a module bring: the files that they bring it from."""
        table = self._starred_names.get(module.path)
        if table is None:
            table = self._starred_names[module.path] = {}
            for file in self._star_files(module):
                for name in self._names_of(file):
                    table.setdefault(name, []).append(file)
        return table

    def _star_files(self, module: Module) -> List[str]:
        modules = (each for item in module.stars for each in self.layout.find(module.path, item))
        return [file for file in map(self.layout.file_of, modules) if file is not None]

    def _names_of(self, file: str) -> Set[str]:
        """All names of a file, with submodules and what its own star imports bring."""
        names: Set[str] = set()
        seen = {file}
        waiting = [file]
        while waiting:
            each = waiting.pop()
            names.update(self.modules[each].symbols, self.layout.children(module_id(each)))
            further = [star for star in self._star_files(self.modules[each]) if star not in seen]
            seen.update(further)
            waiting += further
        return names

    def _dynamic(self, path: str, name: str, seen: Set[Tuple[str, str]]) -> Value:
        """A name that no statement binds: a lazy module's `__getattr__` may, or it is gone."""
        module = module_id(path)
        if name == "__path__":
            return Value(frozenset((f, WHOLE) for f in self.layout.below(module)), frozenset(), frozenset())
        if name == "__dict__":
            return Value(frozenset(((path, WHOLE),)), frozenset(), frozenset())
        missing = (path, MISSING)
        if not self.modules[path].is_lazy:
            return Value(frozenset((missing,)), frozenset(), frozenset())
        below = [f for f in self.layout.below(module) if name in self.modules[f].symbols and f != path]
        lazy = _union([self._defined(f, name, seen) for f in below])
        own = {missing, (path, "__getattr__"), (path, MODULE)}
        return Value(lazy.direct | own, lazy.origins, lazy.modules)

    def _follow(self, value: Value, chain: Chain) -> Found:
        links = set(value.direct)
        for index, name in enumerate(chain[1:], 1):
            if not value.modules:
                return Found(links, value.origins, chain[index:])
            value = _union([self.member(module, name) for module in value.modules])
            links |= value.direct
        links |= self.whole(value.modules)
        return Found(links, value.origins, ())
