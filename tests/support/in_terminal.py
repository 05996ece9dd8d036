"""Runs a command in a pseudo-terminal of a given width and prints everything it writes there.

in_terminal.py COLUMNS MARKER TIMES COMMAND...: once MARKER has been written (unless it is empty), Ctrl-C is
typed, and again after a moment until that was done TIMES times or the command has left.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, marker, times, command = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3]), sys.argv[4:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)

written, typed = b"", 0
while True:
    if marker and marker in written and typed < times:
        os.write(terminal, b"\x03")
        typed += 1
    if not select.select([terminal], [], [], 0.1)[0]:
        continue
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed
        break
    if not chunk:
        break
    written += chunk
sys.stdout.buffer.write(written)
sys.stdout.flush()
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
