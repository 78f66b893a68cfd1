"""Random trees for tests of the recursions: every kind of joint, massless and driven links, rotors, branching."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from jourdain.equations.tree import Column, Driven, Link, Solid, Tree
from jourdain.graph import Graph, Node, Role, interpret
from jourdain.model import joints
from jourdain.model.motion import Motion, Orientation
from jourdain.spatial import Inertia, Matrix, Rotation, Vector

Array = NDArray[np.float64]
KINDS = ("revolute", "prismatic", "screw", "universal", "cylindrical", "planar", "spherical", "free", "angles", "weld")


@dataclass(frozen=True)
class Sample:
    """A tree with the symbols it is written in, and a state at which to look at it.

    rates: expressions of dq/dt. values: of every symbol; a quaternion's has unit length.
    """

    tree: Tree
    q: tuple[Node, ...]
    u: tuple[Node, ...]
    udot: tuple[Node, ...]
    rates: tuple[Node, ...]
    values: dict[Node, float]
    quaternions: tuple[tuple[Node, ...], ...] = ()

    def elsewhere(self, rng: np.random.Generator) -> Sample:
        """The same tree in another state."""
        values = dict(self.values)
        for symbol in (*self.q, *self.u, *self.udot):
            values[symbol] = float(rng.normal())
        for four in self.quaternions:
            _normalize(values, four)
        return replace(self, values=values)

    def at(self, *outputs: Node) -> Array:
        """Values of expressions at the state."""
        return np.array([float(x) for x in interpret(outputs, self.values)])

    def matrix(self, rows: list[list[Node]]) -> Array:
        """The same for rows of a matrix."""
        return self.at(*(x for row in rows for x in row)).reshape(len(rows), len(rows[0]) if rows else 0)

    def state(self, which: str) -> Array:
        """The numbers of "q", "u", "udot"."""
        return np.array([self.values[x] for x in getattr(self, which)])

    def along_motion(self, *outputs: Node) -> Array:
        """d/dt of expressions of q and u on the motion with rates q̇(q, u) and u̇: by a complex step, to rounding."""
        step = 1e-40
        values: dict[Node, complex] = dict(self.values)
        rates = self.at(*self.rates).tolist()
        for symbol, rate in [
            *zip(self.q, rates),
            *zip(self.u, self.state("udot").tolist()),
            *((given.speed, self.values[given.rate]) for given in self.tree.driven),
        ]:
            values[symbol] = complex(self.values[symbol], step * rate)
        found = interpret(outputs, values, dtype=np.complex128)
        return np.array([float(x.imag) / step for x in found])


@dataclass(frozen=True)
class Traits:
    """What a random tree is like.

    driven: every fourth speed is given. rotors: on every second free speed. aligned: axes along coordinates.
    symbolic: inertias are parameters. bare: the share of massless links among those that carry others.
    floating: one free joint on the ground carries everything.
    """

    kinds: tuple[str, ...] = KINDS
    driven: bool = False
    rotors: bool = False
    symbolic: bool = False
    aligned: bool = False
    bare: float = 0.0
    floating: bool = False


def random_tree(seed: int, size: int, traits: Traits = Traits()) -> Sample:
    """`size` joints, each on an earlier body or the ground."""
    return _Builder(np.random.default_rng(seed), traits).build(size)


class _Builder:
    def __init__(self, rng: np.random.Generator, traits: Traits) -> None:
        self.rng, self.traits = rng, traits
        self.graph = Graph()
        self.values: dict[Node, float] = {}
        self.links: list[Link] = []
        self.solids: list[Solid] = []
        self.q: list[Node] = []
        self.quaternions: list[tuple[Node, ...]] = []
        self.parts: list[tuple[Motion, list[Node], list[int]]] = []
        self.speeds = 0

    def build(self, size: int) -> Sample:
        graph, rng, traits = self.graph, self.rng, self.traits
        parents = [i if rng.random() < 0.6 else int(rng.integers(i + 1)) for i in range(size)]
        carriers = [-1]
        for i, parent in enumerate(parents):
            bare = i + 1 in parents and float(rng.random()) < traits.bare
            kind = traits.kinds[int(rng.integers(len(traits.kinds)))]
            if traits.floating:
                kind, parent = (kind, max(parent, 1)) if i else ("free", 0)
            carriers.append(self._joint(f"b{i}", carriers[parent], kind, bare))
        count = self.speeds
        given = [k for k in range(count) if traits.driven and k % 4 == 3]
        free = [k for k in range(count) if k not in given]
        place = {k: i for i, k in enumerate([*free, *given])}
        u = [self._symbol(f"u{k}", Role.SPEED) for k in free]
        udot = [self._symbol(f"a{k}", Role.ACCELERATION) for k in free]
        driven = [Driven(self._symbol(f"w{k}", Role.INPUT), self._symbol(f"e{k}", Role.INPUT)) for k in given]
        speeds = [*u, *(x.speed for x in driven)]
        links = [_renumbered(link, place) for link in self.links]
        rates: list[Node] = []
        for motion, q, own in self.parts:
            rates += motion.rates(graph, q, [speeds[place[k]] for k in own])
        rotors = tuple((k, graph.constant(float(rng.uniform(0.1, 1.0)))) for k in range(0, len(u), 2) if traits.rotors)
        gravity = Vector.of(graph, rng.normal(size=3).tolist())
        tree = Tree(graph, tuple(links), gravity, len(u), tuple(driven), tuple(self.solids), rotors)
        return Sample(tree, tuple(self.q), tuple(u), tuple(udot), tuple(rates), self.values, tuple(self.quaternions))

    def _symbol(self, name: str, role: Role) -> Node:
        symbol = self.graph.symbol(name, role)
        self.values[symbol] = float(self.rng.normal())
        return symbol

    def _joint(self, name: str, parent: int, kind: str, bare: bool) -> int:
        motion = self._motion(kind)
        q = [self._symbol(f"{name}.q{k}", Role.COORDINATE) for k in range(motion.nq)]
        self.q += q
        if motion.orientation is Orientation.QUATERNION:
            four = tuple(q[motion.coordinate_order.index(0) :][:4])
            self.quaternions.append(four)
            _normalize(self.values, four)
        speeds = list(range(self.speeds, self.speeds + motion.np))
        self.speeds += motion.np
        self.parts.append((motion, q, speeds))
        parts = motion.simple_parts()
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            own = [q[i] for i in part.coordinates]
            pose = part.motion.configuration(self.graph, own)
            columns = part.motion.joint_map(self.graph, own)
            inertia = self._body(name) if last and not bare else Inertia.zero(self.graph)
            self.links.append(
                Link(
                    parent, self._rotation(), self._vector(), pose.rotation, pose.translation,
                    tuple(Column(Vector(*c[:3]), Vector(*c[3:])) for c in columns),
                    tuple(speeds[i] for i in part.speeds), inertia, f"{name}.{number}",
                )
            )
            parent = len(self.links) - 1
        return parent

    def _motion(self, kind: str) -> Motion:
        graph = self.graph
        if kind in ("revolute", "prismatic", "cylindrical"):
            return {"revolute": joints.revolute, "prismatic": joints.prismatic, "cylindrical": joints.cylindrical}[
                kind
            ](graph, self._axis())
        if kind == "screw":
            return joints.screw(graph, self._axis(), graph.constant(float(self.rng.normal())))
        if kind == "universal":
            return joints.universal(graph, self._axis(), self._axis())
        if kind == "planar":
            return joints.planar(graph)
        if kind == "weld":
            return joints.weld(graph)
        if kind == "angles":
            return joints.spherical(graph, Orientation.ANGLES)
        return {"spherical": joints.spherical, "free": joints.free}[kind](graph, Orientation.QUATERNION)

    def _body(self, name: str) -> Inertia:
        """A body of any mass distribution that exists: principal moments are sums of two second moments."""
        seconds = self.rng.uniform(0.1, 1.0, size=3)
        turn = _random_rotation(self.rng)
        central = turn @ np.diag(seconds.sum() - seconds) @ turn.T
        mass, center = float(self.rng.uniform(0.5, 2.0)), self.rng.normal(size=3)
        entries = [mass, *center, *central[np.triu_indices(3)]]
        if self.traits.symbolic:
            nodes = [self._parameter(f"{name}.p{k}", x) for k, x in enumerate(entries)]
        else:
            nodes = [self.graph.constant(float(x)) for x in entries]
        m, cx, cy, cz, xx, xy, xz, yy, yz, zz = nodes
        matrix = Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz))
        c = Vector(cx, cy, cz)
        link = len(self.links)
        self.solids.append(Solid(name, link, Rotation(self.graph), Vector.zero(self.graph), m, c, matrix))
        return Inertia.about_center(m, c, matrix)

    def _parameter(self, name: str, value: float) -> Node:
        symbol = self.graph.symbol(name, Role.PARAMETER)
        self.values[symbol] = float(value)
        return symbol

    def _axis(self) -> Vector:
        if self.traits.aligned or self.rng.random() < 0.5:
            return Vector.unit(self.graph, int(self.rng.integers(3)))
        axis = self.rng.normal(size=3)
        return Vector.of(self.graph, [float(x) for x in axis / np.linalg.norm(axis)])

    def _vector(self) -> Vector:
        return Vector.of(self.graph, [float(x) for x in self.rng.normal(size=3)])

    def _rotation(self) -> Rotation:
        if self.rng.random() < 0.3:
            return Rotation(self.graph)
        return Rotation.given(self.graph, Matrix.of(self.graph, _random_rotation(self.rng).tolist()))


def _normalize(values: dict[Node, float], quaternion: tuple[Node, ...]) -> None:
    length = float(np.sqrt(sum(values[x] ** 2 for x in quaternion)))
    values.update({x: values[x] / length for x in quaternion})


def _renumbered(link: Link, place: dict[int, int]) -> Link:
    return replace(link, speeds=tuple(place[k] for k in link.speeds))


def _random_rotation(rng: np.random.Generator) -> Array:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.array(q if np.linalg.det(q) > 0 else -q)
