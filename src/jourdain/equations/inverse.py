"""Inverse dynamics by one sweep out and one sweep in, every quantity in its own link's frame.

Written about the joints' origins with first moments (no mass centres), with U = [ω̇×] + [ω×][ω×] built once a body
from the six products ω_i ω_j and shared by the next origin's acceleration, the force and the moment, and with
gravity as an acceleration of the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Inertia, Matrix, Rotation, Vector
from .kinematics import twists
from .known import Known, of_link, replaced
from .tree import Link, Tree, relative_speed


@dataclass(frozen=True, slots=True)
class Load:
    """Force and moment about the link's origin, in the link's frame."""

    force: Vector
    moment: Vector

    def __add__(self, other: Load) -> Load:
        return Load(self.force + other.force, self.moment + other.moment)

    def __sub__(self, other: Load) -> Load:
        return Load(self.force - other.force, self.moment - other.moment)

    def __neg__(self) -> Load:
        return Load(-self.force, -self.moment)

    def carried(self, rotation: Rotation, origin: Vector) -> Load:
        """The same load in a frame in which this one lies at `origin`, turned by `rotation`."""
        force = rotation.inward(self.force)
        return Load(force, rotation.inward(self.moment) + origin.cross(force))


@dataclass(frozen=True, slots=True)
class Spin:
    """A link's angular velocity w, its rate, U = [ẇ×] + [w×][w×] and the squares of w, all in the link's frame."""

    w: Vector
    rate: Vector
    u: Matrix
    squares: Vector


def spin(w: Vector, rate: Vector) -> Spin:
    """U's entries share the six products of w and the sums of squares."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    u = Matrix(
        Vector(-(yy + zz), xy - rate.z, xz + rate.y),
        Vector(xy + rate.z, -(xx + zz), yz - rate.x),
        Vector(xz - rate.y, yz + rate.x, -(xx + yy)),
    )
    return Spin(w, rate, u, Vector(xx, yy, zz))


class Matrices:
    """Products with U: nine multiplications once a body, then nine for each vector, whatever its zeros."""

    name = "U-matrices"

    def swing(self, s: Spin, r: Vector) -> Vector:
        """ω̇ × r + ω × (ω × r): the acceleration of a point at r relative to the origin."""
        return s.u @ r

    def inertia_load(self, inertia: Inertia, s: Spin, a: Vector) -> Load:
        """Rate of momentum: F = m a + U h, N = J ω̇ + ω × J ω + h × a, with J's products taken on entries of U."""
        h, j, u = inertia.moment, inertia.matrix, s.u
        xx, yy, zz, xy, xz, yz = j.a.x, j.b.y, j.c.z, j.a.y, j.a.z, j.b.z
        w, rate, square = s.w, s.rate, s.squares
        moment = Vector(
            xx * rate.x + (zz - yy) * (w.y * w.z) - xy * u.c.x + xz * u.b.x + yz * (square.y - square.z),
            yy * rate.y + (xx - zz) * (w.x * w.z) + xy * u.c.y + xz * (square.z - square.x) - yz * u.a.y,
            zz * rate.z + (yy - xx) * (w.x * w.y) + xy * (square.x - square.y) - xz * u.b.z + yz * u.a.z,
        )
        return Load(a * inertia.mass + u @ h, moment + h.cross(a))


class Crosses:
    """Cross products vector by vector: fewer operations where offsets and first moments are few or sparse."""

    name = "cross products"

    def swing(self, s: Spin, r: Vector) -> Vector:
        """ω̇ × r + ω × (ω × r)."""
        return s.rate.cross(r) + s.w.cross(s.w.cross(r))

    def inertia_load(self, inertia: Inertia, s: Spin, a: Vector) -> Load:
        """F = m a + ω̇ × h + ω × (ω × h), N = J ω̇ + ω × J ω + h × a."""
        h, j = inertia.moment, inertia.matrix
        return Load(a * inertia.mass + self.swing(s, h), j @ s.rate + s.w.cross(j @ s.w) + h.cross(a))


Algebra = Matrices | Crosses
MATRICES = Matrices()
CROSSES = Crosses()


@dataclass(frozen=True, slots=True)
class Turning:
    """How angular velocities reach the links: each link's own, and its rate before its spin is assembled."""

    carried: Vector  # the parent's angular velocity in the link's frame
    w: Vector
    rate: Vector


def turn_from_parent(
    tree: Tree, speeds: Sequence[Node], rates: Sequence[Node], known: Sequence[Known] = ()
) -> list[Turning]:
    """Link by link: ω = Rᵀ ω_parent + relative, and its rate."""
    turnings: list[Turning] = []
    still = Vector.zero(tree.graph)
    for index, link in tree.outward():
        outer_w = turnings[link.parent].w if link.parent >= 0 else still
        outer_rate = turnings[link.parent].rate if link.parent >= 0 else still
        w_rel, _ = relative_speed(tree, link, speeds)
        rate_rel, _ = relative_speed(tree, link, rates)
        carried = link.rotation.outward(outer_w)
        rate = link.rotation.outward(outer_rate) + carried.cross(w_rel) + rate_rel
        w = carried + w_rel
        for x in of_link(known, index)[0] if known else ():
            assert x.rate is not None
            w, rate = replaced(w, x.axis, x.value), replaced(rate, x.axis, x.rate)
        turnings.append(Turning(carried, w, rate))
    return turnings


def inertia_load(inertia: Inertia, s: Spin, a: Vector) -> Load:
    """Rate of momentum about the link's origin, for the origin's acceleration a."""
    return MATRICES.inertia_load(inertia, s, a)


@dataclass(frozen=True, slots=True)
class Accelerations:
    """Of each link: its spin, and its origin's acceleration (gravity counted as one of the base), link frames."""

    spins: list[Spin]
    origins: list[Vector]


def accelerate(
    tree: Tree,
    u: Sequence[Node],
    udot: Sequence[Node],
    turnings: list[Turning] | None = None,
    algebra: Algebra = MATRICES,
    known: Sequence[Known] = (),
) -> Accelerations:
    """The outward sweep; known components of velocities, and their rates, are put in."""
    speeds, rates = tree.all_speeds(u), tree.all_rates(udot)
    turnings = turnings or turn_from_parent(tree, speeds, rates, known)
    spins = [spin(turning.w, turning.rate) for turning in turnings]
    velocities = twists(tree, u, known) if any(x.offset is not None for x in known) else []
    pulls = weights(tree) if velocities else []
    origins: list[Vector] = []
    for (index, link), turning in zip(tree.outward(), turnings):
        arriving = -tree.gravity
        if link.parent >= 0:
            arriving = origins[link.parent] + algebra.swing(spins[link.parent], link.origin)
        w_rel, v_rel = relative_speed(tree, link, speeds)
        _, pull = relative_speed(tree, link, rates)
        # Carried by the parent; Coriolis 2 ω_parent × v and, for joints that turn and slide, ω_rel × v; relative.
        coriolis = turning.carried.cross(v_rel * 2.0) + w_rel.cross(v_rel)
        origin = link.rotation.outward(arriving) + coriolis + pull
        for x in of_link(known, index)[1] if velocities else ():
            # The point's acceleration along a turning axis: d/dt of the measure number, and what the turning adds.
            assert x.offset is not None and x.rate is not None
            w, v = velocities[index]
            turned = w.cross(v + w.cross(x.offset))[x.axis]
            a = x.rate + turned + pulls[index][x.axis] - algebra.swing(spins[index], x.offset)[x.axis]
            origin = replaced(origin, x.axis, a)
        origins.append(origin)
    return Accelerations(spins, origins)


def weights(tree: Tree) -> list[Vector]:
    """Gravity as an acceleration of the base, in each link's axes."""
    found: list[Vector] = []
    for _, link in tree.outward():
        found.append(link.rotation.outward(found[link.parent] if link.parent >= 0 else -tree.gravity))
    return found


def project(tree: Tree, loads: Sequence[Load]) -> list[Node]:
    """The inward sweep: what all loads together ask of each speed, free and driven."""
    felt = list(loads)
    forces = [tree.graph.zero] * (tree.freedom + len(tree.driven))
    for index, link in tree.inward():
        load = felt[index]
        for column, k in zip(link.columns, link.speeds):
            forces[k] = forces[k] + column.angular.dot(load.moment) + column.linear.dot(load.force)
        if link.parent >= 0:
            felt[link.parent] = felt[link.parent] + load.carried(link.rotation, link.origin)
    return forces


def inverse_dynamics(
    tree: Tree,
    u: Sequence[Node],
    udot: Sequence[Node],
    applied: Sequence[Load] = (),
    turnings: list[Turning] | None = None,
    algebra: Algebra = MATRICES,
) -> list[Node]:
    """Generalized forces (freedom + driven,) that produce udot at speeds u against the applied loads, one a link."""
    motion = accelerate(tree, u, udot, turnings, algebra)
    loads = [algebra.inertia_load(link.inertia, s, a) for link, s, a in zip(tree.links, motion.spins, motion.origins)]
    if applied:
        loads = [own - load for own, load in zip(loads, applied)]
    forces = project(tree, loads)
    rates = tree.all_rates(udot)
    for k, inertia in tree.rotors:
        forces[k] = forces[k] + inertia * rates[k]
    return forces


__all__ = [
    "CROSSES", "MATRICES", "Accelerations", "Algebra", "Crosses", "Link", "Load", "Matrices", "Spin", "Turning",
    "accelerate", "inertia_load", "inverse_dynamics", "project", "spin", "turn_from_parent", "weights",
]
