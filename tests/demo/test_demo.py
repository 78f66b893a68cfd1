"""The demo from start to finish: what it says, what it draws, and that its figures are the paper's."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from scipy.integrate import trapezoid

import jourdain as jd
from jourdain import gallery, published
from jourdain.cli import main
from jourdain.console import Console
from jourdain.demo import feedback
from jourdain.demo.figures import figure_1, figure_3
from jourdain.demo.motion import GOAL, START, Floats, papers_efforts, prescribed
from jourdain.demo.story import WITHOUT_TAU_1, Demo, angular_momentum, returned_efforts
from jourdain.native.cache import VARIABLE


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(cache_folder))


@pytest.fixture(scope="module")
def demo(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """After its simulation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(cache_folder))
        found = Demo(Console(), tmp_path_factory.mktemp("demo"))
        found.prescribed_motion()
        found.feedback()
    return found


# -- the command ----------------------------------------------------------------------------------------------------


def test_from_start_to_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Stanford arm, Kane and Levinson 1983: 6 bodies, 31 parameters, all of them symbols\n")
    counts = jd.count(gallery.stanford_arm())
    for name, row in counts.items():
        what = name.replace("_", " ")
        derived = rf"^  {what} derived in [\d.]+ \w+, (the cheapest of \d|one) formulations?$"
        assert re.search(derived, out, re.MULTILINE)
        assert re.search(rf"^{what} +{row['mul']} +{row['add']} +{row['div']}  Jourdain$", out, re.MULTILINE)
    for record in published.records_for("stanford-arm"):
        line = rf"^ +{record.mul} +{record.add} +{re.escape(record.source)}$"
        assert bool(re.search(line, out, re.MULTILINE)) is not record.general
    assert "-0.0000" not in out
    returned = re.search(r"gives the applied efforts back to ([\d.e+-]+) of their size", out)
    assert returned is not None
    assert float(returned[1]) < 1e-13
    drift = re.search(r"stays within ([\d.e+-]+) kg m²/s of zero \(paper: 1e-9\)", out)
    assert drift is not None
    assert float(drift[1]) < 1e-9
    assert out.endswith("Figures 1 and 3: jourdain-demo/figure-1.png, jourdain-demo/figure-3.png\n")
    for step in ("compiling", "simulating 10 s of feedback", "checking", "drawing"):
        assert re.search(rf"^{step} …\n{step}: [\d.]+ ", err, re.MULTILINE)
    assert sorted(path.name for path in (tmp_path / "jourdain-demo").iterdir()) == ["figure-1.png", "figure-3.png"]
    assert main(["demo"]) == 0  # pictures that are there already are drawn anew


def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All else is shown; then one line says what to do."""
    (tmp_path / "jourdain-demo").write_text("in the way")
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 2
    out, err = capsys.readouterr()
    assert "with τ₁ = 0 the angular momentum" in out
    assert err.splitlines()[-1] == (
        "jourdain: the figures cannot be written to 'jourdain-demo': File exists; "
        "run the demo in a folder that you may write to"
    )
    assert "Traceback" not in err


def test_ctrl_c_while_it_simulates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jourdain.demo.story.moved", interrupted)
    assert main(["demo"]) == 130
    out, err = capsys.readouterr()
    assert "The motion (127)" in out
    assert err.splitlines()[-1] == "jourdain: interrupted"
    assert not list(tmp_path.iterdir())


# -- the mechanics --------------------------------------------------------------------------------------------------


def test_the_prescribed_motion_needs_these_efforts(demo: Demo) -> None:
    """At rest at both ends they hold the arm's weight: what gravity asks for there, by the law's own terms in g."""
    assert demo.efforts.shape == (len(demo.t), 6)
    for k, q in ((0, START), (-1, GOAL)):
        holding = papers_efforts(demo.compiled.gravity_forces(q))
        assert np.abs(demo.efforts[k] - holding).max() < 1e-13
    law = demo.controlled.outputs(GOAL, np.zeros(6))
    assert np.abs(demo.efforts[-1] - list(law.values())).max() < 1e-13
    q, v, a = prescribed(demo.t)
    forces = demo.compiled.inverse_dynamics(q, v, a)
    power = np.einsum("ni,ni->n", forces, v)
    total = demo.compiled.energy(q, v).total
    # Their work is the energy's change: the trapezoid rule on a smooth motion between rests is very exact.
    work = trapezoid(power, demo.t)
    assert abs(work - (total[-1] - total[0])) < 1e-9 * abs(total).max()


def test_the_law_brings_the_arm_to_rest(demo: Demo) -> None:
    """Within 10 s at π/3 and 0.1 m, from q2 = 90°, as Figure 3 shows it: to a degree and a millimetre."""
    run = demo.run
    assert np.abs(run.q[0] - START).max() == 0.0
    assert (run.t[0], run.t[-1]) == (0.0, 10.0)
    off = np.abs(run.q[-1] - GOAL)
    assert np.degrees(off[[0, 1, 3, 4, 5]]).max() < 1.0
    assert off[2] < 1e-3
    assert np.abs(run.u[-1]).max() < 0.01


def test_the_law_brings_it_nearer_all_the_time(demo: Demo) -> None:
    """With the weight held the law is springs and dampers: their energy and the arm's only go down."""
    run, stiff = demo.run, np.array([3.0, 1.0, 30.0, 0.30, 0.30, 0.25])
    stored = demo.compiled.energy(run.q, run.u).kinetic + 0.5 * np.einsum("ni,i->n", (run.q - GOAL) ** 2, stiff)
    assert np.diff(stored).max() < 1e-9
    assert stored[-1] < 1e-3 * stored[0]


def test_the_simulation_is_as_exact_as_it_says(demo: Demo) -> None:
    tighter = feedback.moved(demo.controlled, demo.t, 1e-12)
    assert np.abs(tighter.q - demo.run.q).max() < 1e-8
    assert tighter.counts["evaluations"] > demo.run.counts["evaluations"] > 100


def test_applied_efforts_come_back(demo: Demo) -> None:
    """And a wrong arm does not give them back."""
    assert returned_efforts(demo.compiled, demo.controlled, demo.run) < 1e-13
    heavier = demo.compiled.with_parameters({"m_F": 0.51})
    assert returned_efforts(heavier, demo.controlled, demo.run) > 1e-4


def test_momentum_is_kept_without_tau_1_and_not_with_it(demo: Demo) -> None:
    """(138), under 1e-9."""
    free = demo.controlled.with_parameters(WITHOUT_TAU_1)
    run = feedback.moved(free, demo.t, 1e-12)
    assert np.abs(angular_momentum(demo.compiled, run)).max() < 1e-9
    assert np.abs(angular_momentum(demo.compiled, demo.run)).max() > 0.1
    # About the vertical through A* it is that of (134): H of all bodies about the ground's origin, along y.
    q, u = run.q[500], run.u[500]
    momentum = demo.controlled.momentum(q, u)
    about_origin = momentum[:3] + np.cross(demo.compiled.mass_center(q), momentum[3:])
    assert abs(about_origin[1] - angular_momentum(demo.compiled, run)[500]) < 1e-13


# -- the pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", [figure_1, figure_3], ids=["figure 1", "figure 3"])
def test_figures_are_drawn(figure: object, demo: Demo, tmp_path: Path) -> None:
    """Six curves of the same ink on white; another motion gives another picture, the same one the same."""
    ink = np.array([0x16, 0x47, 0x6A]) / 255.0
    pictures: list[Floats] = []
    for factor in (1.0, 1.0, 0.5):
        path = tmp_path / "figure.png"
        figure(demo.t, factor * (demo.efforts if figure is figure_1 else demo.run.q), path)  # type: ignore[operator]
        pictures.append(imread(path)[..., :3])
    first, again, other = pictures
    height, width, _ = first.shape
    assert (width, height) == (1540, 868)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    drawn = np.abs(first - ink).max(axis=-1) < 0.02
    for rows in (slice(0, height // 2), slice(height // 2, height)):
        for k in range(3):
            assert drawn[rows, k * width // 3 : (k + 1) * width // 3].sum() > 500
