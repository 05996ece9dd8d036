"""What pytest's reports say, as text. PYTEST_DONT_REWRITE"""

import sys
from types import FrameType
from typing import Any, List, Tuple

from pytest_mcp_long_message import clip


def skip_reason(longrepr: Any) -> str:
    text = str(longrepr[2]) if isinstance(longrepr, tuple) and len(longrepr) == 3 else str(longrepr or "")
    return text[len("Skipped: ") :] if text.startswith("Skipped: ") else text


def subtest_name(context: Any) -> str:
    try:
        parts = ["[%s]" % context.msg] if getattr(context, "msg", None) else []
        parts += ["(%s)" % ", ".join(map(_assignment, context.kwargs.items()))] if context.kwargs else []
    except Exception:  # a value that cannot be shown must not hide the outcome
        parts = []
    return clip(" ".join(parts) or "(<subtest>)", 200)


def _assignment(pair: Tuple[str, Any]) -> str:
    name, value = pair
    return "%s=%s" % (name, value if isinstance(value, str) else repr(value))  # pytest 9 has made text of it


def pending_tasks(error: BaseException) -> str:
    """Where asyncio's tasks wait: the stack of a thread shows only its event loop."""
    asyncio = sys.modules.get("asyncio.tasks")
    lines: List[str] = []
    for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks"):
        for task in list(getattr(asyncio, name, None) or ()):
            try:
                if not task.done():
                    lines.append("asyncio task %s" % task.get_name())
                    lines += [_place(frame, frame.f_lineno) for frame in task.get_stack(limit=5)]
            except Exception:
                continue
    # asyncio.run() cancels its task when it is interrupted: where that was, its error still knows.
    cancelled = error.__context__
    traceback = cancelled.__traceback__ if type(cancelled).__name__ == "CancelledError" and cancelled else None
    if traceback is not None:
        lines.append("asyncio task that was waited for")
    while traceback is not None:
        lines.append(_place(traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return "\n".join(lines[:100])


def _place(frame: FrameType, line: int) -> str:
    return '  File "%s", line %d in %s' % (frame.f_code.co_filename, line, frame.f_code.co_name)
