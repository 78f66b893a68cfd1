"""Results and progress kept apart; tables and times for reading."""

from __future__ import annotations

import io
import os
import shutil

import pytest

from jourdain.console import Console, duration, table


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


def test_results_and_progress_are_apart() -> None:
    console = Console(io.StringIO(), io.StringIO())
    console.progress("looking")
    console.print("found")
    console.note("by the way")
    console.close()
    assert isinstance(console.out, io.StringIO)
    assert isinstance(console.err, io.StringIO)
    assert console.out.getvalue() == "found\n"
    assert console.err.getvalue() == "looking\nby the way\n"


def test_on_a_terminal_progress_gives_way() -> None:
    err = Terminal()
    console = Console(io.StringIO(), err)
    console.progress("a long line")
    console.progress("short")
    console.print("result")
    console.close()
    assert err.getvalue() == f"a long line\r{' ' * 11}\rshort\r{' ' * 5}\r"


def test_a_line_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((20, 24)))
    err = Terminal()
    console = Console(io.StringIO(), err)
    console.progress("x" * 100)
    assert err.getvalue() == "x" * 19


def test_a_step_says_what_it_took() -> None:
    err = io.StringIO()
    with Console(io.StringIO(), err).step("working"):
        pass
    first, second = err.getvalue().splitlines()
    assert first == "working …"
    assert second.startswith("working: ")


def test_columns_of_numbers_are_set_to_the_right() -> None:
    assert table(["", "mul", "note"], [["one", "5", "a"], ["three", "1234", "bc"]]) == (
        "        mul  note\n─────────────────\none       5  a\nthree  1234  bc"
    )


def test_a_table_without_rows() -> None:
    assert table(["a", "bc"], []) == "a  bc\n─────"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ns"), (3.2e-9, "3.2 ns"), (47e-9, "47 ns"), (1.5e-3, "1.5 ms"), (0.9996, "1 s"), (9.996e-4, "1 ms"),
        (999.4e-6, "999 µs"), (2.314, "2.31 s"), (59.9, "59.9 s"), (1234.4, "1230 s"), (0.25, "250 ms"),
    ],
)  # fmt: skip
def test_times_for_reading(seconds: float, text: str) -> None:
    assert duration(seconds) == text
