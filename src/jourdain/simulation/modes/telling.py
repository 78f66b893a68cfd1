"""Changes of modes in words and by names, from the rows that compiled code noted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..change import Change
from .changing_run import ChangingRun

Floats = NDArray[np.float64]
ROUNDING = 1e-13  # beside the speeds: a jump below this is none


def changes_of(going: ChangingRun, rows: Floats) -> tuple[Change, ...]:
    """In order of time, those left out that change nothing."""
    layout, system = going.layout, going.ode.compiled.system
    n, own, size, contacts, switches = (
        len(system.coordinates), going.own, going.size, layout.contacts, len(layout.switches),
    )  # fmt: skip
    found: list[Change] = []
    touched, before = np.zeros(contacts), going.started
    normals = [layout.changing.places[x.normal].start for x in system.contacts]
    for k, row in enumerate(rows):
        parts = np.split(row[:-1], np.cumsum([1, 1, size, size, contacts, switches, layout.rows]))
        (t,), (work,), old, new, touch, switched, impulses, fired = parts
        jump = np.abs(new[n:own] - old[n:own]).max(initial=0.0)
        if jump <= ROUNDING * (1.0 + np.abs(old[n:own]).max(initial=0.0)):
            impulses = np.zeros_like(impulses)
        after = layout.mode(np.concatenate([touch, np.zeros(2 * contacts), switched]))
        struck = impulses[normals] != 0.0
        if k == 0:  # nothing has fired; what touches shows
            fired[len(layout.conditions) :] = np.tile((touch != touched) | struck, 2)
        causes = layout.causes(fired, touched, touch, struck)
        by_name = {name: impulses[list(places)] for name, places in layout.changing.places.items()}
        change = Change(
            float(t), ("start", *causes) if k == 0 else causes, tuple(x for x in after if x not in before),
            tuple(x for x in before if x not in after), after,
            {name: x.copy() for name, x in by_name.items() if x.any()}, float(work), new[:n].copy(),
            old[n:own].copy(), new[n:own].copy(), float(row[-1]),
        )  # fmt: skip
        touched, before = touch, after
        if causes or change.imposed or change.deleted or change.impulses:
            found.append(change)
    return tuple(found)
