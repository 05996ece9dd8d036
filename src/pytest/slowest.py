"""The slowest tests, by phase. PYTEST_DONT_REWRITE"""

import heapq
from typing import Any, Dict, List, Tuple

import pytest

PHASES = ("setup", "call", "teardown")


class Slowest:
    """Keeps as many as were asked for, whatever the number of tests."""

    def __init__(self, reporter: Any, count: int) -> None:
        self.reporter = reporter
        self.count = count
        self.open: Dict[str, List[float]] = {}
        self.slowest: List[Tuple[float, str, List[float]]] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when in PHASES and "sub" not in type(report).__name__.lower():
            spent = self.open.setdefault(report.nodeid, [0.0, 0.0, 0.0])
            spent[PHASES.index(report.when)] += float(getattr(report, "duration", 0) or 0)

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        spent = self.open.pop(nodeid, None)
        if spent is None:
            return
        heapq.heappush(self.slowest, (sum(spent), nodeid, spent))
        if len(self.slowest) > self.count:
            heapq.heappop(self.slowest)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        tests = [
            {"id": self.reporter.to_root(nodeid), **{name: round(time, 6) for name, time in zip(PHASES, spent)}}
            for _, nodeid, spent in sorted(self.slowest, reverse=True)
        ]
        self.reporter.emit("durations", tests=tests)
