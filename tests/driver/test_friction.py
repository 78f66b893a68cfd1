"""Friction that depends on normal forces: by hand where it can be done, and by iteration without it everywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.equations.constraints import bonds
from jourdain.equations.derivatives import forward_derivatives
from jourdain.equations.friction import eliminated
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.own_speeds import constrained_motion
from jourdain.graph import Graph, Role, interpret
from jourdain.model.reading import system_of
from jourdain.model.record import record
from jourdain.model.system import System
from jourdain.native import Cache

from ..equations.systems import State, evaluate, evaluate_rows, values_in
from .test_reactions import inertia_wrench, rolling_disk

Array = NDArray[np.float64]
G = 9.81
WIDTH = 0.01


def compiled(system: System) -> Compiled:
    return jd.compile(system, cache=Cache(None))


def block(mu: float, both_sides: bool = True) -> System:
    """A particle of 2 kg over a table, held on it; it may be pushed along and lifted."""
    m = jd.Model("block", gravity=(0, 0, -G))
    p = m.parameters(mu=mu)
    x, z = m.inputs("push", "lift")
    base = m.link("base")
    mass = m.particle("block", 2.0)
    m.prismatic("x", m.ground, base, axis="x")
    m.prismatic("z", base, mass, axis="z")
    m.switch("touches", m["z"].coordinate)
    m.friction("touches", m["x"].speed, coefficient=p.mu, width=WIDTH, both_sides=both_sides)
    m.force((x, 0, z), at=mass.origin)
    return m.system()


def smooth(v: float) -> float:
    return float(v / np.hypot(v, WIDTH))


@pytest.mark.parametrize("lift", [0.0, 10.0, 30.0])
@pytest.mark.parametrize("both", [True, False])
def test_a_block_on_a_table(lift: float, both: bool) -> None:
    """N = m g − lift; where it is held down against its will, there is friction if both sides of the table rub."""
    d = compiled(block(0.3, both_sides=both))
    inputs = {"push": 5.0, "lift": lift}
    on = d.in_mode({"touches"})
    normal = 2.0 * G - lift
    felt = abs(normal) if both else max(normal, 0.0)
    for v in (1.5, -0.2, 0.003, 0.0):
        wanted = (5.0 - 0.3 * felt * smooth(v)) / 2.0
        q, u = [0.1, 0.0], [v, 0.0]
        assert np.allclose(on.forward_dynamics(q, u, inputs=inputs), [wanted, 0.0], atol=1e-13)
        assert abs(on.constraint_forces(q, u, inputs=inputs)["touches"][0] - normal) < 1e-13
        assert np.allclose(d.forward_dynamics(q, u, inputs=inputs), [2.5, lift / 2.0 - G], atol=1e-13)
    other = on.with_parameters({"mu": 0.0})
    assert np.allclose(other.forward_dynamics([0, 0], [1.0, 0.0], inputs=inputs), [2.5, 0.0], atol=1e-13)


def rod(mu: float) -> System:
    """A leaning rod, 2 m long, whose end slides on the ground: friction turns it, and the turning presses."""
    m = jd.Model("rod", gravity=(0, 0, -G))
    bar = m.body("bar", mass=1.5, inertia=jd.principal(0.3, 0.3, 0.5))
    m.planar("fall", m.ground, bar, rotation=[("x", np.pi / 2)])
    end = bar.point("end", (0, -1.0, 0))
    m.keep("touches", end.position @ m.ground.z)
    if mu:
        m.friction("touches", end.velocity @ m.ground.x, coefficient=mu, width=WIDTH)
    return m.system()


@pytest.mark.parametrize("mu", [0.2, 0.8])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_sliding_rod_by_hand(mu: float, way: float) -> None:
    """With the rod at the angle θ from the vertical, N (1/m + l s (l s + μ′ l c)/I) = g − l c θ̇², by Newton and Euler,
    μ′ = μ times the direction of the slip."""
    system = rod(mu)
    d = compiled(system)
    theta, rate, slip = 0.4, 0.6, way * 2.0
    # The frame's x is the ground's x, its y the ground's z, and its z the ground's −y: the angle turns z towards −x.
    s, c, mass, inertia, length = np.sin(theta), np.cos(theta), 1.5, 0.5, 1.0
    q = d.assemble([0.3, c, theta])
    # Speeds along the bar's axes: of the centre, which lies at l (−s, c) from the end, and the turning.
    ground = np.array([slip - length * c * rate, -length * s * rate])
    turn = np.array([[c, s], [-s, c]])
    u = np.array([*(turn @ ground), rate])
    assert np.abs(d.residual(q, u)["touches"]).max() < 1e-12
    felt = mu * smooth(slip)
    # m z̈ = N − m g, m ẍ = −F, I θ̈ = l (s N − c F)·…, with the end's z̈ − … = 0
    # z = l c + z_e: z̈ = −l s θ̈ − l c θ̇²; the force (−F, N) at −l (−s, c) from the centre has the moment l (s N − c F).
    matrix = length * (s - c * felt) / inertia
    normal = (G - length * c * rate**2) / (1.0 / mass + length * s * matrix)
    assert normal > 0.0
    assert abs(d.constraint_forces(q, u)["touches"][0] - normal) < 1e-10 * normal
    assert abs(d.forward_dynamics(q, u)[2] - matrix * normal) < 1e-9 * abs(matrix * normal)


def crank(mu: float, *, two: bool = True, users: bool = False) -> System:
    """A slider-crank whose piston rubs in its bore, which carries it, and whose rod rubs on the gudgeon pin."""
    m = jd.Model("crank", gravity=(0, -G, 0))
    wheel = m.body("wheel", mass=2.0, inertia=jd.principal(0.01, 0.01, 0.02))
    rod = m.body("rod", mass=0.6, center=(0.05, 0, 0), inertia=jd.principal(0.001, 0.002, 0.002))
    piston = m.body("piston", mass=0.5, inertia=jd.principal(0.01, 0.01, 0.01))
    m.revolute("q1", m.ground, wheel, axis="z")
    m.revolute("q2", wheel, rod, axis="z", at=(0.05, 0, 0))
    m.planar("slide", m.ground, piston)
    tip = rod.point("tip", (0.15, 0, 0))
    between = tip.position - piston.origin.position
    m.keep("pin", between @ m.ground.x, between @ m.ground.y)
    m.keep("upright", m["slide"].coordinates[2])
    m.keep("bore", piston.origin.position @ m.ground.y)
    if users:
        along = piston.origin.velocity @ m.ground.x
        m.speeds(u1=wheel.omega @ wheel.z, u2=rod.omega @ rod.z, u3=along, u4=piston.omega @ m.ground.z,
                 u5=piston.origin.velocity @ m.ground.y)  # fmt: skip
    if mu:
        m.friction("bore", piston.origin.velocity @ m.ground.x, coefficient=mu, width=WIDTH, name="bore rubs")
    if mu and two:
        m.friction("pin", rod.omega @ m.ground.z, coefficient=0.01 * mu, row=(0, 1), width=0.1)
    return m.system()


def iterated(without: Compiled, q: Array, u: Array, push: Array, rubs: list[tuple[str, Array, float]]) -> Array:
    """Rates by adding friction as a given force to the system without it, until the normal forces settle."""
    sizes = np.zeros(len(rubs))
    for _ in range(300):
        f = push + sum(column * size * factor for (_, column, factor), size in zip(rubs, sizes))
        found = without.constraint_forces(q, u, f)
        last, sizes = sizes, np.array([float(np.linalg.norm(found[name])) for name, _, _ in rubs])
        if np.abs(sizes - last).max() < 1e-14 * sizes.max():
            break
    assert np.abs(sizes - last).max() < 1e-12 * sizes.max()
    return without.forward_dynamics(q, u, f)


@pytest.mark.parametrize("mu", [0.1, 0.4])
@pytest.mark.parametrize("users", [False, True])
def test_several_frictions_with_forces_of_both_signs(mu: float, users: bool) -> None:
    """Normal forces that depend on all frictions, found at once, a bearing's of two components among them; in the
    joints' speeds or a full set of the user's."""
    d, without = compiled(crank(mu, users=users)), compiled(crank(0.0, users=users))
    first = "u1" if users else "q1"
    signs = set()
    q = d.assemble([1.0, -1.3, 0.17, 0, 0])
    for k in range(6):
        q = d.assemble(np.array([k * 1.1, -1.1 * k - 0.3 * np.sin(k), 0.15, 0, 0]))
        u = d.complete(q, [(-1.0) ** k * 20.0], [first])
        column = d.jacobian("piston", q, axes="ground")[3]
        slip = float(column @ u)
        turning = d.jacobian("rod", q, axes="ground")[2]
        spin = float(turning @ u)
        rubs = [
            ("bore", -column, mu * smooth(slip)),
            ("pin", -turning, 0.01 * mu * spin / np.hypot(spin, 0.1)),
        ]
        push = np.array([0.0, (-1.0) ** (k // 2) * 60.0, 0.0, 0.0, 0.0])
        wanted = iterated(without, q, u, push, rubs)
        found = d.forward_dynamics(q, u, push)
        assert np.abs(found - wanted).max() < 1e-9 * max(1.0, float(np.abs(wanted).max()))
        signs.add(bool(d.constraint_forces(q, u, push)["bore"][0] > 0))
    assert signs == {True, False}


def sliding_disk() -> System:
    m = jd.Model.of(rolling_disk())
    touch = m.wheel("disk", radius=0.3)
    m.friction("touches", *touch.slip, coefficient=0.5, width=WIDTH, both_sides=False)
    return m.system()


def test_a_sliding_disk_is_carried_by_its_contact() -> None:
    """Friction against a slip of two components is one force at the contact; it and the normal force are all."""
    system = sliding_disk()
    d, without = compiled(system), compiled(rolling_disk())
    q = d.assemble([0.3, -0.2, 0.3, np.sin(0.2), 0.0, 0.0, np.cos(0.2)])
    u = d.complete(q, np.linspace(-1.0, 2.0, 5))
    found = inertia_wrench(d, "disk", q, u, d.forward_dynamics(q, u))
    normal = d.constraint_forces(q, u)["touches"][0]
    pose = d.pose("disk", q)
    spindle = pose[:3, 1]
    down = -(np.array([0, 0, 1.0]) - spindle * spindle[2])
    arm = 0.3 * down / np.linalg.norm(down)
    slip = (pose[:3, :3] @ u[3:] + np.cross(pose[:3, :3] @ u[:3], arm))[:2]
    force = np.array([*(-0.5 * normal * slip / np.sqrt(slip @ slip + WIDTH**2)), normal])
    assert np.abs(found - [*np.cross(pose[:3, 3] + arm, force), *force]).max() < 1e-10 * normal
    assert np.abs(d.reactions("free", q, u)).max() < 1e-10 * normal
    assert abs(normal - without.constraint_forces(q, u)["touches"][0]) > 0.1  # friction presses
    rolls = d.in_mode({"rolls"})
    u = rolls.complete(q, [1.0, -0.5, 0.3], ["free.wx", "free.wy", "free.wz"])
    other = without.in_mode({"rolls"})
    assert np.abs(rolls.forward_dynamics(q, u) - other.forward_dynamics(q, u)).max() < 1e-11  # nothing slips


def cart(full: bool) -> System:
    """Gillespie's cart whose rear wheels drag the more, the more they are pressed sideways."""
    m = jd.Model("cart", gravity=(0, 0, 0))
    basket = m.body("B", mass=20.0, center=(0.4, 0, 0), inertia=jd.about_z(1.6))
    caster = m.body("C", mass=1.0, center=(-0.1, 0, 0), inertia=jd.point_mass)
    m.planar("cart", m.ground, basket)
    m.revolute("swivel", basket, caster, axis="z", at=(0.9, 0, 0))
    rear = basket.origin
    m.keep("rear wheels roll", rear.velocity @ basket.y)
    more = {"u4": rear.velocity @ basket.y} if full else {}
    u = m.speeds(u1=rear.velocity @ basket.x, u2=basket.omega @ basket.z, u3=caster.omega @ caster.z, **more)
    m.keep("front wheel rolls", caster.center.velocity @ caster.y)
    m.friction("rear wheels roll", u.u1, coefficient=0.3, width=WIDTH)
    return m.system()


def test_friction_of_forces_that_the_speeds_hide() -> None:
    """The rear wheels' side force is in no equation of the reduced set; its friction is the same."""
    hidden, shown = compiled(cart(False)), compiled(cart(True))
    q = np.array([0.1, 0.2, 0.3, 0.4])
    u = hidden.complete(q, [1.0, -0.7], ["u1", "u2"])
    f = np.array([3.0, 1.0, -2.0])
    found, wanted = hidden.forward_dynamics(q, u, f), shown.forward_dynamics(q, [*u, 0.0], [*f, 0.0])
    assert np.abs(found - wanted[:3]).max() < 1e-11
    side = shown.constraint_forces(q, [*u, 0.0], [*f, 0.0])
    assert np.abs(hidden.embedded_forces(q, u, f)["rear wheels roll"] - side["rear wheels roll"]).max() < 1e-10
    assert np.abs(hidden.constraint_forces(q, u, f)["front wheel rolls"] - side["front wheel rolls"]).max() < 1e-10
    assert abs(side["rear wheels roll"][0]) > 1.0
    with pytest.raises(ValueError, match="depends on the force of 'rear wheels roll', which the generalized speeds sa"):
        forward_derivatives(mechanics_of(cart(False)))


def test_derivatives_with_friction() -> None:
    """By complex steps through the whole solution."""
    system = crank(0.3)
    d, m = compiled(system), mechanics_of(system)
    names = ("pin", "upright", "bore")
    q = d.assemble(np.array([1.0, -1.4, 0.17, 0, 0]))
    u = d.complete(q, [15.0], ["q1"])
    state = State(q, u, np.zeros(5), np.linspace(-1, 1, 5))
    rates = constrained_motion(m, names).rates
    rows = bonds(m, names)
    found = forward_derivatives(m, rows)
    values = values_in(m, state)
    for name, symbols in (("u", m.u), ("f", m.f)):
        for k, symbol in enumerate(symbols):
            step = {**values, symbol: complex(values[symbol], 1e-30)}
            wanted = np.array([float(np.imag(x)) / 1e-30 for x in interpret(rates, step, dtype=np.complex128)])
            column = evaluate_rows(m, found[name], state)[:, k]
            assert np.abs(column - wanted).max() < 1e-9 * max(1.0, float(np.abs(wanted).max()))
    slopes = evaluate_rows(m, found["q"], state)
    for k in range(5):
        moved = dict(zip(m.q, evaluate(m, m.rates(), replace(state, u=np.eye(5)[k]))))
        step = {**values, **{x: complex(values[x], 1e-30 * float(r)) for x, r in moved.items()}}
        wanted = np.array([float(np.imag(x)) / 1e-30 for x in interpret(rates, step, dtype=np.complex128)])
        assert np.abs(slopes[:, k] - wanted).max() < 1e-9 * max(1.0, float(np.abs(wanted).max()))


def test_it_is_saved_placed_and_removed(tmp_path: Path) -> None:
    system = crank(0.3)
    path = tmp_path / "crank.json"
    system.save(path)
    again = jd.load(path)
    assert [x.name for x in again.frictions] == [x.name for x in system.frictions] == ["bore rubs", "friction 1"]
    d = compiled(system)
    q = d.assemble(np.array([1.0, -1.4, 0.17, 0, 0]))
    u = d.complete(q, [15.0], ["q1"])
    assert np.array_equal(compiled(again).forward_dynamics(q, u), d.forward_dynamics(q, u))
    m = jd.Model("two", gravity=(0, -G, 0))
    m.place(system, "left")
    placed = m.system()
    assert [x.constraint for x in placed.frictions] == ["left.bore", "left.pin"]
    assert np.allclose(compiled(placed).forward_dynamics(q, u), d.forward_dynamics(q, u), atol=1e-9)
    assert "bore rubs at bore" in repr(system)
    m = jd.Model.of(system)
    m.remove("piston")
    assert m.system().frictions == ()


SPOILT = {
    "constraint": ("rail", "frictions.bore rubs.constraint is 'rail', but there is no such constraint"),
    "rows": ([1], "frictions.bore rubs.rows is 1, but constraint 'bore' has 1 rows"),
    "slips": ([], "frictions.bore rubs.slips is empty; friction acts along one velocity or more"),
    "coefficient": ("mu*", "frictions.bore rubs.coefficient is no expression"),
    "both_sides": (1, "frictions.bore rubs.both_sides is 1; true or false is needed"),
}


@pytest.mark.parametrize("field", SPOILT)
def test_spoilt_files(field: str) -> None:
    value, said = SPOILT[field]
    data = record(crank(0.3))
    data["frictions"]["bore rubs"][field] = value
    with pytest.raises(jd.ModelError) as caught:
        system_of(data, "crank.json")
    assert said in str(caught.value)


def test_a_name_that_a_load_has() -> None:
    data = record(block(0.1))
    data["frictions"] = {data["loads"][0]["name"]: data["frictions"]["friction 1"]}
    with pytest.raises(jd.ModelError, match="is called 'force 1', as a load or rotor is"):
        system_of(data, "block.json")


def test_mistakes() -> None:
    m = jd.Model("wrong")
    body = m.body("body", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.planar("slide", m.ground, body)
    x, y, _ = m["slide"].speeds
    m.keep("held", y)
    m.friction("holds", x, coefficient=0.1)
    m.friction("held", x, coefficient=0.1, row=1)
    m.friction("held", coefficient=0.1)
    m.friction("held", x * x, coefficient=0.1)
    m.friction("held", x, coefficient=0.1, width=0.0)
    m.keep("both", x, m["slide"].speeds[2])
    m.friction("both", y, coefficient=0.1, row=(0, 1), both_sides=False)
    m.friction("both", y, coefficient=0.1, row=(1, 1))
    m.friction("held", x, coefficient=body.origin.acceleration @ body.x)
    with pytest.raises(jd.ModelError) as caught:
        m.system()
    for said in (
        "friction 'friction 1' is at 'holds', but there is no such constraint",
        "constraint 'held' has 1 rows; there is no row 1",
        "friction 'friction 3' has no slip",
        "slip 1 of friction 'friction 4' is",
        "width of friction 'friction 5' is 0.0; a positive speed is needed",
        "coefficient of friction 'friction 8' depends on accelerations",
        "friction 'friction 6' is of a force of several components, which has no sign",
        "constraint 'both' has 2 rows; there is no row (1, 1)",
    ):
        assert said in str(caught.value)


def test_forces_that_rows_share_make_no_friction() -> None:
    m = jd.Model.of(jd.gallery.four_bar())
    m.friction("pin", m["rocker"].omega @ m.ground.z, coefficient=0.01)
    with pytest.raises(ValueError, match="depends on the force of row 0 of 'pin', which other rows could share"):
        compiled(m.system()).forward_dynamics([1.0, -0.5, 1.3], np.zeros(3))


def test_efforts_are_not_found_with_friction() -> None:
    d = compiled(block(0.1))
    assert d.actuation([0, 0], [0, 0], [1.0, 0.0], ["x", "z"]).efforts.shape == (2,)
    with pytest.raises(ValueError, match="friction 'friction 1' depends on forces of constraints"):
        d.in_mode({"touches"}).actuation([0, 0], [0, 0], [1.0, 0.0], ["x"])


def test_elimination() -> None:
    graph = Graph()
    rng = np.random.default_rng(0)
    for n in (1, 2, 4):
        a, b = np.eye(n) + 0.3 * rng.normal(size=(n, n)), rng.normal(size=n)
        symbols = [[graph.symbol(f"a{n}{i}{k}", Role.INPUT) for k in range(n)] for i in range(n)]
        right = [graph.symbol(f"b{n}{i}", Role.INPUT) for i in range(n)]
        values = {x: float(v) for row, line in zip(symbols, a) for x, v in zip(row, line)}
        values.update(zip(right, map(float, b)))
        found = np.array(interpret(eliminated(symbols, right), values), float)
        assert np.abs(found - np.linalg.solve(a, b)).max() < 1e-12


# -- forces in joints -----------------------------------------------------------------------------------------------


def engine(mu: float, at_joint: bool) -> System:
    """A crank, its rod, and a piston: it rubs by what its joint, or a constraint in its place, holds it with."""
    m = jd.Model("engine", gravity=(0, -G, 1.0))
    wheel = m.body("wheel", mass=2.0, inertia=jd.principal(0.01, 0.01, 0.02))
    rod = m.body("rod", mass=0.6, center=(0.05, 0, 0), inertia=jd.principal(0.001, 0.002, 0.002))
    piston = m.body("piston", mass=0.5, center=(0.01, 0, 0), inertia=jd.principal(0.01, 0.01, 0.01))
    m.revolute("q1", m.ground, wheel, axis="z")
    m.revolute("q2", wheel, rod, axis="z", at=(0.05, 0, 0))
    turned = [("z", 0.2)]
    if at_joint:
        slide = m.prismatic("q3", m.ground, piston, axis="x", rotation=turned, child_rotation=turned)
        if mu:
            m.friction(slide, slide.speed, coefficient=mu, width=WIDTH, along=("y", "z"))
    else:
        held = m.joint("q3", m.ground, piston, H=np.eye(6)[:, 3:], r=[3], rotation=turned, child_rotation=turned)
        m.keep("bore", *held.coordinates[1:])
        m.friction("bore", held.speeds[0], coefficient=mu, width=WIDTH, row=(0, 1))
    tip = rod.point("tip", (0.15, 0, 0))
    between = tip.position - piston.origin.position
    m.keep("pin", between @ piston.x, between @ piston.y)
    return m.system()


@pytest.mark.parametrize("mu", [0.1, 0.4])
def test_friction_of_a_joints_own_force(mu: float) -> None:
    """The same as where the joint's other freedoms are there and kept at zero; and it is that of what it transmits."""
    d, other, without = compiled(engine(mu, True)), compiled(engine(mu, False)), compiled(engine(0.0, True))
    assert d.system.coordinates == ("q1", "q2", "q3")
    for k in range(4):
        q = d.assemble(np.array([1.0 + k, -1.1 * k - 0.3 * np.sin(k), 0.15]))
        u = d.complete(q, [(-1.0) ** k * 20.0], ["q1"])
        f = np.array([0.0, 3.0 * k, 1.0])
        found = d.forward_dynamics(q, u, f)
        more = [*q, 0.0, 0.0], [*u, 0.0, 0.0], [*f, 0.0, 0.0]
        scale = 1e-10 * float(np.abs(found).max())
        assert np.abs(other.forward_dynamics(*more)[:3] - found).max() < scale
        wrench = d.reactions("q3", q, u, f)
        normal = np.hypot(wrench[4], wrench[5])
        assert abs(np.linalg.norm(other.constraint_forces(*more)["bore"]) - normal) < 1e-10 * normal
        rubbing = np.array([0.0, 0.0, -mu * normal * smooth(u[2])])
        assert abs(wrench[3] - (f[2] + rubbing[2])) < 1e-10 * normal  # along the joint's own freedom
        assert np.abs(without.forward_dynamics(q, u, f + rubbing) - found).max() < scale
        assert np.abs(d.reactions("q3", q, u, f, axes="body") - other.reactions("q3", *more, axes="body")).max() < scale
        assert np.abs(d.reactions("q1", q, u, f) - other.reactions("q1", *more)).max() < scale


def test_it_is_told_with_the_loads() -> None:
    told = jd.derive(block(0.3)).text()
    assert "friction by the force of constraint touches, coefficient" in told
    assert "friction by the force of joint q3, coefficient" in jd.derive(engine(0.3, True)).text()


def test_two_frictions_of_one_joint_without_constraints() -> None:
    """A collar on a rod that turns and slides: both rub by the same force."""
    m = jd.Model("collar", gravity=(0, 0, -G))
    collar = m.body("collar", mass=2.0, inertia=jd.principal(0.1, 0.1, 0.1))
    rod = m.cylindrical("rod", m.ground, collar, axis="x")
    turn, slide = rod.speeds
    m.friction(rod, turn, coefficient=0.05 * 0.2, width=WIDTH, along=("y", "z"))
    m.friction(rod, slide, coefficient=0.2, width=WIDTH, along=("z", "y"))
    system = m.system()
    d = compiled(system)
    u = np.array([2.0, -3.0])
    wanted = [-0.01 * 2.0 * G * smooth(2.0) / 0.1, 0.2 * G * smooth(3.0)]
    assert np.abs(d.forward_dynamics([0.3, 0.1], u) - wanted).max() < 1e-12
    assert np.abs(d.inverse_dynamics([0.3, 0.1], u, np.zeros(2))).max() < 1e-12
    m = jd.Model("two")
    m.place(system, "left")
    placed = m.system()
    assert [x.joint for x in placed.frictions] == ["left.rod", "left.rod"]
    again = system_of(record(placed), "two.json")
    assert [x.axes for x in again.frictions] == [(1, 2), (2, 1)]
    assert np.abs(compiled(again).forward_dynamics([0.3, 0.1], u) - wanted).max() < 1e-12
    m = jd.Model.of(placed)
    m.remove("left.collar")
    assert m.system().frictions == ()
    assert "friction 1 at rod" in repr(system)
    with pytest.raises(ValueError, match="depends on a force in joint 'rod'; for derivatives let the joint have that"):
        forward_derivatives(mechanics_of(system))


def test_mistakes_at_joints() -> None:
    m = jd.Model("wrong")
    body = m.body("body", mass=1.0, inertia=jd.principal(1, 1, 1))
    rod = m.prismatic("rod", m.ground, body, axis="x")
    m.friction(rod, rod.speed, coefficient=0.1)
    m.friction(rod, rod.speed, coefficient=0.1, along=("y", "y"))
    m.friction(rod, rod.speed, coefficient=0.1, along="w")
    m.friction(rod, rod.speed, coefficient=0.1, along=("y", "z"), both_sides=False)
    with pytest.raises(jd.ModelError) as caught:
        m.system()
    for k, said in enumerate(("along (); name axes", "along ('y', 'y'); name axes", "along 'w'; name axes"), 1):
        assert f"friction 'friction {k}' is of the force {said}" in str(caught.value)
    assert "friction 'friction 4' is of a force of several components, which has no sign" in str(caught.value)
    data = record(engine(0.1, True))
    for axes, said in ((["q"], "but there is no such axis"), ([], "names no axis"), (["y"] * 2, "or one twice")):
        data["frictions"]["friction 1"]["axes"] = axes
        with pytest.raises(jd.ModelError, match=said):
            system_of(data, "engine.json")
