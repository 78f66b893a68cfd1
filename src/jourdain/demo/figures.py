"""Kane and Levinson's Figures 1 and 3 as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .motion import EFFORTS, GOAL, PAPERS, Floats

INK = "#1b3a5b"
RULE = "#b0b0b0"


def figure_1(t: Floats, efforts: Floats, path: Path) -> None:
    """Control torques and control force (n, 6), the paper's order and signs, over t [s]."""
    units = ["N m"] * 5 + ["N"]
    labels = [f"{name} [{unit}]" for name, unit in zip(EFFORTS, units)]
    _six_panels("Control torques and control force of the motion (127)", t, efforts, labels, None, path)


def figure_3(t: Floats, q: Floats, path: Path) -> None:
    """Coordinates (n, 6) in the tree's order, over t [s], and where the law is to bring them."""
    scale = np.array([180.0 / np.pi] * 5 + [1.0])
    labels = [f"q{'₁₂₃₄₅₆'[k]} [{'°' if k < 5 else 'm'}]" for k in range(6)]
    values, goals = q[:, PAPERS] * scale, GOAL[list(PAPERS)] * scale
    _six_panels("Coordinates under the feedback law (128–133)", t, values, labels, goals, path)


def _six_panels(
    title: str, t: Floats, values: Floats, labels: Sequence[str], goals: Floats | None, path: Path
) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # takes 0.5 s to import, and needs no display
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 5.6), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    for k, axes in enumerate(figure.subplots(2, 3, sharex=True).flat):
        if goals is not None:
            axes.axhline(goals[k], color=RULE, linewidth=1.0, linestyle="--")
        axes.plot(t, values[:, k], color=INK, linewidth=1.6)
        axes.set_title(labels[k], fontsize=11)
        axes.grid(visible=True, color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlim(t[0], t[-1])
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.margins(y=0.08)
        if k >= 3:
            axes.set_xlabel("t [s]")
    figure.savefig(path, dpi=120)
