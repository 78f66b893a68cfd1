"""`jourdain bench`: the table, JSON, what is left out, wrong answers, Ctrl-C."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jourdain.bench.case import Peer
from jourdain.bench.toolchain import Missing
from jourdain.cli import bench, main

from .fakes import Fake, Interrupted, NotHere

QUICK = ("--seconds", "0.003")
FIELDS = ("model", "peer", "inverse_dynamics", "forward_dynamics", "mass_matrix", "batch", "derive_s", "compile_s")


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> list[Peer]:
    """The libraries to compare with, to be filled in."""
    found: list[Peer] = []
    monkeypatch.setattr("jourdain.bench.compare.all_peers", lambda: tuple(found))
    return found


def report(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def models(path: Path) -> list[str]:
    return [row["model"] for row in report(path)["results"] if row["peer"] == "jourdain"]


def test_table_and_json(peers: list[Peer], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peers += [Fake(), NotHere()]
    path = tmp_path / "figures.json"
    assert main(["bench", "--models", "pendulum", "--json", str(path), *QUICK]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert "SIMD lanes of float64" in lines[0]
    assert "pendulum, 1 speed" in lines
    header = next(line for line in lines if "inverse" in line and "mass matrix" in line)
    assert header.split() == ["inverse", "forward", "mass", "matrix", "derive", "compile", "note"]
    assert next(line for line in lines if line.startswith("fake")).split()[-2:] == ["not", "real"]
    assert any(line.startswith("  of 4096 at once") for line in lines)
    assert lines[-2:] == ["Left out:", "  absent: absent is not installed: pip install absent"]
    assert f"wrote {path}" in err
    found = report(path)
    assert set(found) == {"machine", "results", "skipped", "wrong"}
    assert {"processor", "cores", "versions", "compilers"} <= found["machine"].keys()
    assert [row["peer"] for row in found["results"]] == ["jourdain", "fake"]
    for row in found["results"]:
        assert set(FIELDS) <= row.keys()
    ours = found["results"][0]
    assert {"members", "inverse_dynamics", "forward_dynamics", "mass_matrix"} <= ours["batch"].keys()
    assert 0.0 < ours["inverse_dynamics"] < 1e5
    assert found["results"][1]["forward_dynamics"] is None
    assert found["skipped"] == ["absent: absent is not installed: pip install absent"]
    assert found["wrong"] == []


@pytest.mark.parametrize(
    "names",
    [
        ["pendulum,double-pendulum", "chain:2"],
        ["pendulum", "double-pendulum", "chain2"],
        ["pendulum,double-pendulum,chain:2,"],
    ],
)
def test_names_between_blanks_or_commas(names: Sequence[str], peers: list[Peer], tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    assert main(["bench", "--models", *names, "--json", str(path), *QUICK]) == 0
    assert models(path) == ["pendulum", "double-pendulum", "chain2"]


def test_what_is_measured_if_nothing_is_said() -> None:
    assert bench.MODELS == ("stanford-arm", "ur5", "panda")


def test_a_wrong_answer_is_status_1(peers: list[Peer], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Said in capitals and in the file; the other models are still measured."""
    peers += [Fake(factor=1.001)]
    path = tmp_path / "figures.json"
    assert main(["bench", "--models", "pendulum,chain:2", "--json", str(path), *QUICK]) == 1
    out, _ = capsys.readouterr()
    assert "WRONG ANSWER fake, pendulum: inverse dynamics differs by " in out
    assert "WRONG ANSWER fake, chain2: inverse dynamics differs by " in out
    assert models(path) == ["pendulum", "chain2"]
    assert len(report(path)["wrong"]) == 2


def test_ctrl_c_keeps_what_was_measured(
    peers: list[Peer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    peers += [Fake(), Interrupted(in_round=4)]  # in the second model's first round
    path = tmp_path / "figures.json"
    assert main(["bench", "--models", "pendulum,double-pendulum,chain:2", "--json", str(path), *QUICK]) == 130
    out, err = capsys.readouterr()
    assert "interrupted: the figures above are what was measured until then" in err
    assert "\npendulum, 1 speed" in out
    assert "chain2" not in out
    assert models(path) == ["pendulum", "double-pendulum"]
    assert [row["peer"] for row in report(path)["results"]][:3] == ["jourdain", "fake", "long"]


def test_ctrl_c_before_anything_was_measured(peers: list[Peer], tmp_path: Path) -> None:
    peers += [Interrupted()]
    path = tmp_path / "figures.json"
    assert main(["bench", "--models", "pendulum", "--json", str(path), *QUICK]) == 130
    assert report(path)["results"] == []


def test_robots_without_their_wheel(
    peers: list[Peer], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> object:
        raise Missing("example-robot-data is not installed: pip install example-robot-data")

    monkeypatch.setattr("jourdain.bench.robots.robot", missing)
    assert main(["bench", "--models", "ur5,pendulum", *QUICK]) == 0
    out, _ = capsys.readouterr()
    assert "\npendulum, 1 speed" in out
    assert out.endswith("Left out:\n  ur5: example-robot-data is not installed: pip install example-robot-data\n")


def test_no_compiler_is_said_plainly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the true peers: those that need none are measured, the others are left out, each with what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["bench", "--models", "chain:2", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert "; no compiler\n" in out
    assert "\npinocchio python  " in out
    assert "\nsympy KanesMethod  " in out
    assert "  pinocchio clang++: no clang++ here: install clang\n" in out
    assert "  mujoco C: no C compiler here: install gcc or clang\n" in out
    assert "  casadi C: " in out
    assert "Traceback" not in err


def test_peers_that_are_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """None of them: ours is measured all the same, and every one is said."""
    monkeypatch.setattr("jourdain.bench.toolchain.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    assert main(["bench", "--models", "pendulum", *QUICK]) == 0
    out, _ = capsys.readouterr()
    left = out.split("Left out:\n")[1].splitlines()
    assert left == [
        *(f"  {name}: Pinocchio is not installed: pip install pin" for name in _pinocchios()),
        "  casadi C: casadi is not installed: pip install casadi",
        "  mujoco C: mujoco is not installed: pip install mujoco",
        "  sympy KanesMethod: sympy is not installed: pip install sympy",
    ]
    assert "\njourdain  " in out


def _pinocchios() -> list[str]:
    from jourdain.bench.compare import all_peers

    return [peer.name for peer in all_peers() if peer.name.startswith("pinocchio")]


@pytest.mark.parametrize(
    ("path", "reason"),
    [("no/such/folder/f.json", "No such file or directory"), (".", "Is a directory")],
)
def test_json_that_cannot_be_written(
    path: str, reason: str, peers: list[Peer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Said before anything is measured."""
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "--models", "pendulum", "--json", path, *QUICK]) == 2
    out, err = capsys.readouterr()
    assert err == f"jourdain: --json {path} cannot be written: {reason}\n"
    assert out == ""


def test_an_unknown_model_is_said_before_anything(peers: list[Peer], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--models", "pendulum,rx91", *QUICK]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "no gallery entry 'rx91'; did you mean 'rx90'?" in err


def test_no_model_at_all(peers: list[Peer], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--models", ",", *QUICK]) == 2
    assert capsys.readouterr().err == "jourdain: --models names no model\n"
