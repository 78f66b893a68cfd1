"""Listings: intermediate quantities first, each on its line, in an order of evaluation."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import Graph, Node, Role, cos, interpret, reachable, sin, sqrt
from jourdain.graph.listing import LONGEST_LINE, Listing, listing
from jourdain.graph.operations import LEAVES, NEG
from jourdain.graph.parse import parse

from .latex_check import check_latex
from .random_graphs import RandomGraph, graphs, random_values

G = Graph()
Q1, Q2, X = (G.symbol(name, Role.COORDINATE) for name in ("q1", "q2", "x"))
U1 = G.symbol("u1", Role.SPEED)
M, L1, IA2 = (G.symbol(name, Role.PARAMETER) for name in ("m", "L1", "IA2"))
E = (M * L1 * L1 + IA2) * U1 * U1 * sin(Q1) * cos(Q1) + (M * L1 * L1 + IA2) * cos(Q1 + Q2)
F = cos(Q1 + Q2) * sin(Q1) - X * E

GOLDEN_TEXT = """\
P₁ = IA2 + m*L1**2

s₁ = sin(q1)
c₁ = cos(q1)
Z₁ = cos(q1 + q2)
Z₂ = P₁*u1**2*s₁*c₁ + P₁*Z₁
Z₃ = s₁*Z₁ - x*Z₂

tau1 = Z₂
tau2 = Z₃
P = Z₂*Z₃"""

GOLDEN_LATEX = r"""\begin{aligned}
P_{1} &= I_{A2} + m \, {L_{1}}^{2} \\
s_{1} &= \sin q_{1} \\
c_{1} &= \cos q_{1} \\
Z_{1} &= \cos\left(q_{1} + q_{2}\right) \\
Z_{2} &= P_{1} \, {u_{1}}^{2} \, s_{1} \, c_{1} + P_{1} \, Z_{1} \\
Z_{3} &= s_{1} \, Z_{1} - x \, Z_{2} \\
\tau_{1} &= Z_{2} \\
\tau_{2} &= Z_{3} \\
P &= Z_{2} \, Z_{3}
\end{aligned}"""


def test_golden() -> None:
    made = listing({"tau": [E, F], "P": E * F})
    assert made.text() == str(made) == GOLDEN_TEXT
    assert made.latex() == GOLDEN_LATEX
    assert made._repr_latex_() == f"$\\displaystyle {GOLDEN_LATEX}$"
    check_latex(GOLDEN_LATEX.replace("&=", "="))


def test_a_minus_is_no_line_of_its_own() -> None:
    product = X * Q2
    made = listing([product, -product, Q1])
    assert made.text() == "Z₁ = q2*x\n\nout1 = Z₁\nout2 = -Z₁\nout3 = q1"


def test_results_alone() -> None:
    assert listing({"r": X}).text() == "r = x"
    assert listing({}).text() == ""
    assert listing([]).lines == ()


def test_letters_avoid_the_model_s_own_names() -> None:
    graph = Graph()
    z1 = graph.symbol("Z1", Role.COORDINATE)
    p1, m = (graph.symbol(name, Role.PARAMETER) for name in ("P1", "m"))
    root = sqrt(z1 + 1)
    made = listing({"Y1": root * (m * p1), "b": root})
    assert [line.name for line in made.once] == ["K1"]
    assert [line.name for line in made.steps] == ["W1"]


def test_sines_and_cosines_keep_apart() -> None:
    """s1 where one coordinate has the number 1; two that have it, or a symbol named s1, get ordinary lines."""
    graph = Graph()
    q1, a1 = graph.symbol("q1", Role.COORDINATE), graph.symbol("alpha1", Role.COORDINATE)
    base = graph.symbol("base.q2", Role.COORDINATE)
    assert [line.name for line in listing([sin(q1) * 2, cos(q1)]).steps] == ["s1", "c1"]
    assert listing([sin(q1) * sin(a1)]).steps == ()
    assert listing([sin(base) * 2]).steps == ()
    s1 = graph.symbol("s1", Role.INPUT)
    assert listing([sin(q1) * s1]).steps == ()


def test_long_lines_are_cut() -> None:
    total = X
    for i in range(100):
        total = total + Q1 * (Q2 + (i + 0.5))
    made = listing([total])
    assert len(made.steps) > 5
    known = {line.node for line in made.steps}
    for line in made.steps:
        assert _operations(line.node, known) <= 2 * LONGEST_LINE + 1


def _operations(node: Node, known: set[Node]) -> int:
    total, stack = 0, [node]
    while stack:
        inner = stack.pop()
        if inner is node or inner not in known:
            total += inner.op not in LEAVES and inner.op is not NEG
            stack.extend(inner.args)
    return total


def _evaluated(made: Listing, symbols: list[Node], graph: Graph) -> dict[str, Node]:
    """The lines read as a person would, from top to bottom."""
    known = {x.name: x for x in symbols}
    for row in made.text().splitlines():
        if row:
            name, _, right = row.partition(" = ")
            assert name not in known, f"{name} is defined twice"
            known[name] = parse(right, known, graph)
    return known


@settings(max_examples=60, deadline=None)
@given(graphs(70), st.integers(0, 1000))
def test_a_listing_can_be_worked_through(sample: RandomGraph, seed: int) -> None:
    graph, symbols, outputs = sample
    made = listing({"y": outputs})
    check_latex(made.latex())
    assert all(line.node.is_static for line in made.once)
    assert not any(line.node.is_static for line in made.steps)
    known = _evaluated(made, symbols, graph)
    found = [known[f"y{i}"] for i in range(1, len(outputs) + 1)]
    values = random_values(symbols, seed, 3)
    for a, b in zip(interpret(found, values), interpret(outputs, values)):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(graphs(70))
def test_what_is_used_twice_has_a_line(sample: RandomGraph) -> None:
    made = listing({"y": sample.outputs})
    named = {line.node for line in made.once + made.steps}
    users: dict[Node, set[Node]] = {}
    for node in reachable(sample.outputs):
        for x in node.args:
            x = x.args[0] if x.op is NEG else x
            if node.op is not NEG:
                users.setdefault(x, set()).add(node)
    for node, by in users.items():
        if len(by) > 1 and node.op not in LEAVES:
            assert node in named
