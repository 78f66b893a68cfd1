"""Forces and checks of runs through modes, from what was seen in looking back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...driver import Compiled
from ...driver.changing import Changing
from ...model.system import System
from ..checks import Checks

Floats = NDArray[np.float64]
TINY = 1e-300


def modal_forces(system: System, seen: dict[str, Floats]) -> dict[str, Floats]:
    """Multipliers (n, rows), by constraint."""
    places = Changing.of(system).places
    return {name: seen["multipliers"][:, list(rows)] for name, rows in places.items()}


def modal_checks(
    d: Compiled, t: Floats, q: Floats, u: Floats, work: Floats, inputs: dict[str, Floats], seen: dict[str, Floats]
) -> Checks:
    """Momenta are none, for contacts push."""
    energy = d.energy(q, u, inputs=inputs, t=t)
    balance = energy.total - work
    missed = d.inverse_dynamics(q, u, seen["rates"], inputs=inputs, t=t) - seen["forces"]
    applied = d.inverse_dynamics(q, u, np.zeros_like(seen["rates"]), inputs=inputs, t=t)
    inertial = np.einsum("...ij,...j->...i", d.mass_matrix(q), seen["rates"])  # where nothing else acts
    size = max(_largest(seen["forces"]), _largest(applied), _largest(inertial), TINY)
    places, drift = Changing.of(d.system).places, {}
    for name, span in places.items():
        rows = list(span)
        off = np.maximum(np.abs(seen["positions"][:, rows]), np.abs(seen["velocities"][:, rows]))
        drift[name] = _largest(off * seen["holds"][:, rows])
    for contact in d.system.contacts:  # what is open must not overlap, but planes of faces go on beyond the faces
        if contact.normal in d.system.found_while_moving:
            continue
        row = places[contact.normal].start
        drift[contact.normal] = max(drift[contact.normal], -float(seen["positions"][:, row].min(initial=0.0)))
    lengths = [np.linalg.norm(q[:, k : k + 4], axis=-1) - 1.0
               for k, name in enumerate(d.system.coordinates) if name.endswith(".qx")]  # fmt: skip
    exchanged = max(_largest(energy.kinetic), _largest(energy.potential - energy.potential[0]))
    return Checks(
        _largest(balance - balance[0]), exchanged, {}, drift, max(map(_largest, lengths), default=0.0),
        _largest(missed) / size,
    )  # fmt: skip


def _largest(x: Floats) -> float:
    return float(np.abs(x).max(initial=0.0))
