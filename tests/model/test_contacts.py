"""What touches a plane: gaps, slips and the rows by which it rolls, against geometry in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.model.contacts import Touch
from jourdain.native import Cache

Array = NDArray[np.float64]
RADIUS, HEIGHT = 0.3, 0.2


def scene(kind: str, moving: bool) -> Compiled:
    """A wheel on a fork, or a ball, over a plane that stands, or moves."""
    m = jd.Model("scene", gravity=(0, 0, 0))
    floor = m.body("floor", mass=1.0, inertia=jd.principal(1, 1, 1))
    fork = m.body("fork", mass=1.0, inertia=jd.principal(1, 1, 1))
    body = m.body("body", mass=1.0, center=(0.01, 0.02, 0.03), inertia=jd.principal(1, 1, 1))
    m.free("moves", m.ground, floor)
    m.free("flies", m.ground, fork)
    m.revolute("axle", fork, body, axis="y", at=(0.1, 0.2, 0.3))
    plane = floor if moving else m.ground
    if kind == "ball":
        touch = m.ball(body, radius=RADIUS, plane=plane, normal=(1, 2, 2), height=HEIGHT)
    else:
        holder = fork if kind == "wheel on a fork" else None
        touch = m.wheel(body, radius=RADIUS, axis="y", fork=holder, plane=plane, normal=(1, 2, 2), height=HEIGHT)
    _tell(m, touch)
    return jd.compile(m.system(), cache=Cache(None))


def _tell(m: jd.Model, touch: Touch) -> None:
    m.output("gap", touch.gap)
    for name, rows in (("slip", (*touch.slip, touch.approach)), ("rolling", touch.rolling)):
        for k, row in enumerate(rows):
            m.output(f"{name} {k}", row)
    m.output("spin", touch.spin)


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("kind", ["ball", "wheel", "wheel on a fork"])
def test_geometry(kind: str, moving: bool) -> None:
    d = scene(kind, moving)
    rng = np.random.default_rng(11)
    for _ in range(10):
        q, u = rng.normal(size=15), rng.normal(size=13)
        for start in (3, 10):
            q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
        found = d.outputs(q, u)
        body, floor = d.pose("body", q), d.pose("floor", q) if moving else np.eye(4)
        n = floor[:3, :3] @ np.array([1.0, 2.0, 2.0]) / 3.0
        hub, axle = body[:3, 3], body[:3, 1]
        down = -n if kind == "ball" else -(n - axle * (axle @ n)) / np.linalg.norm(n - axle * (axle @ n))
        at = hub + RADIUS * down
        assert found["gap"] == pytest.approx((at - floor[:3, 3]) @ n - HEIGHT, abs=1e-12)
        twist = d.jacobian("body", q, axes="ground") @ u
        velocity = twist[3:] + np.cross(twist[:3], at - hub)
        turning = twist[:3]
        if moving:
            other = d.jacobian("floor", q, axes="ground") @ u
            velocity = velocity - other[3:] - np.cross(other[:3], at - floor[:3, 3])
            turning = turning - other[:3]
        slip = np.array([found[f"slip {k}"] for k in range(3)])
        rolling = np.array([found[f"rolling {k}"] for k in range(3)])
        assert slip[2] == pytest.approx(velocity @ n, abs=1e-12)
        assert found["spin"] == pytest.approx(turning @ n, abs=1e-12)
        for rows in (slip, rolling):  # three directions at right angles each
            assert np.linalg.norm(rows) == pytest.approx(np.linalg.norm(velocity), rel=1e-12)
        if kind != "ball":
            wanted = [velocity @ np.cross(axle, -down), velocity @ axle, -velocity @ down]
            assert rolling == pytest.approx(wanted, abs=1e-12)


def test_a_fork_that_is_none() -> None:
    m = jd.Model("wrong")
    wheel = m.body("wheel", mass=1.0, inertia=jd.thin_disk(0.3))
    m.free("flies", m.ground, wheel)
    m.keep("touches", m.wheel(wheel, radius=0.3, fork="fork").gap)
    with pytest.raises(jd.ModelError, match="the fork of a wheel that touches is 'fork', but there is no such body"):
        m.system()


def test_a_fork_that_does_not_carry_the_wheel() -> None:
    m = jd.Model("wrong")
    other, wheel = (m.body(x, mass=1.0, inertia=jd.thin_disk(0.3)) for x in ("other", "wheel"))
    m.free("flies", m.ground, other)
    m.free("flies, too", m.ground, wheel)
    m.keep("touches", m.wheel(wheel, radius=0.3, fork=other).gap)
    with pytest.raises(jd.ModelError, match="'other' is no fork of 'wheel': no joint that turns about one axis"):
        m.system()
