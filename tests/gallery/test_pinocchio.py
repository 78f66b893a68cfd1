"""Every entry of the gallery builds, derives, compiles, and answers as Pinocchio does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.driver import Compiled
from jourdain.model.system import System
from jourdain.native import Cache

from ..witnesses.pinocchio_bridge import Bridge, bridge

Array = NDArray[np.float64]
STATES = 4
TIGHT = 1e-12

# By joints that Pinocchio has: the simple joints of three columns are held against these in `test_representations`.
ENTRIES: dict[str, Callable[[], System]] = {
    "pendulum": gallery.pendulum,
    "double_pendulum": gallery.double_pendulum,
    "chain": gallery.chain,
    "chain of 1": lambda: gallery.chain(1),
    "chain of 35": lambda: gallery.chain(35, seed=7),
    "stanford_arm": gallery.stanford_arm,
    "puma560": gallery.puma560,
    "rx90": gallery.rx90,
    "thin_disk": lambda: gallery.thin_disk((1, 1, 1)),
    "kwatny_arm": gallery.kwatny_arm,
    "spherical_wrist": lambda: gallery.spherical_wrist(rates=True),
}


class Pair:
    """One entry compiled, and Pinocchio's model of it."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.ours: Compiled = jd.compile(system, cache=Cache(None))
        self.theirs: Bridge = bridge(system)
        n = len(system.speeds)
        self.q, self.u, self.udot = np.random.default_rng(1995).uniform(-1.2, 1.2, (3, STATES, n))


@pytest.fixture(scope="module", params=ENTRIES)
def pair(request: pytest.FixtureRequest) -> Pair:
    return Pair(ENTRIES[request.param]())


def agree(found: Array, expected: Array, scale: Array | float = 0.0) -> None:
    """To rounding, relative to the largest entry or, where entries cancel, to what went into them."""
    size = max(float(np.abs(expected).max()), float(np.max(scale)))
    assert float(np.abs(found - expected).max()) <= TIGHT * size


def test_every_entry_has_its_witness() -> None:
    """Here, or, for those with speeds or constraints of their own, in another test that makes it."""
    own = Path(__file__)
    tests = [x.read_text(encoding="utf-8") for x in own.parent.parent.rglob("test_*.py") if x != own]
    without = [x for x in gallery.__all__ if x not in ENTRIES and not any(f"{x}(" in text for text in tests)]
    assert not without


def test_inverse_dynamics(pair: Pair) -> None:
    found = pair.ours.inverse_dynamics(pair.q, pair.u, pair.udot)
    b = pair.theirs
    for i in range(STATES):
        q, v, a = b.configuration(pair.q[i]), b.velocity(pair.u[i]), b.velocity(pair.udot[i])
        agree(found[i], b.forces(pin.rnea(b.model, b.data, q, v, a)))


def test_mass_matrix(pair: Pair) -> None:
    found = pair.ours.mass_matrix(pair.q)
    b = pair.theirs
    for i in range(STATES):
        upper = np.triu(pin.crba(b.model, b.data, b.configuration(pair.q[i])))
        agree(found[i], b.matrix(upper + np.triu(upper, 1).T))


def test_forward_dynamics(pair: Pair) -> None:
    """By the forces that are left over, which a long chain's accelerations do not make large."""
    f = np.random.default_rng(1717).uniform(-1.0, 1.0, pair.u.shape)
    udot = pair.ours.forward_dynamics(pair.q, pair.u, f)
    b = pair.theirs
    for i in range(STATES):
        q, v = b.configuration(pair.q[i]), b.velocity(pair.u[i])
        left = b.forces(pin.rnea(b.model, b.data, q, v, b.velocity(udot[i]))) - f[i]
        scale = np.abs(pair.ours.mass_matrix(pair.q[i])) @ np.abs(udot[i])
        assert float(np.abs(left).max()) <= TIGHT * float(scale.max())


def test_energy(pair: Pair) -> None:
    found = pair.ours.energy(pair.q, pair.u)
    b = pair.theirs
    for i in range(STATES):
        q, v = b.configuration(pair.q[i]), b.velocity(pair.u[i])
        kinetic = pin.computeKineticEnergy(b.model, b.data, q, v)
        potential = pin.computePotentialEnergy(b.model, b.data, q)
        agree(found.kinetic[i], np.array(kinetic))
        agree(found.potential[i], np.array(potential), kinetic)


def test_poses_and_jacobians_of_the_last_body(pair: Pair) -> None:
    b, body = pair.theirs, pair.system.bodies[-1].name
    frame = b.model.getFrameId(body)
    for i in range(STATES):
        q = b.configuration(pair.q[i])
        pin.framesForwardKinematics(b.model, b.data, q)
        pose = b.data.oMf[frame].homogeneous
        agree(pair.ours.pose(body, pair.q[i]), pose)
        jacobian = pin.computeFrameJacobian(b.model, b.data, q, frame, pin.LOCAL).reshape(6, -1)
        agree(pair.ours.jacobian(body, pair.q[i]), b.columns(jacobian), 1.0)
