"""What is done with runs in general, done with runs whose constraints come and go: files, checkpoints, pictures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.simulation import compiled_run
from jourdain.simulation.modes.modal_run import ModalRun


@lru_cache(maxsize=1)
def thrown() -> System:
    """A ball that is thrown onto a floor, bounces, slips, rolls."""
    m = jd.Model("thrown ball")
    ball = m.body("ball", mass=0.5, inertia=jd.principal(2e-3, 2e-3, 2e-3))
    slide, lift = m.link("slide"), m.link("lift")
    m.prismatic("x", m.ground, slide, axis="x")
    m.prismatic("z", slide, lift, axis="z")
    m.revolute("roll", lift, ball, axis="y")
    m.contact("floor", (ball, jd.shapes.Sphere(0.1)), jd.shapes.Plane(), friction=0.3, restitution=0.6)
    return m.system()


START = ([0.0, 0.6, 0.0], [2.0, 0.0, 0.0])


def throw(t: float | np.ndarray = 3.0) -> jd.Run:
    run = jd.simulate(thrown(), *START, t)
    assert isinstance(run, ModalRun) and len(run.changes) > 3 and len(run.modes) > 1
    return run


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_files_hold_what_states_do_not_tell(suffix: str, tmp_path: Path) -> None:
    run, path = throw(), tmp_path / f"run.{suffix}"
    run.save(path)
    for given in (None, thrown()):
        found = jd.load_run(path, given)
        assert found.modes == run.modes and found.checks == run.checks
        assert found.forces.keys() == run.forces.keys()
        assert all(found.forces[name].tobytes() == x.tobytes() for name, x in run.forces.items())
        assert found.q.tobytes() == run.q.tobytes()
    again = tmp_path / f"again.{suffix}"
    found.save(again)
    assert jd.load_run(again).forces["floor"].tobytes() == run.forces["floor"].tobytes()


@pytest.mark.parametrize("t", [3.0, np.linspace(0.0, 3.0, 201)], ids=["steps", "times"])
@pytest.mark.parametrize("first", [5, 20, 40])
def test_a_checkpoint_goes_on_to_the_same_bits(
    t: float | np.ndarray, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    whole = throw(t)
    assert isinstance(whole, ModalRun)
    with monkeypatch.context() as patch:
        patch.setattr(compiled_run, "FIRST", first)
        part = jd.simulate(thrown(), *START, t, progress=stop, checkpoint=tmp_path / "kept.npz")
    assert part.status is jd.Status.INTERRUPTED and 0.0 < part.t[-1] < 3.0
    again = jd.resume(tmp_path / "kept.npz", thrown())
    assert isinstance(again, ModalRun)
    assert again.status is jd.Status.DONE and again.modes == whole.modes and again.counts == whole.counts
    for name in ("t", "q", "u", "marks"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes()
    assert again.work is not None and whole.work is not None and again.work.tobytes() == whole.work.tobytes()
    assert [str(x) for x in again.changes] == [str(x) for x in whole.changes]


def test_an_impact_at_the_start_is_in_the_balance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    start = ([0.0, 0.1, 0.0], [2.0, -1.0, 0.0])
    whole = jd.simulate(thrown(), *start, 1.0)
    assert whole.work is not None and whole.work[0] < -0.1  # friction, and what is not given back
    assert whole.checks.energy is not None and whole.checks.energy < 1e-12
    monkeypatch.setattr(compiled_run, "FIRST", 5)
    jd.simulate(thrown(), *start, 1.0, progress=stop, checkpoint=tmp_path / "kept.npz")
    again = jd.resume(tmp_path / "kept.npz", thrown())
    assert again.work is not None and again.work.tobytes() == whole.work.tobytes()


def test_scipy_does_not_step_through_floors() -> None:
    with pytest.raises(ValueError, match=r"Radau cannot integrate system 'thrown ball'.*come and go; choose Dorm"):
        jd.simulate(thrown(), *START, 1.0, method=jd.Radau())


def test_changes_in_a_file_need_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiled_run, "FIRST", 20)
    kept = tmp_path / "kept.npz"
    jd.simulate(thrown(), *START, 3.0, progress=stop, checkpoint=kept)
    with np.load(kept) as found:
        arrays = {name: found[name] for name in found.files}
    np.savez(kept, **{**arrays, "noted": np.zeros((2, 3))})
    with pytest.raises(jd.CheckpointError, match="its changes of the mode are not finite, or not as wide"):
        jd.resume(kept, thrown())


def test_it_is_drawn_and_animated(tmp_path: Path) -> None:
    run = throw()
    run.plot(tmp_path / "run.png")
    run.animate(tmp_path / "run.html")
    run.animate(tmp_path / "run.gif", fps=10, size=(200, 150))
    assert '"spans":[[0.0,' in (tmp_path / "run.html").read_text(encoding="utf-8")
