"""Films: as many frames as were asked for, each another picture, with what moves where it is."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import jourdain as jd
from jourdain.animation.canvas import JOINT, Canvas, hull
from jourdain.animation.film import _ffmpeg
from jourdain.animation.scene import Scene, nice, scene

from ..simulation.mechanisms import crane, oscillator, stone


def pendulum_run(t: float = 2.0) -> jd.Run:
    return jd.simulate(jd.gallery.pendulum(), [1.2], [0.0], t, events={"low": "angle"})


def staged(run: jd.Run, times: Any, **options: Any) -> Scene:
    poses = run.compiled.poses(jd.simulate(run.system, run.q[0], run.u[0], times).q)
    return scene(run.system, run.parameters, np.asarray(times, dtype=float), poses, **options)


def frames(path: Path) -> list[NDArray[np.uint8]]:
    with Image.open(path) as image:
        found = []
        for k in range(getattr(image, "n_frames", 1)):
            image.seek(k)
            found.append(np.asarray(image.convert("RGB")))
        return found


def test_a_gif_has_a_frame_for_every_moment(tmp_path: Path) -> None:
    pendulum_run().animate(tmp_path / "run.gif", fps=10, speed=0.5, size=(320, 240))
    found = frames(tmp_path / "run.gif")
    assert len(found) == 41 and found[0].shape == (240, 320, 3)
    assert all((a != b).any() for a, b in itertools.pairwise(found))
    with Image.open(tmp_path / "run.gif") as image:
        durations = []
        for k in range(41):
            image.seek(k)
            durations.append(image.info["duration"])
        assert image.info["loop"] == 0
    assert sum(durations) == 4100 and set(durations) == {100}


def test_thirty_frames_a_second_keep_their_time(tmp_path: Path) -> None:
    """A GIF counts in hundredths of a second: 3, 4, 3, 3, 4, …"""
    pendulum_run(0.5).animate(tmp_path / "run.gif", size=(160, 120))
    with Image.open(tmp_path / "run.gif") as image:
        assert len(frames(tmp_path / "run.gif")) == 16
        total = 0
        for k in range(16):
            image.seek(k)
            total += image.info["duration"]
    assert abs(total - 16000 / 30) <= 10


def test_what_moves_is_where_it_is() -> None:
    """The joint's symbol is painted about the place to which the view and the scale send it."""
    run = pendulum_run()
    shown = staged(run, np.linspace(0.0, 2.0, 9), view="xz")
    canvas = Canvas(shown, (400, 300))
    color = np.array([int(JOINT[k : k + 2], 16) for k in (1, 3, 5)])
    picture = canvas.paint(1).astype(int)
    rows, columns = np.nonzero((np.abs(picture - color).sum(axis=-1) < 60) & (np.arange(300)[:, None] < 260))
    x, y = canvas._flat(np.zeros(3))
    assert abs(columns.mean() - x) < 2.0 and abs(rows.mean() - y) < 2.0


def test_everything_stays_in_the_picture() -> None:
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0, 0], 3.0)
    shown = staged(run, np.linspace(0.0, 3.0, 13))
    canvas = Canvas(shown, (400, 300))
    places = np.concatenate([shown.at(x) for x in shown.centers] + [shown.trail])
    flat = canvas._flat(places)
    assert (flat > 0).all() and (flat[:, 0] < 400).all() and (flat[:, 1] < 300).all()


def test_the_trail_is_the_path_of_the_point_that_was_chosen() -> None:
    run = jd.simulate(crane(), [0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8), np.linspace(0, 1, 9))
    poses = run.compiled.poses(run.q, inputs=run.inputs, t=run.t)
    shown = scene(run.system, run.parameters, run.t, poses, trail="mast")
    offset = np.array([0, 0, 0.3])
    assert np.abs(shown.trail - (poses[:, 2, :3, :3] @ offset + poses[:, 2, :3, 3])).max() < 1e-14
    assert shown.trail_name == "mast" and len(shown.times) == 3
    default = scene(run.system, run.parameters, run.t, poses)
    assert default.trail_name == "load"
    m = jd.Model("stick")
    body = m.body("body", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1))
    m.revolute("turn", m.ground, body, axis="y")
    body.point("tip", (0.0, 0.0, -2.0))
    stick = m.system()
    d = jd.compile(stick)
    poses = d.poses([[0.0], [0.5], [1.0], [1.5], [2.0]])
    shown = scene(stick, stick.parameters, np.linspace(0, 1, 5), poses, trail="tip")
    assert np.linalg.norm(shown.trail, axis=1) == pytest.approx(2.0)


def test_views() -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 1.0)
    times = np.linspace(0.0, 1.0, 5)
    for view, right, up in (("xz", [1, 0, 0], [0, 0, 1]), ("zy", [0, 0, 1], [0, 1, 0]),
                            ((0.0, 0.0), [0, 1, 0], [0, 0, 1]), ((90.0, 0.0), [-1, 0, 0], [0, 0, 1])):  # fmt: skip
        rows = staged(run, times, view=view).rows
        assert rows @ rows.T == pytest.approx(np.eye(3), abs=1e-14) and np.linalg.det(rows) == pytest.approx(1.0)
        assert rows[0] == pytest.approx(right, abs=1e-14) and rows[1] == pytest.approx(up, abs=1e-14)
    above = staged(run, times, view=(30.0, 90.0)).rows
    assert above[2] == pytest.approx([0, 0, 1], abs=1e-14)


def test_hull_is_that_of_scipy() -> None:
    from scipy.spatial import ConvexHull

    for seed in range(5):
        points = np.random.default_rng(seed).normal(size=(40, 2))
        theirs = {tuple(points[k]) for k in ConvexHull(points).vertices}
        assert {tuple(x) for x in hull(points)} == theirs


@pytest.mark.parametrize(("length", "wanted"), [(0.99, 0.5), (1.0, 1.0), (3.0, 2.0), (7e3, 5e3), (2e-4, 2e-4)])
def test_nice_lengths(length: float, wanted: float) -> None:
    assert nice(length) == pytest.approx(wanted)


def test_an_mp4_has_its_frames(tmp_path: Path) -> None:
    """Counted by ffmpeg itself."""
    pendulum_run(1.0).animate(tmp_path / "run.mp4", fps=20, size=(201, 161))
    data = (tmp_path / "run.mp4").read_bytes()
    assert data[4:8] == b"ftyp"
    said = subprocess.run(
        [_ffmpeg(), "-i", str(tmp_path / "run.mp4"), "-f", "null", "-"], capture_output=True, text=True, check=True
    ).stderr
    assert re.search(r"frame= *21\b", said) and "200x160" in said


def test_what_mp4_needs_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ImportError, match=r"MP4 films need ffmpeg: install it, or `pip install 'jourdain\[films\]'`"):
        pendulum_run().animate(tmp_path / "run.mp4")
    assert not list(tmp_path.iterdir())


def test_what_ffmpeg_complains_of_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho 'no such encoder' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda name: str(program))
    with pytest.raises(OSError, match="ffmpeg could not make the film: no such encoder"):
        pendulum_run().animate(tmp_path / "run.mp4", fps=5)
    assert not (tmp_path / "run.mp4").exists()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"path": "run.avi"}, r"\.html, \.gif, \.mp4"),
        ({"fps": 0}, "fps is 0; a positive number"),
        ({"fps": 60}, "a GIF shows at most 50 frames"),
        ({"speed": float("nan")}, "speed is nan"),
        ({"size": (10, 10)}, r"size is \(10, 10\)"),
        ({"view": "up"}, "view is 'up'; one of xy"),
        ({"view": (1, 2, 3)}, "a plane like 'xz', or"),
        ({"view": (0, float("inf"))}, "finite angles"),
        ({"trail": "boby"}, "no point or body 'boby' to leave a trail"),
        ({"speed": 1e-6}, "frames; choose a smaller fps or a larger speed"),
    ],
)
def test_mistakes(options: dict[str, Any], match: str, tmp_path: Path) -> None:
    path = tmp_path / options.pop("path", "run.gif")
    with pytest.raises(ValueError, match=match):
        pendulum_run().animate(path, **options)
    assert not list(tmp_path.iterdir())
