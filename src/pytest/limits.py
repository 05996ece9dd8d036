"""What the person who started the server lets the tests use; set in the worker, before pytest is there."""

import os
import sys
from typing import Any, Dict, Optional

assert sys.platform != "win32"
import resource  # noqa: E402

# What a test that handles SIGXCPU has left until it is killed.
CPU_GRACE_SECONDS = 2
# From linux/capability.h and linux/prctl.h.
CAP_SYS_RESOURCE, CAPABILITY_VERSION_3 = 24, 0x20080522
PR_CAPBSET_READ, PR_CAPBSET_DROP = 23, 24


def apply(limits: Dict[str, Any]) -> Optional[str]:
    """Limits this process and each that it starts; says what cannot be limited."""
    try:
        if "memory_bytes" in limits:
            _set(resource.RLIMIT_AS, limits["memory_bytes"])
        if "cpu_seconds" in limits:
            _set(resource.RLIMIT_CPU, limits["cpu_seconds"], CPU_GRACE_SECONDS)
        if "processes" in limits:
            if sys.platform == "linux" and os.getuid() == 0:
                return "limits cannot be set: Linux lets root have any number of processes"
            # The kernel counts every thread that the user has, not only ours.
            _set(resource.RLIMIT_NPROC, limits["processes"] + _threads_of_user())
        if sys.platform == "linux" and os.geteuid() == 0:
            _keep_root_from_raising()
    except (ImportError, OSError, ValueError) as error:
        return "limits cannot be set: %s" % error
    return None


def _set(which: int, amount: int, grace: int = 0) -> None:
    """The hard limit too: a test may raise the soft one up to it."""
    hard = resource.getrlimit(which)[1]
    most = amount + grace if hard == resource.RLIM_INFINITY else min(amount + grace, hard)
    resource.setrlimit(which, (min(amount, most), most))


def _keep_root_from_raising() -> None:
    """Gives up the capability that lifts hard limits, here and for every program that is started."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    # effective, permitted, inheritable; then the same of the capabilities from 32 on
    sets = (ctypes.c_uint32 * 6)()
    failed = libc.capget(header, sets)
    if not failed and libc.prctl(PR_CAPBSET_READ, CAP_SYS_RESOURCE, 0, 0, 0) == 1:
        failed = libc.prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0)
    for index in range(3):
        sets[index] &= ~(1 << CAP_SYS_RESOURCE)
    if failed or libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "root could raise them again")


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
