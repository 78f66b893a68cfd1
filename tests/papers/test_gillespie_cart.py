"""Gillespie 2003, example 3: the shopping cart, (51) to (67), its caster free and sticking.

| where | as printed | as it must be | how we know |
|---|---|---|---|
| step 1 | q3 is the angle between n1 and b2 | between n1 and b1 | (56) and (57): v = u1 b1 = u1 (c3 n1 + s3 n2) |
| (66) | M_b | m_B | the inertia about P1 |
| (67) | m_R u̇1 | m_B u̇1 | the mass matrix |
| (67) | − s4 (Z4 − L3 m_C c4)/Z2 u1 u2 | + | while the caster sticks no velocity term is left: one freedom, q4 fixed |
| (66), (67) | Z6 with Z5 + m_C L3² − L2 L3 m_C c4; + L2 Z6 s4 u2 | Z5 alone; − | u̇2 by (65) at any q̇4 |

While the caster sticks Z1 = q̇4 is zero, and with it all of Z6: that line does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.driver import Compiled
from jourdain.model.system import System
from jourdain.native import Cache

Array = NDArray[np.float64]
TIGHT = 1e-12
DATA = {"m_B": 21.0, "m_C": 1.3, "I_B": 1.7, "L1": 0.42, "L2": 0.87, "L3": 0.11}
STICKING = frozenset({"caster sticks"})


@dataclass(frozen=True)
class State:
    """Coordinates, the independent speeds u1, u2 and their rates, and what the user pushes with."""

    q: Array
    u1: float
    u2: float
    rate1: float
    rate2: float
    push: float
    torque: float

    @property
    def pushes(self) -> Array:
        """F1, F2 (61)."""
        return np.array([self.push, self.torque])

    @property
    def inputs(self) -> dict[str, float]:
        return {"F": self.push, "tau": self.torque}


def states() -> list[State]:
    """Any heading; the caster turned so far that L2 c4 is not near L3."""
    found = []
    for k in range(6):
        random = np.random.default_rng([2003, k])
        q = random.uniform(-1.0, 1.0, 4)
        found.append(State(q, *random.uniform(-1.0, 1.0, 4).tolist(), *random.uniform(-9.0, 9.0, 2).tolist()))
    return found


every = pytest.mark.parametrize("x", states())


def cart(sticks: bool | None = None) -> System:
    """The gallery's (None); or with the front wheel's rolling, and the caster that sticks, embedded by substitution."""
    if sticks is None:
        return gallery.shopping_cart()
    m = jd.Model("embedded cart", gravity=(0, 0, 0))
    p = m.parameters(**DATA)
    push, torque = m.inputs("F", "tau")
    basket = m.body("B", mass=p.m_B, center=(p.L1, 0, 0), inertia=jd.about_z(p.I_B))
    caster = m.body("C", mass=p.m_C, center=(-p.L3, 0, 0), inertia=jd.point_mass)
    m.planar("cart", m.ground, basket)
    m.revolute("swivel", basket, caster, axis="z", at=(p.L2, 0, 0))
    m.keep("rear wheels roll", basket.origin.velocity @ basket.y)
    m.keep("front wheel rolls", caster.center.velocity @ caster.y)
    speeds = {"u1": basket.origin.velocity @ basket.x, "u2": basket.omega @ basket.z}
    if sticks:
        m.keep("caster sticks", m["swivel"].speed)
        del speeds["u2"]
    m.speeds(speeds)
    m.force(push * basket.x, at=basket.origin)
    m.torque(torque * basket.z, on=basket)
    return m.system()


def made(sticks: bool | None = None) -> Compiled:
    return jd.compile(cart(sticks), cache=Cache(None)).with_parameters(DATA)


@pytest.fixture(scope="module")
def full() -> Compiled:
    """u1, u2, u3, which the rear wheels' rolling leaves."""
    return made()


@pytest.fixture(scope="module")
def free() -> Compiled:
    """u1, u2."""
    return made(sticks=False)


@pytest.fixture(scope="module")
def stuck() -> Compiled:
    """u1."""
    return made(sticks=True)


def near(found: object, expected: object, scale: float = 1.0) -> bool:
    size = max(scale, float(np.abs(np.asarray(expected)).max()))
    return bool(np.abs(np.asarray(found) - np.asarray(expected)).max() < TIGHT * size)


def turned(x: State) -> tuple[float, float]:
    return float(np.sin(x.q[3])), float(np.cos(x.q[3]))


def third(x: State) -> Array:
    """D of (60): u3 = D (u1, u2)."""
    s4, c4 = turned(x)
    return np.array([-s4, DATA["L2"] * c4]) / DATA["L3"]


def ratio(x: State) -> float:
    """u2 / u1 of (65)."""
    s4, c4 = turned(x)
    return s4 / (DATA["L2"] * c4 - DATA["L3"])


# -- speeds and constraints -------------------------------------------------------------------------------------------


@every
def test_speeds_54_to_57(full: Compiled, x: State) -> None:
    """Y of (56) times W of (57) is 1, and W is ours; v^P1 = u1 b1."""
    s3, c3 = np.sin(x.q[2]), np.cos(x.q[2])
    w = np.array([[c3, 0, 0], [s3, 0, 0], [0, 1, 0], [0, -1, 1]])
    y = np.array([[c3, s3, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]])
    assert near(full.rates(x.q, np.eye(3)).T, w)
    assert near(full.rates(x.q, np.zeros(3)), 0.0)
    assert near(y @ w, np.eye(3))
    assert near(full.jacobian("B", x.q)[3:], [[1, 0, 0], [0, 0, 0], [0, 0, 0]])


@every
def test_constraints_58_59_64(full: Compiled, x: State) -> None:
    s4, c4 = turned(x)
    stuck = full.in_mode(STICKING)
    rows = [stuck.residual(x.q, u) for u in np.eye(3)]
    assert near([row["front wheel rolls"][0] for row in rows], [-s4, DATA["L2"] * c4, -DATA["L3"]])
    assert near([row["caster sticks"][0] for row in rows], [0.0, -1.0, 1.0])
    assert near([row["rear wheels roll"][0] for row in rows], 0.0)
    assert "caster sticks" not in full.residual(x.q, np.zeros(3))


@every
def test_dependent_speeds_60_and_65(full: Compiled, x: State) -> None:
    assert near(full.complete(x.q, [x.u1, x.u2], ["u1", "u2"]), [x.u1, x.u2, third(x) @ [x.u1, x.u2]])
    stuck = full.in_mode(STICKING)
    assert near(stuck.complete(x.q, [x.u1], ["u1"]), x.u1 * np.array([1.0, ratio(x), ratio(x)]))


# -- the caster turns freely ------------------------------------------------------------------------------------------


def inertia_forces_63(x: State) -> Array:
    """F1*, F2* as printed."""
    (s4, c4), (u1, u2, u3) = turned(x), (x.u1, x.u2, float(third(x) @ [x.u1, x.u2]))
    m_b, m_c, i_b, l1, l2, l3 = DATA.values()
    return np.array([
        (l1 * m_b + l2 * m_c * c4**2) * u2**2 - l3 * m_c * c4 * u3**2 - m_c * s4 * c4 * u1 * u2
        - (m_b + m_c * c4**2) * x.rate1 - l2 * m_c * s4 * c4 * x.rate2,
        m_c * l2**2 * s4 * c4 * u2**2 - l2 * l3 * m_c * s4 * u3**2 - (l1 * m_b + l2 * m_c * s4**2) * u1 * u2
        - l2 * m_c * s4 * c4 * x.rate1 - (i_b + m_b * l1**2 + m_c * l2**2 * s4**2) * x.rate2,
    ])  # fmt: skip


def table_of_free_caster(x: State) -> dict[str, Array]:
    """Partial velocities once u3 is replaced by (60): columns u1, u2, in axes b1, b2; of the basket's turn, last."""
    s4, c4 = turned(x)
    c1, c2 = np.array([c4, s4]), np.array([-s4, c4])
    l1, l2, l3 = DATA["L1"], DATA["L2"], DATA["L3"]
    d = third(x)
    return {
        "P1": np.array([[1.0, 0.0], [0.0, 0.0]]),
        "Bo": np.array([[1.0, 0.0], [0.0, l1]]),
        "P3": np.array([[1.0, 0.0], [0.0, l2]]) - l3 * np.outer(c2, d),
        "P3 along c1": np.outer(c1, [c4, l2 * s4]),  # the same: P3 moves along c1 alone
        "B": np.array([[0.0, 1.0]]),
    }


@every
def test_partial_velocities_of_the_free_caster(free: Compiled, x: State) -> None:
    s4, c4 = turned(x)
    expected = table_of_free_caster(x)
    assert near(free.jacobian("B", x.q)[3:5], expected["P1"])
    assert near(free.jacobian("B", x.q, at=[DATA["L1"], 0.0, 0.0])[3:5], expected["Bo"])
    own = free.jacobian("C", x.q, at=[-DATA["L3"], 0.0, 0.0])[3:5]
    assert near(np.array([[c4, -s4], [s4, c4]]) @ own, expected["P3"])
    assert near(expected["P3"], expected["P3 along c1"])
    assert near(free.jacobian("B", x.q)[2:3], expected["B"])


@every
def test_forces_61_to_63(free: Compiled, x: State) -> None:
    """F1 = F, F2 = τ, and F* as printed."""
    u, rates, still = np.array([x.u1, x.u2]), np.array([x.rate1, x.rate2]), np.zeros(2)
    assert near(-free.inverse_dynamics(x.q, still, still, inputs=x.inputs), [x.push, x.torque])
    assert near(-free.inverse_dynamics(x.q, u, rates), inertia_forces_63(x), 10.0)


@every
def test_recombination_gives_63(full: Compiled, x: State) -> None:
    """F̃ = F + Dᵀ F3, F̃* = F* + Dᵀ F3* (44, 45) of the unconstrained equations in u1, u2, u3."""
    d = third(x)
    u = full.complete(x.q, [x.u1, x.u2], ["u1", "u2"])
    rates = np.array([x.rate1, x.rate2, third_rate(x)])
    inertial = -full.inverse_dynamics(x.q, u, rates)
    assert near(inertial[:2] + d * inertial[2], inertia_forces_63(x), 10.0)
    active = -full.inverse_dynamics(x.q, np.zeros(3), np.zeros(3), inputs=x.inputs)
    assert near(active[:2] + d * active[2], [x.push, x.torque])


def third_rate(x: State) -> float:
    """u̇3 by the derivative of (60), by a complex step along q̇4 = u3 − u2."""
    step = 1e-40
    q4 = x.q[3] + 1j * step * (third(x) @ [x.u1, x.u2] - x.u2)
    moved = (-np.sin(q4) * (x.u1 + 1j * step * x.rate1) + DATA["L2"] * np.cos(q4) * (x.u2 + 1j * step * x.rate2))
    return float(moved.imag / step / DATA["L3"])


@every
def test_motion_with_the_free_caster(full: Compiled, free: Compiled, x: State) -> None:
    """Three ways: the mode of the gallery's cart, the embedded cart, and F + F* = 0 of (63)."""
    u = full.complete(x.q, [x.u1, x.u2], ["u1", "u2"])
    found = full.forward_dynamics(x.q, u, inputs=x.inputs)
    assert near(found[:2], free.forward_dynamics(x.q, u[:2], inputs=x.inputs), 10.0)
    moving = State(x.q, x.u1, x.u2, float(found[0]), float(found[1]), x.push, x.torque)
    assert near(x.pushes + inertia_forces_63(moving), 0.0, 100.0)
    assert near(found[2], third_rate(moving), 10.0)


# -- the caster sticks ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Printed67:
    """(66), and the parts of (67): mass times u̇1, terms in u1, u2, u3, and those with Z6."""

    mass: float
    squares: float
    product: float
    z1: float
    z6_terms: float
    mended_z6_terms: float


def printed_67(x: State, u2: float, u3: float) -> Printed67:
    s4, c4 = turned(x)
    m_b, m_c, i_b, l1, l2, l3 = DATA.values()
    z1, z2 = u3 - u2, l3 - l2 * c4
    z3, z4 = l2 * m_c * (l2 - l3 * c4), l1 * m_b + l2 * m_c
    z5 = i_b + z3 + m_b * l1**2
    z6 = s4 * z1 * (z5 + m_c * l3**2 - l2 * l3 * m_c * c4) / z2**2
    mended = s4 * z1 * z5 / z2**2
    return Printed67(
        m_b + z5 * s4**2 / z2**2 + m_c * (1 - l3 * s4**2 / z2),
        (z4 - l2 * l3 * m_c * s4**2 / z2) * u2**2 - l3 * m_c * (c4 - l2 * s4**2 / z2) * u3**2,
        -s4 * (z4 - l3 * m_c * c4) / z2 * x.u1 * u2,
        z1,
        -z6 * c4 * x.u1 + l2 * z6 * s4 * u2,
        -mended * (c4 * x.u1 + l2 * s4 * u2),
    )


@every
def test_partial_velocities_of_the_sticking_caster(stuck: Compiled, x: State) -> None:
    """The table after (65), as printed."""
    s4, c4 = turned(x)
    z2 = DATA["L3"] - DATA["L2"] * c4
    c2 = np.array([-s4, c4])
    expected = {
        "Bo": np.array([1.0, -DATA["L1"] * s4 / z2]),
        "P3": np.array([1.0, -DATA["L2"] * s4 / z2]) + DATA["L3"] * s4 / z2 * c2,
    }
    assert near(stuck.jacobian("B", x.q)[:, 0], [0.0, 0.0, -s4 / z2, 1.0, 0.0, 0.0])
    assert near(stuck.jacobian("B", x.q, at=[DATA["L1"], 0.0, 0.0])[3:5, 0], expected["Bo"])
    own = stuck.jacobian("C", x.q, at=[-DATA["L3"], 0.0, 0.0])[3:5, 0]
    assert near(np.array([[c4, -s4], [s4, c4]]) @ own, expected["P3"])


@every
def test_forces_67(stuck: Compiled, x: State) -> None:
    """F̃1 and the mass as printed; no velocity term is left, which the product's printed sign does not give."""
    s4, c4 = turned(x)
    z2 = DATA["L3"] - DATA["L2"] * c4
    one, still = np.array([x.u1]), np.zeros(1)
    p = printed_67(x, ratio(x) * x.u1, ratio(x) * x.u1)
    assert near(-stuck.inverse_dynamics(x.q, still, still, inputs=x.inputs), x.push - s4 * x.torque / z2, 10.0)
    assert near(stuck.mass_matrix(x.q), p.mass)
    scale = abs(p.squares) + abs(p.product)
    assert p.z1 == p.z6_terms == 0.0
    inertial = float(-stuck.inverse_dynamics(x.q, one, np.array([x.rate1]))[0])
    assert near(inertial, -p.mass * x.rate1, scale)
    assert near(inertial, p.squares - p.product - p.mass * x.rate1, scale)
    assert abs(p.squares + p.product) > 0.1 * scale  # as printed


@every
def test_z6_while_the_caster_turns(full: Compiled, x: State) -> None:
    """F̃* on the sticking cart's partial velocities at any q̇4 = Z1, u̇2 and u̇3 by (65): what Z6 was made for."""
    step = 1e-40
    u2, u3 = ratio(x) * x.u1, x.u2
    q4 = x.q[3] + 1j * step * (u3 - u2)
    moved = np.sin(q4) / (DATA["L2"] * np.cos(q4) - DATA["L3"]) * (x.u1 + 1j * step * x.rate1)
    rate = float(moved.imag / step)
    k = -full.inverse_dynamics(x.q, np.array([x.u1, u2, u3]), np.array([x.rate1, rate, rate]))
    found = float(k @ [1.0, ratio(x), ratio(x)])
    p = printed_67(x, u2, u3)
    plain = p.squares - p.product - p.mass * x.rate1
    scale = 10.0 * (abs(p.squares) + abs(p.product) + abs(p.mass * x.rate1) + abs(p.mended_z6_terms))
    assert near(found, plain + p.mended_z6_terms, scale)
    assert abs(found - plain - p.z6_terms) > 1e-3 * abs(p.mended_z6_terms)


@every
def test_recombination_of_the_free_equations(stuck: Compiled, x: State) -> None:
    """(63) recombined by u2 = D u1 (65) are the sticking equations: F̃1 + D F̃2."""
    g = ratio(x)
    moving = State(x.q, x.u1, g * x.u1, x.rate1, g * x.rate1, x.push, x.torque)
    found = np.array([1.0, g]) @ (x.pushes + inertia_forces_63(moving))
    assert near(found, -stuck.inverse_dynamics(x.q, [x.u1], [x.rate1], inputs=x.inputs), 100.0 * (1.0 + g * g))


@every
def test_motion_with_the_sticking_caster(full: Compiled, stuck: Compiled, x: State) -> None:
    """As a mode, whose reduced mass matrix is (67)'s; and embedded."""
    g = ratio(x)
    mode = full.in_mode(STICKING)
    u = x.u1 * np.array([1.0, g, g])
    found = mode.forward_dynamics(x.q, u, inputs=x.inputs)
    assert near(found[:1], stuck.forward_dynamics(x.q, u[:1], inputs=x.inputs), 10.0)
    assert near(found, found[0] * np.array([1.0, g, g]), 10.0 * (1.0 + abs(g)))
    free = mode.independent(x.q)
    per = {"u1": 1.0, "u2": g, "u3": g}[free[0]]
    assert near(mode.reduced_mass_matrix(x.q) * per**2, printed_67(x, 0.0, 0.0).mass)


@every
def test_forces_of_constraint(full: Compiled, x: State) -> None:
    """The mode's multipliers, put on the unconstrained cart as forces, leave its motion unchanged."""
    for mode in (full, full.in_mode(STICKING)):
        u = mode.complete(x.q, [x.u1, x.u2][: len(mode.independent(x.q))], ["u1", "u2"][: len(mode.independent(x.q))])
        forces = mode.constraint_forces(x.q, u, inputs={**x.inputs})
        s4, c4 = turned(x)
        rows = {"front wheel rolls": [-s4, DATA["L2"] * c4, -DATA["L3"]], "caster sticks": [0.0, -1.0, 1.0]}
        total = sum(float(force[0]) * np.array(rows[name]) for name, force in forces.items())
        motion = mode.forward_dynamics(x.q, u, inputs=x.inputs)
        scale = float(np.abs(total).max()) + 100.0
        assert near(full.inverse_dynamics(x.q, u, motion, inputs=x.inputs), total, scale)


# -- where speeds cannot be chosen so ---------------------------------------------------------------------------------


def test_the_sticking_caster_where_65_divides_by_zero(full: Compiled) -> None:
    """L3 = L2 cos q4: the caster's axle goes through P1 as the rear axle does, and the cart can only turn about it."""
    mode = full.in_mode(STICKING)
    q = np.array([0.1, -0.2, 0.3, np.arccos(DATA["L3"] / DATA["L2"])])
    (independent,) = mode.independent(q)
    assert independent in ("u2", "u3")
    turning = mode.complete(q, [1.0])
    assert near(turning, [0.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="do not follow from the others"):
        mode.complete(q, [1.0], ["u1"])
    found = mode.forward_dynamics(q, turning, inputs={"F": 3.0, "tau": 2.0})
    m_b, m_c, i_b, l1, l2, _ = DATA.values()
    s4 = float(np.sin(q[3]))
    inertia = i_b + m_b * l1**2 + m_c * (l2 * s4) ** 2  # about P1, from which the caster's wheel is L2 sin q4 away
    assert near(mode.reduced_mass_matrix(q), inertia)
    assert abs(found[0]) < 1e-12
    assert near(found[1:], 2.0 / inertia)


def test_near_that_configuration(full: Compiled) -> None:
    """The choice of independent speeds changes by itself, and the motion goes through."""
    mode = full.in_mode(STICKING)
    middle = np.arccos(DATA["L3"] / DATA["L2"])
    found = []
    for angle in (0.0, middle - 1e-6, middle + 1e-6, 0.2):
        q = np.array([0.0, 0.0, 0.0, angle])
        found.append(mode.independent(q))
        u = mode.complete(q, [1.0])
        assert np.isfinite(mode.forward_dynamics(q, u, inputs={"F": 3.0, "tau": 2.0})).all()
        assert near(np.array(list(mode.residual(q, u).values())), 0.0)
    assert found[0] == found[3] == ("u1",)
    assert "u1" not in found[1] + found[2]
