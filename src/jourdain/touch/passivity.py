"""How stiff a coupler may be: passive for whatever hand, and stable in a known one.

Passivity: J. E. Colgate, G. G. Schenkel, Passivity of a class of sampled-data systems, Journal of Robotic Systems 14
(1997): a device of damping b under a force that is held is passive if and only if
b > T/(2 (1 − cos ωT)) Re{(1 − e^{−iωT}) H(e^{iωT})} at all frequencies up to π/T.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .coupler import Coupler
from .device import Device, Hand
from .sampled import Admittance, Environment, closed, environment

Floats = NDArray[np.float64]
SOFTEST, STIFFEST = 1e-2, 1e8  # N/m, between which stiffness is looked for
A_DECADE = 8  # stiffnesses that are tried before the first that fails is narrowed down
NARROW = 1e-10  # of it
GROWS = 1e-8  # of a spectral radius: beyond rounding of the eigenvalues 1 of what nothing holds in place
ROUNDS, PEAKS = 40, 4  # of looking more closely at a frequency response
FREE = Hand()
"""No hand."""


# -- the published formulas -------------------------------------------------------------------------------------------


def passive_wall(device: Device, period: float, damping: float = 0.0) -> float:
    """2 (b − B)/T [N/m], with the size of B: Colgate and Schenkel's, for a spring and a damper on a place that does not
    move; 0 where none is passive."""
    return max(0.0, 2.0 * (device.damping - abs(damping)) / period)


def stable_wall(device: Device, period: float, damping: float = 0.0) -> float:
    """(b + B)/(T/2 + t_d) [N/m], without a hand, for damping that is small beside m/T: T. Hulin, C. Preusche, G.
    Hirzinger, Stability boundary for haptic rendering: influence of physical damping, 2006."""
    return (device.damping + damping) / (period / 2.0 + device.delay * period)


def passive_quantized_wall(device: Device, period: float) -> float:
    """min(2 b/T, 2 f_c/Δ) [N/m], of a wall without damping: J. J. Abbott, A. M. Okamura, Effects of position
    quantization and sampling rate on virtual-wall passivity, IEEE Transactions on Robotics 21 (2005)."""
    coarse = np.inf if device.resolution == 0.0 else 2.0 * device.friction / device.resolution
    return float(min(2.0 * device.damping / period, coarse))


# -- what is computed -------------------------------------------------------------------------------------------------


def damping_needed(seen: Environment) -> float:
    """Damping of the device [N s/m] beyond which it is passive; infinity where what it feels is unstable by itself."""
    if seen.radius > 1.0 + GROWS:
        return np.inf
    angles = _angles(seen)
    needed = _needed(seen, angles)
    for _ in range(ROUNDS):
        # Peaks between what was looked at: the largest ones are looked at again, more closely.
        padded = np.concatenate([[-np.inf], needed, [-np.inf]])
        peaks = np.flatnonzero((needed >= padded[:-2]) & (needed >= padded[2:]))
        best = peaks[np.argsort(needed[peaks])[-PEAKS:]]
        low, high = angles[np.maximum(best - 1, 0)], angles[np.minimum(best + 1, len(angles) - 1)]
        closer = np.unique(np.linspace(low, high, 17))
        more = _needed(seen, closer)
        if more.max() <= needed.max() * (1.0 + 1e-12):
            return max(float(needed.max()), float(more.max()))
        angles, needed = closer, more
    return float(needed.max())


def _needed(seen: Environment, angles: Floats) -> Floats:
    """At frequencies ωT. 1 − cos θ = 2 sin²(θ/2) and 1 − 1/z = 2 sin²(θ/2) + i sin θ lose nothing at small angles."""
    versed = 2.0 * np.sin(angles / 2.0) ** 2
    product = (versed + 1j * np.sin(angles)) * seen.response(np.exp(1j * angles))
    needed: Floats = seen.period / (2.0 * versed) * product.real
    return needed


def spectral_radius(handle: Admittance, coupler: Coupler, device: Device, hand: Hand = FREE) -> float:
    """Of a period of all: above 1 it grows."""
    return float(np.abs(np.linalg.eigvals(closed(environment(handle, coupler, device.delay), device, hand))).max())


def passive_stiffness(handle: Admittance, coupler: Coupler, device: Device) -> float:
    """The largest stiffness [N/m] up to which the device is passive, whatever hand holds it; other data of the coupler
    as they are. 0 where even the softest is not."""

    def is_passive(stiffness: float) -> bool:
        seen = environment(handle, replace(coupler, stiffness=stiffness), device.delay)
        return damping_needed(seen) < device.damping

    return _largest(is_passive)


def stable_stiffness(handle: Admittance, coupler: Coupler, device: Device, hand: Hand = FREE) -> float:
    """The largest stiffness [N/m] up to which nothing grows in this hand, dry friction and encoders apart."""

    def is_stable(stiffness: float) -> bool:
        return spectral_radius(handle, replace(coupler, stiffness=stiffness), device, hand) <= 1.0 + GROWS

    return _largest(is_stable)


@dataclass(frozen=True)
class Report:
    """Stiffnesses [N/m], dampings [N s/m]. For what is touched: passive, stable without a hand, stable in the hand; the
    damping that the device needs for the coupler as it is. Of published formulas, for a wall: passive, stable without a
    hand, passive under an encoder's steps."""

    passive: float
    stable: float
    stable_in_hand: float
    damping_needed: float
    device_damping: float
    wall_passive: float
    wall_stable: float
    wall_quantized: float

    @property
    def is_passive(self) -> bool:
        """Whether the device is, with the coupler as it is."""
        return self.damping_needed < self.device_damping


def report(handle: Admittance, coupler: Coupler, device: Device, hand: Hand = FREE) -> Report:
    """All of it, along one direction."""
    t = handle.period
    return Report(
        passive_stiffness(handle, coupler, device), stable_stiffness(handle, coupler, device),
        stable_stiffness(handle, coupler, device, hand),
        damping_needed(environment(handle, coupler, device.delay)), device.damping,
        passive_wall(device, t, coupler.damping), stable_wall(device, t, coupler.damping),
        passive_quantized_wall(device, t),
    )  # fmt: skip


# -- inside -----------------------------------------------------------------------------------------------------------


def _largest(holds: Callable[[float], bool]) -> float:
    """Up to which it holds, from the softest on; infinity where it always does."""
    count = round(np.log10(STIFFEST / SOFTEST) * A_DECADE) + 1
    below = 0.0
    for stiffness in np.geomspace(SOFTEST, STIFFEST, count):
        if not holds(float(stiffness)):
            break
        below = float(stiffness)
    else:
        return np.inf
    if below == 0.0:
        return 0.0
    above = float(stiffness)
    while above - below > NARROW * above:
        middle = 0.5 * (below + above)
        below, above = (middle, above) if holds(middle) else (below, middle)
    return below


def _angles(seen: Environment) -> Floats:
    """ωT from nearly 0 to π: evenly, towards 0, and dense where a pole is near the circle."""
    found = [np.linspace(0.0, np.pi, 97)[1:], np.geomspace(1e-6, np.pi, 64)]
    near = np.geomspace(1e-2, 1e5, 24)
    near = np.concatenate([-near[::-1], [0.0], near])
    for pole in np.linalg.eigvals(seen.A):
        found.append(abs(np.angle(pole)) + near * max(abs(1.0 - abs(pole)), 1e-9))
    angles = np.concatenate(found)
    return np.unique(angles[(angles >= 1e-6) & (angles <= np.pi)])
