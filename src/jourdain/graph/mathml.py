"""Expressions as MathML Core, which browsers show by themselves: the style beside TEXT and LATEX.

What a style writes is a row of elements, to be put inside `<math>` or `<mrow>`. A newline, which MathML does not see,
stands wherever a row may be broken: before the sign of every term.
"""

from __future__ import annotations

from html import escape

from .names import _ACCENTS, _COMPONENT, _GREEK, _INDEXED, _RUN_ON, split_index
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
)
from .write import (
    ANY,
    ATOM,
    NEGATION,
    POWER,
    PRODUCT,
    SUM,
    Names,
    Operand,
    Piece,
    Style,
    _negation,
    _sum,
    call,
    fraction,
    levels_within,
    number,
    powers,
    write,
)

OPEN, CLOSE = "<mrow><mo>(</mo>", "<mo>)</mo></mrow>"
BREAK = "\n"
TIMES = '<mo lspace="0" rspace="0.17em">&#x2062;</mo>'
APPLY = "<mo>&#x2061;</mo>"
APPLY_TO_NAME = '<mo lspace="0" rspace="0.17em">&#x2061;</mo>'
_SIGNS = {
    " + ": BREAK + '<mo form="infix">+</mo>',
    " - ": BREAK + '<mo form="infix">−</mo>',
    "-": '<mo form="prefix">−</mo>',
}
_COMPARISONS = {LESS: "&lt;", LESS_EQUAL: "≤", EQUAL: "=", NOT_EQUAL: "≠"}
_FUNCTIONS = {
    SIN: "sin", COS: "cos", TAN: "tan", ASIN: "arcsin", ACOS: "arccos", LOG: "ln", SIGN: "sgn", ATAN2: "atan2",
    MIN: "min", MAX: "max",
}  # fmt: skip
_AROUND = {
    SQRT: ("<msqrt><mrow>", "</mrow></msqrt>"),
    EXP: ("<msup><mi>e</mi><mrow>", "</mrow></msup>"),
    ABS: ('<mrow><mo stretchy="true" form="prefix">|</mo>', '<mo stretchy="true" form="postfix">|</mo></mrow>'),
    FLOOR: ("<mrow><mo>⌊</mo>", "<mo>⌋</mo></mrow>"),
}
_DOTS = {"dot": "˙", "ddot": "¨"}
_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip


def mathml(node: Node, limit: int = 2000) -> str:
    """The expression as a row of MathML elements; `limit` as in `text`."""
    return write(node, MATHML, {}, levels_within(node, limit))


# -- names -----------------------------------------------------------------------------------------------------------


def mathml_name(name: str) -> str:
    """A symbol's name as MathML, made of the same parts as `latex_name` makes."""
    parts = [_part(part, dotted=i > 0) for i, part in enumerate(name.split("."))]
    return parts[0] if len(parts) == 1 else f"<mrow>{'<mtext>.</mtext>'.join(parts)}</mrow>"


def _part(name: str, dotted: bool) -> str:
    stem, *subscripts = [x for x in name.translate(_PLAIN_DIGITS).split("_") if x] or [name]
    accent = ""
    for mark, dots in _ACCENTS.items():
        if mark in stem:
            stem, accent = stem.replace(mark, ""), dots
    for word in ("ddot", "dot"):
        if stem.endswith(word) and len(stem) > len(word):
            stem, accent = stem.removesuffix(word), word
            break
        if subscripts and subscripts[-1].endswith(word):
            subscripts[-1], accent = subscripts[-1].removesuffix(word), word
            break
    letters, digits = split_index(stem)
    if not letters:
        letters, digits = stem, ""
    if digits:
        subscripts = [digits, *subscripts]
    if letters not in _GREEK and (_INDEXED.fullmatch(letters) or (dotted and _COMPONENT.fullmatch(letters))):
        index = letters[1:]
        if digits and index.isupper():
            index, subscripts = index + digits, subscripts[1:]
        letters, subscripts = letters[0], [index, *subscripts]
    body = _letters(letters)
    if accent:
        body = dotted_over(body, accent)
    return with_index(body, [_subscript(x) for x in subscripts if x])


def dotted_over(body: str, accent: str) -> str:
    """Elements with a dot ("dot") or two ("ddot") above."""
    return f'<mover accent="true">{body}<mo stretchy="false">{_DOTS[accent]}</mo></mover>'


def with_index(body: str, subscripts: list[str]) -> str:
    """One element with a row of subscripts."""
    return f"<msub>{body}<mrow>{'<mo>,</mo>'.join(subscripts)}</mrow></msub>" if subscripts else body


def _subscript(word: str) -> str:
    if word.isdecimal():
        return f"<mn>{word}</mn>"
    if _RUN_ON.fullmatch(word):
        letters = word.rstrip("0123456789")
        digits = word[len(letters) :]
        return "".join(f"<mi>{x}</mi>" for x in letters) + (f"<mn>{digits}</mn>" if digits else "")
    return _letters(word)


def _letters(word: str) -> str:
    """One letter is italic, a word upright."""
    return f"<mi>{clean(_LETTERS.get(word, word))}</mi>"


def clean(text: str) -> str:
    """Text for an XML page: escaped, and without the characters that XML does not know."""
    return escape("".join(x if x.isprintable() else " " for x in text))


_PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

# -- the style -------------------------------------------------------------------------------------------------------


class _MathML:
    ellipsis = "<mo>…</mo>"
    brackets = (OPEN, CLOSE)

    def pieces(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        op = node.op
        if op is SYMBOL:
            return ATOM, [mathml_name(node.name)]
        if op is CONSTANT:
            return mathml_number(node.value)
        if op is ADD or op is SUB:
            return SUM, _signed(_sum(node, depth))
        if op is NEG:
            holds, pieces = _negation(node, depth, last, names)
            return holds, _signed(pieces)
        if op is MUL or op is DIV:
            return self._fraction(*fraction(node, depth, last, names), last, names)
        if op in _AROUND:
            before, after = _AROUND[op]
            return (POWER if op is EXP else ATOM), [before, (node.args[0], ANY, depth + 1), after]
        if op is POW:
            base, exponent = node.args
            return POWER, [
                "<msup><mrow>", (base, ATOM, depth + 1), "</mrow><mrow>", (exponent, ANY, depth + 1), "</mrow></msup>",
            ]  # fmt: skip
        if op in _COMPARISONS:  # Iverson's bracket: 1 where it holds, 0 where not
            return ATOM, ["<mrow><mo>[</mo>", *self._comparison(node, depth), "<mo>]</mo></mrow>"]
        if op is SELECT:
            return self._cases(node, depth, last, names)
        return self._call(_mi(_FUNCTIONS[op]), node, depth, names)

    def _comparison(self, node: Node, depth: int) -> list[Piece]:
        a, b = node.args
        return [(a, SUM, depth + 1), f"<mo>{_COMPARISONS[node.op]}</mo>", (b, SUM, depth + 1)]

    def _cases(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        condition, a, b = node.args
        opened = condition.op in _COMPARISONS and condition not in names and depth + 1 < last
        when: list[Piece] = (
            self._comparison(condition, depth + 1)
            if opened
            else [(condition, SUM, depth + 1), "<mo>≠</mo><mn>0</mn>"]
        )
        return ATOM, [
            "<mrow><mo>{</mo><mtable><mtr><mtd><mrow>", (a, ANY, depth + 1),
            "</mrow></mtd><mtd><mrow><mtext>if&#xa0;</mtext>", *when,
            "</mrow></mtd></mtr><mtr><mtd><mrow>", (b, ANY, depth + 1),
            "</mrow></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
        ]  # fmt: skip

    def _call(self, name: str, node: Node, depth: int, names: Names) -> tuple[int, list[Piece]]:
        operand = node.args[0]
        if len(node.args) == 1 and (operand.op is SYMBOL or operand in names):
            return PRODUCT, [name, APPLY_TO_NAME, (operand, ANY, depth + 1)]
        inside = ["<mo>,</mo>" if x == ", " else x for x in call(node, depth)[2:-1]]
        return ATOM, [name, APPLY, OPEN, *inside, CLOSE]

    def _fraction(
        self, above: list[Operand], below: list[Operand], last: int, names: Names
    ) -> tuple[int, list[Piece]]:
        top, bottom = powers(above), powers(below)
        if not bottom:
            return (POWER if len(top) == 1 else PRODUCT), self._product(top, last, names)
        over: list[Piece] = self._product(top, last, names) if top else ["<mn>1</mn>"]
        under = self._product(bottom, last, names)
        return PRODUCT, ["<mfrac><mrow>", *over, "</mrow><mrow>", *under, "</mrow></mfrac>"]

    def _product(self, factors: list[tuple[Operand, int]], last: int, names: Names) -> list[Piece]:
        pieces: list[Piece] = []
        for (node, _, depth), times in factors:
            if pieces:
                pieces.append(TIMES)
            needed = PRODUCT if len(factors) > 1 else ANY
            if times == 1:
                pieces.append((node, needed, depth))
            elif node.op in (SIN, COS, TAN) and node not in names and depth < last:
                raised = f"<msup>{_mi(_FUNCTIONS[node.op])}<mn>{times}</mn></msup>"
                pieces += self._call(raised, node, depth, names)[1]
            else:
                pieces += ["<msup><mrow>", (node, ATOM, depth), f"</mrow><mn>{times}</mn></msup>"]
        return pieces


def _signed(pieces: list[Piece]) -> list[Piece]:
    return [_SIGNS[x] if isinstance(x, str) else x for x in pieces]


def _mi(word: str) -> str:
    return f"<mi>{word}</mi>"


def mathml_number(value: float) -> tuple[int, list[Piece]]:
    """A number, and how tightly it holds together."""
    digits = number(abs(value))
    sign = _SIGNS["-"] if value < 0 else ""
    if "inf" in digits or "nan" in digits:
        shown = "<mi>∞</mi>" if "inf" in digits else "<mi>NaN</mi>"
        return (NEGATION if sign else ATOM), [sign + shown]
    mantissa, _, exponent = digits.partition("e")
    tight = NEGATION if sign else PRODUCT if exponent else ATOM
    if not exponent:
        return tight, [f"{sign}<mn>{mantissa}</mn>"]
    times = "" if mantissa == "1" else f"<mn>{mantissa}</mn><mo>×</mo>"
    power = exponent.replace("-", "−").lstrip("+0") if "-" not in exponent else f"−{exponent[1:].lstrip('0')}"
    return tight, [f"{sign}{times}<msup><mn>10</mn><mn>{power}</mn></msup>"]


MATHML: Style = _MathML()
