"""Kernels as Python functions, as code, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

from jourdain.program import Draft, Kernel, perform

from . import kernels
from .kernels import written

# -- what kernels compute -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 6, 9])
def test_factors_and_triangles(n: int) -> None:
    rng = np.random.default_rng(n)
    m, b = rng.normal(size=(n, n)), rng.normal(size=n)
    m = m @ m.T + np.eye(n)
    a, x = m.ravel().copy(), b.copy()
    assert kernels.cholesky(a, n) == 0
    lower = np.tril(a.reshape(n, n))
    assert np.abs(lower - np.linalg.cholesky(m)).max() < 1e-14 * np.abs(m).max()
    kernels.forward(a, x, n)
    assert x == pytest.approx(scipy.linalg.solve_triangular(lower, b, lower=True), rel=1e-12)
    kernels.backward(a, x, n)
    assert x == pytest.approx(np.linalg.solve(m, b), rel=1e-11)
    m[-1, -1] = -1.0
    assert kernels.cholesky(m.ravel(), n) == n


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
def test_elimination_with_complete_pivoting(rank: int) -> None:
    rng = np.random.default_rng(rank)
    m = rng.normal(size=(5, rank)) @ rng.normal(size=(rank, 5))
    b = m @ rng.normal(size=5)
    x = b.copy()
    assert kernels.eliminate(m.ravel().copy(), x, np.zeros(5), 5, 1e-12) == rank
    assert m @ x == pytest.approx(b, abs=1e-12)
    assert np.count_nonzero(x) == rank


def test_small_algorithms() -> None:
    x = np.random.default_rng(0).normal(size=20)
    y = x.copy()
    kernels.sort(y, 20)
    assert np.array_equal(y, np.sort(x))
    assert [kernels.gcd(a, b) for a, b in ((12, 18), (-35, 21), (7, 0), (0, 0))] == [6, 7, 7, 0]
    assert kernels.search(y, 20, -0.1, 0.3) == np.flatnonzero((y >= -0.1) & (y < 0.3))[0]
    assert kernels.search(y, 20, 9.0, 10.0) == -1


def test_numbers_come_in_and_out_converted() -> None:
    half = written("""
        @kernel
        def half(x: float) -> float:
            if x == 0.0:
                return 7
            return x / 2
        """)
    assert isinstance(half(4), np.float64) and half(4) == 2.0
    assert isinstance(half(0), np.float64) and half(0) == 7.0
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        kernels.gcd(1.5, 2)  # type: ignore[arg-type]


def test_a_kernel_is_called_with_flat_arrays_by_place() -> None:
    wrongs: list[Any] = [np.zeros((2, 2)), np.zeros(4, np.float32), [1.0]]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="kernel 'sort': 'x' must be a flat array of float64"):
            kernels.sort(wrong, 2)
    with pytest.raises(TypeError, match="kernel 'sort' takes 2 arguments by place"):
        kernels.sort(np.zeros(2), n=2)
    assert kernels.sort.name == "sort" and kernels.sort.__doc__ == "By insertion."


# -- in a procedure -------------------------------------------------------------------------------------------------


def test_a_draft_runs_kernels_on_its_arrays_and_cells() -> None:
    draft = Draft("dots")
    x, table = draft.array("x", 8), draft.array("table", 3, given=True)
    n, total, again = (draft.cell(name) for name in ("n", "total", "again"))
    draft.set({n: 3.9, total: 2.0})
    draft.run(kernels.dot, x.part(2, 6), table, n, to=total)
    draft.run(kernels.dot, total, total, n * 0.5, to=again)
    draft.run(kernels.dot, x, x, 2)
    procedure = draft.done()
    memory = np.zeros(procedure.size)
    place = procedure.offsets[x]
    memory[place : place + 8] = np.arange(8)
    perform(procedure, memory, {"table": np.array([1.0, 10.0, 100.0])})
    assert list(memory[:3]) == [3.9, 432.0, 432.0**2]


def test_wrong_arguments_of_a_run() -> None:
    draft = Draft("wrong")
    x, n = draft.array("x", 8), draft.cell("n")
    with pytest.raises(ValueError, match=r"kernel 'dot' takes \(x, y, n\), not 2 arguments"):
        draft.run(kernels.dot, x, n)
    with pytest.raises(ValueError, match="kernel 'dot': 'y' is an array, not the number 3"):
        draft.run(kernels.dot, x, 3, n)
    with pytest.raises(ValueError, match=r"kernel 'dot': 'y' is an array, not the number .*n"):
        draft.run(kernels.dot, x, n * 2.0, n)
    for place in (x, x.whole):
        with pytest.raises(ValueError, match="kernel 'dot': 'n' is a number, not the array 'x'"):
            draft.run(kernels.dot, x, x, place)
    with pytest.raises(ValueError, match="kernel 'sort' has no result to be kept in 'n'"):
        draft.run(kernels.sort, x, 8, to=n)


def counting(times: int, name: str = "twice") -> Any:
    draft = Draft("counting")
    k = draft.cell("k")
    with draft.routine("once"):
        draft.set({k: k + 1.0})
    with draft.routine(name):
        draft.perform("once")
        draft.perform("once")
    for _ in range(times):
        draft.perform(name)
    draft.perform("once")
    return draft.done()


def test_routines_are_performed_from_several_places() -> None:
    procedure = counting(3)
    memory = np.zeros(procedure.size)
    perform(procedure, memory, {})
    assert memory[0] == 7.0
    assert counting(3).fingerprint == counting(3, "two").fingerprint != counting(2).fingerprint


def test_routines_are_made_before_they_are_performed_and_once() -> None:
    draft = Draft("routines")
    with pytest.raises(ValueError, match="there is no routine 'a' yet; there are none"):
        draft.perform("a")
    with draft.routine("a"), pytest.raises(ValueError, match="there is no routine 'a' yet"):
        draft.perform("a")
    with pytest.raises(ValueError, match="there is no routine 'b' yet; there are 'a'"):
        draft.perform("b")
    with pytest.raises(ValueError, match="there is a routine 'a' already"), draft.routine("a"):
        pass


def running(which: Kernel[..., Any]) -> str:
    draft = Draft("running")
    draft.run(which, draft.array("x", 4), 4)
    return draft.done().fingerprint


# -- fingerprints ---------------------------------------------------------------------------------------------------

SCALE = """
    FACTOR = 2.0

    @kernel
    def inner(x: Floats, n: int) -> None:
        for i in range(n):
            x[i] *= FACTOR

    @kernel
    def scale(x: Floats, n: int) -> None:
        inner(x[1:], n - 1)
    """


def test_fingerprints_are_of_code_not_of_names() -> None:
    first = running(written(SCALE))
    names = {"x[": "y[", "x:": "y:", "i ": "k ", "[i]": "[k]", "inner": "inmost", "FACTOR": "BY", "scale": "scaled"}
    renamed = SCALE
    for old, new in names.items():
        renamed = renamed.replace(old, new)
    renamed = renamed.replace("x[1:]", "y[1:]").replace("        for", "        # so often\n        for")
    assert running(written(renamed)) == first
    changes = [("2.0", "-2.0"), ("range(n)", "range(1, n)"), ("*=", "+="), ("x[1:]", "x[0:]"), ("n - 1", "n - 2")]
    changed = {running(written(SCALE.replace(old, new))) for old, new in changes}
    assert len(changed | {first}) == len(changes) + 1


def test_parameters_and_results_are_part_of_the_code() -> None:
    heads = ("n: int) -> None", "n: int) -> int", "n: int) -> float", ") -> None")
    kernels_ = [written(f"@kernel\ndef f({head}:\n    n = 1\n    while True:\n        n += 1\n") for head in heads]
    assert len({x.code.digest for x in kernels_}) == len(heads)


def test_fingerprints_see_where_routines_end_and_what_kernels_are_given() -> None:
    def fingerprint(first: int, second: int, number: float) -> str:
        draft = Draft("routines")
        k, x = draft.cell("k"), draft.array("x", 4)
        for name, times in (("first", first), ("second", second)):
            with draft.routine(name):
                for _ in range(times):
                    draft.set({k: k + 1.0})
        draft.perform("first")
        draft.run(kernels.sort, x, number)
        return draft.done().fingerprint

    assert len({fingerprint(1, 2, 3), fingerprint(2, 1, 3), fingerprint(1, 2, 4)}) == 3


def test_zeros_have_signs_and_numbers_types() -> None:
    digests = {
        written(f"""
        @kernel
        def f(x: Floats) -> None:
            x[0] = x[{index}] * {value}
        """).code.digest
        for index in ("0", "1")
        for value in ("0.0", "-0.0", "0.1")
    }
    assert len(digests) == 6
