"""What the person who started the server lets the tests use; set in the worker, before pytest is there."""

import os
import sys
from typing import Any, Dict, Optional

assert sys.platform != "win32"
import resource  # noqa: E402


def apply(limits: Dict[str, Any]) -> Optional[str]:
    """Limits this process and each that it starts; says what cannot be limited."""
    try:
        if "memory_bytes" in limits:
            _set(resource.RLIMIT_AS, limits["memory_bytes"])
        if "cpu_seconds" in limits:
            _set(resource.RLIMIT_CPU, limits["cpu_seconds"])
        if "processes" in limits:
            if sys.platform == "linux" and os.getuid() == 0:
                return "limits cannot be set: Linux lets root have any number of processes"
            # The kernel counts every thread that the user has, not only ours.
            _set(resource.RLIMIT_NPROC, limits["processes"] + _threads_of_user())
    except (OSError, ValueError) as error:
        return "limits cannot be set: %s" % error
    return None


def _set(which: int, amount: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        amount = min(amount, hard)
    resource.setrlimit(which, (amount, hard))


def _threads_of_user() -> int:
    """Where /proc tells; elsewhere what the user already runs is part of the limit."""
    user = os.getuid()
    count = 0
    try:
        names = os.listdir("/proc")
    except OSError:
        return 0
    for name in names:
        if name.isdigit():
            try:
                if os.stat("/proc/" + name).st_uid == user:
                    count += len(os.listdir("/proc/%s/task" % name))
            except OSError:
                pass  # it has just ended
    return count
