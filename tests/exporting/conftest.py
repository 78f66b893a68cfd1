"""Machine code of these tests is kept in a folder of their own, not in the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from jourdain.native.cache import VARIABLE


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests, so that the same code is made once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(cache_folder))
