"""Kernels as machine code: the same bits as Python's, directly and in procedures; routines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from jourdain.graph import less
from jourdain.native import Cache, Routine
from jourdain.program import Draft, Floats, Kernel, perform
from jourdain.program.imperative import Type

from ..program import kernels
from ..program.kernels import written
from ..program.test_kernel import counting
from .compiled import assert_same

NOWHERE = Cache(None)


def thrice(kernel: Kernel[..., Any], *arguments: Any) -> None:
    """Called by Python, performed by NumPy and run as machine code: arrays and result are the same to the last bit."""
    draft, result = Draft(kernel.name), None
    given: list[Any] = []
    for x, argument in zip(kernel.code.parameters, arguments):
        if x.type is Type.FLOATS:
            given.append(draft.array(x.name, len(argument)))
        else:
            given.append(draft.cell(x.name))
    result = draft.cell("the result")
    draft.run(kernel, *given, to=None if kernel.code.result is None else result)
    procedure = draft.done()
    session = Routine(procedure, NOWHERE).session({})
    for x, argument in zip(kernel.code.parameters, arguments):
        if x.type is Type.FLOATS:
            session.array(x.name)[:] = argument
        else:
            session[x.name] = argument
    memory = session.memory.copy()
    session.run()
    perform(procedure, memory, {})
    assert_same(session.memory, memory)
    called = [x.copy() if isinstance(x, np.ndarray) else x for x in arguments]
    with np.errstate(all="ignore"):
        found = kernel(*called)
    for x, argument in zip(kernel.code.parameters, called):
        if x.type is Type.FLOATS:
            assert_same(session.array(x.name), argument)
    if kernel.code.result is not None:
        assert_same(np.array([session["the result"]]), np.array([float(found)]))


def numbers(*shape: int) -> Floats:
    found: Floats = np.random.default_rng(shape).normal(size=shape)
    return found


def test_kernels_are_pythons_to_the_last_bit() -> None:
    for n in (1, 2, 6):
        m = numbers(n, n)
        m = m @ m.T + np.eye(n)
        thrice(kernels.cholesky, m.ravel(), n)
        thrice(kernels.cholesky, -m.ravel(), n)
        thrice(kernels.forward, m.ravel(), numbers(n), n)
        thrice(kernels.backward, m.ravel(), numbers(n), n)
    for rank in (0, 2, 5):
        thrice(kernels.eliminate, (numbers(5, rank) @ numbers(rank, 5)).ravel(), numbers(5), np.zeros(5), 5, 1e-12)
    thrice(kernels.dot, numbers(9), numbers(9, 1)[:, 0], 9)
    thrice(kernels.sort, numbers(30), 30)
    for a, b in ((12, 18), (-35, 21), (35, -21), (7, 0), (0, 0)):
        thrice(kernels.gcd, a, b)
    thrice(kernels.search, np.sort(numbers(20)), 20, -0.1, 0.3)
    thrice(kernels.search, numbers(20), 20, 9.0, 10.0)
    for step in (3, -3):
        thrice(kernels.whole, numbers(9), np.zeros(9), 9, step)
    for n in (-9, 2, 5):
        thrice(kernels.k_or_zero, n)


def test_arrays_may_overlap_and_be_given() -> None:
    draft = Draft("overlap")
    x = draft.array("x", 3, given=True)  # and it is longer
    draft.run(kernels.scribble, x, x.part(1, 2), 9)
    routine = Routine(draft.done(), NOWHERE)
    native, python, performed = (numbers(12) for _ in range(3))
    routine.session({"x": native}).run()
    perform(routine.procedure, performed[:0], {"x": performed})
    kernels.scribble(python, python[1:], 9)
    assert_same(native, python)
    assert_same(performed, python)


def test_results_are_kept_only_where_they_are_asked_for() -> None:
    draft = Draft("results")
    x, n = draft.array("x", 4), draft.cell("n")
    draft.run(kernels.search, x, 4, 0.5, 2.0)
    draft.run(kernels.dot, x, x, n + 1.5)
    draft.run(kernels.dot, x, x, n + 1.5, to=n)
    session = Routine(draft.done(), NOWHERE).session({})
    session.array("x")[:], session["n"] = [1.0, 2.0, 4.0, 8.0], 1.9
    session.run()
    assert session["n"] == 21.0  # 3.4 is 3


def test_division_by_zero_does_not_end_the_process() -> None:
    """Python has an exception; there is a number here, whichever it is."""
    divide = written("""
        @kernel
        def divide(x: Floats, a: int, b: int) -> None:
            x[0] = a // b
            x[1] = a % b
        """)
    thrice(divide, np.zeros(2), -(2**53), -1)
    draft = Draft("divide")
    x, a, b = draft.array("x", 2), draft.cell("a"), draft.cell("b")
    draft.run(divide, x, a, b)
    session = Routine(draft.done(), NOWHERE).session({})
    for values in ((7.0, 0.0), (-np.inf, -1.0), (np.nan, 0.0)):  # −∞: the least whole number, by −1 too large
        session["a"], session["b"] = values
        session.run()
        assert np.isfinite(session.array("x")).all()


def test_routines() -> None:
    procedure = counting(3)
    session = Routine(procedure, NOWHERE).session({})
    session.run()
    assert session["k"] == 7.0


def everywhere() -> Draft:
    """A routine with every kind of statement that reaches for working memory or given arrays, from a loop."""
    from ..program.procedures import SIZE, swing

    draft = Draft("everywhere")
    t = draft.cell("t")
    y, rates = draft.array("y", SIZE), draft.array("rates", SIZE)
    parameters, rows = draft.array("parameters", 2, given=True), draft.array("rows", 4 * SIZE, given=True)
    with draft.routine("step"):
        draft.call(swing(), [y], [rates], parameters)
        draft.each([y], lambda x, dx, t: x + 0.125 * dx + t, [y, rates], [t])
        draft.store(y, rows, SIZE, 0, t)
        draft.run(kernels.sort, y, SIZE)
        draft.set({t: t + 1.0})
    draft.perform("step")
    with draft.loop(less(t, 4.0)):
        draft.perform("step")
    return draft


def test_routines_share_memory_and_given_arrays() -> None:
    procedure = everywhere().done()
    native, performed = ({"parameters": np.array([0.7, 1.3]), "rows": np.zeros(4 * 11)} for _ in range(2))
    session = Routine(procedure, NOWHERE).session(native)
    session.array("y")[:] = numbers(11)
    memory = session.memory.copy()
    session.run()
    perform(procedure, memory, performed)
    assert session["t"] == 4.0
    assert np.count_nonzero(native["rows"]) == 44
    assert native["rows"] == pytest.approx(performed["rows"], rel=1e-13)


# -- random kernels -------------------------------------------------------------------------------------------------

Pick = Callable[[Sequence[Any]], Any]


class Author:
    """Writes kernels of the variables n0…n2 (whole), f0…f2 and the arrays x, y of 8."""

    def __init__(self, pick: Pick) -> None:
        self.pick = pick
        self.loops = 0
        self.lines: list[str] = []

    def kernel(self) -> str:
        head = ["@kernel", "def f(x: Floats, y: Floats, n0: int, n1: int, f0: float, f1: float) -> float:"]
        self.lines = [*head, "    n2 = 5", "    f2 = 0.5"]
        for _ in range(4):
            self.block(1, 0)
        return "\n".join([*self.lines, f"    return {self.number(2)}", ""])

    def block(self, depth: int, loops: int) -> None:
        for _ in range(self.pick((1, 2, 3, 4))):
            self.statement(depth, loops)

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int, loops: int) -> None:
        kinds = ["number", "whole", "put", "add", "put", "number"]
        if depth < 4:
            kinds += ["if", "for", "while"]
        if loops:
            kinds += ["leave"]
        kind = self.pick(kinds)
        if kind == "number":
            self.say(depth, f"f{self.pick((0, 1, 2))} {self.pick(('=', '+=', '*='))} {self.number(2)}")
        elif kind == "whole":
            self.say(depth, f"n{self.pick((0, 1, 2))} = ({self.whole(2)}) % 97")
        elif kind == "put":
            self.say(depth, f"{self.item()} = {self.number(3)}")
        elif kind == "add":
            self.say(depth, f"{self.item()} {self.pick(('+=', '-=', '*='))} {self.number(2)}")
        elif kind == "leave":
            self.say(depth, f"if {self.truth(1)}:")
            self.say(depth + 1, self.pick(("break", "continue", f"return {self.number(1)}")))
        elif kind == "if":
            self.say(depth, f"if {self.truth(2)}:")
            self.block(depth + 1, loops)
            if self.pick((True, False)):
                self.say(depth, f"elif {self.truth(1)}:")
                self.block(depth + 1, loops)
            self.say(depth, "else:")
            self.block(depth + 1, loops)
        else:
            self.loop(kind, depth, loops)

    def loop(self, kind: str, depth: int, loops: int) -> None:
        self.loops += 1
        if kind == "for":
            start, step = self.pick((("0", ""), ("-2", ", 2"), ("4", ", -1"), ("n2 % 3", "")))
            stop = "-1" if step == ", -1" else f"{self.whole(1)} % 5"
            self.say(depth, f"for n{self.pick((0, 1, 2))} in range({start}, {stop}{step}):")
        else:
            counter = f"k{self.loops}"
            self.say(depth, f"{counter} = 0")
            self.say(depth, f"while {counter} < 4 and {self.truth(1)}:")
            self.say(depth + 1, f"{counter} += 1")
        self.block(depth + 1, loops + 1)

    def item(self) -> str:
        return f"{self.pick('xy')}[{self.whole(1)} % 8]"

    def number(self, depth: int) -> str:
        if depth == 0:
            return str(self.pick(("f0", "f1", "f2", "0.1", "-0.0", "3.0", "float(n1)", "x[n0 % 8]")))
        a, b = self.number(depth - 1), self.number(depth - 1)
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"({a} + {self.whole(1)})",
            lambda: f"({a} / (x[0] + {b}))", lambda: f"np.sqrt({a})", lambda: f"abs({a})", lambda: f"-{a}",
            lambda: f"np.floor({a})", lambda: f"min({a}, {b})", lambda: f"max({a}, {b}, f1)", lambda: self.item(),
            lambda: f"({a} if {self.truth(1)} else {b})",
        )  # fmt: skip
        return str(self.pick(forms)())

    def whole(self, depth: int) -> str:
        if depth == 0:
            return str(self.pick(("n0", "n1", "n2", "7", "-3")))
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"({a} // -3)",
            lambda: f"({a} // (abs({b}) + 1))", lambda: f"({a} % (-1 - abs({b})))", lambda: f"max({a}, {b})",
            lambda: f"(int(f0 * 4.0) if -1e6 < f0 < 1e6 else {a})", lambda: f"({a} if {self.truth(0)} else {b})",
        )  # fmt: skip
        return str(self.pick(forms)())

    def truth(self, depth: int) -> str:
        if depth == 0:
            side = self.pick((self.number, self.whole))
            return f"{side(1)} {self.pick(('<', '<=', '>', '>=', '==', '!='))} {side(1)}"
        a, b = self.truth(depth - 1), self.truth(depth - 1)
        return str(self.pick((f"({a} and {b})", f"({a} or {b})", f"not ({a})", f"{self.number(0)} < f1 <= f2")))


SPECIAL = (0.0, -0.0, 1.0, -2.5, 1e-310, 1e300, -1e160, np.inf, -np.inf, np.nan, 0.3, 7.0)


@pytest.mark.parametrize("seed", range(40))
def test_random_kernels(seed: int) -> None:
    random = Random(seed)
    kernel = written(Author(random.choice).kernel())
    for _ in range(2):
        x, y = (np.array([random.choice((*SPECIAL, random.gauss(0.0, 1.0))) for _ in range(8)]) for _ in range(2))
        whole = [random.randint(-20, 20) for _ in range(2)]
        thrice(kernel, x, y, *whole, random.gauss(0, 9.0), random.choice(SPECIAL))
