"""What a sandbox must show of the file system for this interpreter to work in it, as one line of JSON."""

import json
import os
import sys
from typing import Any, Dict, List, Tuple

# Homes, temporary files, and the sockets through which other programs can be told what to do.
PRIVATE = ("/home", "/root", "/tmp", "/var/tmp", "/run")
# Run by people and programs outside: the project's interpreters, git's hooks.
RUN_OUTSIDE = (".venv", "venv", ".virtualenv", ".git")


def main(boot: Dict[str, Any], _rest: bytes) -> None:
    root = boot["root"]
    hidden = _hidden(root)
    facts = {
        "executable": sys.executable,
        "hidden": hidden,
        "needed": [pair for pair in _needed(hidden) if not is_below(pair[1], root)],
        "frozen": sorted(_frozen(root)),
    }
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    os._exit(0)


def is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def _hidden(root: str) -> List[str]:
    found = {os.path.realpath(path) for path in (*PRIVATE, os.path.expanduser("~")) if os.path.isdir(path)}
    found.discard("/")
    return sorted(path for path in found if not any(path != other and is_below(path, other) for other in found))


def _links(path: str) -> List[str]:
    """The path and every other name that it has on its way through symbolic links."""
    names = [path]
    while os.path.islink(path) and len(names) < 40:
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        names.append(path)
    return names


def _needed(hidden: List[str]) -> List[Tuple[str, str]]:
    """Directories of Python that would be hidden, parents first."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    prefixes.update(os.path.dirname(os.path.dirname(name)) for name in _links(sys.executable))
    names = {os.path.abspath(path) for path in (*prefixes, *sys.path) if path and os.path.exists(path)}
    names.update([os.path.realpath(path) for path in names])
    shown: List[str] = []
    for name in sorted(names):
        covers_private = any(is_below(private, name) for private in hidden)
        if covers_private or any(is_below(name, known) for known in shown):
            continue
        if any(is_below(name, private) for private in hidden):
            shown.append(name)
    return [(os.path.realpath(name), name) for name in shown]


def _frozen(root: str) -> List[str]:
    """A link that leads out of the project leads to what cannot be changed anyway."""
    real = {os.path.realpath(os.path.join(root, name)) for name in RUN_OUTSIDE}
    return [path for path in real if os.path.exists(path) and is_below(path, root)]
