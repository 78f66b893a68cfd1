"""Derivatives of inverse and forward dynamics, exact, with respect to coordinates along the tangent.

A column of "q" is the derivative along one speed: coordinates change as q̇ = Γ(q) W e_k, so that quaternions stay unit
and the matrix is square whatever the number of coordinates. A system with generalized speeds of the user's has
"joints", too, a column for each of the joints' own speeds: where the speeds satisfy constraints by themselves, there
are more ways for a position to differ than ways to move.

Forward dynamics is differentiated implicitly, never through the elimination. With the rows of the constraints that
hold, R = ID(q, u, u̇) − Aᵀ λ − f and S = A u̇ + b vanish, and at the u̇, λ that solve them
M ∂u̇ − Aᵀ ∂λ = −∂R, A ∂u̇ = −∂S.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..graph import Node, Role, substitute
from ..graph.differentiate import jacobian, jvp
from .constraints import Bonds, Kinetics, solve_kinetics
from .mechanics import Mechanics

Rows = list[list[Node]]


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
    kinetics, found = _solved(mechanics, rows, _by_everything)
    still = [graph.zero] * len(kinetics.rows.owners)
    units = [
        kinetics.solve([graph.one if i == k else graph.zero for i in range(n)], still).rates for k in range(n)
    ]
    inverse = [[units[min(i, k)][max(i, k)] for k in range(n)] for i in range(n)]
    return {"q": found.pop("q"), "u": found.pop("u"), "f": inverse, **found}


def forward_slopes(mechanics: Mechanics, rows: Bonds | None = None) -> dict[str, Rows]:
    """∂u̇/∂(q, u, inputs) by the coordinates themselves, as for numbers that have left their manifold: each (n, ·)."""

    def by_numbers(mechanics: Mechanics, outputs: Sequence[Node]) -> dict[str, Rows]:
        symbols = {"q": mechanics.q, "u": mechanics.u, "inputs": input_symbols(mechanics)}
        return {name: jacobian(outputs, own) for name, own in symbols.items()}

    return _solved(mechanics, rows, by_numbers)[1]


def _solved(
    mechanics: Mechanics, rows: Bonds | None, by: Callable[[Mechanics, Sequence[Node]], dict[str, Rows]]
) -> tuple[Kinetics, dict[str, Rows]]:
    """∂u̇ by whatever the residuals are differentiated by."""
    graph, n = mechanics.graph, len(mechanics.u)
    kinetics = Kinetics.of(mechanics, rows)
    answer = solve_kinetics(kinetics, mechanics)
    bound = kinetics.rows
    multipliers = [graph.symbol(f"λ[{k}]", Role.INPUT) for k in range(len(bound.owners))]
    pulls = [_dot(column, multipliers) for column in zip(*bound.matrix)] if multipliers else [graph.zero] * n
    clock = mechanics.quantities.rates()
    missed = jvp(bound.velocities, {**clock, **dict(zip(mechanics.u, mechanics.udot))})
    outputs = [x - pull for x, pull in zip(mechanics.inverse_dynamics(), pulls)] + missed
    at = dict(zip((*mechanics.udot, *multipliers), (*answer.rates, *answer.multipliers)))
    found: dict[str, Rows] = {}
    for name, slopes in by(mechanics, outputs).items():
        width = len(slopes[0]) if slopes else 0
        flat = substitute([x for row in slopes for x in row], at)
        columns = []
        for k in range(width):
            column = [-flat[i * width + k] for i in range(len(outputs))]
            columns.append(kinetics.solve(column[:n], column[n:]).rates)
        found[name] = [[column[i] for column in columns] for i in range(n)]
    return kinetics, found


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


def _dot(a: Sequence[Node], b: Sequence[Node]) -> Node:
    total = a[0].graph.zero
    for x, y in zip(a, b):
        total = total + x * y
    return total
