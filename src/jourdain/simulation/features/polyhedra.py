"""The boxes and meshes of a system that touch one another, at values of its parameters, as compiled code takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...graph import Role, interpret
from ...model.system import System
from ...spatial import Vector
from .polyhedron import Polyhedron

Floats = NDArray[np.float64]
MARGIN = 1e-7  # of the size: so far past its end a closed contact's point goes before another stands in its place


@dataclass(frozen=True, eq=False)
class Polyhedra:
    """pairs: the one and the other of each encounter. tables: all their numbers; places (pairs, 8): where parts of them
    begin. margins (pairs,) [m]. contacts: places of the slots' contacts among all."""

    pairs: tuple[tuple[Polyhedron, Polyhedron], ...]
    tables: Floats
    places: Floats
    margins: Floats
    contacts: tuple[int, ...]

    @classmethod
    def of(cls, system: System, parameters: Floats) -> Polyhedra:
        """parameters: values, in order."""
        values = dict(zip(system.parameters, parameters))
        pairs = tuple(
            (
                Polyhedron.of(_numbers(met.one, system, values), f"the one side of contact {met.name!r}"),
                Polyhedron.of(_numbers(met.other, system, values), f"the other side of contact {met.name!r}"),
            )
            for met in system.encounters
        )
        tables: list[Floats] = [np.empty(0)]
        places: list[float] = []
        for pair in pairs:
            for each in pair:
                table, where = each.table(sum(map(len, tables)))
                tables.append(table)
                places += where
        place = {x.name: k for k, x in enumerate(system.contacts)}
        contacts = tuple(place[name] for met in system.encounters for name in met.slots)
        margins = np.array([MARGIN * min(one.size, other.size) for one, other in pairs])
        return cls(pairs, np.concatenate(tables), np.array(places, float), margins, contacts)

    @property
    def given(self) -> dict[str, Floats]:
        """Arrays that compiled code takes."""
        return {
            "polyhedra": self.tables, "places of polyhedra": self.places, "margins": self.margins,
            "slots' contacts": np.array(self.contacts, float),
        }  # fmt: skip


def _numbers(vectors: Sequence[Vector], system: System, parameters: dict[str, float]) -> Floats:
    nodes = [x for v in vectors for x in v]
    values = {system.graph.symbol(name, Role.PARAMETER): x for name, x in parameters.items()}
    return np.array([float(x) for x in interpret(nodes, values)]).reshape(-1, 3)
