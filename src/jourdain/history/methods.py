"""The authors as a table: a new one is a row here, and covered by tests that are already there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .authors import hollerbach_3x3, hollerbach_4x4, kane, luh_walker_paul, silver, uicker_kahn, walker_orin
from .chain import Moment
from .counted import Counted
from .published import HOLLERBACH_3X3, HOLLERBACH_4X4, NEWTON_EULER, UICKER_KAHN, WALKER_ORIN, Published

INVERSE = "inverse dynamics"
MASS = "mass matrix"
FORWARD = "forward dynamics"


@dataclass(frozen=True)
class Method:
    """One author's equations.

    quantity: what they give. degree: of the cost as a polynomial of the number of joints. run: once through them with
    counting numbers. published: the figure of the literature for six joints.
    """

    name: str
    year: int
    quantity: str
    degree: int
    run: Callable[[Moment[Counted]], object]
    published: Published | None = None


def _forward(moment: Moment[Counted]) -> object:
    """Under forces that are numbers like others."""
    return walker_orin.forward_dynamics(moment, [moment.numbers.number(0.7) for _ in moment.joints])


METHODS = (
    Method("Uicker, Kahn", 1965, INVERSE, 4, uicker_kahn.inverse_dynamics, UICKER_KAHN),
    Method("Hollerbach 4×4", 1980, INVERSE, 1, hollerbach_4x4.inverse_dynamics, HOLLERBACH_4X4),
    Method("Hollerbach 3×3", 1980, INVERSE, 1, hollerbach_3x3.inverse_dynamics, HOLLERBACH_3X3),
    Method("Kane, sums as written", 1983, INVERSE, 2, kane.inverse_dynamics),
    Method("Luh, Walker, Paul", 1979, INVERSE, 1, luh_walker_paul.inverse_dynamics, NEWTON_EULER),
    Method("Silver", 1981, INVERSE, 1, silver.inverse_dynamics, NEWTON_EULER),
    Method("Walker, Orin", 1982, MASS, 2, walker_orin.mass_matrix),
    Method("Walker, Orin", 1982, FORWARD, 3, _forward, WALKER_ORIN),
)
