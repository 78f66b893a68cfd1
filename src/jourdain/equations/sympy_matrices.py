"""A system's equations as SymPy's matrices, in `dynamicsymbols`: `to_sympy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph import Node, Role, substitute, symbols_of
from ..graph.differentiate import jacobian
from ..graph.to_sympy import dynamic_symbols, sympy_itself
from ..graph.to_sympy import to_sympy as converted
from ..model.system import System, must_be_system
from .constraints import active, bonds
from .generalized import mechanics_of

Matrix = Any
"""A matrix of SymPy, which has no types of its own."""


@dataclass(frozen=True)
class SympyEquations:
    """M u̇ = forcing (+ Aᵀ λ), q̇ = W u + X, A u̇ + rest = 0, as SymPy's matrices.

    q (coordinates, 1), u (speeds, 1), inputs: functions of `dynamicsymbols._t`, called as in the system; a speed that
    shares a coordinate's name has "dot" after it. parameters: symbol -> value where none is given.
    mass_matrix (speeds, speeds), forcing (speeds, 1): without constraints' forces. W (coordinates, speeds) and
    X (coordinates, 1). constraints: the name that each row belongs to; A (rows, speeds), rest (rows, 1).
    """

    q: Matrix
    u: Matrix
    inputs: Matrix
    parameters: Mapping[Any, float]
    mass_matrix: Matrix
    forcing: Matrix
    W: Matrix
    X: Matrix
    constraints: tuple[str, ...]
    A: Matrix
    rest: Matrix
    outputs: Mapping[str, Any]

    @property
    def rates(self) -> Matrix:
        """q̇ (coordinates, 1)"""
        return self.W * self.u + self.X

    @property
    def kinematics(self) -> dict[Any, Any]:
        """q̇ -> what it is, for `xreplace` and `subs`."""
        from sympy.physics.vector import dynamicsymbols

        return {x.diff(dynamicsymbols._t): rate for x, rate in zip(self.q, self.rates)}


def to_sympy(system: System, mode: Sequence[str] = (), evaluate: bool = False) -> SympyEquations:
    """A system's equations of motion for SymPy.

    mode: switchable constraints that are on, beside the permanent ones. evaluate: as in SymPy; False keeps every
    operation as it was derived, each shared part one object, whatever the system's size; True lets SymPy flatten sums
    and products, which reads better and takes longer.
    """
    must_be_system(system, "written for SymPy")
    sympy = sympy_itself()
    mechanics = mechanics_of(system)
    rates = mechanics.rates()
    n = len(mechanics.u)
    rows = bonds(mechanics, active(system, tuple(mode)))
    parts: dict[str, tuple[int, int, list[Node]]] = {
        "mass_matrix": (n, n, [x for row in mechanics.mass_matrix() for x in row]),
        "forcing": (n, 1, [-x for x in mechanics.bias_forces()]),
        "W": (len(rates), n, [x for row in jacobian(rates, mechanics.u) for x in row]),
        "X": (len(rates), 1, substitute(rates, dict.fromkeys(mechanics.u, 0.0))),
        "A": (len(rows.owners), n, [x for row in rows.matrix for x in row]),
        "rest": (len(rows.owners), 1, list(rows.rest)),
    }
    outputs = mechanics.outputs()
    nodes = [x for _, _, entries in parts.values() for x in entries]
    everything = [*nodes, *outputs.values()]
    inputs = [mechanics.graph.symbol(name, Role.INPUT) for name in system.inputs]
    parameters = [mechanics.graph.symbol(name, Role.PARAMETER) for name in system.parameters]
    known = [*mechanics.q, *mechanics.u, *inputs, *parameters]
    symbols = dynamic_symbols([*known, *symbols_of(everything)])
    found = iter(converted(everything, symbols, evaluate))
    made = {name: sympy.Matrix(h, w, [next(found) for _ in entries]) for name, (h, w, entries) in parts.items()}

    def column(some: Sequence[Node]) -> Matrix:
        return sympy.Matrix(len(some), 1, [symbols[x] for x in some])

    return SympyEquations(
        q=column(mechanics.q),
        u=column(mechanics.u),
        inputs=column(inputs),
        parameters={symbols[x]: system.parameters[x.name] for x in parameters},
        constraints=rows.owners,
        outputs=dict(zip(outputs, found)),
        **made,
    )
