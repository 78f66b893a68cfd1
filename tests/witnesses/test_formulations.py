"""Pinocchio on every way in which the equations are written: the answers do not depend on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jourdain.equations.formulation import Formulation
from jourdain.equations.inverse import CROSSES

from ..equations.systems import Traits, random_system
from .pinocchio_answers import formulation_agrees

PLAIN = Formulation()
ONE_CHANGED = [
    PLAIN, replace(PLAIN, settled=False), replace(PLAIN, leaves_turned=True), replace(PLAIN, grouped=False),
    replace(PLAIN, algebra=CROSSES), replace(PLAIN, sums=True), replace(PLAIN, articulated=True),
]  # fmt: skip
ALL_CHANGED = Formulation(False, True, False, CROSSES, True, True)
SEVERAL_CHANGED = [
    ALL_CHANGED, replace(ALL_CHANGED, settled=True), replace(ALL_CHANGED, grouped=True),
    replace(ALL_CHANGED, settled=True, grouped=True), replace(ALL_CHANGED, articulated=False),
]  # fmt: skip
FORMULATIONS = {str(x): x for x in (*ONE_CHANGED, *SEVERAL_CHANGED)}


@pytest.mark.parametrize("formulation", FORMULATIONS.values(), ids=FORMULATIONS)
def test_formulations(formulation: Formulation) -> None:
    """On trees with many parallel axes, so that sums of angles and turned last links have something to do."""
    for seed in range(10):
        traits = Traits(symbolic=seed % 2 == 0, floating=seed % 3 == 0, parallel=0.6)
        formulation_agrees(random_system(200 + seed, 1 + seed % 7, traits), formulation, seed)
