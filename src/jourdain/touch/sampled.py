"""What a device feels, as a sampled linear system: a coupler in series with what a mechanism yields at its handle.

One direction; deviations from a state. The order of a tick is the loop's: the device is read, the coupler's force is
found from where it and the handle are, and held for a period, in which device and mechanism move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..control import linearize
from ..driver import Compiled
from ..graph import interpret
from .coupler import Coupler
from .device import Device, Hand, exact
from .hands import hands_of, push_inputs

Floats = NDArray[np.float64]
NOTHING = 1e-9  # of a vector: what is left of it by rounding


@dataclass(frozen=True, eq=False)
class Admittance:
    """How a handle yields: s⁺ = Φ s + Γ F over a period, its place p s and velocity v s."""

    phi: Floats
    gamma: Floats
    place: Floats
    velocity: Floats
    period: float


def immovable(period: float) -> Admittance:
    """A handle that yields to nothing: a virtual wall."""
    return Admittance(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(0), period)


def admittance(
    compiled: Compiled, q: ArrayLike, u: ArrayLike, direction: ArrayLike, period: float, substeps: int = 1,
    hand: str = "", turning: bool = False,
) -> Admittance:  # fmt: skip
    """At a state, in the system's mode, as RK4 makes it of the linear model.

    direction (3,): in the ground's axes; of the force, or of the torque and angular velocity where `turning`. hand: the
    only one, if left out.
    """
    system = compiled.system
    (name,) = hands_of(system, [hand] if hand else [])[:1]
    along = np.asarray(direction, dtype=float)
    size = float(np.linalg.norm(along))
    if along.shape != (3,) or not (np.isfinite(size) and size > 0.0):
        raise ValueError(f"a direction {direction!r}; three numbers, not all zero, are needed")
    along = along / size
    names = push_inputs(name)[3:] if turning else push_inputs(name)[:3]
    linear = linearize(compiled, q, u, by=names)
    # The place by the states; its rate is the velocity, and the force acts on the rates of speeds alone.
    place = along @ _slopes(compiled, q, name, turning) @ linear.steps
    # What the force does not move, or what does not move the handle, has no part in it, grow as it may.
    a, b, p = linear.A, linear.B @ along, place
    basis = reached(a, b)
    a, b, p = basis.T @ a @ basis, basis.T @ b, p @ basis
    basis = reached(a.T, p)
    a, b, p = basis.T @ a @ basis, basis.T @ b, p @ basis
    phi, gamma = rk4(a, b, period / substeps)
    whole, push = np.eye(len(phi)), np.zeros(len(phi))
    for _ in range(substeps):
        whole, push = phi @ whole, phi @ push + gamma
    return Admittance(whole, push, p, p @ a, period)


def reached(a: Floats, b: Floats) -> Floats:
    """An orthonormal basis (n, reached) of b, A b, A² b, …: Arnoldi's method."""
    found: list[Floats] = []
    size, vector = float(np.linalg.norm(b)), b
    for _ in range(len(a)):
        left = vector
        for _ in range(2):  # twice is enough (Kahan)
            for x in found:
                left = left - (x @ left) * x
        if not np.linalg.norm(left) > NOTHING * size:
            break
        found.append(left / np.linalg.norm(left))
        vector = a @ found[-1]
        size = float(np.linalg.norm(vector))
    return np.array(found).reshape(-1, len(a)).T


def rk4(a: Floats, b: Floats, h: float) -> tuple[Floats, Floats]:
    """A step of the classical method for ẋ = A x + b F: the exponential series to the fourth power."""
    n = len(a)
    term, phi, gamma = np.eye(n), np.eye(n), h * np.eye(n)
    for k in range(1, 5):
        term = term @ a * (h / k)
        phi = phi + term
        if k < 4:
            gamma = gamma + term * (h / (k + 1))
    return phi, gamma @ b


def _slopes(compiled: Compiled, q: ArrayLike, hand: str, turning: bool) -> Floats:
    """(3, joint speeds): how the handle goes, or turns, with small steps of the joints."""
    system = compiled.system
    handle = next((x for x in system.handles if x.name == hand), None)
    body = handle.body if handle else hand
    offset = None
    if handle:
        values = {**system.parameters, **compiled.parameters}
        known = {x: values[x.name] for x in system.graph.symbols if x.name in values}
        offset = [float(x) for x in interpret(list(handle.offset), known)]
    rows = compiled.jacobian(body, q, offset, "ground")
    rows = rows[:3] if turning else rows[3:]
    if system.definitions:
        rows = rows @ compiled.speed_relations(q).Y
    found: Floats = rows
    return found


# -- loops ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Environment:
    """x⁺ = A x + B d, F = C x + D d: from the device's place d to the force F on the mechanism."""

    A: Floats
    B: Floats
    C: Floats
    D: float
    period: float

    @property
    def radius(self) -> float:
        """Spectral radius with the device held still."""
        return float(np.abs(np.linalg.eigvals(self.A)).max(initial=0.0))

    def response(self, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """H(z) (z,)."""
        n = len(self.A)
        if not n:
            return np.full(z.shape, complex(self.D))
        matrices = z[:, None, None] * np.eye(n) - self.A
        states = np.linalg.solve(matrices, self.B[:, None].astype(complex))[..., 0]
        found: NDArray[np.complex128] = states @ self.C + self.D
        return found


def environment(handle: Admittance, coupler: Coupler, delay: int = 0) -> Environment:
    """Of a coupler on a handle. delay: in periods, of the force on the device."""
    n, t, k, b = len(handle.phi), handle.period, coupler.stiffness, coupler.damping
    # States: the mechanism's, and the device's place a period before, from which its velocity is found.
    a, into, out = np.zeros((n + 1, n + 1)), np.zeros(n + 1), np.zeros(n + 1)
    out[:n] = -(k * handle.place + b * handle.velocity)
    out[n] = -b / t
    direct = k + b / t
    a[:n, :n] = handle.phi
    a[:n] += np.outer(handle.gamma, out)
    into[:n] = handle.gamma * direct
    into[n] = 1.0
    for _ in range(delay):
        m = len(a)
        wider = np.zeros((m + 1, m + 1))
        wider[:m, :m], wider[m, :m] = a, out
        a, into = wider, np.append(into, direct)
        out, direct = np.append(np.zeros(m), 1.0), 0.0
    return Environment(a, into, out, direct, t)


def closed(seen: Environment, device: Device, hand: Hand) -> Floats:
    """The matrix of a period of all: device and hand, coupler and mechanism."""
    phi, gamma = exact(device, hand, seen.period)
    n = len(seen.A)
    whole = np.zeros((n + 2, n + 2))
    whole[:n, :n] = seen.A
    whole[:n, n] = seen.B
    whole[n:, n:] = phi
    whole[n:, :n] = -np.outer(gamma, seen.C)
    whole[n:, n] -= gamma * seen.D
    return whole
