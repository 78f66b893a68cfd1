"""What a choice of generalized speeds costs, and the choice that costs least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..equations.body_fixed import Choice, choices, definitions
from ..equations.choose import ANGLE, DIVISION
from ..equations.diagonal import diagonal_speeds
from ..graph import Node
from ..model.choosing import fresh_names, with_speeds
from ..model.model import Model
from ..model.system import System, must_be_system
from .counting import count

AS_GIVEN, JOINTS, DIAGONAL = "as given", "joint speeds", "diagonal mass matrix"
SIMULATED = ("rates", "forward_dynamics")
"""What one evaluation of the equations of motion takes: q̇ = W u + X, and u̇."""


@dataclass(frozen=True)
class SpeedChoice:
    """One set of speeds. counts: by quantity, as `count` gives them."""

    name: str
    system: System
    counts: Mapping[str, Mapping[str, int]]

    @property
    def price(self) -> int:
        """Operations of rates and forward dynamics, divisions and angles weighed by what they take to run."""
        total = 0
        for quantity in SIMULATED:
            row = self.counts[quantity]
            total += row["mul"] + row["add"] + row["other"]
            total += DIVISION * (row["div"] + row["sqrt"]) + ANGLE * row["trig"]
        return total


def priced(system: System, quantities: Sequence[str] = SIMULATED, diagonal: bool = False) -> list[SpeedChoice]:
    """The system in all sets of speeds that are tried, counted; diagonal: also in those that make M diagonal."""
    wanted = tuple(dict.fromkeys((*SIMULATED, *quantities)))
    return [SpeedChoice(name, x, count(x, wanted)) for name, x in _tried(system, diagonal)]


def efficient_speeds(system: System) -> System:
    """The same system in speeds that make its equations of motion cheap.

    Components of bodies' own angular velocities, and velocities, along their own axes are tried for each joint and for
    joints in a row, and the cheapest is kept, by operations of rates and forward dynamics together; the joints' own
    speeds, or the user's, where none is cheaper. `compare_speeds` shows the figures. There are as many speeds as the
    joints have, unless the user's are kept.
    """
    must_be_system(system, "given other speeds")
    return cheapest(priced(system)).system


def cheapest(tried: Sequence[SpeedChoice]) -> SpeedChoice:
    """The one whose equations of motion take least; of equals, the first."""
    return min(tried, key=lambda x: x.price)


def _tried(system: System, diagonal: bool) -> Iterator[tuple[str, System]]:
    if system.definitions:
        yield AS_GIVEN, system
    plain = with_speeds(system, lambda model: {})
    yield JOINTS, plain
    for choice in choices(plain):
        made = _body_fixed(plain, choice)
        if made.definitions:
            yield str(choice), made
    if diagonal:
        yield DIAGONAL, diagonal_speeds(plain)


def _body_fixed(plain: System, choice: Choice) -> System:
    def named(model: Model) -> dict[str, Node]:
        found = definitions(model, choice)
        return dict(zip(fresh_names(model, len(found)), found))

    return with_speeds(plain, named)
