"""Silver's history, running: a chain's inverse dynamics as each author wrote it, and what it costs.

Uicker and Kahn (1965, 1969), Luh, Walker and Paul (1979), Hollerbach (1980), Silver (1981), Walker and Orin (1982),
Kane (1983) and ours, each in a file of `authors`, over any scalar: with floats they give the same torques, with
counting numbers (`counted`) what they execute. W. M. Silver, "On the representation of angular velocity and its effect
on the efficiency of manipulator dynamics computation" (1981), argues from these counts.

    from jourdain import history

    print(history.table(6))
    history.plot().figure.savefig("growth.png")
"""

from .chain import Chain, Link, at, random_chain
from .counted import Counted, Ledger
from .counting import Growth, Row, Tally, counts, grown, growth
from .methods import METHODS, Method
from .numbers import COMPLEX, FLOATS, Counting
from .polynomial import Polynomial
from .published import KANE_LEVINSON, KANE_LEVINSON_EXECUTED, Published
from .tables import plot, table, table_by_joints, table_of_growth

__all__ = [
    "COMPLEX", "FLOATS", "KANE_LEVINSON", "KANE_LEVINSON_EXECUTED", "METHODS", "Chain", "Counted", "Counting", "Growth",
    "Ledger", "Link", "Method", "Polynomial", "Published", "Row", "Tally", "at", "counts", "grown", "growth", "plot",
    "random_chain", "table", "table_by_joints", "table_of_growth",
]  # fmt: skip
