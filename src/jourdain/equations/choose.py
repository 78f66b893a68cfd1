"""The cheapest way to write a read-out: formulations are tried one change at a time, counted, and the best is kept.

A change never alters a value beyond rounding. What is tried depends on the read-out and on the mechanism: summed
angles only where axes are parallel, turned last links only where that does something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..graph import Counts, Node, count
from ..graph.improve import improve
from ..graph.pause import collector_paused
from ..graph.static_factors import gather_static
from .factor import elimination_operations
from .formulation import Formulation
from .inverse import CROSSES
from .leaves import turns_leaves
from .mechanics import Mechanics
from .turnings import summed
from .wheels import has_wheels

# What an operation costs beside a multiplication, which takes one: a division or a square root keeps its unit busy for
# several, and a sine and a cosine together are some twenty of ours.
DIVISION = 5
ANGLE = 16
# Above this many links what is there is kept: trying others would cost more time than it saves.
MANY_LINKS = 40

Read = Callable[[Mechanics], Sequence[Node]]


def price(counts: Counts) -> int:
    """Operations weighed by what they cost to run."""
    return counts.mul + counts.add + counts.other + DIVISION * (counts.div + counts.sqrt) + ANGLE * counts.trig


# -- what can be changed ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """One way in which a formulation can differ.

    worth: whether it can do any good to these equations, whose price so far is given.
    """

    made: Callable[[Formulation], Formulation]
    worth: Callable[[Mechanics, int], bool]


def _few(mechanics: Mechanics) -> bool:
    return len(mechanics.standard.links) <= MANY_LINKS


def _free(mechanics: Mechanics) -> bool:
    """Whether the recursions run over the bare tree; substituted speeds keep frames and angles as the user has them."""
    return not mechanics.system.definitions or mechanics.formulation.recombined


TURN_LEAVES = Change(
    lambda best: replace(best, leaves_turned=True),
    lambda mechanics, _: _few(mechanics) and _free(mechanics) and turns_leaves(mechanics.grouped),
)
SUM_ANGLES = Change(
    lambda best: replace(best, sums=True),
    lambda mechanics, _: _few(mechanics) and _free(mechanics) and bool(summed(mechanics.standard)),
)
CROSS_PRODUCTS = Change(
    lambda best: replace(best, algebra=CROSSES),
    lambda mechanics, _: _few(mechanics) and not mechanics.formulation.articulated,  # articulated bodies have no choice
)
# Elimination of a long chain's mass matrix grows with the cube of its length: its exact cost is known beforehand.
ELIMINATE = Change(
    lambda best: replace(best, articulated=False),
    lambda mechanics, price: mechanics.formulation.articulated and elimination_operations(mechanics.standard) < price,
)
# Where a body's own measure numbers are the speeds, inertia that is moved to its carrier only makes work there.
OWN_PARAMETERS = Change(
    lambda best: replace(best, grouped=False),
    lambda mechanics, _: _few(mechanics) and bool(mechanics.system.definitions),
)
STILL_WHEELS = Change(
    lambda best: replace(best, still=True),
    lambda mechanics, _: _few(mechanics) and has_wheels(mechanics.grouped),
)
# Only tried where there are constraints to embed, and only where no divisor can vanish (`reduced`).
EMBED = Change(
    lambda best: replace(best, embedded=True),
    lambda mechanics, _: _few(mechanics),
)
# Where constraints are embedded every velocity holds all speeds: the bare tree's recursions are shorter.
RECOMBINE = Change(
    lambda best: replace(best, recombined=True, still=False, grouped=True),
    lambda mechanics, _: _few(mechanics) and bool(mechanics.system.definitions),
)


# -- choosing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """One formulation and what it takes, before `improve`."""

    formulation: Formulation
    counts: Counts


@dataclass(frozen=True)
class Derivation:
    """A read-out in the cheapest formulation that was found, improved; and all that were tried, in order."""

    mechanics: Mechanics
    outputs: list[Node]
    trials: tuple[Trial, ...]

    @property
    def formulation(self) -> Formulation:
        """The one that was kept."""
        return self.mechanics.formulation


def derive(mechanics: Mechanics, read: Read, changes: Sequence[Change] = ()) -> Derivation:
    """A read-out's expressions, beginning with the formulation of `mechanics` and trying each change on the best."""
    with collector_paused():
        outputs = list(read(mechanics))
        counts = count(outputs)
        best, lowest = outputs, price(counts)
        trials = [Trial(mechanics.formulation, counts)]
        for change in changes if mechanics.has_choice else ():
            if not change.worth(mechanics, lowest):
                continue
            other = mechanics.written(change.made(mechanics.formulation))
            outputs = list(read(other))
            counts = count(outputs)
            trials.append(Trial(other.formulation, counts))
            if price(counts) < lowest:
                mechanics, best, lowest = other, outputs, price(counts)
        return Derivation(mechanics, _improved(best, mechanics), tuple(trials))


def _improved(outputs: list[Node], mechanics: Mechanics) -> list[Node]:
    """With common parts taken out; of a body's own measure numbers also with static factors gathered first, where that
    saves more: masses and gravity meet there, for no chain of joints stands between them."""
    plain = improve(outputs)
    if not mechanics.system.definitions or not _few(mechanics):
        return plain
    other = improve(gather_static(outputs))
    return other if price(count(other)) < price(count(plain)) else plain
