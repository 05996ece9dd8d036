"""Collected items as data, parameter sets grouped by function. PYTEST_DONT_REWRITE"""

from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest
from pytest_mcp_selection import base_id

# One event of this many functions at most: a line that the reader can take in one step.
BATCH = 256


def group_items(items: List[Any], to_root: Callable[[str], str]) -> Iterator[List[Dict[str, Any]]]:
    """Batches of functions in collection order; a function comes again when others stand between its parameters."""
    batch: List[Dict[str, Any]] = []
    function: Any = None
    parent: Any = None
    for item in items:
        node_id = to_root(item.nodeid)
        base = base_id(item, node_id)
        param = node_id[len(base) + 1 : -1] if base != node_id else None  # hidden or renamed ones are not in the id
        if param is not None and item.parent is parent and getattr(item, "function", item) is function:
            batch[-1]["params"].append(param)
            continue
        if len(batch) >= BATCH:
            yield batch
            batch = []
        batch.append(_describe(item, base, to_root))
        function = parent = None
        if param is not None:
            batch[-1]["params"] = [param]
            function, parent = getattr(item, "function", None), item.parent
    if batch:
        yield batch


def _describe(item: Any, base: str, to_root: Callable[[str], str]) -> Dict[str, Any]:
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    is_function = isinstance(item, pytest.Function)
    file = base.partition("::")[0]
    return {
        "id": base,
        "file": file,
        "line": _line(item),
        "module": file[:-3].replace("/", ".") if is_function and file.endswith(".py") else None,
        "class": ".".join(classes) or None,
        "function": (getattr(item, "originalname", None) or item.name) if is_function else None,
        "markers": list(dict.fromkeys(mark.name for mark in item.iter_markers())),
        "params": None,
    }


def _line(item: Any) -> Optional[int]:
    try:
        line = item.location[1]
    except Exception:  # a plugin's item that does not know where it is
        return None
    return None if line is None else line + 1


def count_functions(items: List[Any], to_root: Callable[[str], str]) -> Dict[str, int]:
    """How many items each function has."""
    counts: Dict[str, int] = {}
    for item in items:
        base = base_id(item, to_root(item.nodeid))
        counts[base] = counts.get(base, 0) + 1
    return counts
