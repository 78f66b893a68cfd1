"""A page as a fragment of LaTeX, to be \\input into a document that uses amsmath; nothing is wider than the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ..graph.names import latex_name
from ..graph.write import LATEX, Style
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

_NONE: Names = {}
LINE = 74
"""Glyphs on a line of a formula; a text block of 12.5 cm holds about eighty."""
PAGE = 36
"""Rows of a table on one page."""
BOLD, GAP = 1.2, 2.5
"""A bold letter's width and the space between two columns, in letters."""
_TEXT_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}", "°": r"\textdegree{}", "·": r"\,", "—": "---",
    "−": r"\(-\)", "→": r"\(\to\)", "×": r"\(\times\)", "|": r"\textbar{}",
    "’": "'", "“": "``", "”": "''", "ω": r"\(\omega\)", "λ": r"\(\lambda\)", "ᵀ": r"\(^{\mathsf{T}}\)", "…": r"\dots{}",
}  # fmt: skip


class _LatexHand:
    style: Style = LATEX
    rounds = True

    def name(self, name: Name) -> str:
        """M_{12}, f_{angle}"""
        letter = latex_name(name.letter)
        if name.bold:
            letter = rf"\mathbf{{{letter}}}" if letter.isalpha() else rf"\boldsymbol{{{letter}}}"
        if name.dotted:
            letter = rf"\dot{{{letter}}}"
        if name.transposed:
            letter = rf"{letter}^{{\mathsf{{T}}}}"
        index = latex_name(name.of) if name.of else name.short_index
        return f"{letter}_{{{index}}}" if index else letter

    def rate(self, rate: Rate) -> str:
        """A dot above."""
        return latex_name(f"{rate.symbol}dot")

    def number(self, digits: str) -> str:
        """Powers of ten written as such."""
        mantissa, _, exponent = digits.partition("e")
        return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa

    def fraction(self, above: int, below: int) -> str:
        """A small one."""
        return rf"\tfrac{{{above}}}{{{below}}}"

    def sign(self, sign: str) -> str:
        """Signs stay, words are upright."""
        if not sign.strip():
            return r" \, "
        return rf"\text{{{sign}}}" if any(x.isalpha() for x in sign) else sign

    def vector(self, entries: list[str]) -> str:
        """(x, y, z)"""
        return rf"\left({', '.join(entries)}\right)"

    def matrix(self, rows: list[list[str]]) -> str:
        """In square brackets."""
        body = r" \\ ".join(" & ".join(row) for row in rows)
        return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


HAND = _LatexHand()


def latex(document: Document) -> str:
    """The page as LaTeX."""
    head = [
        "% Needs \\usepackage{amsmath} in the document that reads this in.",
        "\\begingroup\\allowdisplaybreaks",
        rf"\section*{{{escaped(document.title)}}}",
        escaped(document.lead),
    ]
    return "\n".join([*head, *map(_section, document.sections), "\\endgroup", ""])


def _section(section: Section) -> str:
    blocks = [text for text in map(_block, section.blocks) if text]
    return "\n".join(["", rf"\subsection*{{{escaped(section.title)}}}", *blocks])


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return "\n" + "".join(map(_cell, block.parts))
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Heading):
        return rf"\paragraph{{{escaped(block.title)}}}\mbox{{}}"
    if isinstance(block, Picture):
        return ""
    return _formulas(block)


def _cell(cell: Cell, names: Names = _NONE) -> str:
    return escaped(cell) if isinstance(cell, str) else f"\\({spell(cell, HAND, names)}\\)"


def escaped(text: str) -> str:
    """Text for LaTeX."""
    return "".join(_TEXT_ESCAPES.get(x, x) if x.isprintable() else " " for x in text)


def _table(block: Table) -> str:
    """Columns as wide as they need be where a line holds them all; else they share it in proportion, and break."""
    rows = [[_cell(cell, block.names) for cell in row] for row in block.rows]
    head = [_cell(x) for x in block.header]
    widths = [max(BOLD * len(x), *(_glyphs(cell) for cell in column)) for x, *column in zip(head, *rows)]
    fits = sum(widths) + GAP * len(widths) <= LINE
    columns, ragged = "l" * len(widths), ""
    if not fits:
        share = (1.0 - 0.03 * len(widths)) / sum(widths)
        columns = "".join(rf"p{{{width * share:.3f}\linewidth}}" for width in widths)
        ragged = r"\raggedright "
    lines = ["", rf"\medskip\noindent {escaped(block.caption)}"] if block.caption else []

    def line(cells: Sequence[str]) -> str:
        return " & ".join(ragged + x for x in cells) + r" \tabularnewline"

    top = line([rf"\textbf{{{x}}}" for x in head]) + r" \hline"
    for start in range(0, len(rows), PAGE):  # a tabular does not break over pages
        body = [line(row) for row in rows[start : start + PAGE]]
        lines += ["", rf"\smallskip\noindent\begin{{tabular}}{{@{{}}{columns}@{{}}}}", top, *body, r"\end{tabular}"]
    return "\n".join([*lines, ""])


# -- formulas --------------------------------------------------------------------------------------------------------


def _formulas(block: Formulas) -> str:
    rows = [line for item in block.items for line in _rows(item, block.names)]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _rows(item: Formula, names: Names) -> list[str]:
    """A formula as lines; a left side that is long keeps its right side on its last line."""
    left, right = spell(item.left, HAND, names), spell(item.right, HAND, names)
    if isinstance(item.right, Matrix) and isinstance(item.left, Name) and _matrix_width(item.right, names) > LINE:
        return [line for one in entries(item.left, item.right) for line in _rows(one, names)]
    if _glyphs(left) > 12:
        whole = broken(f"{left} = {right}", LINE)  # a whole equation
        return [f"& {whole[0]}", *(rf"& \quad {line}" for line in whole[1:])]
    lines = [right] if isinstance(item.right, Matrix) else broken(right, LINE - _glyphs(left))
    return [f"{left} &= {lines[0]}", *(rf"&\quad {line}" for line in lines[1:])]


def _matrix_width(matrix: Matrix, names: Names) -> float:
    cells = [[_glyphs(spell(x, HAND, names)) + 2 for x in row] for row in matrix.rows]
    return float(sum(max(column) for column in zip(*cells)) + 6)


def broken(formula: str, width: float) -> list[str]:
    """A formula in lines of at most about `width` glyphs, broken before a sign, inside brackets where it must be."""
    if _glyphs(formula) <= width:
        return [formula]
    lines: list[str] = [""]
    for piece in _pieces(formula, width):
        if lines[-1] and _glyphs(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _pieces(formula: str, width: float) -> list[str]:
    """Terms with their signs; a term that is too wide is opened: its brackets are of fixed size then."""
    found: list[str] = []
    for piece in _split(formula, _BREAKS):
        if _glyphs(piece) > width and r"\left(" in piece:
            opened = piece.replace(r"\left(", r"\bigl(").replace(r"\right)", r"\bigr)")
            found += _split(opened, _BREAKS_INSIDE)
        else:
            found.append(piece)
    return found


_BREAKS = (" + ", " - ", " = ")
_BREAKS_INSIDE = (" + ", " - ", " = ", r" \, ")


def _split(formula: str, breaks: Sequence[str]) -> list[str]:
    """Cut before each sign that stands in no group, no environment and between no \\left and \\right."""
    cuts, depth, at = [0], 0, 0
    while at < len(formula):
        if formula.startswith((r"\left", r"\begin{"), at) and not formula.startswith(r"\leftarrow", at):
            depth += 1
        elif formula.startswith((r"\right", r"\end{"), at):
            depth -= 1
        elif formula[at] == "\\":
            at += 1  # an escaped brace opens nothing
        elif formula[at] == "{":
            depth += 1
        elif formula[at] == "}":
            depth -= 1
        elif depth == 0 and at and any(formula.startswith(x, at) for x in breaks):
            cuts.append(at)
        at += 1
    return [formula[a:b] for a, b in zip(cuts, [*cuts[1:], None]) if formula[a:b]]


_COMMAND = re.compile(r"\\(?:mathrm|mathbf|mathit|text|dot|ddot|left|right|bigl|bigr|begin|end|textbf|operatorname)\b")
_SCRIPT = re.compile(r"[_^]\{((?:[^{}]|\{[^{}]*\})*)\}")
_FRACTION = re.compile(r"\\t?frac\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")


def _glyphs(formula: str) -> float:
    """About how many letters wide a formula or a text is."""
    formula = _FRACTION.sub(lambda m: max(m[1], m[2], key=len), formula)
    formula = _COMMAND.sub("", formula)
    scripts = sum(len(re.sub(r"\\[a-zA-Z]+|[{}\\]", "x", m[1])) for m in _SCRIPT.finditer(formula))
    formula = _SCRIPT.sub("", formula)
    formula = re.sub(r"\\[a-zA-Z]+ ?", "xx", formula)
    formula = re.sub(r"\\.|[{}&]", "", formula)
    wide = sum(unicodedata.east_asian_width(x) in "WF" for x in formula)
    return float(len(formula) + wide + 0.7 * scripts)
