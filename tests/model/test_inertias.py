"""Ways to write an inertia, each against the integral ∫ (r·r 1 − r rᵀ) dm over the body that it describes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.model.inertias import InertiaOf

from .looking import Array, close

MASS = 3.0


def matrix_of(inertia: object, center: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    """About the mass centre, in body axes."""
    m = jd.Model("one")
    m.weld("j", m.ground, m.body("b", mass=MASS, center=center, inertia=inertia))  # type: ignore[arg-type]
    return np.array([[x.value for x in row] for row in m.system().body("b").inertia])


def of_points(points: Array, weights: Array) -> Array:
    """The inertia (3, 3) of particles at points (n, 3) whose weights sum to the body's mass."""
    w = MASS * weights / weights.sum()
    second = np.array(np.einsum("k,ki,kj->ij", w, points, points))
    return np.array(np.trace(second) * np.eye(3) - second)


GAUSS = np.polynomial.legendre.leggauss(8)  # exact for the polynomials below
AROUND: Array = np.arange(16.0) * (2 * np.pi / 16)  # so is the rule of equal steps for low harmonics


def grid(*axes: tuple[Array, Array]) -> tuple[Array, Array]:
    places = np.stack(np.meshgrid(*(x for x, _ in axes), indexing="ij"), -1).reshape(-1, len(axes))
    weights = np.prod(np.stack(np.meshgrid(*(w for _, w in axes), indexing="ij"), -1), -1).ravel()
    return places, weights


def between(a: float, b: float) -> tuple[Array, Array]:
    x, w = GAUSS
    return np.array((a + b) / 2 + (b - a) / 2 * x), np.array(w * (b - a) / 2)


def box(x: float, y: float, z: float) -> tuple[Array, Array]:
    return grid(*(between(-edge / 2, edge / 2) for edge in (x, y, z)))


def round_about_z(radii: tuple[Array, Array], heights: tuple[Array, Array]) -> tuple[Array, Array]:
    """r dr dφ dz."""
    p, w = grid(radii, (AROUND, np.ones(16)), heights)
    r, phi, z = p.T
    return np.stack([r * np.cos(phi), r * np.sin(phi), z], -1), w * r


def ball(radii: tuple[Array, Array]) -> tuple[Array, Array]:
    """r² dr d(cos θ) dφ."""
    p, w = grid(radii, between(-1, 1), (AROUND, np.ones(16)))
    r, c, phi = p.T
    s = np.sqrt(1 - c * c)
    return np.stack([r * s * np.cos(phi), r * s * np.sin(phi), r * c], -1), w * r * r


def at(x: float) -> tuple[Array, Array]:
    return np.array([x]), np.ones(1)


def onto(axis: str, body: tuple[Array, Array]) -> tuple[Array, Array]:
    """A body about z as one about another axis."""
    points, weights = body
    return np.roll(points, {"z": 0, "x": 1, "y": 2}[axis], axis=1), weights


R, L = 0.4, 0.9
SHAPES: dict[str, tuple[InertiaOf, tuple[Array, Array]]] = {
    "box": (jd.solid_box(0.2, 0.3, 0.5), box(0.2, 0.3, 0.5)),
    "ball": (jd.solid_sphere(R), ball(between(0, R))),
    "shell": (jd.hollow_sphere(R), ball(at(R))),
    "particle": (jd.point_mass, (np.zeros((1, 3)), np.ones(1))),
}
for letter in "xyz":
    SHAPES |= {
        f"cylinder {letter}": (
            jd.solid_cylinder(R, L, letter), onto(letter, round_about_z(between(0, R), between(-L / 2, L / 2)))
        ),
        f"rod {letter}": (jd.thin_rod(L, letter), onto(letter, round_about_z(at(1e-30), between(-L / 2, L / 2)))),
        f"disk {letter}": (jd.thin_disk(R, letter), onto(letter, round_about_z(between(0, R), at(0.0)))),
        f"ring {letter}": (jd.thin_ring(R, letter), onto(letter, round_about_z(at(R), at(0.0)))),
    }  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_its_integral(name: str) -> None:
    shape, (points, weights) = SHAPES[name]
    assert close(matrix_of(shape), of_points(points, weights))


def test_moments_and_matrices() -> None:
    assert np.array_equal(matrix_of(jd.principal(1, 2, 2.5)), np.diag([1, 2, 2.5]))
    assert np.array_equal(matrix_of(jd.principal_per_mass(1, 2, 2.5)), MASS * np.diag([1, 2, 2.5]))
    full = np.array([[2, 0.1, 0.2], [0.1, 3, -0.3], [0.2, -0.3, 4]])
    assert np.array_equal(matrix_of(jd.tensor(full)), full)
    assert np.array_equal(matrix_of(full), full)
    assert np.array_equal(matrix_of(jd.tensor([2, 3, 4, 0.1, 0.2, -0.3])), full)
    assert np.array_equal(matrix_of([2, 3, 4, 0.1, 0.2, -0.3]), full)
    assert np.array_equal(matrix_of(jd.about_z(5)), np.diag([0, 0, 5]))  # no warning: the body is plane


TURN = np.array(Rotation.from_euler("xyz", [0.3, -0.5, 0.7]).as_matrix())


@pytest.mark.parametrize(
    "made", [lambda: jd.principal(1, 2, 2.5, axes=TURN), lambda: jd.principal(1, 2, 2.5).in_axes(TURN)]
)
def test_axes_are_the_columns_of_the_rotation(made: Callable[[], InertiaOf]) -> None:
    found = matrix_of(made())
    assert close(found, TURN @ np.diag([1, 2, 2.5]) @ TURN.T)
    assert close(found @ TURN[:, 0], TURN[:, 0])


def parallel(r: Array) -> Array:
    """What moving by r adds."""
    return MASS * (r @ r * np.eye(3) - np.outer(r, r))


def test_about_another_point_by_parallel_axes() -> None:
    center, point = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.1, -0.1])
    central = np.diag([1, 2, 2.5])
    place = tuple(center.tolist())
    for where, offset in (("origin", center), (point, center - point)):
        given = jd.tensor(central + parallel(offset)).about(where)
        assert close(matrix_of(given, place), central)
    turned = jd.tensor(TURN.T @ (central + parallel(center)) @ TURN).in_axes(TURN).about("origin")
    assert close(matrix_of(turned, place), central)


def test_about_a_point_and_in_a_frame_of_the_body() -> None:
    m = jd.Model("one")
    center = (0.1, -0.2, 0.3)
    b = m.body("b", mass=MASS)
    hub = b.frame("hub", (0.4, 0.1, -0.1), TURN)
    central = np.diag([1, 2, 2.5])
    own = TURN.T @ (central + parallel(np.array(center) - [0.4, 0.1, -0.1])) @ TURN
    m.revolute("j", m.ground, b)
    for point in (hub.origin, b.point("same", (0.4, 0.1, -0.1))):
        m.change(b, mass=MASS, center=center, inertia=jd.tensor(own).about(point).in_axes(hub))
        assert close([[x.value for x in row] for row in m.system().body("b").inertia], central)
    m.change(b, mass=MASS, center=center, inertia=jd.tensor(central).about(b.center))
    assert np.array_equal([[x.value for x in row] for row in m.system().body("b").inertia], central)


# -- what no body has -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inertia", "mass", "said"),
    [
        (jd.principal(1, 1, 2.1), 1.0, "centre, 1, 1, 2.1 kg m², one is larger than the two others together"),
        (jd.principal(1, 1, -0.1), 1.0, "one of its principal moments about the mass centre, -0.1, 1, 1 kg m²"),
        (jd.point_mass, -2.0, "body 'b' has the mass -2 kg, below zero"),
        (jd.principal(1, 1, 1).about("origin"), 9.0, "is below zero"),
    ],
)
def test_impossible_bodies_are_warned_of_unless_they_are_meant(inertia: InertiaOf, mass: float, said: str) -> None:
    def system(shape: InertiaOf) -> None:
        m = jd.Model("one")
        m.weld("j", m.ground, m.body("b", mass=mass, center=(1, 0, 0), inertia=shape))
        m.system()

    with pytest.warns(jd.ModelWarning, match=said) as caught:
        system(inertia)
    assert "if it is meant, write inertia=….as_meant()" in str(caught[0].message)
    assert caught[0].filename == __file__
    with_meaning = inertia.as_meant()
    assert with_meaning.meant
    if mass > 0 and said != "is below zero" and "-0.1" not in said:
        system(with_meaning)  # no warning


def test_the_triangle_inequality_holds_to_printed_digits() -> None:
    matrix_of(jd.principal(0.1, 0.2, 0.3 + 1e-12))  # a flat body: no warning


def test_parameters_decide_by_their_default_values() -> None:
    m = jd.Model("one")
    big = m.parameter("big", 5.0)
    m.revolute("j", m.ground, m.body("b", mass=1.0, inertia=jd.principal(1, 1, big)))
    with pytest.warns(jd.ModelWarning, match="one is larger than the two others together"):
        m.system()


@pytest.mark.parametrize("seed", range(3))
def test_a_freedom_without_inertia_is_warned_of(seed: int) -> None:
    m = jd.Model("one")
    m.revolute("j", m.ground, m.link("l"), axis=("x", "y", "z")[seed])
    with pytest.warns(jd.ModelWarning, match="joint 'j' has a freedom along which nothing that it carries has inertia"):
        m.system()
    m.rotor("j", inertia=0.1)
    m.system()  # a rotor is enough


def test_two_joints_for_one_inertia_are_warned_of() -> None:
    m = jd.Model("one")
    m.revolute("first", m.ground, m.link("l"))
    m.revolute("second", "l", m.body("b", mass=1.0, inertia=jd.principal(1, 1, 1)))
    with pytest.warns(jd.ModelWarning, match="joint 'first' has a freedom"):
        m.system()
    m.spherical("ball", "b", m.particle("p", 1.0))
    with pytest.warns(jd.ModelWarning, match="has a freedom along which") as caught:
        m.system()
    assert [str(x.message).split()[1] for x in caught] == ["'ball'", "'first'"]
    m.lock("ball", 0, 0, 0, 1)
    m.lock("first")
    m.system()
