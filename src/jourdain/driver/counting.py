"""Operation counts of a system's dynamics, and what other formulations would have cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..equations.choose import Derivation, derive
from ..equations.constraints import active
from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..graph import Counts, Node, substitute
from ..graph import count as count_nodes
from ..model.mistakes import did_you_mean
from ..model.system import System, must_be_system
from .readouts import MODE_READOUTS, READOUTS, Readout

DYNAMICAL = "dynamical_equations"
"""The speeds' rates under the declared forces alone, as papers print and count them: forward dynamics takes a force to
be added to each speed, which is an addition each."""
COUNTED = ("inverse_dynamics", "forward_dynamics", "mass_matrix", DYNAMICAL)


@dataclass(frozen=True)
class Alternative:
    """One formulation of a read-out that was tried. counts: before common factors and common parts are taken out."""

    quantity: str
    name: str
    counts: Counts
    chosen: bool


def count(system: System, quantities: Sequence[str] = COUNTED) -> dict[str, dict[str, int]]:
    """Operations of one evaluation of each quantity, in the formulation that is compiled; permanent constraints hold.

    A row has "mul", "add", "div", "sqrt", "trig" (sine/cosine pairs), "other", "precompute" (done once per set of
    parameters) and "total" (without precompute).
    """
    return {name: count_nodes(derivation(system, name).outputs).as_dict() for name in quantities}


def alternatives(system: System, quantities: Sequence[str] = COUNTED) -> list[Alternative]:
    """The formulations that were tried for each quantity, the kept ones among them."""
    found = []
    for name in quantities:
        made = derivation(system, name)
        found += [
            Alternative(name, str(trial.formulation), trial.counts, trial.formulation == made.formulation)
            for trial in made.trials
        ]
    return found


def derivation(system: System, quantity: str) -> Derivation:
    """A read-out as it is compiled, as expressions; the permanent constraints hold."""
    must_be_system(system, "counted")
    row = _readout(system, "forward_dynamics" if quantity == DYNAMICAL else quantity)

    def read(mechanics: Mechanics) -> list[Node]:
        nodes = [x for block in row.read(mechanics) for x in block.nodes]
        return substitute(nodes, dict.fromkeys(mechanics.f, 0.0)) if quantity == DYNAMICAL else nodes

    return derive(mechanics_of(system, row.start), read, row.changes)


def _readout(system: System, quantity: str) -> Readout:
    """The row of the function that is called: under permanent constraints another one than without."""
    mode = active(system)
    if mode and quantity in MODE_READOUTS:
        return MODE_READOUTS[quantity](mode)
    if quantity not in READOUTS:
        raise KeyError(f"nothing called {quantity!r} is counted; {did_you_mean(quantity, [*READOUTS, DYNAMICAL])}")
    return READOUTS[quantity]
