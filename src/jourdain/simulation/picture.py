"""A run drawn: coordinates, speeds, modes as bands or as bars, impacts and events as lines, then a table of events."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .motion import Motion

MOST = 12  # curves that a legend still tells apart
MOST_MODES = 3  # that bands of colour still show
LISTED = 12  # events that a table beside the curves still holds
BANDS = ("#cfe3f7", "#f7dfcf", "#d8efd3", "#e9d9f2", "#f5efc4")


def picture(run: Motion, path: str | Path | None = None) -> Any:
    """The figure; on screen in a notebook, in a file if one is named."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    listed = run.events[:LISTED]
    held = list(dict.fromkeys(name for span in run.modes for name in span.mode)) if _has_many(run) else []
    bars = 0.22 * (len(held) + 1) if held else 0.0  # inches
    below = 0.28 * (len(listed) + 2) if listed else 0.0
    figure = Figure(figsize=(8.0, 6.0 + bars + below), layout="constrained")
    FigureCanvasAgg(figure)
    heights = [3.0, 3.0, *([bars] if held else []), *([below] if listed else [])]
    top, bottom, *others = figure.subplots(len(heights), 1, gridspec_kw={"height_ratios": heights})
    bottom.sharex(top)
    if held:
        others[0].sharex(top)
        _bars(others[0], run, held)
    if listed:
        _events(others[-1], run)
    for axes, values, names, what in (
        (top, run.q, run.coordinates, "coordinates [rad, m]"),
        (bottom, run.u, run.speeds, "speeds [rad/s, m/s]"),
    ):
        if not held:
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
    bottom.tick_params(labelbottom=not held)
    (others[0] if held else bottom).set_xlabel("t [s]")
    top.set_title(f"{run.name}, {run.method_name}")
    if path is not None:
        figure.savefig(path)
    return figure


def _has_many(run: Motion) -> bool:
    """Whether there are more modes than bands of colour show."""
    return len({span.mode for span in run.modes}) > MOST_MODES


def _bars(axes: Any, run: Motion, names: list[str]) -> None:
    """A line for each constraint that holds at some time, and on it when it does."""
    for k, name in enumerate(names):
        spans = [(span.start, span.end - span.start) for span in run.modes if name in span.mode]
        axes.broken_barh(spans, (k - 0.35, 0.7), color=f"C{k % 10}", linewidth=0)
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", linewidth=0.5)


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
