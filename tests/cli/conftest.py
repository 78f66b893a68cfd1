"""Machine code of these tests is kept in a folder of their own, not in the user's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jourdain.cli import main
from jourdain.native.cache import VARIABLE


@dataclass(frozen=True)
class Done:
    """A command's exit status and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The one line that says why it failed."""
        assert "Traceback" not in self.err
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


Jourdain = Callable[..., Done]


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests, so that the same code is made once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(cache_folder))
    monkeypatch.delenv("JOURDAIN_TRACEBACK", raising=False)


@pytest.fixture
def jourdain(capsys: pytest.CaptureFixture[str]) -> Jourdain:
    """Runs the command in this process."""

    def run(*arguments: str) -> Done:
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run
