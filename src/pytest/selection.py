"""Which of the collected items a request means. PYTEST_DONT_REWRITE"""

import difflib
from typing import Any, Callable, Dict, Iterable, List, Optional, Set

# Comparing with more ids than this takes longer than the hint is worth.
MOST_COMPARED = 5000
NEAREST = 3
MOST_HINTS = 10


def base_id(item: Any, node_id: str) -> str:
    """The node id without its parameter id."""
    callspec = getattr(item, "callspec", None)
    suffix = "[%s]" % callspec.id if callspec is not None else ""
    return node_id[: -len(suffix)] if suffix and node_id.endswith(suffix) else node_id


class Selection:
    """Exact ids of tests, functions, classes, files or directories, relative to the root."""

    def __init__(self, wanted: List[str], to_root: Callable[[str], str]) -> None:
        self._wanted = set(wanted)
        self._order = wanted
        self._to_root = to_root
        self._found: Set[str] = set()
        self._parents: Dict[Any, Optional[str]] = {}

    def keeps(self, item: Any) -> bool:
        node_id = self._to_root(item.nodeid)
        match = node_id if node_id in self._wanted else None
        if match is None:
            base = base_id(item, node_id)
            match = base if base in self._wanted else self._parent_match(item.parent)
        if match is None:
            return False
        self._found.add(match)
        return True

    def _parent_match(self, parent: Any) -> Optional[str]:
        if parent is None:
            return None
        if parent not in self._parents:
            node_id = self._to_root(parent.nodeid)
            if node_id in self._wanted:
                match: Optional[str] = node_id
            elif "::" in node_id:
                match = self._parent_match(parent.parent)
            else:
                match = self._directory_match(node_id)
            self._parents[parent] = match
        return self._parents[parent]

    def _directory_match(self, path: str) -> Optional[str]:
        while path:
            path = path.rpartition("/")[0]
            if path in self._wanted:
                return path
        return "." if "." in self._wanted else None

    def missing(self, explained: Set[str]) -> List[str]:
        """Wanted ids that no item answers to, but for those in files whose collection failed or was skipped."""
        return [
            wanted
            for wanted in self._order
            if wanted not in self._found and "::" in wanted and not _explained(wanted, explained)
        ]

    def unknown(self, items: List[Any], explained: Set[str]) -> List[Dict[str, Any]]:
        """The missing ids, each with the nearest known ones."""
        missing = self.missing(explained)
        tests = [(item, self._to_root(item.nodeid)) for item in items[:MOST_COMPARED]] if missing else []
        names = sorted({name for item, node_id in tests for name in _names(base_id(item, node_id))})
        every = sorted({node_id for _, node_id in tests}.union(names))
        return [
            # Nobody who asks for a function looks for one of its parameter sets.
            {"id": wanted, "nearest": _nearest(wanted, every if "[" in wanted else names) if index < MOST_HINTS else []}
            for index, wanted in enumerate(missing)
        ]


def _names(base: str) -> Iterable[str]:
    """A function and the classes around it."""
    while "::" in base:
        yield base
        base = base.rpartition("::")[0]


def _nearest(wanted: str, known: List[str]) -> List[str]:
    """What has the same name in another place, then what is spelled alike."""
    name = wanted.partition("[")[0].rpartition("::")[2]
    namesakes = [each for each in known if each.rpartition("::")[2] == name]
    found = difflib.get_close_matches(wanted, namesakes, NEAREST, 0)
    found += difflib.get_close_matches(wanted, known, NEAREST, 0.5)
    return list(dict.fromkeys(found))[:NEAREST]


def _explained(wanted: str, explained: Set[str]) -> bool:
    return any(wanted == node_id or wanted.startswith(node_id + "::") for node_id in explained)


def files_of_shard(files: Iterable[str], index: int, total: int) -> Set[str]:
    """Every total-th file in an order that mixes neighbours, which are often alike in how long they take.

    It depends on the names alone, so that all machines with the same files agree.
    """
    import hashlib  # no run pays for it, or shows it to tests, that does not need it

    mixed = sorted(set(files), key=lambda file: (hashlib.sha256(file.encode("utf-8", "surrogatepass")).digest(), file))
    return set(mixed[index - 1 :: total])


def keep_shard(items: List[Any], shard: Dict[str, int], file_of: Callable[[Any], str]) -> Dict[str, int]:
    """Leaves the items of one shard; tells how many of how many."""
    files = [file_of(item) for item in items]
    kept = files_of_shard(files, shard["index"], shard["total"])
    total = len(items)
    items[:] = [item for item, file in zip(items, files) if file in kept]
    return {"selected": len(items), "total": total, "files": len(kept), "all_files": len(set(files))}
