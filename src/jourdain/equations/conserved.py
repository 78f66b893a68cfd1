"""Momenta that the motion conserves, found by their rates of change: those that vanish in any general state.

Candidates are the momenta of the coordinates (of a coordinate that nothing depends on it is conserved), and of the
whole: linear, angular about the mass centre, angular about the ground's origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph import Node, Role, interpret, symbols_of
from ..graph.differentiate import jvp
from ..spatial import Vector
from .hamilton import momenta
from .mechanics import Mechanics
from .states import GOLDEN, general_state

STATES = 3
NOTHING = 1e-11  # of the momentum's own terms


@dataclass(frozen=True)
class Momentum:
    """A conserved one: its name, and its value as an expression of q, u and t."""

    name: str
    value: Node


def conserved_momenta(mechanics: Mechanics, udot: Sequence[Node], given: Mapping[str, float]) -> list[Momentum]:
    """Those that do not change, and are not always nothing, while the speeds change at the rates udot.

    given: values of parameters and inputs; inputs that are not among them may have any.
    """
    candidates = _candidates(mechanics)
    clock = {**mechanics.quantities.rates(), **dict(zip(mechanics.u, udot))}
    values_of = [x.value for x in candidates]
    rates = jvp(values_of, clock)
    alive, moves = [True] * len(candidates), [False] * len(candidates)
    for which in range(STATES):
        state = general_state(mechanics.lowered, which)
        symbols = symbols_of([*rates, *values_of, *udot])
        own = {x: value for x, value in state.items() if x.role is not Role.INPUT}
        own |= {x: given[x.name] for x in symbols if x.role in (Role.INPUT, Role.PARAMETER) and x.name in given}
        values = {x: own.get(x, 0.3 + GOLDEN * (k + 1 + which) % 1.0) for k, x in enumerate(symbols)}
        found = [float(x) for x in interpret([*rates, *udot], values)]
        amounts = [float(x) for x in interpret(values_of, values)]
        moves = [moved or abs(x) > NOTHING for moved, x in zip(moves, amounts)]
        size = max([1e-300, *map(abs, found)])
        alive = [held and abs(rate) <= NOTHING * size for held, rate in zip(alive, found)]
    kept = [x for x, held, moved in zip(candidates, alive, moves) if held and moved]
    if any(x.name.endswith("about the mass centre along x") for x in kept):
        kept = [x for x in kept if "the ground's origin" not in x.name]  # they say the same
    return kept


def _candidates(mechanics: Mechanics) -> list[Momentum]:
    found = []
    if tuple(mechanics.rates()) == tuple(mechanics.u):
        names = mechanics.system.coordinates
        found += [Momentum(f"momentum of {name}", p) for name, p in zip(names, momenta(mechanics))]
    whole = mechanics.momentum()
    angular, linear = Vector(*whole[:3]), Vector(*whole[3:])
    about = angular + mechanics.mass_center().cross(linear)
    for what, vector in (
        ("linear momentum", linear), ("angular momentum about the mass centre", angular),
        ("angular momentum about the ground's origin", about),
    ):  # fmt: skip
        found += [Momentum(f"{what} along {axis}", x) for axis, x in zip("xyz", vector) if not x.is_constant]
    return found
