"""Expressions from text, safely: a small grammar read with a loop, bounded in length and depth; nothing is executed.

Numbers, names, + - * / **, comparisons, parentheses and the operations of the table as functions:
`m*g*(L1 + L2*cos(q1))**2`, `select(x <= 0, 0, sqrt(x))`. A name that is not a word, or words joined by dots, stands in
backticks: `` `f[q1]` ``. So does a symbol named like a function or a constant (pi, inf, nan).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from .node import Graph, Node
from .operations import ADD, ATAN2, BY_NAME, DIV, EQUAL, LESS, LESS_EQUAL, MUL, NEG, NOT_EQUAL, POW, SUB

LONGEST = 20_000
"""Characters that one expression may have."""
DEEPEST = 200
"""Parentheses, functions and signs that may stand open at one place."""

CONSTANTS = {"pi": math.pi, "inf": math.inf, "nan": math.nan}
WORD = r"[^\W\d][\w\u0300-\u036f]*(?:\.[\w\u0300-\u036f]+)*"  # with the dots of q̇ and q̈, which are letters of their own

_TOKEN = re.compile(
    rf"(?P<blank>\s+)|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>{WORD})"
    r"|`(?P<quoted>[^`]*)`|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^<>(),])"
)

Make = Callable[[Graph, list[Node]], Node]


class ExpressionError(ValueError):
    """Text that is no expression; the message shows where."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


@dataclass(slots=True)
class _Open:
    """What waits for operands: an operation, a parenthesis or a function (binding 0).

    binding: how tightly it binds; operands: how many it takes; what a function has been given so far.
    """

    name: str
    column: int
    binding: int
    operands: int
    make: Make
    given: int = 1


def _applied(name: str) -> Make:
    op = BY_NAME[name]
    return lambda graph, x: graph.apply(op, *x)


def _swapped(name: str) -> Make:
    op = BY_NAME[name]
    return lambda graph, x: graph.apply(op, x[1], x[0])


_COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER = range(1, 6)
_BINARY: dict[str, tuple[int, Make]] = {
    "<": (_COMPARISON, _applied(LESS.name)),
    "<=": (_COMPARISON, _applied(LESS_EQUAL.name)),
    ">": (_COMPARISON, _swapped(LESS.name)),
    ">=": (_COMPARISON, _swapped(LESS_EQUAL.name)),
    "==": (_COMPARISON, _applied(EQUAL.name)),
    "!=": (_COMPARISON, _applied(NOT_EQUAL.name)),
    "+": (_SUM, _applied(ADD.name)),
    "-": (_SUM, _applied(SUB.name)),
    "*": (_PRODUCT, _applied(MUL.name)),
    "/": (_PRODUCT, _applied(DIV.name)),
    "**": (_POWER, _applied(POW.name)),
    "^": (_POWER, _applied(POW.name)),
}
_PREFIX: dict[str, Make] = {"-": _applied(NEG.name), "+": lambda graph, x: x[0]}
FUNCTIONS: dict[str, tuple[int, Make]] = {
    **{name: (op.arity, _applied(name)) for name, op in BY_NAME.items() if op not in (NEG, ADD, SUB, MUL, DIV)},
    "atan": (1, lambda graph, x: graph.apply(ATAN2, x[0], 1.0)),
}
"""Functions by name: how many operands they take, and what they make."""


def parse(text: str, symbols: Mapping[str, Node], graph: Graph) -> Node:
    """The expression that the text spells, in the graph; its names are looked up among the symbols.

    Raises ExpressionError, which says what is wrong and in which column.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression of {len(text)} characters; at most {LONGEST} are read")
    return _Reader(text, symbols, graph).read()


class _Reader:
    """Operands made so far, and operations that still wait for one."""

    def __init__(self, text: str, symbols: Mapping[str, Node], graph: Graph) -> None:
        self.text = text
        self.symbols = symbols
        self.graph = graph
        self.values: list[Node] = []
        self.waiting: list[_Open] = []

    def read(self) -> Node:
        after_operand = False
        for token, following in _with_next(self._tokens()):
            after_operand = self._operator(token) if after_operand else self._operand(token, following)
        if not after_operand:
            self._fail(len(self.text) + 1, "an operand is missing at the end")
        self._close(None)
        if self.waiting:
            self._fail(self.waiting[-1].column, "this parenthesis is never closed")
        return self.values[0]

    def _tokens(self) -> Iterator[_Token]:
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                self._fail(position + 1, f"{self.text[position]!r} has no meaning here")
            kind = match.lastgroup or ""
            if kind != "blank":
                yield _Token(kind, match[kind], position + 1)
            position = match.end()

    def _operand(self, token: _Token, following: str) -> bool:
        """A token where an operand must begin; the answer is whether it is complete."""
        if token.kind == "number":
            number = float(token.text)
            if math.isinf(number):
                self._fail(token.column, f"{token.text} is too large")
            self.values.append(self.graph.constant(number))
            return True
        if token.kind == "name" and following == "(":
            if token.text not in FUNCTIONS:
                self._fail(token.column, f"there is no function {token.text!r}{_near(token.text, FUNCTIONS)}")
            operands, make = FUNCTIONS[token.text]
            self._wait(_Open(token.text, token.column, 0, operands, make))
        elif token.kind in ("name", "quoted"):
            self.values.append(self._named(token))
            return True
        elif token.text == "(":
            # The parenthesis after a function's name belongs to the function.
            if not (self.waiting and self.waiting[-1].name in FUNCTIONS and self._follows_name(token)):
                self._wait(_Open("(", token.column, 0, 1, lambda graph, x: x[0]))
        elif token.text in _PREFIX:
            self._wait(_Open(token.text, token.column, _SIGN, 1, _PREFIX[token.text]))
        else:
            self._fail(token.column, f"an operand is missing before {token.text!r}")
        return False

    def _follows_name(self, token: _Token) -> bool:
        function = self.waiting[-1]
        return not self.text[function.column - 1 + len(function.name) : token.column - 1].strip()

    def _operator(self, token: _Token) -> bool:
        """A token after a complete operand; the answer is whether the operand is still complete."""
        if token.kind == "sign" and token.text in _BINARY:
            binding, make = _BINARY[token.text]
            self._close(binding, token)
            self._wait(_Open(token.text, token.column, binding, 2, make))
            return False
        if token.text == ")" and token.kind == "sign":
            opened = self._innermost(token)
            self._require(opened)
            self.waiting.pop()
            self._make(opened)
            return True
        if token.text != "," or token.kind != "sign":
            self._fail(token.column, f"an operator is missing before {token.text!r}")
        opened = self._innermost(token)
        if opened.name == "(":
            self._fail(token.column, "a comma separates a function's operands; no function stands open here")
        opened.given += 1
        return False

    def _innermost(self, token: _Token) -> _Open:
        """The parenthesis or function that stands open, everything inside it made."""
        self._close(None)
        if not self.waiting:
            self._fail(token.column, f"{token.text!r} without an opening parenthesis")
        return self.waiting[-1]

    def _require(self, opened: _Open) -> None:
        if opened.given != opened.operands:
            takes = "one operand" if opened.operands == 1 else f"{opened.operands} operands"
            self._fail(opened.column, f"{opened.name} takes {takes}, {opened.given} given")

    def _wait(self, opened: _Open) -> None:
        if len(self.waiting) >= DEEPEST:
            self._fail(opened.column, f"more than {DEEPEST} parentheses, functions or signs stand open")
        self.waiting.append(opened)

    def _close(self, binding: int | None, token: _Token | None = None) -> None:
        """Make the operations that bind their operands at least as tightly as what comes next."""
        while self.waiting:
            last = self.waiting[-1]
            if last.binding == 0:
                return
            if binding is not None:
                if last.binding < binding or last.binding == binding == _POWER:  # a**b**c is a**(b**c)
                    return
                if token is not None and last.binding == binding == _COMPARISON:
                    self._fail(token.column, "comparisons cannot be chained; use parentheses")
            self._make(self.waiting.pop())

    def _make(self, opened: _Open) -> None:
        operands = self.values[-opened.operands :]
        del self.values[-opened.operands :]
        self.values.append(opened.make(self.graph, operands))

    def _named(self, token: _Token) -> Node:
        if token.kind == "name" and token.text in CONSTANTS:
            return self.graph.constant(CONSTANTS[token.text])
        if token.kind == "name" and token.text in FUNCTIONS:
            self._fail(token.column, f"{token.text} is a function; its operands in parentheses are missing")
        node = self.symbols.get(token.text)
        if node is None:
            self._fail(token.column, f"there is no symbol {token.text!r}{_near(token.text, self.symbols)}")
        return node

    def _fail(self, column: int, reason: str) -> NoReturn:
        shown = self.text if len(self.text) <= 80 else f"…{self.text[max(column - 40, 0) : column + 40]}…"
        raise ExpressionError(f"column {column} of {shown!r}: {reason}")


def _near(name: str, known: Mapping[str, object]) -> str:
    """What may have been meant."""
    near = get_close_matches(name, known, 1) or get_close_matches(name.lower(), known, 1)
    if near:
        return f"; is {near[0]!r} meant?"
    some = ", ".join(sorted(known)[:8])
    return f"; there are {some}{', …' if len(known) > 8 else ''}" if known else "; there are none"


def _with_next(tokens: Iterator[_Token]) -> Iterator[tuple[_Token, str]]:
    """Each token with the text of the next one."""
    last: _Token | None = None
    for token in tokens:
        if last is not None:
            yield last, token.text if token.kind == "sign" else ""
        last = token
    if last is not None:
        yield last, ""
