"""A page that plays a scene: one file, data and player in it, that asks nothing of any network."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .scene import PARTS, Line, Mark, Place, Scene

Floats = NDArray[np.float64]
HERE = Path(__file__).parent
# Nothing is fetched, not even where somebody writes a name of a body that looks like a script.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
DIGITS = 6

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body class="jourdain-player" style="--wide:{width}px; --high:{height}px">
<h1>{title}</h1>
<div class="stage"><canvas id="stage" tabindex="0" role="img" aria-label="{seen}" aria-describedby="how"></canvas></div>
<div class="bar">
<button id="play" type="button" aria-label="play">▶</button>
<div class="line">
<div id="marks" aria-hidden="true"></div>
<input id="time" type="range" min="0" max="{most}" value="0" step="any" aria-label="time">
</div>
<output id="now" for="time"></output>
<label>speed <select id="speed" aria-label="speed of playing">{speeds}</select></label>
</div>
<div class="bar soft">
<label><input id="names" type="checkbox"> names</label>
<label><input id="trail" type="checkbox" checked> path of {trail}</label>
<button id="home" type="button"{hidden}>first view</button>
<span id="how">{how}</span>
</div>
{events}
<noscript>The player needs JavaScript; it asks for no network.</noscript>
<script type="application/json" id="scene">{data}</script>
<script>
{player}
</script>
</body>
</html>
"""
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)


def page(scene: Scene, path: Path, fps: float, size: tuple[int, int], speed: float) -> None:
    """size: of the picture [px]; it shrinks with the window."""
    path.write_text(document(scene, fps, size, speed), encoding="utf-8")


def document(scene: Scene, fps: float, size: tuple[int, int], speed: float) -> str:
    """The page as text."""
    kind = "flat" if scene.planar else "in space"
    turn = "" if scene.planar else "; drag, or shift and arrows: turn"
    speeds = sorted({*SPEEDS, speed})
    return PAGE.format(
        policy=POLICY, title=html.escape(scene.name), style=(HERE / "player.css").read_text(encoding="utf-8"),
        width=size[0], height=size[1], most=len(scene.times) - 1,
        seen=html.escape(f"{scene.name}, moving {kind}, from {scene.times[0]:.4g} to {scene.times[-1]:.4g} s"),
        speeds="".join(
            f'<option value="{x:g}"{" selected" if x == speed else ""}>{x:g} ×</option>' for x in speeds
        ),
        trail=html.escape(scene.trail_name), hidden=" hidden" if scene.planar else "",
        how=f"space: play; arrows: one frame{turn}; wheel: nearer", events=_events(scene),
        data=_inside(_data(scene, fps, size)), player=(HERE / "player.js").read_text(encoding="utf-8"),
    )  # fmt: skip


def _events(scene: Scene) -> str:
    if not scene.ticks:
        return ""
    rows = "".join(
        f'<li><button type="button" data-time="{x.t!r}">{x.t:.6g} s</button> {html.escape(x.name)}</li>'
        for x in scene.ticks
    )
    return f'<details class="soft"><summary>Events ({len(scene.ticks)})</summary><ol id="events">{rows}</ol></details>'


def _inside(data: dict[str, Any]) -> str:
    """JSON that a script element can hold."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _data(scene: Scene, fps: float, size: tuple[int, int]) -> dict[str, Any]:
    low, high = scene.bounds()
    poses = np.ascontiguousarray(scene.poses[:, 1:, :3, :], dtype="<f4")
    reach = 0.5 * float(np.linalg.norm(high - low))
    return {
        "times": [float(x) for x in scene.times], "fps": fps, "bodies": poses.shape[1],
        "poses": base64.b64encode(poses.tobytes()).decode(), "rows": _numbers(scene.rows), "planar": scene.planar,
        "up": _numbers(scene.up), "size": list(size), "middle": _numbers(scene.rows.T @ (0.5 * (low + high))),
        "span": _numbers(np.maximum(high - low, 1e-9)), "reach": reach, "floor": _numbers(scene.floor()),
        "lines": [_line(x) for x in scene.lines], "marks": [_mark(x) for x in scene.marks],
        "ovals": [[*_place(x.at), _numbers(x.axes)] for x in scene.ovals],
        "centers": [_place(x) for x in scene.centers], "pins": [_place(x) for x in scene.pins],
        "grounds": [_numbers(x) for x in scene.grounds], "trail": _numbers(scene.trail), "parts": PARTS,
        "labels": [[*_place(x.a), *_place(x.b), x.text, x.kind] for x in scene.labels],
        "ticks": [[x.t, x.name] for x in scene.ticks], "spans": [[x.start, x.end, x.name] for x in scene.spans],
    }  # fmt: skip


def _numbers(array: Floats) -> Any:
    """Rounded to what a screen can show."""
    scale = float(np.abs(array).max(initial=0.0))
    if scale == 0.0:
        return np.zeros_like(array).tolist()
    return np.round(array, max(0, DIGITS - int(np.floor(np.log10(scale))))).tolist()


def _place(place: Place) -> list[Any]:
    return [place[0], _numbers(place[1])]


def _line(line: Line) -> list[Any]:
    return [*_place(line.a), *_place(line.b), line.kind]


def _mark(mark: Mark) -> dict[str, Any]:
    turn = mark.turn.T
    return {
        "a": _place(mark.a), "b": _place(mark.b), "share": mark.share, "body": mark.body,
        "z": _numbers(turn[2]), "solid": _numbers(mark.symbol.solid @ turn), "discs": list(mark.symbol.discs),
        "caps": [[sign, _numbers(ring @ turn)] for sign, ring in mark.symbol.caps], "kind": mark.kind,
        "axis": mark.axis,
    }  # fmt: skip
