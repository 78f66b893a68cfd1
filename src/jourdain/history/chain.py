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

from .numbers import Numbers, S

Triple = tuple[float, float, float]
Rows = tuple[Triple, Triple, Triple]


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
    rate: S
    acceleration: S
    mass: S
    center: list[S]
    inertia: list[list[S]]
    datum: Link

    @property
    def rotation(self) -> list[list[S]]:
        """From axes i to axes i − 1."""
        return corner(self.a)


def corner(m: Sequence[Sequence[S]]) -> list[list[S]]:
    """The 3 × 3 part of a 4 × 4 matrix."""
    return [list(row[:3]) for row in m[:3]]


@dataclass(frozen=True)
class Moment(Generic[S]):
    """A chain in a state: every joint and link as scalars; what the scalars are is `numbers`'s matter."""

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

    def axis(self) -> list[S]:
        """z, the joint's axis in the axes of the frame that it belongs to."""
        return [self.numbers.entry(x) for x in (0.0, 0.0, 1.0)]


def at(
    chain: Chain, numbers: Numbers[S], q: Sequence[Any], rates: Sequence[Any], accelerations: Sequence[Any]
) -> Moment[S]:
    """The chain at coordinates q, their rates and accelerations (n each).

    Sines, cosines and the six products that make a joint's matrix of them are not counted: they are the same for all.
    """
    given = {"q": q, "rates": rates, "accelerations": accelerations}
    for name, values in given.items():
        if len(values) != len(chain):
            raise ValueError(f"{len(values)} {name} for a chain of {len(chain)} joints; give one for each joint")
    joints = [_moved(*x, numbers) for x in zip(chain.links, q, rates, accelerations)]
    return Moment(numbers, joints, [numbers.number(x) for x in chain.gravity])


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
    return Moved(
        link.slides, a, da, dda, [n(link.a), n(d * sa), n(d * ca)], n(rate), n(acceleration),
        n(link.mass), [n(e) for e in link.center], [[n(e) for e in row] for row in link.inertia], link,
    )  # fmt: skip


def random_chain(n: int, seed: int = 1981, slides: Sequence[bool] = ()) -> Chain:
    """A chain of n joints with no zero among its data; slides: which joints are prismatic, none if it is not given."""
    if n < 1:
        raise ValueError(f"a chain of {n} joints; give a number from 1")
    return Chain(tuple(_random_link(seed, i, bool(slides) and slides[i]) for i in range(n)), (1.3, -2.1, -9.2))


def _random_link(seed: int, i: int, slides: bool) -> Link:
    """Of an inertia that a body can have: second moments a aᵀ + ε of some distribution of mass."""
    random = np.random.default_rng([seed, i])
    theta, alpha = random.uniform(-1.5, 1.5, 2)
    d, a = random.uniform(0.1, 0.5, 2)
    mass = random.uniform(0.5, 2.0)
    b = 0.2 * random.standard_normal((3, 3))
    second = b @ b.T + 1e-2 * np.eye(3)
    inertia = mass * (np.trace(second) * np.eye(3) - second)
    center = random.uniform(-0.3, 0.3, 3)
    rows = tuple(tuple(float(x) for x in row) for row in (inertia + inertia.T) / 2)
    return Link(slides, *map(float, (theta, d, a, alpha, mass)), tuple(map(float, center)), rows)  # type: ignore[arg-type]
