"""Whole motions: a thousand steps of gallery systems, bounces, modes: the same bits as portable native code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.exporting.plan import FUNCTIONS, plan_of
from jourdain.exporting.procedures import functions_of, motion_of, parameters_of
from jourdain.targets.wasm import write_wasm

from .running import Page, assert_same, assert_same_memory, portable

STEPS = 1000


def both(compiled: jd.Compiled, q: Any, u: Any, method: Any = None) -> tuple[Any, Page]:
    """The motion's sessions, native and not, before their start."""
    motion = motion_of(plan_of(compiled, (), q, u, method))
    page = Page(write_wasm({"motion": motion.procedure}), "motion", motion.given)
    native = portable(motion.procedure).session({name: x.copy() for name, x in motion.given.items()})
    page.working[:] = motion.memory
    native.memory[:] = motion.memory
    return native, page


def go(session: Any, until: float) -> float:
    """As the page's script goes on to a time; the status."""
    for name in ("status", "left", "row", "event rows", "change rows"):
        if name in session.own["cells"] if isinstance(session, Page) else session.has(name):
            session[name] = 0.0
    session.array("times")[:2] = until, np.inf
    session["upcoming"], session["budget"], session["count"] = until, np.inf, 1.0
    session.run()
    return float(session["status"])


def start_of(compiled: jd.Compiled, seed: int) -> tuple[Any, Any]:
    """Near the neutral position, on the constraints, moving."""
    rng, system = np.random.default_rng(seed), compiled.system
    q = compiled.assemble(system.neutral + 0.2 * rng.normal(size=len(system.coordinates)))
    u = 0.5 * rng.normal(size=len(system.speeds))
    if compiled.imposed:
        u = compiled.complete(q, u[: len(compiled.independent(q))])
    return q, u


GALLERY = ("pendulum", "double_pendulum", "stanford_arm", "stanford_arm_kane", "spherical_wrist", "rolling_disk",
           "four_bar", "rattleback", "shopping_cart", "kwatny_arm")  # fmt: skip


@pytest.mark.parametrize("name", GALLERY)
def test_a_thousand_steps(name: str) -> None:
    compiled = jd.compile(getattr(jd.gallery, name)())
    native, page = both(compiled, *start_of(compiled, 3))
    for session in (native, page):
        session.run()
        go(session, STEPS * 1e-3)
    assert native["steps"] == STEPS and native["status"] == 1.0
    assert_same_memory(native, page)


def test_ten_thousand_steps_of_the_double_pendulum() -> None:
    """Which is chaotic: one bit would be seen."""
    native, page = both(jd.compile(jd.gallery.double_pendulum()), [2.0, 2.5], [0.0, 0.0])
    for session in (native, page):
        session.run()
        go(session, 10.0)
    assert page["steps"] == 10_000
    assert_same_memory(native, page)


@pytest.mark.parametrize("name", ["double_pendulum", "stanford_arm", "shopping_cart", "four_bar"])
def test_functions(name: str) -> None:
    """Every function of the module, at states of all sizes, and the native functions' values to rounding."""
    compiled = jd.compile(getattr(jd.gallery, name)())
    plan = plan_of(compiled, FUNCTIONS, *start_of(compiled, 0), None)
    functions = list(functions_of(plan))
    wasm = write_wasm({x.name: x.procedure for x in functions})
    rng = np.random.default_rng(1)
    for x in functions:
        given = {"parameters": parameters_of(plan)}
        native, page = portable(x.procedure).session(given), Page(wasm, x.name, given)
        for scale in (1.0, 30.0, 1e6):
            for key in x.reads:
                values = scale * rng.normal(size=native.array(key).size)
                native.array(key)[:] = page.array(key)[:] = values
            native.run()
            page.run()
            assert_same_memory(native, page)
    state = {"q": plan.q, "u": plan.u, "f": np.zeros_like(plan.u), "inputs": np.zeros(len(compiled.system.inputs))}
    page = Page(wasm, "forward_dynamics", {"parameters": parameters_of(plan)})
    for key in next(x.reads for x in functions if x.name == "forward_dynamics"):
        page.array(key)[:] = state[key]
    page.run()
    expected = compiled.forward_dynamics(plan.q, plan.u)
    np.testing.assert_allclose(page.array("result"), expected, rtol=1e-11, atol=1e-11)


def test_far_angles_are_the_c_librarys_here() -> None:
    """Beyond 2^19 rad both ask the same library; a browser asks its own."""
    compiled = jd.compile(jd.gallery.pendulum())
    native, page = both(compiled, [1e7], [3.0])
    for session in (native, page):
        session.run()
        go(session, 0.1)
    assert_same_memory(native, page)


# -- constraints that come and go -------------------------------------------------------------------------------------


def ball() -> jd.System:
    m = jd.Model("ball")
    body = m.body("ball", mass=0.5, inertia=jd.principal(2e-3, 2e-3, 2e-3))
    slide, lift = m.link("slide"), m.link("lift")
    m.prismatic("x", m.ground, slide, axis="x")
    m.prismatic("z", slide, lift, axis="z")
    m.revolute("roll", lift, body, axis="y")
    m.contact("floor", (body, jd.shapes.Sphere(0.1)), jd.shapes.Plane(), friction=0.3, restitution=0.6)
    return m.system()


def test_a_ball_bounces_slips_and_rolls() -> None:
    native, page = both(jd.compile(ball()), [0.0, 0.6, 0.0], [2.0, 0.0, 0.0])
    touches = []
    for session in (native, page):
        session.run()
    for frame in range(1, 181):
        assert go(native, frame / 60) == go(page, frame / 60) == 1.0
        assert_same_memory(native, page)
        touches.append(float(page.array("touch")[0]))
    assert len(set(touches)) >= 2, "it flies and it rolls"
    x, z, roll = page.array("y")[:3]
    assert abs(z - 0.1) < 1e-9 and x > 1.0
    u = page.array("y")[3:6]
    np.testing.assert_allclose(u[0], 0.1 * u[2], atol=1e-9)  # it rolls
    run = jd.simulate(ball(), [0.0, 0.6, 0.0], [2.0, 0.0, 0.0], 3.0)
    np.testing.assert_allclose([x, z, roll], run.q[-1], atol=1e-5)


def test_the_shopping_carts_caster_sticks_and_comes_loose_by_itself() -> None:
    compiled = jd.compile(jd.gallery.shopping_cart(sticking=True))
    q = [0.0, 0.0, 0.0, 0.3]
    native, page = both(compiled, q, compiled.complete(q, [0.8, 0.4]))
    seen = []
    for session in (native, page):
        session.run()
    for frame in range(1, 241):
        for session in (native, page):
            session.array("inputs")[:] = [2.0 * np.sin(frame / 30), 0.6 * np.sin(frame / 17)]
            session["inputs set"] = 1.0
            assert go(session, frame / 60) == 1.0
        assert_same_memory(native, page)
        seen.append(float(page.array("switched")[0]))
    assert np.count_nonzero(np.diff(seen)) >= 2, "it sticks, and comes loose"


def test_the_shopping_carts_caster_is_held_and_let_go_by_hand() -> None:
    compiled = jd.compile(jd.gallery.shopping_cart())
    native, page = both(compiled, *start_of(compiled, 5))
    turning = []
    for session in (native, page):
        session.run()
    for until, on in ((0.5, 0.0), (1.0, 1.0), (1.5, 0.0)):
        for session in (native, page):
            session.array("inputs")[:] = [3.0, -0.7]
            session.array("switched")[0] = on
            session["switches turned"] = session["inputs set"] = 1.0
            assert go(session, until) == 1.0
        assert_same_memory(native, page)
        u = page.array("y")[4:7]
        turning.append(abs(u[2] - u[1]))
    assert turning[1] < 1e-12 < 1e-3 < min(turning[0], turning[2])


def test_a_copy_of_memory_goes_on_to_the_same_bits() -> None:
    compiled = jd.compile(jd.gallery.double_pendulum())
    _, page = both(compiled, [1.0, 2.0], [0.0, 0.0])
    page.run()
    go(page, 0.5)
    kept = page.working.copy()
    go(page, 1.0)
    first = page.array("y").copy()
    page.working[:] = kept
    go(page, 1.0)
    assert_same(page.array("y"), first)
