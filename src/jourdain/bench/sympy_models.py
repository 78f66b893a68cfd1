"""Models in `sympy.physics.mechanics`, as its users write them: what `jourdain.from_sympy` is timed and tested with."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..gallery.stanford_arm import GRAVITY, LENGTHS, MASSES, MOMENTS


@dataclass(frozen=True)
class SympyModel:
    """A System or a KanesMethod of SymPy's, its equations not formed yet, with the bodies and loads it is asked with.

    values: of its symbols, by name; none where any will do.
    """

    model: Any
    bodies: Any = None
    loads: Any = None
    values: Mapping[str, float] = field(default_factory=dict)

    def form(self) -> Any:
        """SymPy forms the equations; answers what has mass_matrix, forcing, q and u."""
        if hasattr(self.model, "form_eoms"):
            self.model.form_eoms()
            return self.model.eom_method
        self.model.kanes_equations(self.bodies, self.loads or None)
        return self.model


def stanford_arm() -> SympyModel:
    """Kane and Levinson's arm (1983), with frames, points, generalized speeds u = q̇ and a motor at its first joint."""
    from sympy import symbols
    from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

    q, u = dynamicsymbols("q1:7"), dynamicsymbols("u1:7")
    long = dict(zip(LENGTHS, symbols(list(LENGTHS))))
    g, drive = symbols("g"), dynamicsymbols("T")
    ground = ReferenceFrame("N")
    A = ground.orientnew("A", "Axis", (q[0], ground.y))
    B = A.orientnew("B", "Axis", (q[1], A.x))
    C = B.orientnew("C", "Axis", (0, B.y))
    D = C.orientnew("D", "Axis", (q[2], C.y))
    E = D.orientnew("E", "Axis", (q[3], D.x))
    F = E.orientnew("F", "Axis", (q[4], E.y))
    turns = ((A, ground, u[0] * A.y), (B, A, u[1] * B.x), (C, B, 0), (D, C, u[2] * D.y), (E, D, u[3] * E.x),
             (F, E, u[4] * F.y))  # fmt: skip
    for frame, outer, spin in turns:
        frame.set_ang_vel(outer, spin)
    a = Point("A*")
    a.set_vel(ground, 0)
    b = a.locatenew("B*", long["L1"] * A.x + long["L4"] * A.y)
    b.v2pt_theory(a, ground, A)
    c = b.locatenew("C*", q[5] * B.y)
    c.set_vel(B, u[5] * B.y)
    c.v1pt_theory(b, ground, B)
    wrist = c.locatenew("P", long["L2"] * C.y)
    wrist.v2pt_theory(c, ground, C)
    centers = [a, b, c]
    for name, frame, place in (("D*", D, long["L5"] - long["L2"]), ("E*", E, long["L6"]), ("F*", F, long["L3"])):
        center = wrist.locatenew(name, place * frame.y)
        center.v2pt_theory(wrist, ground, frame)
        centers.append(center)
    bodies, loads, values = [], [(A, drive * A.y)], {**LENGTHS, **MASSES, "g": GRAVITY}
    for name, frame, center in zip(MOMENTS, (A, B, C, D, E, F), centers):
        mass, moments = symbols(f"m_{name}"), symbols(f"{name}1:4")
        bodies.append(RigidBody(name, center, frame, mass, (inertia(frame, *moments), center)))
        loads.append((center, -mass * g * ground.y))
        values |= {f"{name}{k}": x for k, x in enumerate(MOMENTS[name], 1)}
    kinematical = [x.diff() - y for x, y in zip(q, u)]
    return SympyModel(KanesMethod(ground, q, u, kinematical, bodies=bodies, forcelist=loads), bodies, loads, values)


def four_bar() -> SympyModel:
    """A four-bar linkage of uniform bars: three pins, the loop closed by two holonomic constraints, one freedom."""
    from sympy import symbols
    from sympy.physics.mechanics import PinJoint, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    lengths, density, g = symbols("l1:5"), symbols("rho"), symbols("g")
    ground = ReferenceFrame("N")
    bars = []
    for k, length in enumerate(lengths, 1):
        center = Point(f"center{k}")
        frame = ground if k == 1 else ReferenceFrame(f"B{k}")
        spread = inertia(ground, 0, 0, density * length**3 / 12)
        bars.append(RigidBody(f"Link{k}", center, frame, density * length, (spread, center)))
    system = System.from_newtonian(bars[0])
    for k in range(3):
        inner, outer = bars[k], bars[k + 1]
        pin = PinJoint(
            f"J{k + 1}", inner, outer, q[k], u[k], joint_axis=ground.z,
            parent_point=lengths[k] / 2 * inner.x, child_point=-lengths[k + 1] / 2 * outer.x,
        )  # fmt: skip
        system.add_joints(pin)
    start = bars[0].masscenter.locatenew("start", -lengths[0] / 2 * bars[0].x)
    end = bars[3].masscenter.locatenew("end", lengths[3] / 2 * bars[3].x)
    loop = end.pos_from(start)
    system.add_holonomic_constraints(loop.dot(ground.x), loop.dot(ground.y))
    system.q_ind, system.q_dep = q[:1], q[1:]
    system.u_ind, system.u_dep = u[:1], u[1:]
    system.apply_uniform_gravity(-g * ground.y)
    values = {"l1": 0.13, "l2": 0.24, "l3": 0.21, "l4": 0.34, "rho": 997.0, "g": 9.81}
    return SympyModel(system, values=values)


def bicycle() -> SympyModel:
    """The benchmark bicycle of SymPy's own test `test_bicycle`, as it stands there, with the test's numbers."""
    found = asked("test_kane3", "test_bicycle")[0]
    values = {
        "WFrad": 0.35, "WRrad": 0.3, "htangle": 1.2566370614359172, "forkoffset": 0.03207142672761931,
        "forklength": 0.2676445084476887, "framelength": 0.9534570696121847, "forkcg1": 0.10230731158060874,
        "forkcg3": 0.026100592803432365, "framecg1": 0.47792881146460797, "framecg3": 0.4707271515135145,
        "Iwr11": 0.0603,
        "Iwr22": 0.12, "Iwf11": 0.1405, "Iwf22": 0.28, "Ifork11": 0.05892, "Ifork22": 0.06, "Ifork33": 0.00708,
        "Ifork31": 0.00756, "Iframe11": 9.2, "Iframe22": 11.0, "Iframe33": 2.8, "Iframe31": -2.4, "mfork": 4.0,
        "mframe": 85.0, "mwf": 3.0, "mwr": 2.0, "g": 9.81,
    }  # fmt: skip
    return SympyModel(found.model, found.bodies, found.loads, values)


MODELS: dict[str, Callable[[], SympyModel]] = {
    "Stanford arm": stanford_arm,
    "bicycle": bicycle,
    "four-bar": four_bar,
}


class _Asked(Exception):
    """A test has asked for its equations."""


def asked(module: str, test: str, inside: str = "", all_of_them: bool = False) -> list[SympyModel]:
    """What a test of SymPy's own hands to KanesMethod.kanes_equations, the test itself not changed.

    module: of `sympy.physics.mechanics.tests`; inside: the class of the test, if it is in one. The test is stopped
    where it first asks for equations, unless all_of_them is set: then it runs to its end.
    """
    from sympy.physics.mechanics import KanesMethod

    found: list[SympyModel] = []
    original = KanesMethod.kanes_equations

    def listen(self: Any, bodies: Any = None, loads: Any = None) -> Any:
        given = self.bodies if bodies is None else bodies
        acting = (self.loads if loads is None else loads) or []
        found.append(SympyModel(self, given, acting))
        if all_of_them:
            return original(self, bodies, loads)
        raise _Asked

    home = importlib.import_module(f"sympy.physics.mechanics.tests.{module}")
    KanesMethod.kanes_equations = listen
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(getattr(home, inside)() if inside else home, test)()
    except _Asked:
        pass
    finally:
        KanesMethod.kanes_equations = original
    return found
