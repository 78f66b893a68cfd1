"""Names as LaTeX mathematics, and the letters of intermediate quantities."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph.names import free_letter, latex_name, split_index, subscripted

from .latex_check import check_latex

GOLDEN = {
    "q": "q",
    "q1": "q_{1}",
    "q12": "q_{12}",
    "q_1": "q_{1}",
    "q₁": "q_{1}",
    "m_B": "m_{B}",
    "mB": "m_{B}",
    "IA2": "I_{A2}",
    "Ixx": "I_{xx}",
    "Ixx2": "I_{xx,2}",
    "cy": "c_{y}",
    "x_y_z": "x_{y,z}",
    "alpha": r"\alpha",
    "alpha1": r"\alpha_{1}",
    "Omega2": r"\Omega_{2}",
    "θ2": r"\theta_{2}",
    "Ω": r"\Omega",
    "λ": r"\lambda",
    "ж": "ж",
    "q1dot": r"\dot{q}_{1}",
    "q1ddot": r"\ddot{q}_{1}",
    "u_1dot": r"\dot{u}_{1}",
    "thetadot": r"\dot{\theta}",
    "omega_dot": r"\dot{\omega}",
    "q̇1": r"\dot{q}_{1}",
    "q̈": r"\ddot{q}",
    "ẋ": r"\dot{x}",
    "é": "é",
    "dot": r"\mathrm{dot}",
    "foo": r"\mathrm{foo}",
    "torque_max": r"\mathrm{torque}_{\mathrm{max}}",
    "base.qx": r"\mathrm{base}\text{.}q_{x}",
    "base.x": r"\mathrm{base}\text{.}x",
    "base.foot.qw": r"\mathrm{base}\text{.}\mathrm{foot}\text{.}q_{w}",
    "f[q1]": r"\mathrm{f[q1]}",
    "a b": r"\mathrm{a\ b}",
    "50%": r"\mathrm{50\%}",
    "123": r"\mathrm{123}",
    "_": r"\_",
    "$": r"\$",
    "\\evil{": r"\mathrm{\backslash evil\{}",
}


@pytest.mark.parametrize("name", GOLDEN, ids=repr)
def test_golden(name: str) -> None:
    assert latex_name(name) == GOLDEN[name]
    check_latex(GOLDEN[name])


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("qxAα1₂_.{}\\$%#&~^ \ṅẋdotz"), max_size=8) | st.text(max_size=8))
def test_any_name_makes_sound_latex(name: str) -> None:
    check_latex(latex_name(name))


def test_letters_and_index() -> None:
    assert split_index("q12") == split_index("q_12") == split_index("q₁₂") == ("q", "12")
    assert split_index("x") == ("x", "")
    assert split_index("12") == ("", "12")
    assert subscripted("Z", 105) == "Z₁₀₅"


def test_a_free_letter_meets_no_name() -> None:
    assert free_letter("ZY", []) == "Z"
    assert free_letter("ZY", ["Z", "Zeta1", "z1"]) == "Z"
    assert free_letter("ZY", ["Z1"]) == free_letter("ZY", ["Z₃"]) == free_letter("ZY", ["Z_7"]) == "Y"
    assert free_letter("ZY", ["Z1", "Y1"]) == "ZZ"
    assert free_letter("ZY", ["Z1", "Y1", "ZZ2", "ZZZ5"]) == "ZZZZ"
