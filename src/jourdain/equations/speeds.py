"""Generalized speeds of the user's choice: u = Y p + Z of the joints' own speeds p, and back, p = W u + X (Kane).

A reduced set satisfies constraints by itself: those rows are solved together with the definitions, so that they are
embedded (Gillespie 2003, eqs 1–5), by divisors that do not vanish (`square`).
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
from .wheels import still_wheels

Rows = list[list[Node]]
Floats = NDArray[np.float64]
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
    u = tuple(lowered.graph.symbol(x.symbol.name, Role.SPEED) for x in system.definitions)
    known = Conditions.of(lowered)
    rest = known.at_rest()
    values = [*u, *[lowered.graph.zero] * (len(known.rows) - len(u))]
    found = known.solve([[value - z] for value, z in zip(values, rest)])
    p = tuple(row[0] for row in found)
    return replace(lowered, speeds=p), Speeds(u, joint, known.rows[: len(u)], p)


@dataclass(frozen=True)
class Conditions:
    """What the joints' own speeds p obey: rows g(p, q, t), linear in p, that are u, and then rows that are zero.

    lowered: the tree in which they are written, its wheels still. quantities: the same tree's.
    """

    lowered: Lowered
    quantities: Quantities
    rows: tuple[Node, ...]

    @classmethod
    def of(cls, lowered: Lowered) -> Conditions:
        """The definitions of the user's speeds, and the constraints that they satisfy."""
        lowered = still_wheels(lowered)
        quantities = Quantities(lowered)
        defined = quantities.resolved([x.value for x in lowered.system.definitions])
        # Rows written as velocities come first: rates of positions are longer, and may repeat them.
        conditions = [x for x in lowered.system.conditions if x.satisfied]
        satisfied = sorted(conditions, key=lambda x: x.level is Level.POSITION)
        rows = [row for x in satisfied for row in velocity_rows(lowered, quantities, x)]
        return cls(lowered, quantities, (*defined, *_new(lowered, rows)))

    def at_rest(self) -> list[Node]:
        """What the rows are where no joint moves."""
        return substitute(self.rows, dict.fromkeys(self.lowered.speeds, 0.0))

    def rates(self) -> list[Node]:
        """What the rows' rates are while p does not change."""
        return jvp(self.rows, self.quantities.rates())

    def solve(self, right: Sequence[list[Node]]) -> Rows:
        """Unknowns (joint speeds, columns) of ∂g/∂p · unknowns = right (rows, columns).

        Nothing is divided by what vanishes where they can be solved.
        """
        lowered, joint = self.lowered, self.lowered.speeds
        coefficients = jacobian(self.rows, joint)
        flat = [x for row in coefficients for x in row]
        values = general_values(lowered, flat)
        count = len(lowered.system.definitions)
        matrix = np.array([[float(values(x)) for x in row] for row in coefficients]).reshape(len(self.rows), len(joint))
        _check(lowered.system, matrix[:count], matrix[count:])
        equations = [Equation(list(row), list(line)) for row, line in zip(coefficients, right)]
        return solve_square(lowered.graph, equations, lambda x: abs(values(x)))


def velocity_rows(lowered: Lowered, quantities: Quantities, constraint: Constraint) -> list[Node]:
    """A constraint's rows, or their derivatives with respect to time, as velocities that are zero."""
    if constraint.level is Level.POSITION:
        return quantities.rates_of(constraint.rows)
    return quantities.resolved(constraint.rows)


def _new(lowered: Lowered, rows: Sequence[Node]) -> list[Node]:
    """Those that say something new, in a general position; each beside those before it."""
    coefficients = jacobian(rows, lowered.speeds)
    values = general_values(lowered, [x for row in coefficients for x in row])
    kept: list[Node] = []
    matrix = np.zeros((0, len(lowered.speeds)))
    for row, line in zip(rows, coefficients):
        longer = np.vstack([matrix, [float(values(x)) for x in line]])
        if _rank(longer) == len(longer):
            matrix = longer
            kept.append(row)
    return kept


def _check(system: System, defined: Floats, embedded: Floats) -> None:
    """Raises ModelError where the definitions, and the rows they satisfy, do not tell all joints' speeds, once."""
    names = ", ".join(repr(x.name) for x in system.definitions)
    where = system.definitions[0].where or Where(f"system {system.name!r}", 0)
    both = np.vstack([defined, embedded])
    if _rank(both) < both.shape[1]:
        _, _, right = np.linalg.svd(both)
        free = [name for name, x in zip(system.joint_speeds, right[-1]) if abs(x) > 1e-6]
        text = (
            f"the generalized speeds {names} do not tell the joints' speeds: {', '.join(map(repr, free))} can "
            "change together while they, and the constraints that they are to satisfy, stay the same"
        )
        raise ModelError(system.name, [Mistake(text, where)])
    left = both.shape[1] - _rank(embedded)
    if left < len(defined):
        kept = ", ".join(repr(x.name) for x in system.conditions if x.satisfied)
        text = (
            f"the generalized speeds {names} cannot be chosen freely: the constraints that they are to satisfy, "
            f"{kept}, leave only {left} of {len(defined)}"
        )
        raise ModelError(system.name, [Mistake(text, where)])


def _rank(matrix: Floats) -> int:
    if not matrix.size:
        return 0
    return int(np.linalg.matrix_rank(matrix, tol=SINGULAR * max(1.0, float(np.abs(matrix).max()))))
