"""Compiled functions give what the interpreter gives of the same expressions; NumPy in and out."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled, compile
from jourdain.driver.readouts import BODY_READOUTS, READOUTS, Spot, argument
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, Role, interpret
from jourdain.model.system import TIME, System

from .mechanisms import NOWHERE, compiled, crane, pendulum

Floats = NDArray[Any]
ROUNDING = 1e-13
INPUTS = {"push": 0.3, "wind": 2.0}
TIME_NOW = 0.7
BATCH = 5
METHODS: dict[str, Callable[..., Any]] = {name: getattr(Compiled, name) for name in READOUTS}


def arguments(system: System, seed: int = 0, batch: tuple[int, ...] = ()) -> dict[str, Floats]:
    """Arrays for every name in the table of read-outs."""
    rng = np.random.default_rng(seed)
    nq, n = len(system.coordinates), len(system.speeds)
    found = {name: rng.normal(size=(*batch, n)) for name in ("u", "udot", "f", "dq")}
    for name in ("q", "q1"):
        found[name] = rng.normal(size=(*batch, nq))
        if "base.qx" in system.coordinates:
            four = found[name][..., 3:7]
            four /= np.linalg.norm(four, axis=-1, keepdims=True)
    found["at"] = rng.normal(size=(*batch, 3))
    return found


def interpreted(
    row: Any, system: System, given: dict[str, Floats], changed: dict[str, Any] | None = None
) -> list[Floats]:
    """A read-out's outputs by the oracle, at INPUTS and TIME_NOW; changed: values of parameters."""
    mechanics = Mechanics(system, row.start)
    blocks = row.read(mechanics)
    graph = mechanics.graph
    values: dict[Node, Floats] = {}
    for name in row.arguments:
        nodes = argument(mechanics, name).nodes
        values.update((node, given[name][..., k]) for k, node in enumerate(nodes))
    for name, value in {**system.parameters, **(changed or {})}.items():
        values[graph.symbol(name, Role.PARAMETER)] = np.asarray(value)
    for name in system.inputs:
        values[graph.symbol(name, Role.INPUT)] = np.asarray(INPUTS[name])
    values[graph.symbol(TIME, Role.TIME)] = np.asarray(TIME_NOW)
    found = []
    for block in blocks:
        flat = np.broadcast_arrays(*interpret(block.nodes, values), *([np.zeros(BATCH)] if given["u"].ndim > 1 else []))
        stacked = np.stack(flat[: len(block.nodes)], axis=-1)
        found.append(stacked.reshape((*stacked.shape[:-1], *block.dimensions)))
    return found


def listed(found: Any, system: System) -> list[Floats]:
    """A method's result as blocks in the table's order."""
    if isinstance(found, dict):
        values = list(found.values())
        return [np.stack(values, axis=-1)] if set(found) == set(system.outputs) else values
    return list(found) if isinstance(found, tuple) else [found]


def agree(found: list[Floats], wanted: list[Floats], rounding: float = ROUNDING) -> None:
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted):
        assert np.shape(a) == np.shape(b)
        assert np.abs(a - b).max(initial=0.0) <= rounding * max(1.0, float(np.abs(b).max(initial=0.0)))


def called(d: Compiled, name: str, given: dict[str, Floats], **more: Any) -> Any:
    method = METHODS[name].__get__(d)
    if name not in ("integrate", "difference"):
        more = {"inputs": INPUTS, "t": TIME_NOW, **more}
    return method(*(given[x] for x in READOUTS[name].arguments), **more)


# -- every read-out ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READOUTS)
def test_every_readout_is_what_the_interpreter_gives(name: str) -> None:
    """One state and a batch of them, at inputs and at a time given in the call."""
    system, d = crane(), compiled("crane")
    for batch in ((), (BATCH,)):
        given = arguments(system, 1, batch)
        wanted = interpreted(READOUTS[name], system, given)
        agree(listed(called(d, name, given), system), wanted, 1e-11 if "forward" in name else ROUNDING)


@pytest.mark.parametrize("axes", ["body", "ground"])
@pytest.mark.parametrize("name", [x for x in BODY_READOUTS if x != "pose"])
@pytest.mark.parametrize("place", ["origin", "hook", "anywhere"])
def test_every_readout_of_a_body(name: str, place: str, axes: str) -> None:
    """At the body's origin, at a point by name, at a place of each call."""
    system, d = crane(), compiled("crane")
    at = {"origin": "", "hook": "hook", "anywhere": "at"}[place]
    row = BODY_READOUTS[name](Spot("load", at, axes == "ground"))
    given = arguments(system, 2, (BATCH,))
    points: dict[str, Any] = {"origin": None, "hook": "hook", "anywhere": given["at"]}
    states = [given[x] for x in row.arguments if x in ("q", "u")]
    method = getattr(d, name)
    found = method("load", *states, at=points[place], axes=axes, t=TIME_NOW)
    wanted = interpreted(row, system, given)
    agree([found], wanted, 1e-9 if name == "operational_inertia" else ROUNDING)


def test_poses() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 3, (BATCH,))
    for body in ("base", "mast", "load"):
        wanted = interpreted(BODY_READOUTS["pose"](Spot(body)), system, given)
        agree([d.pose(body, given["q"], t=TIME_NOW)], wanted)
    assert np.array_equal(d.pose("ground", given["q"][0]), np.eye(4))


def test_what_the_readouts_say_of_each_other() -> None:
    """M u̇ + h = f, and what `forward_dynamics` and `inverse_dynamics` undo."""
    system, d = crane(), compiled("crane")
    given = arguments(system, 4, (BATCH,))
    q, u, f = given["q"], given["u"], given["f"]
    more: Any = {"inputs": INPUTS, "t": TIME_NOW}
    udot = d.forward_dynamics(q, u, f, **more)
    rest = np.einsum("bij,bj->bi", d.mass_matrix(q, **more), udot) + d.bias_forces(q, u, **more)
    agree([rest, d.inverse_dynamics(q, u, udot, **more)], [f, f], 1e-11)
    agree([d.forward_dynamics(q, u, **more)], [d.forward_dynamics(q, u, 0.0 * f, **more)])
    energy = d.energy(q, u, **more)
    agree([energy.total], [energy.kinetic + energy.potential])


# -- arrays -----------------------------------------------------------------------------------------------------------


def test_leading_axes_broadcast() -> None:
    system, d = crane(), compiled("crane")
    many, one = arguments(system, 5, (3, 1)), arguments(system, 6, (4,))
    found = d.inverse_dynamics(many["q"], one["u"], arguments(system, 7)["udot"])
    assert found.shape == (3, 4, 8)
    single = d.inverse_dynamics(many["q"][1, 0], one["u"][2], arguments(system, 7)["udot"])
    agree([found[1, 2]], [single])


def test_inputs_and_times_may_have_batch_axes() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 8)
    q, u = given["q"], given["u"]
    pushes, times = np.linspace(-1.0, 1.0, 3)[:, None], np.linspace(0.0, 2.0, 4)
    found = d.forward_dynamics(q, u, inputs={"push": pushes}, t=times)
    assert found.shape == (3, 4, 8)
    agree([found[2, 1]], [d.forward_dynamics(q, u, inputs={"push": 1.0}, t=times[1])])


def test_what_is_left_out_is_what_was_declared() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 9)
    q, u = given["q"], given["u"]
    agree([d.forward_dynamics(q, u)], [d.forward_dynamics(q, u, inputs={"push": 1.5, "wind": -0.4}, t=0.0)])


def test_out_is_filled_and_returned() -> None:
    d = compiled("pendulum")
    q, u = np.array([0.3]), np.array([0.1])
    out = np.empty(1)
    assert d.forward_dynamics(q, u, out=out) is out
    agree([out], [d.forward_dynamics(q, u)])
    out = np.empty((4, 1, 1))
    assert d.mass_matrix(np.zeros((4, 1)), out=out) is out
    assert np.array_equal(out, np.ones((4, 1, 1)))


def test_lists_and_integers_are_taken() -> None:
    d = compiled("pendulum")
    assert np.array_equal(d.forward_dynamics([0], [1]), d.forward_dynamics(np.zeros(1), np.ones(1)))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "integrate"])
def test_single_precision(name: str) -> None:
    """Asked for in a call or when the system is compiled."""
    system, d = crane(), compiled("crane")
    given = arguments(system, 10, (BATCH,))
    single = called(d, name, given, dtype=np.float32)
    assert single.dtype == np.float32
    agree([single], [called(d, name, given)], 1e-3 if name == "forward_dynamics" else 2e-5)
    if name == "mass_matrix":
        own = compile(system, np.float32, cache=NOWHERE)
        assert np.array_equal(called(own, name, given), single)
        assert called(own, name, given, dtype=np.float64).dtype == np.float64


# -- parameters and inputs --------------------------------------------------------------------------------------------


def test_parameters_change_without_compiling() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 11)
    changed = {"mass": 3.0, "stiffness": 12.0}
    other = d.with_parameters(changed)
    wanted = interpreted(READOUTS["inverse_dynamics"], system, given, changed)
    agree(listed(called(other, "inverse_dynamics", given), system), wanted)
    assert other.parameters == {**system.parameters, **changed}
    assert d.parameters == dict(system.parameters)
    assert other._library is d._library
    # What was changed before stays so.
    both = other.with_parameters({"length": 1.1})
    assert both.parameters == {"mass": 3.0, "length": 1.1, "stiffness": 12.0}


def test_parameters_may_have_batch_axes() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 12)
    masses = np.linspace(1.0, 3.0, BATCH)
    found = called(d.with_parameters({"mass": masses}), "inverse_dynamics", given)
    assert found.shape == (BATCH, 8)
    one = called(d.with_parameters({"mass": masses[3]}), "inverse_dynamics", given)
    agree([found[3]], [one])
    grid = d.with_parameters({"mass": masses[:, None], "length": np.array([0.5, 0.6, 0.7])})
    assert called(grid, "mass_matrix", given).shape == (BATCH, 3, 8, 8)


def test_inputs_are_bound_for_later_calls() -> None:
    system, d = crane(), compiled("crane")
    given = arguments(system, 13)
    q, u = given["q"], given["u"]
    bound = d.with_inputs({"push": -2.0})
    assert bound.inputs == {"push": -2.0, "wind": -0.4}
    agree([bound.forward_dynamics(q, u)], [d.forward_dynamics(q, u, inputs={"push": -2.0})])
    agree([bound.forward_dynamics(q, u, inputs={"push": 1.0})], [d.forward_dynamics(q, u, inputs={"push": 1.0})])
    assert bound.with_parameters({"mass": 1.0}).inputs == bound.inputs
    assert bound.with_inputs({"wind": np.zeros(3)}).forward_dynamics(q, u).shape == (3, 8)
    assert bound._library is d._library


def test_a_system_without_constraints_has_one_mode() -> None:
    d = compiled("crane")
    assert d.in_mode() is d
    with pytest.raises(KeyError, match=r"system 'crane' has no switchable constraint 'grip'; there is none yet"):
        d.in_mode({"grip"})


# -- systems of every size --------------------------------------------------------------------------------------------


def test_a_system_without_freedom() -> None:
    """Results without elements, of the batch's shape; what does not depend on freedom is there."""
    d = compiled("stone")
    none = np.zeros(0)
    for batch in ((), (3,), (2, 3)):
        x = np.zeros((*batch, 0))
        assert d.forward_dynamics(x, none).shape == (*batch, 0)
        assert d.inverse_dynamics(x, none, none).shape == (*batch, 0)
        assert d.mass_matrix(x).shape == (*batch, 0, 0)
        assert d.momentum_matrix(x).shape == (*batch, 6, 0)
        assert d.regressor(x, none, none).shape == (*batch, 0, 10)
        assert d.jacobian("body", x).shape == (*batch, 6, 0)
        assert d.rates(x, none).shape == d.integrate(x, none).shape == (*batch, 0)
        assert np.array_equal(d.energy(x, none).potential, np.full(batch, 9.81 * 2.0))
        assert np.array_equal(d.pose("body", x)[..., 2, 3], np.full(batch, 2.0))
    assert d.outputs(none, none) == {}
    with pytest.raises(ValueError, match="without freedom has no mobility"):
        d.operational_inertia("body", none)


def test_many_threads_may_call_first() -> None:
    """All get the same function, made once."""
    d = compile(pendulum(), cache=NOWHERE)
    angles = np.linspace(-3.0, 3.0, 64)[:, None]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda q: d.forward_dynamics(q, [0.2]), angles))
    agree([np.array(found)], [d.forward_dynamics(angles, [0.2])])
    agree([np.array(found)], [-9.81 * np.sin(angles)])
    assert len(d._library._functions) == 1


# -- mistakes ---------------------------------------------------------------------------------------------------------


def test_wrong_shapes_say_what_is_needed() -> None:
    d = compiled("crane")
    q, u = np.zeros(9), np.zeros(8)
    with pytest.raises(ValueError, match=r"q has the shape \(7,\); its last axis must have 9 elements \(base\.x, "):
        d.inverse_dynamics(np.zeros(7), u, u)
    with pytest.raises(ValueError, match=r"udot has the shape \(\); its last axis must have 8 elements"):
        d.inverse_dynamics(q, u, 1.0)
    with pytest.raises(TypeError, match=r"u is 'fast'; an array of numbers is needed"):
        d.inverse_dynamics(q, "fast", u)
    with pytest.raises(ValueError, match=r"at has the shape \(2,\); its last axis must have 3 elements"):
        d.jacobian("load", q, at=(0.0, 1.0))
    with pytest.raises(TypeError, match=r"q is \[.*\.\.\.; an array"):
        d.rates([object()] * 9, u)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"leading axes do not broadcast: q \(2,\), u \(3,\)$"):
        d.rates(np.zeros((2, 9)), np.zeros((3, 8)))
    with pytest.raises(TypeError, match="q is None; an array of numbers is needed"):
        d.mass_matrix(None)  # type: ignore[arg-type]
    for wide in (np.complex128, np.longdouble):
        with pytest.raises(TypeError, match=rf"u is of {np.dtype(wide)}; compiled functions take float64 or less"):
            d.rates(q, u.astype(wide))
    one = compile(pendulum())
    with pytest.raises(ValueError, match=r"q has the shape \(\); its last axis must have 1 element \(angle\)"):
        one.mass_matrix(0.3)


def test_wrong_outs_say_what_is_needed() -> None:
    d = compiled("crane")
    q, u = np.zeros((2, 9)), np.zeros(8)
    with pytest.raises(ValueError, match=r"out has the shape \(9,\); the result has \(2, 9\)"):
        d.rates(q, u, out=np.zeros(9))
    with pytest.raises(ValueError, match=r"out has the shape \(3, 9\); the result has \(2, 9\)"):
        d.rates(q, u, out=(np.zeros((3, 9)),))
    with pytest.raises(TypeError, match=r"out is \[0.0\]; an array is needed"):
        d.rates(q, u, out=[0.0])
    with pytest.raises(ValueError, match="read-only"):
        d.rates(q, u, out=np.broadcast_to(0.0, (2, 9)))


def test_wrong_values_say_what_is_needed() -> None:
    d = compiled("crane")
    q, u = np.zeros(9), np.zeros(8)
    with pytest.raises(TypeError, match=r"parameters are given by name, like .*, not as 3"):
        d.with_parameters(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"inputs are given by name, like .*, not as None"):
        d.with_inputs(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="input 'push' is 'hard'; a number or an array of numbers is needed"):
        d.forward_dynamics(q, u, inputs={"push": "hard"})
    both = r"leading axes do not broadcast: parameter 'mass' \(3,\), parameter 'stiffness' \(2,\)"
    with pytest.raises(ValueError, match=both):
        d.with_parameters({"mass": [1.0, 2.0, 3.0]}).with_parameters({"stiffness": [1.0, 2.0]})
    with pytest.raises(ValueError, match=r"leading axes do not broadcast: q \(2,\), parameters \(3,\)$"):
        d.with_parameters({"mass": [1.0, 2.0, 3.0]}).mass_matrix(np.zeros((2, 9)))


def test_values_are_copied() -> None:
    """A function is bound when it is first called; until then the user's array may have changed."""
    masses = np.array([1.0, 2.0])
    d = compiled("crane").with_parameters({"mass": masses})
    before = d.mass_matrix(np.zeros(9))
    masses[:] = 7.0
    assert list(d.parameters["mass"]) == [1.0, 2.0]
    assert (d.mass_matrix(np.zeros(9)) == before).all()
    bias = compiled("crane").with_parameters({"mass": [1.0, 2.0]}).bias_forces(np.zeros(9), np.ones(8))
    assert (d.bias_forces(np.zeros(9), np.ones(8)) == bias).all()


def test_a_copy_computes_the_same() -> None:
    """Pickled, as other processes get it, or copied."""
    d = compiled("crane").with_parameters({"mass": [3.0, 4.0]}).with_inputs({"push": 2.0})
    q, u = np.full(9, 0.1), np.full(8, 0.2)
    for other in (pickle.loads(pickle.dumps(d)), copy.deepcopy(d)):
        assert repr(other) == repr(d)
        assert (other.forward_dynamics(q, u) == d.forward_dynamics(q, u)).all()


def test_wrong_names_say_what_there_is() -> None:
    d = compiled("crane")
    q, u = np.zeros(9), np.zeros(8)
    with pytest.raises(KeyError, match="system 'crane' has no input 'puhs'; did you mean 'push'"):
        d.forward_dynamics(q, u, inputs={"puhs": 1.0})
    with pytest.raises(KeyError, match="has no input 'pull'"):
        d.with_inputs({"pull": 1.0})
    with pytest.raises(KeyError, match="has no parameter 'lenght'; did you mean 'length'"):
        d.with_parameters({"lenght": 1.0})
    with pytest.raises(KeyError, match="has no body 'laod'; did you mean 'load'"):
        d.pose("laod", q)
    with pytest.raises(KeyError, match="body 'load' has no point 'hok'; did you mean 'hook'"):
        d.jacobian("load", q, at="hok")
    with pytest.raises(KeyError, match="body 'cart' has no point 'hook'"):
        d.jacobian("cart", q, at="hook")
    with pytest.raises(ValueError, match="axes is 'world'; write \"body\" or \"ground\""):
        d.jacobian("load", q, axes="world")


def geared(a: float) -> System:
    """Two slides that a gear ties together, a x' + b y' = 0; a may be 0."""
    m = jd.Model("geared")
    p = m.parameters(a=a, b=2.0, s=1.0)
    x, y = (m.prismatic(name, m.ground, m.particle(f"body {name}", mass=1.0), axis=name) for name in "xy")
    m.keep("gear", p.a * x.speed + p.b * p.s * y.speed)
    return m.system()


def test_a_divisor_made_of_parameters_that_vanishes_is_named() -> None:
    q, f = np.zeros(2), [3.0, 4.0]
    d = compile(geared(1.0), cache=NOWHERE)
    a, b = 1.0, 2.0
    expected = np.array([b, -a]) * (b * 3.0 - a * 4.0) / (a * a + b * b)
    np.testing.assert_allclose(d.forward_dynamics(q, q, f), expected, rtol=1e-14)
    said = "forward_dynamics of system 'geared' divides by a, which cannot be done at a = 0; if the mechanism makes"
    for none in (0.0, [1.0, 0.0]):
        with pytest.raises(ValueError, match=said):
            d.with_parameters({"a": none}).forward_dynamics(q, q, f)
    with pytest.raises(ValueError, match=said):
        compile(geared(1.0), np.float32, cache=NOWHERE).with_parameters({"a": 0.0}).forward_dynamics(q, q, f)
    # As the model's own value it leads to another divisor.
    np.testing.assert_allclose(compile(geared(0.0), cache=NOWHERE).forward_dynamics(q, q, f), [3.0, 0.0], atol=1e-15)
    # What overflows in single precision alone is no fault of the derivation's.
    large = compile(geared(1.0), np.float32, cache=NOWHERE).with_parameters({"a": 1e-30, "b": 1e30})
    assert large.forward_dynamics(q, q, f).shape == (2,)


def test_wrong_values_are_refused() -> None:
    d = compiled("crane")
    with pytest.raises(ValueError, match="parameter 'mass' has a value that is not finite"):
        d.with_parameters({"mass": np.nan})
    with pytest.raises(TypeError, match="input 'push' is 'hard'; a number or an array of numbers is needed"):
        d.with_inputs({"push": "hard"})
    with pytest.raises(TypeError, match=r"in float64 or float32, not in int64"):
        compile(crane(), np.int64)
    with pytest.raises(TypeError, match=r"a System is compiled, not a Model; call its \.system\(\) first"):
        compile(jd.Model("raw"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a System is compiled, not a str$"):
        compile("crane")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"the name of a body is needed, a text, not <body 'a' of model 'm'>"):
        d.pose(jd.Model("m").link("a"), np.zeros(9))  # type: ignore[arg-type]
    for ask, done in ((jd.count, "counted"), (jd.derive, "derived"), (jd.base_parameters, "regrouped")):
        with pytest.raises(TypeError, match=f"a System is {done}, not a Model; call its"):
            ask(jd.Model("raw"))  # type: ignore[arg-type]


def test_what_it_is_called() -> None:
    d = compiled("crane")
    assert repr(d) == "<'crane' compiled in float64>"
    changed = d.with_parameters({"mass": 1.0}).with_inputs({"push": 2.0})
    assert repr(changed) == "<'crane' compiled in float64 at mass, push>"
