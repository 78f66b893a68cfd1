"""Arms of the literature as systems with every datum a symbol, for exact operation counts."""

from __future__ import annotations

from collections.abc import Sequence

from jourdain.graph import Graph, Node, Role, cos, sin
from jourdain.model import joints
from jourdain.model.pose import Pose
from jourdain.model.system import GROUND, Body, Joint, System
from jourdain.spatial import Matrix, Rotation, Turn, Vector

Row = tuple[int, int, str | int, str | int]  # slides?, α in quarter turns, d, r (Khalil and Kleinfinger 1986)

STANFORD: tuple[Row, ...] = (
    (0, 0, 0, 0), (0, -1, 0, "r2"), (1, 1, 0, 0), (0, 0, 0, 0), (0, -1, 0, 0), (0, 1, 0, 0),
)
PUMA560: tuple[Row, ...] = (
    (0, 0, 0, 0), (0, -1, 0, 0), (0, 0, "d3", "r3"), (0, -1, "d4", "r4"), (0, 1, 0, 0), (0, -1, 0, 0),
)
RX90: tuple[Row, ...] = (
    (0, 0, 0, 0), (0, 1, 0, 0), (0, 0, "D3", 0), (0, -1, 0, "RL4"), (0, 1, 0, 0), (0, -1, 0, 0),
)
TX40: tuple[Row, ...] = (
    (0, 0, 0, 0), (0, -1, 0, 0), (0, 0, "d3", "RL3"), (0, 1, 0, "RL4"), (0, -1, 0, 0), (0, 1, 0, 0),
)


class Symbols:
    """Parameters by name, each with some value."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.defaults: dict[str, float] = {}

    def __call__(self, name: str | int) -> Node:
        if isinstance(name, int):
            return self.graph.constant(name)
        self.defaults[name] = 0.3 + 0.61803 * (len(self.defaults) + 1) % 1.0
        return self.graph.symbol(name, Role.PARAMETER)


def full_body(p: Symbols, name: str) -> Body:
    """A body with ten symbols."""
    m, x, y, z, xx, yy, zz, xy, xz, yz = (
        p(f"{label}{name}") for label in ("m", "cx", "cy", "cz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
    )
    inertia = Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz))
    return Body(name, m, Vector(x, y, z), inertia)


def khalil_arm(name: str, table: Sequence[Row], gravity: str = "z") -> System:
    """A serial arm with general inertias; gravity along the first axis, or anywhere ("xyz")."""
    p = Symbols()
    graph = p.graph
    chain, bodies, parent = [], [], GROUND
    for k, (slides, quarters, d, r) in enumerate(table, 1):
        c, s = round(cos_quarter(quarters)), round(cos_quarter(quarters - 1))
        turn = Rotation(graph, (Turn(0, graph.constant(c), graph.constant(s)),)) if quarters else Rotation(graph)
        distance = p(r)
        place = Pose(turn, Vector(p(d), distance * float(-s), distance * float(c)))
        z = Vector.unit(graph, 2)
        motion = (joints.prismatic if slides else joints.revolute)(graph, z)
        q, u = graph.symbol(f"q{k}", Role.COORDINATE), graph.symbol(f"q{k}dot", Role.SPEED)
        body = full_body(p, str(k))
        chain.append(Joint(f"q{k}", parent, body.name, motion, place, Pose.identity(graph), (q,), (u,)))
        bodies.append(body)
        parent = body.name
    down = Vector(*(p(f"g{axis}") if axis in gravity else graph.zero for axis in "xyz"))
    return System(name, graph, tuple(bodies), tuple(chain), down, defaults=p.defaults)


def general_arm(gravity: str = "z") -> System:
    """Six joints, every distance and angle between them a symbol."""
    p = Symbols()
    graph = p.graph
    chain, bodies, parent = [], [], GROUND
    for k in range(1, 7):
        place = Pose.identity(graph)
        if k > 1:
            alpha, d, r = p(f"a{k}"), p(f"d{k}"), p(f"r{k}")
            c, s = cos(alpha), sin(alpha)
            place = Pose(Rotation(graph, (Turn(0, c, s),)), Vector(d, -(s * r), c * r))
        q, u = graph.symbol(f"q{k}", Role.COORDINATE), graph.symbol(f"q{k}dot", Role.SPEED)
        body = full_body(p, str(k))
        motion = joints.revolute(graph, Vector.unit(graph, 2))
        chain.append(Joint(f"q{k}", parent, body.name, motion, place, Pose.identity(graph), (q,), (u,)))
        bodies.append(body)
        parent = body.name
    down = Vector(*(p(f"g{axis}") if axis in gravity else graph.zero for axis in "xyz"))
    return System("general 6R", graph, tuple(bodies), tuple(chain), down, defaults=p.defaults)


def cos_quarter(quarters: int) -> int:
    """cos of a number of quarter turns."""
    return (1, 0, -1, 0)[quarters % 4]


def kane_stanford() -> System:
    """The Stanford arm of Kane and Levinson (1983), appendix 3, with its eight lengths and principal inertias."""
    p = Symbols()
    graph = p.graph
    lengths = {k: p(f"L{k}") for k in range(1, 7)}
    zero = graph.zero
    origin = Vector.zero(graph)

    def body(name: str, center: Vector) -> Body:
        moments = [p(f"I{name}{k}") for k in (1, 2, 3)]
        rows = [[moments[i] if i == k else zero for k in range(3)] for i in range(3)]
        return Body(name, p(f"m{name}"), center, Matrix.of(graph, rows))

    plan: list[tuple[str, str, str, int, bool, Vector, Vector]] = [
        ("q1", GROUND, "A", 1, False, origin, origin),
        ("q2", "A", "B", 0, False, Vector(lengths[4], lengths[1], zero), origin),
        ("q6", "B", "C", 1, True, origin, origin),
        ("q3", "C", "D", 1, False, Vector(zero, lengths[2], zero), Vector(zero, lengths[5] - lengths[2], zero)),
        ("q4", "D", "E", 0, False, origin, Vector(zero, lengths[6], zero)),
        ("q5", "E", "F", 1, False, origin, Vector(zero, lengths[3], zero)),
    ]
    chain, bodies = [], []
    for name, parent, child, axis, slides, at, center in plan:
        motion = (joints.prismatic if slides else joints.revolute)(graph, Vector.unit(graph, axis))
        q, u = graph.symbol(name, Role.COORDINATE), graph.symbol(f"{name}dot", Role.SPEED)
        place = Pose(Rotation(graph), at)
        chain.append(Joint(name, parent, child, motion, place, Pose.identity(graph), (q,), (u,)))
        bodies.append(body(child, center))
    gravity = Vector(zero, -p("g"), zero)
    return System("stanford-arm", graph, tuple(bodies), tuple(chain), gravity, defaults=p.defaults)
