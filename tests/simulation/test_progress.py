"""How far a run is: a bar on a terminal, lines elsewhere, nothing where nobody asked."""

from __future__ import annotations

import io
from typing import Any

import pytest

import jourdain as jd
from jourdain.console import Console, Meter, long_duration
from jourdain.simulation.progress import Told

from .mechanisms import oscillator


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Goes on by as much at every look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def told(err: io.StringIO, step: float, shares: list[float]) -> str:
    found = Told(Console(io.StringIO(), err), "arm", 2.0, 12.0, Clock(step))
    for share in shares:
        found(share)
    found.close()
    return err.getvalue()


def test_a_bar_says_what_is_done_how_fast_and_how_long_still() -> None:
    line = Meter("arm", 2.0, 12.0, width=8).line(0.25, 10.0)
    assert line == "arm ▕██      ▏ 4.5 of 12 s, 0.25 s/s, 30 s left"
    assert Meter("arm", 0.0, 1.0, width=8).line(0.3, 0.0) == "arm ▕██▍     ▏ 0.3 of 1 s"
    assert "▕████████▏ 1 of 1 s" in Meter("arm", 0.0, 1.0, width=8).line(1.2, 3.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (59.6, "1 min"), (200.0, "3 min 20 s"), (7500.0, "2 h 5 min"), (273600.0, "3 d 4 h")],
)
def test_times_to_wait(seconds: float, words: str) -> None:
    assert long_duration(seconds) == words


def test_on_a_terminal_one_line_is_written_over_and_wiped() -> None:
    text = told(Terminal(), 0.2, [0.25, 0.5, 1.0])
    assert "\n" not in text
    assert text.count("arm ▕") == 3 and "4.5 of 12 s" in text and text.endswith("\r")
    assert told(Terminal(), 0.01, [0.25, 0.5]) == ""  # too soon to look again


def test_elsewhere_there_is_a_line_now_and_then() -> None:
    lines = told(io.StringIO(), 1.5, [k / 100 for k in range(101)]).splitlines()
    assert 5 <= len(lines) <= 10 and all(x.startswith("arm ▕") for x in lines)
    assert told(io.StringIO(), 0.001, [0.5, 1.0]) == ""


def test_true_tells_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def run(progress: Any) -> tuple[str, str]:
        jd.simulate(oscillator(), [1.0], [0.0], [0.0, 20.0], method=jd.RK4(1e-3), progress=progress)
        out, err = capsys.readouterr()
        return out, err

    monkeypatch.setattr("jourdain.simulation.progress.SELDOM", 0.0)
    monkeypatch.setattr("jourdain.simulation.progress.TENTH", 0.0)
    out, err = run(True)
    assert out == "" and "oscillator ▕" in err and " of 20 s" in err
    assert run(None) == run(False) == ("", "")
    own = io.StringIO()
    assert run(Console(io.StringIO(), own)) == ("", "") and "oscillator ▕" in own.getvalue()
