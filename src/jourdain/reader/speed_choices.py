"""`compare_speeds`: a system in several sets of generalized speeds, their operations side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..console import table
from ..driver.choices import SIMULATED, SpeedChoice, cheapest, priced
from ..model.mistakes import did_you_mean
from ..model.system import System, must_be_system

COMPARED = (*SIMULATED, "inverse_dynamics", "mass_matrix")


@dataclass(frozen=True, repr=False)
class SpeedChoices:
    """Sets of speeds side by side; prints as a table."""

    choices: tuple[SpeedChoice, ...]

    @property
    def cheapest(self) -> SpeedChoice:
        """The one whose rates and forward dynamics together take least."""
        return cheapest(self.choices)

    def __getitem__(self, name: str) -> SpeedChoice:
        found = {x.name: x for x in self.choices}
        if name not in found:
            raise KeyError(f"there is no choice of speeds {name!r}; {did_you_mean(name, found)}")
        return found[name]

    def text(self) -> str:
        """Operations in all, of each quantity; ● marks the cheapest for simulation."""
        best = self.cheapest
        quantities = list(best.counts)
        rows = [
            ["●" if x is best else "", x.name, *(str(x.counts[quantity]["total"]) for quantity in quantities)]
            for x in self.choices
        ]
        return table(["", "speeds", *(x.replace("_", " ") for x in quantities)], rows)

    def __repr__(self) -> str:
        return self.text()


def compare_speeds(system: System, quantities: Sequence[str] = COMPARED) -> SpeedChoices:
    """The operations of a system in its own speeds, in the joints', in body-fixed components, and in diagonal speeds.

    quantities: read-outs to be counted beside rates and forward dynamics, by which the cheapest is found.
    """
    must_be_system(system, "counted")
    return SpeedChoices(tuple(priced(system, quantities, diagonal=True)))
