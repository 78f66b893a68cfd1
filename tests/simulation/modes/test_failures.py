"""How runs through modes fail: each way with its names and its time."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.simulation.contact.acceleration import INCONSISTENT, INDETERMINATE, solve_contacts, solving_work

from .mechanisms import GRAVITY, plank


def cart(write: Any) -> System:
    """1 kg on a rail along x, and what is written about it."""
    m = jd.Model("cart", gravity=(0, 0, 0))
    pull = m.input("pull")
    body = m.body("cart", mass=1.0, inertia=jd.point_mass)
    x = m.prismatic("x", m.ground, body, axis="x")
    m.joint_force("x", pull)
    write(m, x)
    return m.system()


def failed(run: jd.Run, status: jd.Status, t: float, *words: str) -> None:
    assert run.status is status and not run.is_complete
    assert run.t[-1] == pytest.approx(t, abs=1e-6)
    assert run.reason.startswith(f"at {t:.6g}"[:7]) and status.sentence in run.reason
    for word in words:
        assert word in run.reason, run.reason
    assert np.isfinite(run.q).all() and run.checks.drift is not None


def test_a_switch_whose_conditions_hold_together() -> None:
    """It gives way to 3 N, and takes hold where it carries less than 1 N, as it does when it has given way."""
    def write(m: jd.Model, x: Any) -> None:
        force = m.multiplier("latch")
        m.switch("latch", x.speed, on=1.0 - force * force, off=-force - 3.0, start=True)

    run = jd.simulate(cart(write), [0.0], [0.0], 2.0, {"pull": "4*t"})
    failed(run, jd.Status.NOT_SETTLING, 0.75, "again and again: latch off, latch on")


@pytest.mark.parametrize("method", [jd.DormandPrince853(), jd.RK4(1e-3)])
def test_a_switch_that_contradicts_what_always_holds(method: Any) -> None:
    def write(m: jd.Model, x: Any) -> None:
        m.keep("belt", x.speed - 1.0)
        m.switch("brake", x.speed, on=m.call("brake"))

    run = jd.simulate(cart(write), [0.0], [1.0], 2.0, calls={"brake": lambda t, q, u: t - 0.3}, method=method)
    failed(run, jd.Status.CONTRADICTION, 0.3, "cannot hold beside the others; what was imposed last: 'brake'")
    assert "'belt' cannot" in run.reason or "'brake' cannot" in run.reason


def test_rows_that_agree_at_first_and_contradict_later() -> None:
    def write(m: jd.Model, x: Any) -> None:
        m.keep("belt", x.speed - 1.0 - jd.maximum(m.time - 0.625, 0.0))
        m.switch("clamp", x.speed - 1.0, start=True)
        m.stop("end", 10.0 - x.coordinate)

    run = jd.simulate(cart(write), [0.0], [1.0], 2.0, method=jd.RK4(1e-3))
    assert run.status is jd.Status.CONTRADICTION and 0.625 <= run.t[-1] < 0.627
    assert "cannot hold beside the others" in run.reason


def test_positions_do_not_jump() -> None:
    def write(m: jd.Model, x: Any) -> None:
        m.switch("latch", x.coordinate - 0.5, on=m.call("latch"))

    calls = {"latch": lambda t, q, u: t - 0.2}
    run = jd.simulate(cart(write), [0.0], [1.0], 2.0, calls=calls)
    failed(run, jd.Status.IMPOSED_AFAR, 0.2, "'latch' misses by 0.3")
    near = jd.simulate(cart(write), [0.299], [1.0], 2.0, calls=calls)  # within 1 cm it snaps in
    assert near.is_complete and near.q[-1, 0] == pytest.approx(0.5, abs=1e-15)


# -- Painlevé's rod ---------------------------------------------------------------------------------------------------

LENGTH = 0.5  # from the tip to the center


def rod(held: bool = False) -> System:
    """A uniform rod of 1 kg that leans over its tip's right, μ = 2, one meter long; a hand may keep its lean."""
    m = jd.Model("rod", gravity=(0, 0, -GRAVITY))
    body = m.body("rod", mass=1.0, inertia=jd.principal(1e-3, LENGTH**2 / 3.0, LENGTH**2 / 3.0))
    carriage, slider = m.link("carriage"), m.link("slider")
    m.prismatic("x", m.ground, carriage, axis="x")
    m.prismatic("z", carriage, slider, axis="z")
    lean = m.revolute("lean", slider, body, axis="-y")
    m.contact("tip", (body, jd.shapes.Point((-LENGTH, 0, 0))), jd.shapes.Plane(), friction=2.0)
    if held:
        m.switch("hand", lean.speed, off=m.call("release"), start=True)
    return m.system()


def start(lean: float, slip: float, turn: float) -> tuple[list[float], list[float]]:
    """The tip on the plane, sliding at `slip` along x, the rod turning."""
    c, s = np.cos(lean), np.sin(lean)
    return [LENGTH * c, LENGTH * s, lean], [slip - LENGTH * s * turn, LENGTH * c * turn, turn]


def verdict(lean: float, turn: float) -> int:
    """What the contact's problem says, W and b written down: tip velocities are (ẋ + l s ω, ż − l c ω)."""
    c, s = LENGTH * np.cos(lean), LENGTH * np.sin(lean)
    rows = np.array([[0.0, 1.0, -c], [1.0, 0.0, s]])
    w = rows @ np.diag([1.0, 1.0, 3.0 / LENGTH**2]) @ rows.T
    b = np.array([-GRAVITY + s * turn**2, c * turn**2])
    one, side = np.zeros(1), np.ones(1)
    return int(solve_contacts(
        w.ravel(), b, 2, 1, one, side, np.full(1, 2.0), np.ones(1), np.array([-1.0, 0.0]), np.zeros(2), np.zeros(1),
        np.zeros(1), np.zeros(solving_work(2, 1)),
    ))  # fmt: skip


STEEP = float(np.arctan(2.0))  # where 4/3 suffices


@pytest.mark.parametrize(
    ("turn", "kind", "words"),
    [(0.0, INCONSISTENT, "'tip': it is pressed and no force holds it"),
     (6.0, INDETERMINATE, "'tip': it could leave or jam: more than one motion goes on")],
    ids=["inconsistent", "indeterminate"],
)  # fmt: skip
def test_painleves_paradox(turn: float, kind: int, words: str) -> None:
    assert verdict(STEEP, turn) == kind
    run = jd.simulate(rod(), *start(STEEP, -1.0, turn), 1.0)
    failed(run, jd.Status.PARADOX, 0.0, words)
    assert "Painlevé" in run.reason


def test_a_rod_slides_the_other_way_and_falls() -> None:
    run = jd.simulate(rod(), *start(STEEP, 1.0, 0.0), 0.1)
    assert run.is_complete and run.checks.energy is not None and run.checks.energy < 1e-9


def test_a_rod_that_is_let_go_where_it_cannot_go_on() -> None:
    """A hand keeps its lean until 0.1 s, and it slides without trouble, ẍ = μ g."""
    run = jd.simulate(rod(held=True), *start(STEEP, -4.0, 0.0), 1.0, calls={"release": lambda t, q, u: t - 0.1})
    failed(run, jd.Status.PARADOX, 0.1, "'tip': it is pressed and no force holds it")
    assert run.u[-1, 0] == pytest.approx(-4.0 + 2.0 * GRAVITY * 0.1, abs=1e-9)


def test_a_force_condition_that_is_passed_at_the_start_acts_there() -> None:
    def write(m: jd.Model, x: Any) -> None:
        m.switch("latch", x.speed, off=m.multiplier("latch") * m.multiplier("latch") - 4.0, start=True)

    run = jd.simulate(cart(write), [0.0], [0.0], 1.0, {"pull": 3.0})
    assert [x.causes for x in run.changes] == [("latch off",)] and run.changes[0].t == 0.0
    assert run.q[-1, 0] == pytest.approx(1.5, abs=1e-12)
    assert not jd.simulate(cart(write), [0.0], [0.0], 1.0, {"pull": 1.9}).changes


def test_a_condition_that_has_just_acted_does_not_act_again() -> None:
    """A ball is caught at z = 0, where the catch does not hold its weight, and falls on from rest."""
    m = jd.Model("catch", gravity=(0, 0, -GRAVITY))
    body = m.body("ball", mass=1.0, inertia=jd.point_mass)
    z = m.prismatic("z", m.ground, body, axis="z")
    m.switch("catch", z.speed, on=-z.coordinate, off=m.multiplier("catch") - 5.0)
    run = jd.simulate(m.system(), [1.0], [0.0], 1.0)
    caught = np.sqrt(2.0 / GRAVITY)
    assert [x.causes for x in run.changes] == [("catch on",), ("catch off",)]
    assert [x.t for x in run.changes] == pytest.approx([caught, caught], abs=1e-12)
    assert run.q[-1, 0] == pytest.approx(-0.5 * GRAVITY * (1.0 - caught) ** 2, abs=1e-11)


def test_contacts_without_an_answer_are_named() -> None:
    """The sentence alone: no scene is known to lead there for certain."""
    run = jd.simulate(plank(), [0.0, 0.1, 0.0], [0.0, 0.0, 0.0], 0.1)
    told = dataclasses.replace(run, status=jd.Status.CONTACTS_NOT_SOLVED).reason
    assert "no forces of the contacts were found" in told and "among 'rear', 'front'" in told


def test_a_function_that_raised_is_the_reason() -> None:
    def write(m: jd.Model, x: Any) -> None:
        m.switch("latch", x.speed, on=m.call("latch"))

    def latch(t: float, q: Any, u: Any) -> float:
        if t > 0.5:
            raise OSError("the device is gone")
        return -1.0

    with pytest.raises(jd.FunctionError) as raised:
        jd.simulate(cart(write), [0.0], [1.0], 1.0, calls={"latch": latch}, method=jd.RK4(1e-2))
    run = raised.value.run
    assert run is not None and run.reason.startswith("at 0.51 s: a function that was asked raised an exception")
