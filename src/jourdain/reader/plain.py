"""A page as text that one can read in a terminal, search, and (its formulas) type again."""

from __future__ import annotations

from ..console import table
from ..graph.names import subscripted
from ..graph.write import TEXT, Style
from .document import (
    Block,
    Cell,
    Document,
    Formula,
    Formulas,
    Heading,
    Matrix,
    Name,
    Names,
    Paragraph,
    Picture,
    Rate,
    Section,
    Table,
)  # fmt: skip
from .spelling import entries, spell

WIDTH = 100
_NONE: Names = {}
ALIGNED = 12  # a left side is padded up to here, so that short ones stand above each other


class _Plain:
    style: Style = TEXT
    rounds = False

    def name(self, name: Name) -> str:
        """M₁₂, M[1,12], f[angle], Z₃; Aᵀ; B.x."""
        letter = f"{name.letter}dot" if name.dotted else name.letter
        letter = f"{letter}ᵀ" if name.transposed else letter
        if name.bold and name.of:
            return f"{name.of}.{letter}"
        if name.of:
            return f"{letter}[{name.of}]"
        if "," in name.short_index:
            return f"{letter}[{name.index}]"
        return subscripted(letter, int(name.short_index)) if name.index else letter

    def rate(self, rate: Rate) -> str:
        """qdot"""
        return f"{rate.symbol}dot"

    def number(self, digits: str) -> str:
        """As it is."""
        return digits

    def fraction(self, above: int, below: int) -> str:
        """On one line."""
        return f"{above}/{below}"

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
        head = [_cell(cell) for cell in block.header]
        return caption + table(head, [[_cell(cell, block.names) for cell in row] for row in block.rows])
    if isinstance(block, Heading):
        return f"{block.title}:"
    if isinstance(block, Picture):
        return ""
    return _formulas(block)


def _cell(cell: Cell, names: Names = _NONE) -> str:
    return cell if isinstance(cell, str) else spell(cell, PLAIN, names)


def _formulas(block: Formulas) -> str:
    told = [one for item in block.items for one in _told(item)]
    pairs = [(spell(item.left, PLAIN, block.names), spell(item.right, PLAIN, block.names)) for item in told]
    width = max((len(left) for left, _ in pairs if len(left) <= ALIGNED), default=0)
    return "\n".join(_broken(f"  {left.ljust(width)} = {right}", width) for left, right in pairs)


def _told(item: Formula) -> list[Formula]:
    """A matrix is told by its entries."""
    if isinstance(item.right, Matrix) and isinstance(item.left, Name):
        return entries(item.left, item.right)
    return [item]


def _pieces(line: str, indent: int) -> list[str]:
    """Cut before the signs outside of brackets; a piece that is longer than a line also before those inside."""
    found: list[str] = []
    depth = start = 0
    for at, x in enumerate(line):
        depth += (x in "([") - (x in ")]")
        sign = x == " " and line[at + 1 : at + 3] in ("+ ", "- ", "= ") and line[:at].strip()
        named = line[at + 1] == "=" and at <= indent + 2 if sign else False  # a name stays with its sign
        if sign and not named and (depth == 0 or at - start > WIDTH):
            found.append(line[start:at])
            start = at + 1
    return [*found, line[start:]]


def _broken(line: str, indent: int) -> str:
    """A formula on lines of about `WIDTH` characters, broken before signs; what follows stands further in."""
    lines = [""]
    for piece in _pieces(line, indent):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(piece) > WIDTH:
            lines.append(" " * (indent + 6) + piece)
        else:
            lines[-1] += f" {piece}" if lines[-1] else piece
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
