"""What can be asked of a compiled system, as a table: which arguments each read-out takes and what it computes.

A new read-out is a row here, and a method of `Compiled` that documents it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..equations.choose import (
    CROSS_PRODUCTS,
    ELIMINATE,
    EMBED,
    OWN_PARAMETERS,
    RECOMBINE,
    STILL_WHEELS,
    SUM_ANGLES,
    TURN_LEAVES,
    Change,
)
from ..equations.constraints import Bonds, Kinetics, Mode, bonds, constrained_forward_dynamics, remainders
from ..equations.derivatives import forward_derivatives, inverse_derivatives, joint_slopes
from ..equations.formulation import Formulation
from ..equations.friction import check_frictions
from ..equations.manifold import difference, integrate
from ..equations.mechanics import Mechanics
from ..equations.operational import operational_inertia
from ..equations.own_speeds import OwnSpeeds, constrained_motion
from ..equations.reduced import embed, reduced_forward_dynamics
from ..equations.redundancy import redundancy
from ..equations.relations import Relations, rate_relations, relations
from ..equations.tangent import tangent_rates, tangent_slopes
from ..graph import Node, Role
from ..program import Block
from ..spatial import Vector

Rows = Sequence[Sequence[Node]]
Read = Callable[[Mechanics], tuple[Block, ...]]
PLAIN = Formulation()
BY = "by "  # before the name of what an output is the derivative by


@dataclass(frozen=True)
class Readout:
    """One function of a system.

    arguments: names of arrays, in order; `argument` says what they stand for. read: the outputs as blocks.
    changes: formulations worth trying; start: the one to begin with.
    """

    arguments: tuple[str, ...]
    read: Read
    changes: tuple[Change, ...] = ()
    start: Formulation = PLAIN


def argument(mechanics: Mechanics, name: str) -> Block:
    """An argument's symbols in a derivation."""
    given = {"q": mechanics.q, "u": mechanics.u, "udot": mechanics.udot, "f": mechanics.f}
    return Block(name, given[name] if name in given else _more(mechanics, name))


def _more(mechanics: Mechanics, name: str) -> tuple[Node, ...]:
    """Symbols of arguments that the equations do not know: steps, other configurations, places."""
    if name == "at":
        return tuple(mechanics.graph.symbol(f"at[{axis}]", Role.INPUT) for axis in "xyz")
    system = mechanics.system
    names = {"dq": system.speeds, "dp": system.joint_speeds}.get(name, system.coordinates)
    return tuple(mechanics.graph.symbol(f"{name}[{x}]", Role.INPUT) for x in names)


# -- shapes -----------------------------------------------------------------------------------------------------------


def _vector(read: Callable[[Mechanics], Sequence[Node]], name: str = "result") -> Read:
    return lambda m: (Block(name, tuple(read(m))),)


def _matrix(read: Callable[[Mechanics], Rows], name: str = "result") -> Read:
    return lambda m: (matrix(name, read(m)),)


def matrix(name: str, rows: Rows) -> Block:
    """Rows as a block."""
    return Block(name, tuple(x for row in rows for x in row), (len(rows), len(rows[0]) if rows else 0))


def _regressor(m: Mechanics) -> tuple[Block, ...]:
    rows = m.regressor()
    return (Block("result", tuple(x for row in rows for x in row), (len(rows), 10 * len(m.system.bodies))),)


def _poses(m: Mechanics) -> tuple[Block, ...]:
    entries = [x for body in m.system.bodies for row in m.pose(body.name) for x in row]
    return (Block("result", tuple(entries), (len(m.system.bodies), 4, 4)),)


def _energy(m: Mechanics) -> tuple[Block, ...]:
    found = m.energy()
    return Block("kinetic", (found.kinetic,), ()), Block("potential", (found.potential,), ())


def _inverse_derivatives(m: Mechanics) -> tuple[Block, ...]:
    return tuple(matrix(BY + name, rows) for name, rows in inverse_derivatives(m).items())


def _tangent(m: Mechanics) -> tuple[Block, ...]:
    slopes = tuple(matrix(BY + name, rows) for name, rows in tangent_slopes(m).items())
    return Block("rates", tangent_rates(m)), *slopes


def _mass_and_bias(m: Mechanics) -> tuple[Block, ...]:
    return matrix("mass_matrix", m.mass_matrix()), Block("bias_forces", tuple(m.bias_forces()))


FRAMES = (OWN_PARAMETERS, STILL_WHEELS, RECOMBINE, TURN_LEAVES)
def _related(read: Callable[[Mechanics], Relations]) -> Read:
    def blocks(m: Mechanics) -> tuple[Block, ...]:
        found = read(m)
        matrices = (("Y", found.Y, len(found.W)), ("W", found.W, len(found.Y)))
        y, w = (Block(x, tuple(e for row in rows for e in row), (len(rows), k)) for x, rows, k in matrices)
        return y, Block("Z", tuple(found.Z)), w, Block("X", tuple(found.X))

    return blocks


LEAVES_AND_ANGLES = (*FRAMES, SUM_ANGLES, CROSS_PRODUCTS)

READOUTS: dict[str, Readout] = {
    "rates": Readout(("q", "u"), _vector(lambda m: m.rates())),
    "inverse_dynamics": Readout(("q", "u", "udot"), _vector(lambda m: m.inverse_dynamics()), LEAVES_AND_ANGLES),
    "forward_dynamics": Readout(
        ("q", "u", "f"),
        _vector(lambda m: m.forward_dynamics()),
        (ELIMINATE, *LEAVES_AND_ANGLES),
        replace(PLAIN, articulated=True),
    ),
    "mass_matrix": Readout(("q",), _matrix(lambda m: m.mass_matrix()), FRAMES),
    "mass_and_bias": Readout(("q", "u"), _mass_and_bias, LEAVES_AND_ANGLES),
    "bias_forces": Readout(("q", "u"), _vector(lambda m: m.bias_forces()), LEAVES_AND_ANGLES),
    "gravity_forces": Readout(("q",), _vector(lambda m: m.gravity_forces()), (TURN_LEAVES, CROSS_PRODUCTS)),
    "coriolis_matrix": Readout(("q", "u"), _matrix(lambda m: m.coriolis_matrix())),
    "energy": Readout(("q", "u"), _energy),
    "momentum": Readout(("q", "u"), _vector(lambda m: m.momentum())),
    "momentum_matrix": Readout(("q",), _matrix(lambda m: m.momentum_matrix())),
    "poses": Readout(("q",), _poses),
    "mass_center": Readout(("q",), _vector(lambda m: m.mass_center())),
    "mass_center_jacobian": Readout(("q",), _matrix(lambda m: m.mass_center_jacobian())),
    "regressor": Readout(("q", "u", "udot"), _regressor),
    "inverse_dynamics_derivatives": Readout(("q", "u", "udot"), _inverse_derivatives),
    "tangent": Readout(("q", "u"), _tangent),
    "integrate": Readout(("q", "dq"), _vector(lambda m: integrate(m.lowered, m.q, m.joint_step(_more(m, "dq"))))),
    "difference": Readout(("q", "q1"), _vector(lambda m: m.speed_step(difference(m.lowered, m.q, _more(m, "q1"))))),
    "speed_relations": Readout(("q",), _related(relations)),
    "rate_relations": Readout(("q",), _related(rate_relations)),
    "outputs": Readout(("q", "u", "f"), _vector(lambda m: list(m.outputs().values()))),
}
"""Read-outs of a whole system, by the name of their method."""


# -- read-outs of one body --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """Where on a body, and in which axes: the body, a point's name ("" for its origin, AT for a place given in every
    call), and whether the ground's axes are meant; and under which constraints, where they matter."""

    body: str
    point: str = ""
    ground_axes: bool = False
    mode: Mode = ()


AT = "at"


def _place(m: Mechanics, spot: Spot) -> Vector | None:
    """In the body frame."""
    if not spot.point:
        return None
    if spot.point == AT:
        return Vector(*_more(m, "at"))
    return m.lowered.vector(m.system.points[spot.point].offset)


def _arguments(spot: Spot, *names: str) -> tuple[str, ...]:
    return (*names, "at") if spot.point == AT else names


def pose(spot: Spot) -> Readout:
    """(4, 4)"""
    return Readout(("q",), _matrix(lambda m: m.pose(spot.body)))


def jacobian(spot: Spot) -> Readout:
    """(6, n)"""
    return Readout(_arguments(spot, "q"), _matrix(lambda m: m.jacobian(spot.body, _place(m, spot), spot.ground_axes)))


def jacobian_rate(spot: Spot) -> Readout:
    """(6, n)"""
    return Readout(
        _arguments(spot, "q", "u"), _matrix(lambda m: m.jacobian_rate(spot.body, _place(m, spot), spot.ground_axes))
    )


def task_mobility(spot: Spot) -> Readout:
    """(6, 6)"""
    return Readout(_arguments(spot, "q"), _matrix(lambda m: _mobility(m, spot)))


def task_inertia(spot: Spot) -> Readout:
    """(6, 6)"""
    return Readout(_arguments(spot, "q"), _matrix(lambda m: operational_inertia(_mobility(m, spot))))


def _mobility(m: Mechanics, spot: Spot) -> Rows:
    rows = m.jacobian(spot.body, _place(m, spot), spot.ground_axes)
    return Kinetics.of(m, _independent(m, spot.mode)).mobility(rows)


BODY_READOUTS: dict[str, Callable[[Spot], Readout]] = {
    "pose": pose,
    "jacobian": jacobian,
    "jacobian_rate": jacobian_rate,
    "mobility": task_mobility,
    "operational_inertia": task_inertia,
}
"""Read-outs of one body, by the name of their method."""


# -- read-outs of a mode ----------------------------------------------------------------------------------------------


def _independent(m: Mechanics, mode: Mode) -> Bonds:
    """Only rows that say something new."""
    rows = bonds(m, mode)
    found = redundancy(m, rows)
    check_frictions(m.system.frictions, rows, found)
    return rows.some(found.kept)


def constrained_forward(mode: Mode) -> Readout:
    """u̇ (speeds,)"""
    kept: tuple[int, ...] | None = None  # decided once for all formulations

    def read(m: Mechanics) -> list[Node]:
        nonlocal kept
        if m.system.frictions:
            return constrained_motion(m, mode).rates
        rows = bonds(m, mode)
        if kept is None:
            kept = redundancy(m, rows).kept
        rows = rows.some(kept)
        embedding = embed(m, rows) if m.formulation.embedded else None
        if embedding is not None:
            return reduced_forward_dynamics(m, embedding)
        return constrained_forward_dynamics(m, rows).rates

    return Readout(("q", "u", "f"), _vector(read), (EMBED, *FRAMES))


def constrained_outputs(mode: Mode) -> Readout:
    """The model's named outputs; accelerations are those that the constraints and their friction allow."""

    def rates(m: Mechanics) -> Sequence[Node]:
        if m.system.frictions:
            return constrained_motion(m, mode).rates
        return constrained_forward_dynamics(m, _independent(m, mode)).rates

    return Readout(("q", "u", "f"), _vector(lambda m: list(m.outputs(lambda: rates(m)).values())))


def multipliers(mode: Mode) -> Readout:
    """λ (rows,) of the independent rows."""
    return Readout(("q", "u", "f"), _vector(lambda m: constrained_motion(m, mode).multipliers))


def _forward_derivatives(mode: Mode) -> Readout:
    def read(m: Mechanics) -> tuple[Block, ...]:
        found = forward_derivatives(m, _independent(m, mode))
        return tuple(matrix(BY + name, rows) for name, rows in found.items())

    return Readout(("q", "u", "f"), read)


def embedded_multipliers(mode: Mode) -> Readout:
    """λ of every row that the user's speeds satisfy, zeros among them for rows that say nothing new."""

    def read(m: Mechanics) -> list[Node]:
        motion = OwnSpeeds.of(m, mode)
        wanted = [(x.name, k) for x in m.system.conditions if x.satisfied for k in range(len(x.rows))]
        known = dict(zip(motion.places, motion.put_in(motion.answer.multipliers)))
        return [known.get(place, m.graph.zero) for place in wanted]

    return Readout(("q", "u", "f"), _vector(read))


MODE_READOUTS: dict[str, Callable[[Mode], Readout]] = {
    "forward_dynamics": constrained_forward,
    "forward_dynamics_derivatives": _forward_derivatives,
    "multipliers": multipliers,
    "outputs": constrained_outputs,
    "embedded_multipliers": embedded_multipliers,
    "positions": lambda mode: Readout(("q",), _vector(lambda m: bonds(m, mode).positions)),
    "position_slopes": lambda mode: Readout(("q",), _matrix(lambda m: joint_slopes(m, bonds(m, mode).positions))),
    "velocities": lambda mode: Readout(("q", "u"), _vector(lambda m: bonds(m, mode).velocities)),
    "velocity_slopes": lambda mode: Readout(("q", "u"), _matrix(lambda m: joint_slopes(m, bonds(m, mode).velocities))),
    "matrix": lambda mode: Readout(("q",), _matrix(lambda m: bonds(m, mode).matrix)),
    "remainders": lambda mode: Readout(("q",), _vector(lambda m: remainders(m, bonds(m, mode)))),
    "rest": lambda mode: Readout(("q", "u"), _vector(lambda m: bonds(m, mode).rest)),
    "step": lambda _: Readout(("q", "dp"), _vector(lambda m: integrate(m.lowered, m.q, _more(m, "dp")))),
    "away": lambda _: Readout(("q", "q1"), _vector(lambda m: difference(m.lowered, m.q, _more(m, "q1")))),
}
"""Read-outs of the constraints that hold in a mode; and steps of the joints' own speeds, to close them."""
