"""Which code names a file that is not Python."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Callable, Iterator, Set, Tuple

from pytest_mcp_related_project import Project
from pytest_mcp_related_resolve import Node

# A shorter stem or folder name is an ordinary word more often than a reference.
SHORTEST_NAME = 3


def nodes_that_name(project: Project, path: str) -> Set[Node]:
    """The symbols with a string that names the file; else those that name its stem, its folder or a pattern for it."""
    folder, _, name = path.rpartition("/")
    near = folder.rpartition("/")[2]
    stem = name.partition(".")[0]
    by_name = _nodes(project, lambda text: name in text)
    if by_name:
        return by_name | _nodes(project, lambda text: _is_pattern_for(text, name))
    names = {each for each in (stem, near) if len(each) >= SHORTEST_NAME}
    return _nodes(project, lambda text: _last(text) in names or _is_pattern_for(text, name))


def _last(text: str) -> str:
    return text.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_pattern_for(text: str, name: str) -> bool:
    pattern = _last(text) if "*" in text else ""
    return len(pattern.strip("*?.")) > 0 and fnmatchcase(name, pattern)


def _nodes(project: Project, names_it: Callable[[str], bool]) -> Set[Node]:
    return {node for node, text in _strings(project) if names_it(text)}


def _strings(project: Project) -> Iterator[Tuple[Node, str]]:
    for module in project.modules.values():
        for symbol in module.symbols.values():
            for text in symbol.uses.strings:
                yield (module.path, symbol.name), text
            for text in symbol.uses.texts:
                yield (module.path, symbol.name), text
