"""The linker: functions, data, tables, several objects; what it does not know it refuses by its name."""

from __future__ import annotations

from typing import Any

import pytest
import wasmtime

from jourdain.targets.wasm.bytes import MAGIC, FormError, Reader, padded, section, several, signed, text, whole
from jourdain.targets.wasm.link import LinkError, link
from jourdain.targets.wasm.machine import assemble
from jourdain.targets.wasm.object_file import read_object

FIRST = """
@names = internal constant [3 x ptr] [ptr @twice, ptr @other, ptr null], align 4
@big = internal global [1000000 x i8] zeroinitializer, align 64
@count = hidden global i64 41, align 8
declare hidden double @other(double)
declare double @jourdain_exp(double)
define internal double @twice(double %x) noinline { %y = fadd double %x, %x ret double %y }
define double @procedure(double %x, i32 %which) {
  %room = alloca [1000 x i8], align 64
  %at = mul i32 %which, 60
  %end = getelementptr double, ptr %room, i32 %at
  store volatile double %x, ptr %end
  %place = getelementptr ptr, ptr @names, i32 %which
  %f = load ptr, ptr %place
  %y = call double %f(double %x)
  %n = load volatile i64, ptr @count
  %more = add i64 %n, 1
  store volatile i64 %more, ptr @count
  store volatile i8 1, ptr getelementptr (i8, ptr @big, i32 999999)
  %d = sitofp i64 %more to double
  %z = fadd double %y, %d
  %e = call double @jourdain_exp(double 0.0)
  %w = fadd double %z, %e
  %kept = load volatile double, ptr %end
  %same = fcmp oeq double %kept, %x
  %answer = select i1 %same, double %w, double 0.0
  ret double %answer
}
"""
SECOND = """
@values = internal constant [4 x double] [double 0.5, double 1.5, double 2.5, double 3.5], align 16
define hidden double @other(double %x) noinline {
  %i = fptosi double %x to i32
  %place = getelementptr double, ptr @values, i32 %i
  %y = load volatile double, ptr %place
  ret double %y
}
"""
STARTED = """
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]
@g = global i32 0
define internal void @f() { store volatile i32 1, ptr @g ret void }
"""
DEBUGGED = """
@g = global i32 1, !dbg !4
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug, globals: !3)
!1 = !DIFile(filename: "a", directory: "b")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{!4}
!4 = !DIGlobalVariableExpression(var: !5, expr: !DIExpression())
!5 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 1, type: !6)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"""
IMPORTS = {"jourdain_exp": ("math", "exp")}


def objects(*sources: str) -> list[bytes]:
    return [assemble(x).code for x in sources]


def instance(code: bytes, memory_bytes: int) -> tuple[Any, Any, Any]:
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, code)
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(-(-memory_bytes // 65536), None)))
    kind = wasmtime.FuncType([wasmtime.ValType.f64()], [wasmtime.ValType.f64()])
    exp = wasmtime.Func(store, kind, lambda x: 1.0 + x)
    given: list[Any] = [memory if x.name == "memory" else exp for x in module.imports]
    return store, memory, wasmtime.Instance(store, module, given).exports(store)


def test_tables_data_stack_and_imports() -> None:
    made = link({"a": objects(FIRST, SECOND), "b": objects(SECOND, FIRST)}, "procedure", 4096, IMPORTS)
    assert len(made.code) < 2500, "zeros are not written down"
    assert made.free > 1_000_000 and made.free % 64 == 0
    store, _, exports = instance(made.code, made.free)
    for name in "ab":
        call = exports[name]
        assert call(store, 3.0, 0) == 6.0 + 42 + 1
        assert call(store, 3.0, 1) == 3.5 + 43 + 1
        assert call(store, 1.0, 1) == 1.5 + 44 + 1
        with pytest.raises(wasmtime.Trap):
            call(store, 1.0, 2)
    assert isinstance(exports["functions"], wasmtime.Table)


def test_the_stack_does_not_run_into_anything() -> None:
    """Out of stack is out of memory, which is trapped."""
    made = link({"a": objects(FIRST, SECOND)}, "procedure", 512, IMPORTS)
    store, _, exports = instance(made.code, made.free)
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        exports["a"](store, 3.0, 0)


def test_the_room_that_functions_need_is_counted() -> None:
    assert 1000 < assemble(FIRST).stack < 1500
    assert assemble(SECOND).stack == 0


@pytest.mark.parametrize(
    ("groups", "imports", "said"),
    [
        ({"a": [FIRST]}, IMPORTS, "'a' calls a function 'other', which nobody provides"),
        ({"a": [FIRST, SECOND]}, {}, "'a' calls a function 'jourdain_exp', which nobody provides"),
        ({"a": [FIRST, SECOND, SECOND]}, IMPORTS, "'other' is defined twice in 'a'"),
        ({"a": [SECOND]}, IMPORTS, "'a' has no function 'procedure'"),
        ({"a": [FIRST], "b": [SECOND]}, IMPORTS, "'a' calls a function 'other'"),
        (
            {"a": ["@far = external global i64\ndefine i64 @procedure() { %x = load i64, ptr @far ret i64 %x }"]},
            {}, "'a' needs 'far', which nobody provides",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_together(groups: Any, imports: Any, said: str) -> None:
    with pytest.raises(LinkError, match=said):
        link({name: objects(*sources) for name, sources in groups.items()}, "procedure", 4096, imports)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            STARTED,
            "linking with functions that run at the start is not known",
        ),
        ("$f = comdat any\ndefine void @f() comdat { ret void }", "linking with groups of sections is not known"),
        (
            DEBUGGED,
            r"a section '\.debug",
        ),
    ],
)  # fmt: skip
def test_what_llvm_may_do_that_is_not_known(source: str, said: str) -> None:
    with pytest.raises(FormError, match=said):
        read_object(assemble(source).code)


def custom(name: str, content: bytes) -> bytes:
    return section(0, text(name) + content)


def imported(kind: int, rest: bytes, name: str = "x") -> bytes:
    return section(2, several([text("env") + text(name) + bytes([kind]) + rest]))


def linking(content: bytes, version: int = 2) -> bytes:
    return custom("linking", whole(version) + content)


BROKEN: dict[str, tuple[bytes, str]] = {
    "no magic": (b"\x7fELF", "no WebAssembly object file"),
    "a section of number 13": (MAGIC + section(13, b""), "section of number 13"),
    "cut off": (MAGIC + b"\x01\x20\x00", "32 bytes are to follow byte 10, where 1 are left"),
    "a number without end": (MAGIC + b"\x01" + b"\xff" * 12, "is too long"),
    "a type of another form": (MAGIC + section(1, several([b"\x5f\x00"])), "a type of form 0x5f"),
    "an imported tag": (MAGIC + imported(4, b"\0\0"), "an import 'x' of kind 4"),
    "another global": (MAGIC + imported(3, b"\x7f\x01"), "an import 'x' of kind 3"),
    "shared memory": (MAGIC + imported(2, b"\x03\x01\x02", "__linear_memory"), "a memory or table of flags 3"),
    "passive data": (MAGIC + section(11, several([b"\x01\x00"])), "a data segment of mode 1"),
    "data at a global": (MAGIC + section(11, several([b"\x00\x23\x00\x0b\x00"])), "something else than a constant"),
    "a custom section": (MAGIC + custom("dylink.0", b""), "a section 'dylink.0'"),
    "a relocation": (MAGIC + custom("reloc.CODE", whole(3) + several([b"\x0b\x00\x00\x00"])), "of number 11 is"),
    "a symbol of no import": (MAGIC + linking(section(8, several([b"\x00\x10\x05"]))), "is broken"),
    "another version": (MAGIC + linking(b"", 1), "version 1 of linking"),
    "thread-local data": (
        MAGIC + section(11, several([b"\0\x41\0\x0b\0"])) + linking(section(5, several([text("s") + b"\x02\x02"]))),
        "segment 's' of alignment 2\\^2 and flags 2",
    ),
    "another part": (MAGIC + linking(b"\x09\x00"), "linking with part 9"),
    "a symbol of a tag": (MAGIC + linking(section(8, several([b"\x04\x00"]))), "a symbol of kind tag"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_objects(name: str) -> None:
    data, said = BROKEN[name]
    with pytest.raises(FormError, match=said):
        read_object(data)


def object_with(relocation: bytes, symbol: bytes) -> bytes:
    """One function without statements, one symbol, one relocation of its code."""
    return b"".join([
        MAGIC, section(1, several([b"\x60\x00\x00"])), section(3, several([b"\0"])),
        section(10, several([whole(2) + b"\x00\x0b"])),
        linking(section(8, several([b"\0\0\0" + text("procedure"), symbol]))),
        custom("reloc.CODE", whole(3) + several([relocation])),
    ])  # fmt: skip


def test_relocations_that_make_no_sense() -> None:
    datum = b"\x01\x10" + text("d")
    with pytest.raises(FormError, match="a relocation FUNCTION_INDEX_LEB of data 'd' is not known"):
        link({"a": [object_with(b"\x00\x00\x01", datum)]}, "procedure", 64, {})
    with pytest.raises(FormError, match="lies outside its section"):
        link({"a": [object_with(b"\x00\x40\x00", datum)]}, "procedure", 64, {})


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 300, 2**31 - 1, 2**32 - 1])
def test_numbers(value: int) -> None:
    assert Reader(whole(value)).whole() == Reader(padded(value)).whole() == value
    for x in (value, -value, -value - 1):
        assert Reader(signed(x)).signed() == x


def test_changed_bytes_are_refused_or_read() -> None:
    """Objects with a byte changed here and there end in a FormError, or are read; never in anything else."""
    data, refused = objects(SECOND)[0], 0
    for place in range(8, len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x5A
        try:
            read_object(bytes(changed))
        except FormError:
            refused += 1
    assert refused > 100
