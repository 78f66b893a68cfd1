"""The textbook recursions over CasADi's symbols: what a CasADi user would generate C code from.

Spatial vectors are (angular, linear) in each link's own frame (Featherstone 2008, tables 5.1, 6.2 and 7.1).
CasADi drops zeros and ones as it builds, and `cse` merges what is common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .mechanism import Array, Mechanism, Step


@dataclass(frozen=True)
class Body:
    """One moving frame: R, p of it in its parent's (symbolic), its columns S (6, r) and spatial inertia (6, 6)."""

    parent: int
    rotation: Any
    place: Any
    columns: Any
    inertia: Array
    first: int  # position of its speeds
    armature: Array


@dataclass(frozen=True)
class Symbols:
    """The bodies of a mechanism over symbols q, v and a third vector x: accelerations or forces."""

    bodies: tuple[Body, ...]
    gravity: Array
    q: Any
    v: Any
    x: Any


def symbols(mechanism: Mechanism) -> Symbols:
    """A body a step; intermediate ones have no inertia."""
    import casadi as ca

    q, v, x = ca.SX.sym("q", mechanism.nq), ca.SX.sym("v", mechanism.nv), ca.SX.sym("x", mechanism.nv)
    bodies: list[Body] = []
    last: list[int] = []  # of each link, its outermost body
    at_q = at_v = 0
    for link in mechanism.links:
        parent = last[link.parent] if link.parent >= 0 else -1
        own = q[at_q : at_q + link.nq]
        inertia = spatial_inertia(link.mass, link.center, link.inertia)
        if link.kind == "steps":
            rotation, place = ca.SX(_clean(link.rotation)), ca.SX(link.translation)
            for i, step in enumerate(link.steps):
                turned, moved = _step(step, own[i])
                outermost = i == len(link.steps) - 1
                bodies.append(Body(
                    parent, rotation @ turned, place + rotation @ moved, ca.SX(_column(step)),
                    inertia if outermost else np.zeros((6, 6)), at_v + i, link.armature[i : i + 1],
                ))  # fmt: skip
                parent, rotation, place = len(bodies) - 1, ca.SX.eye(3), ca.SX.zeros(3)
        else:
            turned, moved, columns = _manifold(link.kind, own)
            rotation = ca.SX(_clean(link.rotation))
            place = ca.SX(link.translation) + rotation @ moved
            bodies.append(Body(parent, rotation @ turned, place, columns, inertia, at_v, link.armature))
        last.append(len(bodies) - 1)
        at_q, at_v = at_q + link.nq, at_v + link.nv
    return Symbols(tuple(bodies), mechanism.gravity, q, v, x)


def inverse_dynamics(s: Symbols) -> Any:
    """Recursive Newton-Euler."""
    import casadi as ca

    speeds: list[Any] = []
    forces: list[Any] = []
    rates: list[Any] = []
    for body in s.bodies:
        own = body.columns @ _part(s.v, body)
        if body.parent < 0:
            speed, rate = own, motion_in(body, ca.SX(np.concatenate([np.zeros(3), -s.gravity])))
        else:
            speed = motion_in(body, speeds[body.parent]) + own
            rate = motion_in(body, rates[body.parent])
        rate = rate + body.columns @ _part(s.x, body) + motion_cross(speed, own)
        speeds.append(speed)
        rates.append(rate)
        inertia = _inertia(body)
        forces.append(inertia @ rate + force_cross(speed, inertia @ speed))
    parts: list[Any] = [None] * len(s.bodies)
    for i in reversed(range(len(s.bodies))):
        body = s.bodies[i]
        parts[i] = body.columns.T @ forces[i] + ca.SX(body.armature) * _part(s.x, body)
        if body.parent >= 0:
            forces[body.parent] = forces[body.parent] + force_out(body, forces[i])
    return ca.densify(ca.vertcat(*parts))


def mass_matrix(s: Symbols) -> Any:
    """Composite bodies; both triangles."""
    import casadi as ca

    composite = [_rigid(body) for body in s.bodies]
    n = s.v.size1()
    matrix = ca.SX.zeros(n, n)
    for i in reversed(range(len(s.bodies))):
        body = s.bodies[i]
        mass, moment, inertia = composite[i]
        if body.parent >= 0:
            outer = composite[body.parent]
            composite[body.parent] = tuple(x + y for x, y in zip(outer, _rigid_out(body, mass, moment, inertia)))
        columns = [body.columns[:, k] for k in range(body.columns.size2())]
        force = ca.horzcat(*(
            ca.vertcat(inertia @ w + ca.cross(moment, v), mass * v - ca.cross(moment, w))
            for w, v in ((column[:3], column[3:]) for column in columns)
        ))  # fmt: skip
        at, rows = i, slice(body.first, body.first + body.columns.size2())
        matrix[rows, rows] = body.columns.T @ force + ca.diag(ca.SX(body.armature))
        while s.bodies[at].parent >= 0:
            force = forces_out(s.bodies[at], force)
            at = s.bodies[at].parent
            other = s.bodies[at]
            block = force.T @ other.columns
            across = slice(other.first, other.first + other.columns.size2())
            matrix[rows, across] = block
            matrix[across, rows] = block.T
    return ca.densify(matrix)


def forward_dynamics(s: Symbols) -> Any:
    """Articulated bodies."""
    import casadi as ca

    speeds: list[Any] = []
    pulls: list[Any] = []
    inertias: list[Any] = []
    forces: list[Any] = []
    for body in s.bodies:
        own = body.columns @ _part(s.v, body)
        speed = own if body.parent < 0 else motion_in(body, speeds[body.parent]) + own
        inertia = _inertia(body)
        speeds.append(speed)
        pulls.append(motion_cross(speed, own))
        inertias.append(inertia)
        forces.append(force_cross(speed, inertia @ speed))
    solved: list[tuple[Any, Any, Any]] = [(None, None, None)] * len(s.bodies)
    for i in reversed(range(len(s.bodies))):
        body = s.bodies[i]
        u = inertias[i] @ body.columns
        inverse = _inverse(body.columns.T @ u + ca.diag(ca.SX(body.armature)))
        rest = _part(s.x, body) - body.columns.T @ forces[i]
        solved[i] = (u, inverse, rest)
        if body.parent >= 0:
            left = inertias[i] - u @ inverse @ u.T
            force = forces[i] + left @ pulls[i] + u @ (inverse @ rest)
            inertias[body.parent] = inertias[body.parent] + inertia_out(body, left)
            forces[body.parent] = forces[body.parent] + force_out(body, force)
    rates: list[Any] = []
    found: list[Any] = []
    for i, body in enumerate(s.bodies):
        outer = ca.SX(np.concatenate([np.zeros(3), -s.gravity])) if body.parent < 0 else rates[body.parent]
        rate = motion_in(body, outer) + pulls[i]
        u, inverse, rest = solved[i]
        own = inverse @ (rest - u.T @ rate)
        found.append(own)
        rates.append(rate + body.columns @ own)
    return ca.densify(ca.vertcat(*found))


# -- spatial algebra ------------------------------------------------------------------------------------------------


def motion_in(body: Body, m: Any) -> Any:
    """A motion vector of the parent's frame in the body's."""
    import casadi as ca

    e = body.rotation.T
    return ca.vertcat(e @ m[:3], e @ (m[3:] + ca.cross(m[:3], body.place)))


def force_out(body: Body, f: Any) -> Any:
    """A force vector of the body's frame in the parent's."""
    import casadi as ca

    force = body.rotation @ f[3:]
    return ca.vertcat(body.rotation @ f[:3] + ca.cross(body.place, force), force)


def forces_out(body: Body, columns: Any) -> Any:
    """The same, column by column."""
    import casadi as ca

    return ca.horzcat(*(force_out(body, columns[:, k]) for k in range(columns.size2())))


def inertia_out(body: Body, inertia: Any) -> Any:
    """A symmetric inertia (6, 6) of the body's frame in the parent's: its three blocks turned, then shifted."""
    import casadi as ca

    r, p = body.rotation, ca.skew(body.place)
    turning = _mirrored(r @ inertia[:3, :3] @ r.T)
    mixed = r @ inertia[:3, 3:] @ r.T
    sliding = _mirrored(r @ inertia[3:, 3:] @ r.T)
    shifted = mixed + p @ sliding
    return ca.blockcat([[_mirrored(turning - mixed @ p + p @ shifted.T), shifted], [shifted.T, sliding]])


def _mirrored(matrix: Any) -> Any:
    """The upper triangle twice, so that the lower one need not be computed."""
    import casadi as ca

    return ca.triu2symm(ca.triu(matrix))


def _rigid(body: Body) -> tuple[Any, Any, Any]:
    """Mass, first moment (3,) and inertia (3, 3) about the body's origin."""
    import casadi as ca

    i = body.inertia
    moment = ca.SX([i[2, 4], i[0, 5], i[1, 3]])
    return ca.SX(float(i[5, 5])), moment, ca.SX(i[:3, :3])


def _rigid_out(body: Body, mass: Any, moment: Any, inertia: Any) -> tuple[Any, Any, Any]:
    """The same of the body's frame in the parent's."""
    import casadi as ca

    r, p = body.rotation, body.place
    h = r @ moment
    total = h + mass * p
    # −[p×][h×] − [h + m p ×][p×], which shifts by p
    turned = r @ inertia @ r.T - ca.skew(p) @ ca.skew(h) - ca.skew(total) @ ca.skew(p)
    return mass, total, _mirrored(turned)


def _inertia(body: Body) -> Any:
    import casadi as ca

    return ca.sparsify(ca.SX(body.inertia))


def motion_cross(v: Any, m: Any) -> Any:
    """v × m of motion vectors."""
    import casadi as ca

    return ca.vertcat(ca.cross(v[:3], m[:3]), ca.cross(v[:3], m[3:]) + ca.cross(v[3:], m[:3]))


def force_cross(v: Any, f: Any) -> Any:
    """v ×* f of a motion and a force vector."""
    import casadi as ca

    return ca.vertcat(ca.cross(v[:3], f[:3]) + ca.cross(v[3:], f[3:]), ca.cross(v[:3], f[3:]))


def spatial_inertia(mass: float, center: Array, inertia: Array) -> Array:
    """About the frame's origin (6, 6)."""
    c = np.array([[0.0, -center[2], center[1]], [center[2], 0.0, -center[0]], [-center[1], center[0], 0.0]])
    return np.block([[inertia - mass * c @ c, mass * c], [mass * c.T, mass * np.eye(3)]])


# -- joints ---------------------------------------------------------------------------------------------------------


def _step(step: Step, x: Any) -> tuple[Any, Any]:
    import casadi as ca

    place = ca.SX(step.translation)
    if step.kind == "prismatic":
        return ca.SX.eye(3), place + ca.SX(step.axis) * x
    c, s = ca.cos(x), ca.sin(x)
    k = np.flatnonzero(step.axis)
    a = np.array(step.axis)
    if len(k) == 1:  # written out, so that nothing of it is left to be simplified
        turned = ca.SX.eye(3)
        i, j = (int(k[0]) + 1) % 3, (int(k[0]) + 2) % 3
        turned[i, i] = turned[j, j] = c
        turned[i, j], turned[j, i] = -s * a[k[0]], s * a[k[0]]
    else:
        hat = np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
        turned = c * ca.SX.eye(3) + s * ca.SX(hat) + (1 - c) * ca.SX(np.outer(a, a))
    return turned, place + ca.SX(step.axis) * (step.pitch * x)


def _column(step: Step) -> Array:
    turning = np.zeros(3) if step.kind == "prismatic" else step.axis
    sliding = step.axis if step.kind == "prismatic" else step.pitch * step.axis
    return np.concatenate([turning, sliding]).reshape(6, 1)


def _manifold(kind: str, q: Any) -> tuple[Any, Any, Any]:
    import casadi as ca

    zero, one = np.zeros((3, 3)), np.eye(3)
    if kind == "planar":
        columns = np.zeros((6, 3))
        columns[3, 0] = columns[4, 1] = columns[2, 2] = 1.0
        turned = ca.SX.eye(3)
        turned[0, 0] = turned[1, 1] = q[2]
        turned[0, 1], turned[1, 0] = -q[3], q[3]
        return turned, ca.vertcat(q[0], q[1], 0), ca.sparsify(ca.SX(columns))
    x, y, z, w = (q[q.size1() - 4 + i] for i in range(4))
    turned = ca.blockcat([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])
    if kind == "spherical":
        return turned, ca.SX.zeros(3), ca.sparsify(ca.SX(np.vstack([one, zero])))
    return turned, q[:3], ca.sparsify(ca.SX(np.block([[zero, one], [one, zero]])))


def _inverse(matrix: Any) -> Any:
    """Of a symmetric matrix, by elimination without pivots: it is positive definite."""
    import casadi as ca

    n = matrix.size1()
    work, result = ca.densify(matrix), ca.SX.eye(n)
    for k in range(n):
        pivot = 1 / work[k, k]
        work[k, :], result[k, :] = work[k, :] * pivot, result[k, :] * pivot
        for i in range(n):
            if i != k:
                factor = work[i, k]
                work[i, :], result[i, :] = work[i, :] - factor * work[k, :], result[i, :] - factor * result[k, :]
    return result


def _part(x: Any, body: Body) -> Any:
    return x[body.first : body.first + body.columns.size2()]


def _clean(rotation: Array) -> Array:
    """Zeros and ones that are known to be meant; nothing else is rounded."""
    return np.where(rotation == 0.0, 0.0, rotation)
