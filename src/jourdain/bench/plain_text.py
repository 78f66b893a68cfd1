"""A case as text for programs in C and C++: whitespace between numbers, in the order in which they are needed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .case import Case, State
from .mechanism import Link


def numbers(*parts: object) -> str:
    """Arrays and scalars as decimals that read back to the same bits."""
    return " ".join(repr(float(x)) for part in parts for x in np.ravel(np.asarray(part, dtype=np.float64)))


def _link(link: Link) -> Iterable[str]:
    yield f"{link.parent} {link.kind}"
    if link.kind == "steps":
        yield str(len(link.steps))
        for step in link.steps:
            yield f"{step.kind} {numbers(step.pitch, step.axis, step.translation)}"
    yield numbers(link.rotation, link.translation, link.mass, link.center, link.inertia, link.armature)


def state_row(state: State) -> str:
    """q, v, a, tau."""
    return numbers(state.q, state.v, state.a, state.tau)


def case_text(case: Case) -> str:
    """The number of links, gravity; of each link its parent (−1: the ground), kind, for "steps" their number and of
    each its kind, pitch, axis and translation; rotation (by rows) and translation of the fixed frame, mass, mass
    centre, inertia (by rows), armature; then the number of states and of each q, v, a, tau.
    """
    lines = [str(len(case.mechanism.links)), numbers(case.mechanism.gravity)]
    for link in case.mechanism.links:
        lines += _link(link)
    lines += [str(len(case.states)), *map(state_row, case.states)]
    return "\n".join(lines) + "\n"
