"""Every kind of statement, random graphs, kernels: WebAssembly is portable native code, to the last bit of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from jourdain.graph import less
from jourdain.program import Array, Block, Draft, Floats, Kernel, Program
from jourdain.program.imperative import Type
from jourdain.targets.wasm import write_wasm

from ..graph.random_graphs import graphs, random_values
from ..program import kernels as samples
from ..program.procedures import everything, given, start
from .running import Page, assert_same, assert_same_memory, beside


def test_every_kind_of_statement() -> None:
    procedure = everything()
    native, page = beside(
        procedure, given(), lambda x: start(x.working if isinstance(x, Page) else x.memory, procedure)
    )
    assert np.isfinite(page.working).all() and native["total"] == page["total"] != 0.0
    assert page.imports == [("math", "sin"), ("math", "cos"), ("env", "memory")], "for far angles alone"
    assert write_wasm({"run": procedure}).layout["math"] == ["sin", "cos"]


def test_stops_and_goes_on() -> None:
    procedure = everything()

    def begin(x: Any) -> None:
        start(x.working if isinstance(x, Page) else x.memory, procedure, budget=2.0)

    _, page = beside(procedure, given(), begin)
    page["budget"] = 100.0
    page.run()
    native, _ = beside(procedure, given(), lambda x: start(x.working if isinstance(x, Page) else x.memory, procedure))
    assert_same(page.array("y"), native.array("y"))


@settings(max_examples=15, deadline=None, derandomize=True)
@drawn(graph=graphs(largest=120), seed=st.integers(0, 2**32 - 1))
def test_random_graphs(graph: Any, seed: int) -> None:
    """Values where every operation makes sense, and values far outside every domain; the same digits one by one."""
    values = random_values(graph.symbols, seed, 12)
    x = np.stack([np.broadcast_to(values[s], 12) for s in graph.symbols], axis=-1)
    rng = np.random.default_rng(seed)
    wild = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1e30, -1e38, 1e308], (6, len(graph.symbols)))
    rows = np.concatenate([x, wild])
    program = Program(
        "random", (Block("x", tuple(graph.symbols)),), Block("p", ()), (Block("y", tuple(graph.outputs)),)
    )
    draft = Draft("random")
    row = draft.cell("row")
    table = draft.array("table", 0, given=True)
    results = draft.array("results", 0, given=True)
    one, found = draft.array("one", rows.shape[1]), draft.array("found", len(graph.outputs))
    with draft.loop(less(row, float(len(rows)))):
        draft.fetch(table, rows.shape[1], 0, row, one)
        draft.call(program, [one], [found])
        draft.store(found, results, len(graph.outputs), 0, row)
        draft.set({row: row + 1.0})
    with np.errstate(all="ignore"):
        beside(draft.done(), {"table": rows.ravel(), "results": np.zeros(len(rows) * len(graph.outputs))})


# -- kernels --------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(11)
N = 9
HALF = RNG.normal(size=(N, N))
SPD = HALF @ HALF.T + np.eye(N)
SINGULAR = RNG.normal(size=(N, 4)) @ RNG.normal(size=(4, N))
CASES: dict[str, tuple[Kernel[..., Any], Sequence[Any]]] = {
    "cholesky": (samples.cholesky, (SPD, N)),
    "cholesky of no positive matrix": (samples.cholesky, (SPD - 2.0 * np.eye(N), N)),
    "forward": (samples.forward, (np.linalg.cholesky(SPD), RNG.normal(size=N), N)),
    "backward": (samples.backward, (np.linalg.cholesky(SPD), RNG.normal(size=N), N)),
    "dot": (samples.dot, (RNG.normal(size=40), RNG.normal(size=40), 40)),
    "swap": (samples.swap, (RNG.normal(size=30), RNG.normal(size=30), 9, 3)),
    "eliminate": (samples.eliminate, (SPD, RNG.normal(size=N), np.zeros(N), N, 1e-9)),
    "eliminate a singular matrix": (samples.eliminate, (SINGULAR, SINGULAR @ np.ones(N), np.zeros(N), N, 1e-9)),
    "restore": (samples.restore, (RNG.normal(size=N), RNG.permutation(N).astype(float), N)),
    "sort": (samples.sort, (RNG.normal(size=50), 50)),
    "gcd": (samples.gcd, (1071, -462)),
    "gcd of zeros": (samples.gcd, (0, 0)),
    "search": (samples.search, (np.linspace(-1.0, 1.0, 30), 30, 0.25, 0.75)),
    "search in vain": (samples.search, (np.linspace(-1.0, 1.0, 30), 30, 3.0, 4.0)),
    "whole": (samples.whole, (RNG.normal(size=20), np.zeros(20), 20, -3)),
    "whole of what is not finite": (samples.whole, (np.array([1e300, -np.inf, np.nan, 4.4]), np.zeros(4), 4, 7)),
    "k_or_zero": (samples.k_or_zero, (2,)),
    "scribble": (samples.scribble, (RNG.normal(size=20), RNG.normal(size=21), 20)),
}


@pytest.mark.parametrize("name", CASES)
def test_kernels(name: str) -> None:
    kernel, arguments = CASES[name]
    draft = Draft(name)
    given_arrays: dict[str, Floats] = {}
    places: list[Array | float] = []
    for k, x in enumerate(arguments):
        if isinstance(x, np.ndarray):
            given_arrays[f"x{k}"] = np.ascontiguousarray(x).ravel()
            places.append(draft.array(f"x{k}", x.size, given=True))
        else:
            places.append(float(x))
    draft.run(kernel, *places, to=None if kernel.code.result is None else draft.cell("result"))
    _, page = beside(draft.done(), given_arrays)
    own = [given_arrays[f"x{k}"].copy() if isinstance(x, np.ndarray) else x for k, x in enumerate(arguments)]
    if "not finite" not in name:  # there Python has exceptions
        result = kernel(*(int(x) if p.type is Type.INT else x for p, x in zip(kernel.code.parameters, own)))
        if result is not None:
            assert page["result"] == float(result)
        for k, x in enumerate(own):
            if isinstance(x, np.ndarray):
                assert_same(page.array(f"x{k}"), x)


def test_all_sample_kernels_are_here() -> None:
    known = {x.name for x in vars(samples).values() if isinstance(x, Kernel)}
    assert known == {kernel.name for kernel, _ in CASES.values()}


# -- functions of elsewhere -------------------------------------------------------------------------------------------


def test_functions_of_elsewhere() -> None:
    """A slot that is empty, then filled; what it answers is read."""
    draft = Draft("asks")
    slots = draft.array("slots", 3, given=True)
    x, y = draft.array("x", 4), draft.array("y", 2)
    found, rounds = draft.cell("found"), draft.cell("rounds")
    draft.foreign(slots.part(2, 1), x, y, found)
    draft.set({rounds: rounds + found})
    wasm_and_native = beside(draft.done(), {"slots": np.zeros(3)})
    native, page = wasm_and_native
    assert page["found"] == 0.0

    def answer(source: Floats, target: Floats) -> None:
        target[:] = source[0] + source[3], source.sum()

    for session in wasm_and_native:
        session.array("x")[:] = [0.1, 0.2, 0.3, 0.4]
        session.connect("slots", 2, answer)
        session.run()
    assert page["found"] == page["rounds"] == 1.0
    assert_same_memory(native, page)
    assert page.array("y").tolist() == [0.5, 1.0]
