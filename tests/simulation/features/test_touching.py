"""Boxes and meshes that fall on one another, rest, tip and slide off: exact motions, SciPy, planes as witnesses."""

from __future__ import annotations

import re
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain import shapes
from jourdain.model.system import System
from jourdain.simulation.modes import ModalRun

Floats = NDArray[np.float64]
G = 9.81
SIZES = (0.2, 0.3, 0.1)
GROUND = shapes.Box((0.4, 0.4, 0.1), center=(0, 0, -0.05))
CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
TETRAHEDRON = np.array([(0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.2, 0.0), (0.1, 0.1, 0.25)])


def inertia(sizes: tuple[float, float, float]) -> Any:
    x, y, z = (s * s / 12.0 for s in sizes)
    return jd.principal(y + z, x + z, x + y)


def stack(count: int, friction: float = 0.5, restitution: float = 0.0, ground: Any = GROUND) -> System:
    """Boxes, each of which can touch the next."""
    m = jd.Model("stack")
    below = ground
    for k in range(1, count + 1):
        body = m.body(f"block {k}", mass=1.0, inertia=inertia(SIZES))
        m.free(f"joint {k}", m.ground, body)
        side = (body, shapes.Box(SIZES))
        m.contact(f"on {k}", side, below, friction=friction, restitution=restitution)
        below = side
    return m.system()


def still(*places: Any) -> tuple[Floats, Floats]:
    """At rest, upright, or turned about the vertical [°]."""
    q = [[x, y, z, *Rotation.from_euler("z", angle, degrees=True).as_quat()] for x, y, z, angle in places]
    return np.concatenate(q), np.zeros(6 * len(places))


def simulated(system: System, q: Floats, u: Floats, end: float, **more: Any) -> ModalRun:
    run = jd.simulate(system, q, u, end, **more)
    assert isinstance(run, ModalRun)
    assert run.status.name == "DONE"
    energy = run.compiled.energy(run.q, run.u).total
    assert np.diff(energy).max() < 1e-9  # a gap below 1e-10 m is closed, which lifts a kilogram so far
    assert max(run.checks.drift.values()) < 1e-9
    return run


def test_a_box_falls_flat() -> None:
    run = simulated(stack(1), *still((0.03, -0.02, 0.3, 20.0)), 1.0)
    assert run.changes[0].t == pytest.approx(np.sqrt(2 * 0.25 / G), abs=1e-13)
    assert -run.changes[0].work == pytest.approx(G * 0.25, rel=1e-13)
    assert np.abs(run.q[-1] - still((0.03, -0.02, 0.05, 20.0))[0]).max() < 1e-14
    forces = sum(run.forces[f"on 1 {k}"][-1, 0] for k in range(1, 9))
    assert forces == pytest.approx(G, rel=1e-13)


def test_it_bounces() -> None:
    e, fall = 0.5, np.sqrt(2 * 0.25 / G)
    run = simulated(stack(1, restitution=e), *still((0.0, 0.0, 0.3, 0.0)), 1.2)
    impacts = [x.t for x in run.changes if x.impulses][:8]
    expected = fall + 2 * fall * np.cumsum([0, *(e**k for k in range(1, 8))])
    assert impacts == pytest.approx(list(expected), abs=1e-11)
    assert run.q[-1, 2] == pytest.approx(0.05, abs=1e-12)


def test_one_edge_on_another() -> None:
    """Two boxes on their edges, crossed above each other's middle: one contact of two edges, bouncing straight up."""
    m = jd.Model("edges")
    reach = (0.2 + 0.1) / 2 / np.sqrt(2.0)
    body = m.body("bar", mass=2.0, inertia=inertia((0.2, 0.4, 0.1)))
    m.free("joint", m.ground, body)
    turned = [("y", np.arctan2(1.0, 1.0))]
    m.contact("edges", (body, shapes.Box((0.2, 0.4, 0.1), axes=turned)),
              shapes.Box((0.4, 0.2, 0.1), axes=[("x", np.arctan2(1.0, 1.0))]), restitution=0.6)  # fmt: skip
    # The lower edges of the two are not below their middles.
    low = CORNERS * (0.2, 0.4, 0.1) @ Rotation.from_euler("y", 45, degrees=True).as_matrix().T
    high = CORNERS * (0.4, 0.2, 0.1) @ Rotation.from_euler("x", 45, degrees=True).as_matrix().T
    x, z = low[low[:, 2].argmin()][[0, 2]]
    y, top = high[high[:, 2].argmax()][[1, 2]]
    assert z == pytest.approx(-reach) and top == pytest.approx(reach)
    run = simulated(m.system(), np.array([0.03, y, top - z + 0.1, 0, 0, 0, 1]), np.zeros(6), 0.2)
    first = run.changes[0]
    assert first.t == pytest.approx(np.sqrt(0.2 / G), abs=1e-13)
    assert len(first.impulses) == 1
    # The impulse acts at the middle of the bar's length, and off it across, by x.
    speed, arm = np.sqrt(0.2 * G), abs(x)
    about_y = (0.2**2 + 0.1**2) / 12.0  # as declared, of 1 kg
    impulse = 1.6 * speed / (0.5 + arm * arm / about_y)
    assert float(sum(v[0] for v in first.impulses.values())) == pytest.approx(impulse, rel=1e-12)
    assert first.u[5] == pytest.approx(impulse / 2.0 - speed, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_as_on_a_plane(seed: int) -> None:
    """A box that tumbles on a large one, and one on a plane."""
    rng = np.random.default_rng(seed)
    q = np.concatenate([[0.0, 0.0, 0.3], Rotation.random(random_state=rng).as_quat()])
    u = np.concatenate([rng.normal(size=3), np.zeros(3)])
    ours = simulated(stack(1, ground=shapes.Box((4, 4, 1), center=(0, 0, -0.5))), q, u, 0.45)
    theirs = simulated(stack(1, ground=shapes.Plane()), q, u, 0.45)
    a, b = ([x.t for x in run.changes if x.impulses][:2] for run in (ours, theirs))
    assert a == pytest.approx(b, abs=1e-9)
    assert np.abs(ours.q[-1] - theirs.q[-1]).max() < 1e-4  # what tumbles on magnifies rounding


def test_a_stack_of_two() -> None:
    run = simulated(stack(2), *still((0.02, 0.0, 0.05, 0.0), (0.03, 0.02, 0.16, 0.0)), 0.6)
    assert run.q[-1, [2, 9]] == pytest.approx([0.05, 0.15], abs=1e-13)
    lower = sum(run.forces[f"on 1 {k}"][-1, 0] for k in range(1, 9))
    upper = sum(run.forces[f"on 2 {k}"][-1, 0] for k in range(1, 9))
    assert (lower, upper) == pytest.approx((2 * G, G), rel=1e-12)


def test_a_stack_of_three_turned() -> None:
    """The uppermost one lies across: eight corners, of which those of crossing edges carry, too."""
    start = still((0.0, 0.0, 0.05, 0.0), (0.01, 0.02, 0.15, 0.0), (0.0, 0.01, 0.27, 50.0))
    run = simulated(stack(3), *start, 0.5)
    assert run.q[-1, [2, 9, 16]] == pytest.approx([0.05, 0.15, 0.25], abs=1e-12)
    upper = sum(run.forces[f"on 3 {k}"][-1, 0] for k in range(1, 9))
    assert upper == pytest.approx(G, rel=1e-12)


def test_a_box_slides_off_anothers_edge() -> None:
    """Without friction: it moves evenly until its middle is over the edge, tips about that, leaves it at its end."""
    q, u = still((0.12, 0.0, 0.05, 0.0))
    u[3] = 1.0
    run = simulated(stack(1, friction=0.0), q, u, 0.3)
    tips = run.changes[1]
    assert tips.t == pytest.approx(0.08, abs=1e-12)
    assert tips.q == pytest.approx([0.2, 0, 0.05, 0, 0, 0, 1], abs=1e-12)
    about_y, h = (0.2**2 + 0.1**2) / 12.0, 0.05
    masses = np.diag([1.0, 1.0, about_y])

    def rates(t: float, y: Floats) -> Floats:
        """x, z, angle and their rates; the edge at (0.2, 0) stays in the plane of the lower face."""
        (x, z, a), v = y[:3], y[3:]
        n, along = np.array([np.sin(a), np.cos(a)]), np.array([np.cos(a), -np.sin(a)])
        r = np.array([x - 0.2, z])
        row = np.array([*n, along @ r])
        bent = 2 * v[2] * (along @ v[:2]) - v[2] ** 2 * (n @ r)
        force = np.array([0.0, -G, 0.0])
        free = np.linalg.solve(masses, force)
        found = free - np.linalg.solve(masses, row) * (row @ free + bent) / (row @ np.linalg.solve(masses, row))
        return np.concatenate([v, found])

    def end(t: float, y: Floats) -> float:
        """Along the lower face from the edge to its end."""
        return float(np.cos(y[2]) * (0.2 - y[0]) + np.sin(y[2]) * y[1] + 0.1)

    end.terminal = True  # type: ignore[attr-defined]
    start = [0.2, h, 0.0, 1.0, 0.0, 0.0]
    theirs = solve_ivp(rates, (0.0, 1.0), start, "DOP853", rtol=1e-12, atol=1e-13, events=end)
    leaves = run.changes[2]
    assert leaves.t == pytest.approx(0.08 + theirs.t[-1], abs=1e-6)  # it may go past its end by a tenth of a micron
    angle = 2 * np.arctan2(leaves.q[4], leaves.q[6])
    assert [leaves.q[0], leaves.q[2], angle] == pytest.approx(theirs.y[:3, -1], abs=1e-6)
    turned = Rotation.from_quat(leaves.q[3:7])
    assert turned.apply(leaves.u[3:])[[0, 2]] == pytest.approx(theirs.y[3:5, -1], abs=1e-5)
    assert leaves.deleted and not leaves.imposed


@pytest.mark.parametrize("seed", range(3))
def test_a_tetrahedron_comes_to_rest_on_a_box(seed: int) -> None:
    m = jd.Model("stone")
    center = TETRAHEDRON.mean(axis=0)
    body = m.body("stone", mass=0.5, inertia=jd.principal(3e-3, 4e-3, 4e-3))
    m.free("joint", m.ground, body)
    m.contact("stone", (body, shapes.Mesh(TETRAHEDRON - center)), shapes.Box((2, 2, 0.2), center=(0, 0, -0.1)),
              friction=0.6, restitution=0.1)  # fmt: skip
    turn = Rotation.random(random_state=np.random.default_rng(seed))
    run = simulated(m.system(), np.concatenate([[0, 0, 0.35], turn.as_quat()]), np.zeros(6), 2.5)
    corners = Rotation.from_quat(run.q[-1, 3:]).apply(TETRAHEDRON - center) + run.q[-1, :3]
    assert np.abs(np.sort(corners[:, 2])[:3]).max() < 1e-12
    assert np.abs(run.u[-1]).max() < 1e-9
    for q in run.q[:: max(1, len(run.q) // 60)]:
        assert (Rotation.from_quat(q[3:]).apply(TETRAHEDRON - center) + q[:3])[:, 2].min() > -1e-9


def test_a_mesh_is_as_a_box() -> None:
    m = jd.Model("mesh")
    body = m.body("block", mass=1.0, inertia=inertia(SIZES))
    m.free("joint", m.ground, body)
    m.contact("on", (body, shapes.Mesh(CORNERS * SIZES)), GROUND, friction=0.5)
    start = still((0.03, 0.05, 0.2, 30.0))
    start[0][3:] = (Rotation.from_quat(start[0][3:]) * Rotation.from_euler("x", 0.3)).as_quat()
    a, b = simulated(m.system(), *start, 0.3), simulated(stack(1), *start, 0.3)
    assert np.abs(a.q[-1] - b.q[-1]).max() < 1e-9


def test_sizes_are_parameters() -> None:
    m = jd.Model("sized")
    p = m.parameters(h=0.1)
    body = m.body("block", mass=1.0, inertia=inertia(SIZES))
    m.free("joint", m.ground, body)
    m.contact("on", (body, shapes.Box((0.2, 0.3, p.h))), GROUND, friction=0.5)
    run = simulated(jd.compile(m.system()).with_parameters({"h": 0.14}), *still((0, 0, 0.2, 0)), 0.6)  # type: ignore
    assert run.q[-1, 2] == pytest.approx(0.07, abs=1e-14)


def test_saved_and_loaded(tmp_path: Path) -> None:
    system = stack(2)
    system.save(tmp_path / "stack.json")
    again = jd.load(tmp_path / "stack.json")
    again.save(tmp_path / "again.json")
    assert (tmp_path / "stack.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    start = still((0.02, 0.0, 0.05, 0.0), (0.03, 0.02, 0.16, 10.0))
    a, b = (simulated(x, *start, 0.1) for x in (system, again))
    assert a.q.tobytes() == b.q.tobytes()
    a.save(tmp_path / "run.npz")
    read = jd.load_run(tmp_path / "run.npz", system)
    assert np.array_equal(read.q, a.q)


def test_placed_in_another_model_and_taken_away() -> None:
    m = jd.Model("twice")
    m.place(stack(1), "left")
    m.place(stack(1), "right", at=(2, 0, 1), rotation=[("z", 0.5)])
    system = m.system()
    assert [x.name for x in system.encounters] == ["left.on 1", "right.on 1"]
    run = simulated(system, *still((0.0, 0.0, 0.06, 0.0), (0.03, 0.0, 0.08, 20.0)), 0.3)
    assert run.q[-1, [2, 9]] == pytest.approx([0.05, 0.05], abs=1e-13)
    m.remove("left.block 1")
    assert [x.name for x in m.system().encounters] == ["right.on 1"]


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'jourdain[collisions]'")):
        jd.simulate(stack(1), *still((0, 0, 0.2, 0)), 0.1)


def test_slots_are_not_switched_by_hand() -> None:
    with pytest.raises(ValueError, match="which a simulation finds while they move"):
        jd.compile(stack(1)).in_mode({"on 1 3"})


def test_modes_of_slots_have_no_equations_of_their_own() -> None:
    with pytest.raises(ValueError, match="contact 'on 1 1' is of features that face each other for a time"):
        jd.simulate(stack(1), *still((0, 0, 0.2, 0)), 0.1, modes=[("on 1 1",)])


def test_it_goes_on_to_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C, from a checkpoint: what stands in the slots, too."""
    from jourdain.simulation import compiled_run

    q, u = still((0.02, 0.0, 0.2, 0.0))
    q[3:] = Rotation.from_euler("xyz", [0.3, 0.2, 0.1]).as_quat()
    whole = jd.simulate(stack(1), q, u, 0.4)
    monkeypatch.setattr(compiled_run, "FIRST", 10)

    def interrupt(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    file = tmp_path / "run.npz"
    begun = jd.simulate(stack(1), q, u, 0.4, progress=interrupt, checkpoint=file)
    assert begun.status.name == "INTERRUPTED"
    done = jd.resume(file, stack(1))
    assert done.q.tobytes() == whole.q.tobytes()


def test_a_machine_cannot_wait() -> None:
    with pytest.raises(ValueError, match="is of two polyhedra, whose features are sought in Python"):
        jd.Machine(stack(1), *still((0, 0, 0.2, 0)), jd.RK4(1e-3))


def test_a_start_that_overlaps_is_refused() -> None:
    with pytest.raises(jd.StateError, match=re.escape("the gap of 'on 1 1' is -0.02")):
        jd.simulate(stack(1), *still((0, 0, 0.03, 0)), 0.1)


def test_mistakes() -> None:
    m = jd.Model("wrong")
    body = m.body("plate", mass=1.0, inertia=inertia(SIZES))
    m.free("joint", m.ground, body)
    flat = shapes.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])
    m.contact("flat", (body, flat), GROUND)
    m.compliant_contact("soft", (body, shapes.Box(SIZES)), GROUND, stiffness=1e4)
    with pytest.raises(jd.ModelError) as caught:
        m.system()
    said = str(caught.value)
    assert "the mesh of the one side of contact 'flat' lies in a plane; a solid one is needed" in said
    assert "compliant contact 'soft' is of two polyhedra, which touch without yielding alone; use m.contact" in said
