"""Things to be touched, and sweeps over them by a clock that does not wait."""

from __future__ import annotations

from functools import cache

import numpy as np

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.touch.coupler import Coupler, Couplers
from jourdain.touch.device import Device, Hand, SimulatedDevice
from jourdain.touch.guard import Guard, Limits
from jourdain.touch.hands import with_hands
from jourdain.touch.loop import Loop, timing
from jourdain.touch.stage import Floats

from .simulated import Simulated, in_python

FREE = Limits(1e9, 1e9, 1e15, 1e15, 1e-9)  # as good as none
RATE = 1000.0


@cache
def slider(mass: float = 0.5, stiffness: float = 40.0, damping: float = 0.3) -> Compiled:
    """A block on a rail along x, on a spring and a damper."""
    m = jd.Model("slider", gravity=(0, 0, 0))
    block = m.body("block", mass=mass, inertia=jd.principal(1, 1, 1))
    m.prismatic("rail", m.ground, block, axis="x")
    m.joint_force("rail", -stiffness * m["rail"].coordinate - damping * m["rail"].speed)
    m.handle(block, name="knob")
    return jd.compile(with_hands(m.system()))


@cache
def pendulum() -> Compiled:
    return jd.compile(with_hands(jd.gallery.double_pendulum(), "lower"))


class Wall:
    """A device in a hand, coupled to a place that does not move."""

    def __init__(
        self, coupler: Coupler, device: Device, hand: Hand, start: float = 1e-4, controls: bool = False
    ) -> None:
        told, handles = timing(), np.zeros((1, 18))
        handles[0, 3:12] = np.eye(3).ravel()
        wanted, shown = np.zeros(6), np.zeros(6)
        self.device = SimulatedDevice(
            device, hand, 1.0 / RATE, shown, [[start, 0.0, 0.0]], np.zeros((1, 1, 3))
        )
        self.couplers = Couplers(told, self.device.devices, handles, wanted, shown, controls, 10.0)
        self.guard = Guard(told, wanted, shown, FREE)
        self.places: list[float] = []
        look = in_python("look", lambda: self.places.append(float(self.device._state[0, 0])))
        stages = [self.device.reading, look, self.couplers.stage, self.guard.stage, self.device.writing]
        inputs = [(self.guard.orders, self.guard.order), (self.couplers.settings, self.couplers.target)]
        self.loop = Loop(RATE, stages, told, inputs, clock=Simulated().clock)
        self.couplers.hold(coupler, wherever=False)
        self.guard.arm()

    def run(self, ticks: int) -> Floats:
        """Places of the device at the ticks."""
        self.loop.run(ticks)
        return np.array(self.places)


def growth(places: Floats) -> float:
    """By which factor what swings grows in a tick: of the largest swings in two parts of the record, of fourth
    differences, in which nothing slow is left."""
    swings = np.abs(np.diff(places, 4))
    n = len(swings)
    one, two = (swings[k : k + n // 5].max() for k in (2 * n // 5, 4 * n // 5))
    return float((two / one) ** (1.0 / (2 * n // 5)))


@cache
def train() -> Compiled:
    """Two blocks on a rail along x, a spring between them."""
    m = jd.Model("train", gravity=(0, 0, 0))
    for name in ("front", "rear"):
        block = m.body(name, mass=0.5, inertia=jd.principal(1, 1, 1))
        m.prismatic(f"{name} rail", m.ground, block, axis="x")
    pull = 40.0 * (m["rear rail"].coordinate - m["front rail"].coordinate)
    m.joint_force("front rail", pull)
    m.joint_force("rear rail", -pull)
    return jd.compile(with_hands(m.system(), "front", "rear"))
