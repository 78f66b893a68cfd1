"""LLVM IR as text: number formats, and a function under construction."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable
from dataclasses import dataclass

# Groups of function attributes.
PLAIN, COLD, UNOPTIMIZED = 0, 1, 2


@dataclass(frozen=True)
class Kind:
    """The type of a graph value: one number, or a vector of `lanes` numbers."""

    bits: int  # 64 or 32
    lanes: int = 1

    @functools.cached_property
    def number(self) -> str:
        return {64: "double", 32: "float"}[self.bits]

    @functools.cached_property
    def size(self) -> int:
        """Bytes of one number."""
        return self.bits // 8

    @functools.cached_property
    def width(self) -> int:
        """Bytes of the whole value."""
        return self.size * self.lanes

    def of(self, element: str) -> str:
        """The type with this element in every lane."""
        return element if self.lanes == 1 else f"<{self.lanes} x {element}>"

    @functools.cached_property
    def type(self) -> str:
        return self.of(self.number)

    @functools.cached_property
    def integer(self) -> str:
        return self.of(f"i{self.bits}")

    @functools.cached_property
    def flag(self) -> str:
        return self.of("i1")

    @functools.cached_property
    def suffix(self) -> str:
        """As intrinsics spell the type."""
        return f"f{self.bits}" if self.lanes == 1 else f"v{self.lanes}f{self.bits}"

    def literal(self, value: float) -> str:
        """A constant in every lane, to the last bit."""
        if self.bits == 32:  # IR spells float constants as the double of the same value
            try:
                value = struct.unpack("<f", struct.pack("<f", value))[0]
            except OverflowError:
                value = float("inf") if value > 0 else float("-inf")
        bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return bits if self.lanes == 1 else f"splat ({self.number} {bits})"

    def whole(self, value: int) -> str:
        """An integer constant in every lane."""
        return str(value) if self.lanes == 1 else f"splat (i{self.bits} {value})"

    def with_lanes(self, lanes: int) -> Kind:
        return Kind(self.bits, lanes)


class Module:
    """Functions and the declarations they asked for."""

    def __init__(self, attributes: str) -> None:
        self.attributes = attributes
        self.functions: dict[str, str] = {}
        self.declarations: dict[str, str] = {}

    def declare(self, signature: str, name: str = "") -> None:
        """Says what a function of elsewhere looks like; `name` where it may turn out to be written here."""
        self.declarations[signature] = name

    def require(self, name: str, write: Callable[[Module, str], None]) -> str:
        """A helper function, written when first asked for."""
        if name not in self.functions:
            self.functions[name] = ""
            write(self, name)
        return name

    def text(self) -> str:
        return "\n".join([
            *(f"declare {signature}" for signature, name in self.declarations.items() if name not in self.functions),
            *self.functions.values(), f"attributes #{PLAIN} = {{ nounwind {self.attributes} }}",
            f"attributes #{COLD} = {{ nounwind noinline cold {self.attributes} }}",
            f"attributes #{UNOPTIMIZED} = {{ nounwind noinline optnone {self.attributes} }}",
            '!0 = !{!"branch_weights", i32 1, i32 1000000}', "!1 = !{}", "",
        ])


class Code:
    """The body of one function: `let` gives a value its name."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.entry: list[str] = []  # allocas: outside the entry block they would grow the stack
        self.lines: list[str] = []
        self.block = "entry"
        self._count = 0

    def fresh(self, stem: str = "v") -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def let(self, text: str) -> str:
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append("  " + text)

    def label(self, name: str) -> None:
        self.block = name
        self.lines.append(f"{name}:")

    def reserve(self, size: int, align: int = 64) -> str:
        """Bytes on the stack for the time of the call."""
        name = f"%{self.fresh('room')}"
        self.entry.append(f"  {name} = alloca [{size} x i8], align {align}")
        return name

    def loop(self, count: str, body: Callable[[str], None], start: str = "0", step: str = "1") -> None:
        """body(i) for i = start, start + step, … below count."""
        stem = self.fresh("loop")
        before, i = self.block, f"%{stem}.i"
        self.do(f"br label %{stem}.head")
        self.label(f"{stem}.head")
        self.do(f"{i} = phi i64 [ {start}, %{before} ], [ {i}.next, %{stem}.latch ]")
        more = self.let(f"icmp slt i64 {i}, {count}")
        self.do(f"br i1 {more}, label %{stem}.body, label %{stem}.exit")
        self.label(f"{stem}.body")
        body(i)
        self.do(f"br label %{stem}.latch")
        self.label(f"{stem}.latch")
        self.do(f"{i}.next = add i64 {i}, {step}")
        self.do(f"br label %{stem}.head")
        self.label(f"{stem}.exit")

    def repeat(self, condition: Callable[[], str], body: Callable[[], None]) -> None:
        """body() while condition() says so."""
        stem = self.fresh("while")
        self.do(f"br label %{stem}.head")
        self.label(f"{stem}.head")
        self.do(f"br i1 {condition()}, label %{stem}.body, label %{stem}.exit")
        self.label(f"{stem}.body")
        body()
        self.do(f"br label %{stem}.head")
        self.label(f"{stem}.exit")

    def branch(self, condition: str, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Two ways that meet again."""
        stem = self.fresh("if")
        other = f"{stem}.else" if otherwise else f"{stem}.end"
        self.do(f"br i1 {condition}, label %{stem}.then, label %{other}")
        self.label(f"{stem}.then")
        then()
        self.do(f"br label %{stem}.end")
        if otherwise:
            self.label(other)
            otherwise()
            self.do(f"br label %{stem}.end")
        self.label(f"{stem}.end")

    def offset(self, base: str, byte_count: str | int) -> str:
        """A pointer so many bytes on."""
        return base if byte_count == 0 else self.let(f"getelementptr i8, ptr {base}, i64 {byte_count}")

    def index(self, base: str, stride: str, i: str) -> str:
        """A pointer i strides on."""
        return self.offset(base, self.let(f"mul i64 {i}, {stride}"))

    def fma(self, kind: Kind, a: str, b: str, c: str) -> str:
        name = f"@llvm.fma.{kind.suffix}"
        self.module.declare(f"{kind.type} {name}({kind.type}, {kind.type}, {kind.type})")
        return self.let(f"call {kind.type} {name}({kind.type} {a}, {kind.type} {b}, {kind.type} {c})")

    def intrinsic(self, name: str, kind: Kind, a: str) -> str:
        """A one-operand intrinsic of the kind's own type."""
        self.module.declare(f"{kind.type} @llvm.{name}.{kind.suffix}({kind.type})")
        return self.let(f"call {kind.type} @llvm.{name}.{kind.suffix}({kind.type} {a})")

    def close(
        self, name: str, parameters: str, result: str = "void", linkage: str = "internal ", group: int = PLAIN
    ) -> None:
        """Puts the finished function into the module."""
        lines = [f"define {linkage}{result} @{name}({parameters}) #{group} {{", "entry:", *self.entry, *self.lines, "}"]
        self.module.functions[name] = "\n".join(lines)
