"""A page as one HTML file that needs nothing else: MathML for mathematics, SVG for the picture, no scripts."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ..graph.mathml import BREAK, CLOSE, MATHML, OPEN, clean, dotted_over, mathml_name, with_index
from ..graph.write import Style
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
from .style import PAGE_CSS

_NONE: Names = {}
TERM = 40
"""Glyphs that stand together; a longer formula may be broken before its signs."""
WIDEST = 64
"""Glyphs that a row of a matrix may have; a wider one is told by its entries."""
EQUALS = '<mo form="infix">=</mo>'
MANY = 8
"""Formulas from here on stand in columns where there is room."""
FOLDED = 60
"""Formulas from here on can be folded away."""


class _PageHand:
    style: Style = MATHML
    rounds = True

    def name(self, name: Name) -> str:
        """M₁₂, f with its speed as index."""
        letter = f'<mi mathvariant="normal" class="b">{name.letter}</mi>' if name.bold else mathml_name(name.letter)
        if name.dotted:
            letter = dotted_over(letter, "dot")
        if name.transposed:
            return f'<msup>{letter}<mo>⊤</mo></msup>'
        if name.of:
            return with_index(letter, [mathml_name(name.of)])
        return with_index(letter, [f"<mn>{x}</mn>" for x in name.short_index.split(",") if x])

    def rate(self, rate: Rate) -> str:
        """A dot above."""
        return mathml_name(f"{rate.symbol}dot")

    def number(self, digits: str) -> str:
        """Powers of ten written as such."""
        sign = '<mo form="prefix">−</mo>' if digits.startswith("-") else ""
        mantissa, _, exponent = digits.removeprefix("-").partition("e")
        if not exponent:
            return f"{sign}<mn>{mantissa}</mn>"
        power = str(int(exponent)).replace("-", "−")
        return f"<mrow>{sign}<mn>{mantissa}</mn><mo>×</mo><msup><mn>10</mn><mn>{power}</mn></msup></mrow>"

    def fraction(self, above: int, below: int) -> str:
        """A small one."""
        return f'<mstyle displaystyle="false"><mfrac><mn>{above}</mn><mn>{below}</mn></mfrac></mstyle>'

    def sign(self, sign: str) -> str:
        """An operator, or a word."""
        if any(x.isalpha() for x in sign):
            return f"<mtext>{clean(sign)}</mtext>"
        if not sign.strip():
            return '<mspace width="0.2em"/>'
        if sign.isdecimal():
            return f"<mn>{sign}</mn>"
        form = ' form="infix"' if sign.startswith(" ") and sign.strip() in ("+", "=", "-", "−") else ""
        form = ' form="prefix"' if sign == "-" else form
        return f'<mo{form} stretchy="false">{html.escape(sign.strip().replace("-", "−"))}</mo>'

    def vector(self, entries: list[str]) -> str:
        """(x, y, z)"""
        body = "<mo>,</mo>".join(f"<mrow>{x}</mrow>" for x in entries)
        return f"{OPEN}{body}{CLOSE}"

    def matrix(self, rows: list[list[str]]) -> str:
        """In square brackets."""
        body = "".join(
            f"<mtr>{''.join(f'<mtd><mrow>{cell}</mrow></mtd>' for cell in row)}</mtr>" for row in rows
        )
        return f'<mtable class="matrix">{body}</mtable>'  # brackets that stretch need a mathematical font


HAND = _PageHand()


def page(document: Document) -> str:
    """The whole file."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="color-scheme" content="light dark"/>\n'
        f"<title>{clean(document.title)} – equations of motion</title>\n"
        f"<style>{PAGE_CSS}body {{ margin: 0; background: var(--paper); }}</style>\n</head>\n"
        '<body class="jourdain-page">\n'
        f"{_article(document)}\n</body>\n</html>\n"
    )


def fragment(document: Document) -> str:
    """The page as a part of another one, a notebook's."""
    return f"<style>{PAGE_CSS}</style>\n{_article(document)}"


def _article(document: Document) -> str:
    links = " ".join(f'<a href="#{section.anchor}">{clean(section.title)}</a>' for section in document.sections)
    body = "\n".join(map(_section, document.sections))
    return (
        f'<article class="jourdain">\n<header><h1>{clean(document.title)}</h1>\n'
        f"<p>{clean(document.lead)}</p>\n<nav>{links}</nav></header>\n{body}\n</article>"
    )


def _section(section: Section) -> str:
    blocks = "\n".join(map(_block, section.blocks))
    return f'<section id="{section.anchor}">\n<h2>{clean(section.title)}</h2>\n{blocks}\n</section>'


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{''.join(map(_cell, block.parts))}</p>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Heading):
        return f"<h3>{clean(block.title)}</h3>"
    if isinstance(block, Picture):
        return _picture(block)
    return _formulas(block)


def _cell(cell: Cell, names: Names = _NONE) -> str:
    return clean(cell) if isinstance(cell, str) else _math(spell(cell, HAND, names))


def _math(row: str, display: bool = False) -> str:
    attribute = ' displaystyle="true"' if display else ""
    return f"<math{attribute}><mrow>{row.replace(BREAK, '')}</mrow></math>"


def _table(block: Table) -> str:
    numeric = [
        all(not isinstance(row[k], str) or not str(row[k]) or str(row[k])[0] in "0123456789−-—." for row in block.rows)
        and any(isinstance(row[k], str) and row[k] for row in block.rows)
        for k in range(len(block.header))
    ]

    def cells(row: Sequence[Cell], tag: str) -> str:
        marks = [' class="number"' if right else "" for right in numeric]
        return "".join(f"<{tag}{mark}>{_cell(cell, block.names)}</{tag}>" for cell, mark in zip(row, marks))

    caption = f"<caption>{clean(block.caption)}</caption>" if block.caption else ""
    body = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in block.rows)
    head = f"<thead><tr>{cells(block.header, 'th')}</tr></thead>"
    return f'<div class="wide"><table>{caption}{head}\n<tbody>{body}</tbody></table></div>'


def _picture(block: Picture) -> str:
    width, height = block.size
    return (
        f'<figure><svg viewBox="0 0 {width:g} {height:g}" style="max-width: {width:g}px" role="img" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{clean(block.title)}</title>\n{block.elements}\n</svg>'
        f"<figcaption>{clean(block.caption)}</figcaption></figure>"
    )


# -- formulas --------------------------------------------------------------------------------------------------------


def _formulas(block: Formulas) -> str:
    lines = "\n".join(_line(item, block.names) for item in block.items)
    many = " many" if len(block.items) >= MANY else ""
    formulas = f'<div class="formulas{many}">\n{lines}\n</div>'
    if len(block.items) < FOLDED:
        return formulas
    return f'<details open="open"><summary>{len(block.items)} lines</summary>\n{formulas}</details>'


def _line(item: Formula, names: Names) -> str:
    left, right = spell(item.left, HAND, names), spell(item.right, HAND, names)
    row = f"{left}{EQUALS}{right}"
    if isinstance(item.right, Matrix) and isinstance(item.left, Name):
        if _width(item.right, names) > WIDEST:
            return "\n".join(_line(one, names) for one in entries(item.left, item.right))
        return f'<div class="formula">{_math(row, display=True)}</div>'
    if glyphs(row) <= TERM:
        return f'<div class="formula">{_math(row, display=True)}</div>'
    # Several elements, between which a browser breaks the line.
    if glyphs(left) > TERM:
        parts = [*pieces(left), f"{EQUALS}{right}"]
    else:
        first, *others = pieces(right)
        parts = [f"{left}{EQUALS}{first}", *others]
    return f'<div class="formula long">{" ".join(_math(part, display=True) for part in parts)}</div>'


def _width(matrix: Matrix, names: Names) -> float:
    """Of a matrix's rows, in glyphs."""
    rows = [[glyphs(spell(x, HAND, names)) + 2 for x in row] for row in matrix.rows]
    return float(sum(max(column) for column in zip(*rows)))


def pieces(row: str) -> list[str]:
    """A row of elements cut before its signs; a part that is still too wide has its brackets opened, too."""
    found = []
    for part in _split(row):
        if glyphs(part) > TERM and OPEN in part:
            found += _split(_opened(part))
        else:
            found.append(part)
    return found


def _opened(part: str) -> str:
    """Brackets that are no group any more, so that there can be a break between them; they do not stretch."""
    mark = ' stretchy="false"'
    return part.replace(OPEN, f"<mo{mark}>(</mo>").replace(CLOSE, f"<mo{mark}>)</mo>")


_TAG = re.compile(r"<(/?)[a-z]+[^>]*>|\n")


def _split(row: str) -> list[str]:
    cuts, depth = [0], 0
    for match in _TAG.finditer(row):
        if match[0] == BREAK:
            if depth == 0 and match.start():
                cuts.append(match.start())
        else:
            depth += -1 if match[1] else 1
    return [row[a:b] for a, b in zip(cuts, [*cuts[1:], None])]


def glyphs(row: str) -> float:
    """About how many letters wide a row of elements is."""
    row = re.sub(r"<mfrac><mrow>(.*?)</mrow><mrow>(.*?)</mrow></mfrac>", lambda m: max(m[1], m[2], key=len), row)
    return float(len(html.unescape(re.sub(r"<[^>]*>", "", row))))


__all__ = ["fragment", "glyphs", "page", "pieces"]
