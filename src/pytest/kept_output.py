"""What a process printed, within a fixed amount of memory."""

# twice this, and the line between, stay within 64 KiB
KEPT = 31 << 10


class KeptOutput:
    """Keeps the head and the tail, counts what is between."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._elided = 0

    def add(self, data: bytes) -> None:
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        tail = self._tail + data
        self._elided += max(0, len(tail) - KEPT)
        self._tail = tail[-KEPT:]

    def text(self) -> str:
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        if self._elided:
            return "%s\n[... %d bytes elided ...]\n%s" % (head, self._elided, tail)
        return (self._head + self._tail).decode("utf-8", "replace")
