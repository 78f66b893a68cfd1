"""What a real-time thread asks of the system, and what it was granted: priority, memory that stays, exact timers.

Nothing of it is needed for the loop to run, and all of it for the loop to be punctual.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from dataclasses import dataclass

PRIORITY = 80  # of 1 to 99; the kernel's own threads for interrupts have 50
PR_SET_TIMERSLACK = 29
MCL_CURRENT = 1
_locks = threading.Lock()
_locking = 0  # loops that want memory to stay


@dataclass(frozen=True)
class Granted:
    """Of each wish "" if it was granted, else why not, and what to do."""

    priority: str
    memory: str
    timers: str

    @property
    def whole(self) -> bool:
        """Whether everything was granted."""
        return not (self.priority or self.memory or self.timers)

    def lines(self) -> list[str]:
        """For reading."""
        wishes = {
            f"real-time priority (SCHED_FIFO {PRIORITY})": self.priority,
            "memory that is never paged out": self.memory,
            "timers without slack": self.timers,
        }
        return [f"{wish}: {'not granted: ' + reason if reason else 'granted'}" for wish, reason in wishes.items()]


NOT_ASKED = Granted("not asked for", "not asked for", "not asked for")


def ask() -> Granted:
    """Asks for the thread that calls; memory is the whole process's. What exists is locked, not what is yet to come:
    the loop allocates nothing, and a limit on locked memory must not make others' allocations fail."""
    return Granted(_priority(), _memory(), _timers())


def give_back(granted: Granted) -> None:
    """Memory need not stay any more; all else ends with the thread."""
    global _locking
    if granted.memory:
        return
    with _locks:
        _locking -= 1
        if _locking == 0:
            ctypes.CDLL(None).munlockall()


def _priority() -> str:
    if not sys.platform.startswith("linux"):  # other systems set it for the process, if at all
        return f"{sys.platform!r} has no SCHED_FIFO for a thread"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        return (
            f"{error.strerror}; allow it by `rtprio {PRIORITY}` in /etc/security/limits.d, or by CAP_SYS_NICE in a "
            "container"
        )
    return ""


def _memory() -> str:
    global _locking
    with _locks:
        library = ctypes.CDLL(None, use_errno=True)
        if not hasattr(library, "mlockall"):
            return "the C library has no mlockall"
        if library.mlockall(MCL_CURRENT):
            reason = os.strerror(ctypes.get_errno())
            return (
                f"{reason}; allow it by `memlock unlimited` in /etc/security/limits.d, or by CAP_IPC_LOCK in a "
                "container"
            )
        _locking += 1
    return ""


def _timers() -> str:
    """The kernel may gather what wakes up within the slack, 50 µs by default. Under SCHED_FIFO there is none anyway."""
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "prctl"):
        return "the C library has no prctl"
    if library.prctl(PR_SET_TIMERSLACK, ctypes.c_ulong(1), 0, 0, 0):
        return os.strerror(ctypes.get_errno())
    return ""
