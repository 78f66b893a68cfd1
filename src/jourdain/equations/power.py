"""The power of everything that kinetic and potential energy do not account for: the other side of the energy balance.

Loads at the twists of the links they act on, without what springs store; the efforts of prescribed joints at their
speeds; constraints that move as given, λ at the rate at which they move.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, Role, interpret, substitute, symbols_of
from ..graph.differentiate import jvp
from .constraints import Bonds, remainders
from .inverse import inverse_dynamics
from .kinematics import twists
from .mechanics import Mechanics
from .states import GOLDEN, general_state

POSITIONS = 3
NOTHING = 1e-12  # of the terms' size: a sum of this size is rounding


def power(mechanics: Mechanics, udot: Sequence[Node], rows: Bonds | None, multipliers: Sequence[Node]) -> Node:
    """dE/dt [W] at the speeds' rates udot; the constant zero where nothing exchanges energy with the outside.

    rows: the constraints that hold, with their multipliers.
    """
    terms = _terms(mechanics, udot, rows, multipliers)
    zero = mechanics.graph.zero
    if not terms or _cancel(mechanics, terms):
        return zero
    total = zero
    for x in terms:
        total = total + x
    return total


def _terms(mechanics: Mechanics, udot: Sequence[Node], rows: Bonds | None, multipliers: Sequence[Node]) -> list[Node]:
    tree, lowered, applied = mechanics.standard, mechanics.lowered, mechanics.loads
    motion = twists(tree, lowered.speeds, lowered.known)
    speeds = tree.all_speeds(lowered.speeds)
    terms = [load.moment.dot(x.w) + load.force.dot(x.v) for load, x in zip(applied.links, motion)]
    terms += [force * speeds[k] for k, force in applied.joints.items()]
    if applied.energy is not None:
        terms += jvp([applied.energy], mechanics.quantities.rates())
    if tree.driven:
        moving = mechanics.moving(lowered, udot).tree
        forces = inverse_dynamics(moving, lowered.speeds, mechanics.joint_rates(udot), applied.links)
        # What goes with u, as a guided body does, is given back by what it goes with.
        given = substitute([x.speed for x in tree.driven], dict.fromkeys(mechanics.u, 0.0))
        for k, speed in enumerate(given, tree.freedom):
            effort = forces[k] - applied.joints[k] if k in applied.joints else forces[k]
            terms.append(effort * speed)
    if rows is not None and rows.owners:
        terms += [-(x * rest) for x, rest in zip(multipliers, remainders(mechanics, rows))]
    return [x for x in terms if not x.is_zero]


def _cancel(mechanics: Mechanics, terms: Sequence[Node]) -> bool:
    """Whether the terms, as those of springs do, add up to nothing in general positions."""
    for which in range(POSITIONS):
        state = general_state(mechanics.lowered, which)
        # Parameters and inputs are any: what is zero by default may be set later.
        own = {x: value for x, value in state.items() if x.role in (Role.COORDINATE, Role.TIME)}
        values = {x: own.get(x, 0.5 + GOLDEN * (k + 1 + which) % 1.0) for k, x in enumerate(symbols_of(terms))}
        found = [float(x) for x in interpret(terms, values)]
        if not abs(sum(found)) <= NOTHING * sum(map(abs, found)):
            return False
    return True
