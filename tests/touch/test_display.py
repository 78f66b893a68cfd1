"""Mechanisms in the loop: pushed as `simulate` pushes them, coupled, guarded, looked at."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation import Status
from jourdain.touch.coupler import Coupler
from jourdain.touch.device import Device, Hand, SimulatedDevice
from jourdain.touch.display import Display, Wires
from jourdain.touch.guard import Limits
from jourdain.touch.guarding import Fault, Guarded
from jourdain.touch.hands import hands_of, push_inputs, with_hands
from jourdain.touch.loop import timing
from jourdain.touch.mechanism import Mechanism
from jourdain.touch.passivity import spectral_radius, stable_stiffness
from jourdain.touch.pointer import Pointers
from jourdain.touch.sampled import admittance
from jourdain.touch.stage import Floats
from jourdain.touch.ticked import ticked

from ..simulation.modes.changing_systems import latch
from .rigs import FREE, RATE, growth, pendulum, slider, train
from .simulated import Simulated, in_python

T = 1.0 / RATE


def ticks(mechanism: Mechanism, count: int) -> None:
    for _ in range(count):
        for code in (mechanism._before, mechanism.run.session, mechanism._after):
            code.run()


# -- hands ------------------------------------------------------------------------------------------------------------


def test_handles_move_as_read_outs_say() -> None:
    system = with_hands(jd.gallery.stanford_arm(), *(x.name for x in jd.gallery.stanford_arm().bodies[-2:]))
    d, rng = jd.compile(system), np.random.default_rng(0)
    q, u = rng.normal(size=(2, 6))
    told = timing()
    m = Mechanism(ticked(d, q, u, jd.RK4), told, np.zeros(12), np.zeros(1))
    for row, name in zip(m.handles, hands_of(system)):
        pose, j = d.pose(name, q), d.jacobian(name, q, axes="ground")
        assert row[:3] == pytest.approx(pose[:3, 3], abs=1e-13)
        assert row[3:12] == pytest.approx(pose[:3, :3].ravel(), abs=1e-13)
        assert row[12:15] == pytest.approx(j[3:] @ u, abs=1e-12)
        assert row[15:] == pytest.approx(j[:3] @ u, abs=1e-12)


def test_hands_are_refused_kindly() -> None:
    with pytest.raises(ValueError, match="has no handle"):
        with_hands(jd.gallery.double_pendulum())
    with pytest.raises(KeyError, match=r"'lowr'.*lower"):
        with_hands(jd.gallery.double_pendulum(), "lowr")
    with pytest.raises(ValueError, match="twice"):
        with_hands(jd.gallery.double_pendulum(), "lower", "lower")


# -- a mechanism ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("substeps", [1, 3])
@pytest.mark.parametrize("method", [jd.RK4, jd.SemiImplicitEuler])
def test_a_mechanism_moves_as_it_is_simulated(method: type[jd.RK4] | type[jd.SemiImplicitEuler], substeps: int) -> None:
    """Under the opposite of what the hand is shown, which is held for a tick."""
    d, rng = pendulum(), np.random.default_rng(1)
    told, shown, flag = timing(), np.zeros(6), np.zeros(1)
    told[2] = T
    m = Mechanism(ticked(d, [0.5, -0.3], [0.0, 1.0], method), told, shown, flag, substeps)
    q, u = [0.5, -0.3], [0.0, 1.0]
    names = push_inputs("lower")
    for k in range(20):
        shown[:] = rng.normal(size=6)
        ticks(m, 1)
        run = jd.simulate(d, q, u, [0.0, T], dict(zip(names, -shown)), method(step=T / substeps))
        q, u = run.q[-1], run.u[-1]
        assert m.state == pytest.approx([*q, *u], rel=1e-12, abs=1e-13)
        assert m.t == pytest.approx((k + 1) * T, rel=1e-12)
        assert (m.status, flag[0]) == (Status.DONE, 0.0)


def test_constraints_are_kept() -> None:
    """The four-bar's loop stays closed while it is pushed about."""
    system = jd.gallery.four_bar()
    body = system.bodies[1].name
    d = jd.compile(with_hands(system, body))
    q = d.assemble(np.zeros(len(system.coordinates)) + 0.3)
    told, shown, flag = timing(), np.zeros(6), np.zeros(1)
    told[2] = T
    m = Mechanism(ticked(d, q, np.zeros(len(system.speeds)), jd.RK4), told, shown, flag)
    rng, n = np.random.default_rng(2), len(system.coordinates)
    for _ in range(300):
        shown[:3] = rng.normal(scale=5.0, size=3)
        ticks(m, 1)
    assert flag[0] == 0.0
    missed = d.residual(m.state[:n], m.state[n:])
    assert max(np.abs(x).max() for x in missed.values()) < 1e-9
    assert np.abs(m.state[:n] - q).max() > 1e-3


def test_a_mechanism_that_cannot_go_on_raises_its_flag_and_stays() -> None:
    told, shown, flag = timing(), np.zeros(6), np.zeros(1)
    told[2] = T
    m = Mechanism(ticked(slider(), [0.0], [1.0], jd.RK4), told, shown, flag)
    ticks(m, 3)
    assert flag[0] == 0.0
    shown[0] = np.nan
    ticks(m, 1)
    assert flag[0] == 1.0
    state = m.state.copy()
    assert np.all(np.isfinite(state))
    shown[0] = 0.0
    ticks(m, 5)
    assert flag[0] == 1.0
    assert np.array_equal(m.state, state)
    assert m.status is Status.NOT_FINITE


def test_refusals() -> None:
    told, flag, block = timing(), np.zeros(1), slider()
    run = ticked(block, [0.0], [0.0], jd.RK4)
    with pytest.raises(ValueError, match="each has 6"):
        Mechanism(run, told, np.zeros(12), flag)
    with pytest.raises(ValueError, match="0 steps"):
        Mechanism(run, told, np.zeros(6), flag, substeps=0)
    with pytest.raises(ValueError, match="is a function"):
        ticked(block, [0.0], [0.0], jd.RK4, {push_inputs("knob")[0]: lambda t, q, u: 0.0})
    with pytest.raises(ValueError, match="can be switched"):
        ticked(block, [0.0], [0.0], jd.RK4, modes=[()])
    with pytest.raises(KeyError, match="no switch 'latch'; there are none"):
        Mechanism(run, told, np.zeros(6), flag).switch("latch", True)


# -- constraints that change ------------------------------------------------------------------------------------------


def test_a_latch_catches_and_lets_go_as_it_is_simulated() -> None:
    """The hand pushes harder and harder; the run, and the machine's ticks, are the same to the bits."""
    d = jd.compile(with_hands(latch(), "carriage"))
    told, shown, flag = timing(), np.zeros(6), np.zeros(1)
    told[2] = T
    m = Mechanism(ticked(d, [0.0, 0.0], [0.0, 0.0], jd.RK4), told, shown, flag)
    other = jd.Machine(d, [0.0, 0.0], [0.0, 0.0], jd.RK4(T), prepares=False)
    rng, modes = np.random.default_rng(3), set[tuple[str, ...]]()
    for k in range(1500):
        shown[0] = -0.02 * k + rng.normal()
        ticks(m, 1)
        other.advance(inputs={"carriage force x": -shown[0], **dict.fromkeys(push_inputs("carriage")[1:], 0.0)})
        assert np.array_equal(m.state, [*other.q, *other.u])
        assert m.mode == other.mode
        modes.add(m.mode)
    assert modes == {(), ("latch",)}
    assert flag[0] == 0.0


def test_the_shopping_cart_is_pushed_and_its_caster_made_to_stick() -> None:
    """By hand, in the loop: while it sticks the swivel stands still."""
    cart = jd.compile(with_hands(jd.gallery.shopping_cart()))
    q = [0.0, 0.0, 0.0, 0.4]
    u = cart.complete(q, [0.0, 0.0], ["u1", "u2"])
    way = np.zeros((1, 600, 3))
    way[0, :, 0] = np.linspace(0.0, 0.3, 600)
    swivels = list[float]()

    def devices(wires: Wires) -> SimulatedDevice:
        return SimulatedDevice(Device(0.1, 2.0), Hand(0.3, 20.0, 2000.0), T, wires.shown, path=way)

    def look() -> None:
        swivels.append(float(display.mechanism.state[3]))
        if len(swivels) == 300:
            display.mechanism.switch("caster sticks", True)
        if len(swivels) == 500:
            display.mechanism.switch("caster sticks", False)

    display = Display(
        cart, q, u, RATE, devices, Limits(100.0, 10.0, 1e6, 1e5, 0.01), substeps=4, modes=[(), ("caster sticks",)],
        more=[in_python("look", look)], clock=Simulated().clock,
    )  # fmt: skip
    display.couplers.hold(Coupler(500.0, 20.0, 1.0, 0.1))
    display.guard.arm()
    modes = []
    for _ in range(2):
        display.loop.run(400)
        modes.append(display.mechanism.mode)
        # What the stability analysis is given is of the mode of now: the velocity that a force leaves, J M⁻¹ Jᵀ F t.
        handle, own = display.admittance((1, 0, 0)), cart.in_mode(display.mechanism.mode)
        here, speeds = np.split(display.snapshot()["state"], [4])
        (hand,) = display.mechanism.hands
        pushed, left = (own.forward_dynamics(here, speeds, inputs={f"{hand} force x": x}) for x in (1.0, 0.0))
        mobility = (cart.jacobian("B", here, axes="ground")[3:] @ (pushed - left))[0]
        assert handle.velocity @ handle.gamma / T == pytest.approx(mobility, rel=1e-3)
    assert modes == [("caster sticks",), ()]
    steps = np.abs(np.diff(swivels))
    assert steps[200:299].min() > 1e-7
    assert steps[302:499].max() < 1e-12
    assert steps[502:600].min() > 1e-7
    assert display.guard.fault is Fault.NONE
    assert max(np.abs(x).max() for x in cart.residual(*np.split(display.mechanism.state, [4])).values()) < 1e-9
    with pytest.raises(KeyError, match="there are 'caster sticks'"):
        display.mechanism.switch("caster", True)


# -- the display ------------------------------------------------------------------------------------------------------


def test_a_hand_that_moves_takes_the_mechanism_along() -> None:
    """The block follows to where its spring and the coupler balance; what is shown is what it feels."""
    way = np.zeros((1, 400, 3))
    way[0, :, 0] = np.linspace(0.0, 0.05, 400)

    def devices(wires: Wires) -> SimulatedDevice:
        return SimulatedDevice(Device(0.1, 2.0), Hand(0.3, 20.0, 2000.0), T, wires.shown, path=way)

    display = Display(
        slider(), [0.0], [0.0], RATE, devices, Limits(force=50.0, force_rate=1e5, ramp=0.01), clock=Simulated().clock
    )
    display.couplers.hold(Coupler(200.0, 3.0))
    display.guard.arm()
    display.loop.run(20_000)
    found = display.snapshot()
    device, block, force = found["devices"][0, 0], found["state"][0], found["shown"][0]
    assert force == 0.0  # after the end
    assert 200.0 * (device - block) == pytest.approx(40.0 * block, rel=1e-6)
    assert 2000.0 * (0.05 - device) == pytest.approx(40.0 * block, rel=1e-6)
    # Energy: what was put in is in the block's spring, or was lost in the dampers.
    put_in, least, _ = display.couplers.energy()
    assert put_in > 0.5 * 40.0 * block**2
    assert least > -1e-9
    assert display.guard.ticks_cut == 0
    assert found["handles"][0, 0] == pytest.approx(block, rel=1e-15)


@pytest.mark.parametrize("share", [0.98, 1.02])
def test_the_loop_swings_where_the_whole_sampled_system_does(share: float) -> None:
    """Device, hand, coupler and mechanism: the radius of the linear model, and the growth in the loop."""
    handle = admittance(slider(), [0.0], [0.0], (1, 0, 0), T)
    device, hand, coupler = Device(0.1, 0.2), Hand(0.05, 0.5, 30.0), Coupler(1.0, 0.8)
    near = Coupler(share * stable_stiffness(handle, coupler, device, hand), 0.8)
    places = list[float]()
    look = in_python("look", lambda: places.append(float(display.devices.devices[0, 0])))

    def devices(wires: Wires) -> SimulatedDevice:
        return SimulatedDevice(device, hand, T, wires.shown, [[1e-5, 0, 0]], np.zeros((1, 1, 3)))

    display = Display(slider(), [0.0], [0.0], RATE, devices, FREE, more=[look], clock=Simulated().clock)
    display.couplers.hold(near, wherever=False)
    display.guard.arm()
    display.loop.run(10_000)
    found = growth(np.array(places))
    assert (found > 1.0) is (share > 1.0)
    assert found == pytest.approx(spectral_radius(handle, near, device, hand), abs=2e-5)


def test_two_hands_pull_apart() -> None:
    """Each is shown its own force, and each block feels its own: springs in a row, 5000, 100, 40, 100, 5000 N/m."""
    path = np.array([[[0.1, 0.0, 0.0]], [[-0.05, 0.0, 0.0]]])

    def devices(wires: Wires) -> SimulatedDevice:
        return SimulatedDevice(Device(0.1, 5.0), Hand(0.3, 20.0, 5000.0), T, wires.shown, path[:, 0], path)

    display = Display(
        train(), [0.0, 0.0], [0.0, 0.0], RATE, devices, Limits(50.0, force_rate=1e5), clock=Simulated().clock
    )
    display.couplers.hold(Coupler(100.0, 5.0), 0, wherever=False)
    display.couplers.hold(Coupler(100.0, 5.0), 1, wherever=False)
    display.guard.arm()
    display.loop.run(20_000)
    found = display.snapshot()
    tension = 0.15 / (2.0 / 5000.0 + 2.0 / 100.0 + 1.0 / 40.0)
    front, rear = found["state"][:2]
    assert front - rear == pytest.approx(tension / 40.0, rel=1e-9)
    pulls = 100.0 * (found["devices"][:, 0] - found["handles"][:, 0])
    assert pulls == pytest.approx([tension, -tension], rel=1e-9)
    assert path[:, 0, 0] - found["devices"][:, 0] == pytest.approx([tension / 5000.0, -tension / 5000.0], rel=1e-6)


def test_a_mechanism_that_blows_up_takes_the_force_away() -> None:
    """A stiff spring under a method that cannot follow: the flag, the guard, zero force; the device is let go."""
    stiff = slider(0.5, 1e9, 0.0)

    def devices(wires: Wires) -> SimulatedDevice:
        return SimulatedDevice(Device(), Hand(), T, wires.shown, [[0.01, 0, 0]])

    states = list[Guarded]()
    look = in_python("look", lambda: states.append(display.guard.state))
    display = Display(
        stiff, [1e-3], [0.0], RATE, devices, Limits(ramp=0.01), more=[look], clock=Simulated().clock
    )
    display.couplers.hold(Coupler(100.0, 1.0), wherever=False)
    display.guard.arm()
    display.loop.run(200)
    assert states[0] is Guarded.ON
    assert states[-1] is Guarded.SAFE
    assert display.guard.fault in (Fault.DEVICE, Fault.NOT_FINITE)
    assert np.all(display.guard.shown == 0.0)


# -- pointers ---------------------------------------------------------------------------------------------------------


def test_pointers_are_drawn_on_evenly() -> None:
    """Messages every 8 ticks: after the first, each way takes as long as the one before it took to come."""
    told = timing()
    told[2] = T
    pointers = Pointers(told, 2)
    (channel, target, _), places, speeds = *pointers.inputs, list[Floats](), list[Floats]()
    for k in range(60):
        if k % 8 == 3 and k < 40:
            pointers.move([[0.01 * k, 0.0, 1.0], [0.0, -0.01 * k, 0.0]])
        target[:] = channel.read()
        pointers._session.run()
        places.append(pointers.devices[:, :3].copy())
        speeds.append(pointers.devices[:, 12:15].copy())
    found = np.array(places)
    assert found[2] == pytest.approx(np.zeros((2, 3)))
    assert found[3] == pytest.approx(np.array([[0.03, 0, 1], [0, -0.03, 0]]))  # there at once
    assert found[18, 0] == pytest.approx([0.11, 0.0, 1.0])  # the second message, 8 ticks after it came
    assert found[19:51, 0, 0] == pytest.approx(0.01 * np.arange(12, 44).clip(0, 35), rel=1e-9)
    assert found[19:51, 1, 1] == pytest.approx(-found[19:51, 0, 0], rel=1e-9)
    assert np.array(speeds)[19:42, 0, 0] == pytest.approx(np.full(23, 10.0), rel=1e-9)
    assert np.all(np.array(speeds)[43:] == 0.0)
    with pytest.raises(ValueError, match="2 pointers"):
        pointers.move([[0.0, 0.0, np.nan], [0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="longest = inf"):
        Pointers(told, longest=np.inf)


def test_a_pointer_drags_the_mechanism_until_it_is_lost() -> None:
    pointed = list[Pointers]()

    def devices(wires: Wires) -> Pointers:
        pointed.append(Pointers(wires.told, oldest=0.05))
        return pointed[0]

    states = list[Guarded]()

    def look() -> None:
        states.append(display.guard.state)
        if len(states) % 8 == 1 and len(states) < 990:
            pointed[0].move([[0.05, 0.0, 0.0]])

    display = Display(
        slider(), [0.0], [0.0], RATE, devices, Limits(50.0, force_rate=1e5, ramp=0.01),
        more=[in_python("look", look)], clock=Simulated().clock,
    )  # fmt: skip
    pointed[0].move([[0.0, 0.0, 0.0]])
    display.couplers.hold(Coupler(200.0, 20.0), wherever=False)
    display.guard.arm()
    display.loop.run(990)
    assert set(states) == {Guarded.ON}
    assert display.mechanism.state[0] == pytest.approx(0.05 * 200.0 / 240.0, rel=1e-3)
    display.loop.run(100)  # ages are counted from its beginning
    assert [states[990 + k] is Guarded.ON for k in (45, 60)] == [True, False]
    assert display.guard.fault is Fault.STALE
