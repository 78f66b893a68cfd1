"""What a run through several modes shows, whatever made it: bands, forces that come and go, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation import ModeSpan
from jourdain.simulation.picture import BANDS

SPANS = (ModeSpan(0.0, 0.5, ()), ModeSpan(0.5, 1.0, ("caster sticks",)))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> jd.Run:
    d = jd.compile(jd.gallery.shopping_cart())
    free = d.independent(d.system.neutral)
    u = d.complete(d.system.neutral, np.full(len(free), 0.5), free)
    found = jd.simulate(d, d.system.neutral, u, np.linspace(0.0, 1.0, 21))
    assert found.modes == (ModeSpan(0.0, 1.0, ()),)
    monkeypatch.setattr(jd.Run, "modes", property(lambda run: SPANS))
    return found


def test_forces_are_zero_where_a_constraint_is_off(run: jd.Run) -> None:
    stuck = run.compiled.in_mode({"caster sticks"})
    off = run.t < 0.5
    assert (run.forces["caster sticks"][off] == 0.0).all() and run.forces["caster sticks"].shape == (21, 1)
    for d, rows in ((run.compiled, off), (stuck, ~off)):
        for name, force in d.constraint_forces(run.q[rows], run.u[rows]).items():
            assert np.array_equal(run.forces[name][rows], force)


def test_modes_are_bands_in_the_plot(run: jd.Run) -> None:
    from matplotlib.colors import to_hex

    top, bottom = run.plot().axes
    for axes in (top, bottom):
        assert [to_hex(x.get_facecolor()) for x in axes.patches] == list(BANDS[:2])
        assert [x.get_x() for x in axes.patches] == [0.0, 0.5]
        texts = [x.get_text() for x in axes.get_legend().get_texts()]
        assert {"nothing switched on", "caster sticks"} <= set(texts)


def test_modes_are_bands_in_the_page(run: jd.Run, tmp_path: Path) -> None:
    run.animate(tmp_path / "run.html", fps=10)
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert '"spans":[[0.0,0.5,"nothing switched on"],[0.5,1.0,"caster sticks"]]' in text
    run.animate(tmp_path / "run.gif", fps=10)


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_modes_are_saved(run: jd.Run, suffix: str, tmp_path: Path) -> None:
    run.save(tmp_path / f"run.{suffix}")
    found = jd.load_run(tmp_path / f"run.{suffix}", jd.gallery.shopping_cart())
    assert found.modes == SPANS and found.mode == ()
    assert {name: x.tobytes() for name, x in found.forces.items()} == {
        name: x.tobytes() for name, x in run.forces.items()
    }
