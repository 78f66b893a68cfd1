"""Every tutorial and every paper's page is a program; here each is run as one."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib
import pytest
from tutorial_order import ORDER, PAPERS

HERE = Path(__file__).resolve().parent
PAGES = [*sorted((HERE / "tutorials").glob("*.py")), *sorted((HERE / "papers").glob("*.py"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib.use("agg")
    from matplotlib import pyplot

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pyplot, "show", lambda: None)
    try:
        runpy.run_path(str(page), run_name="__main__")
    finally:
        pyplot.close("all")
    assert not list(tmp_path.iterdir())  # a page leaves nothing behind


def test_every_page_has_its_place() -> None:
    assert {page.stem for page in PAGES} == {*ORDER, *PAPERS}
    index = (HERE / "index.rst").read_text(encoding="utf-8")
    for folder, names in (("tutorials", ORDER), ("papers", PAPERS)):
        listed = [line.split("/")[-1] for line in index.splitlines() if f"generated/{folder}/" in line]
        assert listed == list(names)
