"""Exceptions as data: frames, values and chains, so that the reader decides what to show. PYTEST_DONT_REWRITE"""

import linecache
import os
import reprlib
import sysconfig
from os import sep  # as it is, whatever a test puts into its place
from os.path import isabs
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from pytest_mcp_long_message import clip, shorten

# Enough of a value to recognise it; a failing comparison of two long lists must not fill the answer.
MESSAGE_LIMIT = 8000
SOURCE_LIMIT = 200
LOCAL_LIMIT = 240
MOST_FRAMES = 100
MOST_CHAINED = 5
MOST_IN_GROUP = 5
MOST_NOTES = 5
# Frames of these packages are how the test was called, not what it did.
_MACHINERY = ("_pytest", "pytest", "pluggy", "xdist", "execnet", "pytest_asyncio", "pytest_rerunfailures")

Data = Dict[str, Any]


class FailureDescriber:
    """Knows which files belong to the project."""

    def __init__(self, root: str, with_locals: bool) -> None:
        self._root = os.path.join(root, "")
        self._with_locals = with_locals
        names = ("stdlib", "platstdlib", "purelib", "platlib")
        paths = {path for path in map(sysconfig.get_paths().get, names) if path}
        self._libraries = tuple(sorted((os.path.join(path, "") for path in paths), key=len, reverse=True))
        self._places: Dict[str, Tuple[bool, str, bool]] = {}
        self._repr = reprlib.Repr()
        self._repr.maxstring = self._repr.maxother = LOCAL_LIMIT

    def describe(self, error: Optional[BaseException]) -> Optional[Data]:
        if error is None:
            return None
        try:
            return self._describe(error, set())
        except Exception:  # an exception can be as broken as the code that raises it
            return {"type": type_name(error), "message": _told(error), "frames": self._frames(error.__traceback__)[0]}

    def _describe(self, error: BaseException, seen: Set[int], depth: int = 1) -> Data:
        seen.add(id(error))
        data: Data = {"type": type_name(error), "message": _told(error)}
        data["frames"], omitted = self._frames(error.__traceback__)
        if omitted:
            data["omitted_frames"] = omitted
        notes = getattr(error, "__notes__", None)
        if isinstance(notes, list) and notes:
            data["notes"] = [clip(str(note), 500) for note in notes[:MOST_NOTES]]
            if len(notes) > MOST_NOTES:
                data["notes"].append("[... %d more notes ...]" % (len(notes) - MOST_NOTES))
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            path = self.place(error.filename)[1]
            data["syntax"] = {
                "path": path,
                "line": error.lineno,
                "text": clip((error.text or "").strip(), SOURCE_LIMIT),
            }
        members = getattr(error, "exceptions", None)
        if isinstance(members, tuple) and all(isinstance(member, BaseException) for member in members):
            data["group"] = [
                self._describe(member, seen) for member in members[:MOST_IN_GROUP] if id(member) not in seen
            ]
            data["group_size"] = len(members)
        chain = _chain_of(error, seen)
        if chain:
            # The last of a long chain is where it all began.
            link, chained = chain[0] if depth < MOST_CHAINED - 1 else chain[-1]
            if chained is not chain[0][1]:
                data["omitted_chained"] = len(chain) - 1
            data[link] = self._describe(chained, seen, depth + 1)
        return data

    def _frames(self, traceback: Optional[TracebackType]) -> Tuple[List[Data], int]:
        frames: List[Data] = []
        while traceback is not None:
            frame, line = traceback.tb_frame, traceback.tb_lineno
            traceback = traceback.tb_next
            project, path, machinery = self.place(frame.f_code.co_filename)
            hidden = frame.f_locals.get("__tracebackhide__", frame.f_globals.get("__tracebackhide__"))
            if machinery or hidden is True or "__unittest" in frame.f_globals:
                continue
            function = frame.f_code.co_name
            if frames and (frames[-1]["path"], frames[-1]["line"], frames[-1]["function"]) == (
                path,
                line,
                function,
            ):
                frames[-1]["repeat"] = frames[-1].get("repeat", 1) + 1
                continue
            source = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
            data = {
                "project": project,
                "path": path,
                "line": line,
                "function": function,
                "source": clip(source, SOURCE_LIMIT),
            }
            if self._with_locals and project:
                data["locals"] = self._locals(frame.f_locals)
            frames.append(data)
        if len(frames) <= MOST_FRAMES:
            return frames, 0
        half = MOST_FRAMES // 2
        return frames[:half] + frames[-half:], len(frames) - 2 * half

    def _locals(self, values: Dict[str, Any]) -> List[Tuple[str, str]]:
        names = [name for name in values if not name.startswith(("@", "__"))]
        return [(name, self._safely(self._repr.repr, values[name])) for name in names]

    def place(self, filename: str) -> Tuple[bool, str, bool]:
        """Whether a file is the project's, the path to show for it, and whether it only calls the test."""
        place = self._places.get(filename)
        if place is None:
            place = self._places[filename] = self._find_place(filename)
        return place

    def _find_place(self, filename: str) -> Tuple[bool, str, bool]:
        if filename.startswith("<"):
            return False, filename, filename.startswith(("<frozen", "<pytest_mcp"))
        for marker in ("site-packages", "dist-packages"):
            _, found, inside = filename.rpartition(sep + marker + sep)
            if found:
                inside = inside.replace(sep, "/")
                return False, inside, inside.split("/")[0].split(".")[0] in _MACHINERY
        if filename.startswith(self._root):
            return True, filename[len(self._root) :].replace(sep, "/"), False
        for library in self._libraries:
            if filename.startswith(library):
                return False, filename[len(library) :].replace(sep, "/"), False
        if not isabs(filename):
            return True, filename.replace(sep, "/"), False
        return True, filename, False

    @staticmethod
    def _safely(render: Callable[[Any], str], value: Any) -> str:
        try:
            return clip(render(value), LOCAL_LIMIT)
        except Exception as error:
            return "<unprintable %s: %s>" % (type(value).__name__, type(error).__name__)


def _chain_of(error: BaseException, seen: Set[int]) -> List[Tuple[str, BaseException]]:
    """The errors behind one, each with its kind of link, as far as they are new."""
    chain: List[Tuple[str, BaseException]] = []
    passed = set(seen)
    while True:
        link, chained = ("cause", error.__cause__)
        if chained is None and not error.__suppress_context__:
            link, chained = ("context", error.__context__)
        if chained is None or id(chained) in passed:
            return chain
        passed.add(id(chained))
        chain.append((link, chained))
        error = chained


def type_name(error: BaseException) -> str:
    kind = type(error)
    module = str(kind.__module__)  # a class made by a call can have anything there
    if module in ("builtins", "__main__") or module.startswith("_pytest"):
        return kind.__qualname__
    return "%s.%s" % (module, kind.__qualname__)


def _told(error: BaseException) -> str:
    # Lines that look like those of a diff are one in what an assertion says.
    within = shorten if isinstance(error, AssertionError) else clip
    return within(message_of(error), MESSAGE_LIMIT)


def message_of(error: BaseException) -> str:
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # pytest.fail() and sys.exit() too
        return "<unprintable %s: %s>" % (type(error).__name__, type(problem).__name__)
