"""Where this interpreter is and what it imports from, as one line of JSON.

Whoever asks does not trust the answer: a test may have put something else in the interpreter's place.
"""

import json
import os
import sys
from typing import Any, Dict, Iterator, List


def main(_boot: Dict[str, Any], _rest: bytes) -> None:
    facts = {"executable": sys.executable, "directories": sorted(set(_directories()))}
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    os._exit(0)


def _links(path: str) -> List[str]:
    """The path and every other name that it has on its way through symbolic links."""
    names = [path]
    while os.path.islink(path) and len(names) < 40:
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        names.append(path)
    return names


def _directories() -> Iterator[str]:
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        yield os.path.abspath(prefix)
    for name in _links(sys.executable):
        yield os.path.dirname(os.path.dirname(os.path.abspath(name)))
    for entry in filter(None, sys.path):
        yield os.path.abspath(entry)
        yield from _named_by_pth_files(entry)


def _named_by_pth_files(directory: str) -> Iterator[str]:
    """Python itself leaves out those that it cannot see from here."""
    if not os.path.isdir(directory):
        return
    for name in os.listdir(directory):
        if name.endswith(".pth"):
            with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
            for line in map(str.strip, lines):
                if line and not line.startswith(("#", "import ", "import\t")):
                    yield os.path.normpath(os.path.join(directory, line))
