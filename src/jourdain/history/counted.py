"""Numbers that count: floats that enter every multiplication, addition and division that they go through in a ledger.

The rule. A product of two numbers is a multiplication, a sum or a difference an addition, each counted when it is
executed, whether or not it was executed before. Unary minus is free. A number may be *known* to be 0 or ±1 by
structure: what it takes part in is then no operation (0·x, 1·x, 0 + x). Whether the constant entries of a joint's
matrix are known is the choice of `Counting`; starting values of recursions (an identity, a zero) always are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Ledger:
    """What has been executed so far."""

    mul: int = 0
    add: int = 0
    div: int = 0


class Counted:
    """A float with its ledger. known: that it is 0, 1 or −1 is structure, so that nothing need be executed with it."""

    __slots__ = ("known", "ledger", "value")

    def __init__(self, value: float, ledger: Ledger, known: bool = False) -> None:
        if known and value not in (0.0, 1.0, -1.0):
            raise ValueError(f"only 0, 1 and -1 can be known by structure, not {value!r}")
        self.value = value
        self.ledger = ledger
        self.known = known

    def __add__(self, other: Counted) -> Counted:
        if self.known and self.value == 0.0:
            return other
        if other.known and other.value == 0.0:
            return self
        self.ledger.add += 1
        return Counted(self.value + other.value, self.ledger)

    def __sub__(self, other: Counted) -> Counted:
        return self + -other

    def __neg__(self) -> Counted:
        return Counted(-self.value, self.ledger, self.known)

    def __mul__(self, other: Counted) -> Counted:
        for one, factor in ((self, other), (other, self)):
            if factor.known:
                if factor.value == 0.0:
                    return factor
                return one if factor.value == 1.0 else -one
        self.ledger.mul += 1
        return Counted(self.value * other.value, self.ledger)

    def __truediv__(self, other: Counted) -> Counted:
        if self.known and self.value == 0.0:
            return self
        if other.known and other.value == 1.0:
            return self
        self.ledger.div += 1
        return Counted(self.value / other.value, self.ledger)

    def __repr__(self) -> str:
        return f"{self.value!r}{' (known)' if self.known else ''}"
