"""A mechanism as Pinocchio's Python model."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mechanism import Array, Link, Mechanism, Step


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
