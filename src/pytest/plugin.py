"""Reports what pytest does, one JSON object a line, and keeps the items that a request means. PYTEST_DONT_REWRITE

Nothing here changes an outcome: every hook of ours that fails says so in an event and lets pytest go on.
"""

import sys
from json import JSONDecoder
from json.encoder import encode_basestring_ascii as quote
from os import getpid  # ours, whatever a test puts into its place
from time import monotonic
from typing import Any, Dict, List, Optional, Set, Tuple

import pytest
from pytest_mcp_failure_data import message_of
from pytest_mcp_items import group_items
from pytest_mcp_long_message import clip
from pytest_mcp_observer import DATA, Observer, decode, encode, guarded
from pytest_mcp_report_text import pending_tasks, skip_reason

# JSON knows no NaN, which a test may have put into a report.
decode_finite = JSONDecoder(parse_constant=str).decode
SECTION_LIMIT = 32 << 10
MOST_SECTIONS = 40
REASON_LIMIT = 8000
TEXT_LIMIT = 64 << 10
COLLECTING_SECONDS = 0.1
HYPOTHESIS = "hypothesispytest"
TRACEBACK = "Traceback (most recent call last)"
PHASES = ("setup", "call", "teardown")
NO_DETAILS: Dict[str, Any] = {"reason": None, "subtest": None, "error": None, "text": None, "sections": []}

# Set by the worker; stays None in xdist's own processes.
controller: Optional["Reporter"] = None


def pytest_addoption(parser: Any, pluginmanager: Any) -> None:
    if controller is not None:
        pluginmanager.register(controller, "pytest_mcp_reporter")
        if controller.request["report"].get("inspect"):
            from pytest_mcp_inspection import Inspector

            pluginmanager.register(Inspector(controller), "pytest_mcp_inspector")
        if controller.request["session"]:
            from pytest_mcp_session_options import register

            register(controller, pluginmanager)


def pytest_configure(config: Any) -> None:
    data = getattr(config, "workerinput", {}).get("pytest_mcp")
    if data:
        from pytest_mcp_xdist_worker import XdistWorker

        config.pluginmanager.register(XdistWorker(config, decode(data)), "pytest_mcp_reporter")


class Reporter(Observer):
    """In the process that reports."""

    def __init__(self, mailbox: Any, request: Dict[str, Any]) -> None:
        super().__init__(request)
        self.mailbox = mailbox
        self.open: Dict[str, Tuple[float, bool]] = {}
        self.unannounced: Set[str] = set()
        self.undecided: Set[str] = set()
        self.collected = 0
        self.collecting_said = 0.0
        self.order: Dict[int, int] = {}
        self.distributed = False
        self.interrupted_workers: Set[str] = set()
        self.internal_error_told = False

    def emit(self, event: str, **fields: Any) -> None:
        self.write(encode({"event": event, **fields}))

    def write(self, line: str) -> None:
        if getpid() == self.pid:  # a child that a test forked stays silent
            self.mailbox.write((line + "\n").encode("ascii"))

    def problem(self, message: str) -> None:
        self.emit("plugin_error", message=message)

    # ---- start ----

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Any:
        outcome = yield
        if outcome.excinfo is not None:
            self._conftest_error(outcome.excinfo[1])

    @guarded
    def _conftest_error(self, error: BaseException) -> None:
        inner = getattr(error, "excinfo", None)
        cause = (
            error.__cause__
            or (inner[1] if isinstance(inner, tuple) else getattr(error, "cause", None))
            or error
        )
        if isinstance(cause, pytest.exit.Exception):
            return self._interrupted(cause)
        path = getattr(error, "path", None)
        data = self.describer.describe(cause)
        self.emit(
            "conftest_error", file=self._file(path), error=data, text=clip(message_of(error), TEXT_LIMIT)
        )

    def _file(self, path: Any) -> Optional[str]:
        return None if path is None else self.describer.place(str(path))[1]

    @pytest.hookimpl(tryfirst=True)
    @guarded
    def pytest_configure(self, config: Any) -> None:
        self.read_config(config)
        inifile = getattr(config, "inipath", None) or getattr(config, "inifile", None)
        plugins = {
            "%s-%s" % (dist.project_name, dist.version)
            for _, dist in config.pluginmanager.list_plugin_distinfo()
        }
        self.emit(
            "session_start",
            pytest=pytest.__version__,
            python="%d.%d.%d" % sys.version_info[:3],
            executable=sys.executable,
            rootdir=self.rootdir,
            inifile=str(inifile) if inifile else None,
            plugins=sorted(plugins),
        )

    # ---- collection ----

    @guarded
    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome == "passed":
            self.collected += sum(isinstance(node, pytest.Item) for node in report.result or ())
            now = monotonic()
            if now - self.collecting_said > COLLECTING_SECONDS:
                self.collecting_said = now
                self.emit("collecting", count=self.collected)
            return
        node_id = self.to_root(report.nodeid)
        if report.outcome == "skipped":
            if self.request["session"].get("resume"):
                return None  # the part before has told it
            return self.emit("collection_skip", id=node_id, reason=clip(skip_reason(report.longrepr), REASON_LIMIT))
        attached = getattr(report, DATA, None)
        error = decode(attached) if attached else None
        text = clip(str(report.longrepr), TEXT_LIMIT)
        file = node_id.partition("::")[0]
        self.emit("collection_error", id=node_id, file=file, error=error, text=text)

    def pytest_itemcollected(self, item: Any) -> None:
        # A plugin may shuffle the items before any other hook can see them.
        if self.request["report"]["items"]:
            self.order.setdefault(id(item), len(self.order))

    def before_selection(self, items: List[Any]) -> None:
        if not self.request["report"]["items"]:
            super().before_selection(items)
            self._functions(self.counts)

    def _functions(self, counts: Dict[str, int]) -> None:
        pairs = list(counts.items())
        for start in range(0, len(pairs), 4096):
            self.emit("functions", counts=pairs[start : start + 4096])

    def refuse(self, items: List[Any]) -> None:
        self.emit("unknown_ids", ids=self.unknown)
        raise pytest.UsageError("not found: %s" % ", ".join(entry["id"] for entry in self.unknown[:20]))

    @guarded
    def pytest_deselected(self, items: List[Any]) -> None:
        self.emit("deselected", count=len(items))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self) -> Any:
        outcome = yield
        error = outcome.excinfo[1] if outcome.excinfo is not None else None
        if isinstance(error, (pytest.UsageError, RecursionError)):
            self._refused(error)

    @guarded
    def _refused(self, error: BaseException) -> None:
        message = message_of(error)
        parameter = _refused_parameter(error, self.request["args"])
        if isinstance(error, RecursionError):
            if parameter:
                self.emit("usage_error", message="%s: nested too deeply for this Python" % parameter)
        # What the project raises is its own, and so is what does not speak of an argument of the request.
        elif self._is_of_project(error):
            self._conftest_error(error)
        elif self.unknown or any(value in message for value in _values(self.request["args"])):
            self.emit("usage_error", message=clip(message, TEXT_LIMIT))
        elif parameter:
            self.emit("usage_error", message=clip("%s: %s" % (parameter, message), TEXT_LIMIT))
        else:
            self._conftest_error(error)

    def _is_of_project(self, error: BaseException) -> bool:
        data = self.describer.describe(error)
        return data is not None and any(frame["project"] for frame in data["frames"])

    @guarded
    def after_collection(self, session: Any) -> None:
        if self.request["report"]["items"]:
            # the project's own order, whatever plugins shuffle
            items = sorted(session.items, key=lambda item: self.order.get(id(item), len(self.order)))
            for batch in group_items(items, self.to_root):
                self.emit("items", items=batch)
        if self.shard:
            self.emit("sharded", **self.shard)
        self.emit("collected", total=len(session.items))

    # ---- run ----

    @pytest.hookimpl(tryfirst=True)
    @guarded
    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.open[nodeid] = (0.0, True)
        self.write('{"event":"begin","id":%s}' % quote(self.to_root(nodeid)))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> Any:
        yield  # to plugins that still change the outcome, such as subtests; one that raises takes no result with it
        try:
            self._logreport(report)
        except Exception as error:
            self.problem("logreport: %s: %s" % (type(error).__name__, message_of(error)))
            if report.outcome == "failed":  # with whatever a test has left broken, that much can be told
                when = report.when if report.when in PHASES else "crash"
                fixed = {"duration": 0, "xfail": False, **NO_DETAILS}
                self.emit("report", id=report.nodeid, when=when, outcome="failed", **fixed)

    def _logreport(self, report: Any) -> None:
        nodeid = self._id_of(report)
        if report.when == "???" and self._is_of_interrupted_worker(report):
            return  # xdist takes every worker that leaves a test for one that crashed
        # A project's own pytest_runtest_protocol may say neither that a test begins nor that it is over.
        if report.when == "setup" and self.unannounced.issuperset(self.open):
            self.unannounced.add(nodeid)
            self.pytest_runtest_logstart(nodeid, None)
        self._phase(report, nodeid)
        if report.when == "teardown" and nodeid in self.unannounced:
            self.unannounced.discard(nodeid)
            self.pytest_runtest_logfinish(nodeid, None)

    def _is_of_interrupted_worker(self, report: Any) -> bool:
        worker = getattr(report, "node", None)  # pytest-forked has none for a test that crashed
        return worker is not None and worker.gateway.id in self.interrupted_workers

    def _phase(self, report: Any, nodeid: str) -> None:
        subtest = self.subtest_of(report)
        if subtest is not None and report.outcome != "failed":
            return  # the test itself passes, as pytest's terminal counts it; its junit file says skipped
        if report.outcome == "rerun" or report.when == "setup" and report.outcome == "passed":
            self.undecided.add(nodeid)
        elif report.when != "teardown":
            self.undecided.discard(nodeid)
        duration, plain = self.open.get(nodeid, (0.0, True))
        spent = float(getattr(report, "duration", 0) or 0)
        passed = report.outcome == "passed" and not hasattr(report, "wasxfail")
        if passed or report.when == "teardown" and report.outcome == "passed":
            self.open[nodeid] = (duration + spent, plain)
            return
        self.open[nodeid] = (duration + (0.0 if subtest is not None else spent), False)
        details = self._details(report, subtest)
        self.emit(
            "report",
            id=self.to_root(nodeid),
            when=report.when if report.when in PHASES else "crash",
            outcome=report.outcome,
            duration=round(spent, 6),
            xfail=getattr(report, "wasxfail", None) is not None,
            **(details or NO_DETAILS),  # the outcome is told even where nothing else can be
        )

    def _id_of(self, report: Any) -> str:
        """The id under which the test began: a project may show another one on its reports."""
        given: str = report.nodeid
        return self.item_id if given not in self.open and self.item_id in self.open else given

    @guarded
    def _details(self, report: Any, subtest: Optional[str]) -> Dict[str, Any]:
        failed = report.outcome in ("failed", "rerun")
        expected = getattr(report, "wasxfail", None)
        reason = expected if expected is not None else None if failed else skip_reason(report.longrepr)
        attached = self.error_of(report) if failed else None
        sections = report.sections if failed else []
        return {
            "reason": None if reason is None else clip(str(reason), REASON_LIMIT),
            "subtest": subtest,
            "error": decode(attached) if attached else None,
            "text": self._text(report, bool(attached)) if failed else None,
            "sections": [(clip(str(title), 200), clip(str(text), SECTION_LIMIT)) for title, text in _most(sections) if text],
        }

    def _text(self, report: Any, has_error: bool) -> Optional[str]:
        """pytest's own words: always when asked for, else where there is no traceback to show."""
        has_traceback = has_error and hasattr(report.longrepr, "reprtraceback")
        if report.longrepr is None or has_traceback and not self.request["report"]["text"]:
            return None
        text = report.longrepr if isinstance(report.longrepr, str) else report.longreprtext
        return clip(text, TEXT_LIMIT)

    @guarded
    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.calls.clear()
        duration, plain = self.open.pop(nodeid, (0.0, True))
        if nodeid in self.undecided:  # an attempt is over, of which some plugins tell no call; the test is not
            return
        event = "passed" if plain else "finished"
        self.write('{"event":"%s","id":%s,"duration":%.6f}' % (event, quote(self.to_root(nodeid)), duration))

    @guarded
    def pytest_warning_recorded(self, warning_message: Any, nodeid: str) -> None:
        self.emit(
            "warning",
            category=warning_message.category.__name__,
            message=clip(str(warning_message.message), 500),
            file=self.describer.place(warning_message.filename)[1],
            line=warning_message.lineno,
            id=self.to_root(nodeid) if nodeid else None,
        )

    # ---- xdist ----

    @pytest.hookimpl(optionalhook=True)
    @guarded
    def pytest_configure_node(self, node: Any) -> None:
        channels, sources = self.request["channels"], self.request["sources"]
        request = {
            "root": self.request["root"],
            "select": self.request["select"],
            "report": self.request["report"],
            "lenient": self.request.get("lenient"),
            "session": {"shard": self.request["session"].get("shard")},
            "stacks_path": channels.stacks_path,
            "dump_signal": channels.dump_signal,
        }
        node.workerinput["pytest_mcp"] = encode(request)
        install = sources["pytest_mcp_boot"] + "\nsys.meta_path.insert(0, SourceFinder(channel.receive()))\n"
        channel = node.gateway.remote_exec(install)
        channel.send(sources)
        channel.waitclose(30)

    @pytest.hookimpl(optionalhook=True)
    @guarded
    def pytest_xdist_node_collection_finished(self, node: Any, ids: List[str]) -> None:
        if not self.distributed:
            self.distributed = True
            self.emit("collected", total=len(ids))

    @pytest.hookimpl(optionalhook=True)
    @guarded
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        if error:
            self.emit("worker_down", worker=node.gateway.id, error=clip(str(error), TEXT_LIMIT))
        said = (getattr(node, "workeroutput", None) or {}).get("pytest_mcp")
        if not said:
            return
        said = decode(said)
        for message in said["problems"]:
            self.problem(message)
        if said["interrupted"]:
            if not self.interrupted_workers:
                self.emit("interrupted", **said["interrupted"])
            self.interrupted_workers.add(node.gateway.id)
        if not self.counts:  # every worker collects the same: the first one speaks for all
            self.counts = said["counts"]
            self._functions(self.counts)
            if said["deselected"]:
                self.emit("deselected", count=said["deselected"])
            if said["unknown"]:
                self.emit("unknown_ids", ids=said["unknown"])
            if said["shard"]:
                self.emit("sharded", **said["shard"])

    # ---- end ----

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, config: Any) -> Any:
        if self.request["report"]["hide_terminal_tracebacks"]:
            config.option.tbstyle = "no"
        yield

    @pytest.hookimpl(optionalhook=True)
    @guarded
    def pytest_json_modifyreport(self, json_report: Any) -> None:
        self.emit("json_report", report=decode_finite(encode(json_report)))

    @pytest.hookimpl(tryfirst=True)  # others may fail, which may be why pytest calls it
    @guarded
    def pytest_internalerror(self, excrepr: Any, excinfo: Any) -> None:
        if self.internal_error_told:
            return  # the first is the cause of the others
        self.internal_error_told = True
        message = message_of(excinfo.value)
        if message.startswith(TRACEBACK):  # xdist has only text of what went wrong in a worker
            text = message.rpartition("\nassert False")[0] or message
            self.emit("internal_error", error=None, text=clip(text, TEXT_LIMIT))
        else:
            error = self.describer.describe(excinfo.value)
            self.emit("internal_error", error=error, text=clip(str(excrepr), TEXT_LIMIT))

    @pytest.hookimpl(tryfirst=True)  # the terminal takes its time to render the interrupt, and we may not have it
    @guarded
    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        self._interrupted(excinfo.value)
        tasks = pending_tasks(excinfo.value)
        if tasks:
            self.emit("stacks", text=tasks)

    def _interrupted(self, error: BaseException) -> None:
        if not self.interrupted_workers:  # they know why; xdist knows only that
            self.emit("interrupted", **self.interruption(error))

    @pytest.hookimpl(trylast=True)
    @guarded
    def pytest_sessionfinish(self, session: Any, exitstatus: Any) -> None:
        self.emit("session_end", exit_status=int(exitstatus))
        self._skip_idle_summary(session.config.pluginmanager)

    def _skip_idle_summary(self, plugins: Any) -> None:
        """pytest 9.2 asks plugins for their part of a summary that nobody wants; hypothesis imports all of itself for it."""
        # Not in the main process of xdist: examples that failed come there from elsewhere.
        idle = "hypothesis" not in sys.modules and not self.distributed
        if idle and "--no-summary" in self.request["args"] and plugins.has_plugin(HYPOTHESIS):
            plugins.unregister(name=HYPOTHESIS)


def _most(sections: List[Tuple[str, str]]) -> List[Tuple[str, str]]:
    """The first and the last, and how many are between."""
    if len(sections) <= MOST_SECTIONS:
        return sections
    half = MOST_SECTIONS // 2
    left = "[... %d sections elided ...]" % (len(sections) - 2 * half)
    return [*sections[:half], ("...", left), *sections[-half:]]


def _refused_parameter(error: BaseException, args: List[str]) -> Optional[str]:
    """The expression of the request that pytest was at when it gave up."""
    names = set()
    traceback = error.__traceback__
    while traceback is not None:
        names.add(traceback.tb_frame.f_code.co_name)
        traceback = traceback.tb_next
    for function, flag, parameter in (
        ("deselect_by_keyword", "-k=", "keywords (-k)"),
        ("deselect_by_mark", "-m=", "markers (-m)"),
    ):
        if function in names and any(arg.startswith(flag) for arg in args):
            return parameter
    return None


def _values(args: List[str]) -> List[str]:
    """Paths and expressions, which come from the agent; flags do not."""
    return [
        arg[3:] if arg.startswith(("-m=", "-k=")) else arg
        for arg in args
        if arg[:3] in ("-m=", "-k=") or arg[:1] != "-"
    ]
