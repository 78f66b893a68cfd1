"""Linear models against the mechanism itself, moved a little along what its constraints allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.native import Cache
from tests.driver.mechanisms import crane
from tests.driver.test_constrained import STICKS, cart, four_bar

Array = NDArray[Any]
NOWHERE = Cache(None)
STEP = 2e-3
# Derivatives by four values, exact for polynomials of the fourth degree.
STENCIL = ((1.0, 8.0 / 12.0), (-1.0, -8.0 / 12.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0))


def derivative(function: Callable[..., Array], *more: Any) -> Array:
    """Of a function of a number and more arguments, at zero."""
    total = sum(weight * function(k * STEP, *more) for k, weight in STENCIL)
    found: Array = np.asarray(total) / STEP
    return found


@dataclass(frozen=True)
class Case:
    """A mechanism in a state that its constraints allow."""

    d: Compiled
    q: Array
    u: Array
    t: float = 0.0

    @property
    def f(self) -> Array:
        return np.linspace(-1.0, 2.0, len(self.u))

    def step(self, q: Array, dp: Array) -> Array:
        """q ⊕ a step of the joints' own speeds."""
        return self.d._call(("step", ()), (q, dp), None, None, {})

    def away(self, q: Array) -> Array:
        """The step of the joints from the state's configuration."""
        return self.d._call(("away", ()), (self.q, q), None, None, {})

    def near(self, model: jd.Linear, x: Array) -> tuple[Array, Array]:
        """The state whose independent coordinates and speeds differ by x; the others follow exactly."""
        d, t = self.d, self.t
        n, places, own = self._places(model)
        dp = np.zeros(n)
        dp[places] = x[: len(places)]
        others = [k for k in range(n) if k not in places]
        q = self.step(self.q, dp)
        for _ in range(8):
            if not others:
                break
            miss = self._on_rows(q)
            matrix = np.stack([
                derivative(lambda h, k: self._on_rows(self.step(self.q, dp + h * np.eye(n)[k])), k)
                for k in others
            ], axis=-1)  # fmt: skip
            dp[others] -= np.linalg.lstsq(matrix, miss, rcond=1e-9)[0]
            q = self.step(self.q, dp)
        free = self.u[own] + x[len(places) :]
        return q, d.complete(q, free, [d.system.speeds[k] for k in own], t=t)

    def _on_rows(self, q: Array) -> Array:
        """Rows of positions."""
        names = [c.name for c in self.d.system.conditions if c.level.value == "position"]
        found = self.d.residual(q, self.u, t=self.t)
        return np.concatenate([found[name][: len(found[name]) // 2] for name in names])

    def _places(self, model: jd.Linear) -> tuple[int, list[int], list[int]]:
        """How many joint speeds, and which of them and of the speeds are states: where x alone moves them."""
        one_each = np.eye(len(model.states))
        steps = [int(np.flatnonzero((model.steps == row).all(axis=-1))[0])
                 for row in one_each if (model.steps == row).all(axis=-1).any()]  # fmt: skip
        count = len(steps)
        speeds = [int(np.flatnonzero((model.speeds == row).all(axis=-1))[0]) for row in one_each[count:]]
        return len(model.steps), steps, speeds

    def rate(self, model: jd.Linear, q: Array, u: Array, f: Array, inputs: dict[str, float] | None = None) -> Array:
        """ẋ of a state nearby."""
        _, places, own = self._places(model)
        p = self.d.tangent(q, u, inputs=inputs, t=self.t)["rates"]
        moved = derivative(lambda h: self.away(self.step(q, h * p)))
        udot = self.d.forward_dynamics(q, u, f, inputs=inputs, t=self.t)
        return np.concatenate([moved[places], udot[own]])


def rolling_coin() -> Case:
    """A coin on its rim, by a free joint and multipliers: a quaternion, a row of positions, two that roll."""
    m = jd.Model("coin")
    coin = m.body("coin", mass=1.3, inertia=jd.thin_disk(0.3))
    m.free("flies", m.ground, coin)
    touch = m.wheel(coin, radius=0.3, axis="z")
    m.keep("touches", touch.gap)
    m.keep("rolls", *touch.slip)
    push = m.input("push", 0.4)
    m.force(push * m.ground.x, at=coin.center)
    d = jd.compile(m.system(), cache=NOWHERE)
    q = d.assemble([0.1, 0.2, 0.25, 0.6, 0.2, -0.1, 0.7])
    return Case(d, q, d.complete(q, [0.4, -1.0, 2.0], ["flies.wx", "flies.wy", "flies.wz"]))


def gimbal() -> Case:
    """Angles whose rates are no speeds, a planar joint, generalized speeds with terms that time moves, a cam."""
    m = jd.Model("gimbal")
    a, b, c = (m.body(x, mass=1.0 + k, center=(0.1, 0.2, 0.3), inertia=jd.principal(0.3, 0.4, 0.5))
               for k, x in enumerate("abc"))  # fmt: skip
    m.planar("slides", m.ground, a)
    m.spherical("ball", a, b, orientation=jd.ANGLES, at=(0.2, 0.0, 0.1))
    m.revolute("hinge", b, c, axis="x", at=(0.0, 0.3, 0.0))
    m.speeds(
        u1=a.origin.velocity @ m.ground.x + jd.sin(m.time), u2=a.origin.velocity @ a.y, u3=a.omega @ a.z,
        u4=b.omega @ b.x, u5=b.omega @ b.y, u6=b.omega @ b.z, u7=c.center.velocity @ c.y,
    )  # fmt: skip
    m.keep("cam", m["hinge"].speed - 0.5 * jd.cos(m.time) * m["slides"].speeds[2])
    d = jd.compile(m.system(), cache=NOWHERE)
    q = np.array([0.1, 0.2, 0.3, 0.4, -0.5, 0.6, 0.7])
    u = d.complete(q, np.linspace(-1.0, 1.0, 6), [f"u{k}" for k in range(1, 7)], t=0.8)
    return Case(d, q, u, 0.8)


@lru_cache(maxsize=8)
def case(name: str) -> Case:
    if name == "crane":
        d = jd.compile(crane(), cache=NOWHERE)
        q = np.array([0.1, 0.2, 0.3, 0.1, -0.2, 0.3, 0.9, 0.2, 0.5])
        q[3:7] /= np.linalg.norm(q[3:7])
        return Case(d, q, np.linspace(-1.0, 1.0, 8), 0.4)
    if name == "four-bar":
        q = four_bar().assemble([0.8, 0.1, 1.9])
        return Case(four_bar(), q, four_bar().complete(q, [1.3], ["crank angle"]))
    if name in ("cart", "sticking cart"):
        d = cart().in_mode([STICKS] if name.startswith("sticking") else [])
        q = np.array([0.1, 0.2, 0.3, 0.4])
        free = {"u1": 0.7} if d.mode else {"u1": 0.7, "u2": -0.3}
        return Case(d, q, d.complete(q, list(free.values()), list(free)))
    if name == "bicycle":
        d = jd.compile(jd.gallery.whipple_bicycle(), cache=NOWHERE)
        return Case(d, d.assemble([0.3, 0.1, 0.5, 0.3, 0.0, 0.2, 0.4, 0.1]), np.array([0.4, -0.6, -12.0]))
    return rolling_coin() if name == "coin" else gimbal()


CASES = ("crane", "four-bar", "cart", "sticking cart", "coin", "gimbal", "bicycle")


@pytest.mark.parametrize("name", CASES)
def test_the_model_is_that_of_the_mechanism(name: str) -> None:
    """A, B and the rate, about states that are no equilibria."""
    here = case(name)
    d, q, u, f, t = here.d, here.q, here.u, here.f, here.t
    model = jd.linearize(d, q, u, f, t=t)
    n = len(model.states)
    scale = max(1.0, float(np.abs(model.A).max()))
    assert np.abs(here.rate(model, q, u, f) - model.rate).max() < 1e-9 * scale

    def moved(x: Array) -> Array:
        return here.rate(model, *here.near(model, x), f)

    found = np.stack([derivative(lambda h, k: moved(h * np.eye(n)[k]), k) for k in range(n)], axis=-1)
    assert np.abs(found - model.A).max() < 1e-6 * scale
    values = {name: float(x) for name, x in d.inputs.items()}
    for k, name in enumerate(model.inputs):
        column = derivative(lambda h, by: here.rate(model, q, u, f, {**values, by: values[by] + h}), name)
        assert np.abs(column - model.B[:, k]).max() < 1e-8 * scale
    forces = jd.linearize(d, q, u, f, t=t, by=d.system.speeds)
    for k in range(len(u)):
        column = derivative(lambda h, k: here.rate(model, q, u, f + h * np.eye(len(u))[k]), k)
        assert np.abs(column - forces.B[:, k]).max() < 1e-8 * max(scale, float(np.abs(forces.B).max()))


@pytest.mark.parametrize("name", CASES)
def test_what_the_states_refer_to(name: str) -> None:
    """How all joints and speeds follow the states."""
    here = case(name)
    model = jd.linearize(here.d, here.q, here.u, here.f, t=here.t)
    for k, row in enumerate(np.eye(len(model.states))):
        steps = derivative(lambda h, x: here.away(here.near(model, h * x)[0]), row)
        speeds = derivative(lambda h, x: here.near(model, h * x)[1], row)
        assert np.abs(steps - model.steps[:, k]).max() < 1e-7
        assert np.abs(speeds - model.speeds[:, k]).max() < 1e-6 * max(1.0, float(np.abs(model.speeds).max()))


def test_names() -> None:
    """A coordinate's name, a joint's step, a speed's symbol; the pendulum's textbook matrix."""
    pendulum = jd.linearize(jd.gallery.pendulum(), [0.0], [0.0], by=["angle"])
    assert (pendulum.states, pendulum.inputs) == (("angle", "angledot"), ("angle",))
    assert np.abs(pendulum.A - [[0.0, 1.0], [-9.81, 0.0]]).max() < 1e-14
    assert np.array_equal(pendulum.B, [[0.0], [1.0]])
    assert pendulum.eigenvalues == pytest.approx([1j * 9.81**0.5, -1j * 9.81**0.5])
    coin = jd.linearize(case("coin").d, case("coin").q, case("coin").u)
    assert len(coin.states) == 5 + 3
    assert coin.states[0].startswith("step of flies.")
    assert coin.inputs == ("push",)
    assert jd.linearize(jd.gallery.pendulum(), [0.0], [0.0]).B.shape == (2, 0)


def test_modes_parameters_and_choices() -> None:
    """A compiled system's mode and parameters hold; independent ones may be named."""
    bar = case("four-bar")
    crank = jd.linearize(bar.d, bar.q, bar.u, coordinates=["crank angle"], speeds=["crank angledot"])
    rocker = jd.linearize(bar.d, bar.q, bar.u, coordinates=["rocker angle"], speeds=["rocker angle"])
    assert (crank.states, rocker.states[0]) == (("crank angle", "crank angledot"), "rocker angle")
    assert crank.eigenvalues != pytest.approx(0.0)
    free = jd.linearize(cart(), [0.0] * 4, [0.0] * 3)
    stuck = jd.linearize(cart().in_mode([STICKS]), [0.0] * 4, [0.0] * 3)
    assert len(free.states) == len(stuck.states) + 1
    light = jd.linearize(cart().with_parameters({"m_B": 2.0, "m_C": 0.1}), [0.0] * 4, [0.0] * 3)
    assert float(np.abs(light.B).max()) > float(np.abs(free.B).max())
    with pytest.raises(ValueError, match="the speeds u1 do not follow from the others; choose other speeds"):
        jd.linearize(cart(), [0.0] * 4, [0.0] * 3, speeds=["u2", "u3"])


def test_over_a_batch_as_one_by_one() -> None:
    d = case("bicycle").d
    speeds = np.array([0.0, 2.0, 4.0, 6.0])
    u = np.stack([0.0 * speeds, 0.0 * speeds, -speeds / 0.3], axis=-1)
    q = np.zeros(8)
    whole = jd.linearize(d, q, u)
    assert whole.A.shape == (4, 10, 10)
    assert whole.B.shape == (4, 10, 3)
    assert whole.eigenvalues.shape == (4, 10)
    for k in range(4):
        one = jd.linearize(d, q, u[k])
        assert one.states == whole.states
        assert np.abs(one.A - whole.A[k]).max() < 1e-10
        assert np.abs(one.B - whole.B[k]).max() < 1e-12
        assert np.abs(one.rate - whole.rate[k]).max() < 1e-12
    part = whole.part("lean", "steer", "lean_rate", "steer_rate")
    assert part.A.shape == (4, 4, 4)


def test_mistakes() -> None:
    bar = case("four-bar")
    with pytest.raises(ValueError, match="'four-bar' does not satisfy its constraints: it misses 'pin' by 0"):
        jd.linearize(bar.d, bar.q + np.array([0.01, 0.0, 0.0]), bar.u)
    with pytest.raises(KeyError, match="has no input or speed 'driv'; did you mean 'drive'"):
        jd.linearize(bar.d, bar.q, bar.u, by=["driv"])
    with pytest.raises(KeyError, match="there are no coordinates 'crank'; did you mean 'crank angle'"):
        jd.linearize(bar.d, bar.q, bar.u, coordinates=["crank"])
    with pytest.raises(ValueError, match="do not follow from the others; choose other coordinates"):
        jd.linearize(bar.d, bar.q, bar.u, coordinates=[])
    with pytest.raises(ValueError, match=r"at this state the coordinates crank angle, .* cannot all be chosen freely"):
        jd.linearize(bar.d, bar.q, bar.u, coordinates=list(bar.d.system.coordinates[:2]))
    with pytest.raises(ValueError, match="of the independent coordinates, crank angle is named twice"):
        jd.linearize(bar.d, bar.q, bar.u, coordinates=["crank angle"] * 2)
    model = jd.linearize(bar.d, bar.q, bar.u, coordinates=["crank angle"])
    with pytest.raises(KeyError, match="the model has no state 'crank'; did you mean 'crank angle'"):
        model.part("crank")
    with pytest.raises(ValueError, match="acts on 'crank angle'; a part without it would be another mechanism's"):
        model.part("crank angle")


def test_a_linear_model_says_what_its_letters_mean() -> None:
    d = jd.compile(jd.gallery.double_pendulum(), cache=NOWHERE)
    model = jd.linearize(d, np.zeros(2), np.zeros(2), by=["elbow"])
    letters = f"x: {', '.join(model.states)}; v: elbow"
    assert repr(model) == f"<linear model ẋ = rate + A x + B v, {letters}>"
    several = jd.linearize(d, np.zeros(2), np.zeros((3, 2)), by="elbow")
    assert repr(several) == f"<linear model ẋ = rate + A x + B v, {letters}, (3,) of them>"
