"""Operation counts of what is compiled, and the formulations that were tried for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import jourdain as jd
from jourdain.driver import alternatives, count
from jourdain.driver.readouts import READOUTS
from jourdain.model.system import System

from .mechanisms import crane, pendulum, stone

KEYS = {"mul", "add", "div", "sqrt", "trig", "other", "precompute", "total"}


def test_the_keys_are_those_of_the_interface() -> None:
    found = jd.count(crane())
    assert list(found) == ["inverse_dynamics", "forward_dynamics", "mass_matrix", "dynamical_equations"]
    for row in found.values():
        assert set(row) == KEYS
        assert row["total"] == sum(row[x] for x in KEYS - {"precompute", "total"})


def test_the_pendulum() -> None:
    """m l² θ̈ + m g l sin θ: two products and a sum, once m l² and m g l are known."""
    found = count(pendulum())
    assert found["inverse_dynamics"] == {
        "mul": 2, "add": 1, "div": 0, "sqrt": 0, "trig": 1, "other": 0, "precompute": 3, "total": 4,
    }  # fmt: skip
    assert found["mass_matrix"]["total"] == 0


def test_what_is_not_counted_is_refused() -> None:
    with pytest.raises(KeyError, match=r"nothing called 'forward' is counted; did you mean .*'forward_dynamics'"):
        jd.count(jd.gallery.pendulum(), ["forward"])


def test_any_readout_can_be_counted() -> None:
    assert list(count(pendulum(), list(READOUTS))) == list(READOUTS)
    assert count(stone())["forward_dynamics"]["total"] == 0


@pytest.mark.parametrize("system", [crane, pendulum, jd.gallery.stanford_arm])
def test_the_cheapest_formulation_is_kept(system: Callable[[], System]) -> None:
    found = alternatives(system())
    for quantity in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
        rows = [x for x in found if x.quantity == quantity]
        assert sum(x.chosen for x in rows) == 1
        assert len({x.name for x in rows}) == len(rows)
