"""Random systems for tests of the lowering and of everything that is asked of it, and states to look at them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Graph, Node, Role, interpret, sin, substitute, symbols_of
from jourdain.graph.differentiate import jvp
from jourdain.model import joints
from jourdain.model.motion import Motion, Orientation
from jourdain.model.pose import Pose
from jourdain.model.system import (
    GROUND,
    TIME,
    Body,
    Force,
    Joint,
    JointForce,
    Load,
    Rotor,
    Strut,
    System,
    Torque,
)
from jourdain.spatial import Matrix, Rotation, Vector

Array = NDArray[np.float64]
KINDS = (
    "revolute", "prismatic", "screw", "universal", "cylindrical", "planar", "spherical", "spherical-angles", "free",
    "free-angles", "weld", "compound", "oblique-screw",
)


@dataclass(frozen=True)
class Traits:
    """What a random system is like.

    kinds: of joints, drawn evenly. symbolic: every number a parameter. loads: forces, torques, struts, springs and
    rotors act. driven: some joints are prescribed. parallel: how often a joint continues its parent's axis.
    bare: the share of links without mass among those that carry others. floating: one free joint carries everything.
    branching: how often a body hangs on an earlier one than the last. row: the kinds come in turn, nothing branches.
    """

    kinds: tuple[str, ...] = KINDS
    symbolic: bool = False
    loads: bool = False
    driven: bool = False
    parallel: float = 0.2
    bare: float = 0.0
    floating: bool = False
    branching: float = 0.4
    row: bool = False


@dataclass(frozen=True)
class State:
    """Numbers for coordinates, speeds, rates of speeds, generalized forces (arrays), and for names of inputs."""

    q: Array
    u: Array
    udot: Array
    f: Array
    inputs: Mapping[str, float] = field(default_factory=dict)
    time: float = 0.0


def random_system(seed: int, size: int, traits: Traits = Traits()) -> System:
    """`size` bodies, each on an earlier one or on the ground."""
    return _Builder(np.random.default_rng(seed), traits).build(size)


def random_state(system: System, rng: np.random.Generator) -> State:
    """Unit quaternions, everything else of order one."""
    q = rng.normal(size=len(system.coordinates))
    for joint in system.joints:
        if not joint.prescribed and joint.motion.orientation is Orientation.QUATERNION:
            four = quaternion_places(system, joint)
            q[four] /= np.linalg.norm(q[four])
    n = len(system.speeds)
    inputs = {name: float(rng.normal()) for name in system.input_values}
    return State(q, rng.normal(size=n), rng.normal(size=n), rng.normal(size=n), inputs, float(rng.uniform(0, 2)))


def quaternion_places(system: System, joint: Joint) -> list[int]:
    """Where the quaternion of a joint lies in q."""
    start = system.slices(joint.name)[0].start
    return [start + joint.motion.coordinate_order.index(k) for k in range(4)]


def values_in(mechanics: Mechanics, state: State) -> dict[Node, float]:
    """A state as values of a derivation's symbols."""
    graph, system = mechanics.graph, mechanics.system
    values: dict[Node, float] = {}
    for symbols, numbers in (
        (mechanics.q, state.q), (mechanics.u, state.u), (mechanics.udot, state.udot), (mechanics.f, state.f),
    ):
        values.update(zip(symbols, map(float, numbers)))
    values.update((graph.symbol(name, Role.PARAMETER), value) for name, value in system.defaults.items())
    values.update((graph.symbol(name, Role.INPUT), value) for name, value in state.inputs.items())
    values[graph.symbol(TIME, Role.TIME)] = state.time
    return values


def evaluate(mechanics: Mechanics, nodes: Sequence[Node], state: State) -> Array:
    """Numbers of a derivation's expressions."""
    return np.array([float(x) for x in interpret(nodes, values_in(mechanics, state))])


def evaluate_rows(mechanics: Mechanics, rows: Sequence[Sequence[Node]], state: State) -> Array:
    """The same for a matrix."""
    return evaluate(mechanics, [x for row in rows for x in row], state).reshape(len(rows), len(rows[0]) if rows else 0)


def along_motion(mechanics: Mechanics, nodes: Sequence[Node], state: State) -> Array:
    """d/dt of expressions of q, u and t while q̇ = Γ u and u̇ is the state's: by a complex step, to rounding."""
    step = 1e-40
    values: dict[Node, complex] = dict(values_in(mechanics, state))
    rates = evaluate(mechanics, mechanics.rates(), state)
    for symbol, rate in [
        *zip(mechanics.q, rates), *zip(mechanics.u, state.udot), (mechanics.graph.symbol(TIME, Role.TIME), 1.0),
    ]:
        values[symbol] = complex(values[symbol].real, step * float(rate))
    return np.array([float(x.imag) / step for x in interpret(nodes, values, dtype=np.complex128)])


def complex_steps(
    mechanics: Mechanics, nodes: Sequence[Node], state: State, rates: Mapping[Node, Array], columns: int
) -> Array:
    """(nodes, columns): derivatives while symbols move at these rates (columns,), by complex steps: to rounding."""
    step = 1e-40
    at = values_in(mechanics, state)
    values: dict[Node, ArrayLike] = {**at, **{x: at[x] + 1j * step * rate for x, rate in rates.items()}}
    found = interpret(nodes, values, dtype=np.complex128)
    return np.array([np.broadcast_to(x.imag, columns) for x in found]).reshape(len(nodes), columns) / step


class _Builder:
    def __init__(self, rng: np.random.Generator, traits: Traits) -> None:
        self.rng, self.traits = rng, traits
        self.graph = Graph()
        self.defaults: dict[str, float] = {}
        self.inputs: dict[str, float] = {}
        self.axes: dict[str, Vector] = {}  # of the joint that carries a body, where it has one axis

    def build(self, size: int) -> System:
        rng, traits = self.rng, self.traits
        back = [0 if rng.random() >= traits.branching else int(rng.integers(i + 1)) for i in range(size)]
        parents = [i - 1 - min(b, i) for i, b in enumerate(back)]
        if traits.floating:
            parents = [max(p, 0) if i else -1 for i, p in enumerate(parents)]
        if traits.row:
            parents = list(range(-1, size - 1))
        bodies, chain = [], []
        for i, parent in enumerate(parents):
            bare = i in parents and float(rng.random()) < traits.bare
            bodies.append(self._body(f"b{i}", bare))
            kind = traits.kinds[i % len(traits.kinds) if traits.row else int(rng.integers(len(traits.kinds)))]
            if traits.floating and not i:
                kind = "free"
            chain.append(self._joint(i, GROUND if parent < 0 else f"b{parent}", kind))
        gravity = self._vector("g", rng.normal(size=3) * 9.81, always=True)
        loads: tuple[Load, ...] = ()
        rotors: tuple[Rotor, ...] = ()
        if traits.loads:
            loads, rotors = self._loads(chain), self._rotors(chain)
        return System(
            "random", self.graph, tuple(bodies), tuple(chain), gravity, loads=loads, rotors=rotors,
            defaults=self.defaults, input_values=self.inputs,
        )

    # -- numbers ------------------------------------------------------------------------------------------------

    def _number(self, name: str, value: float) -> Node:
        if not self.traits.symbolic:
            return self.graph.constant(float(value))
        self.defaults[name] = float(value)
        return self.graph.symbol(name, Role.PARAMETER)

    def _vector(self, name: str, values: Array, always: bool = False) -> Vector:
        """Some of the entries are zero."""
        kept = np.ones(3, bool) if always else self.rng.random(3) < 0.6
        return Vector(*(self._number(f"{name}{k}", x) if keep else self.graph.zero
                        for k, (x, keep) in enumerate(zip(values, kept))))

    # -- bodies -------------------------------------------------------------------------------------------------

    def _body(self, name: str, bare: bool) -> Body:
        """A body of any mass distribution that exists: principal moments are sums of two second moments."""
        if bare:
            return Body(name, self.graph.zero, Vector.zero(self.graph), Matrix.zero(self.graph))
        rng = self.rng
        seconds = rng.uniform(0.1, 1.0, size=3)
        turn = random_rotation(rng)
        central = turn @ np.diag(seconds.sum() - seconds) @ turn.T
        xx, xy, xz, yy, yz, zz = (
            self._number(f"{name}.J{k}", x) for k, x in enumerate(central[np.triu_indices(3)])
        )
        matrix = Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz))
        mass = self._number(f"{name}.m", float(rng.uniform(0.5, 2.0)))
        return Body(name, mass, self._vector(f"{name}.c", rng.normal(size=3)), matrix)

    # -- joints -------------------------------------------------------------------------------------------------

    def _joint(self, i: int, parent: str, kind: str) -> Joint:
        name, child = f"j{i}", f"b{i}"
        graph, rng = self.graph, self.rng
        outer = self.axes.get(parent)
        if outer is not None and rng.random() < self.traits.parallel:
            motion = joints.revolute(graph, outer)
            in_parent = Pose(Rotation(graph), self._vector(f"{name}.p", rng.normal(size=3)))
            in_child = Pose.identity(graph)
        else:
            motion = self._motion(name, kind)
            in_parent, in_child = self._pose(f"{name}.p"), self._pose(f"{name}.c")
        if motion.kind == "revolute" and in_child.is_identity:
            self.axes[child] = Vector(*motion.columns[0][:3])
        nq, np_ = motion.nq, motion.np
        suffixes = ("",) if np_ == 1 else motion.coordinate_names
        q = tuple(graph.symbol(f"{name}{s and '.'}{s}", Role.COORDINATE) for s in suffixes) if nq else ()
        suffixes = ("dot",) if np_ == 1 else motion.speed_names
        u = tuple(graph.symbol(f"{name}.u.{s}", Role.SPEED) for s in suffixes) if np_ else ()
        joint = Joint(name, parent, child, motion, in_parent, in_child, q, u)
        plain = motion.orientation is Orientation.ANGLES
        if self.traits.driven and np_ and plain and rng.random() < 0.3:
            return _driven(graph, joint, rng)
        return joint

    def _motion(self, name: str, kind: str) -> Motion:
        graph, rng = self.graph, self.rng
        if kind in ("revolute", "prismatic", "cylindrical"):
            make = {"revolute": joints.revolute, "prismatic": joints.prismatic, "cylindrical": joints.cylindrical}
            return make[kind](graph, self._axis())
        if kind == "screw":
            return joints.screw(graph, self._axis(), self._number(f"{name}.pitch", float(rng.normal())))
        if kind == "oblique-screw":
            column = (*self._axis(), *Vector.of(graph, rng.normal(size=3).tolist()))
            return joints.given([column], [1])
        if kind == "compound":
            zero = Vector.zero(graph)
            turning, sliding = (*self._axis(), *zero), (*zero, *self._axis())
            other = (*self._axis(), *Vector.of(graph, rng.normal(size=3).tolist()))
            return joints.given([turning, sliding, other], [1, 1, 1])
        if kind == "universal":
            first = self._axis()
            second = self._axis()
            while abs(sum(x.value * y.value for x, y in zip(first, second))) > 0.9:
                second = self._axis()
            return joints.universal(graph, first, second)
        simple = {"planar": joints.planar, "weld": joints.weld}
        if kind in simple:
            return simple[kind](graph)
        family, _, angles = kind.partition("-")
        orientation = Orientation.ANGLES if angles else Orientation.QUATERNION
        return {"spherical": joints.spherical, "free": joints.free}[family](graph, orientation)

    def _axis(self) -> Vector:
        draw = self.rng.random()
        if draw < 0.6:
            sign = -1.0 if self.rng.random() < 0.3 else 1.0
            return Vector.unit(self.graph, int(self.rng.integers(3))) * sign
        axis = self.rng.normal(size=3)
        if draw < 0.8:
            axis[int(self.rng.integers(3))] = 0.0
        return Vector.of(self.graph, [float(x) for x in axis / np.linalg.norm(axis)])

    def _pose(self, name: str) -> Pose:
        return Pose(self._rotation(name), self._vector(f"{name}.r", self.rng.normal(size=3)))

    def _rotation(self, name: str) -> Rotation:
        graph, rng = self.graph, self.rng
        draw = rng.random()
        if draw < 0.3:
            return Rotation(graph)
        if draw < 0.5:
            return Rotation.given(graph, Matrix.of(graph, quarter_turns(rng).tolist()))
        if draw < 0.8:
            turns = [
                Rotation.turn(graph, int(rng.integers(3)), self._number(f"{name}.a{k}", float(rng.normal())))
                for k in range(int(rng.integers(1, 4)))
            ]
            return Rotation.product(graph, turns)
        return Rotation.given(graph, Matrix.of(graph, random_rotation(rng).tolist()))

    # -- loads --------------------------------------------------------------------------------------------------

    def _loads(self, chain: Sequence[Joint]) -> tuple[Load, ...]:
        graph, rng = self.graph, self.rng
        bodies = [joint.child for joint in chain]
        some = [*bodies, GROUND]
        q = [x for joint in chain if not joint.prescribed for x in joint.coordinates]
        u = [x for joint in chain if not joint.prescribed for x in joint.speeds]
        push = graph.symbol("push", Role.INPUT)
        self.inputs["push"] = 0.5
        loads: list[Load] = []

        def offset(name: str) -> Vector:
            return self._vector(name, rng.normal(size=3))

        def pick(names: Sequence[str]) -> str:
            return names[int(rng.integers(len(names)))]

        for k in range(3):
            wavy = Vector.of(graph, rng.normal(size=3).tolist()) * (push + (sin(q[0]) if q else 0.0))
            loads.append(Force(f"force {k}", pick(bodies), offset(f"f{k}"), wavy, pick(some), pick(some)))
            loads.append(Torque(f"torque {k}", pick(bodies), wavy, pick(some), pick(some)))
        for k in range(2):
            a, b = pick(bodies), pick(some)
            length, rate = graph.symbol(f"\0length{k}", Role.INPUT), graph.symbol(f"\0rate{k}", Role.INPUT)
            stiff = self._number(f"stiffness{k}", 30.0)
            ends = [Vector.of(graph, rng.normal(size=3).tolist()) for _ in range(2)]
            tension = stiff * (length - 0.5) + rate * 2.0
            loads.append(Strut(f"strut {k}", a, ends[0], b, ends[1], length, rate, tension,
                               stiff * 0.5 * (length - 0.5) * (length - 0.5)))
        for joint in chain:
            if joint.prescribed or not joint.speeds or rng.random() < 0.5:
                continue
            k = int(rng.integers(len(joint.speeds)))
            loads.append(JointForce(f"damper {joint.name}", joint.name, k, u[0] * -0.3 - joint.speeds[k] * 0.2))
        return tuple(loads)

    def _rotors(self, chain: Sequence[Joint]) -> tuple[Rotor, ...]:
        found = []
        for joint in chain:
            if joint.speeds and self.rng.random() < 0.4:
                k = int(self.rng.integers(len(joint.speeds)))
                inertia = self._number(f"{joint.name}.rotor", 0.02)
                found.append(Rotor(f"rotor {joint.name}", joint.name, k, inertia, self.graph.constant(3.0)))
        return tuple(found)


def _driven(graph: Graph, joint: Joint, rng: np.random.Generator) -> Joint:
    """The joint follows sines of time."""
    t = graph.symbol(TIME, Role.TIME)
    motion = joint.motion
    q = [sin(t * float(rng.normal()) + float(rng.normal())) for _ in joint.coordinates]
    qdot = jvp(q, {t: graph.one})
    symbols = list(joint.coordinates)
    speeds = substitute(motion.speeds(graph, symbols, qdot), dict(zip(symbols, q)))
    rates = jvp(speeds, {t: graph.one})
    assert not any(x.role is Role.COORDINATE for x in symbols_of([*speeds, *rates]))
    return replace(joint, prescribed=tuple(q), prescribed_speeds=tuple(speeds), prescribed_rates=tuple(rates))


def random_rotation(rng: np.random.Generator) -> Array:
    """Any rotation matrix (3, 3)."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.array(q if np.linalg.det(q) > 0 else -q)


def quarter_turns(rng: np.random.Generator) -> Array:
    """One of the 24 rotations that take axes to axes."""
    result = np.eye(3)
    i, j = rng.permutation(3)[:2]
    a, b = float(rng.choice([-1.0, 1.0])), float(rng.choice([-1.0, 1.0]))
    result[:, 0], result[:, 1] = a * np.eye(3)[i], b * np.eye(3)[j]
    result[:, 2] = np.cross(result[:, 0], result[:, 1])
    return result
