"""A run drawn: coordinates above, speeds below."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run

MOST = 12  # curves that a legend still tells apart


def picture(run: Run, path: str | Path | None = None) -> Any:
    """The figure; on screen in a notebook, in a file if one is named."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    top, bottom = figure.subplots(2, 1, sharex=True)
    for axes, values, names, what in (
        (top, run.q, run.system.coordinates, "coordinates [rad, m]"),
        (bottom, run.u, run.system.speeds, "speeds [rad/s, m/s]"),
    ):
        for k, name in enumerate(names):
            axes.plot(run.t, values[:, k], label=name, linewidth=1.2)
        for event in run.events:
            axes.axvline(event.t, color="0.7", linewidth=0.8, zorder=0)
        axes.set_ylabel(what)
        if 0 < len(names) <= MOST:
            axes.legend(fontsize="small", loc="upper right")
    bottom.set_xlabel("t [s]")
    top.set_title(f"{run.system.name}, {run.method.name}")
    if path is not None:
        figure.savefig(path)
    return figure
