"""The mechanism under a person's hand: a real-time loop outside Python's lock, couplers, guards, devices, passivity."""

from .channel import Channel
from .clock import Clock, NoClock, system_clock
from .coupler import Coupler, Couplers
from .device import Device, Hand, SimulatedDevice
from .display import Devices, Display, Wires
from .granting import Granted
from .guard import Guard, Limits
from .guarding import Fault, Guarded
from .hands import with_hands
from .lateness import Lateness
from .loop import Loop, timing
from .mechanism import Mechanism
from .passivity import (
    Report,
    damping_needed,
    passive_quantized_wall,
    passive_stiffness,
    passive_wall,
    report,
    spectral_radius,
    stable_stiffness,
    stable_wall,
)
from .pointer import Pointers
from .sampled import Admittance, Environment, admittance, environment, immovable
from .stage import Stage
from .ticked import Ticked, ticked

__all__ = [
    "Admittance", "Channel", "Clock", "Coupler", "Couplers", "Device", "Devices", "Display", "Environment", "Fault",
    "Granted", "Guard", "Guarded", "Hand", "Lateness", "Limits", "Loop", "Mechanism", "NoClock", "Pointers", "Report",
    "SimulatedDevice", "Stage", "Ticked", "Wires", "admittance", "damping_needed", "environment", "immovable",
    "passive_quantized_wall", "passive_stiffness", "passive_wall", "report", "spectral_radius", "stable_stiffness",
    "stable_wall", "system_clock", "ticked", "timing", "with_hands",
]  # fmt: skip
