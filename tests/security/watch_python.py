"""As sitecustomize: writes down what Python does to files, programs and the network, from its first moment on."""

import json
import os
import sys

WATCHED = ("open", "os.", "subprocess.", "socket.", "shutil.", "ctypes.dlopen", "webbrowser.", "urllib.", "ftplib.")
_log = os.open(os.environ["PYTEST_MCP_TEST_WATCH"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_busy = False


def _watch(event, args):  # type: ignore[no-untyped-def]
    global _busy
    if _busy or not event.startswith(WATCHED):
        return
    _busy = True
    try:
        paths = [os.path.realpath(arg) for arg in args if isinstance(arg, (str, bytes, os.PathLike))]
        line = json.dumps({"event": event, "args": [str(arg) for arg in args], "paths": [str(p) for p in paths]})
        os.write(_log, (line + "\n").encode())
    except ValueError:  # a path with a NUL names no file
        pass
    finally:
        _busy = False


sys.addaudithook(_watch)
