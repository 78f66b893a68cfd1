"""Where a motion through modes may start, with what, and by which methods."""

from __future__ import annotations

from typing import Any

import pytest

import jourdain as jd
from jourdain.simulation.methods import METHODS

from .mechanisms import bouncer, latched, plank
from .test_calls import hands


def test_bodies_that_overlap_are_refused_by_name() -> None:
    with pytest.raises(jd.StateError, match=r"the gap of 'rear' is -0\.05; the gap of 'front' is -0\.05; move") as e:
        jd.simulate(plank(), [0.0, 0.05, 0.0], [0.0, 0.0, 0.0], 1.0)
    assert {name: x[0] for name, x in e.value.residuals.items()} == pytest.approx({"rear": -0.05, "front": -0.05})
    with pytest.raises(jd.StateError, match=r"overlap at the start: the gap of 'front' is -0\.0") as e:
        jd.simulate(plank(), [0.0, 0.1, 0.1], [0.0, 0.0, 0.0], 1.0)
    assert list(e.value.residuals) == ["front"]


def test_what_overlaps_by_rounding_is_put_in_place() -> None:
    run = jd.simulate(plank(), [0.0, 0.1 - 3e-7, 0.0], [0.0, 0.0, 0.0], 0.1)
    assert run.q[0, 1] == pytest.approx(0.1, abs=1e-15)
    assert run.modes[0].mode == ("rear", "rear sticks", "front", "front sticks")


def test_what_strikes_at_the_start_has_struck() -> None:
    run = jd.simulate(bouncer(), [0.0], [-2.0], 0.1, calls=hands(5.0, 6.0))
    first = run.changes[0]
    assert (first.t, first.causes) == (0.0, ("start", "floor bounces"))
    assert first.impulses["floor"] == pytest.approx([3.0]) and first.u_before == pytest.approx([-2.0])
    assert run.u[0] == pytest.approx([1.0]) and run.work is not None and run.work[0] == pytest.approx(-1.5)
    assert run.checks.energy is not None and run.checks.energy < 1e-14


def test_switches_that_are_on_at_the_start() -> None:
    d = jd.compile(bouncer())
    run = jd.simulate(d.in_mode({"grasp"}), [1.0], [0.0], 1.0, calls=hands())
    assert [x.mode for x in run.modes] == [("grasp",), ()] and run.modes[1].start == pytest.approx(0.7)
    assert run.mode == ("grasp",) and run.q[0, 0] == 1.0
    with pytest.raises(jd.StateError, match="not on the constraints of system 'bouncer': 'grasp' misses by 3") as e:
        jd.simulate(d.in_mode({"grasp"}), [1.0], [3.0], 1.0, calls=hands())
    assert e.value.residuals["grasp"] == pytest.approx([3.0])
    with pytest.raises(jd.StateError, match=r"'latch' misses by 0\.3"):
        jd.simulate(jd.compile(latched()).in_mode({"latch"}), [0.2], [0.0], 1.0)
    near = jd.simulate(jd.compile(latched()).in_mode({"latch"}), [0.499], [0.001], 0.1)
    assert (near.q[:, 0] == pytest.approx(0.5, abs=1e-15)) and near.u[:, 0] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("name", ["floor"])
def test_contacts_find_by_themselves_whether_they_touch(name: str) -> None:
    with pytest.raises(ValueError, match="'floor' is a contact's, which finds by itself when it holds"):
        jd.simulate(jd.compile(bouncer()).in_mode({name}), [0.0], [0.0], 1.0, calls=hands())


THROUGH = (jd.DormandPrince853, jd.DormandPrince54, jd.RK4, jd.SemiImplicitEuler)


@pytest.mark.parametrize("kind", METHODS)
def test_methods_go_through_or_say_what_does(kind: Any) -> None:
    def go() -> jd.Run:
        return jd.simulate(latched(), [0.0], [2.0], 1.0, method=kind())

    if kind in THROUGH:
        assert go().is_complete
    else:
        with pytest.raises(ValueError, match=rf"{kind.__name__} cannot integrate .*choose DormandPrince8"):
            go()


def test_friction_that_depends_on_forces_of_constraints_is_refused() -> None:
    m = jd.Model("brake", gravity=(0, 0, -9.81))
    body = m.body("body", mass=1.0, inertia=jd.point_mass)
    carriage = m.link("carriage")
    x = m.prismatic("x", m.ground, carriage, axis="x")
    z = m.prismatic("z", carriage, body, axis="z")
    m.keep("rail", z.coordinate)
    m.friction("rail", x.speed, coefficient=0.3, name="rub")
    m.stop("end", 1.0 - x.coordinate)
    with pytest.raises(ValueError, match=r"friction that depends on forces of constraints \('rub'\) cannot follow yet"):
        jd.simulate(m.system(), [0.0, 0.0], [1.0, 0.0], 1.0)


def test_a_stop_that_is_overlapped_in_a_closed_loop_is_named() -> None:
    m = jd.Model.of(jd.gallery.four_bar())
    m.stop("rocker stop", 0.9 - m["q3"].coordinate)
    d = jd.compile(m.system())
    q = d.assemble([0.5, -0.2, 1.0])
    with pytest.raises(jd.StateError, match="overlap at the start: the gap of 'rocker stop' is"):
        jd.simulate(d, q, d.complete(q, [3.0], d.independent(q)), 1.0)


def test_coefficients_that_are_none_are_refused_by_name() -> None:
    m = jd.Model("ball", gravity=(0, 0, -9.81))
    p, rub = m.parameters(e=0.5), m.input("mu")
    ball = m.body("ball", mass=1.0, inertia=jd.principal(1e-3, 1e-3, 1e-3))
    m.planar("plane", m.ground, ball)
    m.contact("wall", (ball, jd.shapes.Sphere(0.1)), jd.shapes.Plane("y"), friction=rub, restitution=p.e)
    d = jd.compile(m.system())
    start = [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match=r"the restitution of 'wall' is 1\.5, not between 0 and 1; look at param"):
        jd.simulate(d.with_parameters({"e": 1.5}), *start, 1.0, {"mu": 0.2})
    with pytest.raises(ValueError, match=r"the friction of 'wall' is -0\.1, which is negative"):
        jd.simulate(d, *start, 1.0, {"mu": -0.1})
    assert jd.simulate(d, *start, 1.0, {"mu": 0.2}).is_complete
