"""`jourdain derive`: text, LaTeX, a page; mistakes in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from jourdain.cli import main


def test_it_prints_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "pendulum"]) == 0
    out, err = capsys.readouterr()
    assert "m*l**2*angleddot + m*g*l*sin(angle) = f[angle]" in out
    assert "deriving" not in out
    assert "deriving pendulum" in err


def test_it_prints_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "thin-disk", "--latex"]) == 0
    assert r"\begin{align*}" in capsys.readouterr().out


def test_it_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "arm.html"
    assert main(["derive", "stanford-arm", "--html", str(page)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert f"wrote {page}" in err
    assert ElementTree.parse(page).getroot().tag == "html"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["pendulun"], "pendulum"),
        (["pendulum", "--html", "no/such/folder/x.html"], "there is no folder"),
        (["pendulum", "--html", "."], "this is a folder"),
        (["pendulum", "--latex", "--html", "x.html"], "give one of them"),
        ([], "NAME"),
    ],
)
def test_mistakes_are_said_in_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["derive", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert len(err.strip().splitlines()) == 1


def test_a_reader_may_stop_reading() -> None:
    command = f"{sys.executable} -m jourdain derive chain:30 | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    assert done.stdout == "chain30\n"
    assert "Error" not in done.stderr
