"""What the literature says that each author's equations cost."""

from __future__ import annotations

from dataclasses import dataclass

from .polynomial import Polynomial, polynomial

JOINTS = 6


@dataclass(frozen=True)
class Published:
    """Multiplications and additions for six joints, and, where they are published, for n.

    source: who says so. A polynomial need not give the figure: Uicker and Kahn's products do not.
    """

    mul: int
    add: int
    source: str
    mul_of_n: Polynomial | None = None
    add_of_n: Polynomial | None = None


HOLLERBACH = "Hollerbach 1980"
UICKER_KAHN = Published(
    66271, 51548, HOLLERBACH,
    polynomial("65/2", "1037/12", "685/4", "160/3", -128), polynomial(25, "199/3", "259/2", "127/3", -96),
)  # fmt: skip
HOLLERBACH_4X4 = Published(4388, 3586, HOLLERBACH, polynomial(830, -592), polynomial(675, -464))
HOLLERBACH_3X3 = Published(2195, 1719, HOLLERBACH, polynomial(412, -277), polynomial(320, -201))
NEWTON_EULER = Published(852, 738, HOLLERBACH, polynomial(150, -48), polynomial(131, -48))
WALKER_ORIN = Published(1541, 1196, "Kane and Levinson 1983, of Walker and Orin 1982")
KANE_LEVINSON = Published(646, 394, "Kane and Levinson 1983, one arm")

# The Z's and X's of Kane and Levinson's appendices 1 and 2 and their (118) to (126), from q, u and u̇ to the efforts,
# executed with counting numbers in `tests/history/test_kane_levinson.py`: multiplications, additions, divisions.
KANE_LEVINSON_EXECUTED = (645, 433, 5)
