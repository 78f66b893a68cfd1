"""How each operation of the language is spelled in LLVM IR: one row an operation, scalars and vectors alike.

No fast-math flags anywhere: fusing is decided in `program.contract`, so NaNs, infinities and roundings are the same in
scalar code, in vector code and on every processor that fuses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...graph.operations import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN2,
    COS,
    DIV,
    EQUAL,
    EXP,
    FLOOR,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MUL,
    NEG,
    NOT_EQUAL,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    SUB,
    TAN,
    Operation,
)
from .code import Code, Kind
from .library import call_library
from .trig import cosine, sine, tangent


@dataclass
class Writer:
    """Where operations are written: the code, the kind of every value, how many lanes the host has for packing."""

    code: Code
    kind: Kind
    host_lanes: int
    has_fma: bool = True

    def fused(self, a: str, b: str, c: str, negate_product: bool, negate_addend: bool) -> str:
        """±(a*b) ± c; LLVM folds the signs into the instruction."""
        t = self.kind.type
        if not self.has_fma:
            product = self.code.let(f"fmul {t} {a}, {b}")
            first, second = (c, product) if negate_product else (product, c)
            return self.code.let(f"{'fsub' if negate_product or negate_addend else 'fadd'} {t} {first}, {second}")
        if negate_product:
            a = self.code.let(f"fneg {t} {a}")
        if negate_addend:
            c = self.code.let(f"fneg {t} {c}")
        return self.code.fma(self.kind, a, b, c)


Spelling = Callable[..., str]


def _instruction(name: str) -> Spelling:
    return lambda w, *args: w.code.let(f"{name} {w.kind.type} {', '.join(args)}")


def _intrinsic(name: str) -> Spelling:
    return lambda w, a: w.code.intrinsic(name, w.kind, a)


def _comparison(predicate: str) -> Spelling:
    def write(w: Writer, a: str, b: str) -> str:
        flag = w.code.let(f"fcmp {predicate} {w.kind.type} {a}, {b}")
        return w.code.let(f"uitofp {w.kind.flag} {flag} to {w.kind.type}")

    return write


def _extreme(predicate: str) -> Spelling:
    def write(w: Writer, a: str, b: str) -> str:
        """a where it wins or is NaN, else b, which may be NaN too."""
        wins = w.code.let(f"fcmp {predicate} {w.kind.type} {a}, {b}")
        absent = w.code.let(f"fcmp uno {w.kind.type} {a}, {a}")
        either = w.code.let(f"or {w.kind.flag} {wins}, {absent}")
        return _choose(w, either, a, b)

    return write


def _choose(w: Writer, flag: str, a: str, b: str) -> str:
    return w.code.let(f"select {w.kind.flag} {flag}, {w.kind.type} {a}, {w.kind.type} {b}")


def _sign(w: Writer, a: str) -> str:
    t, zero = w.kind.type, w.kind.literal(0.0)
    up = w.code.let(f"uitofp {w.kind.flag} {w.code.let(f'fcmp ogt {t} {a}, {zero}')} to {t}")
    down = w.code.let(f"uitofp {w.kind.flag} {w.code.let(f'fcmp olt {t} {a}, {zero}')} to {t}")
    absent = w.code.let(f"fcmp uno {t} {a}, {a}")
    return _choose(w, absent, a, w.code.let(f"fsub {t} {up}, {down}"))


def _select(w: Writer, c: str, a: str, b: str) -> str:
    return _choose(w, w.code.let(f"fcmp une {w.kind.type} {c}, {w.kind.literal(0.0)}"), a, b)


def _library(name: str, arity: int) -> Spelling:
    return lambda w, *args: call_library(w.code, w.kind, name, args)


SPELLING: dict[Operation, Spelling] = {
    NEG: _instruction("fneg"),
    ADD: _instruction("fadd"),
    SUB: _instruction("fsub"),
    MUL: _instruction("fmul"),
    DIV: _instruction("fdiv"),
    SQRT: _intrinsic("sqrt"),
    SIN: lambda w, a: sine(w.code, w.kind, a, w.has_fma),
    COS: lambda w, a: cosine(w.code, w.kind, a, w.has_fma),
    TAN: lambda w, a: tangent(w.code, w.kind, a, w.has_fma),
    ASIN: _library("asin", 1),
    ACOS: _library("acos", 1),
    ATAN2: _library("atan2", 2),
    EXP: _library("exp", 1),
    LOG: _library("log", 1),
    POW: _library("pow", 2),
    ABS: _intrinsic("fabs"),
    MIN: _extreme("olt"),
    MAX: _extreme("ogt"),
    SIGN: _sign,
    FLOOR: _intrinsic("floor"),
    LESS: _comparison("olt"),
    LESS_EQUAL: _comparison("ole"),
    EQUAL: _comparison("oeq"),
    NOT_EQUAL: _comparison("une"),
    SELECT: _select,
}
