"""Small compiled functions for tests; nothing is kept on the disk unless a test asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from jourdain.graph import Graph, Node, Operation, Role, cos, sin
from jourdain.native import Bound, Cache, Function, compile_program
from jourdain.program import PIECE, Block, Program

Floats = NDArray[Any]
NOWHERE = Cache(None)
PRECISIONS = (np.float64, np.float32)


def compiled(program: Program, dtype: DTypeLike = np.float64, piece: int = PIECE) -> Function:
    """Compiled here and now; the first batch has its own code, however small it is."""
    return compile_program(program, dtype, cache=NOWHERE, piece=piece, patience=0)


def function_of(
    inputs: Sequence[Node], outputs: Sequence[Node], dtype: DTypeLike = np.float64, piece: int = PIECE
) -> Bound:
    """One vector in, one vector out, no parameters."""
    blocks = (Block("x", tuple(inputs)),), Block("parameters", ()), (Block("y", tuple(outputs)),)
    return compiled(Program("sample", *blocks), dtype, piece).bind()


def operation(op: Operation, dtype: DTypeLike = np.float64) -> Bound:
    """One operation, its operands one vector."""
    graph = Graph()
    operands = [graph.symbol(f"x{i}", Role.INPUT) for i in range(op.arity)]
    return function_of(operands, [graph.apply(op, *operands)], dtype)


def arm(name: str = "arm", constant: float = 0.5) -> Program:
    """q (3,), u (3,), scale () -> a (3,), B (3, 2), c (); two parameters. A bit of everything that shapes can be."""
    graph = Graph()
    q = [graph.symbol(f"q{i}", Role.COORDINATE) for i in range(3)]
    u = [graph.symbol(f"u{i}", Role.SPEED) for i in range(3)]
    scale = graph.symbol("scale", Role.INPUT)
    k, m = (graph.symbol(name, Role.PARAMETER) for name in "km")
    a = [scale * sin(q[i]) + m * u[i] * u[(i + 1) % 3] - cos(q[(i + 2) % 3]) / (k * k + 1.0) for i in range(3)]
    b = [a[i] * q[j] - u[j] * constant for i in range(3) for j in range(2)]
    c = a[0] * a[1] + a[2] * m - sin(a[1]) * scale
    inputs = (Block("q", tuple(q)), Block("u", tuple(u)), Block("scale", (scale,), ()))
    outputs = (Block("a", tuple(a)), Block("B", tuple(b), (3, 2)), Block("c", (c,), ()))
    return Program(name, inputs, Block("parameters", (k, m)), outputs)


PARAMETERS = (0.7, 1.3)


def bits(x: Floats) -> NDArray[Any]:
    """The bit patterns; all NaNs are one."""
    whole: Any = np.uint64 if x.dtype == np.float64 else np.uint32
    return np.ascontiguousarray(np.where(np.isnan(x), x.dtype.type(np.nan), x)).view(whole)


def assert_same(a: Floats, b: Floats) -> None:
    """Equal to the last bit, signs of zeros included."""
    assert a.shape == b.shape
    assert a.dtype == b.dtype
    different = np.flatnonzero(bits(a).ravel() != bits(b).ravel())
    assert not different.size, f"{different.size} differ, {a.flat[different[0]]} from {b.flat[different[0]]} for one"


def ulps(a: Floats, b: Floats) -> Floats:
    """The distance in units in the last place: how many numbers of the format lie between, 0 for two NaNs."""
    def place(x: Floats) -> Any:
        whole: Any = np.int64 if x.dtype == np.float64 else np.int32
        i = np.ascontiguousarray(x).view(whole).astype(object)
        least = int(np.iinfo(whole).min)
        return np.where(i < 0, least - i, i)

    both = np.isnan(a) & np.isnan(b)
    distance = np.abs(place(a) - place(b))
    return np.where(both, 0, distance)
