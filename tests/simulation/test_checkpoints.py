"""Checkpoints: a killed run goes on to the same bits, and what is not the same is refused."""

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
from jourdain.simulation import checkpoint, compiled_run

from .mechanisms import crane, four_bar, oscillator

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys
import numpy as np
import jourdain as jd
from tests.simulation.mechanisms import crane
START = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8))
OPTIONS = dict(inputs={"push": "2*sin(t)", "wind": ([0, 1, 30], [0.1, -0.4, 0.3])}, events={"swing": "swing"},
               method=jd.DormandPrince54(rtol=1e-10, atol=1e-12, longest_step=1e-4))
"""
# Between its steps it sleeps ever more, so that it cannot end before it is killed.
SLOWLY = """
import time
from jourdain.simulation.compiled_run import CompiledRun
taken = CompiledRun.take
CompiledRun.take = lambda run: (time.sleep(0.05), taken(run))[1]
"""
FIRST = SCRIPT + SLOWLY + 'jd.simulate(crane(), *START, 30.0, checkpoint=sys.argv[1], checkpoint_every=0.05, **OPTIONS)'
SECOND = SCRIPT + """
run = jd.resume(sys.argv[1], crane())
np.savez(sys.argv[2], t=run.t, q=run.q, u=run.u, work=run.work, events=[x.t for x in run.events])
print(run.status.name, run.counts["steps"])
"""
WHOLE = SCRIPT + """
run = jd.simulate(crane(), *START, 30.0, **OPTIONS)
np.savez(sys.argv[2], t=run.t, q=run.q, u=run.u, work=run.work, events=[x.t for x in run.events])
print(run.status.name, run.counts["steps"])
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
    time.sleep(0.3)
    assert first.poll() is None, "it ended before it could be killed"
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    with np.load(kept) as found:
        rows = len(found["rows"])
    said = []
    for code, name in ((SECOND, "second.npz"), (WHOLE, "whole.npz")):
        process = python(code, cache_folder, kept, tmp_path / name)
        said.append(process.communicate()[0].split())
        assert process.returncode == 0
    assert said[0] == said[1] and said[0][0] == "DONE"
    assert 0 < rows < int(said[0][1])
    with np.load(tmp_path / "second.npz") as again, np.load(tmp_path / "whole.npz") as whole:
        assert len(whole["events"]) > 2
        for name in ("t", "q", "u", "work", "events"):
            assert again[name].tobytes() == whole[name].tobytes(), name


def interrupted(path: Path, monkeypatch: pytest.MonkeyPatch, *arguments: Any, **options: Any) -> jd.Run:
    """A run that Ctrl-C ends after its first steps."""

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(compiled_run, "FIRST", 20)
        run = jd.simulate(*arguments, progress=stop, checkpoint=path, **options)
    assert run.status is jd.Status.INTERRUPTED
    return run


METHODS: list[Callable[[], Any]] = [
    jd.DormandPrince853, lambda: jd.DormandPrince54(atol=[1e-11, 1e-12]), lambda: jd.RK4(1e-2),
    lambda: jd.SemiImplicitEuler(1e-2), lambda: jd.ImplicitMidpoint(1e-2), lambda: jd.SymplecticMidpoint(1e-2),
]  # fmt: skip


@pytest.mark.parametrize("make", METHODS)
@pytest.mark.parametrize("t", [20.0, np.linspace(0.0, 20.0, 333)], ids=["steps", "times"])
def test_ctrl_c_leaves_a_checkpoint_with_every_method(
    make: Callable[[], Any], t: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"events": {"through": "x", "high": jd.Event("x - 0.5", direction=1)}, "method": make()}
    whole = jd.simulate(oscillator(), [1.0], [0.0], t, **options)
    part = interrupted(tmp_path / "kept.npz", monkeypatch, oscillator(), [1.0], [0.0], t, **options)
    assert part.t[-1] < 19.0
    again = jd.resume(tmp_path / "kept.npz", oscillator())
    assert again.method == whole.method and again.counts == whole.counts
    for name in ("t", "q", "u"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes()
    assert [(x.name, x.t, x.direction) for x in again.events] == [(x.name, x.t, x.direction) for x in whole.events]


def test_checkpoints_are_written_from_time_to_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    monkeypatch.setattr(checkpoint.Keeper, "write", lambda keeper: written.append(1))
    monkeypatch.setattr(compiled_run, "FIRST", 10)
    monkeypatch.setattr(compiled_run, "PATIENCE", 0.0)
    jd.simulate(oscillator(), [1.0], [0.0], 10.0, checkpoint=tmp_path / "kept.npz", checkpoint_every=0.0)
    assert len(written) > 3
    written.clear()
    jd.simulate(oscillator(), [1.0], [0.0], 10.0, checkpoint=tmp_path / "kept.npz", checkpoint_every=1e6)
    assert not written


def test_constraints_parameters_and_modes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    d = jd.compile(four_bar())
    q = d.assemble([1.0, -0.6, 1.7])
    u = d.complete(q, [3.0], ["a"])
    whole = jd.simulate(d, q, u, 5.0)
    interrupted(tmp_path / "kept.npz", monkeypatch, d, q, u, 5.0)
    for given in (four_bar(), d):
        assert jd.resume(tmp_path / "kept.npz", given).q.tobytes() == whole.q.tobytes()
        interrupted(tmp_path / "kept.npz", monkeypatch, d, q, u, 5.0)
    loose = jd.compile(oscillator()).with_parameters({"c": 0.5})
    whole = jd.simulate(loose, [1.0], [0.0], 5.0)
    kept = tmp_path / "loose.npz"
    interrupted(kept, monkeypatch, loose, [1.0], [0.0], 5.0)
    with pytest.raises(jd.CheckpointError, match=r"the run's parameters are others than .* given: c = 0\.5"):
        jd.resume(kept, jd.compile(oscillator()))
    assert jd.resume(kept, oscillator()).q.tobytes() == whole.q.tobytes()


def test_what_is_not_the_same_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.npz"
    interrupted(kept, monkeypatch, oscillator(), [1.0], [0.0], 20.0)
    with pytest.raises(jd.CheckpointError, match="a checkpoint of 'oscillator', not of the system 'crane'"):
        jd.resume(kept, crane())
    with pytest.raises(jd.CheckpointError, match="the run has its own inputs; leave out 'push'"):
        jd.resume(kept, oscillator(), {"push": 1.0})
    with pytest.raises(jd.CheckpointError, match="the run has its own events; leave out 'x'"):
        jd.resume(kept, oscillator(), events={"x": "x"})
    with np.load(kept) as found:
        arrays: dict[str, Any] = {name: found[name] for name in found.files}
    _facts(code="of another processor")(arrays)
    np.savez(kept, **arrays)
    with pytest.raises(jd.CheckpointError, match=r"the last bits of the results may differ; say bits_may_differ"):
        jd.resume(kept, oscillator())
    assert jd.resume(kept, oscillator(), bits_may_differ=True).is_complete


def test_nodes_are_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    m = jd.Model("cart", gravity=(0, 0, 0))
    push = m.input("push")
    body = m.body("body", mass=1.0, inertia=jd.point_mass)
    x = m.prismatic("x", m.ground, body, axis="x").coordinate
    m.joint_force("x", push)
    cart = m.system()
    given, events = {"push": -4.0 * x}, {"through": x}
    whole = jd.simulate(cart, [1.0], [0.0], 20.0, given, events=events)
    kept = tmp_path / "kept.npz"
    interrupted(kept, monkeypatch, cart, [1.0], [0.0], 20.0, given, events=events)
    with pytest.raises(jd.CheckpointError, match=r"inputs 'push' follow nodes of the model; give them again"):
        jd.resume(kept, cart)
    with pytest.raises(jd.CheckpointError, match=r"events 'through' follow nodes of the model; give them again"):
        jd.resume(kept, cart, given)
    assert jd.resume(kept, cart, given, events=events).q.tobytes() == whole.q.tobytes()


def test_runs_that_cannot_be_kept_say_so(tmp_path: Path) -> None:
    def fails(match: str, *more: Any, **options: Any) -> None:
        with pytest.raises(ValueError, match=match):
            jd.simulate(oscillator(), [1.0], [0.0], 1.0, *more, **{"checkpoint": tmp_path / "kept.npz", **options})

    fails("stepped by SciPy's Radau, whose memory cannot be kept", method=jd.Radau())
    fails("end it with .npz", checkpoint=tmp_path / "kept.dat")
    fails("checkpoint_every is -1.0 s", checkpoint_every=-1.0)

    class Own(jd.DormandPrince54):
        pass

    fails("knows Jourdain's own methods, not Own", method=Own())
    with pytest.raises(FileNotFoundError, match="no such file"):
        jd.resume(tmp_path / "nothing.npz", oscillator())


# -- files that are wrong ---------------------------------------------------------------------------------------------


def _facts(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        facts = json.loads(str(arrays["facts"]))
        facts.update(changes)
        arrays["facts"] = np.array(json.dumps(facts))

    return change


def _cell(name: str, value: float) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        cells = json.loads(str(arrays["facts"]))["cells"]
        arrays["memory"][cells.index(name)] = value

    return change


def _array(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda arrays: arrays.update({name: value})


TABLE = {"push": {"table": [[0, 1], [0], "LINEAR"]}}
WRONG: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda arrays: arrays.pop("facts"), "it is no checkpoint"),
    (_facts(format="jourdain run 1"), "does not say that it is a 'jourdain checkpoint 1'"),
    (_facts(contents="0"), "of another system of that name"),
    (_facts(parameters=[1.0]), "'parameters' are not given by name"),
    (_facts(parameters={"k": "stiff"}), "is needed"),
    (_facts(mode=["stuck"]), "no switchable constraint 'stuck'"),
    (_facts(mode="stuck"), "'mode' is no list of names"),
    (_facts(method={"kind": "Radau"}), "its method is none of Jourdain's"),
    (_facts(method={"kind": "RK4", "stride": 1.0}), "the settings of its method are stride, not those of RK4"),
    (_facts(method={"kind": "RK4", "step": "long"}), "its method cannot be"),
    (_facts(inputs={"push": [1]}), "input 'push' is no value, expression, table or function"),
    (_facts(inputs=TABLE), "table of input 'push' cannot be"),
    (_facts(events={"e": {"guard": "x", "direction": 3, "stop": False}}), "direction is 3"),
    (_facts(events={"e": 1}), "event 'e' has no guard"),
    (_facts(start="now"), "'start' is no finite number"),
    (_facts(start=30.0), "its times do not increase"),
    (_facts(cells=["t"]), "laid out in another way"),
    (_array("times", np.array(["now"])), "has no numbers 'times'"),
    (_array("times", np.array([1, 2])), "the array 'times' is not one of numbers"),
    (_array("settled", np.zeros(7)), "its state is not one of the system"),
    (_array("memory", np.zeros(7)), "its memory has the shape"),
    (_array("rows", np.zeros((4, 9))), "its rows are not finite, or not as wide"),
    (_array("occurred", np.full((1, 6), np.nan)), "its events are not finite, or not as wide"),
    (_array("occurred", np.full((1, 6), 7.0)), "its events are of guards that there are not"),
    (_cell("row", 1e9), "row cannot be"),
    (_cell("row", 0.5), "row cannot be"),
    (_cell("capacity", 1e12), "capacity cannot be"),
    (_cell("event rows", 1e9), "event rows cannot be"),
    (_cell("t", np.nan), "t cannot be"),
    (_cell("status", 99.0), "status cannot be"),
]


@pytest.mark.parametrize(("change", "match"), WRONG, ids=[match for _, match in WRONG])
def test_files_need_not_be_trusted(
    change: Callable[[dict[str, Any]], Any], match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.npz"
    interrupted(kept, monkeypatch, oscillator(), [1.0], [0.0], 20.0, events={"through": "x"})
    with np.load(kept) as found:
        arrays: dict[str, Any] = {name: found[name] for name in found.files}
    change(arrays)
    np.savez(kept, **arrays)
    with pytest.raises(jd.CheckpointError, match=match):
        jd.resume(kept, oscillator())
