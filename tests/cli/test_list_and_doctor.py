"""`jourdain list` and `jourdain doctor`."""

from __future__ import annotations

import inspect
import webbrowser
from pathlib import Path

import pytest

from jourdain import gallery
from jourdain.bench.toolchain import CLANGS
from jourdain.cli import doctor
from jourdain.cli.names import gallery_entries
from jourdain.native.cache import VARIABLE

from .conftest import Jourdain


def test_a_line_an_entry(jourdain: Jourdain) -> None:
    done = jourdain("list")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == list(gallery_entries())
    for line, entry in zip(lines, gallery.__all__):
        text = inspect.getdoc(getattr(gallery, entry))
        assert text is not None
        assert line.split(maxsplit=1)[1] == text.split("\n\n")[0]


# -- doctor ---------------------------------------------------------------------------------------------------------


def test_all_is_well(jourdain: Jourdain, cache_folder: Path) -> None:
    done = jourdain("doctor")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "Everything that Jourdain needs is here."
    assert "✗" not in done.out
    for section in doctor.SECTIONS:
        assert f"{section}\n" in done.out
        assert f"looking at: {section}" in done.err
    assert "compiled and right, in " in done.out
    assert f"{cache_folder} (set {VARIABLE} for another)" in done.out


def test_a_package_that_is_missing(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are needed: status 1; of the others: said, with what to install."""
    monkeypatch.setattr(doctor, "NEEDED", ("numpy", "no-such-package"))
    monkeypatch.setattr(doctor, "OPTIONAL", {"no-such-extra": "to levitate"})
    done = jourdain("doctor")
    assert done.status == 1
    assert "✗ no-such-package  needed: pip install no-such-package" in done.out
    assert done.out.splitlines()[-1] == "Not well: no-such-package"
    assert "– no-such-extra  to levitate: pip install no-such-extra" in done.out


def test_without_compilers_or_browser(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Optional, so status 0; and each says what to install."""

    def none(*_: object) -> object:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setattr("jourdain.bench.toolchain.Path.exists", lambda _: False)
    findings = {finding.what: finding for finding in doctor.optional()}
    for kind in ("clang++", "g++", "cc"):
        assert findings[kind].good is None
        assert findings[kind].found.startswith("install ")
    assert findings["Eigen"].good is None
    assert "install libeigen3-dev" in findings["Eigen"].found
    assert findings["browser"] == doctor.Finding("browser", "none found; pages can be opened elsewhere", None)


def test_a_browser_of_the_systems_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Named:
        name = "some-browser"

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(webbrowser, "get", Named)
    assert {x.what: x.found for x in doctor.optional()}["browser"] == "some-browser"


def test_code_that_does_not_compile_or_is_wrong(monkeypatch: pytest.MonkeyPatch, jourdain: Jourdain) -> None:
    def failing(*_: object, **__: object) -> object:
        raise RuntimeError("LLVM ERROR: no such processor")

    monkeypatch.setattr("jourdain.native.compile_program", failing)
    done = jourdain("doctor")
    assert done.status == 1
    assert "✗ machine code  RuntimeError: LLVM ERROR: no such processor" in done.out

    class Wrong:
        def bind(self) -> object:
            return lambda _: [1.0]

    monkeypatch.setattr("jourdain.native.compile_program", lambda *_, **__: Wrong())
    done = jourdain("doctor")
    assert done.status == 1
    assert "✗ machine code  wrong: 1.0" in done.out


def test_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    (finding,) = doctor.cache()
    assert finding.good is None
    assert "every start compiles anew" in finding.found


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "cache"))
    findings = {finding.what: finding for finding in doctor.cache()}
    assert findings["writable"].good is None
    assert findings["writable"].found.startswith("no: ")


def test_the_cache_is_weighed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (tmp_path / "peers" / "x").mkdir(parents=True)
    (tmp_path / "a.o").write_bytes(bytes(300_000))
    (tmp_path / "peers" / "x" / "loop").write_bytes(bytes(2_000_000))
    (tmp_path / "peers" / "x" / "loop.seconds").write_text("60.0")
    findings = {finding.what: finding.found for finding in doctor.cache()}
    assert findings["machine code"] == "1 file, 0.3 MB"
    assert findings["peers' programs"] == "2 files, 2.0 MB"
    assert findings["writable"] == "yes"


def test_clangs_are_looked_for_newest_first() -> None:
    versions = [int(name.split("-")[1]) for name in CLANGS[1:]]
    assert versions == sorted(versions, reverse=True)


# -- doctor --realtime ----------------------------------------------------------------------------------------------


def test_how_late_a_loop_is(jourdain: Jourdain) -> None:
    done = jourdain("doctor", "--realtime", "--seconds", "0.01")
    assert done.status == 0
    lines = done.out.splitlines()
    assert [line.split()[:3] for line in lines[2:14:6]] == [["100", "Hz", "nothing"], ["100", "Hz", "priority"]]
    assert lines[-1].startswith("Soft real time")
    assert "real-time priority (SCHED_FIFO 80): " in done.out
    assert "measured 12 of 12" in done.err


def test_a_system_without_such_a_clock(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "plan9")
    done = jourdain("doctor", "--realtime")
    assert done.status == 2
    assert "'plan9'" in done.reason
