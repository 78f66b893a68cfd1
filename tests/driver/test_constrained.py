"""A compiled system under constraints: modes, residuals, multipliers, assembly, independent speeds, efforts, hands."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.driver.assembling import AssemblyError

from .mechanisms import NOWHERE

Array = NDArray[np.float64]
FRONT, STICKS = "front wheel rolls", "caster sticks"
STEP = 1e-5


@lru_cache(maxsize=2)
def four_bar(rocker: float = 1.7) -> Compiled:
    """Crank 1, coupler 2, ground 2; the loop is closed by a pin in space, of whose five rows three say nothing new.

    With a rocker of 1 it is a parallelogram, which can fold flat and change its branch there.
    """
    m = jd.Model("four-bar", gravity=(0, -9.81, 0))
    p = m.parameters(rocker=rocker)
    drive = m.input("drive")
    crank, coupler, arm = (
        m.body(name, mass=mass, center=(half, 0, 0), inertia=jd.principal(0.01, mass, mass))
        for name, mass, half in (("crank", 1.0, 0.5), ("coupler", 2.0, 1.0), ("rocker", 1.5, 0.6))
    )
    m.revolute("crank angle", m.ground, crank, axis="z")
    m.revolute("coupler angle", crank, coupler, axis="z", at=(1, 0, 0))
    m.revolute("rocker angle", m.ground, arm, axis="z", at=(2, 0, 0))
    m.close("pin", "revolute", coupler, arm, axis="z", at=(2, 0, 0), child_at=(p.rocker, 0, 0))
    m.joint_force("crank angle", drive)
    return jd.compile(m.system(), cache=NOWHERE)


@lru_cache(maxsize=1)
def cart() -> Compiled:
    return jd.compile(jd.gallery.shopping_cart(), cache=NOWHERE)


def gripper_model() -> jd.Model:
    """A free base with two arms in a row, the outer of which may stick."""
    m = jd.Model("gripper", gravity=(0, 0, 0))
    base, upper, hand = (m.body(x, mass=1.0 + k, center=(0.1, 0.2, -0.1 * k), inertia=jd.principal(0.3, 0.4, 0.5))
                         for k, x in enumerate(("base", "upper", "hand")))  # fmt: skip
    m.free("float", m.ground, base)
    m.revolute("shoulder", base, upper, axis="y", at=(0.3, 0, 0))
    m.revolute("elbow", upper, hand, axis="x", at=(0, 0, 0.4))
    return m


def gripper() -> Compiled:
    m = gripper_model()
    m.switch("elbow sticks", m["elbow"].speed)
    return jd.compile(m.system(), cache=NOWHERE)


def four_bar_states(count: int = 6) -> tuple[Array, Array]:
    d = four_bar()
    crank = np.linspace(0.3, 5.5, count)
    q = d.assemble(np.stack([crank, 0.9 - crank, 1.8 + 0.3 * np.cos(crank)], axis=-1))
    return q, d.complete(q, np.full((count, 1), 1.3), ["crank angle"])


# -- residuals and forces ---------------------------------------------------------------------------------------------


def test_residuals_by_name() -> None:
    """Positions, then their rates; velocities alone; those that the speeds satisfy among them."""
    d, (q, u) = four_bar(), four_bar_states()
    found = d.residual(q, u)
    assert set(found) == {"pin"}
    assert found["pin"].shape == (len(q), 10)
    assert np.abs(found["pin"]).max() < 1e-12
    off = d.residual(q[0] + [0.0, 0.0, 1e-3], u[0])["pin"]
    assert 1e-4 < np.abs(off[:5]).max() < 1e-2
    rolling = cart().in_mode({STICKS}).residual([0.0, 0.0, 0.3, 0.2], [1.0, 0.2, 0.4])
    assert set(rolling) == {"rear wheels roll", FRONT, STICKS}
    assert rolling["rear wheels roll"] == pytest.approx(0.0, abs=1e-15)
    assert rolling[STICKS] == pytest.approx([0.4 - 0.2])
    assert set(cart().residual([0.0, 0.0, 0.3, 0.2], [1.0, 0.2, 0.4])) == {"rear wheels roll", FRONT}
    assert jd.compile(jd.gallery.pendulum(), cache=NOWHERE).residual([0.1], [0.2]) == {}


def test_rates_of_positions_are_their_derivatives() -> None:
    """On the constraints and off them; points and directions along the axes of bodies that move, coordinates, time."""
    m = gripper_model()
    base, upper, hand = (m[x] for x in ("base", "upper", "hand"))
    tip = hand.point("tip", (0.1, 0.2, 0.3))
    m.keep("slot", (tip.position - base.origin.position) @ upper.y - 0.3 * jd.sin(m.time), tip.position @ hand.x)
    m.keep("parallel", hand.x @ base.y * (1.0 + m["elbow"].coordinate), base.z @ m.ground.x)
    m.close("ball", "spherical", base, hand, at=(0.1, 0.3, 0.2), child_at=(0.2, 0.1, 0.4), switchable=True)
    m.close("slide", "prismatic", upper, m.ground, axis="x", rotation=[("y", 0.4)], switchable=True)
    d = jd.compile(m.system(), cache=NOWHERE).in_mode({"ball", "slide"})
    rng = np.random.default_rng(6)
    q, u = rng.normal(size=9), rng.normal(size=8)
    q[3:7] /= np.linalg.norm(q[3:7])
    found = d.residual(q, u, t=0.7)
    step = 1e-3
    near = [(w, d.residual(d.integrate(q, k * step * u), u, t=0.7 + k * step))
            for k, w in ((1, 8 / 12), (-1, -8 / 12), (2, -1 / 12), (-2, 1 / 12))]  # fmt: skip
    for name, rows in found.items():
        count = len(rows) // 2
        wanted = sum(w * x[name][:count] for w, x in near) / step
        assert np.abs(rows[count:] - wanted).max() < 1e-8


def test_the_equations_with_multipliers() -> None:
    """M u̇ + h = f + Aᵀ λ, and the rows' rates stay zero along the motion."""
    rng = np.random.default_rng(3)
    states = [(four_bar(), *four_bar_states())]
    for mode in ((), (STICKS,)):
        d = cart().in_mode(mode)
        places = rng.uniform(-0.5, 0.5, (6, 4))
        free = rng.uniform(-1.0, 1.0, (6, 3 - len(d.imposed)))
        states.append((d, places, np.stack([d.complete(a, b) for a, b in zip(places, free)])))
    for d, q, u in states:
        f = rng.uniform(-2.0, 2.0, u.shape)
        udot = d.forward_dynamics(q, u, f)
        multipliers = d.constraint_forces(q, u, f)
        assert tuple(multipliers) == d.imposed
        matrix = d.constraint_slopes(q, u).matrix
        pull = (np.swapaxes(matrix, -1, -2) @ np.concatenate(list(multipliers.values()), axis=-1)[..., None])[..., 0]
        left = (d.mass_matrix(q) @ udot[..., None])[..., 0] + d.bias_forces(q, u) - f - pull
        assert np.abs(left).max() < 1e-10 * np.abs(pull).max()
        ahead, behind = (d.residual(d.integrate(q, h * u), u + h * udot) for h in (STEP, -STEP))
        for name, x in ahead.items():
            count = len(d.system.constraint(name).rows)
            assert np.abs((x - behind[name])[..., -count:]).max() / (2 * STEP) < 1e-6


@pytest.mark.parametrize("rough", [False, True])
def test_outputs_hold_the_accelerations_that_constraints_allow(rough: bool) -> None:
    """A block that slides on a table, held on it; its weight's friction among what slows it."""
    m = jd.Model("block", gravity=(0, 0, -9.81))
    base, block = m.link("base"), m.particle("block", 2.0)
    m.prismatic("x", m.ground, base, axis="x")
    m.prismatic("z", base, block, axis="z")
    m.keep("touches", m["z"].coordinate)
    if rough:
        m.friction("touches", m["x"].speed, coefficient=0.3, width=0.01)
    m.force((3.0, 0.0, 1.0), at=block.origin)
    m.output("ahead", block.origin.acceleration @ m.ground.x)
    m.output("up", block.origin.acceleration @ m.ground.z)
    d = jd.compile(m.system(), cache=NOWHERE)
    found = d.outputs([0.0, 0.0], [1.0, 0.0])
    wanted = d.forward_dynamics([0.0, 0.0], [1.0, 0.0])
    assert [found["ahead"], found["up"]] == pytest.approx(wanted, abs=1e-14)
    by_hand = 1.5 - (0.3 * (9.81 - 0.5) / np.hypot(1.0, 0.01) if rough else 0.0)
    assert [found["ahead"], found["up"]] == pytest.approx([by_hand, 0.0], abs=1e-13)


def test_nothing_is_imposed_on_a_tree() -> None:
    d = jd.compile(jd.gallery.pendulum(), cache=NOWHERE)
    assert d.imposed == ()
    assert d.constraint_forces([0.1], [0.2]) == {}
    assert d.constraint_slopes([0.1], [0.2]).matrix.shape == (0, 1)


def test_redundancy_is_named() -> None:
    """A pin in space closes a planar loop with five rows, of which two are new; its multipliers are not unique."""
    found = four_bar().redundancy
    assert (found.rank, found.repeated, found.assembled) == (2, ("pin",), True)
    assert len(found.kept) == 2
    both = cart().in_mode({STICKS}).redundancy
    assert (both.rank, both.repeated, both.not_unique) == (2, (), ())
    m = gripper_model()
    m.keep("locked", m["elbow"].speed)
    m.keep("locked again", 2.0 * m["elbow"].speed)
    d = jd.compile(m.system(), cache=NOWHERE)
    assert (d.redundancy.rank, len(d.redundancy.repeated), d.redundancy.not_unique) == (
        1, 1, ("locked", "locked again"),
    )  # fmt: skip
    q = np.array([0.0] * 6 + [1.0, 0.3, 0.4])
    assert d.forward_dynamics(q, np.zeros(8), np.ones(8))[7] == pytest.approx(0.0, abs=1e-15)


# -- modes ------------------------------------------------------------------------------------------------------------


def test_modes() -> None:
    """Speeds keep their order; what sticks does not move; the same mode is the same object."""
    d = cart()
    stuck = d.in_mode({STICKS})
    assert (d.imposed, stuck.imposed) == ((FRONT,), (FRONT, STICKS))
    assert stuck.in_mode([STICKS]) is stuck
    assert stuck.in_mode().mode == ()
    assert stuck.system.speeds == d.system.speeds
    q = np.array([0.0, 0.0, 0.3, 0.0])
    u = stuck.complete(q, [1.0]) if len(stuck.independent(q)) else np.zeros(3)
    udot = stuck.forward_dynamics(q, u, [1.0, 2.0, 3.0])
    assert udot[2] == pytest.approx(udot[1], abs=1e-13)
    with pytest.raises(KeyError, match="no switchable constraint 'caster stick'; did you mean 'caster sticks'"):
        d.in_mode({"caster stick"})
    with pytest.raises(KeyError, match="it is permanent, it always holds"):
        d.in_mode(FRONT)


# -- positions --------------------------------------------------------------------------------------------------------


def test_assembly() -> None:
    """On the rows, near the guess, and where a configuration is assembled already, nothing moves."""
    d = four_bar()
    guess = np.array([[0.8, 0.1, 1.9], [2.0, -1.2, 2.2]])
    q = d.assemble(guess)
    assert q.shape == guess.shape
    assert np.abs(d.residual(q, np.zeros(3))["pin"]).max() < 1e-12
    assert np.abs(d.assemble(q) - q).max() < 1e-12
    assert np.abs(q - guess).max() < 0.8
    # Nearest: what leads away from the guess is normal to the ways in which the loop can move.
    for one, start in zip(q, guess):
        free = d.complete(one, [1.0], ["crank angle"])
        away = one - start
        assert abs(free @ away) < 1e-6 * np.linalg.norm(free) * np.linalg.norm(away)


def test_what_cannot_be_assembled() -> None:
    with pytest.raises(AssemblyError, match="'four-bar' does not close near this guess: 'pin' misses by") as caught:
        four_bar().with_parameters({"rocker": 9.0}).assemble([0.1, 0.2, 0.3])
    assert np.abs(caught.value.residuals["pin"]).max() > 1.0
    with pytest.raises(ValueError, match="assemble closes one mechanism at a time: its parameters, inputs and t have"):
        four_bar().with_parameters({"rocker": [0.4, 0.41]}).assemble([0.8, 0.1, 1.9])


def test_links_that_lie_in_one_line_are_assembled() -> None:
    """There no row tells which way to fold; single precision closes as far as double precision does."""
    system = jd.gallery.four_bar()
    for dtype, within in ((np.float64, 1e-12), (np.float32, 1e-6)):
        d = jd.compile(system, dtype, cache=NOWHERE)
        q = d.assemble(system.neutral)
        assert q.dtype == dtype
        assert np.abs(d.residual(q, np.zeros(3))["pin"]).max() < within


def test_quaternions_stay_unit_when_assembled() -> None:
    """A coin that flies is set on its rim."""
    m = jd.Model("coin")
    coin = m.body("coin", mass=1.0, inertia=jd.thin_disk(0.3))
    m.free("flies", m.ground, coin)
    m.keep("touches", m.wheel(coin, radius=0.3, axis="z").gap)
    d = jd.compile(m.system(), cache=NOWHERE)
    q = d.assemble([0.1, 0.2, 0.9, 0.5, 0.1, -0.2, 0.9])
    assert np.linalg.norm(q[3:]) == pytest.approx(1.0, abs=1e-14)
    assert d.residual(q, np.zeros(6))["touches"][0] == pytest.approx(0.0, abs=1e-12)


# -- speeds -----------------------------------------------------------------------------------------------------------


def test_independent_speeds_and_the_rest() -> None:
    d, (q, _) = four_bar(), four_bar_states()
    names = d.independent(q[0])
    assert len(names) == 1
    u = d.complete(q[0], [0.7])
    assert u[d.system.speeds.index(names[0])] == 0.7
    assert np.abs(d.residual(q[0], u)["pin"]).max() < 1e-12
    # Batches of configurations, of values, and of both.
    values = np.linspace(-1.0, 1.0, len(q))[:, None]
    every = d.complete(q, values, ["crank angle"])
    assert every.shape == q.shape
    for one, value, found in zip(q, values, every):
        assert np.abs(d.complete(one, value, ["crank angle"]) - found).max() < 1e-13
    assert d.complete(q[0], values).shape == (len(q), 3)
    assert d.complete(q, [0.5], ["crank angle"]).shape == q.shape
    tree = jd.compile(jd.gallery.double_pendulum(), cache=NOWHERE)
    assert np.array_equal(tree.complete([0.1, 0.2], [0.3, 0.4]), [0.3, 0.4])


def test_redundancy_at_a_configuration() -> None:
    """Three cranks of one length carry a bar: in the position in which it moves, one more row depends on the others."""
    m = jd.Model("cranks", gravity=(0, -9.81, 0))
    names = ("first", "second", "third")
    first, second, third, bar = (
        m.body(name, mass=1.0, center=(0.1, 0, 0), inertia=jd.about_z(0.01)) for name in (*names, "bar")
    )
    for k, crank in enumerate((first, second, third)):
        m.revolute(f"q{k}", m.ground, crank, axis="z", at=(0.5 * k, 0, 0))
    m.revolute("qb", first, bar, axis="z", at=(0.2, 0, 0))
    for k, crank in enumerate((second, third), 1):
        m.close(f"pin {k}", "spherical", bar, crank, at=(0.5 * k, 0, 0), child_at=(0.2, 0, 0))
    d = jd.compile(m.system(), cache=NOWHERE)
    q = np.array([1.0, 1.0, 1.0, -1.0])
    found = d.redundancy_at(q)
    assert found.rank == 3
    assert found.not_unique == ("pin 1", "pin 2")
    assert len(d.independent(q)) == 1
    assert len(found.kept) == 3
    u = d.complete(q, [1.0], "q0")
    np.testing.assert_allclose(u, [1.0, 1.0, 1.0, -1.0], atol=1e-12)
    # It moves on as one body would: what the cranks carry turns with them at one rate.
    rates = d.forward_dynamics(q, u)
    np.testing.assert_allclose(rates, rates[0] * u, atol=1e-9)
    inertia = 3 * (0.01 + 0.1**2) + 0.2**2
    moment = -9.81 * np.cos(1.0) * (3 * 0.1 + 0.2)
    assert rates[0] == pytest.approx(moment / inertia, rel=1e-9)
    with pytest.raises(ValueError, match=r"q has the shape \(2, 4\); redundancy is that of one configuration"):
        d.redundancy_at([q, q])
    assert jd.compile(jd.gallery.pendulum(), cache=NOWHERE).redundancy_at([0.1]).rank == 0


def test_what_is_wrong_with_independent_speeds() -> None:
    d, (q, _) = four_bar(), four_bar_states()
    with pytest.raises(ValueError, match="2 values are given for 1 independent speed: "):
        d.complete(q[0], [1.0, 2.0])
    with pytest.raises(KeyError, match="no speed 'crank'; did you mean 'crank angle'"):
        d.complete(q[0], [1.0], ["crank"])
    with pytest.raises(ValueError, match="independent speeds are those of one configuration"):
        d.independent(q)
    with pytest.raises(ValueError, match="the independent speed 'crank angle' is named twice"):
        d.complete(q[0], [1.0, 2.0], ["crank angle"] * 2)
    with pytest.raises(ValueError, match=f"the speeds {', '.join(d.system.speeds[:2])} cannot all be chosen freely"):
        d.complete(q[0], [1.0, 2.0], d.system.speeds[:2])
    with pytest.raises(ValueError, match=r"leading axes do not broadcast: q \(2,\), u_independent \(3,\)"):
        d.complete(q[:2], np.zeros((3, 1)), "crank angle")
    tree = jd.compile(jd.gallery.double_pendulum(), cache=NOWHERE)
    with pytest.raises(ValueError, match=r"q has the shape \(3,\); its last axis must have 2 elements"):
        tree.independent([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="the speeds u1, u3 do not follow from the others; choose other speeds"):
        cart().in_mode({STICKS}).complete([0.0, 0.0, 0.0, 0.0], [1.0], ["u2"])


def test_the_reduced_mass_matrix() -> None:
    """Kinetic energy in the independent speeds alone; over batches as one by one."""
    d, (q, _) = four_bar(), four_bar_states()
    alone = np.stack([d.reduced_mass_matrix(x) for x in q])
    for one, mass in zip(q, alone):
        u = d.complete(one, [1.0])
        assert 2.0 * d.energy(one, u).kinetic == pytest.approx(mass[0, 0], rel=1e-12)
    name = d.independent(q[0])
    every = d.reduced_mass_matrix(q)
    assert every.shape == (len(q), 1, 1)
    for k, one in enumerate(q):
        u = d.complete(one, [1.0], name)
        assert 2.0 * d.energy(one, u).kinetic == pytest.approx(every[k, 0, 0], rel=1e-12)
    tree = jd.compile(jd.gallery.double_pendulum(), cache=NOWHERE)
    assert np.array_equal(tree.reduced_mass_matrix([0.1, 0.2]), tree.mass_matrix([0.1, 0.2]))


# -- efforts ----------------------------------------------------------------------------------------------------------


def test_a_body_whose_mass_is_declared_zero_is_held_by_constraints() -> None:
    """A caster without mass: the limit of ever lighter ones, in both modes, whichever function is asked."""
    system = jd.gallery.shopping_cart()
    massless = replace(system, defaults={**system.defaults, "m_C": 0.0})
    d, light = jd.compile(massless, cache=NOWHERE), cart().with_parameters({"m_C": 1e-8})
    q, push = np.array([0.1, 0.2, 0.3, 0.4]), {"F": 1.0}
    for mode in ([], [STICKS]):
        here, near = d.in_mode(mode), light.in_mode(mode)
        u = here.complete(q, np.ones(len(here.independent(q))))
        limit = near.forward_dynamics(q, u, inputs=push)
        rates = here.forward_dynamics(q, u, inputs=push)
        np.testing.assert_allclose(rates, limit, rtol=1e-6, atol=1e-7)
        for name, force in here.constraint_forces(q, u, inputs=push).items():
            np.testing.assert_allclose(force, near.constraint_forces(q, u, inputs=push)[name], rtol=1e-6, atol=1e-6)
        # A push of 1 N in the place of the input.
        found = here.actuation(q, u, rates, ["u1"])
        np.testing.assert_allclose(found.efforts, [1.0], rtol=1e-9)
        np.testing.assert_allclose(found.missed, 0.0, atol=1e-9)
    with pytest.raises(ValueError, match=r"m_C = 0, .* if the mechanism makes sense there, declare the"):
        cart().in_mode({STICKS}).with_parameters({"m_C": 0.0}).forward_dynamics(q, np.zeros(3))
    rows = tuple(x for x in massless.conditions if x.satisfied)
    adrift = jd.compile(replace(massless, conditions=rows), cache=NOWHERE)
    with pytest.raises(ValueError, match=r"m_C = 0, .* look whether everything that moves freely has inertia"):
        adrift.forward_dynamics(q, np.zeros(3))


def test_actuation() -> None:
    """One motor at the crank gives what the loop allows; the part of a motion that the loop forbids is told."""
    d, (q, u) = four_bar(), four_bar_states()
    udot = d.forward_dynamics(q, u, inputs={"drive": 4.0})
    found = d.actuation(q, u, udot, ["crank angle"])
    assert found.efforts[..., 0] == pytest.approx(np.full(len(q), 4.0), rel=1e-9)
    assert np.abs(found.missed).max() < 1e-9
    asked = udot + np.array([0.0, 1.0, -2.0])
    found = d.actuation(q, u, asked, ["crank angle"])
    assert np.abs(found.missed).max() > 0.1
    matrix = d.constraint_slopes(q, u).matrix
    given = np.zeros_like(u)
    given[..., :1] = found.efforts
    pull = (np.swapaxes(matrix, -1, -2) @ found.multipliers["pin"][..., None])[..., 0]
    left = d.inverse_dynamics(q, u, asked - found.missed) - given - pull
    assert np.abs(left).max() < 1e-9
    tree = jd.compile(jd.gallery.double_pendulum(), cache=NOWHERE)
    names = tree.system.speeds
    whole = tree.actuation([0.1, 0.2], [0.3, 0.4], [0.5, 0.6], names)
    assert whole.efforts == pytest.approx(tree.inverse_dynamics([0.1, 0.2], [0.3, 0.4], [0.5, 0.6]), rel=1e-9)
    assert whole.multipliers == {}
    with pytest.raises(ValueError, match="the actuator 'crank angle' is named twice"):
        d.actuation(q, u, udot, ["crank angle"] * 2)
    with pytest.raises(ValueError, match=r"udot has the shape \(2,\); its last axis must have 3 elements"):
        d.actuation(q, u, [0.0, 0.0], ["crank angle"])


# -- what a hand feels ------------------------------------------------------------------------------------------------


def test_mobility_under_constraints() -> None:
    """What a wrench on a body changes of its acceleration; what the constraints prevent is zero."""
    rng = np.random.default_rng(8)
    places, speeds = four_bar_states()
    for d, body, q, u in (
        (four_bar(), "coupler", places[2], speeds[2]),
        (cart(), "B", np.array([0.1, 0.2, 0.3, 0.4]), np.zeros(3)),
        (cart().in_mode({STICKS}), "C", np.array([0.1, 0.2, 0.3, 0.4]), np.zeros(3)),
    ):
        for axes in ("body", "ground"):
            jacobian = d.jacobian(body, q, (0.1, 0.2, 0.3), axes)
            wrench = rng.normal(size=6)
            change = d.forward_dynamics(q, u, jacobian.T @ wrench) - d.forward_dynamics(q, u)
            found = d.mobility(body, q, (0.1, 0.2, 0.3), axes)
            assert np.abs(found - found.T).max() < 1e-13
            assert np.abs(found @ wrench - jacobian @ change).max() < 1e-10


def test_operational_inertia_in_a_mode() -> None:
    """With its elbow stuck the gripper's base feels as that of a gripper whose elbow is locked."""
    d = gripper()
    locked = gripper_model()
    locked.lock("elbow", 0.4)
    stiff = jd.compile(locked.system(), cache=NOWHERE)
    q = np.array([0.1, 0.2, 0.3, 0.1, 0.2, -0.1, 0.5, 0.3, 0.4])
    q[3:7] /= np.linalg.norm(q[3:7])
    for at in (None, (0.1, 0.2, 0.3)):
        stuck = d.in_mode({"elbow sticks"}).operational_inertia("base", q, at)
        assert np.abs(stuck - stiff.operational_inertia("base", q[:8], at)).max() < 1e-11
        assert np.abs(stuck - d.operational_inertia("base", q, at)).max() > 1e-3
        assert np.abs(stuck @ d.in_mode({"elbow sticks"}).mobility("base", q, at) - np.eye(6)).max() < 1e-11


# -- special positions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-9, 1e-6, 1e-3])
def test_a_parallelogram_near_its_change_point(away: float) -> None:
    """Folded flat, its rows depend on each other: all numbers stay finite, and the loop's rows are kept."""
    d = four_bar(1.0)
    q = d.assemble([away, -away, away]) if away else np.zeros(3)
    u = np.array([1.0, -1.0, 1.0])
    assert np.abs(d.residual(q, u)["pin"]).max() < 1e-9
    udot = d.forward_dynamics(q, u, [0.3, 0.0, 0.0])
    assert np.isfinite(udot).all()
    assert np.isfinite(d.constraint_forces(q, u)["pin"]).all()
    # A parallelogram's coupler keeps its direction: folded or not the three turn as one.
    if away >= 1e-3:
        assert np.abs(udot - udot[0] * np.array([1.0, -1.0, 1.0])).max() < 1e-6 * max(1.0, float(np.abs(udot).max()))


# -- held joints ------------------------------------------------------------------------------------------------------


def test_a_held_joint_stays_where_the_guess_has_it() -> None:
    d = jd.compile(jd.gallery.slider_crank(), cache=NOWHERE)
    angles = np.linspace(0.0, 6.0, 7)
    guesses = np.stack([angles, -np.sin(angles), np.full(7, 0.2)], axis=-1)
    q = d.assemble(guesses, ["q1"])
    assert np.array_equal(q[:, 0], angles)
    assert max(np.abs(x).max() for x in d.residual(q, np.zeros(3)).values()) < 1e-12
    # The rod's end on the bore's line: crank r sin q1 + rod l sin(q1 + q2) = 0, in the gallery's lengths.
    p = d.system.parameters
    height = p["l1"] * np.sin(q[:, 0]) + p["l2"] * np.sin(q[:, 0] + q[:, 1])
    assert np.abs(height).max() < 1e-12
    assert np.abs(d.assemble(guesses)[:, 0] - angles).max() > 1e-3  # the nearest has another angle


def test_joints_to_be_held_that_leave_no_way_or_are_not_there() -> None:
    d = jd.compile(jd.gallery.four_bar(), cache=NOWHERE)
    with pytest.raises(AssemblyError, match="does not close near this guess"):
        d.assemble([0.6, 0.3, 1.5], ["q1", "q2"])
    with pytest.raises(KeyError, match="no joint 'q7'"):
        d.assemble([0.6, 0.3, 1.5], ["q7"])
    assert np.array_equal(d.assemble([0.6, 0.3, 1.5], "q1"), d.assemble([0.6, 0.3, 1.5], ["q1"]))  # one name by itself
    q = d.assemble([0.6, 0.3, 1.5], "q1")
    assert np.array_equal(d.complete(q, [2.0], "q1"), d.complete(q, [2.0], ["q1"]))
