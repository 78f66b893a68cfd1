"""The code for batches is made when batches are worth it, never before; and what goes wrong with it is an exception."""

from __future__ import annotations

import ctypes
import gc
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from jourdain.native import build, compile_program
from jourdain.native.batch import PATIENCE, _Failure, _Words
from jourdain.targets.llvm import BATCH, LOOP, SETUP, assemble
from jourdain.targets.llvm.asking import Slot

from .compiled import NOWHERE, PARAMETERS, PRECISIONS, Floats, arm, assert_same, compiled

Assembled = list[str]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Assembled:
    """Which parts LLVM was asked to compile."""
    parts: Assembled = []

    def counted(text: str, level: int) -> bytes:
        parts.append(next(name for name in (BATCH, SETUP, LOOP) if f"@{name}(" in text))
        return assemble(text, level)

    monkeypatch.setattr(build, "assemble", counted)
    return parts


def states(members: int, dtype: Any = np.float64) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(4)
    return tuple(rng.uniform(-2.0, 2.0, (members, *own)).astype(dtype) for own in ((3,), (3,), ()))  # type: ignore[return-value]


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_members_one_by_one_never_make_batch_code(made: Assembled, dtype: Any) -> None:
    function = compile_program(arm(), dtype, cache=NOWHERE)
    bound = function.bind(PARAMETERS)
    for member in zip(*states(2 * PATIENCE, dtype)):
        bound(*member)
    assert made == [LOOP, SETUP]
    assert function.batch_seconds is None


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("size", [2, 7, 8, 40, PATIENCE - 1, PATIENCE, 3 * PATIENCE])
def test_batch_code_is_made_once_with_the_last_member_of_patience(made: Assembled, size: int, dtype: Any) -> None:
    """Batches of any size use it up; results are the same to the last bit before, at and after that moment."""
    inputs = states(size, dtype)
    expected = compiled(arm(), dtype).bind(PARAMETERS)(*inputs)
    made.clear()
    function = compile_program(arm(), dtype, cache=NOWHERE)
    bound = function.bind(PARAMETERS)
    calls = -(-PATIENCE // size)
    for call in range(calls + 2):
        for y, other in zip(bound(*inputs), expected):
            assert_same(y, other)
        assert made == ([LOOP, SETUP] if call < calls - 1 else [LOOP, SETUP, BATCH])
    assert function.batch_seconds is not None
    assert function.batch_seconds > 0.0


def test_all_that_are_bound_share_it(made: Assembled) -> None:
    """Other parameters are the same code; many sets of parameters at once are other code, with batches of its own."""
    function = compile_program(arm(), cache=NOWHERE, patience=0)
    inputs = states(20)
    for parameters in (PARAMETERS, (0.2, 0.3)):
        function.bind(parameters)(*inputs)
    assert made == [LOOP, SETUP, BATCH]
    many = function.bind([PARAMETERS] * 20)
    for y, expected in zip(many(*inputs), function.bind(PARAMETERS)(*inputs)):
        assert_same(y, expected)
    assert made == [LOOP, SETUP, BATCH, LOOP, BATCH], "their hoisted values are set up already"


def test_two_batches_at_once_wait_for_one_compilation(made: Assembled) -> None:
    inputs = states(5000)
    expected = compiled(arm()).bind(PARAMETERS)(*inputs)
    made.clear()
    bound = compile_program(arm(), cache=NOWHERE).bind(PARAMETERS)
    barrier = threading.Barrier(8)

    def ask(_: int) -> tuple[Floats, ...]:
        barrier.wait()
        return bound(*inputs)  # type: ignore[no-any-return]

    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(ask, range(8)):
            for y, other in zip(found, expected):
                assert_same(y, other)
    assert made == [LOOP, SETUP, BATCH]


class Stopped(BaseException):
    """What a signal's handler may raise, of no kind that anybody expects."""

    def __init__(self, why: str, number: int) -> None:
        super().__init__(why, number)


def failing(error: BaseException) -> Callable[[str, int], bytes]:
    def fail(text: str, level: int) -> bytes:
        raise error

    return fail


@pytest.mark.parametrize("error", [RuntimeError("LLVM is out of sorts"), KeyboardInterrupt(), Stopped("late", 3)])
def test_what_goes_wrong_is_raised_when_the_loop_is_through(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """The very error, in the thread that called; then the function goes on, member by member."""
    bound = compile_program(arm(), cache=NOWHERE).bind(PARAMETERS)
    inputs = states(5000)
    expected = compiled(arm()).bind(PARAMETERS)(*inputs)
    out = tuple(np.full_like(y, np.nan) for y in expected)

    def call() -> None:
        bound(*inputs, out=out)
        for _ in range(3):  # not reached
            pass
        raise AssertionError("the call went on")

    monkeypatch.setattr(build, "assemble", failing(error))
    with pytest.raises(type(error)) as caught:
        call()
    assert caught.value is error
    for _ in range(2):
        for y, again, other in zip(out, bound(*inputs), expected):
            assert_same(y, other)
            assert_same(again, other)


def test_what_goes_wrong_in_a_thread_is_raised_there(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = compile_program(arm(), cache=NOWHERE).bind(PARAMETERS)
    monkeypatch.setattr(build, "assemble", failing(RuntimeError("LLVM is out of sorts")))
    with ThreadPoolExecutor(1) as pool, pytest.raises(RuntimeError, match="LLVM is out of sorts"):
        pool.submit(lambda: bound(*states(5000))).result()


def test_after_an_interruption_batch_code_is_made_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, made: Assembled
) -> None:
    function = compile_program(arm(), cache=NOWHERE)
    bound = function.bind(PARAMETERS)
    with monkeypatch.context() as patched:
        patched.setattr(build, "assemble", failing(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            bound(*states(PATIENCE))
    assert function.batch_seconds is None
    batch = function._built.batch
    assert batch is not None
    batch.made()
    assert made == [LOOP, SETUP, BATCH]
    for y, expected in zip(bound(*states(40)), compiled(arm()).bind(PARAMETERS)(*states(40))):
        assert_same(y, expected)


def test_the_words_lie_where_machine_code_looks_for_them() -> None:
    places = [getattr(_Words, name).offset for name, *_ in _Words._fields_]
    assert places == [Slot.BATCH, Slot.PATIENCE, Slot.MAKE, Slot.TAKE, Slot.RAISE, Slot.GIVE]
    assert ctypes.sizeof(_Words) == 8 * Slot.WORDS
    assert (_Failure.thread.offset, _Failure.error.offset) == (0, 8)


def test_code_goes_with_its_last_user() -> None:
    """At once, without the collector: the way from machine code back to Python holds nothing."""
    gc.disable()
    try:
        function = compiled(arm())
        bound = function.bind(PARAMETERS)
        bound(*states(9))
        batch = weakref.ref(function._built.batch)
        del function
        bound(*states(9))
        assert batch() is not None
        del bound
        assert batch() is None
    finally:
        gc.enable()
