"""Rolling, sliding edges, gears: rows that vanish in the motions that are allowed, and motions known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.driver import Compiled

from .looking import Array

SPHERE = jd.principal(0.4 * 0.25, 0.4 * 0.25, 0.4 * 0.25)  # of 1 kg, radius 0.5 m
R = 0.5


def turned(*turns: tuple[str, float]) -> Array:
    """A quaternion (x, y, z, w)."""
    total = Rotation.identity()
    for axis, angle in turns:
        total = total * Rotation.from_euler(axis, angle)
    return np.array(total.as_quat())


def null_space(d: Compiled, q: Array, names: list[str], t: float = 0.0) -> tuple[Array, Array]:
    """A basis of the velocities (speeds, ·) that make these rows' linear parts zero, and the rows' remainders."""
    n = len(d.system.speeds)

    def rows(u: Array) -> Array:
        found = d.residual(q, u, t=t)
        return np.concatenate([found[x] for x in names])

    rest = rows(np.zeros(n))
    matrix = np.array([rows(e) - rest for e in np.eye(n)]).T
    _, sizes, right = np.linalg.svd(matrix)
    rank = int((sizes > 1e-9).sum())
    return right[rank:].T, rest


# -- a ball on a turntable ------------------------------------------------------------------------------------------


def turntable(speed: float = 3.0, tilt: float = 0.0) -> jd.Model:
    """A ball that rolls on a table that turns at a given speed; tilted: under gravity across the table."""
    m = jd.Model("turntable", gravity=(9.81 * np.sin(tilt), 0, -9.81 * np.cos(tilt)))
    table = m.body("table", mass=1.0, inertia=SPHERE)
    m.revolute("turn", m.ground, table, axis="z", at=(0, 0, 0.2))
    m.prescribe("turn", speed * m.time)
    ball = m.body("ball", mass=1.0, inertia=SPHERE)
    m.free("float", m.ground, ball)
    touch = m.ball(ball, radius=R, plane=table, height=0.1)
    m.keep("touches", touch.gap)
    m.keep("rolls", *touch.slip)
    m.output("center", ball.origin.velocity)
    m.output("felt", ball.origin.acceleration)
    return m


def rolling_state(d: Compiled, rng: np.random.Generator) -> tuple[Array, Array]:
    """Anywhere on the table, rolling."""
    q = np.concatenate([rng.normal(size=2), [0.2 + 0.1 + R], turned(("x", 0.3), ("y", 0.5), ("z", -1.0))])
    free = d.independent(q, t=0.4)
    return q, d.complete(q, rng.normal(size=len(free)), free, t=0.4)


def test_a_ball_on_a_turntable_goes_in_circles_at_two_sevenths() -> None:
    """v̇ = 2/7 Ω × v for a solid ball (Earnshaw 1844), whatever its spin; the table's axis plays no part."""
    d = jd.compile(turntable().system())
    rng = np.random.default_rng(0)
    for _ in range(4):
        q, u = rolling_state(d, rng)
        udot = d.forward_dynamics(q, u, t=0.4)
        turn = Rotation.from_quat(q[3:]).as_matrix()
        v = turn @ u[3:]
        felt = turn @ (udot[3:] + np.cross(u[:3], u[3:]))
        out = d.outputs(q, u, t=0.4)  # accelerations among the outputs are those of the constrained motion
        assert np.allclose([out[f"felt.{k}"] for k in "xyz"], felt, atol=1e-12)
        assert np.abs(felt - 2 / 7 * np.cross([0, 0, 3.0], v)).max() < 1e-13 * (1 + np.abs(v).max()) * 10
        assert max(np.abs(x).max() for x in d.residual(q, u, t=0.4).values()) < 1e-14 * 100
    assert len(d.independent(q, t=0.4)) == 3


def test_on_a_tilted_turntable_it_drifts_across_the_slope() -> None:
    """v̇ = 2/7 Ω × v + 5/7 g: a circle that drifts; a whole turn later the same velocity."""
    tilt, speed = 0.2, 3.0
    m = turntable(speed, tilt)
    d = jd.compile(m.system())
    q, u = rolling_state(d, np.random.default_rng(3))
    v0 = Rotation.from_quat(q[3:]).as_matrix() @ u[3:]
    rate = 2 / 7 * speed
    period = 2 * np.pi / rate
    start = 0.4

    def slope(t: float, y: Array) -> Array:
        return np.concatenate([d.rates(y[:7], y[7:], t=t), d.forward_dynamics(y[:7], y[7:], t=t)])

    run = solve_ivp(slope, (start, start + period), [*q, *u], method="DOP853", rtol=1e-12, atol=1e-12)
    last = run.y[:, -1]
    velocity = Rotation.from_quat(last[3:7]).as_matrix() @ last[10:13]
    assert np.abs(velocity - v0).max() < 1e-9
    # The drift is at right angles to gravity's part along the table: 5/7 g = −2/7 Ω × drift.
    drift = np.array([0, 5 / 7 * 9.81 * np.sin(tilt) / rate, 0])
    assert np.abs(last[:2] - q[:2] - drift[:2] * period).max() < 1e-9


# -- rows and what they allow ---------------------------------------------------------------------------------------


def test_a_wheel_rolls_on_a_plate_that_moves() -> None:
    """The wheel's lowest point moves with the plate, in all allowed motions."""
    m = jd.Model("on a plate")
    plate, wheel = (m.body(x, mass=1.0, inertia=SPHERE) for x in ("plate", "wheel"))
    m.free("fp", m.ground, plate)
    m.free("fw", m.ground, wheel)
    touch = m.wheel(wheel, radius=R, axis="y", plane=plate, normal="x", height=0.3)
    m.keep("rolls", *touch.slip, touch.approach)
    m.output("gap", touch.gap)
    d = jd.compile(m.system())
    # The wheel leans against the plate's normal x, its lowest point on the plane.
    base = Rotation.from_euler("xyz", [0.4, -0.2, 0.9])
    lean = Rotation.from_euler("zx", [0.7, 0.3])
    spindle = lean.apply([0, 1.0, 0])
    steep = np.sqrt(1 - spindle[0] ** 2)
    center = np.array([0.3 + R * steep, 0.6, -0.8])
    origin = np.array([0.2, 0.1, -0.5])
    q = np.concatenate([origin, base.as_quat(), origin + base.apply(center), (base * lean).as_quat()])
    assert d.outputs(q, np.zeros(12))["gap"] == pytest.approx(0, abs=1e-14)
    space, rest = null_space(d, q, ["rolls"])
    assert space.shape == (12, 9)
    assert not rest.any()
    down = (spindle * spindle[0] - [1, 0, 0]) * R / steep  # from the hub to the lowest point, in the plate's axes
    assert np.linalg.norm(down) == pytest.approx(R, abs=1e-15)
    for u in space.T:
        w_plate, v_plate, w_wheel, v_wheel = (
            base.apply(u[:3]), base.apply(u[3:6]), (base * lean).apply(u[6:9]), (base * lean).apply(u[9:]),
        )  # fmt: skip
        point = v_wheel + np.cross(w_wheel, base.apply(down))
        carried = v_plate + np.cross(w_plate, base.apply(center + down))
        assert np.abs(point - carried).max() < 1e-13


@pytest.mark.parametrize("inside", [False, True])
def test_a_ball_rolls_on_a_ball_that_moves(inside: bool) -> None:
    m = jd.Model("balls")
    big, ball = (m.body(x, mass=1.0, inertia=SPHERE) for x in ("big", "ball"))
    m.free("fb", m.ground, big)
    m.free("fs", m.ground, ball)
    hub = big.point("hub", (0.1, 0.2, -0.3))
    meet = m.ball_on_ball(ball, big, radius=R, other_radius=2.0, other_center=hub, inside=inside)
    m.keep("rolls", meet.slip)
    m.output("gap", meet.gap)
    m.output("approach", meet.approach)
    m.output("gap changes", m.rate(meet.gap))
    m.output("normal", meet.normal)
    d = jd.compile(m.system())
    base, own = Rotation.from_euler("xyz", [0.4, -0.2, 0.9]), Rotation.from_euler("xyz", [1.4, 0.2, 0.3])
    outward = np.array([1.0, 2.0, -2.0]) / 3
    away = 2.0 - R if inside else 2.0 + R
    origin = np.array([0.5, -0.1, 0.2])
    arm = base.apply([0.1, 0.2, -0.3])
    center = origin + arm + away * outward
    q = np.concatenate([origin, base.as_quat(), center, own.as_quat()])
    out = d.outputs(q, np.linspace(-1, 1, 12))
    assert out["gap"] == pytest.approx(0, abs=1e-14)
    assert out["approach"] == pytest.approx(out["gap changes"], abs=1e-13)
    assert np.allclose([out[f"normal.{x}"] for x in "xyz"], -outward if inside else outward, atol=1e-14)
    space, _ = null_space(d, q, ["rolls"])
    assert space.shape == (12, 9)
    reach = arm + 2.0 * outward
    for u in space.T:
        touched = base.apply(u[3:6]) + np.cross(base.apply(u[:3]), reach)
        touching = own.apply(u[9:]) + np.cross(own.apply(u[6:9]), origin + reach - center)
        assert np.abs(touched - touching).max() < 1e-13


def test_a_rolling_ball_on_a_fixed_one_leaves_as_is_known() -> None:
    """Rolling down a fixed ball without spin about the normal: v² = 10/7 g (r + R)(1 − cos θ) along the way."""
    m = jd.Model("dome")
    ball = m.body("ball", mass=1.0, inertia=SPHERE)
    m.free("f", m.ground, ball)
    meet = m.ball_on_ball(ball, m.ground, radius=R, other_radius=1.5)
    m.keep("rolls", meet.slip)
    d = jd.compile(m.system())
    theta, away = 0.4, R + 1.5
    n, down = np.array([np.sin(theta), 0, np.cos(theta)]), np.array([np.cos(theta), 0, -np.sin(theta)])
    speed = np.sqrt(10 / 7 * 9.81 * away * (1 - np.cos(theta)))
    omega = np.cross(n, down) * speed / R
    q = np.concatenate([away * n, turned()])
    u = np.concatenate([omega, speed * down])
    udot = d.forward_dynamics(q, u)
    felt = udot[3:] + np.cross(u[:3], u[3:])
    assert felt @ down == pytest.approx(5 / 7 * 9.81 * np.sin(theta), rel=1e-13)
    assert felt @ n == pytest.approx(-(speed**2) / away, rel=1e-13)
    assert max(np.abs(x).max() for x in d.residual(q, u).values()) < 1e-14


# -- knife edges ----------------------------------------------------------------------------------------------------


def sled(slope: float = 0.0) -> jd.Model:
    """A body in a plane with an edge under its mass centre; the plane falls away along x."""
    m = jd.Model("sled", gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
    body = m.body("body", mass=2.0, inertia=jd.about_z(0.3))
    m.planar("slide", m.ground, body)
    edge = m.knife_edge(body, along="x")
    m.keep("edge holds", edge.slip)
    m.output("glide", edge.glide)
    m.output("spin", edge.spin)
    return m


def test_a_knife_edge_on_a_slope_makes_a_cycloid() -> None:
    """θ = ω t, v = (g sin α/ω) sin ω t, and the path that follows: back to its height, drifting across."""
    slope, omega = 0.3, 1.7
    d = jd.compile(sled(slope).system())
    g = 9.81 * np.sin(slope)

    def rate(t: float, y: Array) -> Array:
        return np.concatenate([d.rates(y[:3], y[3:]), d.forward_dynamics(y[:3], y[3:])])

    times = np.linspace(0, 2 * np.pi / omega, 9)
    run = solve_ivp(rate, (0, times[-1]), [0, 0, 0, 0, 0, omega], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times)
    s, c = np.sin(omega * times), np.cos(omega * times)
    wanted = [
        g / (2 * omega**2) * s**2, g / (2 * omega**2) * (omega * times - s * c), omega * times, g / omega * s,
        np.zeros(9), np.full(9, omega),
    ]  # fmt: skip
    assert np.abs(run.y - np.array(wanted)).max() < 1e-10
    counts = jd.count(sled().system(), ["inverse_dynamics"])["inverse_dynamics"]
    assert counts["sqrt"] == 0


def test_an_edge_that_leans_on_a_body_that_moves() -> None:
    """Its point's velocity relative to the plane has a part along the edge and one along the normal, no other."""
    m = jd.Model("skate")
    ice, skate = (m.body(x, mass=1.0, inertia=SPHERE) for x in ("ice", "skate"))
    m.free("fi", m.ground, ice)
    m.free("fs", m.ground, skate)
    tip = skate.point("tip", (0.3, 0.1, -0.4))
    edge = m.knife_edge(skate, along=(3, 0, 4), at=tip, plane=ice, normal="-y", height=0.2)
    m.keep("holds", edge.slip)
    for name in ("gap", "glide", "approach", "spin", "course", "side", "normal"):
        m.output(name, getattr(edge, name))
    m.output("gap changes", m.rate(edge.gap))
    m.output("relative", tip.vel(ice))
    d = jd.compile(m.system())
    rng = np.random.default_rng(2)
    q = np.concatenate([[0.1, 0.2, 0.3], turned(("x", 0.5), ("y", 0.4)), [1, -1, 0.5], turned(("z", 2.0), ("y", 0.7))])
    space, _ = null_space(d, q, ["holds"])
    assert space.shape == (12, 11)
    u = space @ rng.normal(size=11)
    out = d.outputs(q, u)
    vector = {x: np.array([out[f"{x}.{k}"] for k in "xyz"]) for x in ("course", "side", "normal", "relative")}
    frame = np.array([vector["course"], vector["side"], vector["normal"]])
    assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(frame) == pytest.approx(1.0, abs=1e-14)
    assert np.allclose(frame @ vector["relative"], [float(out["glide"]), 0.0, float(out["approach"])], atol=1e-13)
    assert out["approach"] == pytest.approx(out["gap changes"], abs=1e-13)
    ice_turn, turn = Rotation.from_quat(q[3:7]), Rotation.from_quat(q[10:])
    blade = turn.apply([0.6, 0, 0.8])
    assert blade @ vector["side"] == pytest.approx(0, abs=1e-14)
    assert blade @ vector["course"] > 0
    assert np.allclose(vector["normal"], ice_turn.apply([0, -1, 0]), atol=1e-14)
    assert out["spin"] == pytest.approx((turn.apply(u[6:9]) - ice_turn.apply(u[:3])) @ vector["normal"], abs=1e-14)
    point = q[7:10] + turn.apply([0.3, 0.1, -0.4])
    assert out["gap"] == pytest.approx((point - q[:3]) @ vector["normal"] - 0.2, abs=1e-14)


# -- gears ----------------------------------------------------------------------------------------------------------


def test_a_gear_and_a_rack() -> None:
    """What a torque moves: I + n² J of two wheels, and a mass through the pinion's radius."""
    m = jd.Model("train", gravity=(0, 0, 0))
    wheels = [m.body(x, mass=1.0, inertia=jd.principal(1, 1, J)) for x, J in (("a", 0.3), ("b", 0.05))]
    m.revolute("first", m.ground, wheels[0])
    m.revolute("second", m.ground, wheels[1], at=(0.5, 0, 0))
    m.prismatic("rack", m.ground, m.particle("bar", 4.0), axis="x")
    ratio = m.parameter("ratio", -2.5)
    m.keep("wheels mesh", m.gear("first", m["second"], ratio=ratio))
    m.keep("rack and pinion", m.gear("second", "rack", ratio=0.2, offset=0.1))
    d = jd.compile(m.system())
    q = np.array([0.4, -1.0, -0.1])
    assert max(np.abs(x).max() for x in d.residual(q, np.array([1.0, -2.5, -0.5])).values()) < 1e-15
    udot = d.forward_dynamics(q, np.zeros(3), [1.0, 0, 0])
    assert udot == pytest.approx(np.array([1, -2.5, -0.5]) / (0.3 + 0.05 * 6.25 + 4.0 * 0.25), rel=1e-13)
    assert np.allclose(d.with_parameters({"ratio": 2.0}).assemble([0.1, 0.2, 0.3]) @ [2, -1, 0], 0, atol=1e-12)


# -- mistakes -------------------------------------------------------------------------------------------------------


def test_wrong_contacts_and_gears_are_said() -> None:
    m = jd.Model("wrong")
    a, b = (m.body(x, mass=1.0, inertia=SPHERE) for x in "ab")
    m.free("fa", m.ground, a)
    m.revolute("rb", m.ground, b)
    m.ball_on_ball(a, a, radius=1.0, other_radius=1.0)
    m.gear("fa", "rb", ratio=1.0)
    m.gear("rb", "rb", ratio=1.0)
    m.gear("rb", "rc", ratio=m.time)
    m.knife_edge(a, at=b.origin)
    m.knife_edge("c")
    with pytest.raises(jd.ModelError) as raised:
        m.system()
    assert [x.text for x in raised.value.mistakes] == [
        "a ball that touches a ball is on 'a' itself; two bodies are needed",
        "joint 'fa' has 7 coordinates; gears couple joints of one",
        "a gear couples joint 'rb' to itself",
        "the driven gear is 'rc', but there is no such joint; there is 'fa', 'rb'",
        "the ratio of a gear depends on t; only numbers and parameters can stand here",
        "the center of a knife edge is 'b.origin', a point of 'b', not of 'a'",
        "the body of a knife edge is 'c', but there is no such body; there is 'a', 'b'",
    ]


def test_every_contact_has_the_rate_of_its_gap() -> None:
    """`approach` is d/dt `gap` for balls and wheels on planes that move."""
    m = jd.Model("touching")
    plate, body = (m.body(x, mass=1.0, inertia=SPHERE) for x in ("plate", "body"))
    m.free("fp", m.ground, plate)
    m.free("fw", m.ground, body)
    hub = body.point("hub", (0.1, 0.2, 0.3))
    for name, touch in (
        ("ball", m.ball(body, radius=R, center=hub, plane=plate, normal=(1, 2, 2), height=0.1)),
        ("wheel", m.wheel(body, radius=R, center=hub, plane=plate, normal="-y", height=0.1)),
        ("on ground", m.wheel(body, radius=R, axis="x", center=hub)),
    ):
        m.output(f"{name} approaches", touch.approach)
        m.output(f"{name} gap", m.rate(touch.gap))
    q = np.concatenate([[0.1, 0.2, 0.3], turned(("x", 0.5), ("y", 0.4)), [1, -1, 0.5], turned(("z", 2.0), ("y", 0.7))])
    out = jd.compile(m.system()).outputs(q, np.linspace(-1, 1, 12))
    for name in ("ball", "wheel", "on ground"):
        assert out[f"{name} approaches"] == pytest.approx(out[f"{name} gap"], abs=1e-13)


def test_accelerations_are_those_of_the_mode() -> None:
    """A block on a wedge that may be held; what is felt follows what is held."""
    m = jd.Model("wedge")
    wedge, block = (m.body(x, mass=1.0, inertia=SPHERE) for x in ("wedge", "block"))
    m.prismatic("slide", m.ground, wedge, axis="x")
    m.prismatic("down", wedge, block, axis=(3, 0, -4))
    m.switch("held", m["slide"].speed)
    m.output("felt", block.origin.acceleration)
    m.output("place", block.origin.position)
    m.output("along", m["down"].acceleration)
    d = jd.compile(m.system())
    q, u = np.array([0.1, 0.2]), np.zeros(2)
    free, held = d.outputs(q, u), d.in_mode({"held"}).outputs(q, u)
    assert held["along"] == pytest.approx(0.8 * 9.81, rel=1e-14)
    assert held["felt.x"] == pytest.approx(0.6 * 0.8 * 9.81, rel=1e-14)
    assert free["along"] == pytest.approx(0.8 * 9.81 / (1 - 0.36 / 2), rel=1e-14)
    assert free["felt.x"] == pytest.approx(free["along"] * 0.6 / 2, rel=1e-14)
    assert free["place.z"] == held["place.z"] == pytest.approx(-0.16, abs=1e-15)
