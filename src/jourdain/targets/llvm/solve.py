"""Small dense linear systems by elimination with row pivots, as a function in LLVM IR."""

from __future__ import annotations

from .code import Code, Kind, Module
from .spelling import Writer

NUMBER = Kind(64)


def solver(module: Module, name: str, n: int, has_fma: bool) -> None:
    """(matrix, right): right becomes matrix⁻¹ right, of n numbers; the matrix is left as its factors.

    A matrix without inverse leaves infinities or NaNs.
    """
    _Solver(module, n, has_fma).write(name)


class _Solver:
    def __init__(self, module: Module, n: int, has_fma: bool) -> None:
        self.n, self.code = n, Code(module)
        self.writer = Writer(self.code, NUMBER, 1, has_fma)
        self.best = self.code.reserve(8, 8)  # the row of the largest entry so far

    def write(self, name: str) -> None:
        code, last = self.code, str(self.n)
        code.loop(last, self._eliminate)

        def back(i: str) -> None:
            k = code.let(f"sub i64 {self.n - 1}, {i}")
            after = code.let(f"add i64 {k}, 1")
            here = self._right(k)
            code.loop(last, lambda j: self._subtract(here, self._load(self._entry(k, j)), self._right(j)), start=after)
            pivot = self._load(self._entry(k, k))
            code.do(f"store double {code.let(f'fdiv double {self._load(here)}, {pivot}')}, ptr {here}, align 8")

        code.loop(last, back)
        code.do("ret void")
        code.close(name, "ptr noalias %matrix, ptr noalias %right")

    def _eliminate(self, k: str) -> None:
        """Column k."""
        code, last = self.code, str(self.n)
        after = code.let(f"add i64 {k}, 1")
        code.do(f"store i64 {k}, ptr {self.best}, align 8")

        def compare(i: str) -> None:
            best = code.let(f"load i64, ptr {self.best}, align 8")
            old, new = (code.intrinsic("fabs", NUMBER, self._load(self._entry(row, k))) for row in (best, i))
            larger = code.let(f"fcmp ogt double {new}, {old}")
            code.do(f"store i64 {code.let(f'select i1 {larger}, i64 {i}, i64 {best}')}, ptr {self.best}, align 8")

        code.loop(last, compare, start=after)
        pivot = code.let(f"load i64, ptr {self.best}, align 8")

        def swap() -> None:
            self._swap(self._right(k), self._right(pivot))
            code.loop(last, lambda j: self._swap(self._entry(k, j), self._entry(pivot, j)), start=k)

        code.branch(code.let(f"icmp ne i64 {pivot}, {k}"), swap)
        diagonal = self._load(self._entry(k, k))

        def row(i: str) -> None:
            factor = code.let(f"fdiv double {self._load(self._entry(i, k))}, {diagonal}")
            code.loop(last, lambda j: self._subtract(self._entry(i, j), factor, self._entry(k, j)), start=after)
            self._subtract(self._right(i), factor, self._right(k))

        code.loop(last, row, start=after)

    def _subtract(self, target: str, factor: str, other: str) -> None:
        """target −= factor · other"""
        value = self.writer.fused(factor, self._load(other), self._load(target), True, False)
        self.code.do(f"store double {value}, ptr {target}, align 8")

    def _swap(self, a: str, b: str) -> None:
        x, y = self._load(a), self._load(b)
        self.code.do(f"store double {y}, ptr {a}, align 8")
        self.code.do(f"store double {x}, ptr {b}, align 8")

    def _load(self, place: str) -> str:
        return self.code.let(f"load double, ptr {place}, align 8")

    def _entry(self, i: str, j: str) -> str:
        return self.code.index(self.code.index("%matrix", str(8 * self.n), i), "8", j)

    def _right(self, i: str) -> str:
        return self.code.index("%right", "8", i)
