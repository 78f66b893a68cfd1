"""Generalized speeds of the user's choice: everything in u is what the joints' own speeds say, through p = W u + X."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

import jourdain as jd
from jourdain.equations.derivatives import forward_derivatives, input_symbols, inverse_derivatives, parameter_symbols
from jourdain.equations.formulation import Formulation
from jourdain.equations.generalized import Generalized, mechanics_of
from jourdain.equations.inverse import CROSSES
from jourdain.equations.known import Known
from jourdain.equations.lower import Lowered, lower
from jourdain.equations.manifold import difference, integrate
from jourdain.equations.quantities import Quantities
from jourdain.equations.speeds import Conditions
from jourdain.graph import Node, count
from jourdain.native import Cache
from jourdain.spatial import Vector

from .systems import Traits, evaluate
from .user_speeds import Changed, changed

CASES = {
    **{f"plain-{seed}": (seed, 1 + seed % 4, Traits(symbolic=seed % 3 == 0)) for seed in (0, 1, 2, 3, 6)},
    **{f"loaded-{seed}": (seed, 2 + seed % 3, Traits(loads=True, driven=True, symbolic=seed % 2 == 0))
       for seed in range(20, 26)},
    **{f"floating-{seed}": (seed, 3, Traits(loads=True, floating=True, driven=True)) for seed in range(40, 43)},
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES), scope="module")
def case(request: pytest.FixtureRequest) -> Changed:
    return changed(*request.param)


def agree(case: Changed, found: ArrayLike, wanted: ArrayLike, scale: float = 1.0) -> None:
    """To 1e-11 of the terms that were summed, as large as an ill-conditioned W makes them."""
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape
    size = max(float(np.abs(b).max(initial=0.0)), scale * case.condition)
    assert float(np.abs(a - b).max(initial=0.0)) <= 1e-11 * size


def size(case: Changed) -> float:
    """Of the terms of which forces are made."""
    m, h = case.was_rows(case.before.mass_matrix()), case.was(*case.before.bias_forces())
    p, rate = np.abs(case.p_state.u), np.abs(case.p_state.udot)
    return float(np.abs(h).max() + (np.abs(m) @ (1.0 + rate + p * p.max())).max())


def test_velocities_and_their_rates(case: Changed) -> None:
    """p = W u + X, ṗ, q̇."""
    after = case.after
    agree(case, case.now(*after.rates()), case.was(*case.before.rates()))
    agree(case, case.now(*after.map.p), case.p_state.u)
    agree(case, case.now(*after.joint_rates(after.udot)), case.p_state.udot)
    agree(case, case.now_rows(after.from_joints), case.w)
    agree(case, case.now_rows(after.map.forward()), case.y)


def test_inverse_dynamics_and_bias_forces(case: Changed) -> None:
    before, after = case.before, case.after
    wanted = case.w.T @ case.was(*before.inverse_dynamics())
    agree(case, case.now(*after.inverse_dynamics()), wanted, size(case))
    mass = case.w.T @ case.was_rows(before.mass_matrix()) @ case.w
    agree(case, case.now(*after.bias_forces()), wanted - mass @ case.u_state.udot, size(case))


def test_matrices(case: Changed) -> None:
    """Mass, gravity, the Coriolis matrix, momentum and mass-centre matrices."""
    before, after, w = case.before, case.after, case.w
    mass = case.was_rows(before.mass_matrix())
    agree(case, case.now_rows(after.mass_matrix()), w.T @ mass @ w, size(case))
    agree(case, case.now(*after.gravity_forces()), w.T @ case.was(*before.gravity_forces()), size(case))
    coriolis = w.T @ (mass @ case.w_rate + case.was_rows(before.coriolis_matrix()) @ w)
    agree(case, case.now_rows(after.coriolis_matrix()), coriolis, size(case))
    agree(case, case.now_rows(after.momentum_matrix()), case.was_rows(before.momentum_matrix()) @ w, size(case))
    agree(case, case.now_rows(after.mass_center_jacobian()), case.was_rows(before.mass_center_jacobian()) @ w)


def test_forward_dynamics(case: Changed) -> None:
    """The rates that it gives are those whose joints' rates the same forces ask for."""
    before, after = case.before, case.after
    f = np.asarray(case.u_state.f)
    found = case.now(*after.forward_dynamics())
    mass, bias = case.now_rows(after.mass_matrix()), case.now(*after.bias_forces())
    agree(case, mass @ found + bias, f, size(case))
    same = replace(case.u_state, udot=found)
    rates = evaluate(after, after.joint_rates(after.udot), same)
    asked = evaluate(before, before.inverse_dynamics(), replace(case.p_state, udot=rates))
    agree(case, case.w.T @ asked, f, size(case) * (1.0 + np.abs(rates).max()))


def test_energy_and_momentum(case: Changed) -> None:
    before, after = case.before, case.after
    agree(case, case.now(*after.energy()), case.was(*before.energy()), size(case))
    agree(case, case.now(*after.momentum()), case.was(*before.momentum()), size(case))


def test_poses_and_jacobians_with_their_rates(case: Changed) -> None:
    before, after = case.before, case.after
    body = case.before.system.bodies[-1].name
    agree(case, case.now_rows(after.pose(body)), case.was_rows(before.pose(body)))
    for ground in (False, True):
        offset = Vector.of(before.graph, (0.3, -0.2, 0.5)), Vector.of(after.graph, (0.3, -0.2, 0.5))
        j = case.was_rows(before.jacobian(body, offset[0], ground))
        rate = case.was_rows(before.jacobian_rate(body, offset[0], ground))
        agree(case, case.now_rows(after.jacobian(body, offset[1], ground)), j @ case.w)
        found = case.now_rows(after.jacobian_rate(body, offset[1], ground))
        agree(case, found, rate @ case.w + j @ case.w_rate, float(np.abs(rate).max(initial=1.0)))


def test_regressor(case: Changed) -> None:
    wanted = case.w.T @ case.was_rows(case.before.regressor())
    agree(case, case.now_rows(case.after.regressor()), wanted, size(case))


def test_steps_of_configurations(case: Changed) -> None:
    before, after, w = case.before, case.after, case.w
    step = case.u_state.f * 0.1
    own = [after.graph.constant(float(x)) for x in step]
    moved = case.now(*integrate(after.lowered, after.q, after.joint_step(own)))
    joints = [before.graph.constant(float(x)) for x in w @ step]
    agree(case, moved, case.was(*integrate(before.lowered, before.q, joints)))
    there = [after.graph.constant(float(x)) for x in moved]
    agree(case, case.now(*after.speed_step(difference(after.lowered, after.q, there))), step)


def test_outputs_with_accelerations(case: Changed) -> None:
    """A point's acceleration and an angular one, seen when the same forces act."""
    before, after = case.before, case.after
    rates = case.now(*after.forward_dynamics())
    joints = evaluate(after, after.joint_rates(after.udot), replace(case.u_state, udot=rates))
    quantities = Quantities(before.lowered, before.udot)
    expressions = [x for name, x in before.system.expressions.items() if name.startswith("felt")]
    wanted = evaluate(before, quantities.resolved(expressions), replace(case.p_state, udot=joints))
    found = case.now(*(x for name, x in after.outputs().items() if name.startswith("felt")))
    agree(case, found, wanted, 1.0 + float(np.abs(joints).max()))


def test_derivatives_of_inverse_dynamics(case: Changed) -> None:
    """By complex steps of the forces themselves; "joints" has a column for each of the joints' own speeds."""
    after = case.after
    found = case.now_blocks(inverse_derivatives(after))
    outputs = after.inverse_dynamics()
    scale = size(case) * max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in found.values()))
    agree(case, found["joints"], case.slopes(outputs, np.eye(len(case.w))), scale)
    agree(case, found["q"], case.slopes(outputs, case.w), scale)
    agree(case, found["u"], case.stepped(outputs, after.u), scale)
    agree(case, found["udot"], case.stepped(outputs, after.udot), scale)
    if after.system.parameters:
        agree(case, found["parameters"], case.stepped(outputs, parameter_symbols(after)), scale)
    if after.system.inputs:
        agree(case, found["inputs"], case.stepped(outputs, input_symbols(after)), scale)


def test_derivatives_of_forward_dynamics(case: Changed) -> None:
    """By complex steps through the elimination, which the derivatives themselves avoid."""
    after = case.after
    found = case.now_blocks(forward_derivatives(after))
    outputs = after.forward_dynamics()
    inverse = np.linalg.inv(case.now_rows(after.mass_matrix()))
    scale = size(case) * max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in found.values()))
    scale *= max(1.0, float(np.abs(inverse).max()))
    agree(case, found["f"], inverse, scale)
    agree(case, found["joints"], case.slopes(outputs, np.eye(len(case.w))), scale)
    agree(case, found["q"], case.slopes(outputs, case.w), scale)
    agree(case, found["u"], case.stepped(outputs, after.u), scale)
    if after.system.parameters:
        agree(case, found["parameters"], case.stepped(outputs, parameter_symbols(after)), scale)
    if after.system.inputs:
        agree(case, found["inputs"], case.stepped(outputs, input_symbols(after)), scale)


def test_known_components_change_nothing(case: Changed) -> None:
    """Components that are speeds by definition are put in; without that, the same numbers come the long way."""
    plain = Unknowing(case.after.system)
    assert not plain.lowered.known
    for name in ("inverse_dynamics", "bias_forces", "gravity_forces", "forward_dynamics", "momentum", "regressor"):
        found, wanted = getattr(case.after, name)(), getattr(plain, name)()
        if name == "regressor":
            found, wanted = ([x for row in rows for x in row] for rows in (found, wanted))
        numbers = evaluate(plain, wanted, case.u_state)
        scale = size(case) * (np.abs(np.linalg.inv(case.now_rows(case.after.mass_matrix()))).max() + 1.0)
        agree(case, case.now(*found), numbers, float(scale))


RECOMBINED = (
    Formulation(recombined=True),
    Formulation(recombined=True, grouped=False, algebra=CROSSES),
    Formulation(recombined=True, leaves_turned=True, sums=True),
    Formulation(still=True),
)


@pytest.mark.parametrize("formulation", RECOMBINED, ids=str)
def test_recombination_agrees_with_substitution(case: Changed, formulation: Formulation) -> None:
    """Gillespie's (44) and (45): the joints' own equations, combined, are those in which u was put in; still wheels."""
    after, other = case.after, case.after.written(formulation)
    for name in ("inverse_dynamics", "bias_forces"):
        agree(case, case.now(*getattr(other, name)()), case.now(*getattr(after, name)()), size(case))
    mass = case.now_rows(after.mass_matrix())
    agree(case, case.now_rows(other.mass_matrix()), mass, size(case))
    found, wanted = case.now(*other.forward_dynamics()), case.now(*after.forward_dynamics())
    agree(case, mass @ found, mass @ wanted, size(case))


class Unknowing(Generalized):
    """The equations with nothing put in."""

    def _known(self, lowered: Lowered, rates: Sequence[Node]) -> tuple[Known, ...]:
        return ()


def test_body_fixed_components_are_put_in() -> None:
    """Three components along a body's own axes, and a point's velocity, are four known numbers, and cheaper."""
    m = jd.Model("wrist")
    a, b, c = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "abc")
    m.revolute("first", m.ground, a, axis="z")
    m.revolute("second", a, b, axis="x")
    m.revolute("third", b, c, axis="z")
    m.speeds(u1=c.omega @ c.x, u2=c.omega @ c.y, u3=c.omega @ c.z)
    system = m.system()
    after = mechanics_of(system)
    assert len(after.lowered.known) == 3
    assert count(after.inverse_dynamics()).total == 71
    assert count(Unknowing(system).inverse_dynamics()).total == 98


def test_definitions_that_tell_too_little_are_refused() -> None:
    m = jd.Model("two")
    a, b = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "ab")
    m.revolute("first", m.ground, a, axis="z")
    m.revolute("second", a, b, axis="z")
    m.speeds(u1=b.omega @ b.z, u2=b.omega @ m.ground.z)
    with pytest.raises(jd.ModelError, match="'first', 'second' can change together") as caught:
        jd.compile(m.system()).rates([0.1, 0.2], [0.3, 0.4])
    assert "'u1', 'u2'" in str(caught.value)


def test_speeds_that_constraints_tie_are_refused() -> None:
    """Enough rows are kept, but they leave less than the speeds that are defined."""
    m = jd.Model("two")
    a, b, c = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "abc")
    first = m.revolute("first", m.ground, a, axis="z")
    second = m.revolute("second", a, b, axis="x")
    m.revolute("third", b, c, axis="z")
    m.keep("tied", first.speed - second.speed, first.speed + second.speed)
    m.speeds(u1=first.speed, u2=c.omega @ c.z)
    with pytest.raises(jd.ModelError, match=r"'u1', 'u2' cannot be chosen freely.*'tied', leave only 1 of 2"):
        jd.compile(m.system()).rates([0.1, 0.2, 0.3], [0.3, 0.4])


def test_rows_that_repeat_each_other_are_embedded_once() -> None:
    """A wheel's gap and the three rows of its rolling are three conditions; any three of them give the same motion."""
    system = jd.gallery.whipple_bicycle()
    conditions = Conditions.of(lower(system))
    assert sum(len(x.rows) for x in system.conditions) == 6
    assert len(conditions.rows) == len(system.joint_speeds) == 8


def test_nothing_is_divided_by_what_vanishes_at_home() -> None:
    """Of the ways to solve for the joints' speeds, one is chosen that is regular where all joints stand at zero."""
    m = jd.Model("gimbal")
    a, b, c = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "abc")
    m.revolute("yaw", m.ground, a, axis="z")
    m.revolute("roll", a, b, axis="x")
    m.revolute("pitch", b, c, axis="y")
    m.speeds(u1=c.omega @ c.x, u2=c.omega @ c.y, u3=c.omega @ c.z)
    d = jd.compile(m.system(), cache=Cache(None))
    u = np.array([0.3, -0.2, 0.5])
    assert np.allclose(d.rates(np.zeros(3), u), [0.5, 0.3, -0.2], atol=1e-15)
    assert np.isfinite(d.forward_dynamics(np.zeros(3), u)).all()
