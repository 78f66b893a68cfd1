"""`export`: from a system to a folder of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from numpy.typing import ArrayLike

from ..driver import Compiled, compile
from ..model.system import System
from ..simulation.method import Method
from .plan import FUNCTIONS, plan_of
from .target import target_of


def export(
    system: System | Compiled,
    target: str,
    folder: str | Path,
    *,
    functions: Sequence[str] = FUNCTIONS,
    q0: ArrayLike | None = None,
    u0: ArrayLike | None = None,
    method: Method | None = None,
) -> list[Path]:
    """Writes code that needs nothing of ours into a folder, which is made if need be; the files, in order.

    target: "wasm": a module, a script and a page that runs it, from a disk or a server, without a network.
    functions: names of `Compiled`'s, of whole systems ("forward_dynamics", …). The motion starts at q0 (coordinates,),
    u0 (speeds,), by default at rest where the mechanism closes near its neutral position, and takes equal steps:
    method, RK4 with 1 ms if left out. Constraints are those of a compiled system's mode; where they come and go by
    themselves, the exported motion goes through modes, too. Nothing is written where anything cannot be exported.
    """
    writer = target_of(target)
    compiled = system if isinstance(system, Compiled) else compile(system)
    files = writer.files(plan_of(compiled, tuple(functions), q0, u0, method))
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (home / name).write_bytes(content)
    return [home / name for name in files]
