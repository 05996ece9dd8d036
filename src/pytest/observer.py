"""What the process that reports and xdist's workers have in common. PYTEST_DONT_REWRITE"""

import functools
import inspect
import json
import os
import sys
from os import getpid  # ours, whatever a test puts into its place
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import pytest
from pytest_mcp_failure_data import MESSAGE_LIMIT, FailureDescriber, message_of
from pytest_mcp_items import count_functions
from pytest_mcp_long_message import clip
from pytest_mcp_report_text import subtest_name
from pytest_mcp_selection import Selection, keep_shard

# The attribute that carries an error, as JSON text, on a report: such text survives the way between processes.
DATA = "_pytest_mcp"
# Likewise the name of a subtest: pytest quotes its values once more when it sends them.
SUBTEST = "_pytest_mcp_subtest"

encode = json.JSONEncoder(separators=(",", ":"), default=repr).encode
decode = json.JSONDecoder().decode  # not json.loads, which a test may have replaced


def guarded(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A defect of ours becomes an event, never an outcome."""

    @functools.wraps(hook)
    def call(self: "Observer", *args: Any, **kwargs: Any) -> Any:
        try:
            return hook(self, *args, **kwargs)
        except Exception as error:
            self.problem("%s: %s: %s" % (hook.__name__, type(error).__name__, message_of(error)))
        return None

    call.__signature__ = inspect.signature(hook)  # type: ignore[attr-defined]  # old pluggy looks no deeper
    return call


class Observer:
    """Errors as data, and the selection."""

    def __init__(self, request: Dict[str, Any]) -> None:
        self.request = request
        self.pid = getpid()
        self.describer = FailureDescriber(request["root"], request["report"]["locals"])
        self.calls: Dict[Tuple[str, str], Any] = {}
        self.item_id = ""
        self.explained: Set[str] = set()
        self.unknown: List[Dict[str, Any]] = []
        self.waiting: Optional[Tuple[Selection, Set[int], List[Any]]] = None
        self.counts: Dict[str, int] = {}
        self.deselected = 0
        self.shard: Optional[Dict[str, int]] = None
        self.rootdir = request["root"]
        self.places: Dict[str, str] = {}
        self.known_paths: Dict[str, str] = {}

    def problem(self, message: str) -> None:
        raise NotImplementedError

    def read_config(self, config: Any) -> None:
        self.rootdir = str(getattr(config, "rootpath", None) or config.rootdir)
        if os.path.realpath(self.rootdir) == os.path.realpath(self.request["root"]):
            self.to_root = _same  # type: ignore[method-assign]
        if getattr(config.option, "dist", None) == "loadgroup":
            to_root = self.to_root
            self.to_root = lambda node_id: to_root(_without_group(node_id))  # type: ignore[method-assign]

    def to_root(self, node_id: str) -> str:
        """pytest's ids are relative to its rootdir; ours to the root of the server."""
        path, colons, rest = node_id.partition("::")
        known = self.known_paths.get(path)
        if known is None:  # while its file is collected: later a test may have replaced os.path
            absolute = self.places.get(path) or os.path.normpath(os.path.join(self.rootdir, path))
            known = os.path.relpath(absolute, self.request["root"]).replace(os.sep, "/")
            self.known_paths[path] = known
        return known + colons + rest

    @guarded
    def _note_place(self, node: Any) -> None:
        """Notes where a file is that lies outside of pytest's rootdir: its id does not say."""
        path = str(getattr(node, "path", None) or getattr(node, "fspath", None) or "")
        if path and "::" not in node.nodeid and not path.startswith(os.path.join(self.rootdir, "")):
            self.places[node.nodeid] = path
            self.known_paths.pop(node.nodeid, None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Any:
        self._note_place(collector)
        outcome = yield
        try:
            report = outcome.get_result()
            if report.outcome != "passed":
                self.explained.add(self.to_root(report.nodeid))
            call = report.__dict__.get("call")
            if report.outcome == "failed" and call is not None and call.excinfo is not None:
                setattr(report, DATA, encode(self.describer.describe(_cause_of(call.excinfo.value))))
        except Exception as error:
            self.problem("pytest_make_collect_report: %r" % error)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: List[Any]) -> Any:
        self._select(items)
        if self.unknown:
            self.refuse(items)
        outcome = yield
        if self.waiting is not None and outcome.excinfo is None:
            self._select_renamed(items, *self.waiting)

    @guarded
    def _select(self, items: List[Any]) -> None:
        self.before_selection(items)
        if self.request["select"] is not None:
            selection = Selection(self.request["select"], self.to_root)
            kept = {id(item) for item in items if selection.keeps(item)}
            everything, missing = list(items), set()
            if not self.request.get("lenient"):
                missing = {wanted.partition("::")[0] for wanted in selection.missing(self.explained)}
            # A project's own hook may rename its tests, and we told their new names: those of the same file wait for it.
            items[:] = [item for item in items if id(item) in kept or missing and self._file_of(item) in missing]
            if len(items) > len(kept):
                self.waiting = (selection, kept, everything)
            elif missing:
                self.unknown = selection.unknown(everything, self.explained)
        shard = self.request["session"].get("shard")
        if shard:
            self.shard = keep_shard(items, shard, self._file_of)

    @guarded
    def _select_renamed(self, items: List[Any], selection: Selection, kept: Set[int], everything: List[Any]) -> None:
        kept.update(id(item) for item in everything if id(item) not in kept and selection.keeps(item))
        items[:] = [item for item in items if id(item) in kept]
        self.unknown = selection.unknown(everything, self.explained)

    def _file_of(self, item: Any) -> str:
        return self.to_root(item.nodeid).partition("::")[0]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_finish(self, session: Any) -> Any:
        if self.waiting is not None and self.unknown:
            self.refuse(session.items)
        outcome = yield
        # pytest calls this hook also when something has broken the collection off.
        if outcome.excinfo is None and sys.exc_info()[0] is None:
            self.after_collection(session)

    def after_collection(self, session: Any) -> None:
        pass

    def before_selection(self, items: List[Any]) -> None:
        self.counts = count_functions(items, self.to_root)

    def refuse(self, items: List[Any]) -> None:
        items[:] = []

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        self.item_id = item.nodeid
        self.calls[(item.nodeid, call.when)] = call  # unittest fills in excinfo later
        outcome = yield
        if getpid() != self.pid and outcome.excinfo is None:
            self.attach_error(outcome.get_result())

    @guarded
    def attach_error(self, report: Any) -> None:
        """The report goes to another process, and the error itself cannot."""
        if report.outcome == "passed":
            return
        for name, text in ((SUBTEST, self.subtest_of(report)), (DATA, self.error_of(report))):
            if text is not None:
                setattr(report, name, text)

    def interruption(self, error: BaseException) -> Dict[str, Any]:
        """What ended the session, and why."""
        kind = "keyboard" if isinstance(error, KeyboardInterrupt) else "exit"
        return {"kind": kind, "reason": clip(message_of(error), MESSAGE_LIMIT), "error": self.describer.describe(error)}

    def subtest_of(self, report: Any) -> Optional[str]:
        """The name of the subtest that a report is about."""
        attached: Optional[str] = getattr(report, SUBTEST, None)
        context = getattr(report, "context", None)
        if attached is None and context is not None and "sub" in type(report).__name__.lower():
            return subtest_name(context)
        return attached

    def error_of(self, report: Any) -> Optional[str]:
        """The error of a report as JSON text; from another process it comes attached."""
        attached: Optional[str] = getattr(report, DATA, None)
        call = self.calls.get((report.nodeid, report.when)) or self.calls.get((self.item_id, report.when))
        if attached is None and call is not None and call.excinfo is not None:
            attached = encode(self.describer.describe(call.excinfo.value))
        return attached


def listen_for_dump(file: Any, number: Optional[int]) -> None:
    """Lets the supervisor ask for the stacks of all threads, even while C code holds the GIL."""
    import faulthandler

    if number is not None and hasattr(faulthandler, "register"):
        faulthandler.register(number, file=file, all_threads=True, chain=False)


def _same(node_id: str) -> str:
    return node_id


def _without_group(node_id: str) -> str:
    """xdist's workers add the group of a test to its id: `test_it.py::test_a[1]@group`."""
    path, colons, rest = node_id.partition("::")
    at = rest.rfind("@")
    return path + colons + rest[:at] if at > rest.rfind("]") else node_id


def _cause_of(error: BaseException) -> BaseException:
    """pytest wraps what went wrong at import in an error of its own."""
    while type(error).__name__ == "CollectError" and error.__cause__ is not None:
        error = error.__cause__
    return error
