"""What pytest knows about the project besides its tests: markers and fixtures. PYTEST_DONT_REWRITE"""

import functools
import inspect
from typing import Any, Callable, Dict, List, Set

import pytest
from pytest_mcp_long_message import clip

# A docstring longer than this is a manual; its beginning says what the fixture is.
DOC_LIMIT = 1000
# One event of this many at most: a line that the reader can take in one step.
BATCH = 256


class Inspector:
    """Registered only when a request asks for it."""

    def __init__(self, reporter: Any) -> None:
        self.reporter = reporter
        self.wanted = reporter.request["report"]["inspect"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self, config: Any) -> None:
        # By now every plugin and conftest has registered its own.
        if self.wanted == "markers":
            self._answer(lambda: [_describe_marker(line) for line in config.getini("markers")])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        if self.wanted == "fixtures":
            self._answer(lambda: self._fixtures(session._fixturemanager))

    def _answer(self, find: Callable[[], List[Dict[str, Any]]]) -> None:
        try:
            found = find()
        except (
            Exception
        ) as error:  # pytest keeps its fixtures to itself: a new version may keep them elsewhere
            self.reporter.problem("%s: %s" % (type(error).__name__, error))
            return
        for start in range(0, max(len(found), 1), BATCH):
            self.reporter.emit(self.wanted, **{self.wanted: found[start : start + BATCH]})

    def _fixtures(self, manager: Any) -> List[Dict[str, Any]]:
        autouse = _autouse_names(manager)
        seen: Set[Any] = set()
        found: List[Dict[str, Any]] = []
        for definition in _definitions(manager):
            name, base = definition.argname, definition.baseid or ""
            function = _real_function(definition.func)
            # pytest keeps some of its own to itself, and one definition may be known in several places
            key = (name, base, getattr(function, "__code__", None))
            if not name.startswith("_") and key not in seen:
                seen.add(key)
                found.append(self._describe(definition, function, name in autouse.get(base, ())))
        found.sort(key=lambda fixture: (fixture["name"], fixture["visible_in"]))
        # What a reader cannot know comes first: hosts cut the end off a long text.
        return sorted(found, key=lambda fixture: not fixture.pop("own"))

    def _describe(self, definition: Any, function: Any, autouse: bool) -> Dict[str, Any]:
        code = getattr(function, "__code__", None)
        own, file, _ = (
            self.reporter.describer.place(code.co_filename) if code else (False, "", False)
        )
        doc = inspect.getdoc(function)
        return {
            "own": own,
            "name": definition.argname,
            "scope": str(definition.scope),
            "autouse": autouse or bool(getattr(definition, "_autouse", False)),
            "file": file,
            "line": code.co_firstlineno if code else 0,
            "visible_in": self.reporter.to_root(definition.baseid)
            if definition.baseid not in (None, "", ".")
            else "",
            "doc": clip(doc, DOC_LIMIT) if doc else None,
        }


def _describe_marker(line: str) -> Dict[str, str]:
    name, _, description = line.partition(":")
    return {"name": name.strip(), "description": description.strip()}


def _real_function(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(getattr(function, "__func__", function))


def _definitions(manager: Any) -> List[Any]:
    if hasattr(manager, "_get_all_fixture_defs"):
        return list(manager._get_all_fixture_defs())
    return [definition for known in manager._arg2fixturedefs.values() for definition in known]


def _autouse_names(manager: Any) -> Dict[str, List[str]]:
    names = getattr(manager, "_nodeid_autousenames", None)
    return names if isinstance(names, dict) else {}
