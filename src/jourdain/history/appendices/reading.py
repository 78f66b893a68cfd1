"""The Stanford arm's own quantities in Kane and Levinson's speeds: what a line of their appendices can mean.

Nothing here comes from the appendices: velocities, accelerations, partial velocities and their rates, inertia torques
and generalized forces are read out of the derivation of `gallery.stanford_arm_kane`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...equations.generalized import Generalized
from ...equations.quantities import Quantities
from ...gallery.stanford_arm_kane import stanford_arm_kane_model
from ...graph import Node, Role, substitute
from ...graph.differentiate import jacobian, jvp

AXES = {"B*": "A", "C*": "C", "D*": "C", "E*": "E", "F*": "E"}  # the axes in which (30) to (43) write each velocity
MOMENTS = ("A", "B", "C", "D", "E", "F")


@dataclass(frozen=True)
class Meaning:
    """A quantity in words, {} being where the number of a partial velocity goes; and as an expression of q and u."""

    words: str
    node: Node

    @property
    def said(self) -> str:
        """In words."""
        return self.words.replace("{}", "")


class Reading:
    """The arm's quantities. Words: ω_1^B·b2 is the component along b2 of the first partial angular velocity of B."""

    def __init__(self) -> None:
        m = stanford_arm_kane_model()
        bodies = {name: m[name] for name in MOMENTS}
        points = {f"{name}*": bodies[name].center for name in MOMENTS} | {"P": bodies["D"].origin}
        for name, body in bodies.items():
            m.output(f"ω{name}", body.omega, axes=body)
            m.output(f"α{name}", body.alpha, axes=body)
            m.output(f"n2{name}", m.ground.y, axes=body)
        for k, axis in enumerate((bodies["C"].x, bodies["C"].y, bodies["C"].z), 1):
            m.output(f"c{k}", axis, axes=bodies["E"])
        for point, axes in [*AXES.items(), ("P", "C"), ("P", "D"), ("P", "E")]:
            place = points[point].position - points["A*"].position
            m.output(f"p{point}{axes}", place, axes=bodies[axes])
            m.output(f"v{point}{axes}", points[point].velocity, axes=bodies[axes])
            m.output(f"a{point}{axes}", points[point].acceleration, axes=bodies[axes])
        system = m.system()
        self.mechanics = Generalized(system)
        quantities = Quantities(self.mechanics.lowered, self.mechanics.joint_rates(self.mechanics.udot))
        self.outputs = dict(zip(system.outputs, quantities.resolved(list(system.expressions.values()))))
        self.clock = quantities.rates()
        self.u, self.udot = self.mechanics.u, self.mechanics.udot
        self.still = dict.fromkeys(self.udot, 0.0)

    # -- components ---------------------------------------------------------------------------------------------

    def component(self, what: str, axes: str, k: int, words: str) -> Meaning:
        """Along the k-th axis of a body."""
        return Meaning(f"{words}·{axes.lower()}{k}", self.outputs[f"{what}.{'xyz'[k - 1]}"])

    def omega(self, body: str, k: int) -> Meaning:
        return self.component(f"ω{body}", body, k, "ω{}^" + body)

    def velocity(self, point: str, k: int, axes: str = "") -> Meaning:
        seen = axes or AXES[point]
        return self.component(f"v{point}{seen}", seen, k, "v{}^" + point)

    def place(self, point: str, k: int, axes: str = "") -> Meaning:
        seen = axes or AXES[point]
        return self.component(f"p{point}{seen}", seen, k, f"p^{point}")

    def upward(self, axes: str, k: int) -> Meaning:
        return self.component(f"n2{axes}", axes, k, "n2")

    def cosine(self, i: int, k: int) -> Meaning:
        """(36)"""
        return self.component(f"c{i}", "E", k, f"c{i}")

    def alpha(self, body: str, k: int) -> Meaning:
        """At u̇ = 0."""
        return self.at_rest(self.component(f"α{body}", body, k, f"α^{body}"))

    def acceleration(self, point: str, k: int) -> Meaning:
        """At u̇ = 0."""
        axes = AXES[point]
        return self.at_rest(self.component(f"a{point}{axes}", axes, k, f"a^{point}"))

    def moment_of_velocity(self, point: str, k: int) -> Meaning:
        """(p × v) of (134)."""
        i, j = k % 3 + 1, (k + 1) % 3 + 1
        pi, pj = (self.place(point, x).node for x in (i, j))
        vi, vj = (self.velocity(point, x).node for x in (i, j))
        return Meaning(f"(p×v)^{point}·{AXES[point].lower()}{k}", pi * vj - pj * vi)

    def torque(self, body: str, k: int) -> Meaning:
        """T* = −I·α − ω × I·ω (79), central principal moments along the body's axes."""
        i, j = k % 3 + 1, (k + 1) % 3 + 1
        own, first, second = (self.parameter(f"{body}{x}") for x in (k, i, j))
        alpha = self.outputs[f"α{body}.{'xyz'[k - 1]}"]
        spin = self.omega(body, i).node * self.omega(body, j).node
        return Meaning(f"T*^{body}·{body.lower()}{k}", (first - second) * spin - own * alpha)

    def parameter(self, name: str) -> Node:
        return self.mechanics.graph.symbol(name, Role.PARAMETER)

    # -- what is made of them -----------------------------------------------------------------------------------

    def partial(self, r: int, of: Meaning) -> Meaning:
        """The coefficient of u_r."""
        return Meaning(of.words.replace("{}", f"_{r}"), jacobian([of.node], [self.u[r - 1]])[0][0])

    def coefficient(self, r: int, of: Meaning) -> Meaning:
        """Of u̇_r."""
        return Meaning(f"coefficient of u̇_{r} in {of.said}", jacobian([of.node], [self.udot[r - 1]])[0][0])

    def rate(self, of: Meaning) -> Meaning:
        """d/dt, of what depends on the coordinates alone."""
        return Meaning(f"d/dt {of.said}", jvp([of.node], self.clock)[0])

    def at_rest(self, of: Meaning) -> Meaning:
        return Meaning(f"{of.said} at u̇ = 0", substitute([of.node], self.still)[0])


@cache
def reading() -> Reading:
    """One derivation for all."""
    return Reading()
