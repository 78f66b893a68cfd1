"""Kane & Levinson's lines as expressions of our graph: what their arrangement costs, and which lines serve what.

The graph keeps what they wrote, so a product that two lines have in common is one node, and a line that nothing uses is
not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jourdain.driver.counting import derivation
from jourdain.equations.generalized import Generalized
from jourdain.gallery import stanford_arm_kane
from jourdain.graph import Graph, Node, Role, cos, sin
from jourdain.graph.differentiate import vjp
from jourdain.graph.parse import parse
from jourdain.graph.substitute import substitute

from . import kane_levinson as paper


@dataclass(frozen=True)
class Written:
    """All lines by name, with the data, the sines s2 … and the cosines c2 … that they use; and their symbols."""

    graph: Graph
    lines: Mapping[str, Node]
    q: Mapping[int, Node]
    u: Mapping[int, Node]
    udot: Mapping[int, Node]

    def sums(self) -> dict[int, Node]:
        """Σ X_rs u̇_s, by row."""
        found = {}
        for r in paper.SPEEDS:
            total = self.graph.zero
            for s in paper.SPEEDS:
                total = total + self.lines[f"X{min(r, s)}{max(r, s)}"] * self.udot[s]
            found[r] = total
        return found

    def efforts(self) -> list[Node]:
        """τ1 … τ5 and σ from q, u and u̇, (118) to (126)."""
        return list(paper.efforts(self.sums(), self.lines).values())

    def equations(self) -> list[Node]:
        """What the simulation needs: q̇1, q̇2, q̇3, the X's, and the right sides of (118) to (123) with no effort."""
        z = self.lines
        rows = [z[f"X{r}{s}"] for r in paper.SPEEDS for s in range(r, 7)]
        none = dict.fromkeys(("tau1", "tau2", "tau3", "tau4", "tau5", "sigma"), self.graph.zero)
        forces = paper.active_forces(z, none)
        return [z["Z1"], z["Z2"], z["Z3"], *rows, *(-k - z[f"Z{181 + r}"] for r, k in zip(paper.SPEEDS, forces))]

    def of_coordinates(self, nodes: Sequence[Node]) -> list[Node]:
        """The same from q, q̇ and q̈, with (5) to (7), (3) and their derivatives put in."""
        graph, q = self.graph, self.q
        v = {k: graph.symbol(f"v{k}", Role.SPEED) for k in paper.SPEEDS}
        a = {k: graph.symbol(f"a{k}", Role.ACCELERATION) for k in paper.SPEEDS}
        s2, c2, s3, c3 = sin(q[2]), cos(q[2]), sin(q[3]), cos(q[3])
        # s2 q̇1 and its rate, which (5) and (7) share.
        across, rate = v[1] * s2, a[1] * s2 + v[1] * (c2 * v[2])
        u = {1: across * s3 + v[2] * c3, 2: v[1] * c2 + v[3], 3: v[2] * s3 - across * c3}
        inward, outward = rate - v[2] * v[3], a[2] + across * v[3]
        udot = {
            1: inward * s3 + outward * c3,
            2: a[1] * c2 - across * v[2] + a[3],
            3: outward * s3 - inward * c3,
        }
        values = {self.u[k]: u.get(k, v[k]) for k in paper.SPEEDS}
        values |= {self.udot[k]: udot.get(k, a[k]) for k in paper.SPEEDS}
        return substitute(nodes, values)

    def alike(self) -> list[tuple[str, ...]]:
        """Lines that are one and the same expression, under several names."""
        names: dict[Node, list[str]] = {}
        for name, _ in paper.LINES:
            if not self.lines[name].is_constant:
                names.setdefault(self.lines[name], []).append(name)
        return [tuple(x) for x in names.values() if len(x) > 1]


def our_efforts() -> list[Node]:
    """The six efforts from q, u and u̇ by our own derivation in the paper's speeds: Yᵀ f, as joints' forces."""
    made = derivation(stanford_arm_kane(), "inverse_dynamics")
    assert isinstance(made.mechanics, Generalized)
    speeds = made.mechanics.map
    return vjp(speeds.definitions, made.outputs, speeds.joint)


def serving(outputs: Iterable[str]) -> set[str]:
    """Names of the lines that some lines are made of, themselves among them."""
    uses = {name: re.findall(r"\b[CZXW]\d+\b", expression) for name, expression in paper.LINES}
    found: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name in uses and name not in found:
            found.add(name)
            waiting += uses[name]
    return found


@cache
def written() -> Written:
    """The lines as they must read."""
    graph = Graph()
    known: dict[str, Node] = {name: graph.symbol(name, Role.PARAMETER) for name in paper.DATA}
    q = {k: graph.symbol(f"q{k}", Role.COORDINATE) for k in paper.SPEEDS}
    u = {k: graph.symbol(f"u{k}", Role.SPEED) for k in paper.SPEEDS}
    udot = {k: graph.symbol(f"u̇{k}", Role.ACCELERATION) for k in paper.SPEEDS}
    for k in paper.SPEEDS:
        known |= {f"q{k}": q[k], f"u{k}": u[k], f"s{k}": sin(q[k]), f"c{k}": cos(q[k])}
    for name, expression in paper.LINES:
        known[name] = parse(expression, known, graph)
    return Written(graph, known, q, u, udot)
