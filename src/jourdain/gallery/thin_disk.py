"""Kwatny and Blankenship's thin disk (1995), section III.C."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import inertias
from ..model.model import Model
from ..model.system import System

TURNS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def thin_disk(r: Sequence[int] = (3,)) -> System:
    """Kwatny and Blankenship's thin disk (1995), free to turn about its fixed mass centre; no force acts.

    r: how the joint `attitude` is made of simple joints, as in the paper. (3,) is one simple joint: the speeds are the
    angular velocity along the disk's own axes and the equations are Euler's (54). (1, 1, 1) is a universal joint of
    three turns: the speeds are the rates of the angles and the equations are Lagrange's (55). The angles are the same,
    R = R_z(q3) R_y(q2) R_x(q1).
    """
    m = Model("thin-disk", gravity=(0, 0, 0))
    p = m.parameters(m=5.0, R=2.0)
    disk = m.body("disk", mass=p.m, inertia=inertias.thin_disk(p.R))
    m.joint("attitude", m.ground, disk, H=TURNS, r=list(r))
    return m.system()
