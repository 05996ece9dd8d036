"""Makes the Python files of src/pytest importable under the names that they have inside the program."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any, Optional

FOLDER = Path(__file__).resolve().parents[2] / "src" / "pytest"
PREFIX = "pytest_mcp_"


class Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        file = FOLDER / f"{name[len(PREFIX):]}.py"
        return spec_from_file_location(name, file) if name.startswith(PREFIX) and file.exists() else None


sys.meta_path.append(Finder())
