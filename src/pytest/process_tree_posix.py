"""The worker and everything that its tests start, on Linux and macOS."""

import fcntl
import os
import select
import signal
import sys
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from pytest_mcp_kept_output import KeptOutput
from pytest_mcp_mailbox import Mailbox

PR_SET_CHILD_SUBREAPER = 36
F_SETPIPE_SZ = 1031
# A real-time signal, because tests and applications use SIGUSR1 themselves.
DUMP_SIGNAL = signal.SIGRTMIN + 11 if sys.platform == "linux" else signal.SIGUSR1
MOST_PER_DRAIN = 16 << 20


class Status(NamedTuple):
    """How the worker ended."""

    exit_code: Optional[int]
    signal: Optional[str]


class ProcessTree:
    """The worker is the leader of its own process group; what leaves the group comes back to us as an orphan."""

    def __init__(self, pid: int, fds: Dict[str, int]) -> None:
        self.pid = pid
        self.stdout, self.stderr, self.stacks = KeptOutput(), KeptOutput(), KeptOutput()
        self._request = fds["request"]
        self._outputs = {fds["stdout"]: self.stdout, fds["stderr"]: self.stderr, fds["stacks"]: self.stacks}
        self._status: Optional[Status] = None
        for fd in self._outputs:
            os.set_blocking(fd, False)
            if sys.platform == "linux":
                try:  # a test that prints much then waits less for us
                    fcntl.fcntl(fd, F_SETPIPE_SZ, 1 << 20)
                except OSError:
                    pass
        self._adopt_orphans()

    def _adopt_orphans(self) -> None:
        if sys.platform == "linux":
            try:
                import ctypes

                ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            except (ImportError, OSError, AttributeError):
                pass  # an unusual libc: only the process group is cleaned up

    def send(self, request: bytes) -> None:
        rest = memoryview(request + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._request, rest) :]
        except BrokenPipeError:
            pass  # the worker is gone; status() says how
        os.close(self._request)

    def status(self) -> Optional[Status]:
        self._reap()
        return self._status

    def _reap(self) -> bool:
        """Collects every child that has ended; false when none is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                # Where a parent of ours ignores SIGCHLD, the kernel may have taken the worker's status itself.
                self._status = self._status or Status(None, None)
                return False
            if not pid:
                return True
            if pid == self.pid:
                if os.WIFSIGNALED(status):
                    self._status = Status(None, signal_name(os.WTERMSIG(status)))
                else:
                    self._status = Status(os.WEXITSTATUS(status), None)

    def drain(self) -> int:
        """Takes what the worker printed; tells how many bytes."""
        taken = 0
        for fd, kept in self._outputs.items():
            for _ in range(MOST_PER_DRAIN >> 16):
                try:
                    chunk = os.read(fd, 1 << 16)
                except (BlockingIOError, OSError):
                    break
                if not chunk:
                    break
                kept.add(chunk)
                taken += len(chunk)
        return taken

    def listening(self) -> List[int]:
        """The Python processes of the tree that can be asked for their stacks, xdist's workers first."""
        return [pid for pid in [*descendants(self.pid), self.pid] if catches(pid, DUMP_SIGNAL)]

    def dump_stacks(self, pid: int) -> None:
        """Makes a process write the stacks of its threads."""
        send_signal(pid, DUMP_SIGNAL)

    def dumps(self) -> int:
        """How many have begun to."""
        return self.stacks.text().count("Current thread ")

    def interrupt(self) -> None:
        """As Ctrl-C on a terminal would."""
        send_signal(-self.pid, signal.SIGINT)
        send_signal(-self.pid, signal.SIGCONT)  # what is stopped hears of it only now

    def kill(self) -> None:
        """Ends the group and, on Linux, all orphans that came to us; returns when they are gone."""
        send_signal(-self.pid, signal.SIGKILL)
        for _ in range(200):
            if not self._reap():
                return
            for pid in descendants(os.getpid()):
                send_signal(pid, signal.SIGKILL)
            time.sleep(0.005)


def start_worker(boot: Dict[str, Any], mailbox: Mailbox) -> ProcessTree:
    """Forks before anything of pytest or the project is imported."""
    try:
        # Out of the server's process group: who kills that group must not kill us before we have cleaned up.
        os.setpgid(0, 0)
    except OSError:
        pass
    pipes = {name: os.pipe() for name in ("stdout", "stderr", "stacks", "request", "lifeline")}
    supervisor = os.getpid()
    pid = os.fork()
    if pid:
        os.set_inheritable(0, False)
        fds = {}
        for name, (reader, writer) in pipes.items():
            ours, theirs = (writer, reader) if name in ("request", "lifeline") else (reader, writer)
            fds[name] = ours
            if name != "stacks":  # stays open: xdist workers reach it through /proc
                os.close(theirs)
        try:
            os.setpgid(pid, pid)
        except OSError:
            pass
        return ProcessTree(pid, fds)
    _become_worker(boot, mailbox, pipes, supervisor)
    raise SystemExit(1)  # pytest has left through an exit of its own


def _become_worker(boot: Dict[str, Any], mailbox: Mailbox, pipes: Dict[str, Any], supervisor: int) -> None:
    try:
        os.setpgid(0, 0)
    except OSError:
        pass
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(pipes["stdout"][1], 1)
    os.dup2(pipes["stderr"][1], 2)
    keep = (pipes["request"][0], pipes["lifeline"][0], pipes["stacks"][1])
    for fd in {null, *(fd for pair in pipes.values() for fd in pair)}:
        if fd not in keep:
            os.close(fd)
    _die_with_supervisor(pipes["lifeline"][0])
    import pytest_mcp_worker

    stacks_path = "/proc/%d/fd/%d" % (supervisor, pipes["stacks"][1]) if sys.platform == "linux" else None
    pytest_mcp_worker.main(
        boot,
        mailbox,
        pytest_mcp_worker.Channels(pipes["request"][0], pipes["stacks"][1], stacks_path, int(DUMP_SIGNAL)),
    )


def _die_with_supervisor(lifeline: int) -> None:
    """Lets the kernel kill the group when the other end closes: a watching thread would show in every test."""
    if sys.platform == "linux":
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([lifeline], [], [], 0)[0]:  # it closed before we listened
            os.killpg(0, signal.SIGKILL)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIG%d" % number


def send_signal(pid: int, number: int) -> None:
    """A negative pid is a process group."""
    try:
        os.kill(pid, number)
    except OSError:
        pass


def catches(pid: int, number: int) -> bool:
    """Whether a signal would be handled; without /proc, trust that the worker has not changed it."""
    try:
        with open("/proc/%d/status" % pid, "rb") as file:  # a process may call itself what is no text
            for line in file:
                if line.startswith(b"SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    except (OSError, ValueError):
        pass
    return sys.platform != "linux"


def descendants(pid: int) -> Iterator[int]:
    """All processes below `pid`, where /proc tells."""
    children: Dict[int, List[int]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return
    for name in names:
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found = children.get(pid, [])
    while found:
        yield from found
        found = [below for one in found for below in children.get(one, [])]
