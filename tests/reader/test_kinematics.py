"""Vectors of a finished system: as expressions, as numbers, and beside SymPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

import jourdain as jd
from jourdain.model.handles import BodyHandle


def cart() -> jd.System:
    """A basket in the plane, a driven swing on it, and a caster turning on the swing about another axis."""
    m = jd.Model("cart")
    p = m.parameters(L=0.9, r=0.1)
    basket = m.body("basket", mass=20.0, inertia=jd.principal(1.0, 1.0, 1.6))
    swing = m.body("swing", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1))
    caster = m.body("caster", mass=1.0, center=(-p.r, 0, 0), inertia=jd.principal(0.1, 0.2, 0.1))
    m.planar("plane", m.ground, basket)
    m.revolute("sway", basket, swing, axis="x", at=(p.L, 0, 0))
    m.prescribe("sway", 0.3 * jd.sin(2.0 * m.time))
    m.revolute("swivel", swing, caster, axis="z")
    caster.point("rim", (0, 0, -p.r))
    caster.frame("tilted", (0, 0, 0), [("y", 0.5)])
    return m.system()


def test_short_expressions_read_as_one_would_write_them() -> None:
    k = jd.kinematics(jd.gallery.double_pendulum())
    upper, lower = k["upper"], k["lower"]
    place = k.of(lower.center.position)
    assert str(place) == (
        "(-l1*sin(shoulder) - l2*sin(shoulder + elbow), 0, -l1*cos(shoulder) - l2*cos(shoulder + elbow)) along ground"
    )
    speed = k.of(lower.center.velocity, axes=lower)
    assert speed.text().endswith("-l1*shoulderdot*sin(elbow)) along lower")
    turn = k.of(lower.ang_vel_in(upper) @ upper.y)
    assert repr(turn) == "elbowdot"
    assert turn.latex() == r"\dot{\mathrm{elbow}}"
    assert place._repr_latex_().startswith(r"$\displaystyle \begin{bmatrix} -l_{1} \,")
    assert place.latex().endswith(r"\end{bmatrix}_{\text{ground}}")
    assert repr(k) == "<kinematics of double-pendulum: 2 bodies seen from 'ground'>"


def test_long_expressions_are_written_too() -> None:
    k = jd.kinematics(jd.gallery.stanford_arm())
    last = k[k.system.bodies[-1].name]
    assert "…" in k.of(last.center.acceleration).text()


def test_numbers_are_those_of_the_compiled_functions() -> None:
    system = cart()
    k = jd.kinematics(system)
    d = jd.compile(system)
    q, u = np.array([0.3, -0.2, 0.7, 0.4]), np.array([0.5, 0.1, -0.4, 0.8])
    pose = d.pose("caster", q, t=0.6)
    assert np.allclose(k.of(k["caster"].origin.position).at(q, t=0.6), pose[:3, 3], atol=1e-14)
    fore = k.of(k["caster"].x).at(q, t=0.6)
    assert np.allclose(fore, pose[:3, 0], atol=1e-14)
    heavy = k.of(k["rim"].pos_from(k["caster"].origin).norm()).at(q, parameters={"r": 0.25})
    assert heavy.shape == ()
    assert heavy == pytest.approx(0.25, abs=1e-15)
    moving = k.of(k["rim"].velocity)
    ahead, behind = (k.of(k["rim"].position).at(q + s * np.asarray(d.rates(q, u)), t=0.6 + s) for s in (1e-6, -1e-6))
    assert np.allclose(moving.at(q, u, t=0.6), (ahead - behind) / 2e-6, atol=1e-8)


def test_generalized_speeds_and_rates_are_the_systems_own() -> None:
    m = jd.Model.of(cart())
    basket, caster = m["basket"], m["caster"]
    m.speeds(
        u1=basket.origin.velocity @ basket.x, u2=basket.origin.velocity @ basket.y, u3=basket.omega @ basket.z,
        u4=caster.omega @ caster.z,
    )  # fmt: skip
    k = jd.kinematics(m.system())
    hub = k["basket"].origin
    assert str(k.of(hub.velocity, axes=k["basket"])) == "(u1, u2, 0) along basket"
    assert str(k.of(hub.acceleration, axes=k["basket"])) == "(u1dot - u2*u3, u2dot + u1*u3, 0) along basket"
    assert str(k.of(k["caster"].alpha @ k["caster"].z)) == "u4dot"


def test_what_is_asked_of_another_model_is_refused() -> None:
    k, other = jd.kinematics(cart()), jd.kinematics(cart())
    with pytest.raises(ValueError, match="is a vector of another model; build it from what this object answers with"):
        k.of(other["caster"].x)
    with pytest.raises(ValueError, match="is a scalar, which has no axes; leave out axes="):
        k.of(k["caster"].x @ k["basket"].y, axes=k["basket"])
    with pytest.raises(jd.ModelError, match="there is no 'custer' in this model; did you mean 'caster'"):
        k["custer"]
    with pytest.raises(jd.ModelError, match="what is asked for is an expression of another model"):
        k.of(other["caster"].x @ other["basket"].x)
    assert np.allclose(k.of(k["caster"].x @ k["caster"].x).at(np.zeros(4)), 1.0)
    with pytest.raises(TypeError, match="a System is measured, not a Model; call its"):
        jd.kinematics(jd.Model("one"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"u has the shape \(3,\); \(4,\) is needed"):
        k.of(k["caster"].x).at(np.zeros(4), np.zeros(3))
    with pytest.raises(KeyError, match="has no parameter 'R'; there is 'L', 'r'"):
        k.of(k["caster"].x).at(np.zeros(4), parameters={"R": 1.0})
    with pytest.raises(KeyError, match="has no input 'F'"):
        k.of(k["caster"].x).at(np.zeros(4), inputs={"F": 1.0})


class Theirs:
    """The same cart in SymPy's words."""

    def __init__(self) -> None:
        self.t = dynamicsymbols._t
        L, r = sympy.symbols("L r")
        x, y, a, s = (sympy.Function(name)(self.t) for name in ("x", "y", "a", "s"))
        self.q = (x, y, a, s)
        self.N = N = ReferenceFrame("N")
        self.B = B = N.orientnew("B", "Axis", (a, N.z))
        self.S = S = B.orientnew("S", "Axis", (sympy.sin(2 * self.t) * 0.3, B.x))
        self.C = C = S.orientnew("C", "Axis", (s, S.z))
        self.T = C.orientnew("T", "Axis", (0.5, C.y))
        self.home = home = Point("O")
        home.set_vel(N, 0)
        self.hub = home.locatenew("hub", x * N.x + y * N.y)
        self.hub.set_vel(N, self.hub.pos_from(home).dt(N))
        self.pivot = self.hub.locatenew("pivot", L * B.x)
        self.rim = self.pivot.locatenew("rim", -r * C.z)
        self.parameters = {L: 0.9, r: 0.1}

    def numbers(self, vector: Any, frame: Any, q: Any, qd: Any, qdd: Any, t: float) -> Any:
        matrix = vector.to_matrix(frame) if hasattr(vector, "to_matrix") else sympy.Matrix([vector])
        subs = [(x.diff(self.t, 2), v) for x, v in zip(self.q, qdd)] + [(x.diff(self.t), v) for x, v in zip(self.q, qd)]
        matrix = matrix.subs(subs + list(zip(self.q, q)) + [(self.t, t)]).subs(self.parameters)
        return np.array(matrix.evalf(20).tolist(), dtype=float).ravel()


def test_sympy_says_the_same() -> None:
    """Velocities, accelerations, derivatives and angular ones, seen from every frame, along every frame's axes."""
    k, s = jd.kinematics(cart()), Theirs()
    q, qd, qdd, t = (0.3, -0.2, 0.7, 0.4), (0.5, 0.1, -0.4, 0.8), (0.2, -0.6, 0.3, 0.9), 0.6
    # The planar joint's speeds are along the basket's axes.
    c, n = np.cos(q[2]), np.sin(q[2])
    turn = np.array([[c, n], [-n, c]])
    v = turn @ qd[:2]
    u = np.array([*v, qd[2], qd[3]])
    udot = np.array([*(turn @ qdd[:2] + qd[2] * np.array([v[1], -v[0]])), qdd[2], qdd[3]])
    ours: dict[str, BodyHandle] = {"N": k.ground, "B": k["basket"], "S": k["swing"], "C": k["caster"], "T": k["tilted"]}
    rim, hub = k["rim"], k["basket"].origin
    their = s.rim.pos_from(s.home)
    for name, frame in ours.items():
        F = getattr(s, name)
        there = getattr(s, name)
        home = {"N": s.home, "B": s.hub}.get(name, s.pivot)
        pairs = [
            (rim.position.dt(frame), their.dt(F)),
            (rim.vel(frame), s.rim.pos_from(home).dt(F)),
            (rim.acc(frame), s.rim.pos_from(home).dt(F).dt(F)),
            (rim.velocity.dt(frame), their.dt(s.N).dt(F)),
            (k["caster"].ang_vel_in(frame), s.C.ang_vel_in(F)),
            (k["caster"].ang_acc_in(frame), s.C.ang_vel_in(F).dt(F)),
            (rim.pos_from(hub).cross(frame.x), s.rim.pos_from(s.hub).cross(F.x)),
        ]
        for mine, theirs in pairs:
            found = k.of(mine, axes=frame).at(q, u, udot, t=t)
            assert np.abs(found - s.numbers(theirs, there, q, qd, qdd, t)).max() < 1e-13
    square = k.of(k.model.rate(rim.velocity @ k["basket"].x)).at(q, u, udot, t=t)
    assert abs(square - s.numbers((their.dt(s.N) & s.B.x).diff(s.t), None, q, qd, qdd, t)[0]) < 1e-13
    cosines = np.array([[float(k.of(x).at(q, t=t)) for x in row] for row in k["tilted"].dcm(k["basket"])])
    assert np.abs(cosines.ravel() - s.numbers(s.T.dcm(s.B), None, q, qd, qdd, t)).max() < 1e-13
