"""Generalized speeds of the user's choice: u = Y p + Z of the joints' own speeds p, and back, p = W u + X (Kane).

A reduced set satisfies constraints by itself: those rows are solved together with the definitions, so that they are
embedded (Gillespie 2003, eqs 1–5). Coefficients that can be divided by are chosen in a general position, so nothing
is divided by what vanishes where the mechanism is usually looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, Role, substitute
from ..graph.differentiate import jacobian, jvp
from ..model.elimination import Equation
from ..model.mistakes import Mistake, ModelError, Where
from ..model.system import Constraint, Level, System
from .lower import Lowered
from .quantities import Quantities
from .square import solve_square
from .states import general_values

Rows = list[list[Node]]
SINGULAR = 1e-9


@dataclass(frozen=True)
class Speeds:
    """How a system's speeds u and its joints' speeds p belong together.

    u: symbols. definitions: Y p + Z, in p's symbols (none: u is p). p: W u + X.
    """

    u: tuple[Node, ...]
    joint: tuple[Node, ...]  # symbols of p
    definitions: tuple[Node, ...]
    p: tuple[Node, ...]

    @property
    def are_joints(self) -> bool:
        """Whether they are the joints' own."""
        return not self.definitions

    def forward(self) -> Rows:
        """Y (speeds, joint speeds)."""
        return jacobian(self.definitions, self.joint)

    def back(self) -> Rows:
        """W (joint speeds, speeds)."""
        return jacobian(self.p, self.u)


def with_speeds(lowered: Lowered) -> tuple[Lowered, Speeds]:
    """The derivation with its joints' speeds in terms of the system's generalized speeds."""
    system = lowered.system
    joint = tuple(lowered.speeds)
    if not system.definitions:
        return lowered, Speeds(joint, joint, (), joint)
    quantities = Quantities(lowered)
    u = tuple(lowered.graph.symbol(x.symbol.name, Role.SPEED) for x in system.definitions)
    definitions = quantities.resolved([x.value for x in system.definitions])
    embedded = [row for x in system.conditions if x.satisfied for row in velocity_rows(lowered, quantities, x)]
    p = tuple(_solved(lowered, joint, [*zip(definitions, u), *((row, lowered.graph.zero) for row in embedded)]))
    return replace(lowered, speeds=p), Speeds(u, joint, tuple(definitions), p)


def velocity_rows(lowered: Lowered, quantities: Quantities, constraint: Constraint) -> list[Node]:
    """A constraint's rows, or their derivatives with respect to time, as velocities that are zero."""
    rows = quantities.resolved(constraint.rows)
    return jvp(rows, quantities.rates()) if constraint.level is Level.POSITION else rows


def _solved(lowered: Lowered, joint: Sequence[Node], pairs: Sequence[tuple[Node, Node]]) -> list[Node]:
    """p of the equations g(p) = given, each g linear in p."""
    graph = lowered.graph
    rows = [row for row, _ in pairs]
    coefficients = jacobian(rows, joint)
    values = general_values(lowered, [x for row in coefficients for x in row])
    _check(lowered.system, np.array([[float(values(x)) for x in row] for row in coefficients]))
    rest = substitute(rows, dict.fromkeys(joint, 0.0))
    equations = [Equation(list(row), [given - z]) for row, z, (_, given) in zip(coefficients, rest, pairs)]
    found = solve_square(graph, equations, lambda x: abs(values(x)))
    return [row[0] for row in found]


def _check(system: System, matrix: NDArray[np.float64]) -> None:
    """Raises ModelError where the definitions do not determine all joints' speeds."""
    if np.linalg.matrix_rank(matrix, tol=SINGULAR * max(1.0, float(np.abs(matrix).max(initial=0.0)))) == len(matrix):
        return
    _, _, right = np.linalg.svd(matrix)
    free = [name for name, x in zip(system.joint_speeds, right[-1]) if abs(x) > 1e-6]
    names = ", ".join(repr(x.name) for x in system.definitions)
    raise ModelError(
        system.name,
        [
            Mistake(
                f"the generalized speeds {names} do not tell the joints' speeds: {', '.join(map(repr, free))} can "
                "change together while they, and the constraints that they are to satisfy, stay the same",
                Where(f"system {system.name!r}", 0),
            )
        ],
    )

