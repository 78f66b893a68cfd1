"""The first call of forward dynamics is answered before there is code; what the code answers is the witness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.bench.sympy_models import MODELS
from jourdain.driver import Compiled, first
from jourdain.driver.first import solved
from jourdain.model.system import System

from .mechanisms import NOWHERE, crane, stone

EQUAL = 1e-10


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "PATIENCE", 1)


def fresh(system: System) -> Compiled:
    return jd.compile(system, cache=NOWHERE)


def has_code(d: Compiled) -> bool:
    return bool(d._library._functions)


def state(system: System, seed: int = 3) -> tuple[np.ndarray[Any, Any], ...]:
    """A configuration and speeds that the constraints allow, and forces."""
    rng = np.random.default_rng(seed)
    n = len(system.speeds)
    d = fresh(system)
    q = d.assemble(rng.uniform(0.2, 0.9, len(system.coordinates)))
    return q, d.complete(q, rng.normal(size=len(d.independent(q)))), rng.normal(size=n)


def agree(found: Any, wanted: Any) -> None:
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    assert np.abs(found - wanted).max() <= EQUAL * np.abs(wanted).max()


# -- it is the same -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", jd.gallery.__all__)
def test_mechanisms_of_the_gallery(name: str) -> None:
    system = getattr(jd.gallery, name)()
    arrays = state(system)
    d = fresh(system)
    found = d.forward_dynamics(*arrays)
    assert not has_code(d)
    agree(found, fresh(system).ready("forward_dynamics").forward_dynamics(*arrays))


@pytest.mark.parametrize("name", MODELS)
def test_models_of_sympy(name: str) -> None:
    given = MODELS[name]()
    system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values)
    q = np.linspace(0.3, 0.8, len(system.coordinates))
    u = np.linspace(-0.4, 0.5, len(system.speeds))
    d = fresh(system)
    found = d.forward_dynamics(q, u)
    assert not has_code(d)
    agree(found, fresh(system).ready("forward_dynamics").forward_dynamics(q, u))


def test_inputs_time_and_parameters() -> None:
    system = crane()
    rng = np.random.default_rng(5)
    q, u, f = (rng.normal(size=n) for n in (len(system.coordinates), len(system.speeds), len(system.speeds)))
    q[3:7] /= np.linalg.norm(q[3:7])
    more: Any = {"inputs": {"push": 0.3}, "t": 0.7}

    def asked() -> Compiled:
        return fresh(system).with_parameters({"length": 1.3}).with_inputs({"wind": 2.0})

    d = asked()
    found = d.forward_dynamics(q, u, f, **more)
    assert not has_code(d)
    agree(found, asked().ready("forward_dynamics").forward_dynamics(q, u, f, **more))
    assert np.abs(found - fresh(system).forward_dynamics(q, u, f, **more)).max() > 1e-3
    whole = [[1, 0, 0, 0, 0, 0, 1, 0, 0], [0] * 8]  # numbers of any kind
    agree(asked().forward_dynamics(*whole), asked().ready("forward_dynamics").forward_dynamics(*whole))


def test_in_a_mode() -> None:
    """The constraints of the mode are kept, and each mode has a first call of its own."""
    d = fresh(jd.gallery.shopping_cart())
    q, u = np.array([0.1, -0.2, 0.3, 0.4]), np.array([1.0, 0.3, -0.2])
    rolls, sticks = d.forward_dynamics(q, u), d.in_mode("caster sticks").forward_dynamics(q, u)
    assert not has_code(d)
    agree(rolls, d.ready("forward_dynamics").forward_dynamics(q, u))
    agree(sticks, d.in_mode("caster sticks").ready("forward_dynamics").forward_dynamics(q, u))
    assert np.abs(rolls - sticks).max() > 1e-3


# -- only the first -------------------------------------------------------------------------------------------------


def test_the_second_call_is_the_codes() -> None:
    """Of whatever view; from then on all calls are the same to the last bit."""
    system = jd.gallery.stanford_arm()
    arrays = state(system)
    wanted = fresh(system).ready("forward_dynamics").forward_dynamics(*arrays)
    d = fresh(system)
    d.forward_dynamics(*arrays)
    assert not has_code(d)
    second = d.with_inputs({}).forward_dynamics(*arrays)
    assert has_code(d)
    assert np.array_equal(second, wanted)
    assert np.array_equal(d.forward_dynamics(*arrays), wanted)
    assert np.array_equal(d.forward_dynamics(*(np.stack([x, x]) for x in arrays))[1], wanted)


def test_ready_makes_the_code() -> None:
    d = fresh(jd.gallery.four_bar())
    assert d.ready("rates", "forward_dynamics", "outputs", "forward_dynamics_derivatives") is d
    asked = {key[0][0] for key in d._library._functions}
    assert asked == {"rates", "forward_dynamics", "outputs", "forward_dynamics_derivatives"}
    made = len(d._library._functions)
    arrays = state(d.system)
    d.forward_dynamics(*arrays)
    d.rates(*arrays[:2])
    d.forward_dynamics_derivatives(*arrays)
    assert len(d._library._functions) == made
    with pytest.raises(KeyError, match=r"no function .* is called 'forward_dynamic'; .*forward_dynamics"):
        d.ready("forward_dynamic")


def test_without_patience_code_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "PATIENCE", 0)
    d = fresh(jd.gallery.pendulum())
    d.forward_dynamics([0.3], [0.1])
    assert has_code(d)


@pytest.mark.parametrize("how", ["batch", "out", "single", "batch of parameters", "batch of times", "batch of inputs"])
def test_what_is_left_to_the_code(how: str) -> None:
    system = crane()
    d = fresh(system)
    q, u = np.array([1.0, 0, 0, 0, 0, 0, 1, 0, 0]), np.zeros(8)
    n = len(system.speeds)
    if how == "batch":
        assert d.forward_dynamics([q, q], u).shape == (2, n)
    elif how == "out":
        out = np.empty(n)
        assert d.forward_dynamics(q, u, out=out) is out
    elif how == "single":
        assert d.forward_dynamics(q, u, dtype=np.float32).dtype == np.float32
    elif how == "batch of parameters":
        assert d.with_parameters({"length": [0.5, 1.0, 1.5]}).forward_dynamics(q, u).shape == (3, n)
    elif how == "batch of times":
        assert d.forward_dynamics(q, u, t=[0.0, 1.0]).shape == (2, n)
    else:
        assert d.forward_dynamics(q, u, inputs={"push": [0.0, 1.0]}).shape == (2, n)
    assert has_code(d)


def twins() -> System:
    """Two sliders side by side, kept so twice, in different words."""
    m = jd.Model("twins")
    a, b = m.particle("A", 1.0), m.particle("B", 2.0)
    x, y = (m.prismatic(name, m.ground, body, axis="x").coordinate for name, body in (("x", a), ("y", b)))
    m.joint_force("x", 3.0)
    m.keep("together", x - y)
    m.keep("again", (x - y) * (1.0 + x * x))
    return m.system()


def test_rows_that_say_nothing_new() -> None:
    """Where the speeds satisfy all rows it does not matter which of them the code has left out; else it does."""
    for d in (fresh(jd.gallery.four_bar()), fresh(twins())):
        assert d.redundancy.repeated
        q, u, f = state(d.system)
        found = d.forward_dynamics(q, u, f)
        assert not has_code(d)
        agree(found, d.ready("forward_dynamics").forward_dynamics(q, u, f))
    other = fresh(twins())
    found = other.forward_dynamics(q, [0.3, 0.1], f)
    assert has_code(other)
    assert np.array_equal(found, d.forward_dynamics(q, [0.3, 0.1], f))


def test_where_nothing_resists_the_code_answers() -> None:
    """A speed that moves nothing: not finite, and no error of LAPACK's."""
    m = jd.Model("weightless")
    body = m.particle("body", m.parameter("m", 1.0))
    m.prismatic("x", m.ground, body, axis="x")
    m.joint_force("x", 1.0)
    d = fresh(m.system())
    assert np.array_equal(d.forward_dynamics([0.0], [0.0]), [1.0])
    with pytest.raises(ValueError, match="divides by m"):
        fresh(m.system()).with_parameters({"m": 0.0}).forward_dynamics([0.0], [0.0])


def test_states_that_are_not_numbers() -> None:
    """NaN goes through, and what does not fit is told as ever."""
    d = fresh(jd.gallery.pendulum())
    assert np.isnan(d.forward_dynamics([np.nan], [0.0])).all()
    strange: list[Any] = [[0.1, 0.2], None, ["a"], np.array([0.1 + 1j])]
    for q in strange:
        with pytest.raises((ValueError, TypeError), match="q "):
            fresh(jd.gallery.pendulum()).forward_dynamics(q, [0.0])
    with pytest.raises(KeyError, match="has no input 'wind'"):
        fresh(jd.gallery.pendulum()).forward_dynamics([0.1], [0.0], inputs={"wind": 1.0})


def test_nothing_to_move() -> None:
    assert fresh(stone()).forward_dynamics([], []).shape == (0,)


# -- solving ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [0, 1, 3, 5])
def test_solved_is_the_whole_matrix_solved(rows: int) -> None:
    rng = np.random.default_rng(rows)
    root = rng.normal(size=(5, 5))
    mass, a = root @ root.T, rng.normal(size=(rows, 5))
    force, asked = rng.normal(size=5), rng.normal(size=rows)
    whole = np.block([[mass, -a.T], [a, np.zeros((rows, rows))]])
    wanted = np.linalg.solve(whole, np.concatenate([force, asked]))[:5]
    found = solved(mass, force, a, asked)
    assert found is not None
    assert np.allclose(found, wanted, rtol=1e-11, atol=1e-11)


def test_what_is_not_solved() -> None:
    mass, force = np.diag([1.0, 2.0, 3.0]), np.ones(3)
    none = np.empty((0, 3)), np.empty(0)
    assert solved(np.diag([1.0, 0.0, 1.0]), force, *none) is None
    assert solved(np.diag([1.0, -1.0, 1.0]), force, *none) is None
    assert solved(np.ones((3, 3)), force, *none) is None
    assert solved(mass, force, np.array([[1.0, 1, 0], [2, 2, 0]]), np.ones(2)) is None
    assert solved(mass, force, np.array([[1.0, 1, 0], [1, 1, 1e-5]]), np.ones(2)) is None
    assert solved(mass, force, np.zeros((1, 3)), np.ones(1)) is None


def test_rows_twice() -> None:
    """More rows than unknowns, all of them true."""
    mass, force, a = np.diag([1.0, 2.0, 3.0]), np.ones(3), np.array([[1.0, 1, 0], [2, 2, 0], [0, 1, 1], [1, 0, -1]])
    asked = a @ np.array([0.3, -0.2, 0.5])
    once = solved(mass, force, a[[0, 2]], asked[[0, 2]])
    again = solved(mass, force, a, asked)
    assert once is not None
    assert again is not None
    assert np.allclose(again, once, rtol=0, atol=1e-14)
