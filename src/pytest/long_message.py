"""A long message without what says least: its ends stay, and what differs in a diff. PYTEST_DONT_REWRITE"""

import re
from typing import List

# A screen and more: shorter diffs are shown with all that is equal.
FOLDED_FROM = 2000
LINE_LIMIT = 1000
# Equal lines that stay around a difference, as in every diff.
CONTEXT = 3
# Work on more than this would be felt.
MOST_READ = 1 << 22

# A line of a diff, on its own or within an explanation of pytest's; `+  where` is none.
_DIFFERENT = re.compile(r"(|  |    )[-+?] ")


def clip(text: str, limit: int, line_end: str = "\n") -> str:
    """Keeps head and tail, and says how much is missing."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    missing = len(text) - head - tail
    return "%s%s[... %d characters elided ...]%s%s" % (text[:head], line_end, missing, line_end, text[-tail:])


def shorten(text: str, limit: int) -> str:
    """Within the limit; equal lines of a diff go first, then what is left of long lines, then the middle."""
    if len(text) <= FOLDED_FROM:
        return clip(text, limit)
    folded = "\n".join(_fold(clip(text, MOST_READ).split("\n")))
    if len(folded) > limit:
        folded = "\n".join(clip(line, LINE_LIMIT, " ") for line in folded.split("\n"))
    return clip(folded, limit)


def _fold(lines: List[str]) -> List[str]:
    # What stands before the comparison is the author's: a list there may look like a diff.
    compared = [index for index, line in enumerate(lines) if line.startswith("assert ") or " != " in line][:1]
    start = compared[0] if compared else len(lines)
    matches = [_DIFFERENT.match(line) if index > start else None for index, line in enumerate(lines)]
    different = [index for index, match in enumerate(matches) if match]
    near = {at for index in different for at in range(index - CONTEXT, index + CONTEXT + 1)}
    indents = [match.group(1) for match in matches if match]
    equal = "  " + indents[0] if indents else "\n"
    folded: List[str] = []
    run: List[str] = []
    for index, line in enumerate(lines + [""]):
        if index > start and index not in near and line.startswith(equal):
            run.append(line)
            continue
        folded += run if len(run) < 2 else ["%s… %d equal lines" % (equal, len(run))]
        run = []
        folded.append(line)
    return folded[:-1]
