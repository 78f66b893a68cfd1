"""Runs through modes in files and checkpoints: changes come back, killed runs go on to the same bits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.native.cache import VARIABLE
from jourdain.simulation import compiled_run

from .mechanisms import bouncer, plank
from .test_calls import hands

ROOT = Path(__file__).resolve().parents[3]
# Between its steps the first sleeps, so that it cannot end before it is killed.
SCRIPT = """
import sys, time
import numpy as np
import jourdain as jd
from jourdain.simulation.compiled_run import CompiledRun
from tests.simulation.modes.mechanisms import bouncer
def calls():
    return {"grasp": lambda t, q, u: t % 2.0 - 1.9, "let go": lambda t, q, u: (t + 1.95) % 2.0 - 1.9}
OPTIONS = dict(inputs={"lift": lambda t, q, u: 9.0 + 3.0 * np.sin(7.0 * t)}, events={"low": "z - 0.01"},
               method=jd.DormandPrince54(longest_step=1e-3), calls=calls())
def tell(run):
    print(run.status.name, run.counts["steps"], len(run.changes))
    np.savez(sys.argv[2], t=run.t, q=run.q, u=run.u, work=run.work, marks=run.marks, events=[x.t for x in run.events],
             changes=[str(x) for x in run.changes], at=[x.t for x in run.changes])
"""
FIRST = SCRIPT + """
taken = CompiledRun.take
CompiledRun.take = lambda run: (time.sleep(0.05), taken(run))[1]
jd.simulate(bouncer(), [1.0], [0.0], 20.0, checkpoint=sys.argv[1], checkpoint_every=0.05, **OPTIONS)
"""
SECOND = SCRIPT + """
tell(jd.resume(sys.argv[1], bouncer(), {"lift": OPTIONS["inputs"]["lift"]}, calls=calls()))
"""
WHOLE = SCRIPT + """
tell(jd.simulate(bouncer(), [1.0], [0.0], 20.0, **OPTIONS))
"""


def python(code: str, cache: Path, *arguments: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, VARIABLE: str(cache), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment, text=True, stdout=subprocess.PIPE
    )


def test_a_run_that_is_killed_goes_on_to_the_same_bits(tmp_path: Path, cache_folder: Path) -> None:
    kept = tmp_path / "kept.npz"
    first = python(FIRST, cache_folder, kept)
    while not kept.exists():
        assert first.poll() is None, "it ended before there was a checkpoint"
        time.sleep(0.01)
    time.sleep(0.5)
    assert first.poll() is None, "it ended before it could be killed"
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    with np.load(kept) as found:
        rows, noted = len(found["rows"]), len(found["noted"])
    said = []
    for code, name in ((SECOND, "second.npz"), (WHOLE, "whole.npz")):
        process = python(code, cache_folder, kept, tmp_path / name)
        said.append(process.communicate()[0].split())
        assert process.returncode == 0
    assert said[0] == said[1] and said[0][0] == "DONE"
    assert 0 < rows < int(said[0][1]) and noted > 0
    with np.load(tmp_path / "second.npz") as again, np.load(tmp_path / "whole.npz") as whole:
        assert len(whole["changes"]) > 20 and len(whole["events"]) > 10
        assert noted < len(whole["changes"]) + 2
        for name in whole.files:
            assert again[name].tobytes() == whole[name].tobytes(), name


def test_ctrl_c_and_on_in_the_same_process(monkeypatch: pytest.MonkeyPatch) -> None:
    start = ([0.0, 0.4, 0.3], [0.5, 0.0, 0.0])
    whole = jd.simulate(plank(), *start, 2.0)
    assert len(whole.changes) > 5
    for first in (3, 30):
        told: list[float] = []

        def stop(share: float, told: list[float] = told) -> None:
            told.append(share)
            if len(told) == 1:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(compiled_run, "FIRST", first)
            part = jd.simulate(plank(), *start, 2.0, progress=stop)
        assert part.status is jd.Status.INTERRUPTED and part.reason.startswith("interrupted")
        assert part.t[-1] < 2.0 and part.checks.energy is not None
        again = part.resume()
        assert again.is_complete and again.modes == whole.modes and again.counts == whole.counts
        assert again.q.tobytes() == whole.q.tobytes() and again.u.tobytes() == whole.u.tobytes()
        assert [str(x) for x in again.changes] == [str(x) for x in whole.changes]


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_changes_are_in_files(suffix: str, tmp_path: Path) -> None:
    run, path = jd.simulate(bouncer(), [1.0], [0.0], 2.0, calls=hands()), tmp_path / f"run.{suffix}"
    run.save(path)
    for given in (None, bouncer()):
        found = jd.load_run(path, given)
        assert found.changes_table == run.changes_table and found.lost_energy == run.lost_energy
        assert found.modes == run.modes and len(found.changes) == len(run.changes) > 5
        for one, two in zip(found.changes, run.changes):
            assert (one.t, one.causes, one.imposed, one.deleted, one.mode, one.work) == (
                two.t, two.causes, two.imposed, two.deleted, two.mode, two.work
            )  # fmt: skip
            for name in ("q", "u_before", "u"):
                assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
            assert one.impulses.keys() == two.impulses.keys()
            assert all(one.impulses[name].tobytes() == x.tobytes() for name, x in two.impulses.items())


# -- files that need not be trusted -----------------------------------------------------------------------------------

SPOILT: list[tuple[str, Any, str]] = [
    ("impulses", [1.0], "its change 0 has no impulses by name"),
    ("impulses", {"grasp": 1.0}, "its change 0, impulses is no list of numbers"),
    ("impulses", {"grasp": ["1"]}, "its 'change 0, impulses' is no finite number"),
    ("causes", "grasp", "the 'causes' of its change 0 are no list of names"),
    ("mode", [1], "the 'mode' of its change 0 are no list of names"),
    ("u", [], r"change 0, u has the shape \(0,\)"),
    ("t", None, "its 'change 0, t' is no finite number"),
]


@pytest.mark.parametrize(("name", "value", "said"), SPOILT)
def test_spoilt_changes_are_told(name: str, value: Any, said: str, tmp_path: Path) -> None:
    run, path = jd.simulate(bouncer(), [1.0], [0.0], 0.5, calls=hands()), tmp_path / "run.npz"
    run.save(path)
    with np.load(path) as found:
        arrays = {x: found[x] for x in found.files}
    facts = json.loads(str(arrays["facts"]))
    facts["changes"][0][name] = value
    np.savez(path, **{**arrays, "facts": np.array(json.dumps(facts))})
    with pytest.raises(jd.RunFileError, match=said):
        jd.load_run(path)


def _put(name: str, values: Any) -> Callable[[Any, Any], None]:
    def change(run: Any, memory: Any) -> None:
        offset = {x.name: k for x, k in run.routine.procedure.offsets.items()}
        cells = run.routine.procedure.cells
        if name in cells:
            memory[cells.index(name)] = values
        else:
            memory[offset[name] : offset[name] + np.size(values)] = values

    return change


@pytest.mark.parametrize(
    ("name", "values"),
    [("rank", 1e9), ("rank", -1.0), ("rank", 0.5), ("columns", [1e6]), ("columns", [-3.0, 1.0, 2.0]),
     ("touch", [7.0]), ("switched", [0.5]), ("holds", [np.nan]), ("first guard", 1e6), ("change rows", 1e7)],
)  # fmt: skip
def test_memory_that_code_would_trust_is_looked_through(
    name: str, values: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    kept = tmp_path / "kept.npz"
    with monkeypatch.context() as patch:
        patch.setattr(compiled_run, "FIRST", 5)
        part = jd.simulate(bouncer(), [1.0], [0.0], 2.0, progress=stop, checkpoint=kept, calls=hands())
    with np.load(kept) as found:
        arrays = {x: found[x] for x in found.files}
    memory = arrays["memory"].copy()
    _put(name, values)(part.going, memory)
    np.savez(kept, **{**arrays, "memory": memory})
    with pytest.raises(jd.CheckpointError, match="its memory is not that of a run"):
        jd.resume(kept, bouncer(), calls=hands())


def test_functions_are_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    kept = tmp_path / "kept.npz"
    lift = {"lift": lambda t, q, u: 3.0}
    with monkeypatch.context() as patch:
        patch.setattr(compiled_run, "FIRST", 5)
        jd.simulate(bouncer(), [1.0], [0.0], 2.0, lift, progress=stop, checkpoint=kept, calls=hands())
    with pytest.raises(jd.CheckpointError, match="the run's inputs 'lift' follow a function; give it again"):
        jd.resume(kept, bouncer(), calls=hands())
    with pytest.raises(ValueError, match="ask for functions; give simulate calls="):
        jd.resume(kept, bouncer(), lift)
    whole = jd.simulate(bouncer(), [1.0], [0.0], 2.0, lift, calls=hands())
    assert jd.resume(kept, bouncer(), lift, calls=hands()).q.tobytes() == whole.q.tobytes()
