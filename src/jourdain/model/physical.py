"""Whether bodies are such as can exist, at the parameters' default values, and whether every freedom has inertia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node, Role, interpret
from ..spatial import Matrix, Vector
from .carrier import Carrier
from .drafts import BodyDraft, JointDraft, PointDraft
from .mistakes import warn
from .motion import Motion, Orientation
from .pose import Pose
from .system import GROUND
from .tree import Pair
from .workshop import Workshop

Floats = NDArray[np.float64]
ROUNDING = 1e-9  # of an inertia's trace: what published digits of a flat body miss the triangle inequality by
SINGULAR = 1e-10  # of a joint's largest inertia


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
    for body, joint in order:
        numbers = values(workshop, body)
        if not np.all(np.isfinite(numbers)):
            add(f"body {body.name!r} has a mass, mass centre or inertia that is not finite at the default values", body.where)
        elif not body.meant:
            _possible(body, numbers)
        placed = [*_entries(joint.in_parent), *_entries(joint.in_child), *(x for c in joint.motion.columns for x in c)]
        if not np.all(np.isfinite(_at_defaults(workshop, placed))):
            add(f"joint {joint.name!r} has a place or an axis that is not finite at the default values", joint.where)
    for what, extra, where in _other_numbers(workshop):
        if not np.all(np.isfinite(_at_defaults(workshop, extra))):
            add(f"{what} is not finite at the default values", where)


def _other_numbers(workshop: Workshop):  # type: ignore[no-untyped-def]
    for rotor in workshop.rotors:
        yield f"rotor {rotor.rotor.name!r}", [rotor.rotor.inertia, rotor.rotor.ratio], rotor.where
