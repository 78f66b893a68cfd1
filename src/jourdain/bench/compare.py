"""One model measured beside the peers: everything is built and checked first, then all are timed in turns.

In turns, because the clock of a shared machine moves: each round times every library for a share of the seconds, and
the least of the rounds counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.system import System
from .casadi_peer import CasadiC
from .case import QUANTITIES, Case, Peer, Ready, Wrong
from .mechanism import Unsupported
from .mujoco_peer import MujocoC
from .own import own
from .pinocchio_peer import PinocchioCompiled, PinocchioPython
from .sympy_peer import SympyKane
from .toolchain import Missing, Refused, compiler

OURS = "jourdain"
ROUNDS = 3


@dataclass
class Row:
    """What one library needs for one model: nanoseconds of one evaluation, seconds where the name says so."""

    model: str
    speeds: int
    peer: str
    ready: Ready
    ns: dict[str, float] = field(default_factory=dict)
    batch_ns: dict[str, float] = field(default_factory=dict)

    def time(self, seconds: float) -> None:
        """One more round."""
        _keep_least(self.ns, self.ready.clock(seconds))
        if self.ready.batch is not None:
            _keep_least(self.batch_ns, self.ready.batch.clock(seconds))

    def as_json(self) -> dict[str, Any]:
        """With None for what was not measured."""
        batch: dict[str, Any] = {}
        if self.ready.batch is not None:
            batch = {"members": self.ready.batch.members, "lanes": self.ready.batch.lanes, **self.batch_ns}
        return {
            "model": self.model, "speeds": self.speeds, "peer": self.peer,
            **{key: self.ns.get(key) for key in QUANTITIES}, "batch": batch,
            "derive_s": self.ready.derive_s, "compile_s": self.ready.compile_s, "note": self.ready.note,
        }  # fmt: skip


@dataclass
class Comparison:
    """The rows of one model, ours first; what was left out, and why; whether an answer was wrong, or Ctrl-C came."""

    rows: list[Row] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    interrupted: bool = False


def all_peers() -> tuple[Peer, ...]:
    """The libraries to be compared with: clang's Pinocchio, or where there is no clang the slower one of g++."""
    kind = "clang++" if compiler("clang++") or not compiler("g++") else "g++"
    return PinocchioCompiled(kind), PinocchioPython(), CasadiC(), MujocoC(), SympyKane()


def compare(
    system: System, peers: Sequence[Peer], seconds: float, tell: Callable[[str], None], rounds: int = ROUNDS
) -> Comparison:
    """The comparison for one model; after Ctrl-C, what had been measured until then.

    seconds: spent on each figure, over all rounds. tell: is told what is being done.
    """
    found = Comparison()
    try:
        _prepare(system, peers, tell, found)
        for k in range(rounds):
            for row in found.rows:
                tell(f"{system.name}: timing {row.peer}, round {k + 1} of {rounds}")
                row.time(seconds / rounds)
    except KeyboardInterrupt:
        found.interrupted = True
    found.rows = [row for row in found.rows if row.ns]
    return found


def _prepare(system: System, peers: Sequence[Peer], tell: Callable[[str], None], found: Comparison) -> None:
    def add(name: str, ready: Ready) -> None:
        found.rows.append(Row(system.name, len(system.speeds), name, ready))

    tell(f"{system.name}: deriving and compiling")
    try:
        mine = own(system)
        case: Case = mine.case()
    except Unsupported as reason:
        found.skipped.append(f"{system.name}: {reason}")
        return
    except Wrong as reason:
        found.wrong.append(f"{OURS}, {system.name}: {reason}")
        return
    add(OURS, mine.ready())
    for peer in peers:
        tell(f"{system.name}: preparing {peer.name} (what it compiles takes minutes the first time)")
        try:
            add(peer.name, peer.prepare(case))
        except Missing as reason:
            found.skipped.append(f"{peer.name}: {reason}")
        except Refused as reason:
            found.skipped.append(f"{peer.name}, {system.name}: {reason}")
        except Wrong as reason:
            found.wrong.append(f"{peer.name}, {system.name}: {reason}")


def _keep_least(best: dict[str, float], times: Mapping[str, float]) -> None:
    for name, ns in times.items():
        best[name] = min(ns, best.get(name, ns))
