"""The process in which pytest runs: as `python -m pytest` in the root would, plus one plugin."""

import gc
import importlib.util
import json
import os
import runpy
import signal
import sys
import sysconfig  # noqa: F401  # for our other modules, before the project can have one of that name
from typing import Any, Dict, Iterable, NamedTuple, Optional

from pytest_mcp_mailbox import Mailbox

PLUGIN = "pytest_mcp_plugin"
# Of the standard library: what we have imported, and not every pytest does.
ASIDE = ("_heapq", "_queue", "heapq", "mmap", "queue", "sysconfig")
JSON_REPORT_ARGS = ["--json-report", "--json-report-file=none"]


class Channels(NamedTuple):
    """What the worker has beside stdin, stdout and stderr."""

    request: int
    stacks: int
    # where other processes of this run, such as xdist's, can open `stacks`
    stacks_path: Optional[str]
    dump_signal: Optional[int]


def main(boot: Dict[str, Any], mailbox: Mailbox, channels: Channels) -> None:
    for name in ("SIGCHLD", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    _set_aside(ASIDE)
    warmth = None
    if boot["prewarm"]:
        import pytest_mcp_warmth

        warmth = pytest_mcp_warmth.Warmth(boot["cwd"], _import_plugin)
    request = _read_request(channels.request)
    reason = warmth.stale() if warmth else None
    if reason:
        _emit(mailbox, {"event": "stale", "reason": reason})
        mailbox.close(0)
        os._exit(0)
    if warmth:
        warmth.accept()
        _emit(mailbox, {"event": "accepted"})
    _run(request, boot, mailbox, channels)


def _import_plugin() -> None:
    """pytest is there: what else is new afterwards is for us alone."""
    before = set(sys.modules)
    import pytest_mcp_observer  # noqa: F401
    import pytest_mcp_plugin  # noqa: F401

    _set_aside([name for name in sys.modules if name not in before and not name.startswith("pytest_mcp_")])


def _set_aside(names: Iterable[str]) -> None:
    finder: Any = sys.modules[__name__].__loader__
    finder.set_aside(names)


def _read_request(fd: int) -> Dict[str, Any]:
    data = b""
    while not data.endswith(b"\n"):
        chunk = os.read(fd, 1 << 20)
        if not chunk:
            os._exit(0)
        data += chunk
    os.close(fd)
    request: Dict[str, Any] = json.loads(data)
    return request


def _run(request: Dict[str, Any], boot: Dict[str, Any], mailbox: Mailbox, channels: Channels) -> None:
    if not getattr(sys.flags, "safe_path", False) and sys.path[:1] != [boot["cwd"]]:
        sys.path.insert(0, boot["cwd"])
    # xdist gives its workers the path as it was when xdist was imported: ahead of the request that lacked the root.
    getattr(sys.modules.get("xdist.plugin"), "_sys_path", [])[:] = sys.path
    problem = _limit(boot["limits"]) or _missing_pytest()
    if problem:
        _emit(mailbox, {"event": "no_pytest", "detail": problem})
        mailbox.close(0)
        os._exit(0)
    _import_plugin()
    import pytest_mcp_observer
    import pytest_mcp_plugin

    if request["session"].get("coverage"):
        import pytest_mcp_scratch

        os.environ["COVERAGE_FILE"] = pytest_mcp_scratch.make_file(boot["mailbox"], ".coverage")
    pytest_mcp_plugin.controller = pytest_mcp_plugin.Reporter(
        mailbox, {**request, "root": boot["cwd"], "sources": boot["sources"], "channels": channels}
    )
    pytest_mcp_observer.listen_for_dump(channels.stacks, channels.dump_signal)
    args = ["-p", PLUGIN, *request["args"]]
    if request["report"]["json"] and importlib.util.find_spec("pytest_jsonreport"):
        args += JSON_REPORT_ARGS
    sys.argv[:] = ["pytest", *args]
    getattr(sys, "orig_argv", [])[:] = [sys.executable, "-m", "pytest", *args]
    names = sys.modules["__main__"].__dict__
    for name in [name for name in names if not name.startswith("__")]:
        del names[name]
    if not boot["prewarm"]:
        # Collections during the run then skip what stays for all of it: that saves more than our own start costs.
        gc.freeze()
    pid = os.getpid()
    try:
        runpy._run_module_as_main("pytest")  # type: ignore[attr-defined]
    except SystemExit as exit:
        if os.getpid() == pid:  # not a child that a test forked
            code = exit.code if isinstance(exit.code, int) else int(exit.code is not None)
            _emit(mailbox, {"event": "exit", "exit_code": int(code)})
            sys.stdout.flush()
            sys.stderr.flush()
            mailbox.close(int(code))
        raise


def _limit(limits: Dict[str, Any]) -> Optional[str]:
    if not limits or sys.platform == "win32":  # the server refuses to start with limits there
        return None
    import pytest_mcp_limits

    return pytest_mcp_limits.apply(limits)


def _missing_pytest() -> Optional[str]:
    spec = importlib.util.find_spec("pytest")
    if spec is None:
        return "pytest is not installed"
    if spec.submodule_search_locations is None:
        return "%s hides pytest: rename that file" % spec.origin
    try:
        import pytest
    except Exception as error:
        traceback: Any = error.__traceback__
        while traceback.tb_next is not None:
            traceback = traceback.tb_next
        place = "%s:%d" % (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
        return "pytest does not import: %s: %s (%s)" % (type(error).__name__, error, place)
    return None if hasattr(pytest, "hookimpl") else "%s hides pytest: rename its directory" % spec.origin


def _emit(mailbox: Mailbox, event: Dict[str, Any]) -> None:
    mailbox.write((json.dumps(event) + "\n").encode("ascii"))
