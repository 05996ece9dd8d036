"""Measures the related-tests selection on real packages against what their suites really execute.

    python tests/bench/related_recall.py [--cache DIR] [--misses N] [package …]

Two kinds of change are tried: every source file as a whole, and every function alone (its line range). For each, truth is
the tests that execute the function bodies concerned (related_truth.py says why bodies only). recall is the share of true
tests that were selected, over all changes together; worst is the lowest recall of one change; selected is the mean share of
the suite that was selected, and true is the mean share that truth has: no selection can be smaller.

The first run downloads the packages and runs their suites under coverage, which takes a quarter of an hour; the tables of
truth stay in the cache.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import our_modules  # noqa: E402, F401
from pytest_mcp_related_change import nodes_of_file, nodes_of_lines  # noqa: E402
from pytest_mcp_related_project import Project, Selected  # noqa: E402
from related_truth import Package, Truth, functions_of, observe, prepare  # noqa: E402

PACKAGES = (
    Package("click", "8.1.8", "src/click", "tests"),
    Package("flask", "3.1.0", "src/flask", "tests", ("python-dotenv", "asgiref", "blinker", "greenlet")),
    Package("networkx", "3.4.2", "networkx", "networkx", ("numpy", "scipy", "pandas")),
    # The graph was developed on the three above. These came afterwards; what jinja2 and werkzeug showed (names that are
    # filled into source code, tables made from globals()) was then added.
    Package("attrs", "25.3.0", "src", "tests", ("hypothesis", "cloudpickle", "pympler")),
    Package("jinja2", "3.1.6", "src/jinja2", "tests", ("trio",)),
    Package("marshmallow", "3.26.1", "src/marshmallow", "tests", ("simplejson",)),
    # What Django loads by itself was added for this one.
    Package(
        "djangorestframework",
        "3.15.2",
        "rest_framework",
        "tests",
        ("django<5.1", "pytest-django", "pytz", "markdown", "inflection", "uritemplate", "pyyaml"),
    ),
    # Nothing was added for these.
    Package("packaging", "25.0", "src/packaging", "tests", ("pretend", "tomli_w")),
    Package("arrow", "1.3.0", "arrow", "tests", ("pytz", "simplejson", "dateparser", "pytest-mock")),
    # Its server tests start processes that wait for changed files.
    Package("werkzeug", "3.1.3", "src/werkzeug", "tests", ("ephemeral-port-reserve",), ("--ignore=tests/test_serving.py",)),
)


class Score(NamedTuple):
    """One change: what was true, what was selected."""

    name: str
    true: Set[str]
    selected: Set[str]

    @property
    def missed(self) -> Set[str]:
        return self.true - self.selected


def function_id(test_id: str) -> str:
    """A test id without its parameters."""
    return test_id.partition("[")[0]


def covered(selection: List[Selected], tests: Dict[str, Set[str]]) -> Set[str]:
    """The tests that a selection runs; `tests` are all of them, by file."""
    found: Set[str] = set()
    for each in selection:
        known = tests.get(each.path, set())
        if each.tests is None:
            found |= known
        else:
            names = set(each.tests)
            found |= {test for test in known if not names.isdisjoint(_selectors(test))}
    return found


def _selectors(test_id: str) -> List[str]:
    """What selects a test within its file: itself, or a class around it."""
    parts = test_id.split("::")[1:]
    return ["::".join(parts[:end]) for end in range(1, len(parts) + 1)]


def changes(project: Project, truth: Truth) -> Iterator[Tuple[str, str, Set[str], List[Selected]]]:
    """(kind, name, true tests, selection) for every file and every function that a test executes."""
    for path, table in sorted(truth.items()):
        if project.modules[path].tests is not None or not table:
            continue
        tests = {function_id(test) for each in table.values() for test in each}
        yield "file", path, tests, project.select(nodes_of_file(project, path))
        lines = functions_of(Path(project.root) / path)
        for name, ids in sorted(table.items()):
            span = (min(lines[name]), max(lines[name]))
            nodes = nodes_of_lines(project, path, [span])
            yield "function", f"{path}:{name}", {function_id(test) for test in ids}, project.select(nodes)


def by_file(truth: Truth) -> Dict[str, Set[str]]:
    """Every test function that executed something, by file."""
    found: Dict[str, Set[str]] = {}
    for table in truth.values():
        for test in {function_id(test) for ids in table.values() for test in ids}:
            found.setdefault(test.partition("::")[0], set()).add(test)
    return found


def score(project: Project, truth: Truth) -> Dict[str, List[Score]]:
    """Scores by kind of change and by what is counted: test files or test functions."""
    tests = by_file(truth)
    scores: Dict[str, List[Score]] = {}
    for kind, name, true, selection in changes(project, truth):
        scores.setdefault(f"{kind} → test functions", []).append(Score(name, true, covered(selection, tests)))
        files = {test.partition("::")[0] for test in true}
        scores.setdefault(f"{kind} → test files", []).append(Score(name, files, {each.path for each in selection}))
    return scores


def report(package: Package, cache: Path, misses: int) -> None:
    truth = observe(package, cache)
    root, _ = prepare(package, cache)
    start = time.perf_counter()
    project = Project(str(root))
    built = time.perf_counter() - start
    totals = {
        "test files": len(project.test_files),
        "test functions": sum(map(len, by_file(truth).values())),
    }
    print(f"\n{package.name} {package.version}: {len(project.files)} files, graph in {built:.2f} s")
    print(f"  {'change → counted':34} {'changes':>7} {'recall':>7} {'worst':>6} {'selected':>8} {'true':>6}")
    for title, scores in sorted(score(project, truth).items()):
        total = totals[title.partition("→ ")[2]]
        true = sum(len(each.true) for each in scores)
        recall = 1 - sum(len(each.missed) for each in scores) / true
        worst = min(1 - len(each.missed) / len(each.true) for each in scores)
        selected = sum(len(each.selected) for each in scores) / len(scores) / total
        share = true / len(scores) / total
        print(f"  {title:34} {len(scores):7} {recall:7.4f} {worst:6.2f} {selected:8.1%} {share:6.1%}")
        for each in sorted(scores, key=lambda s: -len(s.missed))[:misses]:
            if each.missed:
                print(f"    missed {len(each.missed):4} of {len(each.true):4}: {each.name} ← {sorted(each.missed)[0]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="names of packages; all when none is given")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "pytest-mcp-bench")
    parser.add_argument("--misses", type=int, default=0, help="show the N changes with most missed tests")
    options = parser.parse_args()
    for package in PACKAGES:
        if not options.packages or package.name in options.packages:
            report(package, options.cache, options.misses)


if __name__ == "__main__":
    main()
