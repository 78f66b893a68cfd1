"""The Stanford arm in the generalized speeds that Kane and Levinson (1983) choose for it, (2) and (3)."""

from __future__ import annotations

from ..model.model import Model
from ..model.system import System
from .stanford_arm import stanford_arm_model


def stanford_arm_kane() -> System:
    """The Stanford arm in the generalized speeds of Kane and Levinson (1983).

    The arm of `stanford_arm`, its coordinates and parameters. Its speeds are the paper's: u1, u2, u3 the angular
    velocity of D along D's own axes [rad/s] (2); u4, u5 the rates of q4, q5 [rad/s] and u6 that of q6 [m/s] (3). So
    the forces that belong to them are the paper's K1 … K6 (111–116): f = Wᵀ times the joints' forces, q̇ = W u.

    Where sin q2 = 0 the axes of q1 and q3 are one line, and u1, u2, u3 leave q̇1 and q̇3 undetermined: (8) and (10)
    divide by sin q2. At q2 = 0 rates, accelerations, the mass matrix and the forces are infinite or NaN, never finite
    numbers; near it, and near 180°, errors of rounding grow as 1/sin q2. The arm itself has no singular position
    there, and `stanford_arm` computes it.
    """
    return stanford_arm_kane_model().system()


def stanford_arm_kane_model() -> Model:
    """The same as a model, for adding forces and constraints to."""
    m = stanford_arm_model("stanford-arm-kane")
    D = m["D"]
    m.speeds(
        u1=D.omega @ D.x, u2=D.omega @ D.y, u3=D.omega @ D.z,  # (2)
        u4=m["q4"].speed, u5=m["q5"].speed, u6=m["q6"].speed,  # (3)
    )  # fmt: skip
    return m
