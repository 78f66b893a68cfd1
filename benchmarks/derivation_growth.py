"""How the cost of deriving grows with the number of links, for a chain and for a binary tree of turning joints.

    python benchmarks/derivation_growth.py [--most 320] [--plot growth.png]

Seconds are of processor time, the least of several runs, of deriving alone: from a System to the improved expressions,
nothing compiled.
Nodes are those of the graph when it is done, all trials of formulations included; operations those of one evaluation.
Up to `choose.MANY_LINKS` links several formulations are tried and the cheapest is kept, beyond one is written down: so
times have a step there. The last lines say with which power of n each grows beyond that.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import jourdain as jd
from jourdain.driver.counting import derivation
from jourdain.equations.choose import MANY_LINKS
from jourdain.graph import count
from jourdain.model.system import System

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = (1, 2, 5, 10, 20, 40, 80, 160, 320, 640)
QUANTITIES = ("inverse_dynamics", "forward_dynamics")


def binary_tree(n: int) -> System:
    """n links, two on each; axes x, y, z in turn, full inertias, all data numbers."""
    m = jd.Model(f"tree{n}")
    links = [m.ground]
    for k in range(1, n + 1):
        random = np.random.default_rng([7, k])
        a = 0.02 * random.standard_normal((3, 3))
        second = a @ a.T + 1e-4 * np.eye(3)
        inertia = np.round(np.trace(second) * np.eye(3) - second, 7)
        center = np.round(random.uniform(-0.03, 0.03, 3), 4)
        mass = round(float(random.uniform(0.5, 1.5)), 3)
        link = m.body(f"link{k}", mass=mass, center=center, inertia=jd.tensor(inertia))
        side = 0.05 if k % 2 else -0.05
        m.revolute(f"q{k}", links[k // 2], link, axis="xyz"[k % 3], at=(side, 0, 0.1) if k > 1 else (0, 0, 0))
        links.append(link)
    return m.system()


FAMILIES: dict[str, Callable[[int], System]] = {"chain": jd.gallery.chain, "tree": binary_tree}


@dataclass(frozen=True)
class Figure:
    """What one derivation took."""

    links: int
    seconds: float
    nodes: int
    operations: int


def measured(made: Callable[[int], System], quantity: str, n: int, runs: int) -> Figure:
    """The least time of several runs."""
    system = made(n)
    seconds = float("inf")
    for _ in range(runs):
        start = time.process_time()
        found = derivation(system, quantity)
        seconds = min(seconds, time.process_time() - start)
    return Figure(n, seconds, len(found.mechanics.graph), count(found.outputs).total)


def power(figures: Sequence[Figure], what: str) -> float:
    """The slope of a figure's logarithm over log(n), beyond `MANY_LINKS`."""
    some = [x for x in figures if x.links > MANY_LINKS]
    return float(np.polyfit(np.log([x.links for x in some]), np.log([getattr(x, what) for x in some]), 1)[0])


def plot(curves: dict[str, list[Figure]], axes: Sequence[Axes]) -> None:
    """Seconds and operations over links, on logarithmic scales, with a line of slope 1."""
    for panel, what in zip(axes, ("seconds", "operations")):
        for name, figures in curves.items():
            values = [getattr(x, what) for x in figures]
            panel.loglog([x.links for x in figures], values, "o-", markersize=4, label=name)
        last = min((figures[-1] for figures in curves.values()), key=lambda x: float(getattr(x, what)))
        ends = np.array([last.links / 20, last.links])
        panel.loglog(ends, 0.6 * getattr(last, what) * ends / last.links, "--", color="#8a929a", label="slope 1")
        panel.set_xlabel("links n")
        panel.set_title(f"{what} of one {'derivation' if what == 'seconds' else 'evaluation'}", loc="left")
        panel.grid(visible=True, color="#e9ecef")
        panel.legend(frameon=False)


def main() -> None:
    """Print the table and the powers; draw them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=320, help="links")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    parser.add_argument("--plot", metavar="FILE", help="a picture")
    given = parser.parse_args()
    curves: dict[str, list[Figure]] = {}
    print(f"{'':26}{'links':>6}{'ms':>10}{'ms a link':>11}{'nodes':>10}{'operations':>12}")
    for family, made in FAMILIES.items():
        for quantity in QUANTITIES:
            name = f"{family}, {quantity.replace('_', ' ')}"
            curves[name] = []
            for n in (x for x in SIZES if x <= given.most):
                found = measured(made, quantity, n, given.runs)
                curves[name].append(found)
                ms = 1e3 * found.seconds
                print(f"{name:26}{n:6}{ms:10.1f}{ms / n:11.2f}{found.nodes:10}{found.operations:12}", flush=True)
    if given.most > 2 * MANY_LINKS:
        for name, figures in curves.items():
            grows = (f"{what} as n^{power(figures, what):.2f}" for what in ("seconds", "nodes", "operations"))
            print(f"{name:26}" + ", ".join(grows))
    if given.plot:
        from matplotlib.figure import Figure as Drawing

        drawing = Drawing(figsize=(9.5, 4.2), layout="constrained", facecolor="white")
        plot(curves, list(drawing.subplots(1, 2)))
        drawing.savefig(given.plot, dpi=120)


if __name__ == "__main__":
    main()
