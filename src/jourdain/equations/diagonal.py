"""Generalized speeds that make the mass matrix diagonal.

M = Lᵀ D L, L unit lower triangular, so that with u = L p the kinetic energy ½ pᵀ M p is ½ Σ D_k u_k²: the speeds do
not feel one another's accelerations, and u̇_k = (f_k − h_k)/D_k. L depends on the configuration and can always be undone
without a division. That a system has such speeds is recognized by its Y being the very expressions of L.
"""

from __future__ import annotations

from ..graph import Graph, Node, transfer
from ..graph.differentiate import jacobian
from ..model.choosing import fresh_names, with_speeds
from ..model.model import Model
from ..model.system import System, must_be_system
from .factor import Factors, factorize
from .lower import Lowered, lower
from .mass import mass_matrix
from .speeds import Speeds


def diagonal_speeds(system: System) -> System:
    """The same system in speeds that make its mass matrix diagonal: u = L(q) p of the joints' own speeds p.

    There are as many as the joints have; constraints that other speeds satisfied by themselves are imposed.
    """
    must_be_system(system, "given other speeds")

    def chosen(model: Model) -> dict[str, Node]:
        plain = model.system()
        factors = _factors(plain)
        rows = [[*line[:k], line[k].graph.one] for k, line in enumerate(factors.lower)]
        flat = iter(transfer([x for row in rows for x in row], model.graph))
        p = [model.graph.symbol(x.name, x.role) for x in plain.joint_speed_symbols]
        found: dict[str, Node] = {}
        for name, row in zip(fresh_names(model, len(p)), rows):
            value = model.graph.zero
            for speed in p[: len(row)]:
                value = value + next(flat) * speed
            found[name] = value
        return found

    return with_speeds(system, chosen)


def _factors(plain: System) -> Factors:
    """Of the mass matrix of the joints' own speeds."""
    if plain.is_guided:  # what guided bodies add is found by projection
        from .generalized import mechanics_of

        return factorize(mechanics_of(plain).mass_matrix())
    return factorize(mass_matrix(lower(plain, Graph(), settled=False).tree))


def diagonal_of(lowered: Lowered, speeds: Speeds) -> list[Node] | None:
    """D, where the speeds are u = L p; None where they are not, or where bodies are guided."""
    n, graph = len(speeds.joint), lowered.graph
    if len(speeds.definitions) != n or lowered.guides:
        return None
    y = jacobian(speeds.definitions, speeds.joint)
    if any(row[k] is not graph.one or any(not x.is_zero for x in row[k + 1 :]) for k, row in enumerate(y)):
        return None
    factors = factorize(mass_matrix(lowered.tree))
    if any(x is not line for k, row in enumerate(y) for x, line in zip(row[:k], factors.lower[k])):
        return None
    return [factors.lower[k][k] for k in range(n)]
