"""Derivatives of inverse and forward dynamics, exact, with respect to coordinates along the tangent.

A column of "q" is the derivative along one speed: coordinates change as q̇ = Γ(q) e_k, so that quaternions stay unit
and the matrix is (n, n) whatever the number of coordinates. Forward dynamics is differentiated implicitly: with
ID(q, u, u̇) = f, ∂u̇ = M⁻¹ (∂f − ∂ID) at the u̇ that solves it, and never through the elimination.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, Role, substitute
from ..graph.differentiate import jacobian
from .factor import factorize
from .mechanics import Mechanics

Rows = list[list[Node]]


def inverse_derivatives(mechanics: Mechanics) -> dict[str, Rows]:
    """∂ID/∂(q, u, u̇, parameters): each (n, ·); "udot" is the mass matrix; no "parameters" where there are none."""
    outputs = mechanics.inverse_dynamics()
    found = {
        "q": along_speeds(mechanics, outputs),
        "u": jacobian(outputs, mechanics.u),
        "udot": mechanics.mass_matrix(),
    }
    parameters = parameter_symbols(mechanics)
    return found | ({"parameters": jacobian(outputs, parameters)} if parameters else {})


def forward_derivatives(mechanics: Mechanics) -> dict[str, Rows]:
    """∂u̇/∂(q, u, f, parameters): each (n, ·); "f" is the inverse of the mass matrix."""
    graph, n = mechanics.graph, len(mechanics.u)
    factors = factorize(mechanics.mass_matrix())
    rest = [f - h for f, h in zip(mechanics.f, mechanics.bias_forces())]
    rates = factors.solve(rest)
    outputs = mechanics.inverse_dynamics()
    by = {"q": along_speeds(mechanics, outputs), "u": jacobian(outputs, mechanics.u)}
    parameters = parameter_symbols(mechanics)
    if parameters:
        by["parameters"] = jacobian(outputs, parameters)
    at = dict(zip(mechanics.udot, rates))
    found: dict[str, Rows] = {}
    for name, rows in by.items():
        width = len(rows[0]) if rows else 0
        flat = substitute([x for row in rows for x in row], at)
        columns = [factors.solve([-flat[i * width + k] for i in range(n)]) for k in range(width)]
        found[name] = [[column[i] for column in columns] for i in range(n)]
    units = [factors.solve([graph.one if i == k else graph.zero for i in range(n)]) for k in range(n)]
    inverse = [[units[min(i, k)][max(i, k)] for k in range(n)] for i in range(n)]
    return {"q": found.pop("q"), "u": found.pop("u"), "f": inverse, **found}


def along_speeds(mechanics: Mechanics, outputs: Sequence[Node]) -> Rows:
    """(outputs, n): derivatives along each speed's motion, ∂/∂q · Γ · W."""
    return mechanics.by_speeds(joint_slopes(mechanics, outputs))


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
