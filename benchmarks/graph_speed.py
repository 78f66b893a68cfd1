"""How fast the graph is built: new nodes a second, and look-ups of expressions that exist already.

Run it: python benchmarks/graph_speed.py
"""

from __future__ import annotations

import time

from jourdain.graph import Graph, Node, Role, cos, sin
from jourdain.graph.pause import collector_paused

PAIRS = 300


def symbols(graph: Graph) -> tuple[list[Node], list[Node]]:
    """Sines and cosines of coordinates, and parameters."""
    angles = [graph.symbol(f"q{i}", Role.COORDINATE) for i in range(PAIRS)]
    return [f(x) for x in angles for f in (sin, cos)], [graph.symbol(f"L{i}", Role.PARAMETER) for i in range(PAIRS)]


def build(trig: list[Node], lengths: list[Node]) -> int:
    """Products, sums and differences as a kinematic sweep makes them; answers how many operations were asked for."""
    asked = 0
    for a, length in zip(trig, lengths):
        for b in trig:
            _ = length * (a * b) - b * (a + b)
            asked += 5
    return asked


def created() -> tuple[float, float]:
    """New nodes a second, and look-ups a second when the same is asked for again."""
    graph = Graph()
    trig, lengths = symbols(graph)
    before, start = len(graph), time.perf_counter()
    asked = build(trig, lengths)
    new = (len(graph) - before) / (time.perf_counter() - start)
    start = time.perf_counter()
    build(trig, lengths)
    return new, asked / (time.perf_counter() - start)


def main() -> None:
    """Print the rates, the best of three."""
    new, paused, again = 0.0, 0.0, 0.0
    for _ in range(3):
        rate, looked_up = created()
        new = max(new, rate)
        again = max(again, looked_up)
        with collector_paused():
            paused = max(paused, created()[0])
    print(f"{new:12,.0f} new nodes/s")
    print(f"{paused:12,.0f} new nodes/s with the garbage collector paused, as derivations build")
    print(f"{again:12,.0f} look-ups/s")


if __name__ == "__main__":
    main()
