"""Examples in docstrings and documents: what pytest runs of them, and what they use."""

from __future__ import annotations

import ast
import re
from typing import List, Tuple

from pytest_mcp_related_collect import Collector
from pytest_mcp_related_symbols import Module
from pytest_mcp_related_uses import Uses

# The symbol of all examples of a file.
DOCTESTS = "<doctests>"
# What pytest collects without being asked.
STANDARD_GLOB = "test*.txt"
EXAMPLE_LINE = re.compile(r"^[ \t]*(>>>|\.\.\.)(?: (.*)|)$")


def add_doctests(module: Module, text: str) -> None:
    """Give a module the symbol of its examples, if it has any."""
    examples = _examples(text)
    if not examples:
        return
    symbol = module.symbol(DOCTESTS, "doctest")
    symbol.spans = [(number, number) for number, _ in examples]
    _collect("\n".join(code for _, code in examples), symbol.uses)


def _examples(text: str) -> List[Tuple[int, str]]:
    """Line numbers and code; a line that continues an example keeps its indentation."""
    found: List[Tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = EXAMPLE_LINE.match(line)
        if match is not None and (match[1] == ">>>" or found):
            found.append((number, match[2] or ""))
    return found


def _collect(code: str, uses: Uses) -> None:
    try:
        Collector(uses).walk(ast.parse(code).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # One bad example must not hide the others.
        lines = code.splitlines()
        if len(lines) > 1:
            for line in lines:
                _collect(line.strip(), uses)
