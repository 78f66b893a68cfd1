"""Kane and Levinson's Figures 1 and 3 as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .motion import GOAL, PAPERS, Floats

INK = "#16476a"
SHADE = "#e8eff5"
SOFT = "#8a929a"
GRID = "#e9ecef"
DARK = "#22282e"


def figure_1(t: Floats, efforts: Floats, path: Path) -> None:
    """Control torques and control force (n, 6), the paper's order and signs, over t [s]."""
    scale = np.array([1.0, 1.0, 1.0, 1.0, 1e3, 1.0])
    units = ("N m", "N m", "N m", "N m", "mN m", "N")
    labels = [f"$\\{name}$  [{unit}]" for name, unit in zip((*(f"tau_{k}" for k in range(1, 6)), "sigma"), units)]
    title = "control torques and control force of the motion (127)"
    _six_panels(title, "Figure 1", t, efforts * scale, labels, None, path)


def figure_3(t: Floats, q: Floats, path: Path) -> None:
    """Coordinates (n, 6) in the tree's order, over t [s], and where the law is to bring them (dashed)."""
    scale = np.array([180.0 / np.pi] * 5 + [1.0])
    labels = [f"$q_{k}$  [{'°' if k < 6 else 'm'}]" for k in range(1, 7)]
    values, goals = q[:, PAPERS] * scale, GOAL[list(PAPERS)] * scale
    title = "generalized coordinates under the feedback law (128–133)"
    _six_panels(title, "Figure 3", t, values, labels, goals, path)


def _six_panels(
    title: str, source: str, t: Floats, values: Floats, labels: Sequence[str], goals: Floats | None, path: Path
) -> None:
    """goals (6,): where the curves are to end, drawn dashed, with what is still missing shaded."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # takes 0.5 s to import, and needs no display
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=(11.0, 6.2), layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.10), facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle(f"Stanford arm: {title}", fontsize=14, color=DARK, x=0.012, ha="left")
    figure.supxlabel(f"Kane and Levinson 1983, {source}", fontsize=9, color=SOFT, x=0.988, ha="right")
    for k, axes in enumerate(figure.subplots(2, 3, sharex=True).flat):
        if goals is not None:
            axes.axhline(goals[k], color=SOFT, linewidth=1.1, linestyle=(0, (5, 4)), zorder=1)
            axes.fill_between(t, values[:, k], goals[k], color=SHADE, linewidth=0, zorder=0)
        axes.plot(t, values[:, k], color=INK, linewidth=2.0, zorder=3, solid_capstyle="round")
        axes.margins(y=0.09)
        axes.set_title(labels[k], fontsize=12, color=DARK, loc="left")
        axes.grid(visible=True, color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.set_xlim(t[0], t[-1])
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.locator_params(axis="y", nbins=6)
        axes.tick_params(colors=DARK, labelsize=9, length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(SOFT)
        if k >= 3:
            axes.set_xlabel("t  [s]", fontsize=10, color=DARK)
    figure.savefig(path, dpi=140)
