"""What a request can ask of a session beyond its reports; loaded only when it does. PYTEST_DONT_REWRITE"""

import importlib
import importlib.util
import sys
from typing import Any, Dict, List

import pytest

# The names under which pytest knows plugins, what to install for them, and the module that shows that they are.
INSTALLED_AS: Dict[str, Any] = {"xdist": ("pytest-xdist", "xdist"), "pytest_cov": ("pytest-cov", "pytest_cov")}

NO_COV = "coverage cannot measure: the project's settings turn it off (--no-cov). Change that, or leave coverage out."


def register(reporter: Any, plugins: Any) -> None:
    """Registers a plugin for each thing that was asked for."""
    session = reporter.request["session"]
    plugins.register(Settings(reporter), "pytest_mcp_settings")
    if session.get("time_budget") or session.get("resume"):
        from pytest_mcp_partial_run import PartialRun

        plugins.register(PartialRun(reporter), "pytest_mcp_partial_run")
    if session.get("durations"):
        from pytest_mcp_slowest import Slowest

        plugins.register(Slowest(reporter, session["durations"]), "pytest_mcp_slowest")
    if session.get("coverage"):
        from pytest_mcp_coverage_data import CoverageReporter

        plugins.register(CoverageReporter(reporter, session["coverage"]), "pytest_mcp_coverage")


class Settings:
    """Sees to it that the plugins which the arguments need are there, and are set as the request means it."""

    def __init__(self, reporter: Any) -> None:
        self.reporter = reporter
        self.session = reporter.request["session"]
        self.remembered: Dict[str, Any] = {}
        self.told = False

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Any:
        for plugin, parameter in self.session.get("needs", {}).items():
            if not early_config.pluginmanager.has_plugin(plugin):
                self._refuse(_missing(plugin, parameter))
        known = early_config.known_args_namespace
        if self.session.get("coverage") and getattr(known, "no_cov", False):
            self._refuse(NO_COV)
        if self._needs_one_order() and hasattr(known, "numprocesses"):
            known.numprocesses = 0  # pytest-cov looks here
        sources = getattr(known, "cov_source", None)
        if sources and True in sources and len(sources) > 1:
            # The request asks for what the project's settings name: pytest-cov would take `--cov` for everything.
            sources[:] = [source for source in sources if source is not True]
        yield

    def _refuse(self, message: str) -> None:
        self.reporter.emit("refused", message=message)
        raise pytest.UsageError(message)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> Any:
        option = config.option
        if "xdist" in self.session.get("needs", {}) and option.dist == "no" and _has_worksteal():
            option.dist = "worksteal"  # unless the project has chosen how its tests are spread
        if self.session.get("needs", {}).get("cacheprovider") == "failed_first":
            option.lf = False  # the others are wanted, too
        if self._needs_one_order():
            from pytest_mcp_partial_run import keep_order

            keep_order(option, self.session.get("resume"))
        yield

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker measures what this process does; one that is dead takes no run with it."""
        if self.session.get("coverage"):
            covered = node.config.pluginmanager.get_plugin("_cov")
            node.workerinput["pytest_mcp_cov_source"] = covered.options.cov_source
        send = node.sendcommand

        # xdist gives up the whole run when it sends work to a worker of whose death it has not heard yet.
        def send_if_alive(name: str, **kwargs: Any) -> None:
            try:
                send(name, **kwargs)
            except OSError:
                pass  # the news is under way, and gives the work to others

        if "xdist" in self.session.get("needs", {}):
            node.sendcommand = send_if_alive

    def _needs_one_order(self) -> bool:
        """A place to go on from is a place in one order of tests, not in that of several workers."""
        return bool(self.session.get("time_budget") or self.session.get("resume"))

    def pytest_sessionstart(self, session: Any) -> None:
        if self.session.get("last_failed"):
            known = session.config.cache.get("cache/lastfailed", {})
            self.remembered = known if isinstance(known, dict) else {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: Any) -> None:
        self._tell_last_failed([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: List[str]) -> None:
        self._tell_last_failed(ids)

    def _tell_last_failed(self, ids: List[str]) -> None:
        if self.session.get("last_failed") and not self.told:
            self.told = True
            selected = sum(any(name in self.remembered for name in _names_of(each)) for each in ids)
            self.reporter.emit("last_failed", remembered=len(self.remembered), selected=selected)


def _names_of(node_id: str) -> List[str]:
    """The id of a test, and those of its file and classes: a file is remembered when it could not be collected."""
    path, *parts = node_id.partition("[")[0].split("::")
    return [node_id, path, *("::".join((path, *parts[:end])) for end in range(1, len(parts)))]


def _missing(plugin: str, parameter: str) -> str:
    name, module = INSTALLED_AS.get(plugin, (plugin, ""))
    if module and importlib.util.find_spec(module) is None:
        install = "%s -m pip install %s" % (_quoted(sys.executable), name)
        return "%s needs %s, which is not installed. Run: %s, or leave %s out." % (parameter, name, install, parameter)
    return (
        "%s needs pytest's plugin %s, and the project's settings turn it off (-p no:%s, or "
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD). Change that, or leave %s out." % (parameter, name, plugin, parameter)
    )


def _quoted(path: str) -> str:
    return '"%s"' % path if " " in path else path


def _has_worksteal() -> bool:
    try:
        return hasattr(importlib.import_module("xdist.scheduler"), "WorkStealingScheduling")
    except ImportError:
        return False
