"""Andrews' squeezing mechanism: seven bodies, three closed loops, one freedom."""

from __future__ import annotations

from ..model.arguments import Scalar
from ..model.inertias import about_z
from ..model.model import Model
from ..model.system import System


def andrews_squeezer() -> System:
    """Andrews' squeezing mechanism: a crank drives six more plane bodies, against a spring, one freedom in all.

    Giles (1978) and Manning (1981) posed it, Schiehlen (1990) fixed the data, and Hairer and Wanner (1991, section
    VII.7) and the test set of Mazzia and Magherini integrate it for 0.03 s. Bodies K1 to K7 lie in the ground's plane
    x, y; there is no gravity. Angles [rad] as in the original, anticlockwise about z: beta of the crank K1, which turns
    about the origin, and Theta of K2 from it; gamma of K3, which turns about B; delta of K5 and epsilon of K7, which
    turn about A, and Phi of K4 and Omega of K6 from these. One pin joins the ends of K2, K3, K4 and K6: "K2 and K3",
    "K2 and K4", "K2 and K6" are its two rows each, the first end's place less the other's along the ground's x and y
    [m]. A spring pulls a corner of K3 towards C.

    Input: torque mom [N m] of the ground on the crank. Output: `pin x`, `pin y` [m].
    """
    m = Model("andrews-squeezer", gravity=(0, 0, 0))
    p = m.parameters(
        m1=0.04325, m2=0.00365, m3=0.02373, m4=0.00706, m5=0.07050, m6=0.00706, m7=0.05498,
        I1=2.194e-6, I2=4.410e-7, I3=5.255e-6, I4=5.667e-7, I5=1.169e-5, I6=5.667e-7, I7=1.912e-5,
        xa=-0.06934, ya=-0.00227, xb=-0.03635, yb=0.03273, xc=0.014, yc=0.072, c0=4530.0, l0=0.07785,
        d=0.028, da=0.0115, e=0.02, ea=0.01421, rr=0.007, ra=0.00092, ss=0.035, sa=0.01874, sb=0.01043, sc=0.018,
        sd=0.02, ta=0.02308, tb=0.00916, u=0.04, ua=0.01228, ub=0.00449, zf=0.02, zt=0.04, fa=0.01421,
    )  # fmt: skip
    (torque,) = m.inputs(mom=0.033)
    centers: dict[str, tuple[Scalar, Scalar, Scalar]] = {
        "K1": (p.ra, 0, 0), "K2": (-p.da, 0, 0), "K3": (p.sb, -p.sa, 0), "K5": (p.ta, p.tb, 0),
        "K4": (0, p.ea - p.e, 0), "K7": (-p.ub, -p.ua, 0), "K6": (p.zf - p.fa, 0, 0),
    }  # fmt: skip
    K1, K2, K3, K5, K4, K7, K6 = (
        m.body(name, mass=p[f"m{name[1]}"], center=center, inertia=about_z(p[f"I{name[1]}"]))
        for name, center in centers.items()
    )
    m.revolute("beta", m.ground, K1, axis="z")
    m.revolute("Theta", K1, K2, axis="z", at=(p.rr, 0, 0))
    m.revolute("gamma", m.ground, K3, axis="z", at=(p.xb, p.yb, 0))
    m.revolute("delta", m.ground, K5, axis="z", at=(p.xa, p.ya, 0))
    m.revolute("Phi", K5, K4, axis="z", at=(p.zt, 0, 0))
    m.revolute("epsilon", m.ground, K7, axis="z", at=(p.xa, p.ya, 0))
    m.revolute("Omega", K7, K6, axis="z", at=(0, -p.u, 0))
    pin = K2.point("pin", (-p.d, 0, 0)).position
    for name, body, at in (("K3", K3, (0, -p.ss, 0)), ("K4", K4, (0, -p.e, 0)), ("K6", K6, (p.zf, 0, 0))):
        between = pin - body.point(f"end of {name}", at).position
        m.keep(f"K2 and {name}", between @ m.ground.x, between @ m.ground.y)
    C, corner = m.ground.point("C", (p.xc, p.yc, 0)), K3.point("D", (p.sd, -p.sc, 0))
    m.spring(C, corner, stiffness=p.c0, rest=p.l0)
    m.torque(torque * K1.z, on=K1)
    m.output("pin x", pin @ m.ground.x)
    m.output("pin y", pin @ m.ground.y)
    m.handle(K1)
    return m.system()
