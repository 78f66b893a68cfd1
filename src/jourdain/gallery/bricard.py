"""Bricard's mechanism: six hinges that should not move, and do."""

from __future__ import annotations

from ..model.inertias import principal
from ..model.model import Model
from ..model.system import System

EDGES = ("x", "-y", "z", "-x", "y")


def bricard() -> System:
    """Bricard's mechanism: a loop of six hinges at right angles, which moves although counting says it cannot.

    The benchmark of the library of González et al. (2006): five rods, and the ground as the sixth, lie along edges of
    a cube, each hinge's axis at right angles to both of its rods. Lengths l and masses m are equal; each rod has the
    moments of inertia I across and J along itself about its centre. Gravity acts along the ground's −y.

    Coordinates: hinge1 to hinge5 [rad], all zero in the cube; every rod's frame then stands like the ground's. The
    constraint "loop" is the sixth hinge. Of its five rows four are independent, but not the same four everywhere. What
    the hinges carry is not determined by the motion. Output: `P3 x`, `P3 y`, `P3 z`, where the third rod ends [m].
    """
    m = Model("bricard")
    p = m.parameters(l=1.0, m=1.0, I=1.01 / 12, J=0.01 / 6, g=9.81)
    m.gravity = (0, -p.g, 0)
    rods, ends = [], []
    for k, edge in enumerate(EDGES, 1):
        along, sign = edge[-1], -1.0 if edge.startswith("-") else 1.0
        end = [sign * p.l if axis == along else 0.0 for axis in "xyz"]
        center = [x / 2 for x in end]
        inertia = principal(*(p.J if axis == along else p.I for axis in "xyz"))
        rods.append(m.body(f"rod{k}", mass=p.m, center=center, inertia=inertia))
        ends.append(end)
    for k, (before, at, rod, axis) in enumerate(zip([m.ground, *rods], [(0, 0, 0), *ends], rods, "yzxyz"), 1):
        m.revolute(f"hinge{k}", before, rod, axis=axis, at=at)
    m.close("loop", "revolute", rods[-1], m.ground, axis="x", at=ends[-1], child_at=(0, 0, p.l))
    corner = rods[2].point("P3", ends[2]).position
    for axis in "xyz":
        m.output(f"P3 {axis}", corner @ getattr(m.ground, axis))
    m.handle(rods[2])
    return m.system()
