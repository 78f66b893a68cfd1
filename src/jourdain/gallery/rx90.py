"""The Stäubli RX90."""

from __future__ import annotations

from ..model.system import System
from .khalil import Link, arm

LENGTHS = {"D3": 0.45, "RL4": 0.45}  # m

LINKS = (
    Link(0, None, None, 30.0, (0.0, 0.0, -0.15), (0.70, 0.70, 0.45)),
    Link(1, None, None, 22.0, (0.20, 0.01, 0.14), (0.15, 0.65, 0.60), (0.01, -0.02, 0.0)),
    Link(0, "D3", None, 10.0, (0.01, -0.04, 0.02), (0.12, 0.09, 0.11), (0.0, 0.005, 0.01)),
    Link(-1, None, "RL4", 6.0, (0.0, 0.01, -0.12), (0.075, 0.072, 0.015), (0.0, 0.0, 0.002)),
    Link(1, None, None, 1.5, (0.0, -0.01, 0.005), (0.0030, 0.0022, 0.0028), (0.0, 0.0, 0.0002)),
    Link(-1, None, None, 0.4, (0.001, 0.0, 0.07), (0.0006, 0.0006, 0.0003), (0.0, 0.00002, 0.0)),
)


def rx90() -> System:
    """The Stäubli RX90, six turning joints, every inertia general: the maker's lengths, representative inertias.

    Lengths of arm and forearm, 0.45 m each, are those of the arm's data sheet and of Khalil and Dombre's "Modeling,
    identification and control of robots", whose frames and names D3, RL4 are used. The maker publishes no inertias: the
    values here are of the size that such bodies have (some 70 kg move) and are nobody's measurements.
    """
    return arm("rx90", LENGTHS, LINKS)
