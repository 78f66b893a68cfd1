"""`derive` and `shown`: a mechanism and its equations of motion, to be read."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.mistakes import counted
from ..model.system import System, must_be_system
from .document import Document
from .latex import latex
from .page import fragment, page
from .plain import plain
from .sections import SECTIONS, sections

SHOWN = 6
"""Speeds up to which a system in a notebook shows its equations by itself."""


@dataclass(frozen=True, repr=False)
class EquationsOfMotion:
    """A system's tables, equations and counts; prints as text, shows itself in a notebook."""

    system: System
    document: Document

    def text(self) -> str:
        """As plain text; formulas as one would type them."""
        return plain(self.document)

    def latex(self) -> str:
        """As a fragment of LaTeX that needs amsmath."""
        return latex(self.document)

    def html(self) -> str:
        """As one HTML page that needs no other file and no network."""
        return page(self.document)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<equations of motion of {self.system.name}: {counted(len(self.system.speeds), 'speed')}>"

    def _repr_html_(self) -> str:
        return fragment(self.document)


def derive(system: System) -> EquationsOfMotion:
    """The equations of motion of a system, readable: `print` them, or ask for `.latex()` or `.html()`."""
    must_be_system(system, "derived")
    return EquationsOfMotion(system, Document(system.name, _lead(system), sections(system)))


def shown(system: System) -> str:
    """A system in a notebook: its equations where a page holds them, else the mechanism alone."""
    every = sections(system) if len(system.speeds) <= SHOWN else sections(system, SECTIONS[:2])
    return fragment(Document(system.name, _lead(system), every))


def _lead(system: System) -> str:
    counted = ", ".join(
        f"{len(things)} {one if len(things) == 1 else many}"
        for things, one, many in (
            (system.bodies, "body", "bodies"), (system.joints, "joint", "joints"),
            (system.coordinates, "coordinate", "coordinates"), (system.speeds, "speed", "speeds"),
            (system.conditions, "constraint", "constraints"),
        )
        if things or many != "constraints"
    )  # fmt: skip
    return f"{counted}."
