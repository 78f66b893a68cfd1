"""Kane and Levinson's lines as expressions of our graph: their values, what they cost, and which lines serve what.

The graph keeps what they wrote, so a product that two lines have in common is one node, and a line that nothing uses is
not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...graph import Graph, Node, Role, cos, interpret, sin
from ...graph.parse import parse
from ...graph.substitute import substitute
from .efforts import SPEEDS, Values, active_forces, efforts, speed_rates, speeds
from .lines import DATA, ERRATA, LINES


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
        for r in SPEEDS:
            total = self.graph.zero
            for s in SPEEDS:
                total = total + self.lines[f"X{min(r, s)}{max(r, s)}"] * self.udot[s]
            found[r] = total
        return found

    def efforts(self) -> list[Node]:
        """τ1 … τ5 and σ from q, u and u̇, (118) to (126)."""
        return list(efforts(self.sums(), self.lines).values())

    def equations(self) -> list[Node]:
        """What the simulation needs: q̇1, q̇2, q̇3, the X's, and the right sides of (118) to (123) with no effort."""
        z = self.lines
        rows = [z[f"X{r}{s}"] for r in SPEEDS for s in range(r, 7)]
        none = dict.fromkeys(("tau1", "tau2", "tau3", "tau4", "tau5", "sigma"), self.graph.zero)
        forces = active_forces(z, none)
        return [z["Z1"], z["Z2"], z["Z3"], *rows, *(-k - z[f"Z{181 + r}"] for r, k in zip(SPEEDS, forces))]

    def of_coordinates(self, nodes: Sequence[Node]) -> list[Node]:
        """The same from q, q̇ and q̈, with (5) to (7), (3) and their derivatives put in."""
        graph, q = self.graph, self.q
        v = {k: graph.symbol(f"v{k}", Role.SPEED) for k in SPEEDS}
        a = {k: graph.symbol(f"a{k}", Role.ACCELERATION) for k in SPEEDS}
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
        values = {self.u[k]: u.get(k, v[k]) for k in SPEEDS}
        values |= {self.udot[k]: udot.get(k, a[k]) for k in SPEEDS}
        return substitute(nodes, values)

    def alike(self) -> list[tuple[str, ...]]:
        """Lines that are one and the same expression, under several names."""
        names: dict[Node, list[str]] = {}
        for name, _ in LINES:
            if not self.lines[name].is_constant:
                names.setdefault(self.lines[name], []).append(name)
        return [tuple(x) for x in names.values() if len(x) > 1]


def serving(outputs: Iterable[str]) -> set[str]:
    """Names of the lines that some lines are made of, themselves among them."""
    uses = {name: re.findall(r"\b[CZXW]\d+\b", expression) for name, expression in LINES}
    found: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name in uses and name not in found:
            found.add(name)
            waiting += uses[name]
    return found


@cache
def written(*replaced: tuple[str, str]) -> Written:
    """The lines as they must read; replaced: lines to be written otherwise, by name."""
    graph = Graph()
    known: dict[str, Node] = {name: graph.symbol(name, Role.PARAMETER) for name in DATA}
    q = {k: graph.symbol(f"q{k}", Role.COORDINATE) for k in SPEEDS}
    u = {k: graph.symbol(f"u{k}", Role.SPEED) for k in SPEEDS}
    udot = {k: graph.symbol(f"u̇{k}", Role.ACCELERATION) for k in SPEEDS}
    for k in SPEEDS:
        known |= {f"q{k}": q[k], f"u{k}": u[k], f"s{k}": sin(q[k]), f"c{k}": cos(q[k])}
    otherwise = dict(replaced)
    for name, expression in LINES:
        known[name] = parse(otherwise.get(name, expression), known, graph)
    return Written(graph, known, q, u, udot)


def evaluate(q: Values, u: Values, printed: str = "", data: Mapping[str, float] = DATA) -> dict[str, Any]:
    """All data, C's, Z's, X's and W's at coordinates q[1] … q[6] and speeds u[1] … u[6], numbers or arrays of them.

    printed: an erratum left as it is printed. data: other values than appendix 3's.
    """
    return evaluated(written(*((printed, ERRATA[printed]),) if printed else ()), q, u, data)


def evaluated(lines: Written, q: Values, u: Values, data: Mapping[str, float] = DATA) -> dict[str, Any]:
    """The same of lines that may be written otherwise."""
    values: dict[Node, Any] = {lines.lines[name]: value for name, value in data.items()}
    values |= {lines.q[k]: q[k] for k in SPEEDS} | {lines.u[k]: u[k] for k in SPEEDS}
    found: dict[str, Any] = dict(zip(lines.lines, interpret(list(lines.lines.values()), values)))
    for r in SPEEDS:
        for s in range(1, r):
            found[f"X{r}{s}"] = found[f"X{s}{r}"]
    return found


def actuation(q: Values, v: Values, a: Values, printed: str = "") -> dict[str, Any]:
    """τ1 … τ5 and σ that make the motion q, q̇ = v, q̈ = a: (118) to (126)."""
    udot = speed_rates(q, v, a)
    z = evaluate(q, speeds(q, v), printed)
    return efforts({r: sum(z[f"X{r}{s}"] * udot[s] for s in SPEEDS) for r in SPEEDS}, z)
