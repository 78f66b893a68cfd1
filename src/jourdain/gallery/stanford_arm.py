"""The Stanford arm of Kane and Levinson (1983), appendix 3."""

from __future__ import annotations

from ..model.inertias import principal
from ..model.model import Model
from ..model.system import System

LENGTHS = {"L1": 0.1, "L2": 0.6, "L3": 0.2, "L4": 0.1, "L5": 0.7, "L6": 0.06}  # m
MASSES = {"m_A": 9.0, "m_B": 6.0, "m_C": 4.0, "m_D": 1.0, "m_E": 0.6, "m_F": 0.5}  # kg
MOMENTS = {  # kg m², central principal, along the body's axes 1, 2, 3
    "A": (0.01, 0.02, 0.01),
    "B": (0.06, 0.01, 0.05),
    "C": (0.4, 0.01, 0.4),
    "D": (0.0005, 0.001, 0.001),
    "E": (0.0005, 0.0002, 0.0005),
    "F": (0.001, 0.002, 0.003),
}
GRAVITY = 9.81  # m/s²; the paper prints no value


def stanford_arm() -> System:
    """The Stanford arm of Kane and Levinson (1983), with the data of its appendix 3 as parameters.

    Bodies A … F; joints q1 … q5 [rad] and q6 [m] by the paper's names, in the tree's order q1, q2, q6, q3, q4, q5. The
    ground's y (the paper's n₂) is up. At rest in the paper's zero configuration every body's axes are the ground's; the
    paper's motions start at q2 = 90°, for its speeds (2) are singular at q2 = 0. Ours are the coordinates' rates.

    τ1 is the usual generalized force; the paper's τ2 … τ5 and σ are what the *outer* body exerts on the inner one
    (102, 108, 109), so they are minus the generalized forces here.
    """
    return stanford_arm_model().system()


def stanford_arm_model(name: str = "stanford-arm") -> Model:
    """The same arm as a model, for adding forces to."""
    m = Model(name)
    p = m.parameters(**LENGTHS, **MASSES, **_moments(), g=GRAVITY)
    m.gravity = (0, -p.g, 0)
    # Frames: A's origin at A*, B's at B*, C's at C*, D's, E's and F's where the axes of q3, q4, q5 meet.
    centers = {
        "D": (0, p.L5 - p.L2, 0),  # D* = C* + L5 c2
        "E": (0, p.L6, 0),
        "F": (0, p.L3, 0),
    }
    bodies = {
        name: m.body(
            name,
            mass=getattr(p, f"m_{name}"),
            center=centers.get(name, (0, 0, 0)),
            inertia=principal(*(getattr(p, f"{name}{k}") for k in (1, 2, 3))),
        )
        for name in "ABCDEF"
    }
    m.revolute("q1", m.ground, bodies["A"], axis="y")
    m.revolute("q2", bodies["A"], bodies["B"], axis="x", at=(p.L1, p.L4, 0))  # (135)
    m.prismatic("q6", bodies["B"], bodies["C"], axis="y")
    m.revolute("q3", bodies["C"], bodies["D"], axis="y", at=(0, p.L2, 0))
    m.revolute("q4", bodies["D"], bodies["E"], axis="x")
    m.revolute("q5", bodies["E"], bodies["F"], axis="y")
    return m


def _moments() -> dict[str, float]:
    return {f"{name}{k}": value for name, values in MOMENTS.items() for k, value in enumerate(values, 1)}
