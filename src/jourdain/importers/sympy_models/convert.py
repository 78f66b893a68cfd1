"""From a model of `sympy.physics.mechanics` to a `System`: `from_sympy`.

SymPy's models say velocities, and places only as far as these need them. So every body, and every point that a force
acts at, becomes a guided body (`model.guide`) with the velocities that the model states. Coordinates are carried by
links without mass; the speeds are the model's own; what it keeps at zero is kept at zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from ...graph import Graph, Node, Role, substitute, symbols_of
from ...graph.affine import Floats, NotAffine, affine
from ...graph.differentiate import jacobian, jvp
from ...graph.pause import collector_paused
from ...model import joints
from ...model.guide import RATE, Guide
from ...model.mistakes import Mistakes, article, did_you_mean, users_line, warn
from ...model.pose import Pose
from ...model.system import (
    GROUND,
    Body,
    Constraint,
    Force,
    Joint,
    JointForce,
    Level,
    Load,
    Speed,
    System,
    Torque,
)
from ...spatial import Matrix, Rotation, Vector
from .given import Given, Row, given
from .kinematics import general, general_values, kinematics
from .symbols import Names, Symbols
from .vectors import Frames, Parts, Unconnected

T = TypeVar("T")
SAME = 1e-9
INTEGRAL = "{}.integral"


def from_sympy(
    model: Any,
    *,
    values: Mapping[Any, float] | None = None,
    bodies: Sequence[Any] | None = None,
    loads: Sequence[Any] | None = None,
    name: str = "",
) -> System:
    """A model of `sympy.physics.mechanics` as a System, whose accelerations are those of SymPy's equations.

    model: a System, KanesMethod, LagrangesMethod or JointsMethod, its equations formed or not. values: of the model's
    symbols, by symbol or name; a symbol without one becomes a parameter with a value of its own between 1 and 2, in
    which nothing coincides by chance, to be given later by `with_parameters`. bodies, loads: in place of the model's,
    as for `KanesMethod.kanes_equations`. name: of the system.

    Coordinates and speeds are SymPy's, in SymPy's order; a speed that no coordinate's rate tells (a wheel whose angle
    does not matter) gets a coordinate SPEED.integral, after the others, on which nothing depends. Other functions of
    time are inputs, and their derivatives inputs called FUNCTIONdot. Auxiliary speeds are zero. Weights are among the
    loads, so gravity is zero. Places are measured from a System's fixed point, else from a point at rest.
    """
    with collector_paused():
        return _Conversion(given(model, bodies, loads), values or {}, name).system()


class _Conversion:
    def __init__(self, model: Given, values: Mapping[Any, float], name: str) -> None:
        self.model, self.name = model, name or f"{model.kind} of SymPy"
        self.graph = Graph()
        self.mistakes = Mistakes()
        self.names, self.load_names = Names(), Names()
        self.symbols = Symbols(self.graph, model.q, model.u, model.auxiliary, values)
        self.frames = Frames(self.graph, self.symbols, model.frame)
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.loads: list[Load] = []
        self.told: dict[Node, Node] = {}  # speeds by the coordinates' rates
        self.put_in: dict[Node, Node] = {}  # rows of velocities -> the same by the coordinates' rates
        self.seats: dict[Any, tuple[str, Any]] = {}  # a point or frame -> the body that moves so, and its axes
        self.places = self.frames.places(self._origin())

    def system(self) -> System:
        definitions, satisfied = self._speeds()
        for body in self.model.bodies:
            self._try(f"body {body.name!r}", lambda body=body: self._body(body))  # type: ignore[misc]
        for place, vector in self.model.loads:
            self._try(f"the load on {getattr(place, 'name', place)!r}", lambda at=place, v=vector: self._load(at, v))  # type: ignore[misc]
        if self.model.lagrangian is not None:
            self._try("the Lagrangian", self._potential)
        conditions = self._constraints(satisfied)
        for word in sorted(self.symbols.unused):
            known = [*self.symbols.parameters, *self.symbols.inputs]
            hint = did_you_mean(word, known)
            self.mistakes.add(f"a value is given for {word!r}, which the model does not have; {hint}")
        self.mistakes.raise_for(self.name)
        return System(
            self.name,
            self.graph,
            tuple(self.bodies),
            tuple(self.joints),
            Vector.zero(self.graph),
            loads=tuple(self.loads),
            defaults=self.symbols.parameters,
            input_values=self.symbols.inputs,
            input_rates=self.symbols.input_rates,
            definitions=tuple(definitions),
            conditions=tuple(conditions),
        )

    def _try(self, what: str, make: Callable[[], T]) -> T | None:
        """What cannot be converted is one mistake, and the rest goes on."""
        try:
            return make()
        except ValueError as error:
            self.mistakes.add(f"{what}: {error}", users_line())
            return None

    def _node(self, expression: Any) -> Node:
        return self.frames.node(expression)

    def _row(self, row: Row) -> Node:
        total = self.graph.zero
        for factor, symbol in row:
            total = total + self._node(factor) * self._node(symbol)
        return total

    # -- speeds ---------------------------------------------------------------------------------------------------

    def _speeds(self) -> tuple[list[Speed], list[Constraint]]:
        symbols, graph = self.symbols, self.graph
        for symbol, rate in zip(symbols.q, symbols.rates):
            self._carrier(symbol.name, symbol, rate)
        if self.model.lagrangian is not None:
            values: list[Node | None] = list(symbols.rates)
            rows: list[Node] = []
        else:
            equations = [self._try(f"kinematical equation {k}", lambda row=row: self._row(row))  # type: ignore[misc]
                         for k, row in enumerate(self.model.kinematical, 1)]  # fmt: skip
            good = [x for x in equations if x is not None]
            found = None
            if len(good) == len(equations):
                found = self._try("the speeds", lambda: kinematics(graph, good, symbols.rates, symbols.u))
            values, rows = (found.values, found.satisfied) if found else ([graph.zero] * len(symbols.u), [])
        definitions = []
        for name, symbol, value in zip(symbols.speed_names, symbols.u, values):
            if value is None:
                coordinate = symbols.names.free(INTEGRAL.format(name), "integral")
                value = graph.symbol(RATE.format(coordinate), Role.SPEED)
                self._carrier(coordinate, graph.symbol(coordinate, Role.COORDINATE), value)
            symbols.differentiable([value])
            definitions.append(Speed(name, symbol, value))
        # A speed that others are defined with is its integral's rate.
        free = {x.symbol: x.value for x in definitions if x.value.is_symbol}
        definitions = [Speed(x.name, x.symbol, _put(x.value, free, x.symbol)) for x in definitions]
        self.told = {x.symbol: x.value for x in definitions}
        satisfied = [
            Constraint(f"kinematical equation {k}", (row,), Level.VELOCITY, satisfied=True)
            for k, row in enumerate(rows, 1)
        ]
        return definitions, satisfied

    def _carrier(self, name: str, coordinate: Node, rate: Node) -> None:
        """A link without mass that slides by a coordinate."""
        graph = self.graph
        zero, still = Vector.zero(graph), Pose.identity(graph)
        body = self.names.free(f"coordinate {name}", "coordinate")
        self.names.taken.add(name)  # a joint's; the model's bodies are called otherwise, so that both can be found
        self.bodies.append(Body(body, graph.zero, zero, Matrix.zero(graph)))
        motion = joints.coordinate(graph)
        self.joints.append(Joint(name, GROUND, body, motion, still, still, (coordinate,), (rate,)))

    # -- bodies ---------------------------------------------------------------------------------------------------

    def _body(self, body: Any) -> None:
        from sympy.physics.mechanics import Particle, RigidBody

        graph, frames = self.graph, self.frames
        if not isinstance(body, (RigidBody, Particle)):
            kind = type(body).__name__
            raise ValueError(f"it is {article(kind)} {kind}; a RigidBody or a Particle is needed")
        mass = self._static(body.mass, "its mass")
        if isinstance(body, RigidBody):
            axes = self._axes(body)
            v = frames.velocity(body.masscenter)
            turning, spin = frames.turning(axes), frames.turning(body.frame)
            inertia = self._inertia(body.central_inertia, axes)
            name = self._guided(body.name, body.masscenter, axes, spin, v, turning, mass, inertia, body.frame)
            self.seats[body.masscenter] = self.seats[body.frame] = (name, axes)
            self._changing(name, inertia, frames.along(spin, axes), frames.along(turning, axes), body.frame is axes)
        else:
            v = frames.velocity(body.point)
            axes = max(v, key=frames.depth) if v else self.model.frame
            name = self._guided(body.name, body.point, axes, {}, v, frames.turning(axes), mass, Matrix.zero(graph))
            self.seats[body.point] = (name, axes)

    def _static(self, expression: Any, what: str) -> Node:
        node = self._node(expression)
        if not node.is_static:
            raise ValueError(f"{what} is {expression}, which changes with time; only symbols and numbers are constant")
        return node

    def _axes(self, body: Any) -> Any:
        """Axes along which the inertia is constant: its own, where it has some, else the body's."""
        own = {frame for _, a, b in body.central_inertia.args for v in (a, b) for _, frame in v.args}
        if len(own) == 1:
            return own.pop()
        if self.frames.reaches(body.frame):
            return body.frame
        if own:
            raise Unconnected(f"its inertia is given in several frames, and {body.frame.name!r} itself is not oriented")
        v = self.frames.velocity(body.masscenter)
        return max(v, key=self.frames.depth) if v else self.model.frame

    def _inertia(self, dyadic: Any, axes: Any) -> Matrix:
        graph, frames = self.graph, self.frames
        rows = [[graph.zero] * 3 for _ in range(3)]
        for factor, first, second in dyadic.args:
            size = self._node(factor)
            a, b = frames.along(frames.parts(first), axes), frames.along(frames.parts(second), axes)
            for i in range(3):
                for k in range(3):
                    rows[i][k] = rows[i][k] + size * a[i] * b[k]
        if not all(x.is_static for row in rows for x in row):
            raise ValueError("its inertia changes along its axes; give it in one frame")
        return Matrix(*(Vector(*row) for row in rows))

    def _changing(self, name: str, inertia: Matrix, w: Vector, turning: Vector, fixed: bool) -> None:
        """What SymPy adds where the inertia's axes turn in the body: (dI/dt) · ω, of no account if it is symmetric."""
        relative = turning - w
        if fixed or relative.is_zero or inertia.is_zero:
            return
        moment = relative.cross(inertia @ w) - inertia @ relative.cross(w)
        told = substitute([*moment, *(x for row in inertia for x in row)], self.told)
        for which in (0, 1):
            values = general(told, which)
            if np.abs(values[:3]).max() > SAME * np.abs(values[3:]).max():
                self.loads.append(Torque(self._load_name(f"change of inertia of {name}"), name, -moment, name))
                return

    def _guided(
        self,
        wanted: str,
        point: Any,
        axes: Any,
        spin: Parts,
        v: Parts,
        turning: Parts,
        mass: Node,
        inertia: Matrix,
        frame: Any | None = None,
    ) -> str:
        graph, frames = self.graph, self.frames
        name = self.names.free(wanted, "body")
        still = Pose.identity(graph)
        rotation = frames.orientation(axes) if frames.reaches(axes) else Rotation(graph)
        place = Vector.zero(graph)
        if point in self.places:
            place = frames.along(self.places[point], self.model.frame)
        inertial = self.model.frame
        alpha = a = None
        if frame is not None and inertial in frame._ang_acc_dict:
            alpha = frames.along(frames.parts(frame._ang_acc_dict[inertial]), axes)
        if point is not None and inertial in point._acc_dict:
            a = frames.along(frames.parts(point._acc_dict[inertial]), axes)
        w, turned = frames.along(spin, axes), frames.along(turning, axes)
        guide = Guide(Pose(rotation, place), w, frames.along(v, axes), turned, alpha, a)
        self.symbols.differentiable([*guide.w, *guide.v])
        self.bodies.append(Body(name, mass, Vector.zero(graph), inertia))
        self.joints.append(Joint(name, GROUND, name, joints.weld(graph), still, still, (), (), guide=guide))
        return name

    def _origin(self) -> Any:
        """The point from which places are measured."""
        if self.model.origin is not None:
            return self.model.origin
        from sympy.physics.vector import Point

        found = [getattr(body, "masscenter", None) or getattr(body, "point", None) for body in self.model.bodies]
        centers = [x for x in found if x is not None]
        front, seen = list(centers), set(centers)
        for point in front:
            speed = point._vel_dict.get(self.model.frame)
            if speed is not None and not speed.args:
                return point
            for other in point._pos_dict:
                if other not in seen:
                    seen.add(other)
                    front.append(other)
        return centers[0] if centers else Point("origin")

    # -- loads ----------------------------------------------------------------------------------------------------

    def _load(self, place: Any, vector: Any) -> None:
        from sympy.physics.vector import Point, ReferenceFrame

        if not isinstance(place, (Point, ReferenceFrame)):
            kind = type(place).__name__
            raise ValueError(f"it acts on {article(kind)} {kind}; a Point or a ReferenceFrame is needed")
        parts = self.frames.parts(vector)
        if not parts:
            return
        turns = isinstance(place, ReferenceFrame)
        if place not in self.seats:
            motion = self.frames.turning(place) if turns else self.frames.velocity(place)
            if not motion:
                return  # what does not move does no work
            self._seat(place, motion, parts, turns)
        body, axes = self.seats[place]
        components = self.frames.along(parts, axes)
        if turns:
            self.loads.append(Torque(self._load_name(f"torque on {place.name}"), body, components, body))
        else:
            zero = Vector.zero(self.graph)
            self.loads.append(Force(self._load_name(f"force at {place.name}"), body, zero, components, body))

    def _seat(self, place: Any, motion: Parts, load: Parts, turns: bool) -> None:
        """A body without mass that moves as the point, or turns as the frame, that a load acts on."""
        graph, frames = self.graph, self.frames
        reachable = [x for x in (*motion, *load) if frames.reaches(x)]
        axes = max(reachable, key=frames.depth) if reachable else next(iter(load))
        zero: Parts = {}
        name = self._guided(
            place.name, None if turns else place, axes, motion if turns else zero, zero if turns else motion,
            frames.turning(axes) if reachable else zero, graph.zero, Matrix.zero(graph),
        )  # fmt: skip
        self.seats[place] = (name, axes)

    def _load_name(self, wanted: str) -> str:
        return self.load_names.free(wanted, "load")

    def _potential(self) -> None:
        """−∂V/∂q, where the Lagrangian at rest is −V."""
        symbols, graph = self.symbols, self.graph
        value = self._node(self.model.lagrangian)
        still = dict.fromkeys((*symbols.rates, *symbols.u), graph.zero)
        potential = -substitute([value], still)[0]
        for k, (symbol, slope) in enumerate(zip(symbols.q, jacobian([potential], symbols.q)[0])):
            if not slope.is_zero:
                energy = potential if k == 0 else None
                label = self._load_name(f"potential along {symbol.name}")
                self.loads.append(JointForce(label, symbol.name, 0, -slope, energy))

    # -- constraints ----------------------------------------------------------------------------------------------

    def _constraints(self, satisfied: list[Constraint]) -> list[Constraint]:
        model = self.model
        positions = self._rows("configuration constraint", [((x, 1),) for x in model.positions])
        velocities = self._rows("velocity constraint", model.velocities)
        self.symbols.differentiable(positions.values())
        self.symbols.differentiable([*jvp(list(positions.values()), self.frames.clock()), *velocities.values()])
        found = list(satisfied)
        if model.velocities_complete:
            velocities, found, positions = self._matched(positions, velocities, found)
        found += [
            Constraint(f"configuration constraint {k}", (row,), Level.POSITION) for k, row in positions.items()
        ]
        found += [Constraint(f"velocity constraint {k}", (row,), Level.VELOCITY) for k, row in velocities.items()]
        return found

    def _rows(self, what: str, rows: Sequence[Row]) -> dict[int, Node]:
        found = {k: self._try(f"{what} {k}", lambda row=row: self._row(row)) for k, row in enumerate(rows, 1)}  # type: ignore[misc]
        return {k: row for k, row in found.items() if row is not None and not row.is_zero}

    def _matched(
        self, positions: dict[int, Node], velocities: dict[int, Node], others: list[Constraint]
    ) -> tuple[dict[int, Node], list[Constraint], dict[int, Node]]:
        """Velocities that are a position's derivative give way to it; a position that none maintains is left out."""
        kept: dict[int, Node] = {}
        velocities, others = dict(velocities), list(others)
        for k, position in positions.items():
            rate = jvp([position], self.frames.clock())[0]
            partner = next((i for i, row in velocities.items() if self._same(rate, row)), None)
            if partner is not None:
                kept[k] = position
                del velocities[partner]
                continue
            place = next((i for i, x in enumerate(others) if self._same(rate, x.rows[0])), None)
            if place is not None:
                others[place] = Constraint(f"configuration constraint {k}", (position,), Level.POSITION, satisfied=True)
                continue
            warn(
                f"configuration constraint {k} is left out, as in SymPy's equations: no velocity constraint is its "
                "derivative",
                users_line(),
            )
        return velocities, others, kept

    def _same(self, a: Node, b: Node) -> bool:
        """Whether two rows of velocities ask for the same, in general positions."""
        rows = [self._by_rates(a), self._by_rates(b)]
        rates = [rate for joint in self.joints for rate in joint.speeds]
        held = [x for x in symbols_of(rows) if x not in rates]
        try:
            return all(_proportional(*affine(rows, general_values(held, k), rates)) for k in range(3))
        except NotAffine:
            return False  # a position's derivative is linear

    def _by_rates(self, row: Node) -> Node:
        """A row of velocities with the speeds put in, in the coordinates' rates."""
        found = self.put_in.get(row)
        if found is None:
            found = self.put_in[row] = substitute([row], self.told)[0]
        return found


def _proportional(x: Floats, y: Floats) -> bool:
    scale = float(x @ x)
    return bool(scale > 0.0 and np.abs(y - x * (float(x @ y) / scale)).max() <= SAME * np.abs(y).max())


def _put(value: Node, free: Mapping[Node, Node], own: Node) -> Node:
    others = {x: y for x, y in free.items() if x is not own}
    return substitute([value], others)[0] if others else value

