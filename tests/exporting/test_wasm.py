"""The exported files: a page in a browser computes the bits of portable native code, and asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.exporting import TARGETS
from jourdain.exporting.plan import FUNCTIONS, plan_of
from jourdain.exporting.procedures import functions_of, motion_of

from ..animation.browser import Browser, program
from ..wasm.running import portable
from ..wasm.test_motions import ball, go

NEEDS = pytest.mark.skipif(program() is None, reason="Chromium is not installed")
START = ([1.0, 2.0], [0.3, -0.2])


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Browser]:
    jd.export(jd.gallery.double_pendulum(), "wasm", tmp_path, q0=START[0], u0=START[1])
    with Browser(tmp_path / "profile") as browser:
        browser.open(tmp_path / "double-pendulum.html")
        yield browser
        assert browser.console == []
        assert len(browser.requests) == 1 and browser.requests[0].startswith("file:")


def native(system: jd.System, q: Any, u: Any, until: float) -> Any:
    motion = motion_of(plan_of(jd.compile(system), (), q, u, None))
    session = portable(motion.procedure).session(motion.given)
    session.memory[:] = motion.memory
    session.run()
    go(session, until)
    return session


@NEEDS
def test_the_page_computes_the_bits_of_native_code(page: Browser) -> None:
    page.run('document.getElementById("play").click()')
    found = page.run("system.reset(), system.advance(2.0), [...system.q, ...system.u, system.t, system.status]")
    expected = native(jd.gallery.double_pendulum(), *START, 2.0)
    assert found == [*expected.array("y")[:4].tolist(), 2.0, 1.0]


@NEEDS
def test_the_page_plays_pauses_and_begins_again(page: Browser) -> None:
    wait = "new Promise(done => setTimeout(() => done(system.t), 300))"
    first = page.run(wait)
    assert page.run(wait) > first > 0.0
    assert "energy" in page.run('document.getElementById("now").textContent')
    assert page.run('document.getElementById("state").rows.length') == 2
    assert page.run("[document.title, document.querySelector('h1').textContent]") == ["double-pendulum"] * 2
    assert page.run("[...document.body.innerText.matchAll(/%[A-Z]+%/g)].length") == 0
    page.run('document.getElementById("play").click()')
    still = page.run("system.t")
    assert page.run(wait) == still
    page.run('document.getElementById("reset").click()')
    assert page.run("[system.t, ...system.q, ...system.u]") == [0.0, *START[0], *START[1]]
    assert page.run('document.getElementById("trouble").textContent') == ""


@NEEDS
def test_functions_in_the_page(page: Browser) -> None:
    system = jd.gallery.double_pendulum()
    d, (q, u) = jd.compile(system), START
    page.run('document.getElementById("play").click(), system.reset()')
    asked = page.run(f"[...system.call('forward_dynamics', {{ q: {q}, u: {u}, f: [0.5, 0] }})]")
    np.testing.assert_allclose(asked, d.forward_dynamics(q, u, [0.5, 0.0]), rtol=1e-13)
    energy = page.run("(({ kinetic, potential }) => [kinetic[0], potential[0]])(system.call('energy'))")
    np.testing.assert_allclose(energy, list(d.energy(q, u)), rtol=1e-13)
    name = next(iter(system.parameters))
    page.run(f"system.parameters[{list(system.parameters).index(name)}] = 3.0")
    other = d.with_parameters({name: 3.0})
    found = page.run("[...system.call('mass_matrix')]")
    np.testing.assert_allclose(found, other.mass_matrix(q).ravel(), rtol=1e-13)
    said = 'try { system.call("forward_dynamics", { p: [1] }) } catch (e) { e.message }'
    assert page.run(said) == "forward_dynamics takes q, u, f, not p"
    assert "has 3 numbers, not 2" in page.run('try { system.reset({ q: [1, 2, 3] }) } catch (e) { e.message }')
    assert "there is no jump" in page.run('try { system.call("jump") } catch (e) { e.message }')


@NEEDS
def test_powers_are_cs_in_the_page(page: Browser) -> None:
    """Where JavaScript differs from C, which native code asks."""
    asked = "[[1, NaN], [1, Infinity], [-1, -Infinity], [0, 0], [2, 10]].map(([x, y]) => system.program.math.pow(x, y))"
    assert page.run(asked) == [1, 1, 1, 1, 1024]
    assert page.run("Number.isNaN(system.program.math.pow(-1, 0.5))")


@NEEDS
def test_a_bouncing_ball_in_the_page(tmp_path: Path) -> None:
    """Contacts, friction, changes of the mode, frame by frame."""
    start = ([0.0, 0.6, 0.0], [2.0, 0.0, 0.0])
    jd.export(ball(), "wasm", tmp_path, functions=("poses", "energy"), q0=start[0], u0=start[1])
    motion = motion_of(plan_of(jd.compile(ball()), (), *start, None))
    session = portable(motion.procedure).session(motion.given)
    session.memory[:] = motion.memory
    session.run()
    with Browser(tmp_path / "profile") as browser:
        browser.open(tmp_path / "ball.html")
        browser.run('document.getElementById("play").click(), system.reset()')
        for until in (0.4, 1.1, 3.0):
            go(session, until)
            found = browser.run(f"system.advance({until}), [...system.q, ...system.u, system.status]")
            assert found == [*session.array("y")[:6].tolist(), 1.0]
        assert browser.console == []


@NEEDS
def test_switches_are_turned_in_the_page(tmp_path: Path) -> None:
    cart, q = jd.gallery.shopping_cart(), [0.0, 0.0, 0.0, 0.3]
    compiled = jd.compile(cart)
    u = compiled.complete(q, [0.8, 0.4])
    jd.export(compiled, "wasm", tmp_path, q0=q, u0=u)
    with Browser(tmp_path / "profile") as browser:
        browser.open(tmp_path / "shopping-cart.html")
        browser.run('document.getElementById("play").click(), system.reset()')
        assert browser.run("system.on") == []
        assert browser.run("system.advance(0.5), Math.abs(system.u[2] - system.u[1])") > 1e-3
        found = browser.run(
            "system.turn('caster sticks', true), system.advance(1), [system.u[2] - system.u[1], system.on]"
        )
        assert abs(found[0]) < 1e-12 and found[1] == ["caster sticks"]
        assert "there is no switch x" in browser.run("try { system.turn('x', true) } catch (e) { e.message }")
        assert browser.console == []


@NEEDS
def test_the_script_is_a_module_of_its_own(tmp_path: Path) -> None:
    """It exports what a page of one's own imports, and says no address of the network."""
    files = jd.export(jd.gallery.pendulum(), "wasm", tmp_path, functions=("energy",))
    assert [x.name for x in files] == ["pendulum.wasm", "pendulum.js", "pendulum.html"]
    assert files[0].read_bytes()[:4] == b"\0asm"
    script = files[1].read_text(encoding="utf-8")
    assert {"open", "layout", "load"} <= set(re.findall(r"^export (?:async function|const|class) (\w+)", script, re.M))
    assert sum(x.stat().st_size for x in files) < 200_000
    assert "http://" not in files[2].read_text() and "https://" not in files[2].read_text()


def test_the_same_system_is_the_same_files(tmp_path: Path) -> None:
    """To the byte; what working tables held by chance is not in them."""
    start = {"q0": [0.0, 0.6, 0.0], "u0": [2.0, 0.0, 0.0]}
    one, other = (jd.export(ball(), "wasm", tmp_path / x, functions=("energy",), **start) for x in "ab")
    assert [x.read_bytes() for x in one] == [x.read_bytes() for x in other]
    assert one[1].stat().st_size < 30_000


# -- what cannot be exported ------------------------------------------------------------------------------------------


def no_freedom() -> jd.System:
    m = jd.Model("post")
    m.weld("stands", m.ground, m.body("post", mass=1.0, inertia=jd.point_mass))
    return m.system()


def asking() -> jd.System:
    m = jd.Model("asking")
    m.prismatic("x", m.ground, m.body("body", mass=1.0, inertia=jd.point_mass), axis="x")
    m.switch("held", m["x"].speed, on=m.call("grip"))
    return m.system()


def rubbing() -> jd.System:
    m = jd.Model("rubbing")
    slide = m.link("slide")
    m.prismatic("x", m.ground, slide, axis="x")
    m.prismatic("y", slide, m.body("body", mass=1.0, inertia=jd.point_mass), axis="y")
    m.keep("wall", m["y"].speed)
    m.switch("held", m["x"].speed)
    m.friction("wall", m["x"].speed, coefficient=0.1)
    return m.system()


def boxes() -> jd.System:
    m = jd.Model("boxes")
    body = m.body("body", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1))
    m.free("free", m.ground, body)
    m.contact("on", (body, jd.shapes.Box((0.2, 0.2, 0.2))), jd.shapes.Box((1.0, 1.0, 0.1)))
    return m.system()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"target": "fortran"}, f"there is no target 'fortran'; there are {', '.join(TARGETS)}"),
        ({"method": jd.DormandPrince54()}, "takes equal steps, which DormandPrince54 does not"),
        ({"method": "RK4"}, "takes equal steps, which 'RK4' does not"),
        ({"functions": ("forward",)}, "no function 'forward' can be exported"),
        ({"q0": [0.0]}, r"q0 must be 2 finite numbers \(.*\), not \[0.0\]"),
        ({"u0": [0.0, np.nan]}, "u0 must be 2 finite numbers"),
        ({"system": no_freedom()}, "has no freedom"),
        ({"system": boxes(), "q0": [0, 0, 1, 0, 0, 0, 1]}, r"\('on'\) are of two polyhedra"),
        ({"system": rubbing()}, r"friction that depends on forces of constraints \('friction 1'\) cannot follow yet"),
        ({"system": jd.compile(jd.gallery.shopping_cart()).with_inputs({"F": np.ones(3)})}, "inputs have batch axes"),
        ({"system": asking()}, r"ask functions in Python \('grip'\)"),
        ({"system": jd.compile(jd.gallery.double_pendulum()).with_parameters({"m1": np.ones(3)})}, "batch axes"),
    ],
)  # fmt: skip
def test_refused_before_anything_is_written(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    arguments = {"system": jd.gallery.double_pendulum(), "target": "wasm", "folder": tmp_path / "new", **given}
    with pytest.raises(ValueError, match=said):
        jd.export(**arguments)
    assert not (tmp_path / "new").exists()


def test_a_start_that_is_off_the_constraints(tmp_path: Path) -> None:
    system = jd.gallery.four_bar()
    with pytest.raises(ValueError, match="the start is not on the constraints"):
        jd.export(system, "wasm", tmp_path / "new", q0=np.full(len(system.coordinates), 1e6))
    assert not (tmp_path / "new").exists()


def test_every_function_by_default() -> None:
    plan = plan_of(jd.compile(jd.gallery.shopping_cart()), FUNCTIONS, None, None, None)
    assert [x.name for x in functions_of(plan)] == [x for x in FUNCTIONS if x != "outputs"]
