"""A directory for files that a run needs and nobody else: outside the project, gone with the supervisor."""

import os
import shutil
import tempfile


def make_file(run: str, name: str) -> str:
    """The path of a file in the directory of this run, which is made if it is not there."""
    directory = os.path.join(tempfile.gettempdir(), run)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    return os.path.join(directory, name)


def remove(run: str) -> None:
    shutil.rmtree(os.path.join(tempfile.gettempdir(), run), ignore_errors=True)
