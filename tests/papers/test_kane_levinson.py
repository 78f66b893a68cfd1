"""Kane & Levinson 1983: the paper's own equations beside ours, for the motion (127), the law (128–133) and (138).

The Z's, X's and W's of appendices 1, 2 and 4 are typed out in `jourdain.history.appendices`. What cannot be used as
printed:

| where | as printed | as it must be | how we know |
|---|---|---|---|
| Z90 | −Z87 c5 + Z84 s4 | −Z87 c3 + Z84 s4 | it is the rate of C32 = c3 s4 |
| Z139 | A2 Z71 | −A2 Z71 | it and Z137 u̇1 + Z138 u̇3 make A's inertia torque |
| Z149 | Z142 (B1 − B2) − Z7 B3 | Z142 (B1 − B2) − Z74 B3 | B's third component, as Z158 is C's |
| Z193 | −g Z118 (m_E Z50 + m_F Z58) | −g Z188 (m_E Z50 + m_F Z58) | n₂ along d₁ is Z188 = s2 s3 |
| (136) | p(E*) = p(C*) + L2 d2 + L5 e2 | … + L6 e2 | the velocity (40) and Z50 … Z57 have L6 |
| (137) | p(F*) = p(E*) + L2 d2 + L3 e2 | p(F*) = p(C*) + L2 d2 + L3 e2 | the velocity (42) and Z58 … Z62 |

(Some may be the scan's and not the paper's.) With these the paper's equations agree with ours to rounding, and with
any one of them left as printed they do not. The gravity 9.81 m/s² is ours: the paper prints none.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from jourdain.demo.feedback import GAINS, controlled_arm
from jourdain.demo.motion import GOAL, ORDER, START, papers_efforts, prescribed
from jourdain.gallery import stanford_arm
from jourdain.history import appendices as paper
from jourdain.model.system import System

from .evaluated import Array, Evaluated

EFFORTS = ("tau1", "tau2", "tau3", "tau4", "tau5", "sigma")
TIMES = np.linspace(0.0, 10.0, 11)
TIGHT = 1e-11


@cache
def arm() -> System:
    return stanford_arm()


def by_number(values: Array) -> dict[int, float]:
    """Numbers in the tree's order, by the paper's index."""
    return {int(name[1:]): float(x) for name, x in zip(ORDER, values)}


def papers_own(q: Array, v: Array, a: Array, printed: str = "") -> Array:
    """τ1 … τ5 and σ (6,) by the paper's appendices."""
    found = paper.actuation(by_number(q), by_number(v), by_number(a), printed)
    return np.array([found[name] for name in EFFORTS])


def ours(q: Array, v: Array, a: Array) -> Array:
    """The same by our recursion, by the interpreter alone."""
    return papers_efforts(Evaluated(arm(), q, v, a).at(lambda m: m.inverse_dynamics()))


def off(one: Array, other: Array) -> float:
    """The largest difference relative to the largest effort."""
    return float(np.abs(one - other).max() / np.abs(other).max())


def states() -> list[tuple[Array, Array, Array]]:
    """Anywhere but at q2 = 0, where the paper's speeds are singular."""
    found = []
    for k in range(6):
        q, v, a = np.random.default_rng([1983, k]).uniform(-1.0, 1.0, (3, 6))
        q[1] = 0.4 + abs(q[1])
        found.append((q, v, a))
    return found


# -- data -------------------------------------------------------------------------------------------------------------


def test_data_of_appendix_3() -> None:
    """Every number of the gallery's arm is the paper's, and there is none besides."""
    assert dict(arm().parameters) == paper.DATA


def test_axes_and_order() -> None:
    assert arm().coordinates == ORDER
    assert arm().speeds == ORDER


# -- torques for a motion ---------------------------------------------------------------------------------------------


def test_motion_127() -> None:
    """From rest to rest: the ends are given, speeds and accelerations vanish there; rates are derivatives."""
    q, v, a = prescribed(TIMES)
    assert np.abs(q[0] - START).max() == 0.0
    assert np.abs(q[-1] - GOAL).max() < 1e-15
    assert np.abs(np.concatenate([v[[0, -1]], a[[0, -1]]])).max() < 1e-15
    step = 1e-5
    near, after, _ = prescribed(TIMES + step)
    back, before, _ = prescribed(TIMES - step)
    assert np.abs((near - back) / (2 * step) - v).max() < 1e-10
    assert np.abs((after - before) / (2 * step) - a).max() < 1e-10


@pytest.mark.parametrize("t", TIMES)
def test_efforts_of_the_motion_127(t: float) -> None:
    """Figure 1: the paper's appendices give our efforts."""
    q, v, a = prescribed(np.array(t))
    assert off(papers_own(q, v, a), ours(q, v, a)) < TIGHT


@pytest.mark.parametrize("state", states())
def test_efforts_anywhere(state: tuple[Array, Array, Array]) -> None:
    assert off(papers_own(*state), ours(*state)) < TIGHT


@pytest.mark.parametrize("line", [line for line in paper.ERRATA if line[0] == "Z"])
def test_every_erratum_is_needed(line: str) -> None:
    """A line left as it is printed spoils the efforts."""
    assert max(off(papers_own(*state, printed=line), ours(*state)) for state in states()) > 1e-6


def test_signs_are_the_papers() -> None:
    """τ1 is the usual generalized force; of the others the paper's is what the outer body exerts on the inner."""
    q, v, a = states()[0]
    forces = Evaluated(arm(), q, v, a).at(lambda m: m.inverse_dynamics())
    usual = paper.joint_forces(paper.actuation(by_number(q), by_number(v), by_number(a)))
    assert off(np.array([usual[name] for name in ORDER]), forces) < TIGHT


# -- the law and its check --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", states())
def test_feedback_law_128_to_133(state: tuple[Array, Array, Array]) -> None:
    """The law typed out once more, beside the outputs of the arm that has it inside."""
    q, v, _ = state
    x, r, d = by_number(q), by_number(v), paper.DATA
    goal = by_number(GOAL)
    s = {k: np.sin(x[k]) for k in range(1, 6)}
    c = {k: np.cos(x[k]) for k in range(1, 6)}
    k = {int(name[1:]): value for name, value in GAINS.items()}
    g, hand = d["g"], d["m_E"] * d["L6"] + d["m_F"] * d["L3"]
    expected = [
        k[1] * (goal[1] - x[1]) - k[2] * r[1],
        k[3] * (x[2] - goal[2]) + k[4] * r[2] + g * (
            ((d["m_C"] + d["m_D"]) * x[6] + d["m_D"] * d["L5"]) * s[2]
            + hand * (c[4] * s[2] + c[3] * s[4] * c[2])
            + (d["m_E"] + d["m_F"]) * (x[6] + d["L2"]) * s[2]
        ),
        k[5] * (x[3] - goal[3]) + k[6] * r[3] - g * hand * s[2] * s[3] * s[4],
        k[7] * (x[4] - goal[4]) + k[8] * r[4] + g * hand * (c[2] * s[4] + s[2] * c[3] * c[4]),
        k[9] * (x[5] - goal[5]) + k[10] * r[5],
        k[11] * (x[6] - goal[6]) + k[12] * r[6] - g * (d["m_C"] + d["m_D"] + d["m_E"] + d["m_F"]) * c[2],
    ]  # fmt: skip
    found = Evaluated(controlled_arm(), q, v, np.zeros(6)).at(lambda m: list(m.outputs().values()))
    assert off(found, np.array(expected)) < 1e-14


@pytest.mark.parametrize("state", states())
def test_the_laws_terms_in_g_hold_the_arm(state: tuple[Array, Array, Array]) -> None:
    """At the goal and at rest every effort of the law is what gravity asks for there, whatever the goal."""
    q, _, _ = state
    still = np.zeros(6)
    d = paper.DATA
    x = by_number(q)
    holding = ours(q, still, still)
    assert abs(holding[0]) < 1e-14  # about the vertical gravity asks for nothing
    assert abs(holding[5] + d["g"] * (d["m_C"] + d["m_D"] + d["m_E"] + d["m_F"]) * np.cos(x[2])) < 1e-13
    system = controlled_arm()
    goals = {f"goal_{name}": float(value) for name, value in zip(ORDER, q)}
    at_goal = Evaluated(system, q, still, still, parameters=goals).at(lambda m: list(m.outputs().values()))
    assert off(at_goal, holding) < 1e-13


@pytest.mark.parametrize("state", states())
def test_constant_of_motion_138(state: tuple[Array, Array, Array]) -> None:
    """W31 is the first row of our mass matrix times the speeds: the momentum that belongs to q̇1."""
    q, v, _ = state
    w = paper.evaluate(by_number(q), paper.speeds(by_number(q), by_number(v)))["W31"]
    momentum = Evaluated(arm(), q, v).at(lambda m: m.mass_matrix())[0] @ v
    assert abs(w - momentum) < 1e-13 * abs(momentum)


@pytest.mark.parametrize("state", states())
def test_mass_centres_of_136_and_137(state: tuple[Array, Array, Array]) -> None:
    """The velocities of E* and F* (40, 42) belong to the mended places, and not to the printed ones."""
    q, v, _ = state
    x, d = by_number(q), paper.DATA
    z = paper.evaluate(x, paper.speeds(x, by_number(v)))
    printed = {"E": ("L2", "L5"), "F": ("L2", "L3")}
    mended = {"E": ("L2", "L6"), "F": ("L2", "L3")}
    measured = {"E": ("Z54", "Z55", "Z57"), "F": ("Z61", "Z55", "Z62")}
    for body, names in measured.items():
        speed = np.array([z[name] for name in names])  # along e1, e2, e3
        assert np.abs(_velocity(q, v, *(d[length] for length in mended[body])) - speed).max() < 1e-13
    # As printed, E* lies L5 along e2; and F* another L2 along d2 beyond that.
    assert np.abs(_velocity(q, v, *(d[x] for x in printed["E"])) - [z[x] for x in measured["E"]]).max() > 1e-2
    beyond = _velocity(q, v, 2 * d["L2"], d["L5"] + d["L3"])
    assert np.abs(beyond - [z[x] for x in measured["F"]]).max() > 1e-2


def _velocity(q: Array, v: Array, along_d: float, along_e: float) -> Array:
    """Of C* + along_d d2 + along_e e2, in E's axes, from its place alone, by a complex step."""
    step = 1e-40
    place, axes = _place(q + 1j * step * v, along_d, along_e)
    found: Array = axes.real.T @ (place.imag / step)
    return found


def _place(q: Array, along_d: float, along_e: float) -> tuple[Array, Array]:
    """The place from A*, and E's axes as columns, in the ground's axes."""
    q1, q2, q6, q3, q4, _ = q
    d = paper.DATA
    a = _about_y(q1)
    c = a @ _about_x(q2)
    turned = c @ _about_y(q3)
    e = turned @ _about_x(q4)
    y = np.array([0.0, 1.0, 0.0])
    place = a @ np.array([d["L1"], d["L4"], 0.0]) + q6 * (c @ y) + along_d * (turned @ y) + along_e * (e @ y)
    return place, e


def _about_x(x: complex) -> Array:
    return np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])


def _about_y(x: complex) -> Array:
    return np.array([[np.cos(x), 0, np.sin(x)], [0, 1, 0], [-np.sin(x), 0, np.cos(x)]])
