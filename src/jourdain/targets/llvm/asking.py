"""How a running loop asks for the batch code: a slot of words that it shares with whoever makes code."""

from __future__ import annotations

from .code import UNOPTIMIZED, Code, Module

SLOT = "slot"
ASK = "ask"


class Slot:
    """Places, in bytes, within the words through which loop and maker of the batch code know each other."""

    BATCH, PATIENCE, MAKE, TAKE, RAISE, GIVE = range(0, 48, 8)
    WORDS = 6


def write_ask(module: Module) -> None:
    """Calls the slot's maker. Where that answers a failure, it is set to be raised in this thread after the call.

    An exception cannot pass through a loop of NumPy's, and one that is set while the maker runs would be raised in it;
    so it is the machine code that sets it, between taking and giving back the interpreter.
    """
    module.globals[SLOT] = f"@{SLOT} = global [{Slot.WORDS} x i64] zeroinitializer, align 16"
    code = Code(module)

    def word(place: int) -> str:
        return code.let(f"load ptr, ptr {code.offset(f'@{SLOT}', place)}")

    make = word(Slot.MAKE)

    def call() -> None:
        failure = code.let(f"call ptr {make}()")
        code.branch(code.let(f"icmp ne ptr {failure}, null"), lambda: raise_later(failure))

    def raise_later(failure: str) -> None:
        thread = code.let(f"load i64, ptr {failure}")
        error = code.let(f"load ptr, ptr {code.offset(failure, 8)}")
        held = code.let(f"call i32 {word(Slot.TAKE)}()")
        code.let(f"call i32 {word(Slot.RAISE)}(i64 {thread}, ptr {error})")
        code.do(f"call void {word(Slot.GIVE)}(i32 {held})")

    code.branch(code.let(f"icmp ne ptr {make}, null"), call)
    code.do("ret void")
    code.close(ASK, "", group=UNOPTIMIZED)
