"""The worker and everything that its tests start, on Windows: a job object that ends with its last handle."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from typing import IO, Any, Dict, List, NamedTuple, Optional

from pytest_mcp_kept_output import KeptOutput
from pytest_mcp_mailbox import Mailbox

JOB_OBJECT_EXTENDED_LIMIT_INFORMATION = 9
JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000
EXTENDED_LIMIT_INFORMATION_SIZE = 144 if sys.maxsize > 2**32 else 112
LIMIT_FLAGS_OFFSET = 16
# Above this an exit code is an NTSTATUS: the process died of an exception such as an access violation.
FIRST_NTSTATUS = 0xC0000000


class Status(NamedTuple):
    """How the worker ended."""

    exit_code: Optional[int]
    signal: Optional[str]


class ProcessTree:
    """Whoever the worker starts is in its job, whatever it does."""

    def __init__(self, worker: "subprocess.Popen[bytes]", job: Any) -> None:
        self.pid = worker.pid
        self.stdout, self.stderr, self.stacks = KeptOutput(), KeptOutput(), KeptOutput()
        self._worker = worker
        self._job = job
        self._fresh = threading.Event()
        for pipe, kept in ((worker.stdout, self.stdout), (worker.stderr, self.stderr)):
            threading.Thread(target=self._read, args=(pipe, kept), daemon=True).start()

    def _read(self, pipe: IO[bytes], kept: KeptOutput) -> None:
        while True:
            chunk = os.read(pipe.fileno(), 1 << 16)
            if not chunk:
                return
            kept.add(chunk)
            self._fresh.set()

    def send(self, request: bytes) -> None:
        stdin = self._worker.stdin
        assert stdin is not None
        try:
            stdin.write(request + b"\n")
            stdin.close()
        except OSError:
            pass  # the worker is gone; status() says how

    def status(self) -> Optional[Status]:
        code = self._worker.poll()
        if code is None:
            return None
        unsigned = code & 0xFFFFFFFF
        return Status(None, "0x%08X" % unsigned) if unsigned >= FIRST_NTSTATUS else Status(unsigned, None)

    def drain(self) -> int:
        """The threads take the output, so that it never fills up; 1 if there was any since the last call."""
        found = self._fresh.is_set()
        self._fresh.clear()
        return int(found)

    def listening(self) -> List[int]:
        """There is no signal for stacks here: the interrupt's own traceback shows where the main thread was."""
        return []

    def dump_stacks(self, pid: int) -> None:
        """Never asked for."""

    def dumps(self) -> int:
        return 0

    def interrupt(self) -> None:
        """As Ctrl-Break on a console would; the worker turns it into KeyboardInterrupt."""
        try:
            self._worker.send_signal(getattr(signal, "CTRL_BREAK_EVENT"))
        except OSError:
            pass

    def kill(self) -> None:
        """Ends the whole job; returns when the worker is gone."""
        ctypes.windll.kernel32.TerminateJobObject(self._job, 1)
        for _ in range(200):
            if self._worker.poll() is not None:
                return
            time.sleep(0.005)


def start_worker(boot: Dict[str, Any], mailbox: Mailbox) -> ProcessTree:
    """Starts a second interpreter, in a job of its own, that takes its modules as we took ours."""
    import json

    worker = subprocess.Popen(
        [sys.executable, "-c", boot["sources"]["pytest_mcp_boot"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP"),
    )
    assert worker.stdin is not None
    job = _job_for(worker)
    worker.stdin.write(json.dumps({**boot, "entry": "pytest_mcp_process_tree"}).encode("ascii") + b"\n")
    worker.stdin.flush()
    return ProcessTree(worker, job)


def _job_for(worker: "subprocess.Popen[bytes]") -> Any:
    kernel32 = ctypes.windll.kernel32
    kernel32.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel32.CreateJobObjectW(None, None))
    limits = ctypes.create_string_buffer(EXTENDED_LIMIT_INFORMATION_SIZE)
    flags = ctypes.c_uint32(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
    ctypes.memmove(ctypes.addressof(limits) + LIMIT_FLAGS_OFFSET, ctypes.addressof(flags), 4)
    kernel32.SetInformationJobObject(
        job, JOB_OBJECT_EXTENDED_LIMIT_INFORMATION, limits, EXTENDED_LIMIT_INFORMATION_SIZE
    )
    kernel32.AssignProcessToJobObject(job, ctypes.c_void_p(int(getattr(worker, "_handle"))))
    return job


def main(boot: Dict[str, Any], rest: bytes) -> None:
    """The worker's side: stdin brings the request, then is empty."""
    signal.signal(getattr(signal, "SIGBREAK"), signal.default_int_handler)
    import pytest_mcp_worker

    reader, writer = os.pipe()
    threading.Thread(target=_forward, args=(rest, writer), daemon=True).start()
    pytest_mcp_worker.main(boot, Mailbox(boot["mailbox"]), pytest_mcp_worker.Channels(reader, 2, None, None))


def _forward(pending: bytes, writer: int) -> None:
    """Passes the request line on, so that the worker reads it as it does elsewhere, and empties stdin."""
    while not pending.endswith(b"\n"):
        chunk = os.read(0, 1 << 20)
        if not chunk:
            break
        pending += chunk
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    while pending:
        pending = pending[os.write(writer, pending) :]
    os.close(writer)
