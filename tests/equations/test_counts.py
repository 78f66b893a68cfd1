"""Exact operation counts of arms in the literature with every datum a symbol: a part of the formulation's contract.

A count that falls is welcome: write it here, and in the change log. One that rises is a mistake.
"""

from __future__ import annotations

import pytest

from jourdain.driver.readouts import READOUTS
from jourdain.equations.choose import derive
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Counts, Node, count
from jourdain.model.system import System

from .arms import PUMA560, RX90, STANFORD, TX40, general_arm, kane_stanford, khalil_arm


def counted(system: System, name: str) -> Counts:
    """Of the formulation that is compiled."""
    row = READOUTS[name]

    def read(mechanics: Mechanics) -> list[Node]:
        return [x for block in row.read(mechanics) for x in block.nodes]

    return count(derive(Mechanics(system, row.start), read, row.changes).outputs)


def test_the_stanford_arm_of_kane_and_levinson() -> None:
    """Appendix 3 (1983): by hand 646 multiplications and 394 additions."""
    system = kane_stanford()
    inverse, forward = counted(system, "inverse_dynamics"), counted(system, "forward_dynamics")
    assert (inverse.mul, inverse.add, inverse.div, inverse.trig) == (127, 85, 0, 4)
    assert (forward.mul, forward.add, forward.div, forward.trig) == (246, 167, 5, 4)


GENERAL = {
    "stanford": (khalil_arm("stanford", STANFORD), (221, 204), (91, 87)),
    "puma560": (khalil_arm("puma560", PUMA560), (253, 235), (141, 126)),
    "rx90": (khalil_arm("rx90", RX90), (241, 223), (116, 105)),
    "tx40": (khalil_arm("tx40", TX40), (248, 230), (131, 117)),
    "general 6R": (general_arm(), (395, 330), (370, 284)),
}


@pytest.mark.parametrize("name", GENERAL)
def test_general_inertias(name: str) -> None:
    system, inverse, mass = GENERAL[name]
    found = counted(system, "inverse_dynamics")
    assert (found.mul, found.add, found.div) == (*inverse, 0)
    found = counted(system, "mass_matrix")
    assert (found.mul, found.add, found.div) == (*mass, 0)
