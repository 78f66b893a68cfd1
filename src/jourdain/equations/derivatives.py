"""Derivatives of inverse and forward dynamics, exact, with respect to coordinates along the tangent.

A column of "q" is the derivative along one speed: coordinates change as q̇ = Γ(q) W e_k, so that quaternions stay unit
and the matrix is square whatever the number of coordinates. A system with generalized speeds of the user's has
"joints", too, a column for each of the joints' own speeds: where the speeds satisfy constraints by themselves, there
are more ways for a position to differ than ways to move.

Forward dynamics is differentiated implicitly, never through the elimination. With the rows of the constraints that
hold, R = ID(q, u, u̇) − Aᵀ λ − f and S = A u̇ + b vanish, and at the u̇, λ that solve them
M ∂u̇ − Aᵀ ∂λ = −∂R, A ∂u̇ = −∂S. Friction that depends on λ is a part of R, the directions of
normal forces as they are: |ν| changes as d·ν does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..graph import Node, Role, substitute
from ..graph.differentiate import jacobian, jvp
from .constraints import Bonds, Kinetics
from .friction import Frictional
from .mechanics import Mechanics
from .own_speeds import asked_of
from .rows import Rows, dot


def inverse_derivatives(mechanics: Mechanics) -> dict[str, Rows]:
    """∂ID/∂(q, u, u̇, …): each (n, ·); "udot" is the mass matrix; "joints", "parameters", "inputs" where there are."""
    outputs = mechanics.inverse_dynamics()
    by = _by_everything(mechanics, outputs)
    return {"q": by.pop("q"), "u": by.pop("u"), "udot": mechanics.mass_matrix(), **by}


def forward_derivatives(mechanics: Mechanics, rows: Bonds | None = None) -> dict[str, Rows]:
    """∂u̇/∂(q, u, f, …): each (n, ·); "f" is the inverse of the mass matrix, of what the constraints leave of it.

    rows: of the constraints that hold, independent ones or not.
    """
    graph, n = mechanics.graph, len(mechanics.u)
    kinetics, solver, found = _solved(mechanics, rows, _by_everything)
    still = [graph.zero] * len(kinetics.rows.owners)
    units = [
        solver.solve([graph.one if i == k else graph.zero for i in range(n)], still).rates for k in range(n)
    ]
    if solver.acting:  # friction is no potential's: what it leaves is not symmetric
        inverse = [[units[k][i] for k in range(n)] for i in range(n)]
    else:
        inverse = [[units[min(i, k)][max(i, k)] for k in range(n)] for i in range(n)]
    return {"q": found.pop("q"), "u": found.pop("u"), "f": inverse, **found}


def forward_slopes(mechanics: Mechanics, rows: Bonds | None = None) -> dict[str, Rows]:
    """∂u̇/∂(q, u, inputs) by the coordinates themselves, as for numbers that have left their manifold: each (n, ·)."""

    def by_numbers(mechanics: Mechanics, outputs: Sequence[Node]) -> dict[str, Rows]:
        symbols = {"q": mechanics.q, "u": mechanics.u, "inputs": input_symbols(mechanics)}
        return {name: jacobian(outputs, own) for name, own in symbols.items()}

    return _solved(mechanics, rows, by_numbers)[2]


def _solved(
    mechanics: Mechanics, rows: Bonds | None, by: Callable[[Mechanics, Sequence[Node]], dict[str, Rows]]
) -> tuple[Kinetics, Frictional, dict[str, Rows]]:
    """∂u̇ by whatever the residuals are differentiated by."""
    graph, n = mechanics.graph, len(mechanics.u)
    for friction in mechanics.system.frictions:
        if friction.joint:
            raise ValueError(
                f"friction {friction.name!r} depends on a force in joint {friction.joint!r}; for derivatives let the "
                "joint have that freedom, and keep it at zero by a constraint"
            )
        if mechanics.system.constraint(friction.constraint).satisfied:
            raise ValueError(
                f"friction {friction.name!r} depends on the force of {friction.constraint!r}, which the generalized "
                "speeds satisfy; for derivatives give a full set of speeds, so that the constraint is imposed"
            )
    kinetics = Kinetics.of(mechanics, rows)
    bound = kinetics.rows
    force, asked = asked_of(mechanics, bound)
    solver = Frictional.of(kinetics, mechanics, force, asked)
    answer = solver.solve(force, asked)
    multipliers = [graph.symbol(f"λ[{k}]", Role.INPUT) for k in range(len(bound.owners))]
    pulls = [dot(graph, column, multipliers) for column in zip(*bound.matrix)] if multipliers else [graph.zero] * n
    towards = [
        [graph.symbol(f"d[{k}, {i}]", Role.INPUT) for i in range(len(x.rows))] for k, x in enumerate(solver.acting)
    ]
    for x, size in zip(solver.acting, replace(solver, directions=towards).sizes(multipliers)):
        pulls = [a + b * size for a, b in zip(pulls, x.column)]
    clock = mechanics.quantities.rates()
    missed = jvp(bound.velocities, {**clock, **dict(zip(mechanics.u, mechanics.udot))})
    outputs = [x - pull for x, pull in zip(mechanics.inverse_dynamics(), pulls)] + missed
    found_here = (*answer.rates, *answer.multipliers, *(y for d in solver.directions for y in d))
    at = dict(zip((*mechanics.udot, *multipliers, *(y for d in towards for y in d)), found_here))
    found: dict[str, Rows] = {}
    for name, slopes in by(mechanics, outputs).items():
        width = len(slopes[0]) if slopes else 0
        flat = substitute([x for row in slopes for x in row], at)
        columns = []
        for k in range(width):
            column = [-flat[i * width + k] for i in range(len(outputs))]
            columns.append(solver.solve(column[:n], column[n:]).rates)
        found[name] = [[column[i] for column in columns] for i in range(n)]
    return kinetics, solver, found


def _by_everything(mechanics: Mechanics, outputs: Sequence[Node]) -> dict[str, Rows]:
    """Jacobians by "q" and "u", and by "joints", "parameters" and "inputs" where they say more."""
    slopes = joint_slopes(mechanics, outputs)
    found = {"q": mechanics.by_speeds(slopes), "u": jacobian(outputs, mechanics.u)}
    if mechanics.system.definitions:
        found["joints"] = slopes
    for name, symbols in (("parameters", parameter_symbols(mechanics)), ("inputs", input_symbols(mechanics))):
        if symbols:
            found[name] = jacobian(outputs, symbols)
    return found


def joint_slopes(mechanics: Mechanics, outputs: Sequence[Node]) -> Rows:
    """(outputs, joint speeds): derivatives along the motion of each of the joints' own speeds, ∂/∂q · Γ."""
    by_coordinates = jacobian(outputs, mechanics.q)
    n = mechanics.standard.freedom
    found = [[mechanics.graph.zero] * n for _ in outputs]
    for passage in mechanics.lowered.passages:
        gamma = passage.motion.kinematic(mechanics.graph, mechanics.q[passage.coordinates])
        for i, row in enumerate(by_coordinates):
            own = row[passage.coordinates]
            for k in range(passage.speeds.start, passage.speeds.stop):
                total = mechanics.graph.zero
                for x, line in zip(own, gamma):
                    total = total + x * line[k - passage.speeds.start]
                found[i][k] = total
    return found


def parameter_symbols(mechanics: Mechanics) -> list[Node]:
    """In the system's order."""
    return [mechanics.graph.symbol(name, Role.PARAMETER) for name in mechanics.system.parameters]


def input_symbols(mechanics: Mechanics) -> list[Node]:
    """In the system's order."""
    return [mechanics.graph.symbol(name, Role.INPUT) for name in mechanics.system.inputs]

