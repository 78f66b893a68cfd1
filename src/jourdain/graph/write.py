"""Expressions for reading: one expression as text or as LaTeX, abbreviated where it would fill pages.

An expression is written from the outside in: a style turns a node into pieces, which are words and operands, each
operand with how tightly it must hold together there; `write` strings the pieces together with a loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from .names import latex_name
from .node import Node
from .operations import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN2,
    CONSTANT,
    COS,
    DIV,
    EQUAL,
    EXP,
    FLOOR,
    LEAVES,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MUL,
    NEG,
    NOT_EQUAL,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    SUB,
    SYMBOL,
    TAN,
    Operation,
)

ANY, COMPARISON, SUM, NEGATION, PRODUCT, POWER, ATOM = range(7)
"""How tightly an expression holds together, loosest first."""

UNLIMITED = 1 << 60

Names = Mapping[Node, str]
Operand = tuple[Node, int, int]
"""An operand in its place: the node, how tightly it must hold together, how many levels deep it stands."""
Piece = str | Operand


class Style(Protocol):
    """How one node is written around its operands."""

    ellipsis: str
    brackets: tuple[str, str]

    def pieces(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        """How tightly the node holds together, and its pieces; nodes at level `last` are not to be opened."""
        ...


def write(node: Node, style: Style, names: Names, last: int = UNLIMITED) -> str:
    """The expression in a style; nodes that have a name are written by it, what lies below level `last` is left out."""
    written: list[str] = []
    stack: list[Piece] = [(node, ANY, 0)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            written.append(piece)
            continue
        inner, needed, depth = piece
        if depth and inner in names:
            written.append(names[inner])
        elif depth >= last and inner.op not in LEAVES:
            written.append(style.ellipsis)
        else:
            holds, pieces = style.pieces(inner, depth, last, names)
            if holds < needed:
                pieces = [style.brackets[0], *pieces, style.brackets[1]]
            stack.extend(reversed(pieces))
    return "".join(written)


def text(node: Node, limit: int = 200) -> str:
    """The expression as one would type it, with an ellipsis for what lies too deep.

    limit: about how many operations and operands are shown; whole levels are left out, the innermost first.
    """
    return write(node, TEXT, {}, levels_within(node, limit))


def latex(node: Node, limit: int = 2000) -> str:
    """The expression as LaTeX mathematics, without dollar signs; `limit` as in `text`."""
    return write(node, LATEX, {}, levels_within(node, limit))


def levels_within(node: Node, limit: int) -> int:
    """How many levels of the expression, counted from the outside, hold no more than `limit` nodes as written."""
    level: dict[Node, int] = {node: 1}
    shown, depth = 1, 0
    while level:
        below: dict[Node, int] = {}
        for parent, times in level.items():
            for operand in parent.args:
                below[operand] = below.get(operand, 0) + times
        shown += sum(below.values())
        if shown > limit:
            return depth
        level = below
        depth += 1
    return UNLIMITED


# -- what both styles share ------------------------------------------------------------------------------------------


def fraction(node: Node, depth: int, last: int, names: Names) -> tuple[list[Operand], list[Operand]]:
    """A product or quotient as the factors above and below the bar, numbers and parameters first, functions last."""
    above: list[Operand] = []
    below: list[Operand] = []
    stack = [(node, depth, False)]
    while stack:
        factor, level, inverted = stack.pop()
        opened = level == depth or (factor not in names and level < last)
        if opened and factor.op is MUL:
            stack += [(x, level + 1, inverted) for x in reversed(factor.args)]
        elif opened and factor.op is DIV:
            stack += [(factor.args[1], level + 1, not inverted), (factor.args[0], level + 1, inverted)]
        elif not (factor.op is CONSTANT and factor.value == 1.0):
            (below if inverted else above).append((factor, PRODUCT, level))
    return sorted(above, key=_place), sorted(below, key=_place)


def _place(factor: Operand) -> tuple[int, int]:
    node = factor[0]
    if node.op is CONSTANT:
        return 0, node.id
    if node.is_static:
        return 1, node.id
    return (2 if node.op in (ADD, SUB, SYMBOL) else 3), node.id


def powers(factors: list[Operand]) -> list[tuple[Operand, int]]:
    """Equal neighbours gathered: each factor with how often it stands there."""
    gathered: list[tuple[Operand, int]] = []
    for factor in factors:
        if gathered and gathered[-1][0][0] is factor[0]:
            gathered[-1] = gathered[-1][0], gathered[-1][1] + 1
        else:
            gathered.append((factor, 1))
    return gathered


def number(value: float) -> str:
    """The shortest decimal that reads back to the same bits; whole numbers without a point."""
    return repr(value).removesuffix(".0")


def _sum(node: Node, depth: int) -> list[Piece]:
    a, b = node.args
    if node.op is ADD:
        if a.op is CONSTANT:  # x + 1 reads better than 1 + x
            a, b = b, a
        return [(a, SUM, depth + 1), " + ", (b, SUM, depth + 1)]
    return [(a, SUM, depth + 1), " - ", (b, NEGATION, depth + 1)]


def _negation(node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
    inner = node.args[0]
    if inner.op is SUB and inner not in names and depth + 1 < last:
        a, b = inner.args
        return SUM, [(b, SUM, depth + 2), " - ", (a, NEGATION, depth + 2)]
    return NEGATION, ["-", (inner, PRODUCT, depth + 1)]


# -- text ------------------------------------------------------------------------------------------------------------

COMPARISONS: dict[Operation, str] = {LESS: "<", LESS_EQUAL: "<=", EQUAL: "==", NOT_EQUAL: "!="}


class _Text:
    ellipsis = "…"
    brackets = ("(", ")")

    def pieces(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        op = node.op
        if op is SYMBOL:
            return ATOM, [node.name]
        if op is CONSTANT:
            return (NEGATION if node.value < 0 else ATOM), [number(node.value)]
        if op is ADD or op is SUB:
            return SUM, _sum(node, depth)
        if op is NEG:
            return _negation(node, depth, last, names)
        if op is MUL or op is DIV:
            return self._fraction(*fraction(node, depth, last, names))
        if op is POW:
            return POWER, [(node.args[0], ATOM, depth + 1), "**", (node.args[1], POWER, depth + 1)]
        if op in COMPARISONS:
            a, b = node.args
            return COMPARISON, [(a, SUM, depth + 1), f" {COMPARISONS[op]} ", (b, SUM, depth + 1)]
        return ATOM, call(node, depth)

    def _fraction(self, above: list[Operand], below: list[Operand]) -> tuple[int, list[Piece]]:
        top, bottom = powers(above), powers(below)
        pieces: list[Piece] = self._product(top) if top else ["1"]
        if bottom:
            many = len(bottom) > 1
            pieces += ["/", *(["("] if many else []), *self._product(bottom, many), *([")"] if many else [])]
        alone = len(top) == 1 and not bottom
        return (POWER if alone else PRODUCT), pieces

    def _product(self, factors: list[tuple[Operand, int]], many: bool = True) -> list[Piece]:
        pieces: list[Piece] = []
        for (node, _, depth), times in factors:
            if pieces:
                pieces.append("*")
            if times > 1:
                pieces += [(node, ATOM, depth), f"**{times}"]
            else:
                pieces.append((node, PRODUCT if many else POWER, depth))
        return pieces


def call(node: Node, depth: int) -> list[Piece]:
    """An operation as a function of its operands: atan2(y, x)."""
    pieces: list[Piece] = [node.op.name, "("]
    for i, operand in enumerate(node.args):
        pieces += [", "] if i else []
        pieces.append((operand, ANY, depth + 1))
    return [*pieces, ")"]


TEXT: Style = _Text()

# -- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX_COMPARISONS = {LESS: "<", LESS_EQUAL: r"\le", EQUAL: "=", NOT_EQUAL: r"\ne"}
_LATEX_FUNCTIONS = {
    SIN: r"\sin", COS: r"\cos", TAN: r"\tan", ASIN: r"\arcsin", ACOS: r"\arccos", LOG: r"\ln",
    SIGN: r"\operatorname{sgn}", ATAN2: r"\operatorname{atan2}", MIN: r"\min", MAX: r"\max",
}  # fmt: skip
_AROUND = {
    SQRT: (r"\sqrt{", "}"), EXP: ("e^{", "}"), ABS: (r"\left|", r"\right|"),
    FLOOR: (r"\left\lfloor ", r"\right\rfloor "),
}  # fmt: skip


class _Latex:
    ellipsis = r"\ldots "
    brackets = (r"\left(", r"\right)")

    def pieces(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        op = node.op
        if op is SYMBOL:
            return ATOM, [latex_name(node.name)]
        if op is CONSTANT:
            return _latex_number(node.value)
        if op is ADD or op is SUB:
            return SUM, _sum(node, depth)
        if op is NEG:
            return _negation(node, depth, last, names)
        if op is MUL or op is DIV:
            return self._fraction(*fraction(node, depth, last, names), last, names)
        if op in _AROUND:
            before, after = _AROUND[op]
            return (POWER if op is EXP else ATOM), [before, (node.args[0], ANY, depth + 1), after]
        if op is POW:
            return POWER, ["{", (node.args[0], ATOM, depth + 1), "}^{", (node.args[1], ANY, depth + 1), "}"]
        if op in _LATEX_COMPARISONS:  # Iverson's bracket: 1 where it holds, 0 where not
            return ATOM, [r"\left[", *self._comparison(node, depth), r"\right]"]
        if op is SELECT:
            return self._cases(node, depth, last, names)
        return self._call(_LATEX_FUNCTIONS[op], node, depth, last, names)

    def _comparison(self, node: Node, depth: int) -> list[Piece]:
        a, b = node.args
        return [(a, SUM, depth + 1), f" {_LATEX_COMPARISONS[node.op]} ", (b, SUM, depth + 1)]

    def _cases(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        condition, a, b = node.args
        open_condition = condition.op in _LATEX_COMPARISONS and condition not in names and depth + 1 < last
        when: list[Piece] = (
            self._comparison(condition, depth + 1) if open_condition else [(condition, SUM, depth + 1), r" \ne 0"]
        )
        return ATOM, [
            r"\begin{cases} ", (a, ANY, depth + 1), r" & \text{if } ", *when, r" \\ ",
            (b, ANY, depth + 1), r" & \text{otherwise} \end{cases}",
        ]  # fmt: skip

    def _call(self, name: str, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        operand = node.args[0]
        if len(node.args) == 1 and (operand.op is SYMBOL or operand in names):  # \sin q_{1}
            return PRODUCT, [f"{name} ", (operand, ANY, depth + 1)]
        return ATOM, [f"{name}\\left(", *call(node, depth)[2:-1], r"\right)"]

    def _fraction(
        self, above: list[Operand], below: list[Operand], last: int, names: Names
    ) -> tuple[int, list[Piece]]:
        top, bottom = powers(above), powers(below)
        if not bottom:
            return (POWER if len(top) == 1 else PRODUCT), self._product(top, last, names)
        over: list[Piece] = self._product(top, last, names) if top else ["1"]
        return PRODUCT, [r"\frac{", *over, "}{", *self._product(bottom, last, names), "}"]

    def _product(self, factors: list[tuple[Operand, int]], last: int, names: Names) -> list[Piece]:
        pieces: list[Piece] = []
        for (node, _, depth), times in factors:
            if pieces:
                pieces.append(r" \, ")
            needed = PRODUCT if len(factors) > 1 else ANY
            if times == 1:
                pieces.append((node, needed, depth))
            elif node.op in (SIN, COS, TAN) and node not in names and depth < last:  # \sin^{2} q_{1}
                pieces += self._call(f"{_LATEX_FUNCTIONS[node.op]}^{{{times}}}", node, depth, last, names)[1]
            else:
                pieces += ["{", (node, ATOM, depth), f"}}^{{{times}}}"]
        return pieces


def _latex_number(value: float) -> tuple[int, list[Piece]]:
    digits = number(value)
    if "inf" in digits or "nan" in digits:
        return (NEGATION if value < 0 else ATOM), [digits.replace("inf", r"\infty").replace("nan", r"\mathrm{NaN}")]
    mantissa, _, exponent = digits.partition("e")
    tight = NEGATION if value < 0 else PRODUCT if exponent else ATOM
    if exponent:
        times = "" if mantissa == "1" else "-" if mantissa == "-1" else rf"{mantissa} \times "
        return tight, [f"{times}10^{{{int(exponent)}}}"]
    return tight, [digits]


LATEX: Style = _Latex()
