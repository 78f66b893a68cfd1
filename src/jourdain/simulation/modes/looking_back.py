"""What rows of a run through modes do not tell, found anew from them: rates, forces, and how well constraints hold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...driver import Compiled
from ...driver.call import packed
from ...driver.changing import Changing
from ...graph import less
from ...native import Cache, Routine
from ...program import Draft
from ..features.polyhedra import Polyhedra
from .changes import transposed
from .layout import Layout
from .modal_plant import ModalPlant

Floats = NDArray[np.float64]
TOGETHER = 100_000  # rows that are looked at together


class Looking:
    """Looks at rows (count, 1 + coordinates + speeds + marks + inputs), to be written into `rows`."""

    def __init__(self, changing: Changing, parameters: Floats, cache: Cache | None, count: int = 1) -> None:
        routine, width = _routine(changing, cache)
        layout = Layout(changing)
        self._widths = {"rates": layout.speeds, "forces": layout.speeds, "multipliers": layout.rows,
                        "positions": layout.rows, "velocities": layout.rows, "holds": layout.rows}  # fmt: skip
        self.rows = np.zeros((count, width))
        self._seen = np.zeros((count, sum(self._widths.values())))
        self._session = routine.session({
            **layout.given, **Polyhedra.of(changing.system, parameters).given, "detector": np.zeros(1),
            "parameters": parameters, "inputs": np.zeros(len(changing.system.inputs)),
            "rows": self.rows, "seen": self._seen,
        })  # fmt: skip

    def look(self, count: int = 1) -> dict[str, Floats]:
        """Of the first rows: rates, and forces of constraint on the speeds (count, speeds); multipliers, positions,
        velocities of all constraints' rows, and whether they hold (count, rows)."""
        self._session["row"], self._session["rows to look at"] = 0.0, float(count)
        self._session.run()
        places = np.cumsum([0, *self._widths.values()])
        return {name: self._seen[:count, a:b].copy() for name, a, b in zip(self._widths, places, places[1:])}


def look_back(compiled: Compiled, t: Floats, q: Floats, u: Floats, marks: Floats, inputs: Floats) -> dict[str, Floats]:
    """The same at rows of a run: t (n,), marks (n, marks), inputs (n, inputs) as they acted."""
    rows = np.concatenate([t[:, None], q, u, marks, inputs], axis=1)
    parameters = packed(compiled.system.parameters, compiled.parameters, "parameter")
    looking = Looking(Changing.of(compiled.system), parameters, compiled.cache, min(len(rows), TOGETHER))
    found = []
    for k in range(0, len(rows), TOGETHER):
        part = rows[k : k + TOGETHER]
        looking.rows[: len(part)] = part
        found.append(looking.look(len(part)))
    return {name: np.concatenate([part[name] for part in found]) for name in found[0]}


@lru_cache(maxsize=16)
def _routine(changing: Changing, cache: Cache | None) -> tuple[Routine, int]:
    """For each row of the table `rows` one of `seen`; and how wide a row is."""
    layout = Layout(changing)
    draft = Draft(f"looking back at {changing.system.name}")
    plant = ModalPlant(draft, layout)
    t, k, y = draft.cell("time"), draft.cell("row"), plant.state("state")
    given, pulled = draft.array("given inputs", len(changing.system.inputs)), draft.array("pulled", layout.speeds)
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
        plant.facing.spread()
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
    return Routine(draft.done(), cache), width
