"""The cache: a second start compiles nothing, and nothing that happens to the files is ever an error."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from jourdain.native import Cache, build, compile_program, default_cache
from jourdain.native import cache as module
from jourdain.native.build import cache_key
from jourdain.program import hoist
from jourdain.targets.llvm import Form, assemble, host

from .compiled import PARAMETERS, arm, assert_same, compiled

START = """
import sys
from jourdain.native import build, compile_program
from tests.native.compiled import PARAMETERS, arm
if "--no-compiler" in sys.argv:
    def assemble(text, level):
        raise AssertionError("LLVM was asked to compile")
    build.assemble = assemble
function = compile_program(arm(), piece=9)
a, B, c = function.bind(PARAMETERS)([0.1, 0.2, 0.3], [1.0, 2.0, 3.0], 0.5)
print(function.cached, a.tobytes().hex(), B.tobytes().hex(), float(c).hex())
"""


def start(folder: str, *arguments: str) -> subprocess.Popen[str]:
    """A process that compiles and calls."""
    environment, pipe = os.environ | {"JOURDAIN_CACHE": folder}, subprocess.PIPE
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


def finished(process: subprocess.Popen[str]) -> list[str]:
    told, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return told.split()


def called(cache: Cache, piece: int = 1000) -> tuple[bool, bytes]:
    """Whether the code was on the disk, and what it computes."""
    function = compile_program(arm(), cache=cache, piece=piece)
    a, _, _ = function.bind(PARAMETERS)(np.full(3, 0.5), np.ones(3), 2.0)
    return function.cached, a.tobytes()


def files(folder: Path) -> list[str]:
    return sorted(path.suffix for path in folder.iterdir())


def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    first, *results = finished(start(str(tmp_path)))
    assert first == "False"
    assert files(tmp_path) == [".o"]
    assert finished(start(str(tmp_path), "--no-compiler")) == ["True", *results]


def test_two_processes_at_once(tmp_path: Path) -> None:
    """Both may compile; both get it right, and one file is left."""
    folder = tmp_path / "not" / "yet"
    processes = [start(str(folder)) for _ in range(2)]
    results = [finished(process)[1:] for process in processes]
    assert results[0] == results[1]
    assert files(folder) == [".o"]
    assert finished(start(str(folder), "--no-compiler")) == ["True", *results[0]]


def test_an_empty_name_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURDAIN_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == Cache(None)
    cache = default_cache()
    cache.store("key", [b"code"])
    assert cache.load("key") is None
    assert called(cache) == called(cache)
    assert not called(cache)[0]
    assert not list(tmp_path.iterdir())


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURDAIN_CACHE", str(tmp_path))
    assert default_cache().folder == tmp_path
    monkeypatch.delenv("JOURDAIN_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    folders = {
        "linux": tmp_path / ".cache" / "jourdain",
        "darwin": tmp_path / "Library" / "Caches" / "jourdain",
        "win32": tmp_path / "AppData" / "Local" / "jourdain" / "cache",
    }
    for platform, folder in folders.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert default_cache().folder == folder
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_cache().folder == tmp_path / "xdg" / "jourdain"

    def homeless() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setattr(Path, "home", homeless)
    assert default_cache() == Cache(None)


def test_damaged_files_count_as_absent_and_are_replaced(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    _, expected = called(cache)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = [
        b"", whole[:20], whole[:middle], whole[:-1], whole + b"\0", b"X" + whole[1:], whole[::-1], b"\0" * len(whole),
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ]
    for data in damaged:
        path.write_bytes(data)
        assert called(cache) == (False, expected)
        assert path.read_bytes() == whole, "the damaged file is written anew"
        assert called(cache) == (True, expected)


def test_a_file_that_cannot_be_read_counts_as_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    _, expected = called(cache)
    (path,) = tmp_path.iterdir()
    path.unlink()
    path.mkdir()
    assert called(cache) == (False, expected)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = called(Cache(None))
    occupied = tmp_path / "file"
    occupied.write_text("a file, where the folder should be")
    assert called(Cache(occupied)) == expected
    assert called(Cache(occupied / "below")) == expected

    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert called(Cache(tmp_path)) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    Cache(tmp_path).store("key", [b"code"])
    assert not list(tmp_path.iterdir())


def test_the_oldest_files_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=1000)
    for i in range(3):
        cache.store(f"key{i}", [bytes(200)])
        os.utime(tmp_path / f"key{i}.o", (i, i))
    assert cache.load("key0") == [bytes(200)]  # used now, so that key1 is the oldest
    (tmp_path / "note.txt").write_bytes(bytes(5000))  # not ours
    cache.store("key3", [bytes(200)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key0.o", "key2.o", "key3.o", "note.txt"]
    (tmp_path / "left.part").write_bytes(bytes(900))  # of a process that was killed
    os.utime(tmp_path / "left.part", (0, 0))
    cache.store("key4", [bytes(100)])
    assert not (tmp_path / "left.part").exists()
    assert cache.load("key4") == [bytes(100)]


def test_what_is_larger_than_the_limit_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=1000)
    cache.store("small", [b"x"])
    cache.store("large", [bytes(1001)])
    assert [path.name for path in tmp_path.iterdir()] == ["small.o"]


def test_several_objects_come_back_as_they_were(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    objects = [b"", b"one", bytes(range(256))]
    cache.store("key", objects)
    assert cache.load("key") == objects
    assert cache.load("other") is None
    assert (tmp_path / "key.o").read_bytes().startswith(module.MAGIC)


@pytest.mark.parametrize("stop", [0, 1, 2])
def test_ctrl_c_between_modules_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    cache = Cache(tmp_path)
    function = compile_program(arm(), cache=cache, piece=9)
    done: list[str] = []

    def interrupted(text: str, level: int) -> bytes:
        if len(done) == stop:
            raise KeyboardInterrupt
        done.append(text)
        return assemble(text, level)

    with monkeypatch.context() as patched:
        patched.setattr(build, "assemble", interrupted)
        with pytest.raises(KeyboardInterrupt):
            function.bind(PARAMETERS)
    assert len(done) == stop
    assert not list(tmp_path.iterdir())
    q = np.full((9, 3), 0.3)
    found = function.bind(PARAMETERS)(q, q, 1.0)  # the same object goes on as if nothing had been
    for y, expected in zip(found, compiled(arm()).bind(PARAMETERS)(q, q, 1.0)):
        assert_same(y, expected)
    assert not function.cached
    assert files(tmp_path) == [".o"]


def test_the_key_is_of_the_code_alone() -> None:
    """Not of names; of everything that code depends on."""
    form = Form.of(64, host())
    key = cache_key(hoist(arm()), form)
    assert cache_key(hoist(arm("other name")), form) == key
    others = [
        cache_key(hoist(arm(constant=0.25)), form), cache_key(hoist(arm()), Form.of(32, host())),
        cache_key(hoist(arm()), Form(64, 1)), cache_key(hoist(arm()), Form.of(64, host(), 9)),
    ]
    assert len({key, *others}) == 5


def test_precisions_and_pieces_are_kept_apart(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for dtype in (np.float64, np.float32):
        for piece in (9, 1000):
            assert not compile_program(arm(), dtype, cache=cache, piece=piece).cached
    assert files(tmp_path) == [".o"] * 4
    assert compile_program(arm(), np.float32, cache=cache, piece=9).cached


def test_time_is_told_either_way(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for cached in (False, True):
        function = compile_program(arm(), cache=cache)
        assert 0.0 < function.compile_seconds < 60.0
        assert function.cached is cached
