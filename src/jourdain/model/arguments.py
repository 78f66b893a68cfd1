"""Reading what users write: numbers, expressions, triples, axes, rotations; what cannot be read is a mistake."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node, Role, interpret, symbols_of
from ..spatial import Matrix, Rotation, Vector
from .mistakes import Mistakes, article

Scalar = Node | float | int
Triple = Sequence[Scalar] | NDArray[np.float64]

_AXES = {"x": 0, "y": 1, "z": 2}
_NAME = re.compile(r"[^\W\d][^\x00-\x1f\x7f\"'`\\]*")
LONGEST_NAME = 200
EXACT = 1e-15  # what a sine or a cosine of a quarter turn misses zero by
ORTHOGONAL = 1e-6


def is_name(text: str) -> bool:
    """Whether a thing can be called so."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None and text == text.strip()


def not_a_rotation(matrix: NDArray[np.float64]) -> str:
    """What is wrong with a 3×3 matrix of finite numbers that should be a rotation; empty where nothing is."""
    miss = float(np.abs(matrix.T @ matrix - np.eye(3)).max())
    if miss <= ORTHOGONAL and np.linalg.det(matrix) > 0:
        return ""
    why = f"misses RᵀR = 1 by {miss:.2g}" if miss > ORTHOGONAL else "is a reflection (its determinant is −1)"
    return f"is not a rotation: it {why}; columns must be a right-handed set of unit vectors"


class Reader:
    """Turns arguments into nodes of one graph; notes what is wrong and answers something harmless."""

    def __init__(self, graph: Graph, mistakes: Mistakes) -> None:
        self.graph = graph
        self.mistakes = mistakes

    def name(self, name: object, what: str) -> str:
        """A name: begins with a letter, holds no quotes and nothing unprintable."""
        if isinstance(name, str) and is_name(name):
            return name
        self.mistakes.add(
            f"{name!r} is no name for a {what}: begin with a letter, leave out quotes, backslashes and outer blanks"
        )
        return f"unnamed {what}"

    def scalar(self, value: object, what: str) -> Node:
        """A finite number or an expression of this model; multipliers have their place in guards alone."""
        node = self.guard(value, what)
        if node.roles & Role.MULTIPLIER.bit:
            self.mistakes.add(f"{what} is {node!r}; a multiplier can only stand in on= and off= of m.switch")
            return self.graph.one
        return node

    def guard(self, value: object, what: str) -> Node:
        """A finite number or an expression of this model, multipliers among it."""
        if isinstance(value, Node):
            if value.graph is self.graph:
                if value.is_constant and not math.isfinite(value.value):
                    self.mistakes.add(f"{what} is {value.value}; a finite number or an expression is needed")
                    return self.graph.one
                return value
            self.mistakes.add(f"{what} is an expression of another model; build it from this model's own symbols")
            return self.graph.one
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if hasattr(value, "in_frame"):
            self.mistakes.add(
                f"{what} is the vector {value!r}; a scalar is needed: a component, v @ body.x, or the length, v.norm()"
            )
            return self.graph.one
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            told = _shown(value)
            if hasattr(value, "gap"):  # of what touches: it may be long
                told = f"{article(type(value).__name__)} {type(value).__name__}, which has a gap, slip, …"
            self.mistakes.add(f"{what} is {told}; a number or an expression of this model is needed")
            return self.graph.one
        number = float(value)
        if not math.isfinite(number):
            self.mistakes.add(f"{what} is {number}; it must be finite")
            return self.graph.one
        return self.graph.constant(number)

    def number(self, value: object, what: str) -> float:
        """A finite number, nothing symbolic."""
        node = self.scalar(value, what)
        if not node.is_constant:
            self.mistakes.add(f"{what} is the expression {node!r}; a plain number is needed")
            return 1.0
        return node.value

    def static(self, value: object, what: str) -> Node:
        """A number or an expression of parameters alone."""
        node = self.scalar(value, what)
        if not node.is_static:
            moving = ", ".join(x.name for x in symbols_of([node]) if not x.is_static)
            self.mistakes.add(f"{what} depends on {moving}; only numbers and parameters can stand here")
            return self.graph.one
        return node

    def positive(self, value: object, what: str) -> Node:
        """A length or size of parameters alone; where it is a number, above zero."""
        node = self.static(value, what)
        if node.is_constant and not node.value > 0.0:
            self.mistakes.add(f"{what} is {node.value:g}; a positive number is needed")
            return self.graph.one
        return node

    def triple(self, value: object, what: str, *, static: bool = True) -> Vector:
        """Three scalars."""
        entries = self.sequence(value)
        if entries is None or len(entries) != 3:
            self.mistakes.add(f"{what} is {_shown(value)}; three numbers or expressions are needed, like (0, 0, 1)")
            return Vector.zero(self.graph)
        read = self.static if static else self.scalar
        return Vector(*(read(x, _entry(what, i)) for i, x in enumerate(entries)))

    def axis(self, value: object, what: str) -> Vector:
        """A unit vector from "x", "-z" or three scalars; exact where it lies along a coordinate axis."""
        if isinstance(value, str):
            letter = value.removeprefix("-").removeprefix("+")
            if letter not in _AXES or len(value) > 2:
                self.mistakes.add(f'{what} is {value!r}; write "x", "y", "z", "-x", "-y", "-z" or three numbers')
                return Vector.unit(self.graph, 2)
            unit = Vector.unit(self.graph, _AXES[letter])
            return -unit if value.startswith("-") else unit
        vector = self.triple(value, what)
        if vector.is_zero:
            self.mistakes.add(f"{what} has no length; an axis needs a direction")
            return Vector.unit(self.graph, 2)
        if not all(x.is_constant for x in vector):
            length = vector.dot(vector)
            return vector * (self.graph.one / length**0.5)
        numbers_ = np.array([x.value for x in vector])
        numbers_ = numbers_ / np.abs(numbers_).max()
        numbers_ = numbers_ / np.linalg.norm(numbers_)
        numbers_[np.abs(numbers_) < 1e-12] = 0.0
        if np.count_nonzero(numbers_) == 1:
            numbers_ = np.sign(numbers_)
        return Vector.of(self.graph, [float(x) for x in numbers_])

    def rotation(self, value: object, what: str) -> Rotation:
        """Inner axes to outer ones, from None, a 3×3 matrix, a SciPy Rotation or turns [("z", angle), …].

        Turns are made one after the other, each about an axis as the turns before it have left it (outermost first).
        Numbers and parameters alone: what is placed in a body stays there.
        """
        if value is None:
            return Rotation(self.graph)
        if isinstance(value, Rotation):
            if value.graph is self.graph:
                return value
            self.mistakes.add(f"{what} is a rotation of another model; build it from this model's own symbols")
            return Rotation(self.graph)
        as_matrix = getattr(value, "as_matrix", None)
        if as_matrix is not None:
            return self._matrix_rotation(np.asarray(as_matrix(), dtype=float), what)
        entries = self.sequence(value)
        if entries is not None and all(_is_turn(x) for x in entries):
            return Rotation.product(self.graph, [self._turn(x, what) for x in entries])
        rows = None if entries is None else [self.sequence(row) for row in entries]
        if rows is None or len(rows) != 3 or any(row is None or len(row) != 3 for row in rows):
            self.mistakes.add(
                f"{what} is {_shown(value)}; a 3x3 matrix, a SciPy Rotation or turns like "
                '[("z", 0.5), ("x", angle)] are needed'
            )
            return Rotation(self.graph)
        return self._matrix_rotation([list(row) for row in rows if row is not None], what)

    def matrix(self, value: object, what: str) -> Matrix:
        """A symmetric 3×3 matrix of scalars."""
        entries = self.sequence(value)
        rows = None if entries is None else [self.sequence(row) for row in entries]
        if rows is None or len(rows) != 3 or any(row is None or len(row) != 3 for row in rows):
            self.mistakes.add(
                f"{what} is {_shown(value)}; a symmetric 3x3 matrix is needed, or jourdain.principal(xx, yy, zz)"
            )
            return Matrix.identity(self.graph)
        read = [[self.static(x, _entry(what, i, k)) for k, x in enumerate(row or ())] for i, row in enumerate(rows)]
        for i, k in ((0, 1), (0, 2), (1, 2)):
            a, b = read[i][k], read[k][i]
            if a is not b and not (a.is_constant and b.is_constant and _close(a.value, b.value)):
                self.mistakes.add(f"{what} is not symmetric: [{i}][{k}] is {a!r} and [{k}][{i}] is {b!r}")
                return Matrix.identity(self.graph)
            read[k][i] = a
        return Matrix.of(self.graph, read)

    # -- inside -------------------------------------------------------------------------------------------------

    def sequence(self, value: object) -> list[Any] | None:
        """Its entries; None for what has none."""
        if isinstance(value, (str, bytes, Node)) or not hasattr(value, "__len__"):
            return None
        try:
            return list(value)  # type: ignore[call-overload,no-any-return]
        except TypeError:
            return None

    def _turn(self, turn: tuple[str, object], what: str) -> Rotation:
        letter, angle = turn
        node = self.static(angle, f"{what}: the angle about {letter}")
        axis = _AXES[letter.removeprefix("-").removeprefix("+")]
        if letter.startswith("-"):
            node = -node
        if node.is_constant:
            return _exact_turn(self.graph, axis, node.value)
        return Rotation.turn(self.graph, axis, node)

    def _matrix_rotation(self, rows: Any, what: str) -> Rotation:
        read = [[self.static(x, _entry(what, i, k)) for k, x in enumerate(row)] for i, row in enumerate(rows)]
        if all(x.is_constant for row in read for x in row):
            given = np.array([[x.value for x in row] for row in read])
            fault = not_a_rotation(given)
            if fault:
                self.mistakes.add(f"{what} {fault}")
                return Rotation(self.graph)
            left, _, right = np.linalg.svd(given)  # the nearest rotation: digits cut off by hand do no harm
            given = np.where(np.abs(given - left @ right) < 1e-15, given, left @ right)
            whole = np.round(given)
            given = np.where(np.abs(given - whole) < 4 * EXACT, whole, given)
            if np.array_equal(given, np.eye(3)):
                return Rotation(self.graph)
            read = [[self.graph.constant(float(x)) for x in row] for row in given]
        return Rotation.given(self.graph, Matrix.of(self.graph, read))


def _exact_turn(graph: Graph, axis: int, angle: float) -> Rotation:
    """A turn by a known angle, with exact zeros and ones at quarter turns."""
    c, s = math.cos(angle), math.sin(angle)
    c, s = (round(c), round(s)) if min(abs(c), abs(s)) < EXACT * max(1.0, abs(angle)) else (c, s)
    if (c, s) == (1, 0):
        return Rotation(graph)
    i, k = (axis + 1) % 3, (axis + 2) % 3
    rows: list[list[float]] = [[0.0] * 3 for _ in range(3)]
    rows[axis][axis] = 1.0
    rows[i][i] = rows[k][k] = c
    rows[i][k], rows[k][i] = -s, s
    return Rotation.given(graph, Matrix.of(graph, rows))


def _is_turn(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and value[0].removeprefix("-").removeprefix("+") in _AXES
    )


def _entry(what: str, *places: int) -> str:
    """An entry of a thing in a message: `at[2] of joint 'elbow'`."""
    thing, of, owner = what.partition(" of ")
    return f"{thing}{''.join(f'[{k}]' for k in places)}{of}{owner}"


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300)


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def at_defaults(nodes: Sequence[Node], defaults: dict[str, float]) -> list[float]:
    """Values of static expressions at the parameters' default values."""
    values = {symbol: defaults[symbol.name] for symbol in symbols_of(nodes)}
    return [float(x) for x in interpret(nodes, values)]
