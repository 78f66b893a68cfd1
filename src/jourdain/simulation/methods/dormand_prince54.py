"""Dormand and Prince's pair of order 5 with an estimate of order 4, and its dense output of order 4.

J. R. Dormand, P. J. Prince, A family of embedded Runge–Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19–26; dense
output as in Hairer, Nørsett, Wanner, section II.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...graph import Node, sqrt
from ..adaptive import Adaptive
from ..tableau import Tableau

TABLEAU = Tableau(
    order=5,
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    b=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    errors=((71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),),
    dense=(
        (
            -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
            701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class DormandPrince54(Adaptive):
    """Adaptive, explicit, of order 5: for moderate tolerances and motion that is not very smooth."""

    tableau: ClassVar[Tableau] = TABLEAU
    exponent: ClassVar[float] = 1.0 / 5.0

    def error(self, squares: tuple[Node, ...], count: int) -> Node:
        """The root of the mean of the scaled squares."""
        return sqrt(squares[0] * (1.0 / count))
