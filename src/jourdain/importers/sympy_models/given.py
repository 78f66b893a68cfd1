"""What a model of SymPy's says, whichever of its classes says it; nothing is converted, nothing computed by SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...model.mistakes import Mistake, ModelError, article, users_line

Expression = Any
Row = tuple[tuple[Expression, Expression], ...]
"""A sum of products of two; SymPy is not asked to multiply them."""
NAMES = "System, KanesMethod, LagrangesMethod or JointsMethod"


@dataclass(frozen=True)
class Given:
    """A model in SymPy's own objects.

    kinematical: rows of q, q̇ and u that are zero. positions, velocities: expressions and rows that are kept at zero;
    velocities_complete: the velocities hold the positions' derivatives already. lagrangian: where potential energy
    stands in it and not among the loads. origin: the point from which places are measured, if the model names one.
    """

    kind: str
    frame: Any
    origin: Any | None
    q: tuple[Expression, ...]
    u: tuple[Expression, ...]
    auxiliary: tuple[Expression, ...]
    kinematical: tuple[Row, ...]
    bodies: tuple[Any, ...]
    loads: tuple[tuple[Any, Any], ...]
    positions: tuple[Expression, ...] = ()
    velocities: tuple[Row, ...] = ()
    velocities_complete: bool = False
    lagrangian: Expression | None = None


def given(model: Any, bodies: Sequence[Any] | None = None, loads: Sequence[Any] | None = None) -> Given:
    """What a System, KanesMethod, LagrangesMethod or JointsMethod says; bodies and loads: where it says none."""
    from sympy.physics import mechanics

    kinds = (
        (mechanics.System, _system), (mechanics.KanesMethod, _kane), (mechanics.LagrangesMethod, _lagrange),
        (mechanics.JointsMethod, _joints),
    )  # fmt: skip
    for kind, read in kinds:
        if isinstance(model, kind):
            found = read(model, bodies, loads)
            if not found.bodies:
                raise ModelError(found.kind, [Mistake(
                    f"this {found.kind} has no bodies; give them here, from_sympy(model, bodies=…, loads=…), or to "
                    f"the {found.kind}",
                    users_line(),
                )])  # fmt: skip
            return found
    name = type(model).__name__
    raise TypeError(f"a {NAMES} of sympy.physics.mechanics is imported, not {article(name)} {name}")


def _system(model: Any, bodies: Sequence[Any] | None, loads: Sequence[Any] | None) -> Given:
    own = [*model.loads, *(load for actuator in model.actuators for load in actuator.to_loads())]
    explicit = model._vel_constrs is not None
    return Given(
        "System",
        model.frame,
        model.fixed_point,
        tuple(model.q),
        tuple(model.u),
        tuple(model.u_aux),
        _plain(model.kdes),
        tuple(model.bodies if bodies is None else bodies),
        _pairs(own if loads is None else loads),
        tuple(model.holonomic_constraints),
        _plain(model.velocity_constraints if explicit else model.nonholonomic_constraints),
        explicit,
    )


def _kane(model: Any, bodies: Sequence[Any] | None, loads: Sequence[Any] | None) -> Given:
    # What SymPy has made of the equations that it was given: matrices of what they hold linearly.
    matrix = model._k_kqdot_implicit.row_join(model._k_ku_implicit)
    kinematical = _rows(matrix, [*model._qdot, *model.u], model._f_k_implicit)
    return Given(
        "KanesMethod",
        model._inertial,
        None,
        tuple(model.q),
        tuple(model.u),
        tuple(model._uaux),
        kinematical,
        tuple((model.bodies if bodies is None else bodies) or ()),
        _pairs((model.loads if loads is None else loads) or ()),
        tuple(model._f_h),
        _rows(model._k_nh, model.u, model._f_nh),
        True,
    )


def _lagrange(model: Any, bodies: Sequence[Any] | None, loads: Sequence[Any] | None) -> Given:
    return Given(
        "LagrangesMethod",
        model.inertial,
        None,
        tuple(model.q),
        tuple(model.u),
        (),
        (),
        tuple((model.bodies if bodies is None else bodies) or ()),
        _pairs((model.forcelist if loads is None else loads) or ()),
        tuple(model._hol_coneqs),
        _plain(model.coneqs[len(model._hol_coneqs) :]),
        False,
        model._L[0],
    )


def _joints(model: Any, bodies: Sequence[Any] | None, loads: Sequence[Any] | None) -> Given:
    return Given(
        "JointsMethod",
        model.frame,
        None,
        tuple(model.q),
        tuple(model.u),
        (),
        _plain(model.kdes),
        tuple(model.bodies if bodies is None else bodies),
        _pairs(model.loads if loads is None else loads),
    )


def _pairs(loads: Sequence[Any]) -> tuple[tuple[Any, Any], ...]:
    return tuple((place, vector) for place, vector in loads)


def _plain(expressions: Sequence[Expression]) -> tuple[Row, ...]:
    return tuple(((x, 1),) for x in expressions)


def _rows(matrix: Any, symbols: Sequence[Expression], rest: Sequence[Expression]) -> tuple[Row, ...]:
    """The rows of matrix · symbols + rest."""
    found = []
    for i in range(matrix.shape[0]):
        terms = [(matrix[i, k], symbol) for k, symbol in enumerate(symbols) if matrix[i, k] != 0]
        if rest[i] != 0:
            terms.append((rest[i], 1))
        found.append(tuple(terms))
    return tuple(found)
