"""Modules that are loaded, but that nobody has imported yet.

A project may have a module of its own with such a name, in a directory that comes onto sys.path later. So an import
gets a module from the shelf only if it would find that very file, and the same holds for all that the module needs.
"""

import builtins
import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set


class Shelf:
    """A finder that comes before all others."""

    def __init__(self) -> None:
        self._modules: Dict[str, ModuleType] = {}
        self._needs: Dict[str, List[str]] = {}
        # names that a package gives to something else than its submodule: unittest.main is a class
        self._names: Dict[str, Dict[str, Any]] = {}
        self._taken: Set[str] = set()
        self._checked: Set[str] = set()

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def fill(self, names: Iterable[str], load: Callable[[str], None]) -> None:
        """Loads modules and takes what is new out of sys.modules again."""
        before = set(sys.modules)
        original = builtins.__import__
        builtins.__import__ = self._recording(original)
        try:
            for name in names:
                load(name)
        finally:
            builtins.__import__ = original
        for name, module in sys.modules.items():
            spec = getattr(module, "__spec__", None)
            # A second name for a module is given by code that does not run again.
            if name not in before and spec is not None and spec.name == name:
                self._modules[name] = module
        for name, module in self._modules.items():
            self._detach(name, module)
        for name in self._modules:
            del sys.modules[name]
        sys.meta_path.insert(0, self)

    def _recording(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def record(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
            result = original(name, globals, locals, fromlist, level)
            importer = globals or {}
            if level:
                name = importlib.util.resolve_name("." * level + name, importer["__package__"])
            needs = self._needs.setdefault(importer.get("__name__", ""), [])
            needs += [name, *("%s.%s" % (name, part) for part in fromlist or ())]
            return result

        return record

    def _detach(self, name: str, module: ModuleType) -> None:
        """A package has a submodule as a name only once that is imported."""
        package, _, child = name.rpartition(".")
        names = vars(sys.modules[package]) if package else {}
        if names.get(child) is module:
            del names[child]
        elif child in names:
            self._names.setdefault(package, {})[child] = names[child]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:
        # One that is there again, or that was thrown away, is loaded anew.
        if name not in self._modules or name in self._taken or target is not None:
            return None
        if name not in self._checked and not all(map(self._is_found, self._all_needed(name))):
            return None
        module = self._modules[name]
        handover = _Handover(self, module)
        spec = ModuleSpec(name, handover)  # type: ignore[arg-type]
        vars(spec).update(vars(handover.spec), loader=handover)
        return spec

    def _all_needed(self, name: str) -> Set[str]:
        """The module and all that is imported with it, as far as it is from the shelf."""
        needed: Set[str] = set()
        rest = [name]
        while rest:
            one = rest.pop()
            if one in self._modules and one not in needed:
                needed.add(one)
                rest += [one.rpartition(".")[0], *self._needs.get(one, ())]
        return needed

    def _is_found(self, name: str) -> bool:
        """Whether an import would give the module of this name that we have."""
        module = self._modules[name]
        if name in sys.modules:
            return sys.modules[name] is module
        if "." in name:  # found where its package is
            return True
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            spec = finder.find_spec(name, None)
            if spec is not None:
                return bool(spec.origin == getattr(module.__spec__, "origin", None))
        return False

    def hand_over(self, name: str) -> None:
        """Imports what the import of this module would have imported."""
        self._taken.add(name)
        checked, self._checked = self._checked, self._checked | self._all_needed(name)
        try:
            for needed in self._needs.get(name, ()):
                if needed in self._modules:
                    importlib.import_module(needed)
        finally:
            self._checked = checked
        vars(self._modules[name]).update(self._names.get(name, {}))


class _Handover:
    """Stands in for the loader, which has done its work."""

    def __init__(self, shelf: Shelf, module: ModuleType) -> None:
        self._shelf = shelf
        self._module = module
        self.spec: Any = module.__spec__

    def __getattr__(self, name: str) -> Any:
        return getattr(self.spec.loader, name)

    def create_module(self, _spec: Any) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec
        self._shelf.hand_over(self.spec.name)
