"""`jourdain simulate`: a table, the checks, files; mistakes in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from jourdain.cli import main
from jourdain.native.cache import VARIABLE
from jourdain.simulation import Status, load_run
from jourdain.simulation.compiled_run import CompiledRun

from .conftest import Jourdain


def test_it_prints_the_motion_and_its_checks(jourdain: Jourdain) -> None:
    done = jourdain("simulate", "pendulum", "--q", "angle=1.2", "--time", "2")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("pendulum: 2 s by DormandPrince853 in ")
    assert [x.split()[0] for x in lines[4:15]] == [f"{x:.4g}" for x in np.linspace(0, 2, 11)]
    assert lines[4].split() == ["0", "1.2"]
    assert any(x.startswith("energy less work stays within") for x in lines)
    assert "simulating pendulum" in done.err


def test_it_writes_files(jourdain: Jourdain, tmp_path: Path) -> None:
    data, picture = tmp_path / "run.npz", tmp_path / "run.png"
    done = jourdain("simulate", "stanford-arm", "--time", "1", "--q", "q2=1.5", "--u", "q1=0.5", "q6=0.1",
                    "--save", str(data), "--plot", str(picture))  # fmt: skip
    assert done.status == 0
    with np.load(data) as found:
        assert found["q"].shape == (1001, 6) and found["t"][-1] == 1.0
        assert list(found["q"][0]) == [0.0, 1.5, 0.0, 0.0, 0.0, 0.0] and found["u"][0, 0] == 0.5
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert f"wrote {data}" in done.err and f"wrote {picture}" in done.err


def test_options_that_are_repeated_add_up(jourdain: Jourdain) -> None:
    done = jourdain("simulate", "double-pendulum", "--time", "1", "--q", "shoulder=0.5", "--q", "elbow=0.25")
    assert done.status == 0
    assert done.out.splitlines()[4].split() == ["0", "0.5", "0.25"]


def test_a_loop_is_assembled_and_its_speeds_completed(jourdain: Jourdain, tmp_path: Path) -> None:
    done = jourdain("simulate", "slider-crank", "--u", "q1=2", "--time", "0.5", "--save", str(tmp_path / "run.npz"))
    assert done.status == 0
    assert "holds within" in done.out
    with np.load(tmp_path / "run.npz") as found:
        assert found["u"][0, 0] == 2.0
    done = jourdain("simulate", "slider-crank", "--u", "q1=2", "q2=1")
    assert done.status == 2 and "2 speeds are given, of which 1 are independent" in done.err


def test_a_motion_that_ends_early_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "falling.py"
    file.write_text(
        "import jourdain as jd\n"
        "def falling():\n"
        "    m = jd.Model('falling', gravity=(0, 0, 0))\n"
        "    b = m.body('b', mass=1.0, inertia=jd.point_mass)\n"
        "    x = m.prismatic('x', m.ground, b, axis='x').coordinate\n"
        "    m.joint_force('x', 6 * (1 + x) * (1 + x))\n"
        "    return m.system()\n"
    )
    assert main(["simulate", f"{file}:falling", "--u", "x=2", "--time", "3"]) == 1
    out = capsys.readouterr().out
    assert "The run ended early: " in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["pendulun"], "pendulum"),
        (["pendulum", "--time", "0"], "--time 0: a positive number of seconds"),
        (["pendulum", "--time", "soon"], "soon"),
        (["pendulum", "--q", "angel=1"], "there is no coordinate 'angel'"),
        (["pendulum", "--u", "angel=1"], "there is no speed 'angel'"),
        (["pendulum", "--q", "angle=fast"], "write angle=NUMBER"),
        (["pendulum", "--save", "run.txt"], "name a file that ends with .npz"),
        (["pendulum", "--plot", "run.txt"], "name a file that ends with .png or .svg or .pdf"),
        (["pendulum", "--save", "no/such/run.npz"], "there is no folder 'no/such'"),
        (["pendulum", "--q", "angle=nan"], "q0 is not finite: angle"),
    ],
)
def test_mistakes_are_said_in_one_line(arguments: list[str], reason: str, jourdain: Jourdain) -> None:
    done = jourdain("simulate", *arguments)
    assert done.status == 2 and done.out == ""
    assert reason in done.err
    assert len([x for x in done.err.splitlines() if not x.startswith("simulating")]) == 1


def test_what_does_not_close_is_the_users(tmp_path: Path, jourdain: Jourdain) -> None:
    file = tmp_path / "short.py"
    file.write_text(
        "import jourdain as jd\n"
        "def short():\n"
        "    m = jd.Model('short')\n"
        "    a = m.body('a', mass=1.0, inertia=jd.principal(1, 1, 1))\n"
        "    m.revolute('j', m.ground, a, axis='z')\n"
        "    m.close('pin', 'spherical', m.ground, a, at=(5, 0, 0), child_at=(1, 0, 0))\n"
        "    return m.system()\n"
    )
    done = jourdain("simulate", f"{file}:short")
    assert done.status == 2 and "does not close near this guess" in done.err


# -- long runs --------------------------------------------------------------------------------------------------------


def test_it_animates_and_writes_parquet(jourdain: Jourdain, tmp_path: Path) -> None:
    page, data = tmp_path / "run.html", tmp_path / "run.parquet"
    files = ("--animate", str(page), "--save", str(data))
    done = jourdain("simulate", "pendulum", "--q", "angle=1", "--time", "1", *files)
    assert done.status == 0 and f"wrote {page}" in done.err and f"wrote {data}" in done.err
    assert "<canvas" in page.read_text(encoding="utf-8")
    assert load_run(data).q[0, 0] == 1.0


def test_nothing_is_told_where_nobody_looks(jourdain: Jourdain) -> None:
    done = jourdain("simulate", "pendulum", "--time", "50")
    assert done.err == "simulating pendulum …\n"


# Between its steps it sleeps ever more, so that it cannot end before it is interrupted.
SLOWLY = """
import sys, time
from jourdain.cli import main
from jourdain.simulation.compiled_run import CompiledRun
taken = CompiledRun.take
CompiledRun.take = lambda run: (time.sleep(0.05), taken(run))[1]
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_keeps_saves_and_says_how_to_go_on(tmp_path: Path, cache_folder: Path) -> None:
    """A process of its own, which is sent what Ctrl-C sends; then another that goes on."""
    kept, saved, whole = (tmp_path / x for x in ("kept.npz", "part run.npz", "whole.npz"))
    command = [sys.executable, "-m", "jourdain", "simulate"]
    slowly = [sys.executable, "-c", SLOWLY, "simulate"]
    options = ["chain:6", "--q", "q1=1", "--time", "400"]
    environment = {**os.environ, VARIABLE: str(cache_folder)}
    process = subprocess.Popen(
        [*slowly, *options, "--save", str(saved), "--checkpoint", str(kept), "--checkpoint-every", "0.05"],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not kept.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "The run ended early: interrupted" in out and f"wrote {saved}" in err
    assert f"go on with: jourdain simulate chain:6 --resume {kept}" in err
    assert err.splitlines()[-1].startswith("jourdain: interrupted at ")
    part = load_run(saved)
    assert part.status.name == "INTERRUPTED" and 0.0 < part.t[-1] < 400.0
    texts = []
    for name, more in ((saved, ["chain:6", "--resume", str(kept)]), (whole, options)):
        done = subprocess.run([*command, *more, "--save", str(name)], env=environment, text=True, capture_output=True,
                              check=True)  # fmt: skip
        texts.append(done.stdout.splitlines()[2:])
    assert texts[0] == texts[1]
    assert load_run(saved).q.tobytes() == load_run(whole).q.tobytes()


def test_ctrl_c_without_a_checkpoint_says_what_to_do(
    jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(run: CompiledRun, progress: object = None) -> None:
        run.session["status"] = Status.INTERRUPTED.value

    monkeypatch.setattr(CompiledRun, "go", stop)
    done = jourdain("simulate", "pendulum")
    assert done.status == 130
    assert "interrupted at 0 s; to be able to go on, name a file with --checkpoint" in done.err


def test_what_cannot_be_gone_on_with(jourdain: Jourdain, tmp_path: Path) -> None:
    for more, reason in (
        (["--resume", str(tmp_path / "no.npz")], "there is no such file"),
        (["--resume", "a.npz", "--q", "angle=1"], "leave out --q, --u, --checkpoint"),
        (["--resume", "a.npz", "--checkpoint", "b.npz"], "leave out --q, --u, --checkpoint"),
        (["--checkpoint", "a.dat"], "name a file that ends with .npz"),
        (["--checkpoint", "a.npz", "--checkpoint-every", "-1"], "a number of seconds is needed"),
        (["--animate", "a.avi"], "name a file that ends with .html or .gif or .mp4"),
    ):
        done = jourdain("simulate", "pendulum", *more)
        assert done.status == 2 and reason in done.err
    wrong = tmp_path / "wrong.npz"
    np.savez(wrong, t=np.zeros(3))
    done = jourdain("simulate", "pendulum", "--resume", str(wrong))
    assert done.status == 2 and "it is no checkpoint" in done.err
