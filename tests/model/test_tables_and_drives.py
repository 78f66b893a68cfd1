"""Tables, prescribed and locked joints, a base that moves as given, inputs of every sort."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import jourdain as jd
from jourdain.graph import Node, interpret
from jourdain.graph.differentiate import jvp

from .looking import Seen, close

X = [0.0, 0.5, 1.5, 2.0, 4.0]
Y = [1.0, -2.0, 0.5, 0.5, 3.0]


def read(node: Node, time: Node, t: np.ndarray) -> np.ndarray:
    return np.asarray(interpret([node], {time: t})[0])


@pytest.mark.parametrize("count", [2, 3, 5])
def test_tables_are_read_by_lines_and_by_splines(count: int) -> None:
    m = jd.Model("table")
    x, y = X[:count], Y[:count]
    t = np.linspace(-1, 5, 997)
    held = np.clip(t, x[0], x[-1])
    linear = read(m.table(m.time, x, y), m.time, t)
    assert close(linear, np.interp(held, x, y))
    cubic = read(m.table(m.time, np.array(x), tuple(y), jd.CUBIC), m.time, t)
    expected = CubicSpline(x, y)(held) if count > 2 else np.interp(held, x, y)
    assert close(cubic, expected)


def test_a_table_goes_through_its_points_and_its_slope_follows() -> None:
    m = jd.Model("table")
    table = m.table(m.time, X, Y, jd.CUBIC)
    assert close(read(table, m.time, np.array(X)), Y)
    (slope,) = jvp([table], {m.time: 1.0})
    inside = np.linspace(0.01, 3.99, 57)
    assert close(read(slope, m.time, inside), CubicSpline(X, Y)(inside, 1))
    assert close(read(slope, m.time, np.array([-3.0, 9.0])), [0, 0])


def test_a_constant_table_is_a_constant() -> None:
    m = jd.Model("table")
    assert m.table(m.time, [0, 1, 2], [3, 3, 3]).value == 3.0


def arm() -> jd.Model:
    m = jd.Model("arm")
    for name, mass in (("a", 1), ("b", 2)):
        m.body(name, mass=mass, center=(0, 0, 1), inertia=jd.principal(1, 1, 0.1))
    m.revolute("shoulder", m.ground, "a", axis="x")
    m.revolute("elbow", "a", "b", axis="x", at=(0, 0, 2))
    return m


def test_a_prescribed_joint_moves_as_given() -> None:
    free, driven = arm(), arm()
    driven.prescribe("elbow", jd.sin(driven.time * 2.0))
    t, q, u, udot = 0.3, 0.4, -0.5, 0.6
    angle, speed, rate = np.sin(2 * t), 2 * np.cos(2 * t), -4 * np.sin(2 * t)
    system = driven.system()
    assert (system.coordinates, system.speeds) == (("shoulder",), ("shoulder",))
    assert system.slices("elbow") == (slice(1, 1), slice(1, 1))
    expected = Seen(free.system(), [q, angle], [u, speed], [udot, rate])
    found = Seen(system, [q], [u], [udot], t=t)
    assert close(found.forces, expected.forces[:1])
    assert close(found.pose("b"), expected.pose("b"))
    assert close(found.energy, expected.energy)


def test_a_drive_by_a_table_has_its_derivatives() -> None:
    m = arm()
    m.prescribe("elbow", m.table(m.time, X, Y, jd.CUBIC))
    spline, t = CubicSpline(X, Y), 1.2
    expected = Seen(arm().system(), [0.1, *spline([t])], [0.2, *spline([t], 1)], [0.3, *spline([t], 2)])
    assert close(Seen(m.system(), [0.1], [0.2], [0.3], t=t).forces, expected.forces[:1])


def test_a_drive_by_inputs_takes_speeds_and_rates_too() -> None:
    m = arm()
    angle, speed, rate = m.inputs("angle", "speed", "rate")
    m.prescribe(m["elbow"], angle, speeds=[speed], rates=[rate])
    given = {"angle": 0.7, "speed": -0.4, "rate": 1.1}
    expected = Seen(arm().system(), [0.1, 0.7], [0.2, -0.4], [0.3, 1.1])
    assert close(Seen(m.system(), [0.1], [0.2], [0.3], given).forces, expected.forces[:1])
    # Speeds alone: their rates are those that time brings.
    m.prescribe("elbow", angle, speeds=[speed * m.time])
    expected = Seen(arm().system(), [0.1, 0.7], [0.2, -0.4 * 2], [0.3, -0.4])
    assert close(Seen(m.system(), [0.1], [0.2], [0.3], given, t=2.0).forces, expected.forces[:1])


def test_the_last_drive_counts() -> None:
    m = arm()
    m.prescribe("elbow", m.time)
    m.prescribe("elbow", [m.time * m.time])
    (drive,) = m.system().joint("elbow").prescribed
    assert repr(drive) in ("t*t", "t^2", "t**2")


def test_locked_joints_hold_still() -> None:
    m = arm()
    m.lock("elbow", 0.3)
    assert close(
        Seen(m.system(), [0.1], [0.2], [0.3]).forces, Seen(arm().system(), [0.1, 0.3], [0.2, 0], [0.3, 0]).forces[:1]
    )
    m.lock("shoulder", np.array([0.1]))
    assert m.system().coordinates == ()
    m.lock("elbow")
    assert close(Seen(m.system()).pose("b")[:3, 3], [0, -2 * np.sin(0.1), 2 * np.cos(0.1)])


@pytest.mark.parametrize("orientation", [jd.ANGLES, jd.QUATERNION])
def test_free_joints_lock_where_they_are_at_home(orientation: jd.Orientation) -> None:
    m = jd.Model("box")
    box = m.body("box", mass=1, inertia=jd.principal(1, 1, 1))
    m.free("float", m.ground, box, at=(1, 2, 3), orientation=orientation)
    m.lock("float")
    assert close(Seen(m.system()).pose("box")[:3, 3], [1, 2, 3])
    m.weld("glue", "box", m.link("rest"))
    m.lock("glue")
    assert m.system().joint("glue").prescribed == ()


def test_a_base_that_moves_as_given() -> None:
    """On a platform that is shaken, a pendulum feels minus the platform's acceleration as gravity."""
    m = jd.Model("shaken")
    platform = m.link("platform")
    m.free("base", m.ground, platform, orientation=jd.ANGLES)
    t = m.time
    m.prescribe("base", jd.sin(t * 3.0), 0.5 * t * t, 0, 0, 0, 0)
    bob = m.body("bob", mass=2.0, center=(0, 0, -1), inertia=jd.principal(0.1, 0.1, 0.1))
    m.spherical("ball", platform, bob)
    system = m.system()
    assert len(system.speeds) == 3
    still = jd.Model("still", gravity=(9 * np.sin(0.6), -1, -9.81))
    still.spherical("ball", still.ground, still.body("bob", 2.0, (0, 0, -1), jd.principal(0.1, 0.1, 0.1)))
    seen = Seen.at_random(still.system())
    state = seen.state
    assert close(Seen(system, state.q, state.u, state.udot, t=0.2).forces, seen.forces)


def test_a_turning_base_given_by_a_quaternion() -> None:
    m = jd.Model("table")
    m.spherical("turn", m.ground, m.link("plate"))
    half = m.time * 0.5
    m.prescribe("turn", 0, 0, jd.sin(half), jd.cos(half))
    m.prismatic("slide", "plate", m.particle("bead", 2.0), axis="x")
    seen = Seen(m.system(), [1.5], [0.2], [0.3], t=0.8)
    assert close(seen.forces, [2.0 * (0.3 - 1.5)])  # m (ẍ − ω² x), ω = 1
    assert close(seen.energy[0], 0.5 * 2.0 * (0.2**2 + 1.5**2))


def test_inputs_are_values_expressions_functions_of_time_and_tables() -> None:
    part = jd.Model("pushed", gravity=(0, 0, 0))
    push = part.input("push", 2.0)
    part.prismatic("slide", part.ground, part.particle("bead", 1.0), axis="x")
    part.joint_force("slide", push)
    system = part.system()
    assert (system.inputs, dict(system.input_values)) == (("push",), {"push": 2.0})
    assert close(Seen(system).forces, [-2.0])
    assert close(Seen(system, inputs={"push": 5.0}).forces, [-5.0])
    for value, expected in (
        (lambda m: 3, 3.0),
        (lambda m: m.parameter("p", 4.0) * 2, 8.0),
        (lambda m: jd.sin(m.time), np.sin(0.3)),
        (lambda m: m.table(m.time, [0, 1], [0, 10]), 3.0),
        (lambda m: m.input("outer", 7.0), 7.0),
    ):
        m = jd.Model("whole", gravity=(0, 0, 0))
        m.place(system, given={"push": value(m)})
        assert close(Seen(m.system(), t=0.3).forces, [-expected])
