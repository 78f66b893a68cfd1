"""Serial arms by Khalil and Kleinfinger's parameters (1986): every inertia general, every datum a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi

from ..model.inertias import tensor
from ..model.model import Model
from ..model.system import System

Triple = tuple[float, float, float]
GRAVITY = 9.81  # m/s²


@dataclass(frozen=True)
class Link:
    """One turning joint and its link.

    quarters: α, the turn about the former x from the former axis to this one, in quarter turns; d along that x and r
    along this z: names of lengths, or None where they are zero by construction. mass [kg]; center: mass centre in the
    link's frame [m]; moments (xx, yy, zz) and products (xy, xz, yz): about it, in the frame's axes [kg m²], products
    being entries of the matrix. meant: values that no physical body has are the published ones.
    """

    quarters: int
    d: str | None
    r: str | None
    mass: float
    center: Triple
    moments: Triple
    products: Triple = (0.0, 0.0, 0.0)
    meant: bool = False


def arm(name: str, lengths: Mapping[str, float], links: Sequence[Link]) -> System:
    """Joints q1, q2, … and bodies link1, link2, …; the first axis is the ground's z, which is up.

    Parameters: the lengths, then for link k its m, c_x, c_y, c_z, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz, each followed by
    k, and g.
    """
    m = Model(name)
    distance = {key: m.parameter(key, value) for key, value in lengths.items()}
    parent = m.ground
    for k, link in enumerate(links, 1):
        d = distance[link.d] if link.d else 0.0
        r = distance[link.r] if link.r else 0.0
        cosine, sine = _quarter(link.quarters), _quarter(link.quarters - 1)
        body = _body(m, k, link)
        place = (d, -sine * r, cosine * r)
        m.revolute(f"q{k}", parent, body, axis="z", at=place, rotation=[("x", link.quarters * pi / 2)])
        parent = body
    m.gravity = (0, 0, -m.parameter("g", GRAVITY))
    return m.system()


def _body(m: Model, k: int, link: Link):  # type: ignore[no-untyped-def]
    def symbol(label: str, value: float):  # type: ignore[no-untyped-def]
        return m.parameter(f"{label}{k}", value)

    mass = symbol("m", link.mass)
    center = [symbol(f"c_{axis}", x) for axis, x in zip("xyz", link.center)]
    moments = [symbol(f"I_{axis}{axis}", x) for axis, x in zip("xyz", link.moments)]
    products = [symbol(f"I_{axes}", x) for axes, x in zip(("xy", "xz", "yz"), link.products)]
    inertia = tensor([*moments, *products])
    return m.body(f"link{k}", mass=mass, center=center, inertia=inertia.as_meant() if link.meant else inertia)


def _quarter(quarters: int) -> int:
    """The cosine of a number of quarter turns."""
    return (1, 0, -1, 0)[quarters % 4]
