"""Functions live as long as somebody can call them, and no longer."""

from __future__ import annotations

import gc
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

from jourdain.native import gufunc
from jourdain.native.gufunc import make_gufunc

from .compiled import PARAMETERS, arm, assert_same, compiled


class Owner:
    """Something that can be watched."""


def made(owner: object) -> np.ufunc:
    """A ufunc over compiled code that is kept by `keep`."""
    data = hoisted.ctypes.data
    return make_gufunc("f", "doc", "(3),(3),()->(3),(3,2),()", 3, 3, np.dtype(float), loop_address(), data, owner)


keep = compiled(arm())
hoisted = keep.bind(PARAMETERS).hoisted


def loop_address() -> int:
    return keep._built.library.addresses["loop"]


def test_the_owner_lives_as_long_as_the_ufunc() -> None:
    owner = Owner()
    watched = weakref.ref(owner)
    ufunc = made(owner)
    del owner
    gc.collect()
    assert watched() is not None
    assert ufunc(np.zeros(3), np.zeros(3), 1.0)[0].shape == (3,)
    del ufunc
    gc.collect()
    assert watched() is None


def test_reference_counts_are_right() -> None:
    owner = Owner()
    before = sys.getrefcount(owner)
    ufunc = made(owner)
    assert sys.getrefcount(ufunc) == 2, "ours, and the argument of getrefcount"
    assert sys.getrefcount(owner) == before + 1
    del ufunc
    assert sys.getrefcount(owner) == before


LITTLE, ROUNDS = 1 << 19, 5


def test_a_thousand_functions_leak_nothing() -> None:
    """Neither objects nor memory, however often one binds."""
    inputs = np.ones((1, 3)), np.ones((1, 3)), np.ones(1)

    def use(count: int) -> None:
        for i in range(count):
            keep.bind((0.5, 1.0 + i))(*inputs)

    use(1000)
    gc.collect()
    objects, memory = len(gc.get_objects()), resident()
    use(1000)
    gc.collect()
    assert len(gc.get_objects()) <= objects + 10
    grown = [resident() - memory]
    while min(grown) > LITTLE and len(grown) < ROUNDS:  # others in the process take memory once, a leak does each time
        memory = resident()
        use(1000)
        gc.collect()
        grown.append(resident() - memory)
    assert min(grown) <= LITTLE, "a kilobyte a function would show"


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * 4096


def test_the_ufunc_keeps_the_code_alive() -> None:
    """Machine code and hoisted values, when the function, its binding and its program are gone."""
    function = compiled(arm())
    library = weakref.ref(function._built.library)
    bound = function.bind(PARAMETERS)
    inputs = np.full((9, 3), 0.3), np.full((9, 3), -0.7), np.full(9, 1.1)
    expected = bound(*inputs)
    ufunc = bound.ufunc
    del function, bound
    gc.collect()
    assert library() is not None
    room = [np.full(64, np.nan) for _ in range(1000)]  # what was freed would be written over
    for y, before in zip(ufunc(*inputs), expected):
        assert_same(y, before)
    del room, ufunc
    gc.collect()
    assert library() is None


def test_unloaded_code_makes_room_for_other_code() -> None:
    """Many programs compiled and dropped; each computes its own."""
    for i in range(20):
        bound = compiled(arm(constant=float(i))).bind(PARAMETERS)
        _, b, _ = bound(np.zeros(3), np.ones(3), 0.0)
        np.testing.assert_allclose(b, np.full((3, 2), -float(i)), rtol=1e-15)


def test_another_layout_of_ufuncs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A NumPy whose ufuncs look otherwise must not be written into."""

    monkeypatch.setattr(gufunc, "_UfuncHead", _Wrong)
    owner = Owner()
    with pytest.raises(RuntimeError, match="lays out ufuncs in a way this version does not know; please report it"):
        made(owner)
    assert sys.getrefcount(owner) == 2


class _Wrong:
    """A head read from somewhere else."""

    @staticmethod
    def from_address(address: int) -> object:
        return type("Head", (), {"obj": 4711, "nargs": 6})()
