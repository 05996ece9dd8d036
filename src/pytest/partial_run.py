"""A run that ends between two tests when its time is spent, and goes on later. PYTEST_DONT_REWRITE"""

import hashlib
import re
import time
from typing import Any, Dict, List, Optional

import pytest

REASON = "the time budget is spent"
# How pytest-random-order marks a seed that nobody has chosen; what it chooses is no longer than that.
DEFAULT = "default:"
SEED = re.compile(r"[0-9]{1,9}$")


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
            self.reporter.emit(
                "resume_point",
                offset=self.done,
                count=self.count,
                order=self.order,
                seed=_seed_of(session.config.option),
            )


def keep_order(option: Any, resume: Optional[Dict[str, Any]]) -> None:
    """Settings under which the next part has its tests in the order of this one."""
    if hasattr(option, "numprocesses"):
        option.numprocesses = 0
    option.failedfirst = False  # each part changes what failed
    seed = (resume or {}).get("seed")
    if seed is None:
        return
    if hasattr(option, "randomly_seed"):
        option.randomly_seed = seed
    elif hasattr(option, "random_order_seed"):
        # Without this prefix the seed alone would turn pytest-random-order on.
        prefix = DEFAULT if option.random_order_seed.startswith(DEFAULT) else ""
        option.random_order_seed = "%s%d" % (prefix, seed)


def _seed_of(option: Any) -> Optional[int]:
    """By which pytest-randomly or pytest-random-order shuffles."""
    seed = getattr(option, "randomly_seed", None)
    if seed is None:
        seed = str(getattr(option, "random_order_seed", "")).rpartition(":")[2]
        return int(seed) if SEED.match(seed) else None
    return seed if isinstance(seed, int) else None


def hash_of(ids: List[str]) -> str:
    """Alike for the same ids in the same order."""
    return hashlib.sha256("\n".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:12]
