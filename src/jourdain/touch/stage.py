"""What a tick is made of: pieces of machine code of one form, done one after the other.

A device that is read, a coupler, a guard, a mechanism's step, a device that is written to: each is a function of two
pointers, void f(void *, void *), which neither waits nor allocates. A compiled procedure on its session's memory is
one, and so is a C function of a device's own library.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Compiled(Protocol):
    """Compiled code on memory of its own, as `native.Session` is: what runs it, and its arrays by name."""

    @property
    def entry(self) -> tuple[int, int, int]:
        """The address of the code, and the two pointers that it takes."""

    def array(self, name: str) -> Floats:
        """A view of an array that the code reads or writes."""


@dataclass(frozen=True)
class Stage:
    """One piece of a tick.

    entry: the code's address and the two pointers that it takes. at_end: whether it is done once more when the loop
    ends, as is what takes the force away. keep: what must live as long as the addresses are good.
    """

    name: str
    entry: tuple[int, int, int]
    at_end: bool = False
    keep: object = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, name: str, code: Compiled, at_end: bool = False) -> Stage:
        """Compiled code once a tick."""
        return cls(name, code.entry, at_end, code)
