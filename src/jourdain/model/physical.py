"""Whether bodies are such as can exist, at the parameters' default values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph import Node
from .arguments import at_defaults
from .drafts import BodyDraft, LoadDraft
from .mistakes import Where, warn
from .pose import Pose
from .system import Force, Strut
from .tree import Pair
from .workshop import Workshop

Floats = NDArray[np.float64]
ROUNDING = 1e-9  # of an inertia's trace: what published digits of a flat body miss the triangle inequality by


def check_bodies(workshop: Workshop, order: Sequence[Pair], moves: set[str]) -> None:
    """Mistakes: a body that moves without mass or inertia, values that are not finite. Warnings: impossible inertias."""
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
    for what, nodes, where in _numbers(workshop, order):
        values = at_defaults(nodes, workshop.defaults)
        wrong = [x for x in values if not np.isfinite(x)]
        if wrong:
            unknown = True
            add(f"{what} is {wrong[0]} at the parameters' default values; it must be finite", where)
    if unknown:
        return
    for body, _ in order:
        if not body.meant:
            _possible(body, workshop.defaults)


def _numbers(workshop: Workshop, order: Sequence[Pair]) -> Iterator[tuple[str, Sequence[Node], Where]]:
    """Everything that parameters alone decide, with what it is called."""
    for body, joint in order:
        yield f"the mass of body {body.name!r}", [body.mass], body.where
        yield f"the mass centre of body {body.name!r}", body.center, body.where
        yield f"the inertia of body {body.name!r}", [x for row in body.inertia for x in row], body.where
        placed = [*_entries(joint.in_parent), *_entries(joint.in_child)]
        yield f"a place or rotation of joint {joint.name!r}", placed, joint.where
        columns = [x for column in joint.motion.columns for x in column]
        yield f"an axis or a pitch of joint {joint.name!r}", columns, joint.where
    for rotor in workshop.rotors:
        name = f"the inertia or the ratio of rotor {rotor.rotor.name!r}"
        yield name, [rotor.rotor.inertia, rotor.rotor.ratio], rotor.where
    for draft in workshop.loads.values():
        yield f"a part of load {draft.load.name!r}", _static_parts(draft), draft.where


def _entries(pose: Pose) -> list[Node]:
    return [*pose.translation, *(x for row in pose.rotation.matrix() for x in row)]


def _static_parts(draft: LoadDraft) -> list[Node]:
    """What parameters alone decide of a load."""
    load = draft.load
    parts = [x for point in draft.points if point.offset is not None for x in point.offset]
    if isinstance(load, Strut):
        parts += [load.tension]
    elif isinstance(load, Force):
        parts += [*load.components]
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
