"""Building once by content, and plain words for what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jourdain.bench import toolchain
from jourdain.bench.machine import machine, processor_name
from jourdain.bench.timing import fastest_call_ns
from jourdain.bench.toolchain import (
    Missing,
    Refused,
    build,
    c_compiler,
    cache_folder,
    compiler,
    compiler_version,
    eigen,
    make,
    output_lines,
    package,
    processor,
    version_of,
)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A "compiler" that copies its source, and counts how often."""
    path = tmp_path / "copier.py"
    path.write_text(
        f"#!{sys.executable}\nimport sys, pathlib, time\n"
        "if '--version' in sys.argv: print('copier 1.0'); raise SystemExit\n"
        "with pathlib.Path(__file__).with_name('log').open('a') as log: log.write('x')\n"
        "source, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[sys.argv.index('-o') + 1])\n"
        "text = source.read_text()\n"
        "if 'slow' in text: time.sleep(30)\n"
        "if 'bad' in text: print('in file\\nerror: bad word', file=sys.stderr); raise SystemExit(1)\n"
        "if 'silent' in text: raise SystemExit(1)\n"
        "output.write_text(text)\n"
    )
    path.chmod(0o755)
    return path


def runs(script: Path) -> int:
    return len(script.with_name("log").read_text())


def source(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "source.txt"
    path.write_text(text)
    return path


def test_built_once_for_the_same_content(script: Path, tmp_path: Path) -> None:
    first = source(tmp_path, "good 1")
    made = make("out", [str(script), str(first)], [first])
    assert made.file.read_text() == "good 1"
    assert made.seconds > 0.0
    again = make("out", [str(script), str(first)], [first])
    assert again == made
    assert runs(script) == 1
    other = source(tmp_path, "good 2")
    assert build("out", [str(script), str(other)], [other]).read_text() == "good 2"
    assert runs(script) == 2


def test_what_it_depends_on_counts(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = source(tmp_path, "depends")
    one = build("out", [str(script), str(first)], [first], ["numpy"])
    monkeypatch.setattr(toolchain, "version_of", lambda wheel: f"newer {wheel}")
    assert build("out", [str(script), str(first)], [first], ["numpy"]) != one


@pytest.mark.parametrize(("text", "reason"), [("bad", "error: bad word"), ("silent", "no message")])
def test_a_compiler_that_fails(script: Path, tmp_path: Path, text: str, reason: str) -> None:
    path = source(tmp_path, text)
    with pytest.raises(Missing, match=rf"copier\.py failed on out: {reason}$"):
        make("out", [str(script), str(path)], [path])


def test_a_compiler_that_takes_too_long(script: Path, tmp_path: Path) -> None:
    path = source(tmp_path, "slow")
    with pytest.raises(Refused, match=r"took more than 0 s over out"):
        make("out", [str(script), str(path)], [path], limit=0.4)


def test_the_folder_is_the_users_own() -> None:
    folder = cache_folder()
    assert folder.name == "peers"
    assert folder.stat().st_mode & 0o077 == 0


def test_without_a_home_builds_go_to_a_temporary_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JOURDAIN_CACHE", "")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert cache_folder() == tmp_path / f"jourdain-{os.getpid()}" / "peers"


# -- what is there --------------------------------------------------------------------------------------------------


def test_compilers_by_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [compiler(kind) for kind in ("clang++", "g++", "cc")] == [None, None, None]
    with pytest.raises(Missing, match="no C compiler here: install gcc or clang"):
        c_compiler()
    for name in ("clang++-16", "clang++-15", "clang"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert (compiler("clang++"), compiler("cc"), c_compiler()) == ("clang++-16", "clang", "clang")


def test_versions(script: Path) -> None:
    assert compiler_version(str(script)) == "copier 1.0"
    assert version_of("numpy") != ""
    assert version_of("no-such-wheel") == ""


def test_packages() -> None:
    assert (package("numpy", "numpy") / "__init__.py").exists()
    with pytest.raises(Missing, match="no_such_module is not installed: pip install no-such-wheel"):
        package("no_such_module", "no-such-wheel")


def test_eigen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "Eigen").mkdir()
    (tmp_path / "Eigen" / "Core").write_text("")
    monkeypatch.setenv("EIGEN3_INCLUDE_DIR", str(tmp_path))
    assert eigen() == [f"-I{tmp_path}"]
    monkeypatch.setattr(Path, "exists", lambda _: False)
    with pytest.raises(Missing, match="no Eigen headers: install libeigen3-dev"):
        eigen()


def test_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processor_name()

    def unreadable(*_: object) -> str:
        raise OSError

    processor.cache_clear()
    monkeypatch.setattr(Path, "read_text", unreadable)
    try:
        assert processor()
        assert processor_name()
    finally:
        processor.cache_clear()


def test_machine_says_what_figures_belong_to() -> None:
    found = machine()
    assert {"processor", "cores", "lanes_float64", "system", "python", "versions", "compilers"} <= found.keys()
    assert found["versions"]["numpy"] == version_of("numpy")


# -- programs -------------------------------------------------------------------------------------------------------


def test_lines_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\necho a 1 2.5\necho $1 -3e-2\n")
    path.chmod(0o755)
    assert output_lines(path, "b") == [("a", [1.0, 2.5]), ("b", [-0.03])]


def test_programs_that_fail_or_never_end(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\necho no such file >&2\nexit 3\n")
    path.chmod(0o755)
    with pytest.raises(Refused, match="program ended with status 3: no such file"):
        output_lines(path)
    path.write_text("#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(Refused, match="program took more than 0 s"):
        output_lines(path, limit=0.2)


def test_the_timing_loop_of_c() -> None:
    """Its header compiles and measures, where there is a compiler."""
    command = compiler("cc")
    if command is None:
        with pytest.raises(Missing):
            c_compiler()
        return
    text = (
        '#include "fastest.h"\n#include <stdio.h>\n'
        "static void wait(void *x) { double end = clock_ns() + 2000; (void)x; while (clock_ns() < end); }\n"
        'int main(void) { printf("ns %f\\n", fastest_ns(wait, 0, 0.01)); return 0; }\n'
    )
    path = cache_folder() / "loop.c"
    path.write_text(text)
    program = build("loop", [command, "-O2", f"-I{toolchain.NATIVE}", str(path)], [path])
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert 2000.0 <= float(done.stdout.split()[1]) < 20000.0


def test_time_of_a_call_from_python() -> None:
    calls = []
    assert fastest_call_ns(lambda: calls.append(1), 1e-3) > 1.0
    assert len(calls) > 100
