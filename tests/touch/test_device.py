"""The simulated device and hand against exact solutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import cont2discrete
from scipy.spatial.transform import Rotation

from jourdain.touch.device import Device, Hand, SimulatedDevice

T = 1e-3


def tick(device: SimulatedDevice) -> None:
    device._reading.run()
    device._writing.run()


def test_under_held_forces_the_motion_is_exact() -> None:
    rng = np.random.default_rng(0)
    device, hand = Device(0.1, 0.2), Hand(0.3, 2.0, 150.0)
    a = np.array([[0.0, 1.0], [-150.0 / 0.4, -2.2 / 0.4]])
    phi, gamma, *_ = cont2discrete((a, np.array([[0.0], [2.5]]), np.eye(2), np.zeros((2, 1))), T)
    path = rng.normal(scale=0.01, size=(2, 50, 3))
    forces = np.zeros(12)
    for parts in (1, 4):
        simulated = SimulatedDevice(device, hand, T, forces, np.zeros((2, 3)), path, parts)
        states = np.zeros((2, 3, 2))
        for k in range(80):
            forces[:] = rng.normal(size=12)
            wish = path[:, min(k, 49)]
            relative = states.copy()
            relative[..., 0] -= wish
            states = relative @ phi.T + forces.reshape(2, 6)[:, :3, None] * gamma[:, 0]
            states[..., 0] += wish
            tick(simulated)
            assert simulated.places == pytest.approx(states[..., 0], rel=1e-11, abs=1e-15)


def test_what_encoders_tell() -> None:
    forces = np.zeros(6)
    simulated = SimulatedDevice(Device(resolution=1e-3), Hand(), T, forces, [[0.01149, -0.0005, 0.0]])
    simulated._reading.run()
    assert simulated.devices[0, :3] == pytest.approx([0.011, 0.0, 0.0], abs=1e-15)
    assert np.all(simulated.devices[0, 12:15] == 0.0)  # no sample came before
    simulated._state[0, 0] = 0.01351
    simulated._reading.run()
    assert simulated.devices[0, 0] == pytest.approx(0.014)
    assert simulated.devices[0, 12:15] == pytest.approx([3.0, 0.0, 0.0])


@pytest.mark.parametrize("delay", [0, 1, 5, 16])
def test_forces_come_late(delay: int) -> None:
    forces = np.zeros(6)
    simulated = SimulatedDevice(Device(1.0, 0.0, delay=delay), Hand(), T, forces)
    speeds = []
    for k in range(24):
        forces[1] = 1.0 if k == 2 else 0.0
        tick(simulated)
        speeds.append(simulated._state[0, 4])
    assert speeds == pytest.approx([0.0] * (2 + delay) + [T] * (22 - delay), rel=1e-12)


def test_dry_friction_stops_and_holds() -> None:
    """A push of 3 N against 1 N for 0.1 s, then it slides on for 0.2 s."""
    forces = np.zeros(6)
    simulated = SimulatedDevice(Device(0.5, 0.0, friction=1.0), Hand(), T, forces, parts=50)
    forces[0] = 0.9
    for _ in range(100):
        tick(simulated)
    assert abs(simulated.places[0, 0]) < 1e-5  # it creeps by parts of a period
    simulated = SimulatedDevice(Device(0.5, 0.0, friction=1.0), Hand(), T, forces, parts=50)
    forces[0] = 3.0
    for _ in range(100):
        tick(simulated)
    assert simulated._state[0, 3] == pytest.approx(0.4, rel=1e-9)
    forces[0] = 0.0
    for _ in range(250):
        tick(simulated)
    assert simulated._state[0, 3] == 0.0
    assert simulated.places[0, 0] == pytest.approx(0.02 + 0.04, rel=1e-3)


def test_turning() -> None:
    """A torque about a fixed axis turns it as a mass on a damper; axes stay at right angles."""
    forces, axis = np.zeros(6), np.array([0.6, 0.0, 0.8])
    device = Device(inertia=1e-3, turn_damping=2e-3)
    simulated = SimulatedDevice(device, Hand(), T, forces)
    forces[3:] = 4e-3 * axis
    for _ in range(1000):
        tick(simulated)
    rate = 2.0
    omega = 2.0 * (1.0 - np.exp(-rate))
    assert simulated._state[0, 15:18] == pytest.approx(omega * axis, rel=1e-11)
    angle = 2.0 * (1.0 - (1.0 - np.exp(-rate)) / rate)
    found = simulated._state[0, 6:15].reshape(3, 3)
    assert found == pytest.approx(Rotation.from_rotvec(angle * axis).as_matrix(), abs=1e-6)
    assert found @ found.T == pytest.approx(np.eye(3), abs=1e-12)


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"mass = 0\.0"):
        Device(mass=0.0)
    with pytest.raises(ValueError, match="a delay of 17"):
        Device(delay=17)
    with pytest.raises(ValueError, match=r"damping = -0\.1"):
        Device(damping=-0.1)
    with pytest.raises(ValueError, match=r"stiffness = -1\.0"):
        Hand(stiffness=-1.0)
    with pytest.raises(ValueError, match="are needed for each hand"):
        SimulatedDevice(Device(), Hand(), T, np.zeros(5))
    with pytest.raises(ValueError, match="positive numbers"):
        SimulatedDevice(Device(), Hand(), 0.0, np.zeros(6))
    with pytest.raises(ValueError, match=r"\(hands, …, 3\)"):
        SimulatedDevice(Device(), Hand(), T, np.zeros(6), path=np.zeros((2, 5, 3)))
