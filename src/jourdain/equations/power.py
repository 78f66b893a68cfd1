"""The power of everything that kinetic and potential energy do not account for: the other side of the energy balance.

Loads at the twists of the links they act on, without what springs store; the efforts of prescribed joints at their
speeds; constraints that move as given, λ at the rate at which they move; dry friction at its slips.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, Role, interpret, substitute, symbols_of
from ..graph.differentiate import jvp
from .constraints import Mode, bonds, remainders
from .friction import against_slips
from .inverse import inverse_dynamics
from .kinematics import twists
from .mechanics import Mechanics
from .own_speeds import OwnSpeeds, asked_of, constrained_motion, frictional
from .states import GOLDEN, general_state

POSITIONS = 3
NOTHING = 1e-12  # of the terms' size: a sum of this size is rounding


def power(mechanics: Mechanics, udot: Sequence[Node], imposed: Mode) -> Node:
    """dE/dt [W] at the speeds' rates udot; the constant zero where nothing exchanges energy with the outside.

    imposed: names of the constraints that hold and are not satisfied by the speeds.
    """
    terms = [*_of_loads(mechanics), *_of_drivers(mechanics, udot), *_of_constraints(mechanics, imposed)]
    terms = [x for x in (*terms, *_of_friction(mechanics, imposed)) if not x.is_zero]
    zero = mechanics.graph.zero
    if not terms or _cancel(mechanics, terms):
        return zero
    total = zero
    for x in terms:
        total = total + x
    return total


def _of_loads(mechanics: Mechanics) -> list[Node]:
    """At the twists of their links; what springs store is taken away."""
    tree, lowered, applied = mechanics.standard, mechanics.lowered, mechanics.loads
    motion = twists(tree, lowered.speeds, lowered.known)
    speeds = tree.all_speeds(lowered.speeds)
    terms = [load.moment.dot(x.w) + load.force.dot(x.v) for load, x in zip(applied.links, motion)]
    terms += [force * speeds[k] for k, force in applied.joints.items()]
    if applied.energy is not None:
        terms += jvp([applied.energy], mechanics.quantities.rates())
    return terms


def _of_drivers(mechanics: Mechanics, udot: Sequence[Node]) -> list[Node]:
    """Of joints that move as given."""
    tree, lowered, applied = mechanics.standard, mechanics.lowered, mechanics.loads
    if not tree.driven:
        return []
    moving = mechanics.moving(lowered, udot).tree
    forces = inverse_dynamics(moving, lowered.speeds, mechanics.joint_rates(udot), applied.links)
    # What goes with u, as a guided body does, is given back by what it goes with.
    given = substitute([x.speed for x in tree.driven], dict.fromkeys(mechanics.u, 0.0))
    efforts = [forces[k] - applied.joints[k] if k in applied.joints else forces[k]
               for k in range(tree.freedom, len(forces))]  # fmt: skip
    return [effort * speed for effort, speed in zip(efforts, given)]


def _of_constraints(mechanics: Mechanics, imposed: Mode) -> list[Node]:
    """A constraint that stands still does no work."""
    if not imposed or all(x.is_zero for x in remainders(mechanics, bonds(mechanics, imposed))):
        return []
    _, rows = frictional(mechanics, imposed)
    multipliers = constrained_motion(mechanics, imposed).multipliers
    return [-(x * rest) for x, rest in zip(multipliers, remainders(mechanics, rows))]


def _of_friction(mechanics: Mechanics, imposed: Mode) -> list[Node]:
    """Of friction that depends on normal forces, at its slips."""
    system = mechanics.system
    if not system.frictions:
        return []
    if any(x.joint or system.constraint(x.constraint).satisfied for x in system.frictions):
        motion = OwnSpeeds.of(mechanics, imposed)
        acting = motion.solver.acting
        sizes = motion.put_in(motion.solver.sizes(motion.answer.multipliers))
    else:
        solver, rows = frictional(mechanics, imposed)
        acting = solver.acting
        sizes = solver.sizes(solver.solve(*asked_of(mechanics, rows)).multipliers)
    terms = []
    for x, size in zip(acting, sizes):
        meant = next(friction for friction in system.frictions if friction.name == x.friction.name)
        against, _ = against_slips(mechanics, meant)
        slips = mechanics.quantities.resolved(meant.slips)
        terms += [force * slip * size for force, slip in zip(against, slips)]
    return terms


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
