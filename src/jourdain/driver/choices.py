"""What a choice of generalized speeds costs, and the choice that costs least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..equations.body_fixed import Choice, choices, definitions, windows
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
MOST_APART = 12
"""Windows up to which each is tried with its joints' own speeds."""


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
    plain = with_speeds(system, lambda model: {})
    found = [_counted(AS_GIVEN, system, wanted)] if system.definitions else []
    found += [_counted(JOINTS, plain, wanted), *_body_fixed(plain, wanted)]
    return [*found, _counted(DIAGONAL, diagonal_speeds(plain), wanted)] if diagonal else found


def efficient_speeds(system: System) -> System:
    """The same system in speeds that make its equations of motion cheap.

    Components of bodies' own angular velocities, and velocities, along their own axes are tried for each joint and for
    joints in a row; then joints are given back their own speeds, one after the other, where that is cheaper. The best
    is kept, by operations of rates and forward dynamics together; the joints' own speeds, or the user's, where none is
    cheaper. `compare_speeds` shows the figures. There are as many speeds as the joints have, but where the user's are
    kept.
    """
    must_be_system(system, "given other speeds")
    return cheapest(priced(system)).system


def cheapest(tried: Sequence[SpeedChoice]) -> SpeedChoice:
    """The one whose equations of motion take least; of equals, the first."""
    return min(tried, key=lambda x: x.price)


def _counted(name: str, system: System, wanted: Sequence[str]) -> SpeedChoice:
    return SpeedChoice(name, system, count(system, wanted))


def _body_fixed(plain: System, wanted: Sequence[str]) -> list[SpeedChoice]:
    """The sets of body-fixed speeds, and the cheapest of them with some joints left as they are."""
    tried = {choice: _made(plain, choice) for choice in choices(plain)}
    found = {choice: _counted(str(choice), x, wanted) for choice, x in tried.items() if x.definitions}
    if not found:
        return []
    start = best = min(found, key=lambda x: found[x].price)
    joints = [window[-1].name for window in windows(plain, start)]
    for name in reversed(joints) if len(joints) <= MOST_APART else ():
        other = replace(best, own=(name, *best.own))
        found[other] = _counted(str(other), _made(plain, other), wanted)
        best = other if found[other].price < found[best].price else best
    return [x for choice, x in found.items() if choice in tried or choice is best]


def _made(plain: System, choice: Choice) -> System:
    """No definitions where the joints of some window do not move its last body in enough ways."""

    def named(model: Model) -> dict[str, Node]:
        found = definitions(model, choice)
        return dict(zip(fresh_names(model, len(found)), found))

    return with_speeds(plain, named)
