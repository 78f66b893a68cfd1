"""Whether bodies are such as can exist, at the parameters' default values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph import Node
from ..spatial import Vector
from .arguments import at_defaults, not_a_rotation
from .drafts import BodyDraft, LoadDraft, expressions
from .mistakes import Where, warn
from .pose import Pose
from .tree import Pair
from .workshop import Workshop

Floats = NDArray[np.float64]
ROUNDING = 1e-9  # of an inertia's trace: what published digits of a flat body miss the triangle inequality by


def check_bodies(workshop: Workshop, order: Sequence[Pair], moves: set[str], gravity: Vector) -> None:
    """Mistakes: a body that moves without mass or inertia, values that are not finite, rotations that are none.

    Warnings: inertias that no physical body has.
    """
    add = workshop.mistakes.add
    for body, _ in order:
        if not body.missing or body.name not in moves:
            continue
        if body.missing == "mass":
            advice = "give mass= and inertia=, or write m.link(name) for a body without mass"
        else:
            advice = "give inertia=, or write m.particle(name, mass) for a body that is a point"
        add(f"body {body.name!r} moves and has no {body.missing}; {advice}", body.where)
    unknown = False
    for what, nodes, where in _numbers(workshop, order, gravity):
        values = at_defaults(nodes, workshop.defaults)
        wrong = [x for x in values if not np.isfinite(x)]
        if wrong:
            unknown = True
            add(f"{what} is {wrong[0]} at the parameters' default values; it must be finite", where)
    if unknown:
        return
    for what, pose, where in _poses(workshop, order):
        matrix = np.array(at_defaults(_entries(pose), workshop.defaults)[3:]).reshape(3, 3)
        fault = not_a_rotation(matrix)
        if fault:
            add(f"{what}: at the parameters' default values its rotation {fault}", where)
    for body, _ in order:
        if not body.meant:
            _possible(body, workshop.defaults)


def _numbers(
    workshop: Workshop, order: Sequence[Pair], gravity: Vector
) -> Iterator[tuple[str, Sequence[Node], Where | None]]:
    """Everything that parameters alone decide, with what it is called."""
    yield "gravity", gravity, None
    for body, joint in order:
        yield f"the mass of body {body.name!r}", [body.mass], body.where
        yield f"the mass centre of body {body.name!r}", body.center, body.where
        yield f"the inertia of body {body.name!r}", [x for row in body.inertia for x in row], body.where
        columns = [x for column in joint.motion.columns for x in column]
        yield f"an axis or a pitch of joint {joint.name!r}", columns, joint.where
        if joint.drive is not None:
            drive = (*joint.drive.coordinates, *joint.drive.speeds, *joint.drive.rates)
            yield f"what drives joint {joint.name!r}", [x for x in drive if x.is_static], joint.drive.where
    for what, pose, where in _poses(workshop, order):
        yield f"a place or rotation of {what}", _entries(pose), where
    for point in workshop.points.values():
        if point.offset is not None:
            yield f"the place of point {point.name!r}", point.offset, workshop.where("point", point.name)
    for rotor in workshop.rotors:
        name = f"the inertia or the ratio of rotor {rotor.rotor.name!r}"
        yield name, [rotor.rotor.inertia, rotor.rotor.ratio], rotor.where
    for draft in workshop.loads.values():
        yield f"a part of load {draft.load.name!r}", _static_parts(draft), draft.where
    for name, output in workshop.outputs.items():
        if output.is_static:
            yield f"output {name!r}", [output], workshop.where("output", name)


def _poses(workshop: Workshop, order: Sequence[Pair]) -> Iterator[tuple[str, Pose, Where | None]]:
    """Where joints and frames are."""
    for _, joint in order:
        yield f"joint {joint.name!r}", joint.in_parent, joint.where
        yield f"joint {joint.name!r}", joint.in_child, joint.where
    for frame in workshop.frames.values():
        yield f"frame {frame.name!r}", frame.pose, workshop.where("frame", frame.name)


def _entries(pose: Pose) -> list[Node]:
    return [*pose.translation, *(x for row in pose.rotation.matrix() for x in row)]


def _static_parts(draft: LoadDraft) -> list[Node]:
    """What parameters alone decide of a load."""
    load = draft.load
    parts = [x for point in draft.points if point.offset is not None for x in point.offset]
    parts += expressions((load,))
    return [x for x in parts if x.is_static]


def _possible(body: BodyDraft, defaults: dict[str, float]) -> None:
    """Warn of a mass or an inertia that no physical body has."""
    mass, *entries = at_defaults([body.mass, *(x for row in body.inertia for x in row)], defaults)
    advice = "; if it is meant, write inertia=….as_meant()"
    if mass < 0.0:
        warn(f"body {body.name!r} has the mass {mass:g} kg, below zero{advice}", body.where)
    matrix: Floats = np.array(entries).reshape(3, 3)
    moments = np.linalg.eigvalsh(matrix)
    slack = ROUNDING * float(np.abs(moments).sum())
    if moments[0] < -slack:
        shown = ", ".join(f"{x:.4g}" for x in moments)
        warn(
            f"body {body.name!r} has an inertia that no physical body has: one of its principal moments about the mass "
            f"centre, {shown} kg m², is below zero{advice}",
            body.where,
        )
    elif not body.planar and moments[2] > moments[0] + moments[1] + slack:
        shown = ", ".join(f"{x:.4g}" for x in moments)
        warn(
            f"body {body.name!r} has an inertia that no physical body has: of its principal moments about the mass "
            f"centre, {shown} kg m², one is larger than the two others together{advice}",
            body.where,
        )
