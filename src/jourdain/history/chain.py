"""An open chain by Denavit and Hartenberg's parameters, and its state, as every author of this history writes them.

Frame i is fixed in link i, at its far end; joint i moves along or about axis z of frame i − 1, frame 0 being the
base's. From frame i − 1 to frame i: turn θ about z, d along z, a along the new x, turn α about it. A turning joint's
coordinate is added to θ, a sliding joint's to d. (Uicker 1965, Kahn 1969, Paul 1972.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from .arrays import plus
from .numbers import Numbers, S
from .rotation import pseudo_inertia, second_moments_of_inertia

Triple = tuple[float, float, float]
Rows = tuple[Triple, Triple, Triple]
Values = Sequence[Any] | NDArray[Any]  # one a joint


@dataclass(frozen=True)
class Link:
    """One joint and its link.

    slides: whether the joint is prismatic. theta, alpha [rad], d, a [m]: its four parameters. mass [kg]; center: mass
    centre in the link's frame [m]; inertia: about the mass centre, in the frame's axes [kg m²].
    """

    slides: bool
    theta: float
    d: float
    a: float
    alpha: float
    mass: float
    center: Triple
    inertia: Rows


@dataclass(frozen=True)
class Chain:
    """Links from the base to the tip, and gravity [m/s²] in the base's axes."""

    links: tuple[Link, ...]
    gravity: Triple = (0.0, 0.0, -9.81)

    def __len__(self) -> int:
        return len(self.links)

    def part(self, first: int, last: int) -> Chain:
        """Links first … last − 1, the base being where link first − 1 was."""
        return Chain(self.links[first:last], self.gravity)


@dataclass(frozen=True)
class Moved(Generic[S]):
    """One joint and its link at a moment, as scalars.

    slides: whether the joint is prismatic. a, da, dda: the 4 × 4 matrix A from frame i to frame i − 1 and its first
    two derivatives by the coordinate. rotation: its 3 × 3 part. arm: from origin i − 1 to origin i in axes i [m]; rate,
    acceleration: the coordinate's; mass; center, inertia: as in `Link`.
    """

    slides: bool
    a: list[list[S]]
    da: list[list[S]]
    dda: list[list[S]]
    arm: list[S]
    reach: list[S]
    rate: S
    acceleration: S
    mass: S
    center: list[S]
    inertia: list[list[S]]
    second: list[list[S]]
    first: list[S]
    pseudo: list[list[S]]

    @property
    def rotation(self) -> list[list[S]]:
        """From axes i to axes i − 1."""
        return corner(self.a)

    @property
    def turned_axis(self) -> list[S]:
        """The joint's axis in axes i: the last row of the rotation."""
        return list(self.a[2][:3])


@dataclass(frozen=True)
class Moment(Generic[S]):
    """A chain in a state: every joint and link as scalars; what the scalars are is `numbers`'s matter."""

    data: Sequence[Link]
    numbers: Numbers[S]
    joints: list[Moved[S]]
    gravity: list[S]

    def __len__(self) -> int:
        return len(self.joints)

    def zeros(self, rows: int, columns: int = 0) -> Any:
        """A vector, or a matrix, of known zeros."""
        zero = self.numbers.known(0.0)
        return [[zero] * columns for _ in range(rows)] if columns else [zero] * rows

    def identity(self, size: int) -> list[list[S]]:
        """Known to be the identity."""
        return [[self.numbers.known(float(i == j)) for j in range(size)] for i in range(size)]

    def along(self, length: S) -> list[S]:
        """A vector of this length along z, a joint's axis in the axes of the frame before it."""
        zero = self.numbers.entry(0.0)
        return [zero, zero, length]


def corner(m: Sequence[Sequence[S]]) -> list[list[S]]:
    """The 3 × 3 part of a 4 × 4 matrix."""
    return [list(row[:3]) for row in m[:3]]


def at(chain: Chain, numbers: Numbers[S], q: Values, rates: Values, accelerations: Values) -> Moment[S]:
    """The chain at coordinates q, their rates and accelerations (n each).

    Sines, cosines and the six products that make a joint's matrix of them are not counted: they are the same for all.
    """
    given = {"q": q, "rates": rates, "accelerations": accelerations}
    for name, values in given.items():
        if len(values) != len(chain):
            raise ValueError(f"{len(values)} {name} for a chain of {len(chain)} joints; give one for each joint")
    joints = [_moved(*x, numbers) for x in zip(chain.links, q, rates, accelerations)]
    return Moment(chain.links, numbers, joints, [numbers.number(x) for x in chain.gravity])


def _moved(link: Link, q: Any, rate: Any, acceleration: Any, numbers: Numbers[S]) -> Moved[S]:
    theta, d = (link.theta, link.d + q) if link.slides else (link.theta + q, link.d)
    c, s = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(link.alpha), np.sin(link.alpha)
    n, o = numbers.number, numbers.entry(0.0)
    one = numbers.entry(1.0)
    x = [n(c), n(-s * ca), n(s * sa), n(link.a * c)]
    y = [n(s), n(c * ca), n(-c * sa), n(link.a * s)]
    a = [x, y, [o, n(sa), n(ca), n(d)], [o, o, o, one]]
    still = [o, o, o, o]
    if link.slides:
        da, dda = [still, still, [o, o, o, one], still], [still] * 4
    else:
        da = [[-e for e in y], x, still, still]
        dda = [[-e for e in x], [-e for e in y], still, still]
    arm = [link.a, d * sa, d * ca]
    pseudo = pseudo_inertia(link.mass, link.center, second_moments_of_inertia(link.inertia, 0.5))

    def vector(values: Sequence[Any]) -> list[S]:
        return [n(e) for e in values]

    def matrix(rows: Sequence[Sequence[Any]]) -> list[list[S]]:
        return [vector(row) for row in rows]

    return Moved(
        link.slides, a, da, dda, vector(arm), vector(plus(arm, link.center)), n(rate), n(acceleration), n(link.mass),
        vector(link.center), matrix(link.inertia), matrix(corner(pseudo)), vector(pseudo[3][:3]), matrix(pseudo),
    )  # fmt: skip


def random_chain(n: int, seed: int = 1981, slides: Sequence[bool] = ()) -> Chain:
    """A chain of n joints with no zero among its data; slides: which joints are prismatic, none if it is not given."""
    if n < 1:
        raise ValueError(f"a chain of {n} joints; give a number from 1")
    if slides and len(slides) != n:
        raise ValueError(f"{len(slides)} kinds of joints for a chain of {n}; give one for each joint, or none")
    return Chain(tuple(_random_link(seed, i, bool(slides) and slides[i]) for i in range(n)), (1.3, -2.1, -9.2))


def _random_link(seed: int, i: int, slides: bool) -> Link:
    """With an inertia that a body can have: second moments b bᵀ + ε belong to some distribution of mass."""
    random = np.random.default_rng([seed, i])
    theta, alpha = random.uniform(-1.5, 1.5, 2).tolist()
    d, a = random.uniform(0.1, 0.5, 2).tolist()
    mass = float(random.uniform(0.5, 2.0))
    b = 0.2 * random.standard_normal((3, 3))
    second = mass * (b @ b.T + 1e-2 * np.eye(3))
    x, y, z = (np.trace(second) * np.eye(3) - second).tolist()
    inertia = (_triple(x), (x[1], y[1], y[2]), (x[2], y[2], z[2]))
    return Link(slides, theta, d, a, alpha, mass, _triple(random.uniform(-0.3, 0.3, 3).tolist()), inertia)


def _triple(values: Sequence[float]) -> Triple:
    x, y, z = values
    return x, y, z
