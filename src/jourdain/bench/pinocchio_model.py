"""A mechanism as Pinocchio's Python model, and our states in its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .mechanism import Array, Link, Mechanism, Step


@dataclass(frozen=True)
class PinocchioModel:
    """Pinocchio's answers, with our coordinates, speeds and forces in and out.

    Shapes: q (number of coordinates,), u, udot and forces (number of speeds,).
    """

    mechanism: Mechanism

    @cached_property
    def model(self) -> Any:
        """The `pinocchio.Model`."""
        return pinocchio_model(self.mechanism)

    @cached_property
    def data(self) -> Any:
        """Its `Data`."""
        return self.model.createData()

    def q(self, q: ArrayLike) -> Array:
        """Our coordinates as Pinocchio's."""
        return self.mechanism.configuration(q)

    def v(self, u: ArrayLike) -> Array:
        """Our speeds (or their rates) as Pinocchio's."""
        found: Array = self.mechanism.speeds @ np.asarray(u, dtype=np.float64)
        return found

    def forces(self, tau: ArrayLike) -> Array:
        """Pinocchio's generalized forces as ours."""
        found: Array = self.mechanism.speeds.T @ np.asarray(tau, dtype=np.float64)
        return found

    def inverse_dynamics(self, q: ArrayLike, u: ArrayLike, udot: ArrayLike) -> Array:
        """Generalized forces, ours (n,)."""
        import pinocchio as pin

        return self.forces(pin.rnea(self.model, self.data, self.q(q), self.v(u), self.v(udot)))

    def forward_dynamics(self, q: ArrayLike, u: ArrayLike, f: ArrayLike) -> Array:
        """Rates of our speeds (n,)."""
        import pinocchio as pin

        theirs = np.linalg.solve(self.mechanism.speeds.T, np.asarray(f, dtype=np.float64))
        found = pin.aba(self.model, self.data, self.q(q), self.v(u), theirs)
        return np.asarray(np.linalg.solve(self.mechanism.speeds, found))

    def mass_matrix(self, q: ArrayLike) -> Array:
        """Of our speeds (n, n)."""
        import pinocchio as pin

        upper = np.triu(pin.crba(self.model, self.data, self.q(q)))
        full = upper + np.triu(upper, 1).T
        found: Array = self.mechanism.speeds.T @ full @ self.mechanism.speeds
        return found


def pinocchio_model(mechanism: Mechanism) -> Any:
    """The mechanism as a `pinocchio.Model`: a joint a link, with the specialized joint types where they fit."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(mechanism.gravity, np.zeros(3))
    for index, link in enumerate(mechanism.links):
        joint, first = _joint(link)
        placement = pin.SE3(link.rotation, link.translation + link.rotation @ first)
        number = model.addJoint(link.parent + 1, joint, placement, f"{index} {link.name}")
        model.appendBodyToJoint(number, pin.Inertia(link.mass, link.center, link.inertia), pin.SE3.Identity())
    model.armature = np.concatenate([np.zeros(0), *(link.armature for link in mechanism.links)])
    return model


def _joint(link: Link) -> tuple[Any, Array]:
    """Pinocchio's joint, and where its frame lies in the link's fixed frame."""
    import pinocchio as pin

    if link.kind == "free":
        return pin.JointModelFreeFlyer(), np.zeros(3)
    if link.kind == "spherical":
        return pin.JointModelSpherical(), np.zeros(3)
    if link.kind == "planar":
        return pin.JointModelPlanar(), np.zeros(3)
    if len(link.steps) == 1:
        return _elementary(link.steps[0]), link.steps[0].translation
    sequence = pin.JointModelComposite()
    for step in link.steps:
        sequence.addJoint(_elementary(step), pin.SE3(np.eye(3), step.translation))
    return sequence, np.zeros(3)


def _elementary(step: Step) -> Any:
    import pinocchio as pin

    letter = axis_letter(step.axis).upper()
    if step.kind == "screw":
        if letter:
            return getattr(pin, f"JointModelH{letter}")(step.pitch)
        return pin.JointModelHelicalUnaligned(step.axis, step.pitch)
    if letter:
        return getattr(pin, f"JointModel{step.kind[0].upper()}{letter}")()
    return getattr(pin, f"JointModel{step.kind.capitalize()}Unaligned")(step.axis)


def axis_letter(axis: Array) -> str:
    """"x", "y" or "z" where the axis is that unit vector; "" otherwise."""
    for k, letter in enumerate("xyz"):
        if np.array_equal(axis, np.eye(3)[k]):
            return letter
    return ""
