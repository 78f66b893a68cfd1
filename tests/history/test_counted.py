"""The rule of the counting numbers."""

from __future__ import annotations

import pytest

from jourdain.history.counted import Counted, Ledger
from jourdain.history.numbers import Counting


def test_every_operation_is_counted_each_time() -> None:
    ledger = Ledger()
    x, y = Counted(2.0, ledger), Counted(3.0, ledger)
    z = (x * y + x * y - x) / y
    assert (ledger.mul, ledger.add, ledger.div) == (2, 2, 1)
    assert z.value == 10.0 / 3.0


def test_unary_minus_is_free() -> None:
    ledger = Ledger()
    assert (-Counted(2.0, ledger)).value == -2.0
    assert ledger == Ledger()


def test_what_is_known_costs_nothing() -> None:
    ledger = Ledger()
    x = Counted(2.0, ledger)
    zero, one = Counted(0.0, ledger, known=True), Counted(1.0, ledger, known=True)
    found = [x * one, one * x, x * -one, x + zero, zero + x, x - zero, zero - x, x * zero, zero / x, x / one]
    assert [y.value for y in found] == [2.0, 2.0, -2.0, 2.0, 2.0, 2.0, -2.0, 0.0, 0.0, 2.0]
    assert ledger == Ledger()
    assert (x * zero).known and (-one).known and not (x + zero).known


def test_a_value_that_happens_to_be_zero_is_not_known() -> None:
    ledger = Ledger()
    assert (Counted(0.0, ledger) * Counted(1.0, ledger)).value == 0.0
    assert ledger.mul == 1


def test_only_zero_and_units_can_be_known() -> None:
    with pytest.raises(ValueError, match=r"only 0, 1 and -1 can be known.*2\.0"):
        Counted(2.0, Ledger(), known=True)


@pytest.mark.parametrize("dense", [True, False])
def test_entries_of_a_joints_matrix(dense: bool) -> None:
    """They are numbers like others where matrices are full; a starting value is known in any case."""
    numbers = Counting(dense)
    assert numbers.entry(0.0).known is not dense
    assert numbers.known(0.0).known
    assert not numbers.number(0.0).known


def test_shown() -> None:
    numbers = Counting(dense=False)
    assert repr(numbers.number(2)) == "2.0"
    assert repr(numbers.known(1.0)) == "1.0 (known)"
