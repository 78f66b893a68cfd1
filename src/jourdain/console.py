"""Where a command writes: results to standard output, progress to standard error, plain when that is not a terminal."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

NUMERIC = frozenset("+-0123456789.—–")


class Console:
    """Results and progress, kept apart so that results can be piped."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        # Python has None for a stream that was closed before it started (`jourdain list 2>&-`).
        self.out = out or sys.stdout or io.StringIO()
        self.err = err or sys.stderr or io.StringIO()
        self._pending = 0  # length of a progress line that the next one overwrites

    @property
    def live(self) -> bool:
        """Whether a progress line can be overwritten: only on a terminal."""
        return self.err.isatty()

    def print(self, text: str = "") -> None:
        """A line of the result."""
        self._clear()
        self.out.write(text + "\n")
        self.out.flush()

    def note(self, text: str) -> None:
        """A line beside the result that stays: what was skipped, where something was written."""
        self._clear()
        self.err.write(text + "\n")
        self.err.flush()

    def progress(self, text: str) -> None:
        """What is being done now; on a terminal it gives way to the next line, elsewhere it is a line of its own."""
        if not self.live:
            self.note(text)
            return
        self._clear()
        line = text[: shutil.get_terminal_size().columns - 1]  # what wraps cannot be overwritten
        self.err.write(line)
        self.err.flush()
        self._pending = len(line)

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Progress around a piece of work, with the time that it took."""
        self.progress(f"{text} …")
        start = time.perf_counter()
        yield
        self.note(f"{text}: {duration(time.perf_counter() - start)}")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Columns as wide as they need be; a column of numbers is set to the right."""
        self.print(table(header, rows))

    def close(self) -> None:
        """Wipes a progress line that is still there."""
        self._clear()

    def _clear(self) -> None:
        if self._pending:
            self.err.write("\r" + " " * self._pending + "\r")
            self.err.flush()
            self._pending = 0


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table: header, rule, rows; two spaces between columns."""
    columns = list(zip(header, *rows))
    widths = [max(map(len, column)) for column in columns]
    right = [all(not cell or cell[0] in NUMERIC for cell in column[1:]) for column in columns]

    def line(cells: Sequence[str]) -> str:
        parts = [cell.rjust(w) if to_right else cell.ljust(w) for cell, w, to_right in zip(cells, widths, right)]
        return "  ".join(parts).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    return "\n".join([line(header), rule, *map(line, rows)])


def duration(seconds: float) -> str:
    """A time for reading, to three digits: 1.5 ms, 2.31 s."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        value = float(f"{seconds * factor:.3g}")  # 999.7 µs are 1 ms
        if value >= 1.0:
            return f"{value:.3g} {unit}" if value < 1000.0 else f"{value:.0f} {unit}"
    return f"{seconds * 1e9:.3g} ns"


class Meter:
    """How far something is, as a line: a bar, the time simulated, the rate, and the time left."""

    def __init__(self, name: str, start: float, final: float, width: int = 24) -> None:
        self.name, self.start, self.final, self.width = name, start, final, width

    def line(self, share: float, spent: float) -> str:
        """share: what is done, from 0 to 1; spent: seconds since the beginning."""
        share = min(max(share, 0.0), 1.0)
        eighths = int(share * self.width * 8)
        bar = "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
        span = self.final - self.start
        line = f"{self.name} ▕{bar.ljust(self.width)}▏ {self.start + share * span:.5g} of {self.final:.5g} s"
        if share > 0.0 and spent > 0.0:
            line += f", {share * span / spent:.3g} s/s, {long_duration(spent * (1.0 - share) / share)} left"
        return line


def long_duration(seconds: float) -> str:
    """A time to wait, roughly: 45 s, 3 min 20 s, 2 h 5 min, 3 d 4 h."""
    whole = int(seconds + 0.5)
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    first = next((k for k, (value, _) in enumerate(parts) if value), len(parts) - 1)
    return " ".join(f"{value} {unit}" for value, unit in parts[first : first + 2] if value) or "0 s"
