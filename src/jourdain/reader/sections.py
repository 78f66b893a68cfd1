"""The sections of a page, in their order: a row of the table is a title, an address, and what is written there.

A section that has nothing to say about a system answers no blocks, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..model.system import System
from .conditions import constraints
from .coordinates import coordinates, kinematics
from .document import Block, Section
from .material import Material
from .mechanism import mechanism, parameters
from .modes import embedded
from .motion import motion
from .partials import partial_velocities
from .totals import counts, energies, gravity

Write = Callable[[Material], Iterator[Block]]


@dataclass(frozen=True)
class Entry:
    """One section: its title, its address on a page, and what writes it."""

    title: str
    anchor: str
    write: Write


SECTIONS = (
    Entry("Mechanism", "mechanism", mechanism),
    Entry("Coordinates and speeds", "coordinates", coordinates),
    Entry("Parameters", "parameters", parameters),
    Entry("Kinematic equations", "kinematics", kinematics),
    Entry("Constraints", "constraints", constraints),
    Entry("Partial velocities", "partial-velocities", partial_velocities),
    Entry("Equations of motion", "motion", motion),
    Entry("Constraints embedded", "embedded", embedded),
    Entry("Gravity", "gravity", gravity),
    Entry("Energy", "energy", energies),
    Entry("Operations", "operations", counts),
)


def sections(system: System, entries: Sequence[Entry] = SECTIONS) -> tuple[Section, ...]:
    """Those that have something to say."""
    material = Material(system)
    made = (Section(entry.title, entry.anchor, tuple(entry.write(material))) for entry in entries)
    return tuple(section for section in made if section.blocks)
