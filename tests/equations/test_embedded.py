"""Constrained generalized forces: by substitution and by recombination they are the same, on random systems.

Three more witnesses: the same motion with multipliers; D and E by LAPACK; and the same reduced set of speeds defined by
the user, for which the constraints are embedded in the equations from the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

import jourdain as jd
from jourdain.equations.constraints import active, bonds, constrained_forward_dynamics
from jourdain.equations.embedded import Embedded
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.kane import Kane
from jourdain.graph import Node, Role
from jourdain.graph.differentiate import jacobian
from jourdain.model.system import System

from .systems import Array, State, Traits, along_motion, evaluate, evaluate_rows, random_state, random_system
from .user_speeds import candidates, defined, with_outputs

ROWS = 2
TRAITS = {
    "plain": Traits(), "loaded": Traits(loads=True, driven=True), "floating": Traits(floating=True, loads=True),
}  # fmt: skip


@dataclass(frozen=True)
class Held:
    """A random system with rows kept at zero, in the joints' speeds or a full set of the user's, and a state on them.

    reduced: the same with the independent speeds alone defined by the user, where the user has defined them.
    """

    kane: Kane
    embedded: Embedded
    state: State
    reduced: System | None

    def now(self, nodes: list[Node] | tuple[Node, ...]) -> Array:
        return evaluate(self.kane.mechanics, nodes, self.state)

    def now_rows(self, rows: list[list[Node]]) -> Array:
        return evaluate_rows(self.kane.mechanics, rows, self.state)

    @property
    def places(self) -> tuple[list[int], list[int]]:
        """Of independent and dependent speeds."""
        speeds = list(self.kane.speeds)
        return [speeds.index(x) for x in self.embedded.speeds], [speeds.index(x) for x in self.embedded.dependent]

    @property
    def condition(self) -> float:
        """What D makes of rounding."""
        matrix = self.now_rows(self.embedded.dependent_matrix())
        d = self.now_rows(self.embedded.dependence())
        return (1.0 + float(np.abs(d).max(initial=0.0))) ** 2 * float(np.linalg.cond(matrix)) ** 2


def held(seed: int, traits: Traits, users: bool) -> Held:
    """Rows and speeds drawn from the same candidates, the rows first, all as independent as can be."""
    plain = random_system(seed, 3, traits)
    while len(plain.speeds) < ROWS + 2:
        seed += 1000
        plain = random_system(seed, 3, traits)

    def start() -> tuple[jd.Model, dict[str, Node], np.random.Generator]:
        rng = np.random.default_rng(seed)
        m = jd.Model.of(plain)
        return m, candidates(m, plain, rng), rng

    m, offered, rng = start()
    state = random_state(plain, rng)
    probe = mechanics_of(with_outputs(m, offered))
    y = evaluate_rows(probe, jacobian(defined(probe, len(offered)), probe.u), state)
    chosen = _independent(y)
    names = list(offered)

    def kept() -> tuple[jd.Model, dict[str, Node]]:
        m, offered, _ = start()
        m.keep("held", [offered[names[i]] for i in chosen[:ROWS]])
        return m, offered

    m, offered = kept()
    last = chosen[ROWS:]
    if users:  # a full set: the reduced one, and as many of the joints' speeds as it takes
        width = y.shape[1]
        full = [*last, *_completing(y[last], width)]
        joint = [x for j in plain.joints if not j.prescribed for x in m.joints[j.name].speeds]
        given = {f"u{k}": offered[names[i]] if k < len(last) else joint[i] for k, i in enumerate(full)}
        m.speeds(given)
    kane = Kane(m.system())
    embedded = Embedded(kane, independent=[f"u{k}" for k in range(len(last))] if users else None)
    reduced = None
    if users:
        m, offered = kept()
        m.speeds({f"u{k}": offered[names[i]] for k, i in enumerate(last)})
        reduced = m.system()
    return Held(kane, embedded, _on_constraints(kane, embedded, state, rng), reduced)


def _independent(y: Array) -> list[int]:
    """Rows as different as can be, one for each column."""
    from scipy.linalg import qr

    return [int(k) for k in qr((y / np.linalg.norm(y, axis=1, keepdims=True).clip(1e-6)).T, pivoting=True)[2]][
        : y.shape[1]
    ]


def _completing(y: Array, width: int) -> list[int]:
    from scipy.linalg import qr

    null = np.linalg.svd(y)[2][len(y) :]
    return [int(k) for k in qr(null, pivoting=True)[2]][: width - len(y)]


def _on_constraints(kane: Kane, embedded: Embedded, state: State, rng: np.random.Generator) -> State:
    n = len(kane.u)
    u, udot = rng.normal(size=n), rng.normal(size=n)
    somewhere = replace(state, u=u, udot=udot, f=rng.normal(size=n))
    u = evaluate(kane.mechanics, embedded.all_speeds(), somewhere)
    somewhere = replace(somewhere, u=u)
    return replace(somewhere, udot=evaluate(kane.mechanics, embedded.all_rates(), somewhere))


CASES = {
    f"{name}-{'users' if users else 'joints'}-{seed}": (seed, traits, users)
    for name, traits in TRAITS.items()
    for users in (False, True)
    for seed in (5, 6, 7)
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES), scope="module")
def case(request: pytest.FixtureRequest) -> Held:
    return held(*request.param)


def agree(found: ArrayLike, wanted: ArrayLike, scale: float, *terms: ArrayLike) -> None:
    """To 1e-11 of the largest of the terms, as large as the constraints make rounding."""
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape
    size = max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in (b, *map(np.asarray, terms))))
    assert float(np.abs(a - b).max(initial=0.0)) <= 1e-11 * size * scale


def test_dependent_speeds_satisfy_the_rows(case: Held) -> None:
    """(3)–(5), and A B − signs; D and E by LAPACK."""
    e = case.embedded
    full, rest = case.now_rows(e.constraint_matrix()), case.now(e.constraint_remainder())
    a, b = case.now_rows(e.dependent_matrix()), case.now_rows(e.independent_matrix())
    kept, others = case.places
    assert np.array_equal(full[:, others], a)
    assert np.array_equal(full[:, kept], -b)
    agree(case.now_rows(e.dependence()), np.linalg.solve(a, b), case.condition)
    agree(case.now(e.dependence_remainder()), np.linalg.solve(a, -rest), case.condition, rest)
    agree(full @ case.state.u + rest, np.zeros(len(full)), case.condition, rest)
    m = case.kane.mechanics
    rows = bonds(m, active(m.system))
    felt = np.abs(full) @ np.abs(case.state.udot)
    agree(along_motion(m, rows.velocities, case.state), np.zeros(len(full)), case.condition, felt, case.now(rows.rest))


def test_substitution_and_recombination_agree(case: Held) -> None:
    """(44) and (45): F̃ and F̃* each, body by body too."""
    e, kane, other = case.embedded, case.kane, case.embedded.substituted
    scale = case.condition
    for one, two, terms in (
        (e.active_forces(), other.active_forces(), kane.active_forces()),
        (e.inertia_forces(), other.inertia_forces(), kane.inertia_forces()),
        (e.equations(), other.equations(), kane.inertia_forces()),
    ):
        agree(case.now(two), case.now(one), scale, case.now(terms))
    for body in kane.bodies:
        forces = kane.inertia_forces_of(body)
        agree(case.now(other.inertia_forces_of(body)), case.now(e.recombined(forces)), scale, case.now(forces))
    for load in kane.system.loads:
        forces = kane.load_forces(load.name)
        agree(case.now(other.load_forces(load.name)), case.now(e.recombined(forces)), scale, case.now(forces))


def test_constrained_partial_velocities(case: Held) -> None:
    """ṽ_r = v_r + Σ v_s D_sr, and the remainder v_t + Σ v_s E_s (26)."""
    e, kane, other = case.embedded, case.kane, case.embedded.substituted
    kept, others = case.places
    d, rest = case.now_rows(e.dependence()), case.now(e.dependence_remainder())
    for entry, mine in zip(kane.table(axes="ground"), other.table(axes="ground")):
        assert mine.speeds == e.speeds
        for free, held, remainder, own in (
            (entry.linear, mine.linear, entry.linear_remainder, mine.linear_remainder),
            (entry.angular, mine.angular, entry.angular_remainder, mine.angular_remainder),
        ):
            v = case.now_rows([list(x) for x in free])
            found = case.now_rows([list(x) for x in held])
            agree(found, v[kept] + d.T @ v[others], case.condition, v)
            agree(case.now(list(own)), case.now(list(remainder)) + rest @ v[others], case.condition, v)


def test_equations_hold_on_the_motion_with_multipliers(case: Held) -> None:
    """Forces of constraint are not in them: with the rates that multipliers give, both forms vanish."""
    m = case.kane.mechanics
    answer = constrained_forward_dynamics(m, bonds(m, active(m.system)))
    moving = replace(case.state, udot=evaluate(m, answer.rates, case.state))
    terms = evaluate(m, case.kane.inertia_forces(), moving)
    for found in (case.embedded.equations(), case.embedded.substituted.equations()):
        agree(evaluate(m, found, moving), np.zeros(len(case.embedded.u)), case.condition * 1e2, terms)


def test_reduced_speeds_of_the_user_are_the_same(case: Held) -> None:
    """The user's own reduced set has the same constrained generalized forces."""
    if case.reduced is None:
        assert all(speed in case.kane.system.joint_speeds for speed in case.kane.speeds)
        return
    other = Kane(case.reduced)
    kept, _ = case.places
    mine = replace(case.state, u=case.state.u[kept], udot=case.state.udot[kept], f=case.state.f[kept])
    for one, two, terms in (
        (other.active_forces(), case.embedded.active_forces(), case.kane.active_forces()),
        (other.inertia_forces(), case.embedded.inertia_forces(), case.kane.inertia_forces()),
    ):
        found = evaluate(other.mechanics, one, mine)
        agree(found, case.now(two), case.condition * 10.0, case.now(terms))


def test_the_rolling_disk() -> None:
    """Example 1: D is [−1] (7), and one equation is left, (m r² + J)/r² times the acceleration."""
    system = jd.gallery.rolling_disk_on_ramp()
    kane = Kane(system)
    free = Embedded(kane)
    assert (free.speeds, free.dependent) == (("u1", "u2"), ())
    assert free.equations() == kane.equations()
    rolling = Embedded(kane, {"rolls"}, ["u1"])
    assert (rolling.speeds, rolling.dependent) == (("u1",), ("u2",))
    assert [[x.value for x in row] for row in rolling.dependence()] == [[-1.0]]
    assert [x.value for x in rolling.dependence_remainder()] == [0.0]
    assert rolling.substituted.table()["B"].speeds == ("u1",)
    p = system.parameters
    state = State(np.array([0.3, 0.4]), np.array([0.7, -0.7]), np.array([2.0, -2.0]), np.zeros(2), {"F_f": 0.0})
    found = evaluate(kane.mechanics, rolling.inertia_forces(), state)
    assert np.abs(found + (p["m"] + p["J"] / p["r"] ** 2) * 2.0).max() < 1e-13


def test_the_cart_embeds_the_caster() -> None:
    """Example 3: u3 from u1 and u2 while the front wheel rolls (59)."""
    kane = Kane(jd.gallery.shopping_cart())
    e = Embedded(kane, independent=["u1", "u2"])
    assert e.dependent == ("u3",)
    q = np.array([0.1, 0.2, 0.3, 0.4])
    state = State(q, np.zeros(3), np.zeros(3), np.zeros(3), {"F": 0.0, "tau": 0.0})
    length, p = kane.system.parameters["L2"], kane.system.parameters
    # P3's velocity along the caster's y: −u1 sin q4 + L2 u2 cos q4 − L3 u3 = 0, q4 the caster's angle from the basket.
    wanted = np.array([[-np.sin(0.4), length * np.cos(0.4)]]) / p["L3"]
    assert np.abs(evaluate_rows(kane.mechanics, e.dependence(), state) - wanted).max() < 1e-13
    assert len(Embedded(kane, "caster sticks").speeds) == 1
    lines = str(e.substituted.table(["C"])).splitlines()
    assert lines[2:] == [
        "u1  [0, 0, -sin(swivel)/L3]    [cos(swivel), 0, 0]",
        "u2  [0, 0, L2*cos(swivel)/L3]  [L2*sin(swivel), 0, 0]",
    ]


def test_what_cannot_be_embedded_is_said() -> None:
    kane = Kane(jd.gallery.shopping_cart())
    with pytest.raises(KeyError, match="no switchable constraint 'caster slides'"):
        Embedded(kane, {"caster slides"})
    with pytest.raises(KeyError, match="no speed 'u7'"):
        Embedded(kane, independent=["u1", "u7"])
    with pytest.raises(ValueError, match="1 independent rows leave 2 of 3 speeds independent; 1 are given: u1"):
        Embedded(kane, independent=["u1"])
    m = jd.Model("slider")
    a = m.body("a", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.cylindrical("rod", m.ground, a)
    m.keep("no slide", m["rod"].speeds[1])
    with pytest.raises(ValueError, match=r"do not tell rod\.\w+ from the others; choose other independent speeds"):
        Embedded(Kane(m.system()), independent=[m.system().speeds[1]])
    assert Role.SPEED is kane.u[0].role
