"""Why a run through modes ended early: which contacts and switches, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...model.mistakes import counted
from ..change import Change
from ..contact.acceleration import INCONSISTENT
from ..start import NEAR
from ..status import Status
from .changing_run import ChangingRun
from .contradiction import BESIDE, OFF
from .modal_landing import CROWD, MOMENT

if TYPE_CHECKING:
    from .modal_run import ModalRun

LAST = 6  # changes that are named


def reason_of(run: ModalRun) -> str:
    """A sentence; where the run failed, what was computed until then is kept."""
    going, status = run.going, run.status
    if run.is_complete or status in (Status.INTERRUPTED, Status.RUNNING):
        return status.sentence
    assert isinstance(going, ChangingRun)
    said = [status.sentence]
    if status in _TELL:
        said.append(_TELL[status](going, run.changes))
    t = going.raised.t if going.raised is not None else going.session["t"]
    return f"at {t:.9g} s: {'; '.join(filter(None, said))}; {counted(len(run.t), 'row')} until {run.t[-1]:.9g} s"


def _paradox(going: ChangingRun, changes: Sequence[Change]) -> str:
    session = going.session
    which = int(session.array("report")[0])
    kind = (
        "it is pressed and no force holds it"
        if session["contact status"] == INCONSISTENT
        else "it could leave or jam: more than one motion goes on"
    )
    return f"{_contacts(going)[which]!r}: {kind}" if which >= 0 else ""


def _unsolved(going: ChangingRun, changes: Sequence[Change]) -> str:
    return "among " + ", ".join(map(repr, _contacts(going)))


def _contacts(going: ChangingRun) -> list[str]:
    """Those whose problem was solved last."""
    count = int(going.session["contact count"])
    every = going.ode.compiled.system.contacts
    return [every[int(k)].name for k in going.session.array("closed")[:count]]


def _without_end(going: ChangingRun, changes: Sequence[Change]) -> str:
    end = going.session["t"]
    last = [x for x in changes if x.t >= end - CROWD * MOMENT][-LAST:]
    words = dict.fromkeys(word for x in last for word in x.causes)
    return "again and again: " + ", ".join(words) if words else ""


def _contradicting(going: ChangingRun, changes: Sequence[Change]) -> str:
    session, n = going.session, len(going.ode.compiled.system.speeds)
    matrix = session.array("matrix").reshape(-1, n)
    u = session.array("modal point")[going.own - n : going.own]
    size = np.abs(matrix * u).max(axis=1, initial=0.0)
    positions, velocities = np.abs(session.array("positions")), np.abs(session.array("velocities"))
    off = (session.array("holds") != 0.0) & ((velocities > OFF + BESIDE * size) | (positions > OFF))
    last = next((f"; what was imposed last: {_named(x.imposed)}" for x in reversed(changes) if x.imposed), "")
    return f"{_named(_owners(going, off))} cannot hold beside the others{last}"


def _afar(going: ChangingRun, changes: Sequence[Change]) -> str:
    by_row = going.session.array("positions imposed")
    off = (going.session.array("holds") != 0.0) & (np.abs(by_row) > NEAR)
    places = going.layout.changing.places
    said = [f"{name!r} misses by {np.abs(by_row[list(places[name])]).max():.3g}" for name in _owners(going, off)]
    return ", ".join(said)


def _owners(going: ChangingRun, rows: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[str, ...]:
    return tuple(name for name, places in going.layout.changing.places.items() if rows[list(places)].any())


def _named(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "some rows"


_TELL = {
    Status.PARADOX: _paradox, Status.CONTACTS_NOT_SOLVED: _unsolved, Status.NOT_SETTLING: _without_end,
    Status.CONTRADICTION: _contradicting, Status.IMPOSED_AFAR: _afar, Status.CONSTRAINTS_LOST: _contradicting,
}  # fmt: skip
