"""Gravity that changes from place to place: the pull of a distant sphere, as forces and torques for a model's bodies.

A body at r from the centre of a sphere of strength μ = G m_sphere, mass m, inertia I about its mass centre, has the
potential energy

    V = −μ m / r − μ (tr I − 3 r̂·I r̂) / (2 r³) + …

whose first term is that of a particle, and whose second, beside a small force, turns the body: the gravity-gradient
torque 3 μ/r³ r̂ × I r̂ (Parsa 2007, section 4.2, names both effects and prints neither). Such a field cannot be folded
into an acceleration of the base, so a model that uses it says `gravity=(0, 0, 0)`.

    m.force(attraction(body, earth, mu), at=body.center)
    m.torque(gravity_gradient_torque(body, earth, mu), on=body)
"""

from __future__ import annotations

from ..graph import Node
from ..spatial import Matrix, Vector
from .arguments import Scalar
from .handles import BodyHandle, PointHandle
from .system import GROUND
from .vectors import VectorExpression


def attraction(body: BodyHandle, toward: PointHandle, strength: Scalar) -> VectorExpression:
    """−μ m r̂ / r² [N]: the pull on a body's mass centre.

    toward: the attracting centre. strength: μ [m³/s²]; the Earth's is 3.986004418e14.
    """
    mass, _ = _massive(body)
    r = body.center.position - toward.position
    size = r.norm()
    return r * (-(_number(body, strength) * mass) / (size * size * size))


def gravity_gradient_torque(body: BodyHandle, toward: PointHandle, strength: Scalar) -> VectorExpression:
    """3 μ/r³ r̂ × I r̂ [N m] about the mass centre."""
    r, size, turned = _seen_from(body, toward)
    factor = 3.0 * _number(body, strength) / (size * size * size * size * size)
    return body.model.vector(body.name, r.cross(turned) * factor)


def gravity_gradient_force(body: BodyHandle, toward: PointHandle, strength: Scalar) -> VectorExpression:
    """−3 μ/(2 r⁴) [(tr I − 5 r̂·I r̂) r̂ + 2 I r̂] [N]: what a body's size adds to the pull on its mass centre."""
    _, inertia = _massive(body)
    r, size, turned = _seen_from(body, toward)
    square = size * size
    along = inertia.trace() - 5.0 * r.dot(turned) / square
    factor = -1.5 * _number(body, strength) / (square * square * size)
    return body.model.vector(body.name, (r * along + turned * 2.0) * factor)


def gravitational_potential(body: BodyHandle, toward: PointHandle, strength: Scalar, extended: bool = True) -> Node:
    """V [J], zero far away; extended: with the second term, that of a body's size."""
    mass, inertia = _massive(body)
    r, size, turned = _seen_from(body, toward)
    mu = _number(body, strength)
    found = -(mu * mass) / size
    if not extended:
        return found
    square = size * size
    return found - mu * 0.5 * (inertia.trace() - 3.0 * r.dot(turned) / square) / (square * size)


def _massive(body: BodyHandle) -> tuple[Node, Matrix]:
    """Mass, and inertia about the mass centre along the body's axes."""
    if body.name == GROUND:
        raise ValueError("the ground has no mass for gravity to pull at; give a body that moves")
    draft = body.model.bodies[body.name]
    if draft.missing:
        raise ValueError(f"body {body.name!r} has no {draft.missing} yet; give it before gravity's pull is asked for")
    return draft.mass, draft.inertia


def _seen_from(body: BodyHandle, toward: PointHandle) -> tuple[Vector, Node, Vector]:
    """r along the body's axes, its length, and I r."""
    _, inertia = _massive(body)
    r = Vector(*(body.center.position - toward.position).in_frame(body))
    return r, (body.center.position - toward.position).norm(), inertia @ r


def _number(body: BodyHandle, strength: Scalar) -> Node:
    return body.model.read.static(strength, "the strength of a gravitational field")


__all__ = ["attraction", "gravitational_potential", "gravity_gradient_force", "gravity_gradient_torque"]
