"""Configurations as a manifold: a step along speeds, q ⊕ dq, and the step between two configurations, q1 ⊖ q0.

Joints whose coordinates' rates are their speeds add. A unit quaternion is multiplied by that of the rotation vector, so
that it stays one; free and planar joints move by the exponential of their twist, held constant in the moved frame. Any
other joint (angles, joints given by their matrix) steps in its coordinates, q + Γ(q) dq. Each way, the derivative at
dq = 0 is Γ, and `difference` undoes `integrate` exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node, atan2, cos, less, select, sin, sqrt
from ..model.motion import Motion, Orientation
from ..model.quaternion import quaternion_rotation
from ..spatial import Rotation, Turn, Vector
from .lower import Lowered

# Below this square of an angle sin(x)/x is 1 to the last bit; the quotient itself would be 0/0 at 0.
TINY = 1e-30
# (x − sin x)/x³ in powers of x²: the closed form loses digits below one radian.
SINE_REST = tuple(
    sign / factor
    for sign, factor in zip(
        (1.0, -1.0) * 5, (6.0, 120.0, 5040.0, 362880.0, 39916800.0, 6227020800.0, 1307674368000.0, 355687428096000.0,
                          121645100408832000.0, 51090942171709440000.0),
    )
)  # fmt: skip
# (1 − (x/2) cot(x/2))/x² in powers of x²: |B₂ₖ|/(2k)!.
COTANGENT_REST = (
    1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600,
    3617 / 10670622842880000, 43867 / 5109094217170944000, 174611 / 802857662698291200000,
    77683 / 14101100039391805440000,
)  # fmt: skip

Quaternion = tuple[Node, Node, Node, Node]


def integrate(lowered: Lowered, q: Sequence[Node], dq: Sequence[Node]) -> list[Node]:
    """q ⊕ dq (nq,): the configuration after a step dq (n,), speeds times time."""
    found: list[Node] = []
    for passage in lowered.passages:
        own, step = list(q[passage.coordinates]), list(dq[passage.speeds])
        found += _forward(lowered.graph, passage.motion, own, step)
    return found


def difference(lowered: Lowered, q0: Sequence[Node], q1: Sequence[Node]) -> list[Node]:
    """q1 ⊖ q0 (n,): the step that leads from q0 to q1; of a quaternion, the shorter way."""
    found: list[Node] = []
    for passage in lowered.passages:
        found += _back(lowered.graph, passage.motion, list(q0[passage.coordinates]), list(q1[passage.coordinates]))
    return found


# -- one joint --------------------------------------------------------------------------------------------------------


def _forward(graph: Graph, motion: Motion, q: list[Node], dq: list[Node]) -> list[Node]:
    if motion.kind == "planar":
        return _planar_forward(graph, q, dq)
    if motion.orientation is Orientation.QUATERNION:
        if motion.kind == "free":
            return _free_forward(graph, q, dq)
        return list(_unit(_times(_quaternion(q), _exponential(Vector(*dq)))))
    return [x + step for x, step in zip(q, motion.rates(graph, q, dq))]


def _back(graph: Graph, motion: Motion, q0: list[Node], q1: list[Node]) -> list[Node]:
    if motion.kind == "planar":
        return _planar_back(graph, q0, q1)
    if motion.orientation is Orientation.QUATERNION:
        if motion.kind == "free":
            return _free_back(graph, q0, q1)
        return list(_logarithm(_times(_conjugate(_quaternion(q0)), _quaternion(q1)))[0])
    return motion.speeds(graph, q0, [b - a for a, b in zip(q0, q1)])


def _planar_forward(graph: Graph, q: list[Node], dq: list[Node]) -> list[Node]:
    """x, y along the fixed axes and the angle, by (v_x, v_y, w) in the moved axes."""
    x, y, angle = q
    vx, vy, w = dq
    half = w * 0.5
    # ∫ R(σ w) v dσ = sinc(w/2) R(w/2) v: along the chord, at half the angle.
    chord = _sinc(half)
    middle = Rotation(graph, (Turn(2, cos(angle + half), sin(angle + half)),))
    step = middle.inward(Vector(vx * chord, vy * chord, graph.zero))
    return [x + step.x, y + step.y, angle + w]


def _planar_back(graph: Graph, q0: list[Node], q1: list[Node]) -> list[Node]:
    w = q1[2] - q0[2]
    middle = q0[2] + w * 0.5
    moved = Vector(q1[0] - q0[0], q1[1] - q0[1], graph.zero)
    step = Rotation(graph, (Turn(2, cos(middle), sin(middle)),)).outward(moved)
    chord = _sinc(w * 0.5)
    return [step.x / chord, step.y / chord, w]


def _free_forward(graph: Graph, q: list[Node], dq: list[Node]) -> list[Node]:
    """Position and quaternion, by (w, v) in the moved axes: X exp(ξ̂), whose translation is V v,
    V = 1 + (1 − cos θ)/θ² [w×] + (θ − sin θ)/θ³ [w×]²."""
    position, orientation = Vector(*q[:3]), _quaternion(q[3:])
    w, v = Vector(*dq[:3]), Vector(*dq[3:])
    square = w.dot(w)
    s, _ = _half_turn(square)
    first = s * s * 2.0  # (1 − cos θ)/θ² = 2 sin²(θ/2)/θ²
    across = w.cross(v)
    moved = v + across * first + w.cross(across) * _sine_rest(square)
    position = position + quaternion_rotation(graph, orientation).inward(moved)
    return [*position, *_unit(_times(orientation, _exponential(w)))]


def _free_back(graph: Graph, q0: list[Node], q1: list[Node]) -> list[Node]:
    start = _quaternion(q0[3:])
    w, square, cotangent = _logarithm(_times(_conjugate(start), _quaternion(q1[3:])))
    moved = quaternion_rotation(graph, start).outward(Vector(*q1[:3]) - Vector(*q0[:3]))
    across = w.cross(moved)
    rest = select(less(square, 1.0), _series(square, COTANGENT_REST), (1.0 - cotangent) / _away_from_zero(square))
    return [*w, *(moved - across * 0.5 + w.cross(across) * rest)]


# -- functions of an angle --------------------------------------------------------------------------------------------


def _away_from_zero(x: Node) -> Node:
    """x, or 1 where it is so small that another expression is chosen anyway: no division by zero is made."""
    return select(less(x, TINY), 1.0, x)


def _sinc(x: Node) -> Node:
    """sin(x)/x."""
    near = less(x * x, TINY)
    return select(near, 1.0, sin(x) / select(near, 1.0, x))


def _half_turn(square: Node) -> tuple[Node, Node]:
    """sin(θ/2)/θ and cos(θ/2) from θ²: in this form they have derivatives at 0, too."""
    near = less(square, TINY)
    angle = sqrt(_away_from_zero(square))
    half = angle * 0.5
    return select(near, 0.5 - square / 48.0, sin(half) / angle), select(near, 1.0 - square * 0.125, cos(half))


def _sine_rest(square: Node) -> Node:
    """(θ − sin θ)/θ³ from θ²."""
    angle = sqrt(_away_from_zero(square))
    closed = (angle - sin(angle)) / (angle * angle * angle)
    return select(less(square, 1.0), _series(square, SINE_REST), closed)


def _series(x: Node, coefficients: Sequence[float]) -> Node:
    total = x.graph.constant(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total


# -- quaternions (x, y, z, w) -----------------------------------------------------------------------------------------


def _quaternion(values: Sequence[Node]) -> Quaternion:
    x, y, z, w = values
    return x, y, z, w


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    """a ⊛ b: first b's turn, then a's, both seen from the fixed axes."""
    av, bv = Vector(*a[:3]), Vector(*b[:3])
    v = bv * a[3] + av * b[3] + av.cross(bv)
    return v.x, v.y, v.z, a[3] * b[3] - av.dot(bv)


def _conjugate(a: Quaternion) -> Quaternion:
    return -a[0], -a[1], -a[2], a[3]


def _unit(a: Quaternion) -> Quaternion:
    """Of length one to rounding, however many steps came before."""
    length = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]
    factor = 1.0 / sqrt(length)
    return a[0] * factor, a[1] * factor, a[2] * factor, a[3] * factor


def _exponential(w: Vector) -> Quaternion:
    """Of a rotation vector [rad]."""
    s, c = _half_turn(w.dot(w))
    v = w * s
    return v.x, v.y, v.z, c


def _logarithm(a: Quaternion) -> tuple[Vector, Node, Node]:
    """The rotation vector, the shorter way round; its square θ², and (θ/2) cot(θ/2)."""
    forward = less(a[3], 0.0)
    v = Vector(*a[:3])
    v = Vector(*(select(forward, -x, x) for x in v))
    w = select(forward, -a[3], a[3])
    square = v.dot(v)
    r = sqrt(_away_from_zero(square))
    near = less(square, TINY)
    half = atan2(r, w)
    factor = select(near, 2.0 / select(near, w, 1.0), half * 2.0 / r)
    angle = select(near, 0.0, half * 2.0)
    return v * factor, angle * angle, half * w / r
