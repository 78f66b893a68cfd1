"""The motion along one column of a joint's map: turning, sliding, or both (Kwatny & Blankenship, Proposition 1)."""

from __future__ import annotations

import math

from ..graph import Graph, Node, cos, sin, sqrt
from ..spatial import Matrix, Rotation, Vector, cross_matrix
from .pose import Pose, Twist

NEARLY = 1e-12  # what a unit vector's length may miss by rounding


def screw_pose(graph: Graph, column: Twist, parameter: Node) -> Pose:
    """λ(ε): R = exp(ŵ ε), t = ∫₀^ε exp(ŵ σ) v dσ (eq 12, where L is Rᵀ), for constant w and v.

    An axis along a coordinate axis gives an elementary turn.
    """
    w, v = column
    if w.is_zero:
        return Pose(Rotation(graph), v * parameter)
    turning = [k for k in range(3) if not w[k].is_zero]
    if len(turning) == 1:
        k = turning[0]
        rate = w[k]
        unit = Vector.unit(graph, k)
    else:
        k = -1
        rate = _length(w)
        unit = w * (graph.one / rate)
    angle = rate * parameter
    s, c = sin(angle), cos(angle)
    rotation = Rotation.turn(graph, k, angle) if k >= 0 else Rotation.given(graph, rodrigues(unit, c, s))
    # Along the axis the frame slides in proportion to the angle; across it the integral runs around a circle.
    slide = unit.dot(v)
    across = v - unit * slide if k < 0 else Vector(*(graph.zero if i == k else v[i] for i in range(3)))
    inverse = graph.one / rate
    circle = across * (s * inverse) + unit.cross(across) * ((graph.one - c) * inverse)
    return Pose(rotation, unit * (slide * parameter) + circle)


def rodrigues(unit: Vector, c: Node, s: Node) -> Matrix:
    """The rotation about a unit vector by an angle of cosine c and sine s: c 1 + s [a×] + (1 − c) a aᵀ."""
    graph = c.graph
    outer = Matrix(*(unit * unit[i] for i in range(3)))
    return Matrix.identity(graph).scaled(c) + cross_matrix(unit).scaled(s) + outer.scaled(graph.one - c)


def bracket(a: Twist, b: Twist) -> Twist:
    """The Lie bracket of se(3): (w_a × w_b, w_a × v_b − w_b × v_a)."""
    return Twist(a.angular.cross(b.angular), a.angular.cross(b.linear) - b.angular.cross(a.linear))


def _length(w: Vector) -> Node:
    length = sqrt(w.dot(w))
    if length.is_constant and math.isclose(length.value, 1.0, abs_tol=NEARLY):
        return length.graph.one
    return length
