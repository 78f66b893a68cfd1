"""Exit status and one-line reasons: 0, 2 for the user's mistakes, 1 for ours, 130 for Ctrl-C; never a traceback."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import jourdain as package
from jourdain.cli import main
from jourdain.cli.main import COMMANDS
from jourdain.model.mistakes import Mistake, ModelError, ModelWarning, Where

from .conftest import Jourdain

COMMAND = [sys.executable, "-m", "jourdain"]


def raising(error: BaseException) -> Callable[..., int]:
    """A command that does nothing else."""

    def run(*_: object) -> int:
        raise error

    return run


# -- what succeeds --------------------------------------------------------------------------------------------------


def test_version(jourdain: Jourdain) -> None:
    done = jourdain("--version")
    assert (done.status, done.out) == (0, f"jourdain {package.__version__}\n")


def test_help_names_every_command(jourdain: Jourdain) -> None:
    done = jourdain("--help")
    assert done.status == 0
    for command in COMMANDS:
        assert re.search(rf"^ +{command.NAME} +\S", done.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.NAME)
def test_every_command_has_help(command: object, jourdain: Jourdain) -> None:
    done = jourdain(command.NAME, "--help")  # type: ignore[attr-defined]
    assert done.status == 0
    assert done.out.startswith(f"usage: jourdain {command.NAME}")  # type: ignore[attr-defined]


# -- mistakes of the user's -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the following arguments are required: COMMAND (see `jourdain --help`)"),
        (["count"], "the following arguments are required: NAME (see `jourdain count --help`)"),
        (["cuont", "x"], "invalid choice: 'cuont'"),
        (["list", "--all"], "unrecognized arguments: --all"),
        (["bench", "--seconds", "0"], "'0' is not a positive number of seconds"),
        (["bench", "--seconds", "soon"], "'soon' is not a positive number of seconds"),
        (["count", "stanfrod"], "no gallery entry 'stanfrod'; did you mean 'stanford-arm'?"),
    ],
)
def test_mistakes_are_a_line_and_status_2(arguments: list[str], reason: str, jourdain: Jourdain) -> None:
    done = jourdain(*arguments)
    assert (done.status, done.out) == (2, "")
    assert reason in done.reason
    assert done.reason.startswith("jourdain: ")


@pytest.mark.parametrize(
    "error", [OSError("no such disk"), ImportError("no such package"), FileNotFoundError(2, "No such file")], ids=repr
)
def test_files_and_packages_are_the_users(
    error: Exception, jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(error))
    done = jourdain("list")
    assert done.status == 2
    assert str(error) in done.reason


def test_a_file_that_cannot_be_used_is_named_first(jourdain: Jourdain, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.symlink_to(tmp_path / "nowhere" / "page.html")
    assert jourdain("derive", "pendulum", "--html", str(path)).err.endswith(
        f"jourdain: {path}: No such file or directory\n"
    )


def test_a_models_mistakes_are_a_line_each(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelError("cart", [Mistake("first", Where("cart.py", 3)), Mistake("second", Where("cart.py", 4))])
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(error))
    done = jourdain("list")
    assert done.status == 2
    assert done.err == "jourdain: model 'cart' has 2 mistakes:\n  cart.py:3: first\n  cart.py:4: second\n"


# -- mistakes of ours, Ctrl-C, pipes --------------------------------------------------------------------------------


def test_a_mistake_of_ours_is_said_and_status_1(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(ZeroDivisionError("1/0\nhere")))
    done = jourdain("list")
    assert done.status == 1
    assert "this should not have happened: ZeroDivisionError: 1/0 here" in done.reason
    assert "JOURDAIN_TRACEBACK=1" in done.reason


def test_an_error_without_words_has_its_name(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(OSError()))
    assert jourdain("list").reason == "jourdain: OSError"


def test_a_traceback_for_those_who_ask(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURDAIN_TRACEBACK", "1")
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(ZeroDivisionError("1/0")))
    done = jourdain("list")
    assert done.status == 1
    assert "Traceback" in done.err
    assert "test_main.py" in done.err


def test_ctrl_c_is_130(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jourdain.cli.list_gallery.run", raising(KeyboardInterrupt()))
    done = jourdain("list")
    assert (done.status, done.reason) == (130, "jourdain: interrupted")


def test_a_broken_pipe_in_process(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["list"]) == 0


def test_warnings_of_a_model_are_notes(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others stay as they are."""

    def run(*_: object) -> int:
        warnings.warn("a link that no physical body has", ModelWarning, stacklevel=1)
        with pytest.warns(UserWarning, match="something else"):
            warnings.warn("something else", UserWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("jourdain.cli.list_gallery.run", run)
    done = jourdain("list")
    assert done.status == 0
    assert re.fullmatch(r"jourdain: warning: .*test_main\.py:\d+: a link that no physical body has", done.reason)


def test_other_warnings_are_shown_as_everywhere(jourdain: Jourdain, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> int:
        warnings.simplefilter("default", UserWarning)
        warnings.warn("something else", UserWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("jourdain.cli.list_gallery.run", run)
    with warnings.catch_warnings(record=True) as seen:
        assert jourdain("list").status == 0
    assert [str(x.message) for x in seen] == ["something else"]


# -- as a program ---------------------------------------------------------------------------------------------------


def test_help_and_mistakes_do_not_wait_for_numpy() -> None:
    line = "import sys; import jourdain.cli; print(sorted({'numpy', 'webbrowser', 'email'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_python_m_jourdain() -> None:
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"jourdain {package.__version__}\n", "")


def test_the_installed_command() -> None:
    command = Path(sys.executable).with_name("jourdain")
    done = subprocess.run([str(command), "count", "nothing"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("jourdain: no gallery entry 'nothing'")


def test_a_reader_that_has_seen_enough() -> None:
    """`jourdain list | head -0`: no traceback, status 0."""
    process = subprocess.Popen([*COMMAND, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(os.name != "posix", reason="streams are closed, and Ctrl-C is sent, as POSIX does it")
class TestPosix:
    """What only there can be tried."""

    @pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-"])
    def test_streams_that_are_closed(self, closed: str) -> None:
        line = f'"{sys.executable}" -m jourdain list {closed}'
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert "Traceback" not in done.stderr

    def test_letters_that_the_terminal_has_not(self) -> None:
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        command = [*COMMAND, "count", "pendulum"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert "?????" in done.stdout

    def test_ctrl_c_while_it_works(self, tmp_path: Path) -> None:
        process = subprocess.Popen(
            # Of tests that run in the background (`pytest &`), a child ignores Ctrl-C unless told otherwise.
            [*COMMAND, "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Stanford arm")
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert err.splitlines()[-1] == "jourdain: interrupted"
        assert not list(tmp_path.iterdir())
