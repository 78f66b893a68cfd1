"""The page plays in a browser: something is drawn, time moves by slider, keys and button, nothing is fetched."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd

from ..simulation.mechanisms import stone
from .browser import Browser, program

NEEDS = pytest.mark.skipif(program() is None, reason="Chromium is not installed")
COPY = """const c = document.getElementById("stage"), o = document.createElement("canvas");
  o.width = c.width; o.height = c.height;
  const pen = o.getContext("2d", { willReadFrequently: true });
  pen.drawImage(c, 0, 0);
  const d = pen.getImageData(0, 0, c.width, c.height).data;"""
COLORS = f"""(() => {{
  {COPY}
  const found = new Set();
  for (let k = 0; k < d.length; k += 4) found.add((d[k] << 16) | (d[k + 1] << 8) | d[k + 2]);
  return found.size;
}})()"""
CORNER = f"(() => {{ {COPY} return d[0] + d[1] + d[2]; }})()"
PICTURE = 'document.getElementById("stage").toDataURL()'
NOW = 'document.getElementById("now").textContent'


def arm_run() -> jd.Run:
    d = jd.compile(jd.gallery.stanford_arm())
    return jd.simulate(d, [0, np.pi / 2, 0.3, 0, 0, 0], [0.5, 0, 0, 0, 0, 0], 1.0, events={"half": "t - 1/2"})


def pendulum_run() -> jd.Run:
    return jd.simulate(jd.gallery.pendulum(), [1.2], [0.0], 2.0, events={"low": "angle", "<b>&": "angle - 1"})


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Browser]:
    pendulum_run().animate(tmp_path / "run.html", fps=20)
    with Browser(tmp_path / "profile") as browser:
        browser.open(tmp_path / "run.html")
        yield browser
        assert browser.console == []
        assert [x for x in browser.requests if not x.startswith("file:")] == []
        assert len(browser.requests) == 1


def slide(page: Browser, frame: float) -> None:
    page.run(f'document.getElementById("time").value = {frame}')
    page.run('document.getElementById("time").dispatchEvent(new Event("input"))')


@NEEDS
def test_something_is_drawn_and_the_slider_moves_the_time(page: Browser) -> None:
    assert page.run(COLORS) > 10
    assert page.run(NOW) == "t = 0.00 s"
    first = page.run(PICTURE)
    slide(page, 10)
    assert page.run(NOW) == "t = 0.50 s" and page.run(PICTURE) != first
    slide(page, 10.5)
    assert page.run(NOW) == "t = 0.53 s" or page.run(NOW) == "t = 0.52 s"
    slide(page, 0)
    assert page.run(PICTURE) == first


@NEEDS
def test_keys_move_the_time(page: Browser) -> None:
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert page.run(NOW) == "t = 0.10 s"
    page.press("ArrowLeft")
    assert page.run(NOW) == "t = 0.05 s"
    page.press("End")
    assert page.run(NOW) == "t = 2.00 s"
    page.press("Home")
    assert page.run(NOW) == "t = 0.00 s"


@NEEDS
def test_it_plays_to_the_end_and_says_so(page: Browser) -> None:
    assert page.run('document.getElementById("play").getAttribute("aria-label")') == "play"
    page.run('document.getElementById("speed").value = "4"')
    page.press(" ", "Space", " ")
    assert page.run('document.getElementById("play").getAttribute("aria-label")') == "pause"
    done = """new Promise((resolve) => {
      const look = () => document.getElementById("play").getAttribute("aria-label") === "play"
        ? resolve(document.getElementById("now").textContent) : setTimeout(look, 20);
      look();
    })"""
    assert page.run(done) == "t = 2.00 s"
    page.press(" ", "Space", " ")  # from the beginning again
    page.press(" ", "Space", " ")
    assert page.run(NOW) < "t = 2.00 s"


@NEEDS
def test_events_are_marked_and_led_to(page: Browser) -> None:
    events = pendulum_run().events
    marks = page.run('[...document.querySelectorAll("#marks i")].map((x) => parseFloat(x.style.left))')
    assert marks == pytest.approx([50.0 * x.t for x in events], abs=1e-3) and len(marks) > 2
    page.run('document.querySelector("#events button").click()')
    assert page.run(NOW) == f"t = {events[0].t:.2f} s"
    listed = page.run('document.querySelector("#events").textContent')
    assert "<b>& falls" in listed and page.run('document.querySelectorAll("#events b").length') == 0


@NEEDS
def test_a_flat_mechanism_is_not_turned_and_others_are(page: Browser, tmp_path: Path) -> None:
    x, y = (page.run(f'document.getElementById("stage").getBoundingClientRect().{name}') for name in "xy")
    first = page.run(PICTURE)
    page.press("ArrowRight", shift=True)
    assert page.run(PICTURE) == first
    arm_run().animate(tmp_path / "arm.html")
    with Browser(tmp_path / "other") as other:
        other.open(tmp_path / "arm.html")
        first = other.run(PICTURE)
        other.drag((x + 200, y + 200), (x + 260, y + 180))
        second = other.run(PICTURE)
        assert second != first
        other.press("ArrowUp", shift=True)
        assert other.run(PICTURE) != second
        other.run('document.getElementById("home").click()')
        assert other.run(PICTURE) == first
        assert other.console == []


@NEEDS
def test_in_the_dark_it_is_dark(tmp_path: Path) -> None:
    jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2, 0.2, 0.3, 0, 0], 1.0).animate(tmp_path / "run.html", fps=10)
    light = []
    for dark in (False, True):
        with Browser(tmp_path / f"profile{dark}", dark=dark) as browser:
            browser.open(tmp_path / "run.html")
            light.append(browser.run(CORNER))
            assert browser.run(COLORS) > 10 and browser.console == []
    assert light[0] > 700 and light[1] < 100


# -- without a browser ------------------------------------------------------------------------------------------------


def data(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', text, re.DOTALL)
    assert found
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def test_the_poses_are_those_of_the_run(tmp_path: Path) -> None:
    import base64

    run = arm_run()
    run.animate(tmp_path / "run.html", fps=50)
    found = data(tmp_path / "run.html")
    poses = np.frombuffer(base64.b64decode(found["poses"]), dtype="<f4").reshape(51, 6, 3, 4)
    exact = jd.simulate(run.system, run.q[0], run.u[0], np.linspace(0, 1, 51))
    assert np.abs(poses - run.compiled.poses(exact.q)[:, :, :3]).max() < 2e-4
    assert found["times"] == pytest.approx(np.linspace(0, 1, 51)) and found["bodies"] == 6


def test_names_cannot_do_harm(tmp_path: Path) -> None:
    name = "bob</script><script>alert(1)</script><img src=x>"
    m = jd.Model(name)
    body = m.body(name, mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1), center=(1.0, 0, 0))
    m.revolute("turn", m.ground, body, axis="y")
    jd.simulate(m.system(), [0.1], [0.0], 0.5).animate(tmp_path / "run.html", fps=5)
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert name not in text and html.escape(name) in text
    assert text.count("<script") == 2 and "<img" not in text
    assert any(x[4] == name for x in data(tmp_path / "run.html")["labels"])


def test_nothing_in_it_points_outside(tmp_path: Path) -> None:
    pendulum_run().animate(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)=|url\(|@import|https?://""", text)
    for label in ('aria-label="time"', 'aria-label="speed of playing"', 'role="img"'):
        assert label in text
