"""A run drawn: coordinates above, speeds below, modes as bands, impacts and events as lines, then a table of events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .motion import Motion

MOST = 12  # curves that a legend still tells apart
LISTED = 12  # events that a table beside the curves still holds
BANDS = ("#cfe3f7", "#f7dfcf", "#d8efd3", "#e9d9f2", "#f5efc4")


def picture(run: Motion, path: str | Path | None = None) -> Any:
    """The figure; on screen in a notebook, in a file if one is named."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    listed = run.events[:LISTED]
    below = 0.28 * (len(listed) + 2) if listed else 0.0  # inches
    figure = Figure(figsize=(8.0, 6.0 + below), layout="constrained")
    FigureCanvasAgg(figure)
    if listed:
        top, bottom, last = figure.subplots(3, 1, gridspec_kw={"height_ratios": [3.0, 3.0, below]})
        bottom.sharex(top)
        _events(last, run)
    else:
        top, bottom = figure.subplots(2, 1, sharex=True)
    for axes, values, names, what in (
        (top, run.q, run.coordinates, "coordinates [rad, m]"),
        (bottom, run.u, run.speeds, "speeds [rad/s, m/s]"),
    ):
        _bands(axes, run)
        for k, name in enumerate(names):
            axes.plot(run.t, values[:, k], label=name, linewidth=1.2)
        _impacts(axes, run)
        for event in run.events:
            axes.axvline(event.t, color="0.7", linewidth=0.8, zorder=0.5)
        axes.set_ylabel(what)
        axes.set_xlim(run.t[0], max(run.t[-1], run.t[0] + 1e-12))
        if 0 < len(names) <= MOST:
            axes.legend(fontsize="small", loc="upper right")
    top.tick_params(labelbottom=False)
    bottom.set_xlabel("t [s]")
    top.set_title(f"{run.name}, {run.method_name}")
    if path is not None:
        figure.savefig(path)
    return figure


def _bands(axes: Any, run: Motion) -> None:
    """A colour for each mode; nothing where there is one only."""
    modes = list(dict.fromkeys(span.mode for span in run.modes))
    if len(modes) < 2:
        return
    told = set()
    for span in run.modes:
        name = ", ".join(span.mode) or "nothing switched on"
        label = "_" if name in told else name
        told.add(name)
        axes.axvspan(
            span.start, span.end, color=BANDS[modes.index(span.mode) % len(BANDS)], linewidth=0, zorder=0, label=label
        )


def _impacts(axes: Any, run: Motion) -> None:
    """Where velocities jump."""
    moments = dict.fromkeys(x.t for x in run.changes if x.impulses)
    for k, t in enumerate(moments):
        axes.axvline(
            t, color="#b04a3a", linewidth=0.7, linestyle=":", alpha=0.7, zorder=0.4, label="_" if k else "impact"
        )


def _events(axes: Any, run: Motion) -> None:
    """When, which, and whether the guard rose or fell."""
    from .motion import SIGNS

    axes.axis("off")
    rows = [[f"{x.t:.6g}", x.name, SIGNS[x.direction]] for x in run.events[:LISTED]]
    if len(run.events) > LISTED:
        rows.append(["…", f"{len(run.events) - LISTED} more", ""])
    found = axes.table(
        cellText=rows, colLabels=["t [s]", "event", "guard"], cellLoc="left", colLoc="left", loc="upper left",
        edges="horizontal", colWidths=[0.2, 0.5, 0.2],
    )  # fmt: skip
    found.auto_set_font_size(False)
    found.set_fontsize(8.5)
