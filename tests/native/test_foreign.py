"""Functions of elsewhere in compiled procedures: found or not, Python's and machine code's, and their exceptions."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from jourdain.graph import less
from jourdain.native import Cache, Routine
from jourdain.program import Draft, Floats, Procedure, perform
from jourdain.targets.llvm import Library, assemble

NOWHERE = Cache(None)
ROUNDS = 4


def asking() -> Procedure:
    """ROUNDS times y = f(x), where slot 1 says so, and x = y; how often it was there."""
    draft = Draft("asking")
    k, found, total = (draft.cell(name) for name in ("k", "found", "total"))
    slots = draft.array("slots", 2, given=True)
    x, y = draft.array("x", 5), draft.array("y", 3)
    with draft.loop(less(k, float(ROUNDS))):
        draft.foreign(slots.part(1, 1), x.part(1, 3), y, found=found)
        draft.copy(y, x.part(1, 3))
        draft.set({k: k + 1.0, total: total + found})
    draft.foreign(slots.part(0, 1), x.part(0, 1), y.part(0, 2))
    return draft.done()


def twice(source: Floats, target: Floats) -> None:
    target[:] = 2.0 * source + 1.0


def test_a_python_function_is_called() -> None:
    procedure = asking()
    session = Routine(procedure, NOWHERE).session({"slots": np.zeros(2)})
    session.connect("slots", 1, twice)
    session.array("x")[:] = [9.0, 1.0, 2.0, 3.0, 9.0]
    memory = session.memory.copy()
    session.run()
    assert list(session.array("x")) == [9.0, 31.0, 47.0, 63.0, 9.0]
    assert (session["found"], session["total"]) == (1.0, 4.0)
    perform(procedure, memory, session.given, {("slots", 1): twice})
    assert memory.tobytes() == session.memory.tobytes()


def test_a_slot_may_be_empty() -> None:
    procedure = asking()
    session = Routine(procedure, NOWHERE).session({"slots": np.zeros(2)})
    session["found"], session.array("y")[:] = 7.0, 3.0
    memory = session.memory.copy()
    session.run()
    assert (session["found"], session["total"]) == (0.0, 0.0)
    assert list(session.array("y")) == [3.0] * 3
    perform(procedure, memory, session.given)
    assert memory.tobytes() == session.memory.tobytes()


def test_a_function_can_be_taken_away() -> None:
    session = Routine(asking(), NOWHERE).session({"slots": np.zeros(2)})
    calls: list[int] = []

    def once(source: Floats, target: Floats) -> None:
        calls.append(len(source))
        session.connect("slots", 1, None)  # while the code runs

    session.connect("slots", 1, once)
    session.run()
    assert calls == [3]
    assert session["total"] == 1.0


def test_machine_code_is_called_by_its_address() -> None:
    text = """
        define void @half(ptr %source, ptr %target) {
          %x = load double, ptr %source
          %y = fmul double %x, 5.0e-1
          store double %y, ptr %target
          ret void
        }"""
    library = Library([assemble(text)], ("half",))
    session = Routine(asking(), NOWHERE).session({"slots": np.zeros(2)})
    session.connect("slots", 1, library.addresses["half"], keep=library)
    alive = weakref.ref(library)
    del library
    gc.collect()
    assert alive() is not None
    session.array("x")[1] = 48.0
    session.run()
    assert session.array("y")[0] == 3.0


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt])
def test_exceptions_come_out_at_the_end(kind: type[BaseException]) -> None:
    session = Routine(asking(), NOWHERE).session({"slots": np.zeros(2)})
    calls: list[float] = []

    def careless(source: Floats, target: Floats) -> None:
        calls.append(source[0])
        if len(calls) == 2:
            raise kind("the second time")
        target[:] = source

    session.connect("slots", 1, careless)
    with pytest.raises(kind, match="the second time") as caught:
        session.run()
    assert any(entry.name == "careless" for entry in caught.traceback)
    assert len(calls) == 2
    assert session["k"] == ROUNDS and np.isnan(session.array("y")).all()
    session.array("x")[:], session["k"] = 1.0, 0.0
    session.run()  # and it goes on
    assert len(calls) == 2 + ROUNDS and session.array("y")[0] == 1.0


def test_what_is_read_is_not_written() -> None:
    session = Routine(asking(), NOWHERE).session({"slots": np.zeros(2)})

    def wrong(source: Floats, target: Floats) -> None:
        source[0] = 1.0

    session.connect("slots", 1, wrong)
    with pytest.raises(ValueError, match="read-only"):
        session.run()


def test_functions_go_with_their_session() -> None:
    slots = np.zeros(2)
    routine = Routine(asking(), NOWHERE)
    session = routine.session({"slots": slots})
    session.connect("slots", 0, lambda source, target: None)
    session.connect("slots", 1, twice)
    assert np.count_nonzero(slots.view(np.int64)) == 2
    other = routine.session({"slots": slots})
    other.connect("slots", 1, twice)
    del session
    gc.collect()
    assert [x != 0 for x in slots.view(np.int64)] == [False, True]
    other.run()
    assert other["total"] == ROUNDS


def test_places_where_nobody_looks() -> None:
    session = Routine(asking(), NOWHERE).session({"slots": np.zeros(3)})
    with pytest.raises(ValueError, match="looks for a function at 'slots', 2; known places: 'slots', 1, 'slots', 0"):
        session.connect("slots", 2, twice)
    draft = Draft("none")
    draft.set({draft.cell("k"): 1.0})
    with pytest.raises(ValueError, match="at 'k', 0; known places: none"):
        Routine(draft.done(), NOWHERE).session({}).connect("k", 0, twice)


def test_slots_are_single_numbers_of_given_arrays() -> None:
    draft = Draft("slots")
    x, slots = draft.array("x", 4), draft.array("slots", 2, given=True)
    with pytest.raises(ValueError, match="lies in one number of a given array, not in 1 of 'x'"):
        draft.foreign(x.part(0, 1), x, x)
    with pytest.raises(ValueError, match="not in 2 of 'slots'"):
        draft.foreign(slots, x, x)
    draft.foreign(slots.part(0, 1), x, x)
    message = "slot 0 of 'slots' makes 4 numbers of 4 elsewhere, not 2 of 1"
    with pytest.raises(ValueError, match=message):
        draft.foreign(slots.part(0, 1), x.part(0, 1), x.part(2, 2))


def test_a_fingerprint_sees_places() -> None:
    def fingerprint(slot: int, start: int, found: bool) -> str:
        draft = Draft("places")
        k: Any = draft.cell("k")
        x, slots = draft.array("x", 4), draft.array("slots", 2, given=True)
        draft.foreign(slots.part(slot, 1), x.part(start, 1), x.part(2, 2), found=k if found else None)
        return draft.done().fingerprint

    kinds = [(0, 0, True), (1, 0, True), (0, 1, True), (0, 0, False)]
    assert len({fingerprint(*kind) for kind in kinds}) == 4
