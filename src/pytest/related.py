"""Which tests can be affected by changed files: one JSON request on stdin, one JSON answer on stdout.

request: {"root": "/p", "changed": {"src/a.py": null, "src/b.py": [[10, 12]]}}: null is the whole file, ranges are lines of
         the file as it is now, from 1, both ends included; [n, n - 1] is a deletion just before line n.
         optional: lost: {"src/a.py": ["src.b", ""]}: what importing a file no longer does: modules that it imported, as it
         wrote them, and "" for another statement.
         optional, otherwise read from the settings: test_files, test_functions, test_classes (the ini options python_*),
         test_paths (testpaths), doctest_modules and doctest_globs.
answer:  {"files": [{"path", "because", "distance", "tests", "functions"}], "total": 40, "everything": false, "why": "",
          "notes": []}: nearest first; tests null means the whole file, else names within it ("test_a", "TestB::test_c",
          "TestD"); functions counts them, total those of all files, without parameters. everything means that the whole
          suite can be affected; files is empty then.

The graph is made fresh from the files with `ast`; no code of the project is imported or executed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import warnings
from typing import Any, Dict, List, Optional, Sequence, Tuple

from pytest_mcp_related_change import Changes, Plan, plan, reason_for_everything, stand_in
from pytest_mcp_related_layout import TooManyFiles, find_files
from pytest_mcp_related_project import Options, Project, Selected, count_functions

# Enough to find a broken file by; the full list helps nobody.
MOST_NAMED = 5


def answer(request: Dict[str, Any]) -> Dict[str, Any]:
    """Answer one request."""
    root = os.path.realpath(request["root"])
    notes: List[str] = []
    try:
        changes, notes = _inside(root, request["root"], request["changed"])
        for path in changes:
            if reason_for_everything(path):
                return _everything(reason_for_everything(path), notes)
        project = Project(root, _options(request), _gone(root, changes))
    except TooManyFiles as error:
        return _everything(str(error), notes)
    found = plan(project, changes, request.get("lost") or {})
    if found.everything:
        return _everything(found.everything, notes)
    return {
        "files": [each._asdict() for each in _merge(project, found)],
        "total": sum(map(count_functions, project.tests_of.values())),
        "everything": False,
        "why": "",
        "notes": [*notes, *found.notes, *_unreadable(project, changes)],
    }


def _inside(root: str, given: str, changed: Dict[str, Any]) -> Tuple[Changes, List[str]]:
    """The changed paths relative to the root, POSIX style; a folder stands for the Python files in it."""
    changes: Changes = {}
    notes: List[str] = []
    for path, ranges in changed.items():
        inside = _relative(path, given) or _relative(path, root)
        if inside is None:
            notes.append(f"{path} is outside the root: ignored")
        elif os.path.isdir(os.path.join(root, inside)):
            prefix = "" if inside == "." else inside + "/"
            below = [prefix + file for file in find_files(os.path.join(root, inside))]
            changes.update(dict.fromkeys(below))
            notes.append(f"{path} is a folder: its {len(below)} Python files count as changed")
        else:
            changes[inside] = ranges
    return changes, notes


def _relative(path: str, root: str) -> Optional[str]:
    try:
        inside = os.path.relpath(os.path.join(root, path), root).replace(os.sep, "/")
    except ValueError:  # another drive
        return None
    return None if inside == ".." or inside.startswith("../") else inside


def _options(request: Dict[str, Any]) -> Options:
    return Options(
        tuple(request.get("test_files") or ()),
        tuple(request.get("test_functions") or ()),
        tuple(request.get("test_classes") or ()),
        tuple(request.get("test_paths") or ()),
        bool(request.get("doctest_modules")),
        tuple(request.get("doctest_globs") or ()),
    )


def _gone(root: str, changes: Changes) -> List[str]:
    """Changed modules that have no Python file: deleted, or compiled."""
    modules = [stand_in(path) for path in changes]
    return [path for path in modules if path.endswith(".py") and not os.path.exists(os.path.join(root, path))]


def _merge(project: Project, found: Plan) -> List[Selected]:
    selected = {each.path: each for each in project.select(found.nodes)}
    for path, because in found.below.items():
        distance = min(1, selected[path].distance) if path in selected else 1
        reason = because if distance else selected[path].because
        selected[path] = Selected(path, reason, distance, None, count_functions(project.tests_of[path]))
    there = [each for each in selected.values() if os.path.exists(os.path.join(project.root, each.path))]
    return sorted(there, key=lambda each: (each.distance, each.path))


def _unreadable(project: Project, changes: Changes) -> List[str]:
    paths = [path for path, module in project.modules.items() if module.problem and path not in changes]
    if not paths:
        return []
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return [f"only the import lines of {', '.join(paths[:MOST_NAMED])}{more} were read: they do not parse"]


def _everything(why: str, notes: Sequence[str]) -> Dict[str, Any]:
    return {"files": [], "total": None, "everything": True, "why": why, "notes": list(notes)}


def main(_boot: Optional[object] = None, rest: bytes = b"") -> None:
    """Read a request, write the answer. `rest` is what was already read of stdin."""
    gc.disable()  # a short life with many small objects: collecting costs a third of the time
    warnings.simplefilter("ignore")  # of old escapes in the project's sources
    while b"\n" not in rest:
        chunk = os.read(0, 1 << 20)
        if not chunk:
            break
        rest += chunk
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    sys.stdout.write(json.dumps(answer(json.loads(rest))) + "\n")
    sys.stdout.flush()
    os._exit(0)


def _end_with_stdin() -> None:
    """Whoever asked is gone when stdin ends: nobody waits for the answer."""
    while os.read(0, 1 << 10):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
