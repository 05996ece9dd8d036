"""Our part in a worker process of xdist. PYTEST_DONT_REWRITE"""

from typing import Any, Dict, List, Optional

import pytest
from pytest_mcp_observer import Observer, encode, guarded, listen_for_dump

# What the process that reports measures: a worker reads the arguments anew, and would measure everything.
COVERED = "pytest_mcp_cov_source"


class XdistWorker(Observer):
    """In a worker of xdist: puts the error on the report before it is sent to the process that reports."""

    def __init__(self, config: Any, request: Dict[str, Any]) -> None:
        super().__init__(request)
        self.output = config.workeroutput if hasattr(config, "workeroutput") else {}
        self.problems: List[str] = []
        self.interrupted: Optional[Dict[str, Any]] = None
        self.read_config(config)
        measured = config.pluginmanager.get_plugin("_cov")
        if measured is not None and COVERED in config.workerinput:
            measured.options.cov_source = config.workerinput[COVERED]
        if request["stacks_path"]:
            try:
                self.stacks = open(request["stacks_path"], "wb", buffering=0)
                listen_for_dump(self.stacks, request["dump_signal"])
            except OSError:
                pass  # a timeout then names the test without its stack

    def problem(self, message: str) -> None:
        self.problems.append(message)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        self.attach_error(report)

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.calls.clear()

    def pytest_deselected(self, items: List[Any]) -> None:
        self.deselected += len(items)

    @guarded
    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        self.interrupted = self.interruption(excinfo.value)

    @pytest.hookimpl(tryfirst=True)
    @guarded
    def pytest_sessionfinish(self, session: Any) -> None:
        said = {
            "unknown": self.unknown,
            "deselected": self.deselected,
            "counts": self.counts,
            "shard": self.shard,
            "problems": self.problems,
            "interrupted": self.interrupted,
        }
        session.config.workeroutput["pytest_mcp"] = encode(said)
