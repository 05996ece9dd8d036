"""What the tests of a real package really execute, learnt from coverage contexts.

Truth is a table {source file: {function: [test ids]}}: a test is true for a function when, while that test was
set up, called or torn down, at least one line inside the function's body ran.

Why function bodies only: the lines of a module's or class's own body, decorators and `def` lines run once, at import, in
whichever test imports first, or in none when collection imports. They say nothing about who depends on them. A body line
always belongs to the test that was running. Two limits remain: a fixture of module scope or above and a cached value are
seen only in the first test that needs them (truth is too small there, which cannot lower recall unfairly), and
`__del__` runs in whichever test the garbage collector wakes, so it is left out.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

Truth = Dict[str, Dict[str, List[str]]]


class Package(NamedTuple):
    """A released package: its sources, its suite, and what the suite needs to run."""

    name: str
    version: str
    sources: str
    tests: str
    needs: Tuple[str, ...] = ()
    options: Tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"


def run(command: List[str], cwd: Path) -> None:
    """Run a command quietly; show its output only when it fails."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-4000:]}")


def prepare(package: Package, cache: Path) -> Tuple[Path, Path]:
    """Fetch the source release and make an environment for it; both stay in the cache."""
    root, environment = cache / package.folder, cache / f"{package.folder}-venv"
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    cache.mkdir(parents=True, exist_ok=True)
    if not python.exists():
        run([sys.executable, "-m", "venv", str(environment)], cache)
    if not root.exists():
        requirement = f"{package.name}=={package.version}"
        pip = [str(python), "-m", "pip", "-q"]
        run(pip + ["install", "pytest<9", "pytest-cov", "coverage", requirement, *package.needs], cache)
        run(pip + ["download", "--no-deps", "--no-binary", ":all:", "-d", ".", requirement], cache)
        run([str(python), "-m", "tarfile", "-e", f"{package.folder}.tar.gz", "."], cache)
        # The suite must execute these sources, not the installed copy of them.
        run(pip + ["install", "--no-deps", "-e", str(root)], cache)
    return root, python


def observe(package: Package, cache: Path) -> Truth:
    """Run the suite once under coverage; later calls read the stored table."""
    root, python = prepare(package, cache)
    stored = cache / f"{package.folder}-truth.json"
    if not stored.exists():
        suite = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", package.tests, *package.options]
        measured = suite + [f"--cov={package.sources}", "--cov-context=test", "--cov-report="]
        subprocess.run(measured, cwd=root, stdout=subprocess.DEVNULL, check=False)
        run([str(python), str(Path(__file__).resolve()), str(root), str(stored)], root)
    loaded: Truth = json.loads(stored.read_text())
    return loaded


def functions(tree: ast.AST, prefix: str = "") -> Iterator[Tuple[str, Set[int]]]:
    """Every function with the lines of its body; a nested function counts as part of the outer one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            last = node.body[-1].end_lineno or node.body[-1].lineno
            if node.name != "__del__" and node.body[0].lineno > node.lineno:
                yield prefix + node.name, set(range(node.body[0].lineno, last + 1))
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        elif not isinstance(node, ast.expr):
            yield from functions(node, prefix)


def functions_of(file: Path) -> Dict[str, Set[int]]:
    """The lines of every function of a file, by name."""
    found: Dict[str, Set[int]] = {}
    for name, lines in functions(ast.parse(file.read_bytes())):
        found.setdefault(name, set()).update(lines)
    return found


def reduce_contexts(root: Path) -> Truth:
    """Fold coverage's lines × contexts into functions × tests."""
    from coverage import CoverageData

    data = CoverageData(basename=str(root / ".coverage"))
    data.read()
    truth: Truth = {}
    for file in sorted(data.measured_files()):
        contexts = data.contexts_by_lineno(file)
        table: Dict[str, Set[str]] = {}
        for name, lines in functions(ast.parse(Path(file).read_bytes())):
            ran = {context for line in lines for context in contexts.get(line, ()) if context}
            table.setdefault(name, set()).update(context.rpartition("|")[0] for context in ran)
        path = Path(file).relative_to(root).as_posix()
        truth[path] = {name: sorted(tests) for name, tests in table.items() if tests}
    if not any(truth.values()):
        sys.exit(f"coverage saw no test of {root}: does its suite run?")
    return truth


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(reduce_contexts(Path(sys.argv[1]))))
