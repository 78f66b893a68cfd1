"""A page as text that one can read in a terminal, search, and (its formulas) type again."""

from __future__ import annotations

from ..console import table
from ..graph.names import subscripted
from ..graph.write import TEXT, Style
from .document import (
    Block, Cell, Document, Formula, Formulas, Heading, Matrix, Name, Names, Paragraph, Picture, Rate, Section, Table,
)  # fmt: skip
from .spelling import spell

WIDTH = 100
ALIGNED = 12  # a left side is padded up to here, so that short ones stand above each other


class _Plain:
    style: Style = TEXT
    rounds = False

    def name(self, name: Name) -> str:
        """M₁₂, M[1,12], f[angle], Z₃."""
        letter = f"{name.letter}dot" if name.dotted else name.letter
        if name.of:
            return f"{letter}[{name.of}]"
        first, _, second = name.index.partition(",")
        if second and len(first) + len(second) > 2:
            return f"{letter}[{name.index}]"
        return subscripted(letter, int(first + second)) if first else letter

    def rate(self, rate: Rate) -> str:
        """qdot"""
        return f"{rate.symbol}dot"

    def number(self, digits: str) -> str:
        """As it is."""
        return digits

    def sign(self, sign: str) -> str:
        """As it is."""
        return sign

    def vector(self, entries: list[str]) -> str:
        """(x, y, z)"""
        return f"({', '.join(entries)})"

    def matrix(self, rows: list[list[str]]) -> str:
        """[a b; c d]"""
        return f"[{'; '.join(', '.join(row) for row in rows)}]"


PLAIN = _Plain()


def plain(document: Document) -> str:
    """The page as text."""
    heading = f"{document.title}\n{'═' * len(document.title)}"
    parts = [f"{heading}\n{_wrapped(document.lead)}", *map(_section, document.sections)]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> str:
    blocks = [text for text in map(_block, section.blocks) if text]
    return "\n\n".join([f"{section.title}\n{'─' * len(section.title)}", *blocks])


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _wrapped("".join(map(_cell, block.parts)))
    if isinstance(block, Table):
        caption = f"{block.caption}\n" if block.caption else ""
        return caption + table(block.header, [[_cell(cell) for cell in row] for row in block.rows])
    if isinstance(block, Heading):
        return f"{block.title}:"
    if isinstance(block, Picture):
        return ""
    return _formulas(block)


def _cell(cell: Cell) -> str:
    return cell if isinstance(cell, str) else spell(cell, PLAIN, {})


def _formulas(block: Formulas) -> str:
    pairs = [pair for item in block.items for pair in _lines(item, block.names)]
    width = max((len(left) for left, _ in pairs if len(left) <= ALIGNED), default=0)
    return "\n".join(f"  {left.ljust(width)} = {right}" for left, right in pairs)


def _lines(item: Formula, names: Names) -> list[tuple[str, str]]:
    """Left and right sides; a matrix is told by its entries, its zeros left out."""
    if not isinstance(item.right, Matrix) or not isinstance(item.left, Name):
        return [(spell(item.left, PLAIN, names), spell(item.right, PLAIN, names))]
    found, zeros = [], 0
    vector = all(len(row) == 1 for row in item.right.rows) and len(item.right.rows) > 1
    for i, row in enumerate(item.right.rows, 1):
        for k, entry in enumerate(row, 1):
            if item.right.symmetric and k < i:
                continue
            if entry.is_zero:
                zeros += 1
                continue
            index = str(i) if vector else f"{i},{k}" if len(item.right.rows) > 1 else ""
            left = PLAIN.name(Name(item.left.letter, index))
            found.append((left, spell(entry, PLAIN, names)))
    name = PLAIN.name(item.left)
    if not found:
        return [(name, "0")]
    if zeros:
        found.append((name, "0 elsewhere"))
    return found


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
