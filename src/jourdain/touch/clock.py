"""The clock that the loop lives by: two C functions, of the system or of a test."""

from __future__ import annotations

import ctypes
import struct
import sys
from dataclasses import dataclass, field


class NoClock(OSError):
    """This system has no clock that the real-time loop can wait for."""


@dataclass(frozen=True)
class Clock:
    """Addresses of functions with the signatures, and the meaning, of POSIX's clock_gettime and clock_nanosleep."""

    gettime: int
    nanosleep: int
    keep: object = field(default=None, repr=False, compare=False)


def system_clock() -> Clock:
    """CLOCK_MONOTONIC of this system, with sleep until an absolute time."""
    if struct.calcsize("P") != 8:
        raise NoClock("the real-time loop needs a 64-bit Python: it knows the C library's structures as they are there")
    if not sys.platform.startswith("linux"):
        raise NoClock(
            f"the real-time loop needs clock_nanosleep with absolute deadlines, as Linux has it; on {sys.platform!r} "
            "it is not there, or not known to us. Simulate without it (`jourdain.simulate`), or use Linux"
        )
    library = ctypes.CDLL(None)
    return Clock(*(_address(library, name) for name in ("clock_gettime", "clock_nanosleep")))


def _address(library: ctypes.CDLL, name: str) -> int:
    try:
        found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    except AttributeError:
        found = None
    if not found:
        raise NoClock(f"the C library has no function {name!r}, which the real-time loop waits with")
    return found
