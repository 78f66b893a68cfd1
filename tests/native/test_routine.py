"""Compiled procedures against NumPy's performance of them; stopping and going on; the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jourdain.graph import Graph, Role
from jourdain.native import Cache, Routine
from jourdain.program import Block, Draft, Program, perform

from ..program.procedures import ROUNDS, everything, given, start

NOWHERE = Cache(None)


def test_native_code_does_what_numpy_does() -> None:
    routine, arrays, others = Routine(everything(), NOWHERE), given(), given()
    session = routine.session(arrays)
    start(session.memory, routine.procedure)
    memory = session.memory.copy()
    session.run()
    perform(routine.procedure, memory, others)
    assert session["t"] == ROUNDS
    assert np.abs(arrays["table"] - others["table"]).max() < 1e-15 * np.abs(others["table"]).max() * ROUNDS
    cells = len(routine.procedure.cells)
    assert session.memory[:cells] == pytest.approx(memory[:cells], rel=1e-13)
    (place,) = (k for array, k in routine.procedure.offsets.items() if array.name == "right")
    assert session.array("right") == pytest.approx(memory[place : place + 3], rel=1e-10)
    assert session.array("table") is arrays["table"]


def test_a_session_stops_and_goes_on_to_the_same_bits() -> None:
    routine, whole, parts = Routine(everything(), NOWHERE), given(), given()
    once, again = routine.session(whole), routine.session(parts)
    for session in (once, again):
        start(session.memory, routine.procedure)
    once.run()
    again["budget"] = 2.0
    again.run()
    assert again["t"] == 2.0
    # Another session goes on from a copy of the memory.
    third = routine.session(parts)
    third.memory[:] = again.memory
    third["budget"] = 100.0
    third.run()
    assert third["t"] == ROUNDS
    assert whole["table"].tobytes() == parts["table"].tobytes()


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_linear_systems_with_pivots(size: int) -> None:
    """Also where the diagonal is zero."""
    rng = np.random.default_rng(size)
    draft = Draft("solve")
    matrix, right = draft.array("matrix", size * size), draft.array("right", size)
    draft.solve(matrix, right)
    session = Routine(draft.done(), NOWHERE).session({})
    for k in range(20):
        a, b = rng.normal(size=(size, size)), rng.normal(size=size)
        if size > 1 and k % 2:
            np.fill_diagonal(a, 0.0)
        session.array("matrix")[:], session.array("right")[:] = a.ravel(), b
        session.run()
        residual = a @ session.array("right") - b
        assert np.abs(residual).max() < 1e-13 * np.linalg.norm(a) * np.abs(session.array("right")).max() + 1e-15


def test_long_programs_are_cut() -> None:
    graph = Graph()
    x = tuple(graph.symbol(f"x{k}", Role.INPUT) for k in range(40))
    nodes = list(x)
    for k in range(2500):
        nodes.append(nodes[-1] * nodes[-(k % 39) - 2] - nodes[-40] * 0.5)
    program = Program("long", (Block("x", x),), Block("none", ()), (Block("y", tuple(nodes[-9:])),))
    draft = Draft("long")
    given, found = draft.array("x", 40), draft.array("y", 9)
    draft.call(program, [given], [found])
    procedure = draft.done()
    session = Routine(procedure, NOWHERE).session({})
    session.array("x")[:] = np.cos(np.arange(40.0))
    memory = session.memory.copy()
    session.run()
    perform(procedure, memory, {})
    place = procedure.offsets[found]
    assert session.array("y") == pytest.approx(memory[place : place + 9], rel=1e-9)


def test_machine_code_comes_from_the_cache_the_second_time(tmp_path: Path) -> None:
    assert not Routine(everything(), Cache(tmp_path)).cached
    again = Routine(everything(), Cache(tmp_path))
    assert again.cached and again.compile_seconds >= 0.0
    assert not Routine(everything(5), Cache(tmp_path)).cached


def test_given_arrays_must_be_what_code_reads() -> None:
    routine = Routine(everything(), NOWHERE)
    wrongs: list[Any] = [np.zeros(1), np.zeros(2, np.float32), np.zeros(4)[::2]]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="'parameters' must be at least 2 numbers, in one piece, in float64"):
            routine.session({**given(), "parameters": wrong})
    assert routine.session(given()).has("h") and not routine.session(given()).has("H")
