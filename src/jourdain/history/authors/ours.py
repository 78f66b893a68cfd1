"""Ours: the same chain as a `System` whose every datum is a symbol, its equations in one graph, counted exactly.

Equal expressions are one node, what depends on data alone is made beforehand, inertias are regrouped to base
parameters, and of several formulations the one with the fewest operations is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...equations.choose import CROSS_PRODUCTS, ELIMINATE, SUM_ANGLES, TURN_LEAVES, derive
from ...equations.formulation import Formulation
from ...equations.mechanics import Mechanics
from ...graph import Counts, Graph, Node, Role, cos, count, interpret, sin
from ...model import joints
from ...model.pose import Pose
from ...model.system import GROUND, Body, Joint, System
from ...spatial import Matrix, Rotation, Turn, Vector
from ..chain import Chain, Link, Values

CHANGES = (TURN_LEAVES, SUM_ANGLES, CROSS_PRODUCTS)


@dataclass
class Data:
    """Parameters by name, with the chain's own values."""

    graph: Graph
    values: dict[str, float]

    def __call__(self, name: str, value: float) -> Node:
        self.values[name] = value
        return self.graph.symbol(name, Role.PARAMETER)


def system_of(chain: Chain) -> System:
    """The chain with bodies link1 …, joints q1 … and every one of its data a parameter.

    A joint's coordinate is θ or d itself, not what is added to it.
    """
    graph = Graph()
    data = Data(graph, {})
    gravity = Vector(*(data(f"g{axis}", x) for axis, x in zip("xyz", chain.gravity)))
    placed = [_link(data, f"{i}", link) for i, link in enumerate(chain.links, 1)]
    made = []
    parent = GROUND
    for link, (body, pose) in zip(chain.links, placed):
        name = f"q{body.name.removeprefix('link')}"
        motion = (joints.prismatic if link.slides else joints.revolute)(graph, Vector.unit(graph, 2))
        q, u = graph.symbol(name, Role.COORDINATE), graph.symbol(f"{name}dot", Role.SPEED)
        made.append(Joint(name, parent, body.name, motion, _start(data, name, link), pose.inverse(), (q,), (u,)))
        parent = body.name
    bodies = tuple(body for body, _ in placed)
    return System("chain by Denavit and Hartenberg", graph, bodies, tuple(made), gravity, defaults=data.values)


def _start(data: Data, name: str, link: Link) -> Pose:
    """The joint's fixed frame on the link before: the two of its four parameters that are no coordinate, on axis z."""
    graph = data.graph
    zero = graph.zero
    if not link.slides:
        return Pose(Rotation(graph), Vector(zero, zero, data(f"d_{name}", link.d)))
    theta = data(f"theta_{name}", link.theta)
    return Pose(Rotation(graph, (Turn(2, cos(theta), sin(theta)),)), Vector.zero(graph))


def _link(data: Data, k: str, link: Link) -> tuple[Body, Pose]:
    """The body, and its frame's pose in the joint's moving frame."""
    graph = data.graph
    alpha, a = data(f"alpha{k}", link.alpha), data(f"a{k}", link.a)
    pose = Pose(Rotation(graph, (Turn(0, cos(alpha), sin(alpha)),)), Vector(a, graph.zero, graph.zero))
    center = Vector(*(data(f"c{axis}{k}", x) for axis, x in zip("xyz", link.center)))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = link.inertia
    moments = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
    n = {axes: data(f"I{axes}{k}", value) for axes, value in moments.items()}
    inertia = Matrix(
        Vector(n["xx"], n["xy"], n["xz"]), Vector(n["xy"], n["yy"], n["yz"]), Vector(n["xz"], n["yz"], n["zz"])
    )
    return Body(f"link{k}", data(f"m{k}", link.mass), center, inertia), pose


def inverse_dynamics(chain: Chain, q: Values, rates: Values, accelerations: Values) -> NDArray[np.float64]:
    """Generalized forces (n,)."""
    system = system_of(chain)
    mechanics = Mechanics(system)
    values: dict[Node, Any] = {
        mechanics.graph.symbol(name, Role.PARAMETER): value for name, value in system.parameters.items()
    }
    whole = [x + (link.d if link.slides else link.theta) for x, link in zip(q, chain.links)]
    for symbols, numbers in ((mechanics.q, whole), (mechanics.u, rates), (mechanics.udot, accelerations)):
        values |= dict(zip(symbols, numbers))
    return np.array(interpret(mechanics.inverse_dynamics(), values), float)


def inverse_counts(chain: Chain) -> Counts:
    """Operations of inverse dynamics, as they are compiled."""
    return count(derive(Mechanics(system_of(chain)), Mechanics.inverse_dynamics, CHANGES).outputs)


def forward_counts(chain: Chain) -> Counts:
    """Operations of forward dynamics, by elimination or by articulated bodies, whichever takes fewer."""
    start = Mechanics(system_of(chain), Formulation(articulated=True))
    return count(derive(start, Mechanics.forward_dynamics, (ELIMINATE, *CHANGES)).outputs)
