"""Where the Python files of a project are, and by which names they can be imported.

A module's id is its path from the root without `.py` or `/__init__.py`; a directory without `__init__.py` has an id
too, because it can be a namespace package. Relative imports are steps between ids. Absolute ones start at any directory
that can be on sys.path, so src layouts, flat ones, monorepos and namespace packages need no configuration.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from typing import Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Sequence, Set

# Directories that hold no source of the project: pytest's norecursedirs, caches and environments.
NEVER_SOURCE = frozenset(("__pycache__", "node_modules", "site-packages", "CVS", "_darcs", "{arch}"))
# These do hold source when they are packages (PyPI has a package called `build`).
SOURCE_IF_PACKAGE = frozenset(("build", "dist", "venv", "env"))


TEMPLATES = ("*.html", "*.htm", "*.j2", "*.jinja*", "*.mako", "*.djt")
# Above this the answer takes longer than most suites of selected tests save.
MOST_FILES = 10_000
# A shorter folder name or stem is an ordinary word more often than a reference.
SHORTEST_NAME = 3
PATTERN = re.compile(r"[*?\[{]")


class TooManyFiles(Exception):
    """The root is no project, or one that is too large to read for each request."""


class Import(NamedTuple):
    """One imported name: `from <level dots><module> import <name>`; name is "" for the module itself."""

    level: int
    module: str
    name: str


def find_files(root: str, documents: Sequence[str] = ()) -> List[str]:
    """The paths of the Python files below the root, POSIX style, and of documents that match these patterns."""
    found: List[str] = []
    for folder, folders, names in os.walk(root):
        here = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if here == "." else here + "/"
        folders[:] = sorted(name for name in folders if _is_source(os.path.join(folder, name), name))
        for name in sorted(names):
            if name.endswith(".py") or matches(prefix + name, documents):
                found.append(prefix + name)
        if len(found) > MOST_FILES:
            raise TooManyFiles(f"the root has more than {MOST_FILES} Python files")
    return found


def _is_source(folder: str, name: str) -> bool:
    if name in NEVER_SOURCE or name.startswith(".") or name.endswith((".egg", ".egg-info")):
        return False
    if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
        return False
    return name not in SOURCE_IF_PACKAGE or os.path.exists(os.path.join(folder, "__init__.py"))


def matches(path: str, patterns: Iterable[str]) -> bool:
    """As pytest's python_files: a pattern with a slash is for the path, one without for the name."""
    name = path.rpartition("/")[2]
    return any(fnmatch("/" + path, "*/" + p) if "/" in p else fnmatch(name, p) for p in patterns)


def matches_folder(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it."""
    clean = folder[2:] if folder.startswith("./") else folder.strip("/")
    return clean in ("", ".") or path == clean or path.startswith(clean + "/")


def module_id(path: str) -> str:
    """`src/pkg/__init__.py` → `src/pkg`, `src/pkg/a.py` → `src/pkg/a`."""
    stem = path.rpartition(".")[0]
    if stem == "__init__":
        return ""
    return stem[: -len("/__init__")] if stem.endswith("/__init__") else stem


def parents(path: str) -> List[str]:
    """The directories above a path, nearest first; the root is ""."""
    found: List[str] = []
    while path:
        path = path.rpartition("/")[0]
        found.append(path)
    return found


class Layout:
    """Answers which modules an import can mean."""

    def __init__(self, root: str, files: Sequence[str], import_roots: FrozenSet[str] = frozenset()) -> None:
        self.files = files
        self._root = root
        self._file_of: Dict[str, str] = {}
        for path in sorted(files, key=lambda p: p.endswith("__init__.py")):
            self._file_of[module_id(path)] = path  # a package wins over a module of the same name, as in Python
        self._ids: Set[str] = {folder for path in files for folder in parents(path)}.union(self._file_of)
        packages = {folder for folder, _, name in (path.rpartition("/") for path in files) if name == "__init__.py"}
        self._children: Dict[str, List[str]] = {}
        self._usual_roots = frozenset(import_roots) | {"src"}
        on_path = self._ids.difference(packages).union(import_roots, ("",))
        self._tops: Dict[str, List[str]] = {}
        for each in sorted(self._ids):
            folder, _, name = each.rpartition("/")
            if each:
                self._children.setdefault(folder, []).append(name)
            if each and folder in on_path:
                self._tops.setdefault(name, []).append(each)
        if "" in self._file_of:
            self._tops.setdefault(os.path.basename(root), []).append("")

    def templates(self) -> List[str]:
        """The absolute paths of all templates."""
        found = find_files(self._root, TEMPLATES)
        return [os.path.join(self._root, path) for path in found if not path.endswith(".py")]

    def file_of(self, module: str) -> Optional[str]:
        """The file that importing this module executes."""
        return self._file_of.get(module)

    def child(self, module: str, name: str) -> Optional[str]:
        """The submodule of that name."""
        found = f"{module}/{name}" if module else name
        return found if found in self._ids else None

    def children(self, module: str) -> List[str]:
        """The names of all submodules."""
        return self._children.get(module, [])

    def below(self, module: str) -> List[str]:
        """The files of a package and its subpackages."""
        prefix = module + "/" if module else ""
        return [path for path in self.files if path.startswith(prefix)]

    def in_folder(self, text: str) -> List[str]:
        """The files below a folder that a string names, alone or at the beginning of a pattern."""
        plain = PATTERN.split(text.replace("\\", "/"))[0]
        folder = (plain if plain == text else plain.rpartition("/")[0]).strip("./")
        if len(folder) < SHORTEST_NAME:
            return []
        return [path for path in self.files if f"/{folder}/" in "/" + path]

    def absolute(self, dotted: str, importer: str = "") -> List[str]:
        """The modules that `import dotted` can mean in the file `importer`."""
        first, _, rest = dotted.partition(".")
        tops = self._tops.get(first, [])
        if not tops and importer:
            beside = self.child(importer.rpartition("/")[0], first)
            tops = [beside] if beside is not None else []
        elif len(tops) > 1 and importer:
            tops = self._likely(tops, importer) or tops
        return self._descend(tops, rest)

    def _likely(self, tops: List[str], importer: str) -> List[str]:
        """Those that begin in a folder above the importer or in a usual one: these are on sys.path before others."""
        usual = self._usual_roots.union(parents(importer))
        return [top for top in tops if top.rpartition("/")[0] in usual and top in self._file_of]

    def find(self, importer: str, item: Import) -> List[str]:
        """The modules that an import statement in `importer` names."""
        if item.level == 0:
            return self.absolute(item.module, importer)
        above = parents(importer)
        return self._descend(above[item.level - 1 : item.level], item.module)

    def chain(self, importer: str, item: Import) -> List[str]:
        """The modules that an import statement executes: the one it names and the packages above it."""
        named = self.find(importer, item)
        if item.name:
            named = named + [sub for each in named for sub in [self.child(each, item.name)] if sub is not None]
        depth = item.module.count(".") + 1
        return named + [above for each in named for above in parents(each)[:depth] if above in self._file_of]

    def _descend(self, tops: List[str], dotted: str) -> List[str]:
        found = tops
        for name in dotted.split(".") if dotted else ():
            found = [child for each in found for child in [self.child(each, name)] if child is not None]
        return found


def conftests_above(path: str, files: FrozenSet[str]) -> List[str]:
    """The conftest files that pytest loads for a path, nearest first."""
    possible = [f"{folder}/conftest.py" if folder else "conftest.py" for folder in parents(path)]
    return [conftest for conftest in possible if conftest in files and conftest != path]
