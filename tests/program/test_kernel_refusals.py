"""What is outside the kernels' language is said with file, line and reason; and where names are looked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import jourdain.program
from jourdain.program import Floats, KernelError, kernel

from .kernels import written

OTHERS = """
@kernel
def length(x: Floats, n: int) -> float:
    return sqrt(x[0] * x[0] + n)

@kernel
def clear(x: Floats, n: int) -> None:
    x[n] = 0.0

"""
# One line in the place of the body, what is said of it.
REFUSED = {
    "y = [a]": r"`\[a\]` is not in the language of kernels \(List\)",
    "y = a, b": "is not in the language of kernels",
    "y = z = 1.0": "one assignment at a time",
    "y, z = 1.0": "`(y, z|\\(y, z\\))` cannot be assigned to: a variable and `array",
    "y: float = 1.0": r"`y: float = 1.0` is not in the language of kernels \(AnnAssign\)",
    "y = lambda: 1.0": "not in the language",
    "del a": r"`del a` is not in the language of kernels \(Delete\)",
    "print(a)": "`print` is no kernel",
    "y = print(a)": "`print` is no kernel, and none of abs, min, max, int, float, sqrt, floor",
    "a": "not in the language",
    "y = 'text'": "'text'.* is no number",
    "y = 1j": "which is no number",
    f"y = {2**63}": "9223372036854775808 is no whole number of 64 bits",
    "y = a ** 2": r"`a \*\* 2` is not in the language",
    "y = ~n": "not in the language",
    "y = a @ b": "not in the language",
    "y = a // 2.0": "`//` is for ints",
    "y = n % a": "`%` is for ints",
    "y = missing": "`missing` is neither a variable nor a number of the module",
    "y = math.sqrt": "`math.sqrt` is neither a variable nor a number",
    "y = math.missing": "`math.missing` is neither",
    "x = 1.0": "'x' is of type floats and cannot become float",
    "n = 1.0": "'n' is of type int and cannot become float",
    "a = n": "'a' is of type float and cannot become int",
    "y = x[a]": "`a` must be an int",
    "y = x[-1]": r"`x\[-1\]`: indices do not count from the end",
    "y = a[0]": "`a` is no array",
    "y = n.real": "`n.real` is neither",
    "y = x + 1.0": "`x.*` is no number",
    "y = -x": "`x` is no number",
    "y = (a < b) + 1": "is no number",
    "y = a and b": "`a` is no condition: compare it with something",
    "y = not n": "`n` is no condition",
    "y = a is b": r"not in the language of kernels \(Compare\)",
    "y = (a < b) == (b < a)": "is no number",
    "y = 0.0 < length(x, n) < 1.0": "in the middle of a chain of comparisons",
    "y = 1.0 if n else 2.0": "`n` is no condition",
    "y = 1.0 if a < b else 2": "must be of one type",
    "y = x if a < b else x": "must be of one type",
    "y = min(a)": "needs two numbers or more",
    "y = min(a, n)": "must be of one type",
    "y = min(a, key=b)": "arguments go by place",
    "y = abs(a, b)": "needs one number",
    "y = abs(x)": "is no number",
    "y = clear(x, n)": "kernel 'clear' has no result",
    "y = length(x)": "kernel 'length' takes 2 arguments by place",
    "y = length(x, n=n)": "kernel 'length' takes 2 arguments by place",
    "y = length(a, n)": "`a` is no array",
    "y = length(x, a)": "`a` must be an int",
    "clear(x[:n], 1)": r"a part of an array is written array\[start:\]",
    "clear(x[-2:], 1)": "indices do not count from the end",
    "f(x, a, b, n)": "kernel 'f' calls itself in the end",
    "x[int(length(x, n))] += 1.0": r"a kernel may change `int\(length\(x, n\)\)`: give the index a name first",
    "x[int(x[0])] += length(x, n)": "a kernel may change",
    "y += 1.0": "'y' may have no value here: give it one before",
    "if a < b: y = 1.0\n    a = y": "'y' may have no value here",
    "for i in range(n): y = 1.0\n    a = y": "'y' may have no value here",
    "for i in range(n): pass\n    n = i": "'i' may have no value here",
    "while a < b: y = 1.0\n    a = y": "'y' may have no value here",
    "while True:\n        if a < b: break\n        y = 1.0\n    a = y": "'y' may have no value here",
    "while True: a += 1.0\n    b = 1.0": "this can never be reached",
    "return\n    a = 1.0": "this can never be reached",
    "return a": "the result was said to be None",
    "while n: pass": "`n` is no condition",
    "while a < b: pass\n    else: pass": "a loop has no `else`",
    "for i in range(n): pass\n    else: pass": "a loop has no `else`",
    "for i in x: pass": r"`for` goes over range\(…\)",
    "for i in range(): pass": "range has one to three arguments",
    "for i in range(a): pass": "`a` must be an int",
    "for i in range(0, n, n): pass": "the step of a range must be a constant, and not 0",
    "for i in range(0, n, 0): pass": "the step of a range must be a constant, and not 0",
    "for a in range(n): pass": "'a' is of type float and cannot become int",
    "for x[0] in range(n): pass": "cannot be assigned to",
    "with a: pass": "not in the language",
    "try: pass\n    finally: pass": "not in the language",
    "import math": "not in the language",
    "def g() -> None: pass": "not in the language",
    "global q": "not in the language",
    "raise a": "not in the language",
    "assert a": "not in the language",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refusals(body: str) -> None:
    """Each says the file, the line and the kernel."""
    f = written(f"{OTHERS}@kernel\ndef f(x: Floats, a: float, b: float, n: int) -> None:\n    {body}\n")
    last = body.count("\n")
    with pytest.raises(KernelError, match=REFUSED[body]) as caught:
        _ = f.code
    said = str(caught.value)
    assert said.startswith("<kernel ") and "kernel 'f'" in said
    line = int(said.split("line ")[1].split(":")[0])
    assert 12 <= line <= 12 + last


HEADS = {
    "def f(x) -> None: pass": "parameter 'x' must be annotated Floats, int or float",
    "def f(x: complex) -> None: pass": "parameter 'x' must be annotated Floats, int or float",
    "def f(x: Missing) -> None: pass": "parameter 'x' must be annotated",
    "def f(x: int): pass": "the result must be annotated `-> None`, `-> int` or `-> float`",
    "def f(x: int) -> Floats: pass": "the result must be annotated",
    "def f(x: int = 3) -> None: pass": "parameters are plain names, without defaults and stars",
    "def f(*x: int) -> None: pass": "parameters are plain names",
    "def f(*, x: int) -> None: pass": "parameters are plain names",
    "def f(x: int) -> int: pass": "it can end without `return`, and must give int",
    "def f(x: int) -> int:\n    if x > 1: return x": "it can end without `return`",
    "def f(x: int) -> int: return 1.0": "`1.0` is no int",
    "def f(x: int) -> int: return": "the result was said to be int",
    "def f(x: Floats) -> float: return x": "`return x` is no number",
    "async def f(x: int) -> None: pass": "a kernel is a function that `def` begins",
}


@pytest.mark.parametrize("text", HEADS)
def test_heads_that_are_refused(text: str) -> None:
    f = written(f"from __future__ import annotations\n@kernel\n{text}\n")
    with pytest.raises(KernelError, match=HEADS[text]):
        _ = f.code


def test_annotations_may_be_text_and_names_of_modules() -> None:
    f = written("""
        @kernel
        def f(x: "jourdain.program.Floats", n: "int") -> "float":
            return x[n] * math.pi + np.sqrt(2.0)
        """, jourdain=jourdain)  # fmt: skip
    assert f(np.array([0.0, 3.0]), 1) == 3.0 * math.pi + math.sqrt(2.0)


def test_kernels_with_other_decorators_and_in_circles() -> None:
    other = written("""
        def same(f):
            return f

        @kernel
        @same
        def f(x: Floats) -> None:
            pass
        """)
    with pytest.raises(KernelError, match="a kernel has no other decorators"):
        _ = other.code
    circle = written("""
        @kernel
        def f(x: Floats) -> None:
            g(x)

        @kernel
        def g(x: Floats) -> None:
            f(x)
        """)
    with pytest.raises(KernelError, match="kernel 'g' calls itself in the end"):
        _ = circle.code
    unknown: dict[str, Any] = {"kernel": kernel, "Floats": Floats}
    exec("@kernel\ndef f(x: Floats) -> None: pass", unknown)
    with pytest.raises(KernelError, match="kernel 'f': its source is not to be had"):
        _ = unknown["f"].code


def test_names_of_an_enclosing_function() -> None:
    factor, late = 3.0, False

    @kernel
    def f(x: Floats) -> None:
        x[0] *= factor

    @kernel
    def g(x: Floats) -> None:
        x[0] *= afterwards

    x = np.ones(1)
    f(x)
    assert x[0] == 3.0
    with pytest.raises(KernelError, match="`afterwards` is neither a variable nor a number of the module"):
        _ = g.code
    if late:
        afterwards = 1.0
