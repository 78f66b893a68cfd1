"""Procedures as data: built by a draft, performed by NumPy, told apart by their fingerprints."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.graph import less
from jourdain.program import Draft, perform
from jourdain.program.perform import evaluate

from .procedures import ROUNDS, SIZE, everything, given, start, swing


def test_performing_is_what_plain_numpy_does() -> None:
    procedure, arrays = everything(), given()
    memory = np.zeros(procedure.size)
    start(memory, procedure)
    y = np.sin(1.7 * np.arange(SIZE) ** 2 + 0.3)
    perform(procedure, memory, arrays)
    total = column = 0.0
    for k in range(ROUNDS):
        rates = evaluate(swing(), [y], arrays["parameters"])[0]
        y = y + 0.1 * rates + 0.125
        assert arrays["table"][k, 0] == k
        assert np.abs(arrays["table"][k, 2:] - y).max() < 1e-15
        right = np.linalg.solve(y[:9].reshape(3, 3), y[8:])
        column = y[1]
        if k + 1 <= 3:
            total += column
        else:
            total, column = total - np.sin(column), total
    found = dict(zip(procedure.cells, memory))
    assert found["t"] == ROUNDS
    assert (found["total"], found["column"]) == pytest.approx((total, column), abs=1e-14)
    (place,) = (k for array, k in procedure.offsets.items() if array.name == "right")
    assert memory[place : place + 3] == pytest.approx(right, rel=1e-10)


def test_a_fingerprint_is_of_what_is_done() -> None:
    assert everything().fingerprint == everything().fingerprint
    assert everything(5).fingerprint != everything(6).fingerprint


def counting(limit: float, inner: bool) -> str:
    draft = Draft("counting")
    k = draft.cell("k")
    with draft.loop(less(k, limit)):
        draft.set({k: k + 1.0})
        if inner:
            with draft.when(less(k, 2.0)):
                draft.set({k: k + 2.0})
    return draft.done().fingerprint


def test_fingerprints_see_conditions_and_blocks() -> None:
    assert len({counting(3.0, False), counting(4.0, False), counting(3.0, True)}) == 3


def test_what_is_assigned_together_sees_the_values_before() -> None:
    draft = Draft("exchange")
    a, b = draft.cell("a"), draft.cell("b")
    draft.set({a: 1.0, b: 2.0})
    draft.set({a: b, b: a})
    procedure = draft.done()
    memory = np.zeros(procedure.size)
    perform(procedure, memory, {})
    assert list(memory[:2]) == [2.0, 1.0]


def test_parts_lie_inside_their_array() -> None:
    array = Draft("parts").array("y", 5)
    assert array.part(2, 3).length == 3
    with pytest.raises(ValueError, match="'y' has 5 numbers, not those from 3 to 6"):
        array.part(3, 3)


def test_a_name_is_one_array() -> None:
    draft = Draft("names")
    assert draft.array("y", 5) is draft.array("y", 5)
    with pytest.raises(ValueError, match="'y' is there already, with 5 numbers"):
        draft.array("y", 6)
