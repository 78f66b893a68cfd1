"""Object files become one module: functions are numbered, data placed, and what the objects left open is filled in.

Memory begins with the stack, which grows down, so that running out of it is trapped and never overwrites anything; data
follow; what lies behind is the caller's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .bytes import MAGIC, PADDED, FormError, padded, section, several, signed, text, whole
from .object_file import FUNCTION, MEMORY, STACK_POINTER, TABLE, Object, Relocation, Symbol, read_object

PAGE = 1 << 16  # bytes
ALIGN = 64
FUNCREF, I32 = b"\x70", b"\x7f"
MEMORY_IMPORT = ("env", "memory")
TABLE_EXPORT = "functions"


@dataclass(frozen=True)
class Linked:
    """The module, the first byte of memory that it leaves to others, and names of the functions that it imports."""

    code: bytes
    free: int
    imported: tuple[str, ...]


class LinkError(ValueError):
    """Objects that do not fit together."""


def link(
    groups: Mapping[str, Sequence[bytes]], entry: str, stack: int, imports: Mapping[str, tuple[str, str]]
) -> Linked:
    """groups: by the name of its export, the objects of each `entry`; names are looked for within a group alone.

    stack: bytes of it. imports: where functions come from that no object has, by name.
    """
    return _Linker(groups, stack, imports).module(entry)


Place = tuple[str, int, int]
"""A group, an object of it, and the index of something in that."""


class _Linker:
    def __init__(
        self, groups: Mapping[str, Sequence[bytes]], stack: int, imports: Mapping[str, tuple[str, str]]
    ) -> None:
        self.stack, self.known = -(-stack // ALIGN) * ALIGN, imports
        self.groups: dict[str, list[Object]] = {name: [read_object(x) for x in group] for name, group in groups.items()}
        self.types: dict[bytes, int] = {}
        self.imports: dict[tuple[str, str, int], int] = {}
        self.defined: dict[str, dict[tuple[str, str], tuple[int, Symbol]]] = {name: {} for name in groups}
        self.numbers: dict[Place, int] = {}
        self.addresses: dict[Place, int] = {}
        self.table: dict[int, int] = {}  # function -> its place, from 1
        self.free = self.stack
        self._define()
        self._import()
        self._number()
        self._place()

    # -- what is where --------------------------------------------------------------------------------------------

    def _define(self) -> None:
        for group, objects in self.groups.items():
            known = self.defined[group]
            for k, x in enumerate(objects):
                for symbol in x.symbols:
                    if symbol.is_defined and not symbol.is_local:
                        if (symbol.kind, symbol.name) in known:
                            raise LinkError(f"{symbol.name!r} is defined twice in {group!r}")
                        known[symbol.kind, symbol.name] = k, symbol

    def _import(self) -> None:
        """Functions of elsewhere come first."""
        for group, objects in self.groups.items():
            for x in objects:
                for symbol in x.symbols:
                    if symbol.kind == "function" and not self._is_here(group, symbol):
                        home = self.known.get(symbol.name)
                        if home is None:
                            raise LinkError(f"{group!r} calls a function {symbol.name!r}, which nobody provides")
                        type_ = self._type(x, x.imported[symbol.place][1])
                        self.imports.setdefault((*home, type_), len(self.imports))

    def _number(self) -> None:
        count = len(self.imports)
        for group, objects in self.groups.items():
            for k, x in enumerate(objects):
                for i in range(len(x.functions)):
                    self.numbers[group, k, i + len(x.imported)] = count
                    count += 1

    def _place(self) -> None:
        for group, objects in self.groups.items():
            for k, x in enumerate(objects):
                for i, segment in enumerate(x.segments):
                    self.free = -(-self.free // segment.align) * segment.align
                    self.addresses[group, k, i] = self.free
                    self.free += len(segment.content)
        self.free = -(-self.free // ALIGN) * ALIGN

    def _is_here(self, group: str, symbol: Symbol) -> bool:
        return symbol.is_defined or (symbol.kind, symbol.name) in self.defined[group]

    def _type(self, x: Object, index: int) -> int:
        return self.types.setdefault(x.types[index], len(self.types))

    def _home(self, group: str, k: int, symbol: Symbol) -> tuple[int, Symbol]:
        """The object that defines a symbol, and as what."""
        return (k, symbol) if symbol.is_defined else self.defined[group][symbol.kind, symbol.name]

    def _function(self, group: str, k: int, symbol: Symbol) -> int:
        if not self._is_here(group, symbol):
            x = self.groups[group][k]
            return self.imports[*self.known[symbol.name], self._type(x, x.imported[symbol.place][1])]
        home, own = self._home(group, k, symbol)
        return self.numbers[group, home, own.place]

    def _address(self, group: str, k: int, symbol: Symbol) -> int:
        if not self._is_here(group, symbol):
            raise LinkError(f"{group!r} needs {symbol.name!r}, which nobody provides")
        home, own = self._home(group, k, symbol)
        return self.addresses[group, home, own.place] + own.offset

    # -- filling in -----------------------------------------------------------------------------------------------

    def _value(self, group: str, k: int, relocation: Relocation) -> int:
        x = self.groups[group][k]
        if relocation.kind == "TYPE_INDEX_LEB":
            return self._type(x, relocation.symbol)
        symbol = x.symbols[relocation.symbol]
        if relocation.kind.startswith("MEMORY_ADDR") and symbol.kind == "data":
            return self._address(group, k, symbol) + relocation.addend
        if relocation.kind == "FUNCTION_INDEX_LEB" and symbol.kind == "function":
            return self._function(group, k, symbol)
        if relocation.kind.startswith("TABLE_INDEX") and symbol.kind == "function":
            return self.table.setdefault(self._function(group, k, symbol), len(self.table) + 1)
        if (relocation.kind, symbol.name) == ("GLOBAL_INDEX_LEB", STACK_POINTER) or (
            relocation.kind == "TABLE_NUMBER_LEB" and symbol.kind == "table"
        ):
            return 0
        raise FormError(f"a relocation {relocation.kind} of {symbol.kind} {symbol.name!r} is not known")

    def _filled(self, group: str, k: int, name: str, content: bytes) -> bytes:
        """The content of a section, complete."""
        found = bytearray(content)
        for relocation in self.groups[group][k].relocations.get(name, ()):
            value, at = self._value(group, k, relocation), relocation.offset
            new = (value & 0xFFFFFFFF).to_bytes(4, "little") if relocation.kind.endswith("I32") else padded(value)
            length = 4 if relocation.kind.endswith("I32") else PADDED
            if at + length > len(found):
                raise FormError(f"a relocation {relocation.kind} lies outside its section")
            found[at : at + length] = new
        return bytes(found)

    # -- the module -----------------------------------------------------------------------------------------------

    def module(self, entry: str) -> Linked:
        codes: list[bytes] = []
        functions: list[bytes] = []
        data: list[bytes] = []
        exports = []
        for group, objects in self.groups.items():
            found = self.defined[group].get(("function", entry))
            if found is None:
                raise LinkError(f"{group!r} has no function {entry!r}")
            exports.append(text(group) + bytes([FUNCTION]) + whole(self._function(group, *found)))
            for k, x in enumerate(objects):
                functions += [whole(self._type(x, i)) for i in x.functions]
                filled = self._filled(group, k, "CODE", x.code)
                codes += [whole(b - a) + filled[a:b] for a, b in x.bodies]
                data += self._segments(group, k, x)
        if any(x.uses_table for objects in self.groups.values() for x in objects) or self.table:
            exports.append(text(TABLE_EXPORT) + bytes([TABLE]) + whole(0))
        imported = tuple(dict.fromkeys(name for _, name, _ in self.imports))
        return Linked(self._written(functions, exports, codes, data), self.free, imported)

    def _segments(self, group: str, k: int, x: Object) -> list[bytes]:
        """Data; zeros need not be said."""
        found = []
        content = self._data(group, k, x)
        for i, (segment, filled) in enumerate(zip(x.segments, content)):
            if any(filled):
                place = b"\x41" + signed(self.addresses[group, k, i]) + b"\x0b"
                found.append(whole(0) + place + whole(len(segment.content)) + filled)
        return found

    def _data(self, group: str, k: int, x: Object) -> list[bytes]:
        end = max((y.start + len(y.content) for y in x.segments), default=0)
        section_ = bytearray(end)
        for y in x.segments:
            section_[y.start : y.start + len(y.content)] = y.content
        filled = self._filled(group, k, "DATA", bytes(section_))
        return [filled[y.start : y.start + len(y.content)] for y in x.segments]

    def _written(self, functions: list[bytes], exports: list[bytes], codes: list[bytes], data: list[bytes]) -> bytes:
        imports = [text(a) + text(b) + bytes([FUNCTION]) + whole(type_) for a, b, type_ in self.imports]
        pages = whole(-(-self.free // PAGE))
        imports.append(text(MEMORY_IMPORT[0]) + text(MEMORY_IMPORT[1]) + bytes([MEMORY]) + b"\0" + pages)
        pointer = I32 + b"\x01\x41" + signed(self.stack) + b"\x0b"  # may be changed; begins at the top
        parts = [
            (1, several(self.types)), (2, several(imports)), (3, several(functions)),
            (4, several([FUNCREF + b"\0" + whole(len(self.table) + 1)])), (6, several([pointer])),
            (7, several(exports)), (9, self._elements()), (10, several(codes)), (11, several(data) if data else b""),
        ]  # fmt: skip
        return MAGIC + b"".join(section(number, content) for number, content in parts if content)

    def _elements(self) -> bytes:
        if not self.table:
            return b""
        return several([whole(0) + b"\x41\x01\x0b" + several(whole(x) for x in self.table)])
