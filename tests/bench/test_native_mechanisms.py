"""`benchmarks/native_mechanisms.py` reads mechanisms as plain JSON and times the product's own code."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.native import Cache

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "native_mechanisms.py"
EYE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
TURNED = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
ALL = ["inverse_dynamics", "forward_dynamics", "mass_matrix"]


def joint(name: str, parent: str, kind: str, rotation: tuple[tuple[int, ...], ...]) -> dict[str, Any]:
    """About, or along, its own z."""
    inertia = [[0.2, 0.01, 0.0], [0.01, 0.3, 0.02], [0.0, 0.02, 0.4]]
    return {
        "name": name, "parent": parent, "type": kind, "axis": [0, 0, 1], "rotation": [list(row) for row in rotation],
        "translation": [0.1, 0.0, 0.5], "mass": 1.5, "com": [0.0, 0.1, -0.2], "inertia": inertia,
    }  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.json"
    joints = [joint("a", "ground", "revolute", EYE), joint("b", "a", "prismatic", TURNED)]
    path.write_text(json.dumps({"name": "two", "gravity": [0, 0, -9.81], "joints": joints}))
    return path


@pytest.mark.parametrize("more", [[], ["--numbers"], ["--single", "--functions", "inverse_dynamics"]], ids=" ".join)
def test_it_runs(
    more: list[str], file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(file), "--seconds", "0.001", *more])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    _, *lines = capsys.readouterr().out.splitlines()
    names = [line.split()[1] for line in lines]
    assert names == (ALL[:1] if "--single" in more else ALL)
    for line in lines:
        assert min(map(float, line.split()[2:])) >= 0.0


def test_what_it_reads(file: Path) -> None:
    """Data are parameters or numbers, as asked for; the mechanism is the same, and the file's."""
    reader = runpy.run_path(str(SCRIPT))["Reader"]
    symbols, numbers = reader(False).system(file), reader(True).system(file)
    assert symbols.parameters
    assert not numbers.parameters
    q, u, udot = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 2))
    one, other = (jd.compile(x, cache=Cache(None)).inverse_dynamics(q, u, udot) for x in (symbols, numbers))
    assert np.abs(one - other).max() < 1e-13
    # The second body slides along the first one's −y: at rest it weighs nothing there.
    assert abs(jd.compile(numbers, cache=Cache(None)).gravity_forces(np.zeros(2))[1]) < 1e-14
