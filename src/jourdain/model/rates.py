"""Derivatives with respect to time of what a user writes, as seen from any body.

Scalars by the chain rule over their symbols; vectors by d/dt v = d'/dt v + ω × v between one body and another. What
only the derivation knows (velocities, cosines) changes as vectors do: a component v·e along an axis e of body B has
the rate (ᴮd/dt v)·e.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph import Node, Role, symbols_of
from ..graph.differentiate import jvp
from ..spatial import Vector
from .drafts import Atom, Placeholder
from .system import GROUND
from .vectors import VectorExpression

if TYPE_CHECKING:
    from .workshop import Workshop

_NEXT = {"position": "velocity", "velocity": "acceleration", "omega": "alpha"}
_CHANGING = Role.COORDINATE.bit | Role.SPEED.bit | Role.ACCELERATION.bit | Role.TIME.bit


def rate_of(model: Workshop, node: Node) -> Node:
    """The derivative of a scalar; parameters are constant, and inputs whose derivatives are not inputs."""
    changing = [x for x in symbols_of([node]) if x.roles & _CHANGING or x.name in model.input_rates]
    if not changing:
        return model.graph.zero
    return jvp([node], {x: _of_symbol(model, x) for x in changing})[0]


def rate_in(model: Workshop, vector: VectorExpression, body: str) -> VectorExpression:
    """The derivative of a vector as seen from a body."""
    found = model.zero_vector()
    base = _turning(model, body)
    for own, v in vector.fixed.items():
        found = found + model.vector(own, Vector(*(rate_of(model, x) for x in v)))
        if own != body:
            found = found + (_turning(model, own) - base).cross(model.vector(own, v))
    for atom, factor in vector.moving.items():
        plain = model.kinematic(atom)
        found = found + plain * rate_of(model, factor) + (_advanced(model, atom) - base.cross(plain)) * factor
    return found


def _advanced(model: Workshop, atom: Atom) -> VectorExpression:
    """The derivative of a kinematic vector as seen from the ground."""
    kind = _NEXT.get(atom.kind)
    if kind is None:
        of = atom.point.name if atom.point else atom.of
        model.refuse(f"the {atom.kind} of {of!r} cannot be differentiated: nothing beyond accelerations is known")
    return model.kinematic(Atom(kind, atom.of, atom.point))


def _turning(model: Workshop, body: str) -> VectorExpression:
    """The angular velocity of a body's axes: the body's, but where it is guided in axes that do not spin with it."""
    if body == GROUND:
        return model.zero_vector()
    guides = [joint.guide for joint in model.joints.values() if joint.child == body and joint.guide is not None]
    return model.vector(body, guides[0].turning) if guides else model.kinematic(Atom("omega", body))


def _of_symbol(model: Workshop, symbol: Node) -> Node:
    if symbol.role is Role.TIME:
        return model.graph.one
    if symbol.role is Role.INPUT:
        return model.graph.symbol(model.input_rates[symbol.name], Role.INPUT)
    meaning = model.placeholders.meanings.get(symbol)
    if meaning is not None:
        return _of_placeholder(model, symbol, meaning)
    for joint in model.joints.values():
        if symbol in joint.coordinates:
            rates = joint.motion.rates(model.graph, joint.coordinates, joint.speeds)
            return rates[joint.coordinates.index(symbol)]
        if symbol in joint.speeds:
            return model.placeholders.rate(joint.child, joint.speeds.index(symbol))
    defined = [x.value for x in model.definitions.values() if x.symbol is symbol]
    if not defined:  # the length of a strut, or what a joint had that was removed
        model.refuse(f"{symbol.name!r} cannot be differentiated with respect to time here")
    return rate_of(model, defined[0])


def _of_placeholder(model: Workshop, symbol: Node, meaning: Placeholder) -> Node:
    axes, atom = meaning.axes, meaning.atom
    if atom.kind == "rate":
        model.refuse(f"{symbol.name!r} cannot be differentiated: nothing beyond accelerations is known")
    axis = model.vector(axes, Vector.unit(model.graph, meaning.component))
    if atom.kind == "axis":
        vector = model.vector(atom.of, Vector.unit(model.graph, meaning.axis))
    else:
        vector = model.kinematic(atom)
    return rate_in(model, vector, axes) @ axis
