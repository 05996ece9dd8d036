"""The parent of the process that runs pytest: it outlives every fault of the tests, and nothing outlives it.

It runs no code of the project. stdin brings one request line and is the lifeline: at its end the tests end.
stdout carries events only: those of the worker, relayed in batches, and `process_end` last.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from typing import Any, Dict, Optional

from pytest_mcp_mailbox import Mailbox
from pytest_mcp_process_tree import ProcessTree, Status, start_worker

# How late the end of a run may be noticed, as a part of its duration, and within which bounds: a short run is
# answered at once, a long one in large batches, which cost both sides less.
LATENESS, SHORTEST_TICK, LONGEST_TICK = 0.01, 0.002, 0.05
# A worker that says this much between two looks must not wait for us with a full pipe or mailbox.
MUCH = 128 << 10
# faulthandler writes its dump within this time, even while C code holds the GIL; all processes together take no more
# than that.
DUMP_SECONDS, ALL_DUMPS_SECONDS = 0.25, 1.0
# What fixtures get to clean up after an interrupt, and what a finished pytest gets to leave.
GRACE_SECONDS = 2.5


class Supervisor:
    """One worker, one request."""

    def __init__(self, tree: ProcessTree, mailbox: Mailbox) -> None:
        self.tree = tree
        self.mailbox = mailbox
        self.control: "queue.SimpleQueue[Optional[bytes]]" = queue.SimpleQueue()
        self.kill_at: Optional[float] = None
        self.timed_out = False
        self.line_open = False
        self.has_scratch = False

    def run(self, rest: bytes) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: self.control.put(None))
        if hasattr(signal, "SIGCHLD"):
            signal.signal(signal.SIGCHLD, lambda *_: self.control.put(b""))
        threading.Thread(target=self._read_control, args=(rest,), daemon=True).start()
        request = b""
        while not request and self.tree.status() is None:
            line = self.control.get()
            if line is None:
                return self.tree.kill()
            request = line
        start = time.monotonic()
        deadline = None
        if request:
            wanted = json.loads(request)
            self.has_scratch = bool(wanted["session"].get("coverage"))
            self.tree.send(request)
            deadline = start + wanted["timeout"]
        self._relay_until_end(deadline)
        self._finish(time.monotonic() - start)

    def _read_control(self, pending: bytes) -> None:
        while True:
            while b"\n" in pending:
                line, pending = pending.split(b"\n", 1)
                self.control.put(None if line == b"cancel" else line)
            chunk = os.read(0, 1 << 20)
            if not chunk:
                return self.control.put(None)
            pending += chunk

    def _relay_until_end(self, deadline: Optional[float]) -> None:
        tick, start = SHORTEST_TICK, time.monotonic()
        while self.tree.status() is None and not self.mailbox.closed:
            try:
                stop = self.control.get(timeout=tick) is None
            except queue.Empty:
                stop = False
            much = self._relay() > MUCH
            now = time.monotonic()
            tick = SHORTEST_TICK if much else min(max((now - start) * LATENESS, SHORTEST_TICK), LONGEST_TICK)
            if stop and self.kill_at is None:
                self._interrupt(now)
            elif deadline is not None and now >= deadline and self.kill_at is None:
                self._time_out()
            elif self.kill_at is not None and now >= self.kill_at:
                self.tree.kill()

    def _time_out(self) -> None:
        if self.mailbox.closed:
            return
        self.timed_out = True
        start = time.monotonic()
        for pid in self.tree.listening():
            self._dump(pid, start + ALL_DUMPS_SECONDS)
        self._interrupt(start)

    def _dump(self, pid: int, last: float) -> None:
        """One process after the other: the lines of several at once would mix."""
        until = min(last, time.monotonic() + DUMP_SECONDS)
        before = self.tree.dumps()
        self.tree.dump_stacks(pid)
        while self.tree.dumps() == before and time.monotonic() < until:
            time.sleep(SHORTEST_TICK)
            self.tree.drain()
        # The thread that was interrupted may be told before others.
        time.sleep(min(SHORTEST_TICK * 5, max(0.0, last - time.monotonic())))
        self.tree.drain()

    def _interrupt(self, now: float) -> None:
        self.kill_at = now + GRACE_SECONDS
        self.tree.interrupt()

    def _relay(self) -> int:
        """Passes on what there is; tells how many bytes that were."""
        output = self.tree.drain()
        data = self.mailbox.read()
        if data:
            self.line_open = not data.endswith(b"\n")
            self._write(data)
        return output + len(data)

    def _finish(self, duration: float) -> None:
        ended_well = self.mailbox.closed and self.kill_at is None
        if not ended_well:
            self.tree.kill()
        while self._relay():
            pass
        stacks = self.tree.stacks.text()
        if stacks:
            self._emit({"event": "stacks", "text": stacks})
        # What pytest said of itself counts, even if we did not wait for its process to leave.
        status = Status(self.mailbox.exit_code, None) if self.mailbox.closed else self.tree.status()
        self._emit(
            {
                "event": "process_end",
                "exit_code": status.exit_code if status else None,
                "signal": status.signal if status else None,
                "timed_out": self.timed_out,
                "stdout": self.tree.stdout.text(),
                "stderr": self.tree.stderr.text(),
                "duration": round(duration, 4),
            }
        )
        # The answer is out; pytest may leave in its own time, but not for ever.
        leave_at = time.monotonic() + GRACE_SECONDS
        while self.tree.status() is None and time.monotonic() < leave_at:
            time.sleep(SHORTEST_TICK)
            self.tree.drain()
        self.tree.kill()

    def _emit(self, event: Dict[str, Any]) -> None:
        start = "\n" if self.line_open else ""
        self.line_open = False
        self._write((start + json.dumps(event) + "\n").encode("ascii"))

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(1, rest) :]
        except OSError:  # nobody listens any more
            self.tree.kill()
            os._exit(1)


def main(boot: Dict[str, Any], rest: bytes) -> None:
    mailbox = Mailbox(boot["mailbox"])
    tree = start_worker(boot, mailbox)
    supervisor = Supervisor(tree, mailbox)
    try:
        supervisor.run(rest)
    finally:
        tree.kill()
        if supervisor.has_scratch:
            import pytest_mcp_scratch

            pytest_mcp_scratch.remove(boot["mailbox"])
        sys.stdout.flush()
        os._exit(0)
