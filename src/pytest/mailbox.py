"""A byte stream from one process to another through shared memory.

There is no file descriptor that a test could close, reuse or fill, a write is no system call, and what was
written is still there when the writer is killed.
"""

import mmap
import sys
import threading
from time import sleep  # ours, whatever a test puts into its place
from typing import Optional

SIZE = 1 << 20
_HEADER = 24
_WRITTEN, _READ, _CLOSED = 0, 1, 2


class Mailbox:
    """One writer, one reader. On POSIX a fork shares it; on Windows both sides open it by `name`."""

    def __init__(self, name: Optional[str] = None) -> None:
        if sys.platform == "win32":
            self._map = mmap.mmap(-1, _HEADER + SIZE, tagname=name)
        else:
            self._map = mmap.mmap(-1, _HEADER + SIZE)
        view = memoryview(self._map)
        self._counters = view[:_HEADER].cast("Q")
        self._ring = view[_HEADER:]
        self._order = threading.Lock()

    def write(self, data: bytes) -> None:
        """Waits while the ring is full."""
        rest = memoryview(data)
        while rest:
            written = self._counters[_WRITTEN]
            size = min(len(rest), SIZE - (written - self._counters[_READ]))
            if not size:
                sleep(0.001)
                continue
            start = written % SIZE
            first = min(size, SIZE - start)
            # Each lock is a memory barrier: the reader never sees the counter before the bytes.
            with self._order:
                self._ring[start : start + first] = rest[:first]
                if size > first:
                    self._ring[: size - first] = rest[first:size]
            with self._order:
                self._counters[_WRITTEN] = written + size
            rest = rest[size:]

    def close(self, exit_code: int) -> None:
        """Says that nothing more will be written, and why."""
        self._counters[_CLOSED] = 1 + (exit_code & 0xFFFFFFFF)

    @property
    def closed(self) -> bool:
        return bool(self._counters[_CLOSED])

    @property
    def exit_code(self) -> int:
        return self._counters[_CLOSED] - 1

    def read(self) -> bytes:
        """All that is there now; never waits."""
        with self._order:
            written, read = self._counters[_WRITTEN], self._counters[_READ]
        if written == read:
            return b""
        start, size = read % SIZE, written - read
        first = min(size, SIZE - start)
        with self._order:
            data = bytes(self._ring[start : start + first]) + bytes(self._ring[: size - first])
        with self._order:
            self._counters[_READ] = written
        return data
