"""A system in its joints' own speeds, with every constraint to be imposed: where forces of constraint are looked for.

The user's generalized speeds may satisfy constraints by themselves; whatever keeps those is then in no equation. In the
joints' own speeds nothing is satisfied by itself, so every force of constraint has a multiplier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..graph import Node, Role, substitute
from ..model import joints
from ..model.pose import Pose
from ..model.system import Body, Constraint, Joint, Level, System
from ..spatial import Matrix, Vector
from .constraints import Answer, Bonds, Kinetics, Mode, bonds
from .formulation import Formulation
from .friction import Frictional, against_slips, check_frictions
from .generalized import Generalized
from .lower import lower
from .mechanics import Mechanics
from .redundancy import redundancy
from .rows import from_left


def in_own_speeds(system: System) -> System:
    """The same mechanism without the user's speeds; what they are stands in the constraints' rows.

    Forces in joints that friction depends on become constraints' forces: the joint is given the freedom, and that is
    kept at zero (Kane's auxiliary speeds).
    """
    for joint in dict.fromkeys(x.joint for x in system.frictions if x.joint):
        system = _with_slides(system, joint)
    if not system.definitions:
        return system
    meant = {x.symbol: x.value for x in system.definitions}
    conditions = tuple(
        replace(x, rows=tuple(substitute(x.rows, meant)), satisfied=False) for x in system.conditions
    )
    frictions = tuple(replace(x, slips=tuple(substitute(x.slips, meant))) for x in system.frictions)
    return replace(system, definitions=(), conditions=conditions, frictions=frictions)


GIVING = "\0gives way: "  # no user's name begins so


def _with_slides(system: System, held: str) -> System:
    """The system with slides between a joint and the body that it carries, kept at zero, for frictions at the joint."""
    graph, name = system.graph, GIVING + held
    joint = system.joint(held)
    axes = sorted({k for x in system.frictions if x.joint == held for k in x.axes})
    still = Vector.zero(graph)
    columns = [(*still, *Vector.unit(graph, k)) for k in axes]
    q = tuple(graph.symbol(f"{name} q{k}", Role.COORDINATE) for k in axes)
    p = tuple(graph.symbol(f"{name} u{k}", Role.SPEED) for k in axes)
    between = Body(name, graph.zero, still, Matrix.zero(graph))
    here = Pose.identity(graph)
    at = system.joints.index(joint)
    inner = replace(joint, child=name, in_child=here)
    outer = Joint(name, name, joint.child, joints.given(columns, [len(columns)]), here, joint.in_child, q, p)
    return replace(
        system,
        bodies=(*system.bodies[:at], between, *system.bodies[at:]),
        joints=(*system.joints[:at], inner, outer, *system.joints[at + 1 :]),
        conditions=(*system.conditions, Constraint(name, q, Level.POSITION)),
        frictions=tuple(
            replace(x, joint="", axes=(), constraint=name, rows=tuple(axes.index(k) for k in x.axes))
            if x.joint == held
            else x
            for x in system.frictions
        ),
    )


def holding(system: System, mode: Mode) -> Mode:
    """Names of all constraints that hold, those that the speeds satisfy among them."""
    return tuple(x.name for x in system.conditions if not x.switchable or x.name in mode)


@dataclass(frozen=True)
class OwnSpeeds:
    """A mechanism's motion in its joints' own speeds, in the graph of the equations that it was made for.

    system: the mechanism. mechanics: of the joints' own speeds p, symbols of their own. rows: of the constraints that
    hold, only those that say something new. answer: ṗ and the rows' multipliers under the declared forces, friction and
    f, in p; solver: what gave it. meaning: what p and the forces on it are in the system's speeds u and the forces f on
    those; none where they are the same.
    """

    system: System
    mechanics: Mechanics
    rows: Bonds
    places: tuple[tuple[str, int], ...]  # of each row: constraint and place in it
    answer: Answer
    solver: Frictional
    meaning: dict[Node, Node]

    @classmethod
    def of(cls, mechanics: Mechanics, mode: Mode) -> OwnSpeeds:
        """mode: names of the switchable constraints that are on."""
        system = in_own_speeds(mechanics.system)
        inner = Mechanics(system, Formulation(), lower(system, mechanics.graph))
        names = holding(system, mode)
        solver, rows = frictional(inner, names)
        answer = solver.solve(*asked_of(inner, rows))
        graph = mechanics.graph
        own = {x for x in (*inner.q, *inner.u, *inner.f) if GIVING in x.name}
        meaning: dict[Node, Node] = dict.fromkeys(own, graph.zero)
        if isinstance(mechanics, Generalized):
            forces = from_left(graph, mechanics.f, mechanics.map.forward(), len(mechanics.map.joint))
            meaning.update(zip(mechanics.map.joint, mechanics.map.p))
            meaning.update(zip((x for x in inner.f if x not in own), forces))
        return cls(mechanics.system, inner, rows, tuple(zip(rows.owners, rows.ordinals)), answer, solver, meaning)

    def put_in(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of p as expressions of the system's own speeds."""
        return substitute(nodes, self.meaning) if self.meaning else list(nodes)


def frictional(mechanics: Mechanics, names: Mode) -> tuple[Frictional, Bonds]:
    """What solves for rates and multipliers under these constraints, of which only rows that say something new are
    kept, with the friction that depends on them."""
    every = bonds(mechanics, names)
    found = redundancy(mechanics, every)
    check_frictions(mechanics.system.frictions, every, found)
    rows = every.some(found.kept)
    kinetics = Kinetics.of(mechanics, rows)
    return Frictional.of(kinetics, mechanics, *asked_of(mechanics, rows)), rows


def asked_of(mechanics: Mechanics, rows: Bonds) -> tuple[list[Node], list[Node]]:
    """The declared forces and f, less the bias (speeds,), and the rates that the rows ask for (rows,)."""
    return [f - h for f, h in zip(mechanics.f, mechanics.bias_forces())], [-x for x in rows.rest]


def constrained_motion(mechanics: Mechanics, names: Mode) -> Answer:
    """The speeds' rates and the multipliers of the rows that say something new, of constraints that are imposed.

    Friction may depend on forces in joints, or of constraints that the speeds satisfy; then those are found first.
    """
    system = mechanics.system
    solver, rows = frictional(mechanics, names)
    force, asked = asked_of(mechanics, rows)
    if not any(x.joint or system.constraint(x.constraint).satisfied for x in system.frictions):
        return solver.solve(force, asked)
    motion = OwnSpeeds.of(mechanics, names)
    for x, size in zip(motion.solver.acting, motion.put_in(motion.solver.sizes(motion.answer.multipliers))):
        meant = next(friction for friction in system.frictions if friction.name == x.friction.name)
        force = [a + b * size for a, b in zip(force, against_slips(mechanics, meant)[1])]
    return solver.kinetics.solve(force, asked)


__all__ = ["OwnSpeeds", "asked_of", "constrained_motion", "frictional", "holding", "in_own_speeds"]
