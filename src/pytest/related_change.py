"""From changed files and lines to the nodes of the graph that changed with them."""

from __future__ import annotations

import ast
import os
from typing import Dict, NamedTuple, Optional, Sequence, Set, Tuple

from pytest_mcp_related_layout import Import, matches, matches_folder
from pytest_mcp_related_project import CONFIG_FILES, Project
from pytest_mcp_related_reference import files_naming, nodes_that_name, nodes_that_read
from pytest_mcp_related_resolve import IMPORT, MISSING, MODULE, Node
from pytest_mcp_related_symbols import Module

Range = Tuple[int, int]
Changes = Dict[str, Optional[Sequence[Range]]]
# For files whose old lines are known: the modules that they imported and no longer do, "" for another statement.
Lost = Dict[str, Sequence[str]]

# They decide what is installed, so what every test runs on.
DEPENDENCIES = ("requirements*.txt", "constraints*.txt", "*.lock", "Pipfile", "environment*.y*ml")
# What people read, wherever it is; other text does so in the root and where documents are.
ABOUT = ("README*", "LICENSE*", "LICENCE*", "COPYING*", "AUTHORS*", "CHANGELOG*", "CHANGES*", "NOTICE*", "CONTRIBUTING*")
DOCUMENTS = ("*.md", "*.rst")
DOCUMENT_FOLDERS = frozenset(("doc", "docs", "documentation"))
# Settings of tools that no test runs on; another hidden file, such as .env, can be anything.
TOOLS = (".git*", ".editorconfig", ".pre-commit-config.y*ml", ".readthedocs.y*ml", ".flake8", ".pylintrc", ".mypy.ini", ".ruff.toml")
TOOL_FOLDERS = frozenset((".git", ".github", ".gitlab", ".circleci", ".vscode", ".idea", ".devcontainer", ".husky"))
# Folders of changes to a database, which tools find by themselves.
MIGRATIONS = frozenset(("migrations", "alembic"))
COMPILED = (".pyx", ".pxd", ".pyi", ".so", ".pyd")


class Plan(NamedTuple):
    """What a change means: nodes of the graph, test files below a changed folder setting, or everything."""

    nodes: Set[Node]
    below: Dict[str, str]
    notes: Sequence[str]
    everything: str = ""


def reason_for_everything(path: str) -> str:
    """Why a change of this file affects every test, if it does."""
    name = path.rpartition("/")[2]
    if path in CONFIG_FILES:
        return f"{path} configures the whole run"
    if path == "conftest.py":
        return "conftest.py at the root belongs to every test"
    if matches(path, DEPENDENCIES):
        return f"{name} decides which packages are installed"
    return ""


def stand_in(path: str) -> str:
    """The Python path of the module that a stub or a compiled file belongs to."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}.py" if path.endswith(COMPILED) else path


def plan(project: Project, changes: Changes, lost: Lost) -> Plan:
    """Find what the changes touch."""
    nodes: Set[Node] = set()
    below: Dict[str, str] = {}
    notes = []
    for path, ranges in changes.items():
        name = path.rpartition("/")[2]
        folder = path.rpartition("/")[0]
        if name in CONFIG_FILES or (name == "conftest.py" and ranges is None):
            below.update((test, f"{path} changed") for test in project.tests_of if matches_folder(test, folder))
        if stand_in(path) in project.modules:
            found, note = _python_nodes(project, path, ranges)
            if found is None:
                return Plan(set(), {}, [], note)
            if _is_effect_lost(project, path, lost.get(path, ())):
                nodes.add((stand_in(path), IMPORT))
        else:
            found, note = _other_nodes(project, path)
            if found is None:
                return Plan(set(), {}, [], note)
        nodes |= found
        notes += [note] if note else []
    return Plan(nodes, below, notes)


def _python_nodes(project: Project, path: str, ranges: Optional[Sequence[Range]]) -> Tuple[Optional[Set[Node]], str]:
    module = project.modules[stand_in(path)]
    if not os.path.exists(os.path.join(project.root, path)):
        return nodes_of_file(project, module.path), f"{path} does not exist: whatever imports it is selected"
    if module.problem:
        return nodes_of_file(project, module.path), f"{path} does not parse ({module.problem}): whatever imports it is selected"
    if path == module.path and _is_unused(project, module):
        if not MIGRATIONS.isdisjoint(path.split("/")):
            return None, f"{path} is a migration: any test with a database can run it"
        # Nothing imports it, but code can find it as it finds data.
        return nodes_of_file(project, path) | nodes_that_read(project, path), ""
    if ranges is None or path != module.path:
        return nodes_of_file(project, module.path), ""
    return nodes_of_lines(project, path, ranges), ""


def _is_unused(project: Project, module: Module) -> bool:
    """Whether no other file has to do with a file that is no test and no conftest."""
    return module.tests is None and not module.path.endswith("conftest.py") and module.path not in project.used_files


def _is_effect_lost(project: Project, path: str, lost: Sequence[str]) -> bool:
    """Whether importing a file no longer does what it did; an import of another package's code counts for nothing."""
    for module in lost:
        name = module.lstrip(".")
        found = project.layout.find(path, Import(len(module) - len(name), name, ""))
        if not module or any(project.layout.file_of(each) is not None for each in found):
            return True
    return False


def _other_nodes(project: Project, path: str) -> Tuple[Optional[Set[Node]], str]:
    """A file that is not Python: by its name in the code, by nothing if it only informs people, or everything (None)."""
    found = nodes_that_name(project, path)
    if found:
        # Templates take in other templates, settings other settings.
        for other in files_naming(project.root, path):
            found |= nodes_that_name(project, other)
        return found, f"{path} is not Python: selected are the tests of code that names it"
    if _only_informs(project, path):
        return set(), f"{path} is not Python, no code names it, and it only informs people: it selects nothing"
    return None, f"{path} is not Python and no code names it, so any test could read it"


def _only_informs(project: Project, path: str) -> bool:
    first, slash, _ = path.partition("/")
    if matches(path, TOOLS) or not TOOL_FOLDERS.isdisjoint(path.split("/")):
        return True
    if not matches(path, ABOUT) and not (matches(path, DOCUMENTS) and (not slash or first in DOCUMENT_FOLDERS)):
        return False
    try:
        with open(os.path.join(project.root, path), "rb") as file:
            has_examples = b">>>" in file.read()  # a doctest can run them
    except OSError:
        has_examples = False
    return not has_examples


def nodes_of_file(project: Project, path: str) -> Set[Node]:
    """Everything in a file. What importing it does counts only through its statements, unless it cannot be imported."""
    broken = bool(project.modules[path].problem)
    return {node for node in project.graph.nodes_in(path) if broken or node[1] != IMPORT}


def nodes_of_lines(project: Project, path: str, ranges: Sequence[Range]) -> Set[Node]:
    """The symbols that these lines belong to; the whole file where lines belong to none.

    Lines count from 1 and both ends belong to the range; `[n, n - 1]` is a deletion just before line n.
    """
    module = project.modules[path]
    owners = _owners(module)
    neutral = _neutral_lines(os.path.join(project.root, path))
    found: Set[str] = set()
    for first, last in ranges:
        if last < first:
            names = _common(module, owners.get(first - 1, set()), owners.get(first, set()))
        elif neutral.issuperset(range(first, last + 1)):
            continue
        else:
            names = {n for line in range(first, last + 1) if line not in neutral for n in owners.get(line, {MODULE})}
        if not names or "__all__" in names:  # who imports everything by a star gets other names
            return nodes_of_file(project, path)
        found |= names
    # The lines may have taken the place of a name that is still asked for.
    return {(path, name) for name in (*found, MISSING)} if found else set()


def _owners(module: Module) -> Dict[int, Set[str]]:
    """The innermost symbols of each line."""
    owners: Dict[int, Set[str]] = {}
    inner: Dict[int, Set[str]] = {}
    for symbol in module.symbols.values():
        table = inner if symbol.kind == "method" else owners
        for first, last in symbol.spans:
            for line in range(first, last + 1):
                table.setdefault(line, set()).add(symbol.name)
    return {**owners, **inner}


def _common(module: Module, before: Set[str], after: Set[str]) -> Set[str]:
    """What surrounds a deletion: the symbol on both sides, or the class of both."""
    if before & after:
        return before & after
    classes = [{module.symbols[name].owner or name for name in side} for side in (before, after)]
    return classes[0] & classes[1]


def _neutral_lines(file: str) -> Set[int]:
    """Blank lines and comments: they belong to no symbol and change nothing. In a string they are text."""
    with open(file, "rb") as source:
        text = source.read()
    neutral = {number for number, line in enumerate(text.splitlines(), 1) if not line.strip() or _is_comment(number, line)}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()  # a document with examples
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            neutral.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return neutral


def _is_comment(number: int, line: bytes) -> bool:
    """One that says how the file is encoded can stand in the first two lines."""
    return line.strip().startswith(b"#") and not (number <= 2 and b"coding" in line)
