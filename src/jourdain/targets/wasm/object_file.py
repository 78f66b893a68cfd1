"""What LLVM leaves behind for WebAssembly: an object file, read whole; what is not known is refused by its name.

WebAssembly tool conventions, "WebAssembly Object File Linking".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .bytes import MAGIC, FormError, Reader

FUNCTION, TABLE, MEMORY, GLOBAL = range(4)  # kinds of imports and exports
SYMBOL_KINDS = {0: "function", 1: "data", 2: "global", 3: "section", 4: "tag", 5: "table"}
LOCAL, UNDEFINED, NAMED = 0x02, 0x10, 0x40
# Relocations that are known: number -> name, and whether something is to be added.
RELOCATIONS = {
    0: ("FUNCTION_INDEX_LEB", False), 1: ("TABLE_INDEX_SLEB", False), 2: ("TABLE_INDEX_I32", False),
    3: ("MEMORY_ADDR_LEB", True), 4: ("MEMORY_ADDR_SLEB", True), 5: ("MEMORY_ADDR_I32", True),
    6: ("TYPE_INDEX_LEB", False), 7: ("GLOBAL_INDEX_LEB", False), 20: ("TABLE_NUMBER_LEB", False),
}  # fmt: skip
STACK_POINTER, MEMORY_NAME, TABLE_NAME = "__stack_pointer", "__linear_memory", "__indirect_function_table"
LARGEST_ALIGN = 6  # power of two: where data begin
SKIPPED = ("producers", "target_features", "name")  # sections that say nothing about the code


@dataclass(frozen=True)
class Symbol:
    """place: index of a function, global or table; of a datum its segment, where `offset` is within."""

    kind: str
    name: str
    is_local: bool
    is_defined: bool
    place: int = 0
    offset: int = 0


@dataclass(frozen=True)
class Relocation:
    """Where a section is to be completed: bytes from its content's start; symbol: a type's index for TYPE_INDEX_LEB."""

    kind: str
    offset: int
    symbol: int
    addend: int


@dataclass
class Segment:
    """Bytes of memory. start: of their content in the section."""

    content: bytes
    start: int
    align: int = 1
    name: str = ""


@dataclass
class Object:
    """imported: name and type of each function of elsewhere. functions: types of those that follow. bodies: where
    these lie in `code`."""

    types: list[bytes] = field(default_factory=list)
    imported: list[tuple[str, int]] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    uses_table: bool = False
    functions: list[int] = field(default_factory=list)
    code: bytes = b""
    bodies: list[tuple[int, int]] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    relocations: dict[str, list[Relocation]] = field(default_factory=dict)


def read_object(data: bytes) -> Object:
    """FormError says what is not known."""
    try:
        return _read(data)
    except (IndexError, UnicodeDecodeError) as error:
        raise FormError(f"the object file is broken: {error}") from error


def _read(data: bytes) -> Object:
    if data[: len(MAGIC)] != MAGIC:
        raise FormError("this is no WebAssembly object file of version 1")
    reader, found = Reader(data, len(MAGIC)), Object()
    sections: dict[int, Callable[[Object, Reader], None]] = {
        0: _custom, 1: _types, 2: _imports, 3: _functions, 9: _elements, 10: _code, 11: _data, 12: _data_count,
    }  # fmt: skip
    while not reader.is_at_end:
        number = reader.byte()
        content = reader.part(reader.whole())
        if number not in sections:
            raise FormError(f"an object file with a section of number {number} is not known")
        sections[number](found, content)
    return found


def _types(found: Object, reader: Reader) -> None:
    def one() -> bytes:
        start = reader.place
        form = reader.byte()
        if form != 0x60:
            raise FormError(f"a type of form {form:#x} is not known")
        for _ in range(2):
            reader.several(reader.byte)
        return reader.data[start : reader.place]

    found.types = reader.several(one)


def _imports(found: Object, reader: Reader) -> None:
    def one() -> None:
        reader.text()
        name, kind = reader.text(), reader.byte()
        if kind == FUNCTION:
            found.imported.append((name, reader.whole()))
        elif kind == GLOBAL and name == STACK_POINTER:
            reader.take(2)
            found.globals.append(name)
        elif (kind == MEMORY and name == MEMORY_NAME) or (kind == TABLE and name == TABLE_NAME):
            found.uses_table |= kind == TABLE
            if kind == TABLE:
                reader.byte()
            _limits(reader)
        else:
            raise FormError(f"an import {name!r} of kind {kind} is not known")

    reader.several(one)


def _limits(reader: Reader) -> None:
    flags = reader.byte()
    if flags > 1:
        raise FormError(f"a memory or table of flags {flags} (shared, or of 64 bits) is not known")
    for _ in range(1 + flags):
        reader.whole()


def _functions(found: Object, reader: Reader) -> None:
    found.functions = reader.several(reader.whole)


def _elements(found: Object, reader: Reader) -> None:
    """Functions whose addresses are taken; the relocations say the same."""


def _data_count(found: Object, reader: Reader) -> None:
    """How many segments there are, which is seen."""


def _code(found: Object, reader: Reader) -> None:
    start = reader.place
    found.code = reader.data[start : reader.end]

    def one() -> tuple[int, int]:
        length = reader.whole()
        begin = reader.place
        reader.take(length)
        return begin - start, reader.place - start

    found.bodies = reader.several(one)


def _data(found: Object, reader: Reader) -> None:
    start = reader.place

    def one() -> Segment:
        mode = reader.whole()
        if mode != 0:
            raise FormError(f"a data segment of mode {mode} is not known")
        if reader.byte() != 0x41:
            raise FormError("a data segment begins at something else than a constant")
        reader.signed()
        reader.byte()
        length = reader.whole()
        begin = reader.place
        return Segment(reader.take(length), begin - start)

    found.segments = reader.several(one)


def _custom(found: Object, reader: Reader) -> None:
    name = reader.text()
    if name == "linking":
        _linking(found, reader)
    elif name in ("reloc.CODE", "reloc.DATA"):
        reader.whole()  # the section, by its number
        found.relocations[name.removeprefix("reloc.")] = reader.several(lambda: _relocation(reader))
    elif name not in SKIPPED:
        raise FormError(f"an object file with a section {name!r} is not known")


def _relocation(reader: Reader) -> Relocation:
    number = reader.byte()
    if number not in RELOCATIONS:
        raise FormError(f"a relocation of number {number} is not known")
    name, adds = RELOCATIONS[number]
    return Relocation(name, reader.whole(), reader.whole(), reader.signed() if adds else 0)


def _linking(found: Object, reader: Reader) -> None:
    version = reader.whole()
    if version != 2:
        raise FormError(f"version {version} of linking is not known")
    while not reader.is_at_end:
        number = reader.byte()
        content = reader.part(reader.whole())
        if number == 5:
            for segment in found.segments[: content.whole()]:
                segment.name = content.text()
                power, flags = content.whole(), content.whole()
                if power > LARGEST_ALIGN or flags & ~1:
                    raise FormError(f"segment {segment.name!r} of alignment 2^{power} and flags {flags} is not known")
                segment.align = 1 << power
        elif number == 8:
            found.symbols = [_symbol(found, content) for _ in range(content.whole())]
        else:
            what = {6: "functions that run at the start", 7: "groups of sections"}.get(number, f"part {number}")
            raise FormError(f"linking with {what} is not known")


def _symbol(found: Object, reader: Reader) -> Symbol:
    number, flags = reader.byte(), reader.whole()
    kind = SYMBOL_KINDS.get(number, str(number))
    local, defined = bool(flags & LOCAL), not flags & UNDEFINED
    if kind == "data":
        name = reader.text()
        if not defined:
            return Symbol(kind, name, local, False)
        place, offset, _ = (reader.whole() for _ in range(3))
        return Symbol(kind, name, local, True, place, offset)
    if kind not in ("function", "global", "table"):
        raise FormError(f"a symbol of kind {kind} is not known")
    place = reader.whole()
    if defined or flags & NAMED:
        name = reader.text()
    elif kind == "function":
        name = found.imported[place][0]
    else:
        name = found.globals[place] if kind == "global" else TABLE_NAME
    return Symbol(kind, name, local, defined, place)
