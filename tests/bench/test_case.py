"""Answers are compared as forces, in every state, before a time counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jourdain import gallery
from jourdain.bench.case import QUANTITIES, TOLERANCE, State, Wrong, check, read_output
from jourdain.bench.mechanism import Array
from jourdain.bench.own import own
from jourdain.bench.toolchain import Refused

STATES = own(gallery.stanford_arm()).case().states


def right(quantity: str, state: State) -> Array:
    """The answer that belongs to a state."""
    answers = {"inverse_dynamics": state.tau, "forward_dynamics": state.a, "mass_matrix": state.mass}
    return np.array(answers[quantity])


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_right_answers(quantity: str) -> None:
    for state in STATES:
        check(quantity, right(quantity, state), state)
        check(quantity, right(quantity, state).ravel(), state)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("spoil", [1e-8, np.nan, np.inf])
def test_wrong_answers(quantity: str, spoil: float) -> None:
    """One entry off by little, or no number at all."""
    answer = right(quantity, STATES[0])
    answer.flat[0] += spoil * max(1.0, float(np.abs(answer).max()))
    with pytest.raises(Wrong, match=f"{quantity.replace('_', ' ')} differs by .* of the forces' scale"):
        check(quantity, answer, STATES[0])


def test_what_may_be_missed() -> None:
    """Rounding of both sides, far below what any mistake makes."""
    state = STATES[0]
    scale = float((np.abs(state.tau) + np.abs(state.mass) @ np.abs(state.a)).max())
    check("inverse_dynamics", state.tau + 0.9 * TOLERANCE * scale, state)
    with pytest.raises(Wrong):
        check("inverse_dynamics", state.tau + 1.1 * TOLERANCE * scale, state)


def test_a_state_of_nothing() -> None:
    """Zero is compared with zero, not divided by it."""
    state = STATES[0]
    none = replace(state, tau=0 * state.tau, a=0 * state.a, bias=0 * state.bias)
    check("inverse_dynamics", none.tau, none)
    check("forward_dynamics", none.a, none)


# -- what a program prints ------------------------------------------------------------------------------------------


def lines() -> list[tuple[str, list[float]]]:
    """Of a program that answers the mass matrix twice for each state."""
    found: list[tuple[str, list[float]]] = []
    for state in STATES:
        for quantity in (*QUANTITIES, "mass_matrix"):
            found.append((quantity, right(quantity, state).ravel().tolist()))
    return [*found, *((f"ns.{x}", [7.0]) for x in QUANTITIES), ("ns.mass_matrix", [5.0])]


def test_the_least_of_the_times() -> None:
    assert read_output(lines(), STATES) == {"inverse_dynamics": 7.0, "forward_dynamics": 7.0, "mass_matrix": 5.0}


def test_a_wrong_answer_in_the_last_state() -> None:
    spoiled = lines()
    k = max(i for i, (name, _) in enumerate(spoiled) if name == "forward_dynamics")
    spoiled[k] = ("forward_dynamics", [x + 1e-3 for x in spoiled[k][1]])
    with pytest.raises(Wrong, match="forward dynamics"):
        read_output(spoiled, STATES)


def test_answers_that_are_missing() -> None:
    short = [line for line in lines() if line[0] != "inverse_dynamics"]
    with pytest.raises(Refused, match="its program gave 0 answers for 3 states"):
        read_output(short, STATES)
    one = next(line for line in lines() if line[0] == "inverse_dynamics")
    with pytest.raises(Refused, match="its program gave 1 answers for 3 states"):
        read_output([*short, one], STATES)
