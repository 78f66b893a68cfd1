"""Kane & Levinson's appendices line by line: all 196 Z's, 36 X's, 31 W's and eight C's, each beside what it is.

`jourdain.history.appendices` says in words what each line is and reads it out of our derivation in the paper's
speeds; so every line is held against something that was not made from it. Five lines and one name are wrong in print:

| where | as printed | as it must be | how we know |
|---|---|---|---|
| Z90 | −Z87 c5 + Z84 s4 | −Z87 c3 + Z84 s4 | it is the rate of C32 = c3 s4 |
| Z139 | A2 Z71 | −A2 Z71 | it is A's inertia torque along a2 at u̇ = 0, as (82) has it |
| Z149 | Z142 (B1 − B2) − Z7 B3 | Z142 (B1 − B2) − Z74 B3 | it is B's along b3 at u̇ = 0 |
| Z193 | −g Z118 (m_E Z50 + m_F Z58) | −g Z188 (m_E Z50 + m_F Z58) | it is K2 of gravity: n2·d1 is Z188 |
| W18 | L1 Z32 − W3 W38 | L1 Z32 − W3 Z38 | it is (p×v)·c3 of D*; there is no W38 |
| Z93 | under the name of Z92, which stands there twice | Z93 | it is the rate of Z23 |
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from jourdain.driver.counting import derivation
from jourdain.equations.generalized import Generalized
from jourdain.gallery import stanford_arm_kane
from jourdain.graph import Node, count
from jourdain.graph.differentiate import vjp
from jourdain.graph.parse import ExpressionError
from jourdain.history import appendices as paper
from jourdain.history.appendices import Row, meanings, serving, states, table, written

Array = NDArray[np.float64]
TIGHT = 1e-12


@cache
def rows() -> dict[str, Row]:
    return {row.name: row for row in table()}


def test_every_line_has_a_meaning() -> None:
    """Z1 … Z196, the 36 X's, W1 … W31, and the C's that are not zero, of which C11 … C33 without C21 are eight."""
    names = {f"Z{k}" for k in range(1, 197)} | {f"W{k}" for k in range(1, 32)}
    names |= {f"X{r}{s}" for r in paper.SPEEDS for s in paper.SPEEDS}
    names |= {f"C{i}{k}" for i in (1, 2, 3) for k in (1, 2, 3)} - {"C21"}
    assert set(rows()) == names
    upper = {name for name in names if name[0] != "X" or name[1] <= name[2]}
    assert {name for name, _ in paper.LINES} == upper
    assert len(paper.LINES) == len(upper)


@pytest.mark.parametrize("name", list(meanings()))
def test_line_is_what_it_means(name: str) -> None:
    assert rows()[name].error < TIGHT


def test_errata_are_all_there_is() -> None:
    """As printed these miss what they mean by much; every other line is used as it is printed."""
    wrong = {name: row for name, row in rows().items() if row.printed}
    assert set(wrong) == {*paper.ERRATA, *paper.MISNAMED}
    assert min(row.printed_error for row in wrong.values()) > 0.1


def test_w18_as_printed_cannot_be_evaluated() -> None:
    assert rows()["W18"].printed_error == np.inf
    with pytest.raises(ExpressionError, match="W38"):
        paper.evaluate(*states(), "W18")


def test_what_stands_under_two_names() -> None:
    """Z92 is printed twice: the second is Z93, for it is −L1 Z64."""
    lines = dict(paper.LINES)
    assert (lines["Z92"], lines["Z93"]) == ("-L1*Z63", "-L1*Z64")
    assert paper.MISNAMED == {"Z93": "Z92"}


@pytest.mark.parametrize("line", [name for name, _ in paper.LINES if name not in ("Z94", "W11", "W13", "W16")])
def test_results_rest_on_the_line(line: str) -> None:
    """The efforts and W31 change with any line that serves them: so their agreement rests on every one."""
    served = set(serving(SERVED))
    assert line in served
    if dict(paper.LINES)[line] == "0":
        return  # what is zero by structure is held against ours above
    q, u = states(3)
    udot = dict(zip(paper.SPEEDS, np.random.default_rng(5).uniform(-1.0, 1.0, (6, 3))))
    right, changed = (_results(q, u, udot, x) for x in ("", line))
    assert float(np.max(np.abs(changed - right) / np.abs(right))) > 1e-8


SERVED = [
    *(f"X{r}{s}" for r in paper.SPEEDS for s in range(r, 7)),
    *(f"Z{k}" for k in (6, 7, *range(182, 188), *range(192, 197))),
    "W31",
]


def _results(q: paper.Values, u: paper.Values, udot: paper.Values, changed: str) -> Array:
    """Efforts and W31 (7, states), one line (if any) a tenth too large."""
    lines = written((changed, f"1.1*({dict(paper.LINES)[changed]})")) if changed else written()
    z = paper.evaluated(lines, q, u, paper.GENERAL)
    row = {r: sum(z[f"X{r}{s}"] * udot[s] for s in paper.SPEEDS) for r in paper.SPEEDS}
    return np.array([*paper.efforts(row, z).values(), z["W31"]])


def test_lines_that_serve_nothing() -> None:
    """The third component of B*'s acceleration and first components of three moments are never asked for."""
    idle = {name for name, _ in paper.LINES} - serving(SERVED)
    assert idle == {"Z94", "W11", "W13", "W16"}


def test_lines_alike() -> None:
    """Some quantities have two names; those of appendix 4 do not use appendix 1's."""
    assert written().alike() == [
        ("Z65", "Z101"), ("Z66", "Z98"), ("Z75", "Z82"), ("Z175", "Z186"), ("Z176", "X25"), ("Z177", "X35"),
        ("Z188", "W25"), ("Z190", "W27"), ("Z191", "W28"),
    ]  # fmt: skip


# -- what it costs ----------------------------------------------------------------------------------------------------


def test_counts_of_the_papers_equations() -> None:
    """The six efforts from q, u, u̇; from q, q̇, q̈; and all that a simulation evaluates. Data alone: once, 31."""
    lines = written()
    efforts = lines.efforts()
    assert str(count(efforts)) == "557 mul, 376 add, 5 div, 4 trig"
    assert count(efforts).precompute == 31
    assert str(count(lines.of_coordinates(efforts))) == "574 mul, 386 add, 5 div, 4 trig"
    assert str(count(lines.equations())) == "522 mul, 344 add, 5 div, 4 trig"


def our_efforts() -> list[Node]:
    """The six efforts from q, u and u̇ by our own derivation in the paper's speeds: Yᵀ f, as joints' forces."""
    made = derivation(stanford_arm_kane(), "inverse_dynamics")
    assert isinstance(made.mechanics, Generalized)
    speeds = made.mechanics.map
    return vjp(speeds.definitions, made.outputs, speeds.joint)


def test_counts_of_ours_for_the_same_task() -> None:
    """q, u and u̇ to the six efforts, in the paper's speeds."""
    ours, theirs = count(our_efforts()), count(written().efforts())
    assert (ours.mul, ours.add, ours.div) == (145, 92, 1)
    assert ours.total * 3 < theirs.total
