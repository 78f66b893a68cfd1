"""What the bench measures of ours is the product: the code that `jourdain.compile` makes, at good states."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain import gallery
from jourdain.bench.case import QUANTITIES, Wrong
from jourdain.bench.own import MEMBERS, own, program, samples
from jourdain.driver.counting import derivation
from jourdain.driver.library import Library, derive_readout
from jourdain.model.system import System
from jourdain.native import Cache
from jourdain.program import digest

from .mechanisms import with_joint

SYSTEMS = {x.name: x for x in (gallery.stanford_arm(), gallery.puma560(), gallery.chain(12), with_joint("free"))}
every = pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)


@every
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_same_code_as_everywhere(system: System, quantity: str) -> None:
    """In the formulation that is chosen, with parameters as run-time parameters."""
    measured = program(system, quantity)
    library = Library(system, Cache(None))
    assert digest(measured) == digest(library.derived((quantity, None))[0].program)
    assert len(measured.parameters) == len(system.parameters)


@every
def test_functions_answer_as_compiled_ones(system: System) -> None:
    mine, compiled = own(system), jd.compile(system, cache=Cache(None))
    q, u, udot, f = mine.states
    assert np.array_equal(mine.functions["inverse_dynamics"](q, u, udot), compiled.inverse_dynamics(q, u, udot))
    assert np.array_equal(mine.functions["forward_dynamics"](q, u, f), compiled.forward_dynamics(q, u, f))
    assert np.array_equal(mine.functions["mass_matrix"](q), compiled.mass_matrix(q))


def test_deriving_includes_choosing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every formulation that is tried is tried within the time that is shown."""
    tried = []

    def slower(system: System, key: tuple[str, None]) -> object:
        tried.append(len(derivation(system, key[0]).trials))
        return derive_readout(system, key)

    monkeypatch.setattr("jourdain.bench.own.derive_readout", slower)
    mine = own(gallery.puma560())
    assert len(tried) == len(QUANTITIES)
    assert sum(tried) > len(QUANTITIES)
    assert mine.derive_s > 0.0
    assert mine.compile_s > 0.0


def test_times_of_one_and_of_many() -> None:
    ready = own(gallery.pendulum()).ready()
    assert ready.batch is not None
    assert ready.batch.members == MEMBERS
    one, many = ready.clock(1e-3), ready.batch.clock(1e-3)
    assert set(one) == set(many) == set(QUANTITIES)
    assert min(*one.values(), *many.values()) > 0.0


def test_states_are_the_same_each_time_and_on_the_manifold() -> None:
    system = with_joint("free")
    inverse = own(system).functions["inverse_dynamics"]
    one, again = samples(system, inverse, 10), samples(system, inverse, 10)
    assert all(np.array_equal(a, b) for a, b in zip(one, again))
    at = [system.coordinates.index(f"it.q{x}") for x in "xyzw"]
    assert np.abs(np.linalg.norm(one.q[:, at], axis=1) - 1.0).max() < 1e-15
    assert np.array_equal(one.f, inverse(one.q, one.u, one.udot))


def test_answers_of_ours_that_contradict_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our forward dynamics is held against our inverse dynamics before a peer is."""
    mine = own(gallery.pendulum())
    broken = {**mine.functions, "forward_dynamics": lambda q, u, f: np.ones_like(u)}
    object.__setattr__(mine, "functions", broken)
    with pytest.raises(Wrong, match="forward dynamics differs"):
        mine.case()
