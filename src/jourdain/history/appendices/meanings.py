"""What every C, Z, X and W of Kane and Levinson's appendices is, in words and as an expression of ours.

"The Z's have no special physical significance", says the paper; yet each of them is something: a component of a
velocity or acceleration along some axis, a partial velocity, the rate of one, a part of an inertia torque, a
generalized force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ...graph import Node
from ...graph.differentiate import jacobian
from .efforts import SPEEDS
from .reading import AXES, MOMENTS, Meaning, Reading, reading


def meanings() -> dict[str, Meaning]:
    """By name: Z1 … Z196, the nine C's but C21, X11 … X66, W1 … W31."""
    return dict([*_kinematics(), *_accelerations(), *_inertia(), *_generalized_forces(), *_constant_of_motion()])


Named = Iterator[tuple[str, Meaning]]


def _numbered(letter: str, first: int, found: Iterable[Meaning]) -> Named:
    yield from zip((f"{letter}{k}" for k in count(first)), found)


def _kinematics() -> Named:
    """Z1 … Z62 and the C's: (8) to (43)."""
    a = reading()
    for i in (1, 2, 3):
        yield from ((f"C{i}{k}", a.cosine(i, k)) for k in (1, 2, 3) if (i, k) != (2, 1))
    q = {x.name: x for x in a.mechanics.q}
    yield from _numbered("Z", 1, (Meaning(f"q̇_{k}", a.clock[q[f"q{k}"]]) for k in (1, 2, 3)))
    turning = (("A", 2), ("B", 2), ("B", 3))
    yield from _numbered("Z", 4, (a.partial(r, a.omega(b, k)) for b, k in turning for r in (1, 3)))
    yield from _numbered("Z", 10, (a.omega("B", k) for k in (2, 3)))
    yield from _numbered("Z", 12, (a.omega("E", k) for k in (1, 2, 3)))
    yield from _numbered("Z", 15, (a.partial(r, a.omega("F", k)) for k in (1, 3) for r in (2, 3)))
    yield from _numbered("Z", 19, (a.omega("F", k) for k in (1, 2, 3)))
    yield from _numbered("Z", 22, (a.partial(r, a.velocity("B*", 3)) for r in (1, 3)))
    yield "Z24", a.velocity("B*", 3)
    yield from _numbered("Z", 25, (a.partial(r, a.velocity("C*", k)) for k in (1, 2, 3) for r in (1, 3)))
    yield from _numbered("Z", 31, (a.velocity("C*", k) for k in (1, 2, 3)))
    yield from _numbered("Z", 34, (a.partial(r, a.velocity("D*", k)) for k in (1, 3) for r in (1, 3)))
    yield from _numbered("Z", 38, (a.velocity("D*", k) for k in (1, 3)))
    yield from _numbered("Z", 40, (a.partial(r, a.velocity("P", k, "C")) for k in (1, 3) for r in (1, 3)))
    yield from _numbered("Z", 44, (a.partial(r, a.velocity("P", k, "E")) for k in (1, 2, 3) for r in (1, 3)))
    for first, point in ((50, "E*"), (58, "F*")):
        along_1, along_3 = a.velocity(point, 1), a.velocity(point, 3)
        some = (a.partial(2, along_1), a.partial(3, along_1), a.partial(1, along_3))
        yield from _numbered("Z", first, some)
    wrist = a.velocity("E*", 1), a.velocity("E*", 3)
    yield "Z53", _sum(a, wrist[0], (1,))
    yield "Z54", wrist[0]
    yield "Z55", a.velocity("E*", 2)
    yield "Z56", _sum(a, wrist[1], (3, 6))
    yield "Z57", wrist[1]
    yield "Z61", a.velocity("F*", 1)
    yield "Z62", a.velocity("F*", 3)


def _sum(a: Reading, of: Meaning, which: Sequence[int]) -> Meaning:
    """The part of a velocity that some speeds bring."""
    parts = [a.partial(r, of) for r in which]
    node = a.mechanics.graph.zero
    for r, x in zip(which, parts):
        node = node + x.node * a.u[r - 1]
    return Meaning(" + ".join(f"{x.said} u_{r}" for r, x in zip(which, parts)), node)


def _accelerations() -> Named:
    """Z63 … Z136: (48) to (75)."""
    a, z = reading(), dict(_kinematics())
    q = {x.name: x for x in a.mechanics.q}
    vertical, level = a.upward("B", 2), a.upward("B", 3)  # c2 and −s2

    def rates(first: int, names: Sequence[str]) -> Named:
        return _numbered("Z", first, (a.rate(z[x]) for x in names))

    yield from rates(63, ("Z4", "Z5"))
    yield "Z65", Meaning("−d/dt n2·b2", -a.rate(vertical).node)
    yield "Z66", Meaning("−d/dt n2·b3", -a.rate(level).node)
    yield from rates(67, ("Z6", "Z7", "Z8", "Z9"))
    yield "Z71", a.alpha("A", 2)
    yield from _numbered("Z", 72, (a.alpha("B", k) for k in (1, 2, 3)))
    yield from _numbered("Z", 75, (a.alpha("E", k) for k in (2, 3)))
    yield from rates(77, ("Z15", "Z16", "Z17", "Z18"))
    yield from _numbered("Z", 81, (a.alpha("F", k) for k in (1, 2, 3)))
    yield from rates(84, ("C11", "C31", "C22", "C23", "C12", "C13", "C32", "C33"))
    yield from rates(92, ("Z22", "Z23"))
    yield from _numbered("Z", 94, (a.acceleration("B*", k) for k in (1, 3)))
    yield from rates(96, ("Z25", "Z26"))
    yield "Z98", Meaning("−d/dt n2·b3", -a.rate(level).node)
    yield from rates(99, ("Z27", "Z28"))
    yield "Z101", Meaning("−d/dt n2·b2", -a.rate(vertical).node)
    yield "Z102", Meaning("q_6 q̇_3", q["q6"] * a.clock[q["q3"]])
    yield from rates(103, ("Z29", "Z30"))
    yield from _numbered("Z", 105, (a.acceleration("C*", k) for k in (1, 2, 3)))
    yield from rates(108, ("Z34", "Z35", "Z36", "Z37"))
    yield from _numbered("Z", 112, (a.acceleration("D*", k) for k in (1, 2, 3)))
    yield from rates(115, ("Z40", "Z41", "Z42", "Z43"))
    yield from rates(119, ("Z44", "Z45", "Z46", "Z47", "Z48", "Z49"))
    for first, point, around in ((125, "E*", ("Z50", "Z51")), (131, "F*", ("Z58", "Z59"))):
        yield f"Z{first}", _sum(a, a.velocity(point, 3), (4,))
        yield from rates(first + 1, around)
        yield from _numbered("Z", first + 3, (a.acceleration(point, k) for k in (1, 2, 3)))


def _inertia() -> Named:
    """Z137 … Z181: inertia torques (79), their part at u̇ = 0 and the coefficients of u̇."""
    a = reading()
    torque = a.torque("A", 2)
    yield from _numbered("Z", 137, (*(a.coefficient(r, torque) for r in (1, 3)), a.at_rest(torque)))
    for name, i, k in (("Z140", 2, 3), ("Z141", 3, 1), ("Z142", 1, 2)):
        one, other = a.omega("B", i), a.omega("B", k)
        yield name, Meaning(f"({one.said}) ({other.said})", one.node * other.node)
    for first, body in ((143, "B"), (152, "C")):
        for k in (1, 2, 3):
            torque = a.torque(body, k)
            some = (a.at_rest(torque), *(a.coefficient(r, torque) for r in (1, 3)))
            yield from _numbered("Z", first + 3 * (k - 1), some)
    yield from _numbered("Z", 161, (a.at_rest(a.torque("D", k)) for k in (1, 2, 3)))
    places = count(164)
    for body, k, speeds in (("E", 1, ()), ("E", 2, (2, 3)), ("E", 3, (2, 3)),
                            ("F", 1, (1, 2, 3)), ("F", 2, (2, 3)), ("F", 3, (1, 2, 3))):  # fmt: skip
        torque = a.torque(body, k)
        for x in (a.at_rest(torque), *(a.coefficient(r, torque) for r in speeds)):
            yield f"Z{next(places)}", x


def _generalized_forces() -> Named:
    """Z182 … Z196 and the X's: (88), (111) to (116)."""
    a = reading()
    mechanics = a.mechanics
    gravity, bias = mechanics.gravity_forces(), mechanics.bias_forces()
    inertia = (Meaning(f"K*_{r} at u̇ = 0", x - y) for r, x, y in zip(SPEEDS, gravity, bias))
    yield from _numbered("Z", 182, inertia)
    some = (a.upward("D", 1), a.upward("D", 3), a.upward("E", 2), a.upward("E", 3))
    yield "Z188", some[0]
    yield "Z189", Meaning(f"−{some[1].said}", -some[1].node)
    yield "Z190", some[2]
    yield "Z191", some[3]
    weights = [Meaning(f"K_{r} of gravity", -x) for r, x in zip(SPEEDS, gravity)]
    yield from _numbered("Z", 192, (weights[k] for k in (0, 1, 2, 3, 5)))
    rows = jacobian(mechanics.inverse_dynamics(), a.udot)
    for r in SPEEDS:
        for s in SPEEDS:
            yield f"X{r}{s}", Meaning(f"coefficient of u̇_{s} in K*_{r}", -rows[r - 1][s - 1])


def _constant_of_motion() -> Named:
    """W1 … W31: (134) to (138)."""
    a = reading()
    yield from _numbered("W", 1, (a.place("C*", 2), a.place("C*", 3), a.place("D*", 2), a.place("P", 2, "C")))
    yield from _numbered("W", 5, (a.place("P", k, "D") for k in (1, 3)))
    yield from _numbered("W", 7, (a.place("P", k, "E") for k in (2, 3)))
    yield from _numbered("W", 9, (a.place(point, 2) for point in ("E*", "F*")))
    yield from _numbered("W", 11, (a.moment_of_velocity("B*", k) for k in (1, 2)))
    moments = (a.moment_of_velocity(f"{body}*", k) for body in "CDEF" for k in (1, 2, 3))
    yield from _numbered("W", 13, moments)
    yield from _numbered("W", 25, (a.upward("D", k) for k in (1, 3)))
    yield from _numbered("W", 27, (a.upward("E", k) for k in (2, 3)))
    yield from _numbered("W", 29, (a.upward("F", k) for k in (1, 3)))
    yield "W31", Meaning("H·n2", _momentum(a))


def _momentum(a: Reading) -> Node:
    """(134) along n2, in each body's axes."""
    total = a.mechanics.graph.zero
    for body in MOMENTS:
        for k in (1, 2, 3):
            total = total + a.parameter(f"{body}{k}") * a.omega(body, k).node * a.upward(body, k).node
        if body != "A":
            axes = AXES[f"{body}*"]
            for k in (1, 2, 3):
                moment = a.moment_of_velocity(f"{body}*", k).node
                total = total + a.parameter(f"m_{body}") * moment * a.upward(axes, k).node
    return total
