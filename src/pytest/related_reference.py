"""Which code names a file that is not Python."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import Callable, Iterator, Set, Tuple

from pytest_mcp_related_layout import SHORTEST_NAME, find_files
from pytest_mcp_related_project import Project
from pytest_mcp_related_resolve import Node
from pytest_mcp_related_uses import lists_files


# Longer files are data, which name no others.
LONGEST_TEXT = 100_000


def nodes_that_name(project: Project, path: str) -> Set[Node]:
    """The symbols with a string that names the file, and those that find it; else that name its stem or folder."""
    folder, _, name = path.rpartition("/")
    found = nodes_that_read(project, path)
    if _nodes(project, lambda text: name in text):
        return found
    names = {each for each in (name.partition(".")[0], folder.rpartition("/")[2]) if len(each) >= SHORTEST_NAME}
    return found | _nodes(project, lambda text: _last(text) in names)


def nodes_that_read(project: Project, path: str) -> Set[Node]:
    """The symbols with a string that names the file, and those that find it."""
    name = path.rpartition("/")[2]
    named = _nodes(project, lambda text: name in text or _is_pattern_for(text, name))
    return named | _nodes_that_find(project, path)


def files_naming(root: str, path: str) -> Set[str]:
    """Files of the same kind that name a file, and those that name these."""
    suffix = os.path.splitext(path)[1]
    texts = {each: _text(os.path.join(root, each)) for each in find_files(root, ["*" + suffix]) if each.endswith(suffix)} if suffix else {}
    found: Set[str] = set()
    waiting = [path]
    while waiting:
        name = waiting.pop().rpartition("/")[2]
        naming = {each for each, text in texts.items() if each not in found and each != path and name in text}
        found |= naming
        waiting += naming
    return found


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST_TEXT)
    except OSError:
        return ""


def _nodes_that_find(project: Project, path: str) -> Set[Node]:
    """The symbols that name a folder above the file where files are listed or paths put together, or its ending."""
    *folders, name = path.split("/")
    suffix = "." + name.rpartition(".")[2] if "." in name else ""
    found: Set[Node] = set()
    for module in project.modules.values():
        symbols = module.symbols.values()
        lists = any(lists_files(symbol.uses) for symbol in symbols)
        completes = suffix != "" and any(suffix in symbol.uses.strings for symbol in symbols)
        for symbol in symbols:
            strings = symbol.uses.strings
            ends = suffix != "" and suffix in strings
            named = [text for text in strings if _last(text) in folders and len(_last(text)) >= SHORTEST_NAME]
            put_together = completes or any(text.endswith("/") for text in named)
            if (named and (lists or put_together)) or (ends and lists_files(symbol.uses)):
                found.add((module.path, symbol.name))
    return found


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
