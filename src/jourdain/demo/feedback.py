"""The feedback law of Kane and Levinson's Figure 3 (128–133), declared as part of the model and so compiled with it."""

from __future__ import annotations

import numpy as np

from ..driver import Compiled
from ..gallery.stanford_arm import stanford_arm_model
from ..graph import cos, sin
from ..model.system import System
from ..simulation import DormandPrince853, Run, simulate
from .motion import GOAL, ORDER, START, Floats

GAINS = {  # k1, k3, k5, k7, k9 [N m], k11 [N/m]; k2, k4, k6, k8, k10 [N m s], k12 [N s/m]
    "k1": 3.0, "k2": 5.0, "k3": 1.0, "k4": 3.0, "k5": 0.30, "k6": 0.60, "k7": 0.30, "k8": 0.60, "k9": 0.25, "k10": 0.25,
    "k11": 30.0, "k12": 41.0,
}  # fmt: skip


def controlled_arm() -> System:
    """The Stanford arm under the law; outputs `tau1` … `tau5`, `sigma`; gains k1 … k12 and goals are parameters."""
    m = stanford_arm_model()
    k = m.parameters(**GAINS)
    goal = {name: m.parameter(f"goal_{name}", float(x)) for name, x in zip(ORDER, GOAL)}
    q = {name: m[name].coordinate for name in ORDER}
    rate = {name: m[name].speed for name in ORDER}
    off = {name: q[name] - goal[name] for name in ORDER}
    g, L2, L3, L5, L6 = (m[name] for name in ("g", "L2", "L3", "L5", "L6"))
    m_C, m_D, m_E, m_F = (m[name] for name in ("m_C", "m_D", "m_E", "m_F"))
    s2, c2, s3, c3, s4, c4 = (f(q[name]) for name in ("q2", "q3", "q4") for f in (sin, cos))
    hand = m_E * L6 + m_F * L3
    # Times g it holds the arm's weight, as the other terms in g do.
    weight = ((m_C + m_D) * q["q6"] + m_D * L5 + (m_E + m_F) * (q["q6"] + L2)) * s2 + hand * (c4 * s2 + c3 * s4 * c2)

    tau = {
        "q1": k.k1 * -off["q1"] - k.k2 * rate["q1"],  # (128)
        "q2": k.k3 * off["q2"] + k.k4 * rate["q2"] + g * weight,  # (129)
        "q3": k.k5 * off["q3"] + k.k6 * rate["q3"] - g * hand * s2 * s3 * s4,  # (130)
        "q4": k.k7 * off["q4"] + k.k8 * rate["q4"] + g * hand * (c2 * s4 + s2 * c3 * c4),  # (131)
        "q5": k.k9 * off["q5"] + k.k10 * rate["q5"],  # (132)
        "q6": k.k11 * off["q6"] + k.k12 * rate["q6"] - g * (m_C + m_D + m_E + m_F) * c2,  # (133)
    }  # fmt: skip
    for name, effort in tau.items():
        m.joint_force(name, effort if name == "q1" else -effort)  # the outer body acts on the inner: `motion.SIGNS`
        m.output("sigma" if name == "q6" else name.replace("q", "tau"), effort)
    return m.system()


def moved(controlled: Compiled, times: Floats, tolerance: float = 1e-10) -> Run:
    """The motion from rest at q2 = 90°."""
    return simulate(
        controlled, START, np.zeros(len(START)), times, method=DormandPrince853(tolerance, tolerance * 1e-2)
    )
