"""Between NumPy's strided arrays and the dense tiles that bodies read and write.

A tile holds the elements of `lanes` members: all lanes of element 0, then of element 1, and so on. Members whose
elements lie next to each other (C order, the usual case) are transposed in registers, whatever the distance between
members; members next to each other are copied as vectors; anything else goes number by number.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from .code import Code, Kind, Module

Shape = tuple[int, ...]
LONG_ROW = 48  # numbers; longer rows are moved by a loop


def _name(stem: str, shape: Shape, kind: Kind) -> str:
    return f"{stem}_{'x'.join(str(n) for n in shape) or '1'}_{kind.suffix}"


def is_dense(code: Code, kind: Kind, shape: Shape, strides: str) -> str:
    """Whether a member's elements lie in C order without gaps."""
    result = "true"
    for axis, extent in enumerate(shape):
        if extent == 1:
            continue
        stride = code.let(f"load i64, ptr {code.offset(strides, 8 * axis)}")
        expected = kind.size * math.prod(shape[axis + 1 :])
        same = code.let(f"icmp eq i64 {stride}, {expected}")
        result = same if result == "true" else code.let(f"and i1 {result}, {same}")
    return result


Visit = Callable[[str, str], None]


def _each(
    code: Code, shape: Shape, base: str, strides: str, visit: Visit, index: str = "0", axis: int = 0
) -> None:
    """visit(pointer, flat index) for every element of a strided block."""
    if axis == len(shape):
        visit(base, index)
        return
    stride = code.let(f"load i64, ptr {code.offset(strides, 8 * axis)}")

    def inner(i: str) -> None:
        flat = code.let(f"add i64 {code.let(f'mul i64 {index}, {shape[axis]}')}, {i}")
        _each(code, shape, code.index(base, stride, i), strides, visit, flat, axis + 1)

    code.loop(str(shape[axis]), inner)


# -- one member ---------------------------------------------------------------------------------------------------


def member_in(module: Module, kind: Kind, shape: Shape) -> str:
    """(base, strides, room) -> where the member lies densely: at base, or in the room, copied there."""

    def write(module: Module, name: str) -> None:
        code = Code(module)
        code.do(f"br i1 {is_dense(code, kind, shape, '%strides')}, label %dense, label %strided")
        code.label("dense")
        code.do("ret ptr %base")
        code.label("strided")
        _each(
            code, shape, "%base", "%strides", lambda p, i: _copy(code, kind, p, code.index("%room", str(kind.size), i))
        )
        code.do("ret ptr %room")
        code.close(name, "ptr %base, ptr %strides, ptr %room", "ptr")

    return module.require(_name("member_in", shape, kind), write)


def member_out(module: Module, kind: Kind, shape: Shape) -> str:
    """(base, strides, room, shared) -> where a result is to be written: at base, if dense and no input is there."""

    def write(module: Module, name: str) -> None:
        code = Code(module)
        apart = code.let("xor i1 %shared, true")
        direct = code.let(f"and i1 {apart}, {is_dense(code, kind, shape, '%strides')}")
        code.do(f"ret ptr {code.let(f'select i1 {direct}, ptr %base, ptr %room')}")
        code.close(name, "ptr %base, ptr %strides, ptr %room, i1 %shared", "ptr")

    return module.require(_name("member_out", shape, kind), write)


def member_return(module: Module, kind: Kind, shape: Shape) -> str:
    """(base, strides, written): copies a result to where it belongs, if it was not written there."""

    def write(module: Module, name: str) -> None:
        code = Code(module)

        def back() -> None:
            _each(
                code, shape, "%base", "%strides",
                lambda p, i: _copy(code, kind, code.index("%written", str(kind.size), i), p),
            )

        code.branch(code.let("icmp ne ptr %base, %written"), back)
        code.do("ret void")
        code.close(name, "ptr %base, ptr %strides, ptr %written")

    return module.require(_name("member_return", shape, kind), write)


def _copy(code: Code, kind: Kind, source: str, target: str) -> None:
    number = code.let(f"load {kind.number}, ptr {source}, align {kind.size}")
    code.do(f"store {kind.number} {number}, ptr {target}, align {kind.size}")


# -- a tile of members --------------------------------------------------------------------------------------------


def tile_in(module: Module, kind: Kind, shape: Shape) -> str:
    """(base, outer stride, strides, tile, count): fills a tile; lanes past count repeat the last member."""
    return module.require(_name("tile_in", shape, kind), lambda m, n: _write_tile(m, n, kind, shape, True))


def tile_out(module: Module, kind: Kind, shape: Shape) -> str:
    """(base, outer stride, strides, tile, count): writes the first `count` members of a tile."""
    return module.require(_name("tile_out", shape, kind), lambda m, n: _write_tile(m, n, kind, shape, False))


def _write_tile(module: Module, name: str, kind: Kind, shape: Shape, inward: bool) -> None:
    code = Code(module)
    full = code.let(f"icmp eq i64 %count, {kind.lanes}")
    side_by_side = code.let(f"and i1 {full}, {code.let(f'icmp eq i64 %outer, {kind.size}')}")
    last = code.let("sub i64 %count, 1")

    def visit(p: str, i: str) -> None:
        place = code.index("%tile", str(kind.width), i)

        def whole() -> None:
            source, target, a, b = (p, place, kind.size, kind.width) if inward else (place, p, kind.width, kind.size)
            value = code.let(f"load {kind.type}, ptr {source}, align {a}")
            code.do(f"store {kind.type} {value}, ptr {target}, align {b}")

        def by_lanes() -> None:
            def lane(j: str) -> None:
                slot = code.index(place, str(kind.size), j)
                if inward:
                    member = code.let(f"select i1 {code.let(f'icmp slt i64 {j}, %count')}, i64 {j}, i64 {last}")
                    _copy(code, kind, code.index(p, "%outer", member), slot)
                else:
                    _copy(code, kind, slot, code.index(p, "%outer", j))

            code.loop(str(kind.lanes) if inward else "%count", lane)

        code.branch(side_by_side, whole, by_lanes)

    _each(code, shape, "%base", "%strides", visit)
    code.do("ret void")
    code.close(name, "ptr %base, i64 %outer, ptr %strides, ptr %tile, i64 %count")


# -- members whose elements lie densely ----------------------------------------------------------------------------


def rows_of(code: Code, kind: Kind, base: str, outer: str) -> list[str]:
    """Pointers to `lanes` members, `outer` bytes apart."""
    return [code.index(base, outer, str(r)) for r in range(kind.lanes)]


def columns_of(kind: Kind, length: int) -> list[range]:
    """The elements of a member in blocks of four, two and one, which are transposed together.

    Four at most: the wider swaps are free in the loads and stores of parts of registers.
    """
    blocks, start = [], 0
    while start < length:
        columns = min(4, kind.lanes)
        while columns > length - start:
            columns //= 2
        blocks.append(range(start, start + columns))
        start += columns
    return blocks


def transpose(code: Code, kind: Kind, length: int, base: str, outer: str, tile: str, inward: bool) -> None:
    """Dense rows of `length` numbers, `outer` bytes apart, to or from a tile."""
    rows = rows_of(code, kind, base, outer)

    def move(places: list[str], columns: int, tile: str) -> None:
        homes = [code.offset(tile, i * kind.width) for i in range(columns)]
        if inward:
            for value, home in zip(columns_in(code, kind, places, columns), homes):
                code.do(f"store {kind.type} {value}, ptr {home}, align {kind.width}")
        else:
            values = [code.let(f"load {kind.type}, ptr {home}, align {kind.width}") for home in homes]
            columns_out(code, kind, places, values)

    blocks = columns_of(kind, length)
    if length > LONG_ROW:  # a loop, lest code grow with the length of rows
        width = len(blocks[0])
        whole = length - length % width

        def block(i: str) -> None:
            move([code.index(row, str(kind.size), i) for row in rows], width, code.index(tile, str(kind.width), i))

        code.loop(str(whole), block, step=str(width))
        blocks = [columns for columns in blocks if columns.start >= whole]
    for columns in blocks:
        places = [code.offset(row, columns.start * kind.size) for row in rows]
        move(places, len(columns), code.offset(tile, columns.start * kind.width))


def columns_in(code: Code, kind: Kind, places: list[str], columns: int) -> list[str]:
    """The next elements of all rows, from these places on, each a value of all lanes."""
    part = kind.with_lanes(columns)
    registers = []
    for i in range(columns):  # register i: rows i, i + columns, i + 2 columns, …
        parts = [
            code.let(f"load {part.type}, ptr {places[r]}, align {kind.size}") for r in range(i, kind.lanes, columns)
        ]
        registers.append(_join(code, part, parts))
    return _swap(code, kind, registers)


def columns_out(code: Code, kind: Kind, places: list[str], values: list[str]) -> None:
    """The other way: values of all lanes become the next elements of all rows."""
    columns = len(values)
    part = kind.with_lanes(columns)
    for i, value in enumerate(_swap(code, kind, values)):
        for r in range(i, kind.lanes, columns):
            first = r - i
            if columns == 1:
                piece = code.let(f"extractelement {kind.type} {value}, i32 {first}")
            else:
                piece = _shuffle(code, kind, value, "poison", range(first, first + columns))
            code.do(f"store {part.type} {piece}, ptr {places[r]}, align {kind.size}")


def _swap(code: Code, kind: Kind, registers: list[str]) -> list[str]:
    """Exchanges the low bits of the lane number with the bits of the register number, one bit at a time."""
    bit = 1
    while bit < len(registers):
        swapped = list(registers)
        for i in range(len(registers)):
            if not i & bit:
                a, b = registers[i], registers[i | bit]
                low = [lane if not lane & bit else kind.lanes + (lane ^ bit) for lane in range(kind.lanes)]
                high = [lane | bit if not lane & bit else kind.lanes + lane for lane in range(kind.lanes)]
                swapped[i], swapped[i | bit] = _shuffle(code, kind, a, b, low), _shuffle(code, kind, a, b, high)
        registers = swapped
        bit *= 2
    return registers


def _join(code: Code, part: Kind, parts: list[str]) -> str:
    """Short vectors, or plain numbers, one after the other in a long one."""
    if part.lanes == 1:
        whole = part.with_lanes(len(parts))
        result = "poison"
        for i, x in enumerate(parts):
            result = code.let(f"insertelement {whole.type} {result}, {part.number} {x}, i32 {i}")
        return result
    while len(parts) > 1:
        parts = [
            _shuffle(code, part, a, b, range(2 * part.lanes)) for a, b in zip(parts[::2], parts[1::2])
        ]
        part = part.with_lanes(2 * part.lanes)
    return parts[0]


def _shuffle(code: Code, kind: Kind, a: str, b: str, lanes: range | list[int]) -> str:
    mask = ", ".join(f"i32 {lane}" for lane in lanes)
    return code.let(f"shufflevector {kind.type} {a}, {kind.type} {b}, <{len(lanes)} x i32> <{mask}>")
