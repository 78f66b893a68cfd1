"""Runs in files: what is read is what was written, half a file never looks whole, and no file is trusted."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import jourdain as jd
from jourdain.simulation import checks as checking
from jourdain.simulation import read_run
from jourdain.simulation.run_file import KEY

from .mechanisms import crane, four_bar, oscillator

SUFFIXES = ("npz", "parquet")
START = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8))


def crane_run() -> jd.Run:
    inputs: dict[str, Any] = {"push": "2*sin(t)", "wind": ([0, 1], [0.1, -0.4])}
    return jd.simulate(crane(), *START, np.linspace(0, 1, 41), inputs, events={"swing": "swing"})


def four_bar_run() -> jd.Run:
    d = jd.compile(four_bar())
    q = d.assemble([1.0, -0.6, 1.7])
    return jd.simulate(d, q, d.complete(q, [3.0], ["a"]), np.linspace(0, 1, 21))


# -- there and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_read_is_what_was_written(suffix: str, tmp_path: Path) -> None:
    run, path = crane_run(), tmp_path / f"crane.{suffix}"
    run.save(path)
    found = jd.load_run(path)
    for name in ("t", "q", "u", "work"):
        assert getattr(found, name).tobytes() == getattr(run, name).tobytes()
    for theirs, ours in ((found.inputs, run.inputs), (found.outputs, run.outputs)):
        assert list(theirs) == list(ours) and all(theirs[x].tobytes() == ours[x].tobytes() for x in ours)
    assert (found.name, found.coordinates, found.speeds) == ("crane", crane().coordinates, crane().speeds)
    assert (found.method_name, found.status, found.counts) == ("DormandPrince853", run.status, run.counts)
    assert found.parameters == run.parameters and found.modes == run.modes and found.seconds == run.seconds
    assert found.is_complete and found.checks == run.checks and repr(found) == repr(run)
    assert len(found.events) == len(run.events) > 0 and found.events_table == run.events_table
    for a, b in zip(found.events, run.events):
        assert (a.name, a.t, a.direction) == (b.name, b.t, b.direction)
        assert a.q.tobytes() == b.q.tobytes() and a.u.tobytes() == b.u.tobytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_with_its_system_it_is_computed_anew(suffix: str, tmp_path: Path) -> None:
    run, path = crane_run(), tmp_path / f"crane.{suffix}"
    run.save(path)
    found = jd.load_run(path, crane())
    assert found.system is crane()
    assert found.outputs["height"].tobytes() == run.outputs["height"].tobytes()
    # What an expression drives is now data: momenta that it leaves alone cannot be told any more.
    assert found.checks.energy == run.checks.energy and found.checks.quaternions == run.checks.quaternions
    assert found.checks.returned == pytest.approx(run.checks.returned or 0.0, abs=1e-13)
    found.save(path)
    assert jd.load_run(path).q.tobytes() == run.q.tobytes()


def test_parameters_and_mode_are_the_runs(tmp_path: Path) -> None:
    stiff = jd.compile(oscillator()).with_parameters({"k": 9.0})
    run = jd.simulate(stiff, [1.0], [0.0], 2.0)
    run.save(tmp_path / "run.npz")
    for given in (oscillator(), jd.compile(oscillator())):
        found = jd.load_run(tmp_path / "run.npz", given)
        assert found.compiled.parameters["k"] == 9.0
        assert found.checks.energy == run.checks.energy


def test_without_its_system_a_run_says_what_it_lacks(tmp_path: Path) -> None:
    run = four_bar_run()
    run.save(tmp_path / "run.npz")
    found = jd.load_run(tmp_path / "run.npz")
    found.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes()[:4] == b"\x89PNG"
    for ask in (lambda: found.forces, lambda: found.system, lambda: found.animate(tmp_path / "run.html")):
        with pytest.raises(ValueError, match=r"was read without its system.*load_run\(.*'four-bar'"):
            ask()
    with pytest.raises(ValueError, match="a run of 'four-bar', not of system 'oscillator': it has the coord"):
        jd.load_run(tmp_path / "run.npz", oscillator())


# -- forces of constraint ---------------------------------------------------------------------------------------------


def test_forces_of_constraint_are_those_of_newton() -> None:
    """A bob on a rod: the constraint (x² + z² − L²)/1 has the multiplier that gives the rod's tension T = 2 L λ."""
    from .mechanisms import LENGTH, bob

    d = jd.compile(bob())
    q = np.array([LENGTH * np.sin(1.0), -LENGTH * np.cos(1.0)])
    run = jd.simulate(d, q, [0.0, 0.0], np.linspace(0, 2, 41))
    lever = run.forces["rod"]
    assert lever.shape == (41, 1)
    speed = np.linalg.norm(run.u, axis=-1)
    tension = 2.0 * (speed**2 / LENGTH - 9.81 * run.q[:, 1] / LENGTH)  # mass 2 kg
    assert -2.0 * LENGTH * lever[:, 0] == pytest.approx(tension, abs=1e-9)


def test_forces_are_zero_where_nothing_holds() -> None:
    assert jd.simulate(oscillator(), [1.0], [0.0], 1.0).forces == {}


# -- long runs --------------------------------------------------------------------------------------------------------


def test_checks_do_not_depend_on_how_many_states_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [crane_run(), four_bar_run()]
    whole = [x.checks for x in runs]
    monkeypatch.setattr(checking, "TOGETHER", 7)
    for run, found in zip(runs, whole):
        parts = checking.checks(run.ode, run.t, run.q, run.u, run.work, run.inputs)
        assert parts == found


def test_a_million_states_are_checked_in_the_memory_of_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """No function of the system is asked for more states at once than are looked at together."""
    run = four_bar_run()
    n = 1_000_000
    times = np.linspace(0.0, 1.0, n)
    q, u = (np.repeat(x, -(-n // len(run.t)), axis=0)[:n] for x in (run.q, run.u))
    asked: list[int] = []
    right = jd.Compiled.energy

    def energy(self: jd.Compiled, q: Any, *arguments: Any, **options: Any) -> Any:
        asked.append(len(q))
        return right(self, q, *arguments, **options)

    monkeypatch.setattr(jd.Compiled, "energy", energy)
    found = checking.checks(run.ode, times, q, u, None, {})
    assert max(asked) <= checking.TOGETHER and sum(asked) == n
    assert found.drift == run.checks.drift and found.energy == run.checks.energy


# -- a file is whole, or not there ------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_fails_half_way_leaves_the_old_file(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, path = crane_run(), tmp_path / f"crane.{suffix}"
    run.save(path)
    before = path.read_bytes()

    def full(file: Any, *arguments: Any, **options: Any) -> None:
        target = arguments[0] if suffix == "parquet" else file
        if suffix == "parquet":
            Path(target).write_bytes(b"PAR1 half")
        else:
            target.write(b"PK half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        run.save(path)
    with pytest.raises(OSError, match="No space left"):
        run.save(tmp_path / f"other.{suffix}")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    run = crane_run()
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(IsADirectoryError, match="a folder; name a file in it"):
        run.save(tmp_path / "folder.npz")
    with pytest.raises(FileNotFoundError, match="its folder is not there"):
        run.save(tmp_path / "no" / "run.npz")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.npz").symlink_to(tmp_path / "real" / "run.npz")
    crane_run().save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink() and (tmp_path / "real" / "run.npz").is_file()


def test_what_parquet_needs_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = crane_run()
    run.save(tmp_path / "run.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'jourdain\[parquet\]'"):
        run.save(tmp_path / "other.parquet")
    with pytest.raises(ImportError, match=r"pip install 'jourdain\[parquet\]'"):
        jd.load_run(tmp_path / "run.parquet")


# -- files that are wrong ---------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any], dict[str, Any]], Any]


def _fact(name: str, value: Any) -> Change:
    return lambda facts, arrays: facts.update({name: value})


def _event(**changes: Any) -> Change:
    return lambda facts, arrays: facts["events"][0].update(changes)


def _check(name: str, value: Any) -> Change:
    return lambda facts, arrays: facts["checks"].update({name: value})


def _array(name: str, value: Any) -> Change:
    return lambda facts, arrays: arrays.update({name: value})


FACTS: list[tuple[Change, str]] = [
    (_fact("format", "something else"), "does not say that it is a 'jourdain run 1'"),
    (_fact("system", 3), "'system' is no text"),
    (_fact("coordinates", "x"), "'coordinates' is no list"),
    (_fact("speeds", ["a", "a"]), "'speeds' are not names, each once"),
    (_fact("inputs", [1]), "'inputs' are not names, each once"),
    (_fact("parameters", []), "'parameters' are not values by name"),
    (_fact("parameters", {"k": "stiff"}), "'parameters k' is no finite number"),
    (_fact("forces", [1]), "'forces' are not values by name"),
    (_fact("forces", {"pin": 2}), "it has no (array|column) 'force"),
    (_fact("seconds", True), "'seconds' is no finite number"),
    (_fact("status", "FINE"), "its status is 'FINE'; one of RUNNING, DONE"),
    (_fact("events", [1]), "its event 0 has no name"),
    (_event(direction=2), "its event 0 has the direction 2"),
    (_event(q=3), "its event 0 has no q"),
    (_event(u=[1.0]), r"event 0, u has the shape \(1,\)"),
    (_event(t=None), "'event 0, t' is no finite number"),
    (_event(t=0.9), "its events are not in the order of time"),
    (_fact("modes", []), "it has no mode"),
    (_fact("modes", [{"start": 0, "end": 1, "mode": "on"}]), "its mode 0 is no list of names"),
    (_fact("modes", [{"start": 0, "mode": []}]), "'mode 0, end' is no finite number"),
    (_fact("checks", {}), "its 'checks' are not energy"),
    (_check("drift", {"pin": "none"}), "its checks of drift are not numbers by name"),
    (_check("quaternions", None), "its check 'quaternions' is no number"),
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("change", "match"), FACTS, ids=[match for _, match in FACTS])
def test_facts_need_not_be_trusted(suffix: str, change: Change, match: str, tmp_path: Path) -> None:
    with pytest.raises(jd.RunFileError, match=match):
        jd.load_run(_changed(tmp_path, suffix, change))


ARRAYS: list[tuple[Change, str]] = [
    (lambda facts, arrays: arrays.pop("q"), "it has no array 'q'"),
    (_array("q", np.zeros((41, 3))), r"q has the shape \(41, 3\)"),
    (_array("u", np.full((41, 8), np.nan)), "u has a number that is not finite"),
    (_array("t", np.linspace(1, 0, 41)), "its times do not increase"),
    (_array("work", np.zeros(3)), r"work has the shape \(3,\)"),
    (_array("t", np.array([object()] * 41)), "the array 't' is not one of numbers or text"),
    (_array("t", np.arange(41)), "the array 't' is not one of numbers or text"),
    (_array("input push", np.zeros((41, 2))), r"input push has the shape \(41, 2\)"),
    (_array("t", np.empty(0)), r"q has the shape"),
]


@pytest.mark.parametrize(("change", "match"), ARRAYS, ids=[match for _, match in ARRAYS])
def test_arrays_need_not_be_trusted(change: Change, match: str, tmp_path: Path) -> None:
    with pytest.raises(jd.RunFileError, match=match):
        jd.load_run(_changed(tmp_path, "npz", change))


COLUMNS: list[tuple[Change, str]] = [
    (lambda facts, arrays: arrays.pop("q.slide"), r"it has no column 'q\.slide'"),
    (_array("t", np.arange(41)), "its columns are not of numbers in float64"),
    (_array("t", [None] * 40 + [1.0]), "a number is missing in its columns"),
    (_array("t", np.linspace(1, 0, 41)), "its times do not increase"),
    (_array("u.slide", np.full(41, np.inf)), r"u\.slide has a number that is not finite"),
]


@pytest.mark.parametrize(("change", "match"), COLUMNS, ids=[match for _, match in COLUMNS])
def test_columns_need_not_be_trusted(change: Change, match: str, tmp_path: Path) -> None:
    with pytest.raises(jd.RunFileError, match=match):
        jd.load_run(_changed(tmp_path, "parquet", change))


def _changed(folder: Path, suffix: str, change: Change) -> Path:
    """A run's file, put together anew with a change in it."""
    import pyarrow

    path = folder / f"run.{suffix}"
    crane_run().save(path)
    if suffix == "npz":
        with np.load(path) as found:
            arrays: dict[str, Any] = {name: found[name] for name in found.files}
        facts = json.loads(str(arrays.pop("facts")))
        change(facts, arrays)
        np.savez(path, facts=np.array(json.dumps(facts)), **arrays)
        return path
    table = parquet.read_table(path)
    facts = json.loads(table.schema.metadata[KEY])
    arrays = dict(zip(table.schema.names, table.columns))
    change(facts, arrays)
    table = pyarrow.table(arrays).replace_schema_metadata({KEY: json.dumps(facts)})
    parquet.write_table(table, path)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_that_are_cut_short_or_of_another_kind(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run.{suffix}"
    crane_run().save(path)
    data = path.read_bytes()
    for size in (0, 10, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(jd.RunFileError, match="or not a whole one"):
            jd.load_run(path)
    middle = len(data) // 3
    path.write_bytes(data[:middle] + bytes(256) + data[middle + 256 :])
    with pytest.raises(jd.RunFileError):
        jd.load_run(path)
    with pytest.raises(ValueError, match=r"ends with \.npz or \.parquet"):
        jd.load_run(tmp_path / "run.csv")
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        jd.load_run(tmp_path / f"other.{suffix}")


def test_files_of_others_are_no_runs(tmp_path: Path) -> None:
    import pyarrow

    np.savez(tmp_path / "theirs.npz", t=np.zeros(3))
    with pytest.raises(jd.RunFileError, match="it has no 'facts'"):
        jd.load_run(tmp_path / "theirs.npz")
    parquet.write_table(pyarrow.table({"t": [0.0]}), tmp_path / "theirs.parquet")
    with pytest.raises(jd.RunFileError, match="its metadata has no 'jourdain'"):
        jd.load_run(tmp_path / "theirs.parquet")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_sizes_are_looked_at_before_anything_is_read(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crane_run().save(tmp_path / f"run.{suffix}")
    monkeypatch.setattr(read_run, "MOST_BYTES", 1000)
    with pytest.raises(jd.RunFileError, match="would take more than"):
        jd.load_run(tmp_path / f"run.{suffix}")


def test_an_array_that_says_it_is_huge_is_not_made_room_for(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    crane_run().save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {x: archive.read(x) for x in archive.namelist()}
    parts["t.npy"] = parts["t.npy"].replace(b"(41,)", b"(4100000000000,)")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(jd.RunFileError, match="the array 't'"):
        jd.load_run(path)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path(tmp_path / "sprung").touch, ())

    path = _changed(tmp_path, "npz", _array("t", np.array([Trap()], dtype=object)))
    with pytest.raises(jd.RunFileError, match="not one of numbers or text"):
        jd.load_run(path)
    assert not (tmp_path / "sprung").exists()
