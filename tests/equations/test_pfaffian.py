"""Constrained equations by projection, against multipliers, against known mechanisms, and for quaternions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.course import Course
from jourdain.equations.parsa import Parsa
from jourdain.equations.pfaffian import Constrained, Pfaffian, Projection
from jourdain.equations.values import values
from jourdain.equations.velocities import Velocities, by_rates, by_speeds
from jourdain.graph import Graph, Node, Role, cos, interpret, sin, substitute
from jourdain.graph.differentiate import jacobian
from jourdain.model.system import TIME

from .systems import Array, Traits, values_in
from .test_systems import Case, agree

some = pytest.mark.parametrize("seed", range(680, 688))


class Bound:
    """A random tree under random rows A(q, t), and a state that they allow."""

    def __init__(self, seed: int, variables: Callable[[Course], Velocities], traits: Traits) -> None:
        self.case = Case(seed, 4, traits)
        self.parsa = Parsa(self.case.mechanics, variables)
        graph, q, n = self.parsa.graph, self.parsa.course.q, len(self.parsa.variables)
        rng, t = np.random.default_rng(seed), graph.symbol(TIME, Role.TIME)
        self.count = min(2, n - 1)

        def entry() -> Node:
            a, b = rng.normal(size=2)
            return sin(q[int(rng.integers(len(q)))] * float(a) + t * 0.3) * float(b) + float(rng.normal())

        rows = [[entry() for _ in range(n)] for _ in range(self.count)]
        self.pfaffian = Pfaffian(rows, [entry() for _ in range(self.count)])
        self.kept = sorted(rng.permutation(n)[self.count :].tolist())
        self.projection = self.pfaffian.embedded(self.kept)
        self.bound = Constrained(self.parsa, self.projection)
        known = values_in(self.case.mechanics, self.case.state)
        width = self.projection.width
        self.u, self.udot = rng.normal(size=width), rng.normal(size=width)
        known |= dict(zip((*self.bound.u, *self.bound.udot), (*self.u, *self.udot)))
        self.known = known
        # What the tree itself then moves at, so that its own expressions can be looked at in the same state.
        known |= dict(zip(self.parsa.variables, self.at(self.bound.variables())))
        known |= dict(zip(self.parsa.rates, self.at(self.bound.variable_rates())))
        if variables is by_rates:
            known |= dict(zip(self.parsa.course.u, self.at(list(self.parsa.velocities.speeds))))

    def at(self, nodes: list[Node]) -> Array:
        return np.array(interpret(nodes, self.known), float)

    def rows(self, rows: object) -> Array:
        listed = [list(row) for row in rows]  # type: ignore[attr-defined]
        return self.at([x for row in listed for x in row]).reshape(len(listed), -1)

    @property
    def size(self) -> float:
        moved = np.abs(self.rows(self.parsa.mass_matrix())) @ np.abs(self.at(list(self.parsa.rates)))
        terms = float((moved + np.abs(self.at(self.parsa.velocity_terms()))).max()) + self.case.size
        return terms * (1.0 + float(np.abs(self.rows(self.projection.matrix)).max()) ** 2)


def tied(seed: int) -> Bound:
    """By rates where coordinates are independent, by speeds with quaternions too; loads act, joints are driven."""
    plain = ("revolute", "planar", "spherical-angles", "compound", "cylindrical")
    rates = seed % 2 == 0
    kinds = plain if rates else (*plain, "spherical", "free")
    traits = Traits(kinds=kinds, loads=True, driven=seed % 3 == 0)
    return Bound(seed, by_rates if rates else by_speeds, traits)


@some
def test_the_projection_makes_what_the_rows_allow(seed: int) -> None:
    """(13): A B = 0, A d = b."""
    one = tied(seed)
    product, rest = one.pfaffian.violation(one.projection)
    agree(one.rows(product), np.zeros((one.count, one.projection.width)), one.size)
    agree(one.at(rest), np.zeros(one.count), one.size)
    agree(one.at(one.bound.variables())[one.kept], one.u)


@some
def test_constrained_equations_are_the_trees_projected(seed: int) -> None:
    """(50) is Bᵀ times (36), the tree moving as it is allowed to (15, 46)."""
    one = tied(seed)
    b = one.rows(one.projection.matrix)
    agree(one.at(one.bound.equations()), b.T @ one.at(one.parsa.equations()), one.size)
    agree(one.rows(one.bound.mass_matrix()), b.T @ one.rows(one.parsa.mass_matrix()) @ b, one.size)


@some
def test_constrained_equations_are_those_of_multipliers(seed: int) -> None:
    """M ẇ + h = f + Aᵀ λ with A ẇ + Ȧ w = ḃ, solved with numbers: its ẇ makes (50) vanish."""
    one = tied(seed)
    parsa, rates = one.parsa, one.parsa.velocities.rate
    a = one.rows(one.pfaffian.rows)
    a_dot = one.at(rates([x for row in one.pfaffian.rows for x in row])).reshape(a.shape)
    b_dot = one.at(rates(list(one.pfaffian.right)))
    w = one.at(list(parsa.variables))
    m, n = one.rows(parsa.mass_matrix()), len(parsa.variables)
    rest = m @ one.at(list(parsa.rates)) - one.at(parsa.equations())  # f − h
    whole = np.block([[m, -a.T], [a, np.zeros((one.count, one.count))]])
    answer = np.linalg.solve(whole, np.concatenate([rest, b_dot - a_dot @ w]))[:n]
    one.known |= dict(zip(one.bound.udot, answer[one.kept]))
    agree(one.at(one.bound.variable_rates()), answer, one.size * np.linalg.cond(whole))
    agree(one.at(one.bound.equations()), np.zeros(one.projection.width), one.size * np.linalg.cond(whole))


@some
def test_partial_velocities_multiply_the_independent_speeds(seed: int) -> None:
    """(48): T = ∂(ω, v)/∂u of the velocities themselves."""
    one = tied(seed)
    put_in = dict(zip(one.parsa.variables, one.bound.variables()))
    for body in one.parsa.bodies:
        velocity = one.parsa.velocity(body)
        twist = substitute([*velocity.angular, *velocity.linear], put_in)
        agree(one.rows(jacobian(twist, one.bound.u)), one.rows(one.bound.partial_velocities(body)), 10.0)


@pytest.mark.parametrize("seed", range(680, 684))
def test_quaternions_are_dependent_coordinates(seed: int) -> None:
    """η·η̇ = 0 is a row, Γ its B: (50) in the rates of four components is the recursion in three speeds."""
    case = Case(seed, 2, Traits(kinds=("spherical", "free", "revolute")))
    parsa = Parsa(case.mechanics)
    graph = parsa.graph
    projection = Projection(parsa.course.kinematic_matrix, [graph.zero] * len(parsa.course.q))
    bound = Constrained(parsa, projection, [f"w{k}" for k in range(case.n)])
    known = values_in(case.mechanics, case.state)
    known |= dict(zip((*bound.u, *bound.udot), (*case.state.u, *case.state.udot)))
    found = np.array(interpret(bound.equations(), known), float)
    agree(found, case.at(*case.mechanics.inverse_dynamics()), case.size)


# -- known mechanisms --------------------------------------------------------------------------------------------------


def test_chaplygins_sleigh() -> None:
    """A blade at the origin keeps its velocity along x: u̇ = a ω², (I + m a²) ω̇ = −m a u ω."""
    m = jd.Model("sleigh", gravity=(0, 0, 0))
    p = m.parameters(m=2.0, I=0.3, a=0.4)
    sleigh = m.body("sleigh", mass=p.m, center=(p.a, 0, 0), inertia=jd.about_z(p.I))
    m.planar("slide", m.ground, sleigh)
    parsa = Parsa(m.system())
    angle = parsa.course.q[2]
    zero, one = parsa.graph.zero, parsa.graph.one
    pfaffian = Pfaffian([[-sin(angle), cos(angle), zero]], [zero])
    projection = Projection([[cos(angle), zero], [sin(angle), zero], [zero, one]], [zero] * 3)
    product, _ = pfaffian.violation(projection)
    assert all(abs(x) < 1e-15 for x in values(parsa.mechanics, product, [0.1, 0.2, 0.7])[0])
    bound = Constrained(parsa, projection, ["u", "omega"])
    u, w, a, mass, inertia = 0.7, -0.9, 0.4, 2.0, 0.3
    state = dict(zip((*bound.u, *bound.udot), (u, w, a * w * w, -mass * a * u * w / (inertia + mass * a * a))))
    agree(values(parsa.mechanics, bound.equations(), [0.1, 0.2, 0.7], others=state), [0.0, 0.0])
    agree(
        values(parsa.mechanics, bound.mass_matrix(), [0.1, 0.2, 0.7]), [[mass, 0.0], [0.0, inertia + mass * a * a]]
    )


def test_a_rod_as_a_constraint() -> None:
    """A particle in a plane with x ẋ + z ż = 0 is a pendulum; the speed is its angular one."""
    m = jd.Model("particle")
    carrier, particle = m.link("carrier"), m.body("particle", mass=3.0, inertia=jd.point_mass)
    m.prismatic("x", m.ground, carrier, axis="x")
    m.prismatic("z", carrier, particle, axis="z")
    parsa = Parsa(m.system())
    x, z = parsa.course.q
    bound = Constrained(parsa, Projection([[-z], [x]], [parsa.graph.zero] * 2))
    angle, length = 0.5, 1.2
    place = [length * np.sin(angle), -length * np.cos(angle)]
    state = dict(zip((*bound.u, *bound.udot), (0.8, -9.81 / length * np.sin(angle))))
    agree(values(parsa.mechanics, bound.equations(), place, others=state), [0.0], 10.0)
    agree(values(parsa.mechanics, bound.mass_matrix(), place), [[3.0 * length**2]])


# -- what is refused ---------------------------------------------------------------------------------------------------


def nodes(graph: Graph, rows: list[list[float]]) -> list[list[Node]]:
    return [[graph.constant(x) for x in row] for row in rows]


@pytest.mark.parametrize(("rows", "right"), [([], []), ([[1, 0]], []), ([[1, 0], [1]], [0, 0])])
def test_rows_that_are_no_constraints(rows: list[list[float]], right: list[float]) -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="make no constraints; give at least one row"):
        Pfaffian(nodes(graph, rows), [graph.constant(x) for x in right])


@pytest.mark.parametrize("kept", [[0], [0, 0], [0, 3], [0, 1, 2]])
def test_a_choice_that_cannot_be(kept: list[int]) -> None:
    graph = Graph()
    with pytest.raises(ValueError, match=r"1 constraints on 3 variables leave 2 independent; .* are chosen"):
        Pfaffian(nodes(graph, [[1, 2, 3]]), [graph.zero]).embedded(kept)


@pytest.mark.parametrize("rows", [[[1, 2, 3], [2, 4, 6]], [[1, 0, 0], [0, 1, 0]]])
def test_rows_that_do_not_determine_the_rest(rows: list[list[float]]) -> None:
    """Redundant ones, and a choice that the rows themselves hold fast."""
    graph = Graph()
    with pytest.raises(ValueError, match=r"do not determine the variables \[1, 2\] from \[0\]; leave out redundant"):
        Pfaffian(nodes(graph, rows), [graph.zero] * 2).embedded([0])


def test_projections_that_do_not_fit() -> None:
    graph = Graph()
    with pytest.raises(ValueError, match=r"B has 2 rows of widths \[1\] and d 1 entries"):
        Projection(nodes(graph, [[1], [2]]), [graph.zero])
    parsa = Parsa(jd.gallery.double_pendulum())
    one, zero = parsa.graph.one, parsa.graph.zero
    with pytest.raises(ValueError, match="B has 1 rows; the tree has 2 variables"):
        Constrained(parsa, Projection([[one]], [zero]))
    with pytest.raises(ValueError, match=r"1 independent speeds need as many names; \['a', 'b'\] are given"):
        Constrained(parsa, Projection([[one], [one]], [zero, zero]), ["a", "b"])
