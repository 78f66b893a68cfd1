"""`jourdain export`: files, and mistakes said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jourdain.cli.main import main


def test_files_are_written_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    assert main(["export", "pendulum", "--to", "wasm", "-o", str(folder), "--q", "angle=0.5", "--step", "0.002"]) == 0
    names = sorted(x.name for x in folder.iterdir())
    assert names == ["pendulum.html", "pendulum.js", "pendulum.wasm"]
    told = capsys.readouterr().out
    assert all(name in told for name in names)
    assert '"step":0.002' in (folder / "pendulum.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "fortran"], "--to fortran: there is no such target; there are wasm"),
        (["--to", "wasm", "--q", "angel=1"], "there is no coordinate 'angel'"),
        (["--to", "wasm", "--step", "-1"], "a step of -1.0 s; a positive number is needed"),
    ],
)
def test_mistakes(arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    assert main(["export", "pendulum", "-o", str(folder), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not folder.exists()


def test_a_file_where_the_folder_should_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "taken"
    path.write_text("")
    assert main(["export", "pendulum", "--to", "wasm", "-o", str(path)]) == 2
    assert "there is a file of this name" in capsys.readouterr().err
