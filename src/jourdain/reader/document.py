"""What a page about a mechanism is made of, before it is text, LaTeX or HTML: sections of paragraphs, tables, formulas.

Words from the user (names of bodies, joints, parameters) stand here as they are; each format escapes them itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..graph import Node


@dataclass(frozen=True)
class Name:
    """A quantity that the page itself names: M, M₁₂, f of a speed, Z₃, u̇.

    index: digits or a pair of them, "" for none; of: the symbol whose quantity it is; dotted: a rate;
    bold: a vector or a matrix; transposed: its transpose; of a body and bold: a unit vector fixed in it.
    """

    letter: str
    index: str = ""
    of: str = ""
    dotted: bool = False
    bold: bool = False
    transposed: bool = False

    @property
    def short_index(self) -> str:
        """12 for 1,2; two numbers run together only where each is one digit."""
        return self.index.replace(",", "") if len(self.index) <= 3 else self.index


@dataclass(frozen=True)
class Rate:
    """The rate of a symbol: its name with a dot."""

    symbol: str


@dataclass(frozen=True)
class Vector:
    """Components in a row."""

    entries: tuple[Node, ...]


@dataclass(frozen=True)
class Matrix:
    """Rows of entries; a symmetric matrix is told by its upper triangle where it is told by entries."""

    rows: tuple[tuple[Node, ...], ...]
    symmetric: bool = False


@dataclass(frozen=True)
class Row:
    """Expressions and signs (` + `, ` = `, `(`, …) side by side."""

    parts: tuple[Node | Name | Rate | Vector | str, ...]


Expression = Node | Name | Rate | Vector | Matrix | Row


@dataclass(frozen=True)
class Formula:
    """left = right"""

    left: Expression
    right: Expression


Names = Mapping[Node, Name]


@dataclass(frozen=True)
class Formulas:
    """Formulas under each other. names: nodes that are written by a name wherever they stand inside another one."""

    items: tuple[Formula, ...]
    names: Names = field(default_factory=dict)


Cell = str | Expression


@dataclass(frozen=True)
class Paragraph:
    """Running text with mathematics in it."""

    parts: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A header and rows of cells; a caption above. names: as of `Formulas`."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    names: Names = field(default_factory=dict)


@dataclass(frozen=True)
class Heading:
    """A title inside a section."""

    title: str


@dataclass(frozen=True)
class Picture:
    """A drawing, as SVG elements inside a box (width, height); shown where pictures can be shown."""

    elements: str
    size: tuple[float, float]
    title: str
    caption: str


Block = Formulas | Paragraph | Table | Heading | Picture


@dataclass(frozen=True)
class Section:
    """A part of the page; `anchor` is its address on it."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole page."""

    title: str
    lead: str
    sections: tuple[Section, ...]


def paragraph(*parts: Cell) -> Paragraph:
    """Running text."""
    return Paragraph(parts)
