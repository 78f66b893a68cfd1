"""What a run through modes tells: changes in words, modes, outputs with accelerations, redundant loops, pictures."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.cli import main
from jourdain.model.system import System
from jourdain.simulation.change import Change, changes_table

from ..mechanisms import bricard
from .mechanisms import GRAVITY, bouncer, latched, plank, sledge
from .test_calls import ALONG, hands


def test_words_for_what_a_contact_does() -> None:
    """A push stops, and the sledge with it; the pull turns round and it slips back; it is lifted off."""
    pull = ([0.0, 0.999, 1.0, 4.999, 5.0, 9.0], [20.0, 20.0, 0.0, 0.0, -20.0, -20.0])
    run = jd.simulate(sledge(), [0.0, 0.0], [0.0, 0.0], 6.0, {"pull": pull})
    assert [x.causes for x in run.changes] == [
        ("start", "block touches"), ("block sticks",), ("block slips",)
    ]  # fmt: skip
    assert run.changes[0].imposed == ("block",) and run.changes[1].imposed == ("block sticks",)
    assert run.changes[2].deleted == ("block sticks",)
    # 20 N against μ m g for 1 s, then μ g alone.
    speed = (20.0 * 0.9995 - 0.4 * 2.0 * GRAVITY) / 2.0
    assert run.changes[1].t == pytest.approx(1.0 + speed / (0.4 * GRAVITY), rel=1e-6)
    assert str(run.changes[1]) == f"{run.changes[1].t:.9g} s: block sticks, +block sticks"


def test_a_slip_that_is_driven_back_turns_round() -> None:
    run = jd.simulate(sledge(), [0.0, 0.0], [1.0, 0.0], 1.0, {"pull": -20.0})
    assert [x.causes for x in run.changes][1:] == [("block slips elsewhere",)]
    first = 1.0 / (10.0 + 0.4 * GRAVITY)
    assert run.changes[1].t == pytest.approx(first, abs=1e-9)
    assert run.u[-1, 0] == pytest.approx(-(10.0 - 0.4 * GRAVITY) * (1.0 - first), abs=1e-7)


def test_what_lifts_off_lets_go() -> None:
    run = jd.simulate(bouncer(), [0.0], [0.0], 2.0, {"lift": "20*t"}, calls=hands(5.0, 6.0))
    assert [x.causes for x in run.changes] == [("start", "floor touches"), ("floor lets go",)]
    assert run.changes[1].t == pytest.approx(GRAVITY / 20.0, abs=2e-7) and run.changes[1].deleted == ("floor",)


def test_a_latch_closes_and_gives_way() -> None:
    run = jd.simulate(latched(), [0.0], [2.0], 4.0, {"pull": "4*t"})
    assert [x.causes for x in run.changes][:2] == [("latch on",), ("latch off",)]
    # It is held by the latch against the spring, 4 · 0.5 N; it gives way where the pull is 5 N.
    assert run.changes[1].t == pytest.approx(1.25, abs=1e-9)
    assert run.changes_table.splitlines()[2].split()[1:4] == ["latch", "on", "latch"]
    assert run.lost_energy == pytest.approx(-run.changes[0].work) and run.lost_energy > 1.0


@pytest.mark.parametrize("t", [2.0, np.linspace(0.0, 2.0, 11)], ids=["steps", "times"])
@pytest.mark.parametrize("method", ALONG[:3])
def test_modes_are_as_long_whatever_rows_there_are(t: Any, method: Any) -> None:
    run = jd.simulate(bouncer(), [1.0], [0.0], t, method=method, calls=hands())
    touches = run.changes[-1].t
    assert [x.mode for x in run.modes] == [(), ("grasp",), (), ("floor",)]
    assert [x.start for x in run.modes] == pytest.approx([0.0, 0.2, 0.7, touches], abs=1e-11)
    assert [x.end for x in run.modes] == pytest.approx([0.2, 0.7, touches, 2.0], abs=1e-11)


def test_rows_before_and_after() -> None:
    run = jd.simulate(bouncer(), [1.0], [0.0], 0.3, calls=hands())
    at = np.flatnonzero(run.t == run.changes[0].t)
    assert len(at) == 2 and run.u[at, 0] == pytest.approx([-GRAVITY * 0.2, 0.0], abs=1e-12)
    assert run.forces["grasp"][at, 0] == pytest.approx([0.0, GRAVITY], abs=1e-12)


@pytest.mark.parametrize("method", ALONG[:3])
def test_accelerations_among_outputs_are_those_of_the_mode(method: Any) -> None:
    times = np.array([0.0, 0.1, 0.3, 0.6, 0.8, 1.99, 2.0])
    run = jd.simulate(bouncer(), [1.0], [0.0], times, method=method, calls=hands())
    assert run.outputs["acceleration"] == pytest.approx([-GRAVITY, -GRAVITY, 0, 0, -GRAVITY, 0, 0], abs=1e-12)
    slips = jd.simulate(sledge_that_tells(), [0.0, 0.0], [1.0, 0.0], [0.0, 0.1], method=method)
    assert slips.outputs["along"] == pytest.approx([-0.4 * GRAVITY] * 2, abs=1e-12)


@lru_cache(maxsize=1)
def sledge_that_tells() -> System:
    m = jd.Model("sledge that tells", gravity=(0, 0, -GRAVITY))
    body = m.body("block", mass=2.0, inertia=jd.point_mass)
    carriage = m.link("carriage")
    x = m.prismatic("x", m.ground, carriage, axis="x")
    m.prismatic("z", carriage, body, axis="z")
    m.contact("block", (body, jd.shapes.Point()), jd.shapes.Plane(), friction=0.4)
    m.output("along", x.acceleration)
    return m.system()


def test_the_table_of_nothing() -> None:
    run = jd.simulate(latched(), [0.0], [0.0], 0.1)
    assert run.changes == () and run.changes_table == "no changes" and run.lost_energy == 0.0
    one = Change(1.0, ("a on",), ("a",), (), ("a",), {"a": np.ones(1)}, -2.0, np.ones(1), np.ones(1), np.ones(1))
    assert changes_table([one]).splitlines()[-1].split() == ["1", "a", "on", "a", "2"]


# -- rows that depend on one another ----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def stopped_bricard() -> System:
    """Bricard's loop, whose rows all depend on one another, with a stop that its first hinge hits."""
    m = jd.Model("stopped bricard", gravity=(0, 0, -9.81))
    links = [
        m.body(f"link {k}", mass=1.0, center=(0.5, 0, 0), inertia=jd.principal(0.01, 0.1, 0.1)) for k in range(1, 6)
    ]
    for k, (inner, outer) in enumerate(zip([m.ground, *links], links)):
        turn = ("x", np.pi / 2 if k % 2 else -np.pi / 2)
        hinge = m.revolute(f"hinge {k + 1}", inner, outer, axis="z", at=(1.0, 0, 0), rotation=[turn])
        if not k:
            first = hinge.coordinate
    m.close("loop", "revolute", links[-1], m.ground, axis="z", at=(1.0, 0, 0), rotation=[("x", np.pi / 2)])
    m.stop("bump", first - 1.75, restitution=0.5)
    return m.system()


def test_loops_whose_rows_are_redundant() -> None:
    """Beside the same loop without a stop, whose constraints are embedded symbolically; then off the stop.

    At 120° rows that were independent become parallel, and others must be chosen.
    """
    d = jd.compile(bricard())
    q = d.assemble([np.pi / 2 * (-1) ** k + 0.3 for k in range(5)])
    u = d.complete(q, [1.0])
    times = np.linspace(0.0, 2.0, 21)
    free = jd.simulate(d, q, u, times)
    run = jd.simulate(stopped_bricard(), q, u, times)
    assert free.q[:, 0].max() > np.radians(119.9) and free.q[-1, 0] < 1.65
    before = times < run.changes[0].t
    assert 15 < before.sum() < 20
    assert np.abs(run.q - free.q)[before].max() < 1e-7 and np.abs(run.u - free.u)[before].max() < 1e-6
    assert run.is_complete and run.changes[0].causes == ("bump bounces",)
    hit = run.changes[0]
    assert hit.q[0] == pytest.approx(1.75, abs=1e-12) and hit.u[0] == pytest.approx(-0.5 * hit.u_before[0], rel=1e-9)
    checks = run.checks
    assert checks.energy is not None and checks.energy < 1e-7 and max(checks.drift.values()) < 1e-10


# -- pictures, the command --------------------------------------------------------------------------------------------


def test_impacts_and_modes_are_drawn(tmp_path: Path) -> None:
    run = jd.simulate(bouncer(), [1.0], [0.0], 2.0, calls=hands())
    figure = run.plot(tmp_path / "run.png")
    top = figure.axes[0]
    impacts = [x for x in top.lines if x.get_linestyle() == ":"]
    assert len(impacts) == len({x.t for x in run.changes if x.impulses})
    labels = {x.get_text() for x in top.get_legend().get_texts()}
    assert {"impact", "grasp", "floor", "nothing switched on", "z"} == labels


def test_the_command_tells_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ball.py"
    file.write_text(
        "import jourdain as jd\n"
        "def ball():\n"
        "    m = jd.Model('ball', gravity=(0, 0, -9.81))\n"
        "    b = m.body('b', mass=1.0, inertia=jd.point_mass)\n"
        "    z = m.prismatic('z', m.ground, b, axis='z')\n"
        "    m.stop('floor', z.coordinate, restitution=0.5)\n"
        "    return m.system()\n"
    )
    assert main(["simulate", f"{file}:ball", "--q", "z=1", "--time", "2"]) == 0
    out = capsys.readouterr().out
    assert "changes of the mode; impacts took 9.81 J" in out
    assert "0.451523641 s: floor bounces, 7.358 J lost" in out and "more\n" in out
    assert any(x.split() == ["0.6454", "floor"] for x in out.splitlines())
    assert main(["simulate", f"{file}:ball", "--q", "z=-1"]) == 2
    assert "the gap of 'floor' is -1" in capsys.readouterr().err


def test_a_plank_settles() -> None:
    run = jd.simulate(plank(), [0.0, 0.4, 0.3], [0.0, 0.0, 0.0], 3.0)
    assert run.is_complete and set(run.modes[-1].mode) >= {"rear", "front"}
    assert run.q[-1, 1:] == pytest.approx([0.1, 0.0], abs=1e-9) and run.u[-1] == pytest.approx(np.zeros(3), abs=1e-9)
    normal = run.forces["rear"][-1, 0] + run.forces["front"][-1, 0]
    assert normal == pytest.approx(2.0 * GRAVITY, rel=1e-9)
