"""A run as a moving picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..animation import PARTS, Span, Tick, View, film, page, scene
from .between import between
from .motion import SIGNS, Motion
from .whole_file import whole_file

SUFFIXES = (".html", ".gif", ".mp4")
MOST_FRAMES = 20_000
MOST_GIF = 50.0  # frames a second: what is faster, viewers slow down
LEAST, MOST = 120, 4096  # pixels


def animate(
    run: Motion, path: str | Path, fps: float, speed: float, size: tuple[int, int], view: View, trail: str | None
) -> None:
    """Into the format that the name's end says; the file comes into its place when it is complete."""
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise ValueError(f"an animation is {', '.join(SUFFIXES)}, but the file is to be called {str(path)!r}")
    for what, value in (("fps", fps), ("speed", speed)):
        if not 0.0 < value < float("inf"):
            raise ValueError(f"{what} is {value!r}; a positive number is needed")
    if suffix == ".gif" and fps > MOST_GIF:
        raise ValueError(f"fps is {fps:g}; a GIF shows at most {MOST_GIF:g} frames a second")
    width, height = (int(x) for x in size)
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        raise ValueError(f"size is {size!r}; width and height from {LEAST} to {MOST} pixels are needed")
    start, end = float(run.t[0]), float(run.t[-1])
    # A page plays at any speed: its frames are those of the motion's own time.
    step = (1.0 if suffix == ".html" else speed) / fps
    count = int(np.floor((end - start) / step * (1.0 + 1e-12))) + 1
    if count > MOST_FRAMES:
        raise ValueError(f"{end - start:g} s at {fps:g} frames a second are {count} frames; choose a smaller fps" + (
            "" if suffix == ".html" else " or a larger speed"))  # fmt: skip
    times = np.asarray(start + step / PARTS * np.arange(PARTS * (count - 1) + 1), dtype=np.float64)
    q, inputs = between(run, times)
    poses = run.compiled.poses(q, inputs=inputs, t=times)
    shown = scene(
        run.system, run.parameters, times, np.broadcast_to(poses, (len(times), *poses.shape[-3:])),
        ticks=[Tick(x.t, f"{x.name} {SIGNS[x.direction]}".strip()) for x in run.events],
        spans=[Span(x.start, x.end, ", ".join(x.mode) or "nothing switched on") for x in run.modes],
        view=view, trail=trail,
    )  # fmt: skip
    with whole_file(path) as part:
        if suffix == ".html":
            page(shown, part, fps, (width, height), speed)
        else:
            film(shown, part, suffix, fps, (width, height))
