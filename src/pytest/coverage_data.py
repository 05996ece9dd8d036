"""What pytest-cov measured, as numbers and line ranges. PYTEST_DONT_REWRITE"""

import json
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import pytest
from pytest_mcp_failure_data import message_of

COUNTS = ("statements", "missing_statements", "branches", "missing_branches")

# Enough to see what is meant; coverage.paths measures the others, too.
MOST_NAMED = 5
NOTHING = "no line that was asked for was measured"

Data = Dict[str, Any]


class CoverageReporter:
    """Asks pytest-cov's coverage object once everything is combined."""

    def __init__(self, reporter: Any, wanted: Data) -> None:
        self.reporter = reporter
        self.paths: Optional[List[str]] = wanted["paths"]
        self.changed: Optional[Dict[str, Any]] = wanted["changed"]
        self.measured: Set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        plugin = session.config.pluginmanager.get_plugin("_cov")
        required = getattr(getattr(plugin, "options", None), "cov_fail_under", None) or None
        try:
            data = self._measured(plugin.cov_controller.cov)
            lacking = self._unmeasured()
            problem = self._lacking(lacking)
            if problem is None and not data["files"] and not data["complete_files"]:
                problem = NOTHING
        except Exception as error:  # no data, or a version that keeps it elsewhere: the tests have run all the same
            data, lacking = _sum([]), list(self.paths or ["."])
            problem = "%s: %s" % (type(error).__name__, message_of(error))
        self.reporter.emit(
            "coverage", required=required, problem=problem, unmeasured_files=len(lacking), **data
        )

    def _measured(self, cov: Any) -> Data:
        file = os.path.join(os.path.dirname(os.environ["COVERAGE_FILE"]), "report.json")
        cov.json_report(outfile=file, ignore_errors=True)
        with open(file, encoding="utf-8") as report:
            measured = json.load(report)["files"]
        root = self.reporter.request["root"]
        files = []
        for name, data in measured.items():
            path = os.path.relpath(os.path.join(root, name), root).replace(os.sep, "/")
            self.measured.add(path)
            if self._is_wanted(path):
                lines = None if self.changed is None else self.changed[path]
                files.append(describe(path, data, None if lines is None else _statements(cov, os.path.join(root, name), lines)))
        return _sum([file for file in files if file["statements"]])

    def _unmeasured(self) -> List[str]:
        """What was asked for and of which nothing is known: a total without it must not pass for all of it."""
        root = self.reporter.request["root"]
        if self.changed is None:
            return [path for path in self.paths or ["."] if not any(_is_in(each, path) for each in self.measured)]
        paths = [path for path in self.changed or () if path.endswith(".py") and path not in self.measured]
        return sorted(path for path in paths if self._is_wanted(path) and os.path.isfile(os.path.join(root, path)))

    def _is_wanted(self, path: str) -> bool:
        if self.changed is not None and path not in self.changed:
            return False
        return self.paths is None or any(_is_in(path, folder) for folder in self.paths)

    def _lacking(self, paths: List[str]) -> Optional[str]:
        if not paths or paths == ["."]:
            return NOTHING if paths else None
        more = " and %d more" % (len(paths) - MOST_NAMED) if len(paths) > MOST_NAMED else ""
        asked = "asked for" if self.changed is None else "changed"
        why = "%s, but not measured: never imported, not valid Python, or left out by the settings" % asked
        return "%s%s: %s" % (", ".join(paths[:MOST_NAMED]), more, why)


def _is_in(path: str, folder: str) -> bool:
    return folder == "." or path == folder or path.startswith(folder + "/")


def _statements(cov: Any, file: str, changed: Sequence[Tuple[int, int]]) -> Set[int]:
    """The lines at which changed statements begin: coverage counts no others."""
    lines = {line for first, last in changed for line in range(first, last + 1)}
    begins: Set[int] = cov._get_file_reporter(file).translate_lines(lines)
    return begins


def describe(path: str, data: Data, lines: Optional[Set[int]]) -> Data:
    """One file; only the statements of these lines where they are given."""
    executed, missing = set(data["executed_lines"]), set(data["missing_lines"])
    branches = [tuple(branch) for branch in data.get("executed_branches", ())]
    gaps = [tuple(branch) for branch in data.get("missing_branches", ())]
    if lines is not None:
        executed, missing = executed & lines, missing & lines
        branches = [branch for branch in branches if branch[0] in lines]
        gaps = [branch for branch in gaps if branch[0] in lines]
    # A branch from or to a line that never ran says nothing new.
    told = [gap for gap in gaps if missing.isdisjoint(gap)]
    return {
        "path": path,
        "statements": len(executed) + len(missing),
        "missing_statements": len(missing),
        "branches": len(branches) + len(gaps),
        "missing_branches": len(gaps),
        "missing": ranges(missing, executed) + ["%d->%s" % (a, b if b > 0 else "exit") for a, b in sorted(told)],
    }


def ranges(missing: Set[int], executed: Set[int]) -> List[str]:
    """`3-9` for lines that follow each other with nothing between them that ran."""
    found: List[List[int]] = []
    for line in sorted(missing | executed):
        if line in executed:
            found.append([])
        elif found and found[-1]:
            found[-1][1] = line
        else:
            found.append([line, line])
    pairs = [pair for pair in found if pair]
    return [str(first) if first == last else "%d-%d" % (first, last) for first, last in pairs]


def _sum(files: Iterable[Data]) -> Data:
    every = list(files)
    lacking = [file for file in every if file["missing_statements"] or file["missing_branches"]]
    totals: Data = {name: sum(file[name] for file in every) for name in COUNTS}
    return {**totals, "files": lacking, "complete_files": len(every) - len(lacking)}
