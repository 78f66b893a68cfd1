"""Numbers and sections of WebAssembly's binary form: reading and writing.

WebAssembly Core Specification 2.0, section 5: whole numbers are LEB128, names and vectors go after their length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

MAGIC = b"\0asm\x01\0\0\0"
PADDED = 5  # bytes of a number that a linker may fill in
Item = TypeVar("Item")


class FormError(ValueError):
    """Bytes that are no WebAssembly, or more of it than is known here."""


class Reader:
    """Bytes from a place on; nothing is read past the end."""

    def __init__(self, data: bytes, place: int = 0, end: int | None = None) -> None:
        self.data, self.place = data, place
        self.end = len(data) if end is None else end

    @property
    def is_at_end(self) -> bool:
        return self.place >= self.end

    def take(self, count: int) -> bytes:
        """So many bytes."""
        if count > self.end - self.place:
            raise FormError(f"{count} bytes are to follow byte {self.place}, where {self.end - self.place} are left")
        self.place += count
        return self.data[self.place - count : self.place]

    def byte(self) -> int:
        return self.take(1)[0]

    def whole(self) -> int:
        """An unsigned number."""
        return self._leb()[0]

    def signed(self) -> int:
        value, bits, last = self._leb()
        return value - (1 << bits) if last & 0x40 else value

    def _leb(self) -> tuple[int, int, int]:
        value = bits = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << bits
            bits += 7
            if not byte & 0x80:
                return value, bits, byte
            if bits >= 70:
                raise FormError(f"the number that ends at byte {self.place} is too long")

    def text(self) -> str:
        return self.take(self.whole()).decode("utf-8")

    def several(self, read: Callable[[], Item]) -> list[Item]:
        """A vector."""
        return [read() for _ in range(self.whole())]

    def part(self, count: int) -> Reader:
        """A reader of the next bytes alone; this one goes on after them."""
        start = self.place
        self.take(count)
        return Reader(self.data, start, self.place)


def whole(value: int) -> bytes:
    """An unsigned number."""
    found = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        found.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(found)


def signed(value: int) -> bytes:
    found = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        done = value == (-1 if byte & 0x40 else 0)
        found.append(byte | (0 if done else 0x80))
        if done:
            return bytes(found)


def padded(value: int) -> bytes:
    """An unsigned number of 32 bits, or the low 32 of a signed one, in five bytes."""
    return bytes([*(value >> 7 * k & 0x7F | 0x80 for k in range(PADDED - 1)), value >> 28 & 0x7F])


def text(value: str) -> bytes:
    data = value.encode("utf-8")
    return whole(len(data)) + data


def several(items: Iterable[bytes]) -> bytes:
    """A vector."""
    listed = list(items)
    return whole(len(listed)) + b"".join(listed)


def section(number: int, content: bytes) -> bytes:
    return bytes([number]) + whole(len(content)) + content
