"""Parsa 2007: theorems 1 and 2, corollary 1, the equations of section 4, and the quaternions of appendix B.

| where | as printed | as it must be | how we know |
|---|---|---|---|
| after (12) | the rows of B are partial velocities | its columns | B = ∂q̇/∂u; q̇ = B u + d |
| (45) | (∂q̇/∂u)ᵀ before ∂ω/∂q | ∂q̇/∂u after it | the factors do not fit; (44) |
| (A-7) | J_ω + [ω×] J_ω | J̇_ω + [ω×] J_ω | (44), the last line of the proof, numbers |
| (22), (B-17) | on any coordinates | on independent ones, or along what the dependent ones can do | quaternions |
| (B-13) | any quaternion | unit quaternions | η ⊛ η* = η·η |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.equations.course import Course
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.parsa import Parsa
from jourdain.equations.values import values
from jourdain.equations.velocities import Velocities, by_rates, by_speeds
from jourdain.graph import Graph, Node, Role, interpret
from jourdain.graph.differentiate import jacobian, jvp
from jourdain.spatial import Vector
from jourdain.spatial.quaternion import Quaternion, pure

from ..equations.systems import Array, Traits, along_motion
from ..equations.test_systems import Case, agree

Variables = Callable[[Course], Velocities]
INDEPENDENT = ("revolute", "prismatic", "screw", "universal", "cylindrical", "planar", "spherical-angles", "compound")
some = pytest.mark.parametrize("seed", range(700, 708))


class Chain:
    """A random chain in the rates of its coordinates, looked at along a motion."""

    def __init__(self, seed: int, kinds: Sequence[str] = INDEPENDENT, driven: bool = False) -> None:
        self.case = Case(seed, 2 + seed % 3, Traits(kinds=tuple(kinds), driven=driven))
        self.parsa = Parsa(self.case.mechanics, by_rates)
        self.last = self.parsa.bodies[-1]

    def rows(self, rows: Sequence[Sequence[Node]]) -> Array:
        return self.case.rows([self.parsa.velocities.at_speeds(row) for row in rows])

    def at(self, nodes: Sequence[Node]) -> Array:
        return self.case.at(*self.parsa.velocities.at_speeds(nodes))

    def angular(self, body: str) -> list[Node]:
        """ω along the body's axes, of q and q̇."""
        return list(self.parsa.velocity(body).angular)

    def in_ground(self, body: str) -> list[Node]:
        """ω along the ground's."""
        velocity = self.parsa.velocity(body)
        return list(velocity.rotation @ velocity.angular)


# -- theorems ----------------------------------------------------------------------------------------------------------


@some
def test_theorem_one(seed: int) -> None:
    """(22, A-1): ∂ω/∂q = J̇_ω + [ω×] J_ω along the body's axes, entry by entry; also where a joint is driven."""
    chain = Chain(seed, driven=seed % 2 == 0)
    for body in chain.parsa.bodies:
        by_q = jacobian(chain.angular(body), chain.parsa.course.q)
        agree(chain.rows(chain.parsa.change_of_angular_velocity(body)), chain.rows(by_q), chain.case.size)


@some
def test_corollary_one(seed: int) -> None:
    """(A-6): along the ground's axes it is J̇_ω − [ω×] J_ω, and the plus sign would be wrong."""
    chain = Chain(seed)
    body = chain.last
    by_q = chain.rows(jacobian(chain.in_ground(body), chain.parsa.course.q))
    agree(chain.rows(chain.parsa.change_of_angular_velocity_in_ground(body)), by_q, chain.case.size)


def test_the_signs_of_theorem_and_corollary_are_not_each_others() -> None:
    chain = Chain(702, ("spherical-angles",))
    body = chain.last
    w, first = chain.at(chain.in_ground(body)), chain.rows(jacobian(chain.in_ground(body), chain.parsa.variables))
    wrong = chain.rows(chain.parsa.change_of_angular_velocity_in_ground(body)) + 2.0 * np.cross(w, first.T).T
    assert np.abs(wrong - chain.rows(jacobian(chain.in_ground(body), chain.parsa.course.q))).max() > 0.1


@some
def test_theorem_two(seed: int) -> None:
    """(44): with quaternions, whose components depend on each other, times every δq = V δπ that they can make."""
    chain = Chain(seed, ("spherical", "free", "revolute"))
    v = chain.case.rows(chain.parsa.course.kinematic_matrix)
    for body in chain.parsa.bodies:
        by_q = chain.rows(jacobian(chain.angular(body), chain.parsa.course.q))
        change = chain.rows(chain.parsa.change_of_angular_velocity(body))
        agree(change @ v, by_q @ v, chain.case.size)


def test_theorem_one_needs_independent_coordinates() -> None:
    """Across what a quaternion can do, along η itself, the two sides differ."""
    chain = Chain(705, ("spherical",))
    body = chain.last
    by_q = chain.rows(jacobian(chain.angular(body), chain.parsa.course.q))
    assert np.abs(chain.rows(chain.parsa.change_of_angular_velocity(body)) - by_q).max() > 0.1


def test_printed_a7_lacks_a_dot() -> None:
    chain = Chain(702, ("spherical-angles", "revolute"))
    body = chain.last
    by_q = chain.rows(jacobian(chain.angular(body), chain.parsa.course.q))
    w, first = chain.at(chain.angular(body)), chain.rows(chain.parsa.jacobian(body)[:3])
    printed = first + np.cross(w, first.T).T
    assert np.abs(printed - by_q).max() > 0.1


def test_printed_45_multiplies_from_the_wrong_side() -> None:
    """∂ω/∂q is 3×n and ∂q̇/∂u n×m: (∂q̇/∂u)ᵀ (∂ω/∂q) is no product."""
    chain = Chain(701, ("spherical", "free"))
    v = chain.case.rows(chain.parsa.course.kinematic_matrix)
    change = chain.rows(chain.parsa.change_of_angular_velocity(chain.last))
    assert v.T.shape[1] != change.shape[0]
    assert (change @ v).shape == (3, chain.case.n)


@some
def test_velocity_of_the_centre(seed: int) -> None:
    """(23): ∂v/∂q = J̇_v."""
    chain = Chain(seed)
    body = chain.last
    by_q = jacobian(list(chain.parsa.velocity(body).linear), chain.parsa.course.q)
    agree(chain.rows(chain.parsa.jacobian_rate(body)[3:]), chain.rows(by_q), chain.case.size)


# -- section 4 ---------------------------------------------------------------------------------------------------------


@some
@pytest.mark.parametrize("variables", [by_rates, by_speeds])
def test_jacobians_are_those_of_the_bodies(seed: int, variables: Variables) -> None:
    """(19–21, 26): (ω, v) = J w; by speeds it is the read-out's, v moved to the centre and the ground's axes."""
    case = Case(seed, 3, Traits())
    parsa = Parsa(case.mechanics, variables)
    at = parsa.velocities.at_speeds
    w = case.at(*at(parsa.variables)) if variables is by_rates else case.state.u
    for body in parsa.bodies:
        velocity = parsa.velocity(body)
        j = case.rows([at(row) for row in parsa.jacobian(body)])
        agree(j @ w, case.at(*at([*velocity.angular, *velocity.linear])), 10.0)
        if variables is by_speeds:
            center = case.mechanics.lowered.vector(case.system.body(body).center)
            own = case.rows(case.mechanics.jacobian(body, center))
            ground = case.rows(case.mechanics.jacobian(body, center, ground_axes=True))
            agree(j, np.vstack([own[:3], ground[3:]]), 10.0)


@some
def test_newton_and_euler_are_between_the_brackets(seed: int) -> None:
    """(37): I ω̇ + ω × I ω along the body's axes, m v̇ along the ground's."""
    case = Case(seed, 3, Traits(driven=True))
    parsa = Parsa(case.mechanics, by_speeds)
    for body in parsa.bodies:
        velocity = parsa.velocity(body)
        dyad = case.rows(parsa.inertia_dyad(body))
        inertia, mass = dyad[:3, :3], dyad[3, 3]
        w = case.at(*velocity.angular)
        euler = inertia @ along_motion(case.mechanics, velocity.angular, case.state) + np.cross(w, inertia @ w)
        newton = mass * along_motion(case.mechanics, velocity.linear, case.state)
        agree(case.at(*parsa.inertia_wrench(body)), [*euler, *newton], case.size)
        agree(case.rows(parsa.velocity_dyad(body))[:3, :3] @ [1, 2, 3], np.cross(w, [1, 2, 3]))


@some
@pytest.mark.parametrize("variables", [by_rates, by_speeds])
def test_matrix_of_velocity_terms(seed: int, variables: Variables) -> None:
    """(39–41): C w = h, and Ṁ − 2C is skew-symmetric, in rates and in speeds alike."""
    case = Case(seed, 3, Traits(loads=True))  # rotors are among the loads
    parsa = Parsa(case.mechanics, variables)
    at = parsa.velocities.at_speeds
    n = len(parsa.variables)
    c = case.rows([at(row) for row in parsa.coriolis_matrix()])
    agree(c @ case.at(*at(parsa.variables)), case.at(*at(parsa.velocity_terms())), case.size)
    flat = [x for row in parsa.mass_matrix() for x in row]
    rate = case.at(*at(parsa.velocities.rate(flat))).reshape(n, n)
    agree(rate, c + c.T, case.size * max(1.0, float(np.abs(c).max())))


@some
def test_in_speeds_the_matrices_are_the_read_outs(seed: int) -> None:
    """(39), (40) body by body against composite bodies."""
    case = Case(seed, 3, Traits())
    parsa = Parsa(case.mechanics, by_speeds)
    agree(case.rows(parsa.mass_matrix()), case.rows(case.mechanics.mass_matrix()), 10.0)
    agree(case.rows(parsa.coriolis_matrix()), case.rows(case.mechanics.coriolis_matrix()), case.size)


@some
def test_gravity(seed: int) -> None:
    """(31, 32): Σ m J_vᵀ g is −∂V/∂q, whatever else moves."""
    chain = Chain(seed, driven=seed % 2 == 0)
    potential = chain.case.mechanics.energy().potential
    slope = jacobian([potential], chain.parsa.course.q)[0]
    agree(chain.at(chain.parsa.gravity_forces()), -chain.case.at(*slope), 100.0)


def test_gravity_folded_into_the_base() -> None:
    """After (32): a base that accelerates at −g in no gravity asks the same of the joints."""
    falling, standing = Mechanics(carried(falls=True)), Mechanics(carried(falls=False))
    q, u, udot = np.random.default_rng(32).normal(size=(3, 3))
    found = values(falling, falling.inverse_dynamics(), q, u, udot, time=0.7)
    agree(found, values(standing, standing.inverse_dynamics(), q, u, udot, time=0.7), 100.0)
    weight = values(standing, standing.gravity_forces(), q)
    assert np.abs(weight).max() > 1.0


def carried(falls: bool) -> jd.System:
    """Three joints on a base that stands in gravity, or rises at g/2 t² without any."""
    m = jd.Model("carried", gravity=(0, 0, 0) if falls else (0, 0, -9.81))
    base = m.link("base")
    m.prismatic("lift", m.ground, base, axis="z")
    m.prescribe("lift", 0.5 * 9.81 * m.time**2 if falls else 0.0)
    parent = base
    for k, axis in enumerate("yxz"):
        body = m.body(f"b{k}", mass=1.0 + k, center=(0.1, 0.2, 0.3), inertia=jd.principal(0.1, 0.12, 0.15))
        m.revolute(f"j{k}", parent, body, axis=axis, at=(0.3, 0, 0.2))
        parent = body
    return m.system()


def test_only_bodies_that_move_have_jacobians() -> None:
    m = jd.Model("post")
    m.weld("fixed", m.ground, m.body("post", mass=1.0, inertia=jd.principal(1, 1, 1)))
    parsa = Parsa(m.system())
    assert parsa.bodies == ()
    with pytest.raises(ValueError, match="body 'post' is fixed to the ground and has no Jacobian"):
        parsa.jacobian("post")
    with pytest.raises(KeyError, match=r"no body 'pots'.*post"):
        parsa.jacobian("pots")


# -- appendix B --------------------------------------------------------------------------------------------------------

units = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda v: float(np.dot(v, v)) > 0.05)
vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


def turn(values_: Sequence[float]) -> Quaternion:
    """A unit quaternion of constants."""
    return Quaternion.of(GRAPH, [float(x) for x in np.array(values_) / np.linalg.norm(values_)])


GRAPH = Graph()


def num(nodes: Sequence[Node]) -> Array:
    return np.array(interpret(list(nodes), {}), float)


def mat(rows: Sequence[Sequence[Node]]) -> Array:
    return num([x for row in rows for x in row]).reshape(len(rows), -1)


@settings(max_examples=30, deadline=None)
@given(units, units, units)
def test_the_two_compositions(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> None:
    """(B-9) to (B-12): Q₁ Q₂, the operators' matrices, associativity of each, and that they pass through each other."""
    one, two, three = turn(a), turn(b), turn(c)
    both = one.then(two)
    agree(num(both), num(two.after(one)))
    agree(mat(both.rotation()), mat(one.rotation()) @ mat(two.rotation()))
    agree(num(both), mat(one.then_matrix()) @ num(two))
    agree(num(one.after(two)), mat(one.after_matrix()) @ num(two))
    agree(num(both.then(three)), num(one.then(two.then(three))))
    agree(num(one.after(two).after(three)), num(one.after(two.after(three))))
    # The step of the proof of theorem 1 that is not named: (η ⊛) and (ζ ⊗) commute.
    agree(mat(one.then_matrix()) @ mat(two.after_matrix()), mat(two.after_matrix()) @ mat(one.then_matrix()))


@settings(max_examples=30, deadline=None)
@given(units, units)
def test_conjugates(a: Sequence[float], b: Sequence[float]) -> None:
    """(B-13), (B-15), (B-16)."""
    one, other = turn(a), turn(b)
    home = [0.0, 0.0, 0.0, 1.0]
    back = one.conjugate
    for product in (one.then(back), back.then(one), one.after(back), back.after(one)):
        agree(num(product), home)
    agree(mat(back.rotation()), mat(one.rotation()).T)
    d = np.diag([1.0, 1.0, 1.0, -1.0])
    agree(num(back), -d @ num(one))
    agree(d @ mat(one.then_matrix()), mat(back.after_matrix()) @ d)
    agree(d @ mat(one.after_matrix()), mat(back.then_matrix()) @ d)
    agree(d @ num(one.then(other)), mat(back.after_matrix()) @ d @ num(other))


def test_conjugates_of_quaternions_that_are_no_turns() -> None:
    """(B-13) is said of any quaternion; the product is (0, 0, 0, η·η)."""
    eta = Quaternion.of(GRAPH, (0.5, -1.0, 2.0, 3.0))
    agree(num(eta.then(eta.conjugate)), [0.0, 0.0, 0.0, 14.25])
    agree(num([eta.square]), [14.25])


@settings(max_examples=30, deadline=None)
@given(units, vectors)
def test_rates(a: Sequence[float], w: Sequence[float]) -> None:
    """(B-18), (B-19), each both ways; Q̇ = Q [ω×]; the length stays."""
    eta, angular = turn(a), Vector.of(GRAPH, w)
    rate = eta.rate(angular)
    agree(num(rate), 0.5 * num(pure(angular).after(eta)), 3.0)
    agree(num(rate), 0.5 * mat(eta.then_matrix()) @ [*w, 0.0], 3.0)
    agree(num(eta.angular_velocity(rate)), w, 3.0)
    agree(2.0 * mat(rate.after_matrix()) @ num(eta.conjugate), [*w, 0.0], 3.0)
    agree([num(eta) @ num(rate)], [0.0], 3.0)
    graph = Graph()
    symbols = [graph.symbol(x, Role.COORDINATE) for x in "xyzw"]
    entries = [x for row in Quaternion(*symbols).rotation() for x in row]
    seeds = dict(zip(symbols, (float(x) for x in num(rate))))
    turning = np.array(interpret(jvp(entries, seeds), dict(zip(symbols, num(eta)))), float).reshape(3, 3)
    x, y, z = w
    agree(turning, mat(eta.rotation()) @ [[0, -z, y], [z, 0, -x], [-y, x, 0]], 10.0)


@settings(max_examples=20, deadline=None)
@given(units, vectors, vectors)
def test_derivatives_of_conjugates(a: Sequence[float], axis: Sequence[float], other: Sequence[float]) -> None:
    """(B-14) of any coordinates, (B-17) of independent ones (here angular ones, along η ⊛ ẽ): ∂η*/∂q."""
    eta = turn(a)
    slopes = [eta.then(pure(Vector.of(GRAPH, e))) for e in (axis, other)]
    d = np.diag([1.0, 1.0, 1.0, -1.0])
    for slope in slopes:
        by_conjugate = num(slope.conjugate)
        agree(by_conjugate, -d @ num(slope))
        agree(by_conjugate, -num(eta.conjugate.after(eta.conjugate.then(slope))), 3.0)
    # With a coordinate along η itself, which changes its length, (B-17) fails where (B-14) holds.
    along = num(eta.conjugate)
    assert np.abs(along + num(eta.conjugate.after(eta.conjugate.then(eta)))).max() > 1.0
