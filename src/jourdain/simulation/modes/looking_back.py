"""What rows of a run through modes do not tell, found anew from them: rates, forces, and how well constraints hold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...driver import Compiled
from ...driver.call import packed
from ...driver.changing import Changing
from ...graph import less
from ...model.system import System
from ...native import Cache, Routine
from ...program import Draft
from .changes import transposed
from .layout import Layout
from .modal_plant import ModalPlant

Floats = NDArray[np.float64]
TOGETHER = 100_000  # rows that are looked at together


def look_back(compiled: Compiled, t: Floats, q: Floats, u: Floats, marks: Floats, inputs: Floats) -> dict[str, Floats]:
    """At rows of a run, marks (n, marks), inputs (n, inputs): rates, and forces of constraint on the speeds (n,
    speeds); multipliers, positions, velocities of all constraints' rows and whether they hold (n, rows)."""
    routine, layout = _routine(compiled.system, compiled.cache)
    widths = {"rates": layout.speeds, "forces": layout.speeds, "multipliers": layout.rows,
              "positions": layout.rows, "velocities": layout.rows, "holds": layout.rows}  # fmt: skip
    rows = np.concatenate([t[:, None], q, u, marks, inputs], axis=1)
    seen = np.zeros((len(rows), sum(widths.values())))
    parameters = packed(compiled.system.parameters, compiled.parameters, "parameter")
    for k in range(0, len(rows), TOGETHER):
        part = np.ascontiguousarray(rows[k : k + TOGETHER])
        session = routine.session({
            **layout.given, "parameters": parameters, "inputs": np.zeros(inputs.shape[1]), "rows": part,
            "seen": seen[k : k + TOGETHER],
        })  # fmt: skip
        session["rows to look at"] = float(len(part))
        session.run()
    places = np.cumsum([0, *widths.values()])
    return {name: seen[:, a:b] for name, a, b in zip(widths, places, places[1:])}


@lru_cache(maxsize=16)
def _routine(system: System, cache: Cache | None) -> tuple[Routine, Layout]:
    """For each row of the table `rows` one of `seen`."""
    layout = Layout(Changing.of(system))
    draft = Draft(f"looking back at {system.name}")
    plant = ModalPlant(draft, layout)
    t, k, y = draft.cell("time"), draft.cell("row"), plant.state("state")
    given, pulled = draft.array("given inputs", len(system.inputs)), draft.array("pulled", layout.speeds)
    width = 1 + plant.own + sum(x.length for x in (*plant.marks, given))
    rows, seen = draft.array("rows", 0, given=True), draft.array("seen", 0, given=True)
    found = (plant.rates, pulled, plant.carried, plant.positions, plant.velocities, plant.holds)
    with draft.loop(less(k, draft.cell("rows to look at"))):
        draft.fetch(rows, width, 0, k, t)
        draft.fetch(rows, width, 1, k, y.part(0, plant.own))
        column = 1 + plant.own
        for part in (*plant.marks, given):
            if part.length:
                draft.fetch(rows, width, column, k, part)
            column += part.length
        if given.length:
            draft.copy(given, plant.inputs)
        plant.look(y, t)
        plant.parts()
        plant.hold(plant.touch)
        plant.choose()
        draft.perform("modal motion")
        draft.run(transposed, layout.speeds, layout.rows, plant.matrix, plant.carried, pulled)
        column = 0
        for array in found:
            if array.length:
                draft.store(array, seen, sum(x.length for x in found), column, k)
            column += array.length
        draft.set({k: k + 1.0})
    return Routine(draft.done(), cache), layout
