"""Pinocchio's analytic derivatives of inverse and forward dynamics beside ours, along the tangent."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from jourdain.equations.derivatives import forward_derivatives, inverse_derivatives
from jourdain.equations.mechanics import Mechanics
from jourdain.model.system import System

from ..equations.systems import KINDS, Traits, random_state, random_system
from .agreement import agree
from .pinocchio_answers import Witness, evaluated, flat


def derivatives_agree(system: System, seed: int) -> None:
    """By q, u and the rates or forces; those of accelerations as the forces that they stand for."""
    mechanics = Mechanics(system)
    n = len(system.speeds)
    inverse = {f"inverse {k}": flat(rows) for k, rows in inverse_derivatives(mechanics).items() if k != "parameters"}
    forward = {f"forward {k}": flat(rows) for k, rows in forward_derivatives(mechanics).items() if k != "parameters"}
    state = random_state(system, np.random.default_rng(seed))
    parts = {**inverse, **forward, "udot": mechanics.forward_dynamics()}
    found = {k: x.reshape(n, -1) for k, x in evaluated(mechanics, parts, state).items()}
    witness = Witness(system, state)
    made, model, data = witness.bridge, witness.model, witness.data
    size = witness.sizes.forces
    pin.computeRNEADerivatives(model, data, witness.q, witness.u, witness.udot)
    by = [np.asarray(x).copy() for x in (data.dtau_dq, data.dtau_dv)]
    # A derivative by a coordinate turns or shifts all the forces that there are: it is of their size.
    for name, matrix in zip(("q", "u"), by):
        agree(found[f"inverse {name}"], made.matrix(matrix), size, f"seed {seed}: inverse by {name}")
    agree(found["inverse udot"], witness.mass, 0.0, f"seed {seed}: inverse by udot")
    pin.computeABADerivatives(model, data, witness.q, witness.u, made.velocity(state.f))
    by = [np.asarray(x).copy() for x in (data.ddq_dq, data.ddq_dv, data.Minv)]
    by[2] = np.triu(by[2]) + np.triu(by[2], 1).T
    m = witness.mass
    size += float((np.abs(m) @ np.abs(found["udot"])).max())
    for name, matrix in zip(("q", "u", "f"), by):
        wanted = made.matrix(matrix)
        scale = float((np.abs(m) @ np.abs(wanted)).max()) + size
        agree(m @ found[f"forward {name}"], m @ wanted, scale, f"seed {seed}: forward by {name}")


@pytest.mark.parametrize("kind", [x for x in KINDS if x != "weld"])
def test_every_joint(kind: str) -> None:
    for seed in range(2):
        derivatives_agree(random_system(seed, 2, Traits(("revolute", kind), parallel=0.0, row=True)), seed)


@pytest.mark.parametrize("seed", range(12))
def test_random_trees(seed: int) -> None:
    """On free bases, too."""
    traits = Traits(floating=seed % 2 == 0, symbolic=seed % 3 == 0)
    derivatives_agree(random_system(100 + seed, 2 + seed % 4, traits), seed)
