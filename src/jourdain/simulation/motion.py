"""What a run leaves, whether it was made just now or read from a file: states at times, and all that follows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..console import table
from ..driver import Compiled
from ..model.system import System
from .change import Change, changes_table
from .checks import Checks
from .event import Occurrence
from .status import Status

if TYPE_CHECKING:
    from ..animation import View
    from .ode import Ode

Floats = NDArray[np.float64]
TOLD = 6  # coordinates and speeds that a table of events still has columns for
SIGNS = {1: "rises", -1: "falls", 0: ""}


@dataclass(frozen=True)
class ModeSpan:
    """From when to when [s] a motion was in a mode, and the switchable constraints that held in it."""

    start: float
    end: float
    mode: tuple[str, ...]


class Motion:
    """States at times, and what happened between.

    t (n,) [s], q (n, coordinates), u (n, speeds). work (n,): done since the start by what energies do not account for
    [J]; None where nothing does any. events: in order of time. counts: steps, rejected steps, evaluations. seconds: it
    took, without compiling. changes: of the mode, in order of time.
    """

    ode: Ode
    t: Floats
    q: Floats
    u: Floats
    work: Floats | None
    events: tuple[Occurrence, ...]
    status: Status
    counts: dict[str, int]
    seconds: float
    changes: tuple[Change, ...] = ()

    # -- what it is of --------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> dict[str, Floats]:
        """Every input's values (n,)."""
        raise NotImplementedError

    @property
    def outputs(self) -> dict[str, Floats]:
        """The model's named outputs (n,)."""
        raise NotImplementedError

    @property
    def checks(self) -> Checks:
        """What must stay, and what must come back."""
        raise NotImplementedError

    @property
    def method_name(self) -> str:
        """Of the method that it was integrated with."""
        raise NotImplementedError

    @property
    def compiled(self) -> Compiled:
        """The functions that were integrated."""
        return self.ode.compiled

    @property
    def system(self) -> System:
        """What moved."""
        return self.compiled.system

    @property
    def name(self) -> str:
        """Of the system."""
        return self.system.name

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names, in the order of q."""
        return self.system.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names, in the order of u."""
        return self.system.speeds

    @property
    def mode(self) -> tuple[str, ...]:
        """The switchable constraints that held at the start."""
        return self.compiled.mode

    @property
    def parameters(self) -> dict[str, float]:
        """Name -> the value that was computed with."""
        return {name: float(x) for name, x in self.compiled.parameters.items()}

    @property
    def lost_energy(self) -> float:
        """That impulses took in all changes of the mode [J]."""
        return -sum(x.work for x in self.changes)

    @property
    def is_complete(self) -> bool:
        """Whether it went to its end, or to an event that stops."""
        return self.status.is_success

    @property
    def modes(self) -> tuple[ModeSpan, ...]:
        """The modes that it went through, in order of time."""
        return (ModeSpan(float(self.t[0]), float(self.t[-1]), self.mode),)

    # -- what follows ---------------------------------------------------------------------------------------------

    @property
    def forces(self) -> dict[str, Floats]:
        """Forces of constraint (n, rows), by constraint: `Compiled.constraint_forces`; 0 where one did not hold."""
        found: dict[str, Floats] = {}
        for span in self.modes:
            rows = (self.t >= span.start) & (self.t <= span.end)
            d = self.compiled.in_mode(span.mode)
            given = {name: x[rows] for name, x in self.inputs.items()}
            for name, x in d.constraint_forces(self.q[rows], self.u[rows], inputs=given, t=self.t[rows]).items():
                found.setdefault(name, np.zeros((len(self.t), x.shape[-1])))[rows] = x
        return found

    @property
    def kept_forces(self) -> dict[str, Floats]:
        """Forces of constraint that a file must hold, because friction and impacts, and not a state alone, say them."""
        return {}

    @property
    def events_table(self) -> str:
        """The events as a table, with the states at which they occurred where these are few numbers."""
        names = [*self.coordinates, *(x if x not in self.coordinates else f"{x}'" for x in self.speeds)]
        told = len(names) <= 2 * TOLD
        rows = []
        for x in self.events:
            state = [f"{value:.6g}" for value in (*x.q, *x.u)] if told else []
            rows.append([f"{x.t:.9g}", x.name, SIGNS[x.direction], *state])
        return table(["t [s]", "event", "guard", *(names if told else [])], rows) if rows else "no events"

    @property
    def changes_table(self) -> str:
        """The changes of the mode as a table."""
        return changes_table(self.changes)

    # -- out ------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write everything to a file, NPZ or Parquet by the name's end, from which `jourdain.load_run` reads it.

        The file comes into its place when it is complete; one that is there stays until then. `numpy.load` reads an
        NPZ file, too: `t`, `q`, `u`, `work`, `output …`, `input …`, names, and events. A Parquet file has a column for
        every coordinate, speed, input and output, and needs pyarrow.
        """
        from .run_file import save

        save(self, path)

    def plot(self, path: str | Path | None = None) -> Any:
        """A matplotlib figure of all coordinates and speeds, with a table of events; written to a file if one is
        named."""
        from .picture import picture

        return picture(self, path)

    def animate(
        self,
        path: str | Path,
        fps: float = 30.0,
        speed: float = 1.0,
        size: tuple[int, int] = (720, 520),
        view: View = None,
        trail: str | None = None,
    ) -> None:
        """A moving picture in a file: HTML, GIF or MP4, by the name's end.

        An HTML page plays the mechanism without any network, at any speed, and what moves in space is turned by the
        mouse. fps: frames a second. speed: seconds of the motion in a second of the film. size: width and height [px].
        view: a plane like "xz", right and up, or azimuth and elevation [degrees]; chosen if left out. trail: the point
        or body whose path is drawn, the last body's mass centre if left out. MP4 needs ffmpeg, or imageio-ffmpeg.
        """
        from .animate import animate

        animate(self, path, fps, speed, size, view, trail)

    def __repr__(self) -> str:
        return f"<{self.name!r} simulated to {self.t[-1]:g} s by {self.method_name}: {self.status.sentence}>"
