"""A run that ends between two tests when its time is spent, and goes on later. PYTEST_DONT_REWRITE"""

import hashlib
import time
from typing import Any, Dict, List, Optional

import pytest

REASON = "the time budget is spent"


class PartialRun:
    """Counts tests in their final order; at least one is run, so that going on always comes to an end."""

    def __init__(self, reporter: Any) -> None:
        self.reporter = reporter
        session = reporter.request["session"]
        self.resume: Optional[Dict[str, Any]] = session.get("resume")
        budget: Optional[float] = session.get("time_budget")
        self.deadline = None if budget is None else time.monotonic() + budget
        self.done = 0
        self.count = 0
        self.order = ""
        self.more = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: Any) -> None:
        self.session = session
        self.count = len(session.items)
        self.order = hash_of([item.nodeid for item in session.items])
        if self.resume is None:
            return
        if self.resume["order"] != self.order:
            message = (
                "resume_after: the collection has changed since the run before (%d tests then, %d now, or another "
                "order), so it cannot go on from there; start again without resume_after."
                % (self.resume["count"], self.count)
            )
            self.reporter.emit("refused", message=message)
            raise pytest.UsageError(message)
        self.done = self.resume["offset"]
        del session.items[: self.done]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Any:
        self.more = nextitem is not None
        yield
        self.done += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        # Before the teardown, which then also ends the fixtures of wider scopes.
        late = self.deadline is not None and time.monotonic() >= self.deadline
        if late and self.more and report.when != "teardown":
            self.session.shouldstop = REASON

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> None:
        if self.done < self.count:
            seed = getattr(session.config.option, "randomly_seed", None)
            self.reporter.emit(
                "resume_point",
                offset=self.done,
                count=self.count,
                order=self.order,
                seed=seed if isinstance(seed, int) else None,
            )


def hash_of(ids: List[str]) -> str:
    """Alike for the same ids in the same order."""
    return hashlib.sha256("\n".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:12]
