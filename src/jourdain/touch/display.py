"""Impedance display: motions of devices are sensed, forces of couplers shown, and the mechanism feels their opposites.

Within one tick: devices are read, couplers find forces, energy is watched, the guard lets through what may be shown,
the devices get it, and the mechanism moves on by a period. A force is shown in the tick in which its motion was read:
a period of delay would cost two thirds of the stiffness (`passivity.stable_wall`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..driver import Compiled
from ..simulation.drive import Input
from ..simulation.method import FixedStep
from ..simulation.methods import RK4
from .channel import Channel
from .clock import Clock
from .coupler import Couplers
from .guard import Guard, Limits
from .hands import PUSH, hands_of
from .loop import Loop, timing
from .mechanism import Mechanism
from .sampled import Admittance, admittance
from .stage import Floats, Stage
from .ticked import ticked

KEPT = 1e-6  # how well a state satisfies constraints, of which a linear model is made


@dataclass(frozen=True, eq=False)
class Wires:
    """What devices are given: what the loop tells of the time (`TIMING`); forces and torques that are to be shown
    (6 hands,); a flag (1,) that they raise while a device is lost, and the guard lets forces fall."""

    told: Floats
    shown: Floats
    lost: Floats


class Devices(Protocol):
    """Devices, one for each hand, or something that stands for them."""

    @property
    def devices(self) -> Floats:
        """Their motions (hands, 18), as `hands.MOTION` says."""

    @property
    def reading(self) -> Stage:
        """Fills motions in, before the couplers."""

    @property
    def writing(self) -> Stage | None:
        """Hands on what is shown, after the guard, and once more when the loop ends; None where nothing can be."""

    @property
    def inputs(self) -> Sequence[tuple[Channel, Floats, float]]:
        """Channels that the loop looks at for them, where messages go, and how old these may be [s]; beyond that the
        guard lets forces fall."""


class Display:
    """compiled: a system with hands on it (`with_hands`), in its mode. q0, u0: the state at the start. rate: ticks a
    second. devices: is given the wires, and answers the devices. limits: of the guard. controls: whether a passivity
    controller may add damping. method, substeps: in which the mechanism moves on within a period. inputs: as of
    `simulate`, but for functions. modes: as of `ticked`. more: stages that are done after these.

    Its parts: `loop`, `couplers`, `guard`, `mechanism`, `devices`.
    """

    def __init__(
        self, compiled: Compiled, q0: ArrayLike, u0: ArrayLike, rate: float, devices: Callable[[Wires], Devices],
        limits: Limits | None = None, controls: bool = False, method: type[FixedStep] = RK4, substeps: int = 1,
        inputs: Mapping[str, Input] | None = None, modes: Collection[Collection[str]] = (),
        more: Sequence[Stage] = (), clock: Clock | None = None,
    ) -> None:  # fmt: skip
        told, flags, hands = timing(), np.zeros(2), hands_of(compiled.system)
        wanted, shown = np.zeros(PUSH * len(hands)), np.zeros(PUSH * len(hands))
        self.devices, self._substeps = devices(Wires(told, shown, flags[1:])), substeps
        self.mechanism = Mechanism(ticked(compiled, q0, u0, method, inputs, modes), told, shown, flags[:1], substeps)
        self.couplers = Couplers(told, self.devices.devices, self.mechanism.handles, wanted, shown, controls)
        self.guard = Guard(told, wanted, shown, limits, flags)
        theirs, writing = self.devices.inputs, self.devices.writing
        self.guard.watch(rate, [oldest for _, _, oldest in theirs])
        stages = [
            self.devices.reading, self.couplers.stage, self.guard.stage, *([] if writing is None else [writing]),
            *self.mechanism.stages, *more,
        ]  # fmt: skip
        # The guard watches the first ones.
        inputs_ = [(self.guard.orders, self.guard.order), *((channel, target) for channel, target, _ in theirs)]
        inputs_.append((self.couplers.settings, self.couplers.target))
        if self.mechanism.switching is not None and self.mechanism.said is not None:
            inputs_.append((self.mechanism.switching, self.mechanism.said))
        self._outputs = {
            "told": told, "guard": self.guard.kept, "shown": shown, "devices": self.devices.devices,
            "handles": self.mechanism.handles, "ledger": self.couplers.ledger, "state": self.mechanism.state,
        }  # fmt: skip
        self.loop = Loop(rate, stages, told, inputs_, list(self._outputs.values()), clock=clock)

    def admittance(self, direction: ArrayLike, hand: str = "", turning: bool = False) -> Admittance:
        """How a handle yields at the pose and in the mode of now, at rest, for `passivity.report`; arguments as of
        `sampled.admittance`. Where constraints move, and rest does not satisfy them, it is at the speeds of now."""
        run = self.mechanism.run
        system, mode = run.compiled.system, self.mechanism.mode
        q, u = np.split(self.snapshot()["state"] if self.loop.ticks else run.state.copy(), [len(system.coordinates)])
        compiled = run.compiled.in_mode(mode) if run.switches else run.compiled
        missed = compiled.residual(q, np.zeros_like(u)).values()
        still = max((float(np.abs(x).max(initial=0.0)) for x in missed), default=0.0) <= KEPT
        u = np.zeros_like(u) if still else u
        return admittance(compiled, q, u, direction, 1.0 / self.loop.rate, self._substeps, hand, turning)

    def snapshot(self) -> dict[str, Floats]:
        """How everything stood at the end of one tick: what stages were told, the guard's state, forces shown, motions
        of devices and handles, energies, coordinates and speeds."""
        return dict(zip(self._outputs, self.loop.snapshot()))
