"""`to_sympy`: SymPy's matrices evaluate to what the compiled functions answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.vector import dynamicsymbols

import jourdain as jd

ENTRIES = (
    "pendulum", "double_pendulum", "stanford_arm", "stanford_arm_kane", "thin_disk", "spherical_wrist",
    "rolling_disk_on_ramp", "shopping_cart",
)  # fmt: skip


def evaluated(equations: jd.SympyEquations, *matrices: Any, q: Any, u: Any, inputs: Any = ()) -> list[Any]:
    """Numbers of matrices, by SymPy's own lambdify."""
    arguments = [list(equations.q), list(equations.u), list(equations.inputs), list(equations.parameters)]
    function = sympy.lambdify([*arguments, dynamicsymbols._t], list(matrices), "numpy", cse=True)
    given = list(inputs) or [0.0] * len(equations.inputs)
    found: list[Any] = function(q, u, given, list(equations.parameters.values()), 0.0)
    return found


@pytest.mark.parametrize("entry", ENTRIES)
def test_matrices_are_those_of_the_compiled_functions(entry: str) -> None:
    system = getattr(jd.gallery, entry)()
    e, d = jd.to_sympy(system), jd.compile(system)
    n, m = len(system.coordinates), len(system.speeds)
    q, u = np.linspace(0.4, 0.9, n), np.linspace(-0.3, 0.6, m)
    inputs = dict.fromkeys(system.inputs, 0.7)
    mass, forcing, rates, w, x = evaluated(
        e, e.mass_matrix, e.forcing, e.rates, e.W, e.X, q=q, u=u, inputs=inputs.values()
    )
    np.testing.assert_allclose(mass, d.mass_matrix(q, inputs=inputs), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(forcing[:, 0], -d.bias_forces(q, u, inputs=inputs), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(rates[:, 0], d.rates(q, u), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(np.asarray(w) @ u + np.asarray(x)[:, 0], d.rates(q, u), rtol=1e-12, atol=1e-15)


def test_constraints_and_modes() -> None:
    system = jd.gallery.shopping_cart()
    switch = next(name for name, kind in system.constraints.items() if kind == "switchable")
    e, d = jd.to_sympy(system, [switch]), jd.compile(system).in_mode([switch])
    assert switch in e.constraints and jd.to_sympy(system).A.shape[0] == len(e.constraints) - 1
    q, u = np.linspace(0.4, 0.9, len(system.coordinates)), np.linspace(-0.3, 0.6, len(system.speeds))
    mass, forcing, a, rest = evaluated(e, e.mass_matrix, e.forcing, e.A, e.rest, q=q, u=u)
    n, rows = len(u), len(rest)
    saddle = np.block([[mass, -a.T], [a, np.zeros((rows, rows))]])
    answer = np.linalg.solve(saddle, np.concatenate([forcing[:, 0], -rest[:, 0]]))[:n]
    np.testing.assert_allclose(answer, d.forward_dynamics(q, u), rtol=1e-11)


def test_symbols_are_dynamicsymbols_that_can_be_put_in() -> None:
    e = jd.to_sympy(jd.gallery.double_pendulum(), evaluate=True)
    elbow = sympy.Function("elbow")(dynamicsymbols._t)
    assert elbow in e.q and all(isinstance(x, sympy.Symbol) for x in e.parameters)
    l1, l2, m1, m2 = sympy.symbols("l1 l2 m1 m2")
    straight = e.mass_matrix.subs(elbow, 0)
    assert sympy.expand(straight[0, 0] - (m1 * l1**2 + m2 * (l1 + l2) ** 2)) == 0
    assert e.kinematics[elbow.diff(dynamicsymbols._t)] == e.u[list(e.q).index(elbow)]


def test_outputs_come_with_them() -> None:
    m = jd.Model("point")
    p = m.parameters(mass=2.0)
    body = m.particle("P", mass=p.mass)
    m.prismatic("x", m.ground, body, axis="x")
    m.output("height", body.origin.position @ m.ground.x * 3)
    e = jd.to_sympy(m.system(), evaluate=True)
    assert e.outputs == {"height": 3 * sympy.Function("x")(dynamicsymbols._t)}


def test_sympys_own_model_comes_back() -> None:
    """In and out again: the same mass matrix and forcing as SymPy's, up to the constraints' elimination."""
    from jourdain.bench.sympy_models import stanford_arm

    given = stanford_arm()
    e = jd.to_sympy(jd.from_sympy(given.model, values=given.values))
    method = given.form()
    values = {**{sympy.Symbol(k): v for k, v in given.values.items()}, dynamicsymbols("T"): 0.3}
    at = {**dict(zip(e.u, np.linspace(-0.3, 0.5, 6))), **dict(zip(e.q, np.linspace(0.2, 0.9, 6)))}
    for theirs, own in ((method.mass_matrix, e.mass_matrix), (method.forcing, e.forcing)):
        a, b = (np.array(x.subs(at).subs(values).evalf(), float) for x in (theirs, own))
        np.testing.assert_allclose(b, a, rtol=1e-10, atol=1e-12)


def test_only_systems_are_written() -> None:
    with pytest.raises(TypeError, match=r"a System is written for SymPy, not a Model; call its \.system\(\) first"):
        jd.to_sympy(jd.Model("m"))  # type: ignore[arg-type]
