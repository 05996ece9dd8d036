"""What `python -c` runs: takes our modules from the first line of stdin and starts one of them.

The project is not on sys.path yet, so that none of its files can stand in for a module of the
standard library while we start.
"""

import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]  # before any import that could find a file of the project

import os
from typing import Any, Dict, Iterable, Optional, Tuple

if len(sys.argv) > 2:
    # Deno does not pass LD_* and DYLD_* on, and the dynamic loader reads them at exec only: start again with them.
    import json

    os.environ.update(json.loads(sys.argv[1]))
    os.execv(sys.executable, [sys.executable, "-c", sys.argv[2]])


class SourceFinder:
    """Imports modules from source text, so that nothing is written to disk."""

    def __init__(self, sources: Dict[str, str]) -> None:
        self.sources = sources
        self.modules = sys.modules  # ours to use when the names of this file are gone, too
        self.at_start = set(sys.modules)
        self.aside: Dict[str, Any] = {}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:
        if name not in self.sources:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, origin="<%s>" % name)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        name = module.__name__
        seen = {name: self.modules.get(name) for name in self.aside}
        self.modules.update(self.aside)
        try:
            exec(compile(self.sources[name], "<%s>" % name, "exec", dont_inherit=True), module.__dict__)
        finally:
            for name, known in seen.items():
                if known is None:
                    self.modules.pop(name, None)
                else:
                    self.modules[name] = known

    def set_aside(self, names: Iterable[str]) -> None:
        """Keeps modules for ours alone: the project may have one of the same name, and imports that."""
        for name in names:
            if name in self.modules and name not in self.at_start:
                self.aside[name] = self.modules.pop(name)

    def get_source(self, name: str) -> str:
        return self.sources[name]


def _start() -> Tuple[Any, Dict[str, Any], bytes]:
    head = b""
    while b"\n" not in head:
        chunk = os.read(0, 1 << 20)
        if not chunk:
            os._exit(0)
        head += chunk
    import json

    line, rest = head.split(b"\n", 1)
    boot = json.loads(line)
    sys.meta_path.insert(0, SourceFinder(boot["sources"]))  # our names are ours, whatever the project has
    return __import__(boot["entry"]), boot, rest


if __name__ == "__main__":
    _module, _boot, _rest = _start()
    _module.main(_boot, _rest)
