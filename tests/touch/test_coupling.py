"""The coupler: its force and torque against SciPy's rotations, its potential, its grip; and the energy that passes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from jourdain.touch.coupler import Coupler, Couplers
from jourdain.touch.coupling import couple
from jourdain.touch.energy import observe
from jourdain.touch.hands import MOTION
from jourdain.touch.loop import timing
from jourdain.touch.stage import Floats


def motion(rng: np.random.Generator, rotation: Rotation | None = None) -> Floats:
    turned = rotation or Rotation.random(rng=rng)
    return np.concatenate([rng.normal(size=3), turned.as_matrix().ravel(), rng.normal(size=6)])


class Coupling:
    """Couplers without a loop: what a tick brings is put in by hand."""

    def __init__(self, hands: int = 1, controls: bool = False, most: float = 3.0) -> None:
        self.told, self.devices, self.handles = timing(), np.zeros((hands, MOTION)), np.zeros((hands, MOTION))
        self.told[2] = 1e-3
        for x in (*self.devices, *self.handles):
            x[3:12] = np.eye(3).ravel()
        self.wanted, self.shown = np.zeros(6 * hands), np.zeros(6 * hands)
        self.couplers = Couplers(
            self.told, self.devices, self.handles, self.wanted, self.shown, controls, most
        )

    def tick(self) -> Floats:
        self.couplers.target[:] = self.couplers.settings.read()
        self.couplers.session.run()
        return self.wanted.copy()


def test_force_and_torque() -> None:
    rng = np.random.default_rng(0)
    x = Coupling(2)
    x.couplers.hold(Coupler(400.0, 3.0, 2.0, 0.1), 0, wherever=False)
    for _ in range(50):
        x.devices[0], x.handles[0] = motion(rng), motion(rng)
        found = x.tick()
        d, h = x.devices[0], x.handles[0]
        assert found[:3] == pytest.approx(-400.0 * (d[:3] - h[:3]) - 3.0 * (d[12:15] - h[12:15]), rel=1e-12)
        between = Rotation.from_matrix(d[3:12].reshape(3, 3)) * Rotation.from_matrix(h[3:12].reshape(3, 3)).inv()
        vector = between.as_rotvec()
        angle = np.linalg.norm(vector)
        turn = 2.0 * np.sin(angle / 2.0) * vector / angle
        assert found[3:6] == pytest.approx(-2.0 * turn - 0.1 * (d[15:] - h[15:]), rel=1e-9, abs=1e-9)
        assert np.all(found[6:] == 0.0)  # the other hand holds nothing


def test_the_torque_has_a_potential() -> None:
    """Its work along any way is the difference of 4 K (1 − cos(θ/2))."""
    rng = np.random.default_rng(1)
    x = Coupling()
    x.couplers.hold(Coupler(0.0, 0.0, 5.0), wherever=False)
    way = rng.normal(size=3)
    base = Rotation.random(rng=rng)
    x.handles[0, 3:12] = base.as_matrix().ravel()

    def potential(rotation: Rotation) -> float:
        return float(4.0 * 5.0 * (1.0 - np.cos((rotation * base.inv()).magnitude() / 2.0)))

    start = Rotation.from_rotvec([0.3, -0.2, 0.5]) * base
    step = 1e-4
    for k in range(20):
        here = Rotation.from_rotvec(0.05 * k * way) * start
        x.devices[0, 3:12] = here.as_matrix().ravel()
        torque = x.tick()[3:6]
        slope = [potential(Rotation.from_rotvec(s * step * way) * here) for s in (1.0, -1.0)]
        assert -torque @ way == pytest.approx((slope[0] - slope[1]) / (2.0 * step), rel=1e-6)


def test_half_a_turn_is_no_fault() -> None:
    x = Coupling()
    x.couplers.hold(Coupler(0.0, 0.0, 5.0), wherever=False)
    for axis in ([1.0, 0, 0], [0, 1.0, 0], [0.6, 0, 0.8]):
        for angle in (np.pi, np.pi - 1e-9, np.pi + 1e-9, np.pi - 1e-5):
            x.devices[0, 3:12] = Rotation.from_rotvec(angle * np.array(axis)).as_matrix().ravel()
            torque = x.tick()[3:6]
            assert np.all(np.isfinite(torque))
            assert np.linalg.norm(torque) <= 10.0 * (1.0 + 1e-6)


def test_a_hand_that_closes_wherever_it_is_feels_nothing_at_first() -> None:
    rng = np.random.default_rng(2)
    x = Coupling()
    x.devices[0], x.handles[0] = motion(rng), motion(rng)
    x.devices[0, 12:], x.handles[0, 12:] = 0.0, 0.0
    x.couplers.hold(Coupler(400.0, 3.0, 2.0, 0.1))
    assert x.tick() == pytest.approx(np.zeros(6), abs=1e-11)
    x.devices[0, 0] += 0.01
    turn = Rotation.from_rotvec([0, 0.02, 0])
    x.devices[0, 3:12] = (turn * Rotation.from_matrix(x.devices[0, 3:12].reshape(3, 3))).as_matrix().ravel()
    torque = -2.0 * 2.0 * np.sin(0.01)
    assert x.tick() == pytest.approx([-4.0, 0, 0, 0, torque, 0], abs=1e-11)
    x.couplers.hold(Coupler(800.0))  # the grip stays
    assert x.tick()[:3] == pytest.approx([-8.0, 0, 0], abs=1e-11)
    x.couplers.release()
    assert np.all(x.tick() == 0.0)
    x.couplers.hold(Coupler(800.0))
    assert x.tick() == pytest.approx(np.zeros(6), abs=1e-11)


def test_machine_code_does_what_python_does() -> None:
    rng = np.random.default_rng(3)
    x = Coupling(2, controls=True)
    given = x.couplers.session.given
    other = {name: array.reshape(-1).copy() for name, array in given.items()}
    room = np.zeros(12)
    for k in range(500):
        for hand in range(2):
            x.devices[hand], x.handles[hand] = motion(rng), motion(rng)
        x.shown[:] = rng.normal(size=12)
        if k % 20 == 0:
            if rng.random() < 0.5:
                x.couplers.hold(Coupler(*rng.random(4)), k // 20 % 2, wherever=bool(rng.random() < 0.5))
            else:
                x.couplers.release(k // 20 % 2)
        x.tick()
        for name in ("devices", "handles", "shown", "settings", "told"):
            other[name][:] = given[name].reshape(-1)
        couple(
            other["devices"], other["handles"], other["settings"], other["grips"], other["wanted"], room, 2
        )  # fmt: skip
        observe(
            other["told"], other["devices"], other["shown"], other["wanted"], other["ledger"], 1, 3.0, 2
        )  # fmt: skip
        for name in ("wanted", "grips", "ledger"):
            assert np.array_equal(given[name].reshape(-1), other[name]), name


# -- energy -----------------------------------------------------------------------------------------------------------


def test_the_energy_that_is_put_in_is_force_times_way() -> None:
    """Of a force that is held between samples, exactly."""
    rng = np.random.default_rng(4)
    x = Coupling()
    total, least = 0.0, 0.0
    place, force = np.zeros(3), np.zeros(6)
    for k in range(200):
        step, omega = rng.normal(scale=1e-3, size=3), rng.normal(size=3)
        x.devices[0, :3] += step
        x.devices[0, 15:] = omega
        x.tick()
        if k:
            total -= float(force[:3] @ (x.devices[0, :3] - place) + force[3:] @ omega * 1e-3)
        least = min(least, total)
        place, force = x.devices[0, :3].copy(), rng.normal(size=6)
        x.shown[:] = force
    found = x.couplers.energy()
    assert found == pytest.approx((total, least, 0.0), rel=1e-12)


def test_what_was_never_put_in_is_taken_out_again() -> None:
    """A force that drives the hand on is an active one; the damper takes just as much in the next period, if the hand
    goes on as it did."""
    x = Coupling(controls=True, most=1e9)
    x.tick()
    x.shown[0] = 2.0
    x.devices[0, 0] += 1e-3
    damped = x.tick()
    assert x.couplers.energy()[0] == pytest.approx(-2e-3)
    assert damped == pytest.approx([-2.0, 0, 0, 0, 0, 0], rel=1e-12)
    x.shown[:] = damped
    x.devices[0, 0] += 1e-3
    x.tick()
    assert x.couplers.energy()[0] == pytest.approx(0.0, abs=1e-15)
    assert x.couplers.energy()[2] == pytest.approx(2e-3)


def test_a_damper_is_no_stronger_than_is_allowed() -> None:
    x = Coupling(controls=True, most=0.5)
    x.tick()
    x.shown[:2] = 3.0, 4.0
    x.devices[0, :2] += 3e-4, 4e-4  # at 0.5 m/s
    assert x.tick() == pytest.approx([-0.15, -0.2, 0, 0, 0, 0], rel=1e-12)
    assert x.couplers.energy() == pytest.approx((-2.5e-3, -2.5e-3, 0.5 * 0.25 * 1e-3), rel=1e-12)


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"stiffness = -1\.0"):
        Coupler(-1.0)
    with pytest.raises(ValueError, match="damping = nan"):
        Coupler(1.0, float("nan"))
    told, motions = timing(), np.zeros((2, MOTION))
    with pytest.raises(ValueError, match="devices of 18 numbers"):
        Couplers(told, motions[:1], motions, np.zeros(12), np.zeros(12))
    with pytest.raises(ValueError, match="forces of 6 numbers"):
        Couplers(told, motions, motions, np.zeros(6), np.zeros(12))
    with pytest.raises(ValueError, match="no more than 0"):
        Couplers(told, motions, motions, np.zeros(12), np.zeros(12), most=0.0)
