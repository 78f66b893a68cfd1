"""The Unimation PUMA 560."""

from __future__ import annotations

from ..model.system import System
from .khalil import Link, arm

LENGTHS = {"d3": 0.4318, "r3": 0.1501, "d4": -0.0203, "r4": 0.4331}  # m

LINKS = (
    Link(0, None, None, 13.0, (0.0, 0.0, 0.0), (0.35, 0.35, 0.35)),
    Link(-1, None, None, 17.40, (0.068, 0.006, 0.2275), (0.130, 0.524, 0.539)),
    Link(0, "d3", "r3", 4.80, (0.0, -0.070, 0.014), (0.066, 0.0125, 0.086), meant=True),
    Link(1, "d4", "r4", 0.82, (0.0, 0.0, -0.019), (1.8e-3, 1.8e-3, 1.3e-3)),
    Link(-1, None, None, 0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.3e-3, 0.4e-3)),
    Link(1, None, None, 0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)


def puma560() -> System:
    """The Unimation PUMA 560, six turning joints, every inertia general: measured values, products of inertia zero.

    Values: Armstrong, Khatib and Burdick, "The explicit dynamic model and inertial parameters of the PUMA 560 arm"
    (1986), which took the arm apart, as collected by Corke and Armstrong-Hélouvry, "A search for consensus among model
    parameters reported for the PUMA 560 robot" (1994). Rotors and gears are left out.

    Frame 2 has its origin on the first axis here, so the offset 0.2435 m along the second axis is in link 2's mass
    centre, and r3 = 0.2435 − 0.0934 m. Of link 1 only the moment about its own axis was measured; its mass (13 kg here)
    and cross moments play no part while gravity lies along that axis. Link 3's moments, weighed without its wrist, miss
    the triangle inequality by a tenth and are kept as published.
    """
    return arm("puma560", LENGTHS, LINKS)
