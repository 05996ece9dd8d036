"""Runs a command in a pseudo-terminal of a given width and prints everything it writes there.

in_terminal.py COLUMNS MARKER COMMAND...: once MARKER has been written (unless it is empty), Ctrl-C is typed.
"""

import fcntl
import os
import pty
import struct
import sys
import termios

columns, marker, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)

written, typed = b"", not marker
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # Linux says so when the other end is closed
        break
    if not chunk:
        break
    written += chunk
    if not typed and marker in written:
        typed = True
        os.write(terminal, b"\x03")
sys.stdout.buffer.write(written)
sys.stdout.flush()
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
