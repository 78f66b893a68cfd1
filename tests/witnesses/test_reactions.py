"""What joints transmit, beside Pinocchio's joint forces, on random trees."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import jourdain as jd
from jourdain.native import Cache

from ..equations.systems import Traits, random_state, random_system
from .agreement import agree
from .pinocchio_bridge import bridge

KINDS = (
    "revolute", "prismatic", "screw", "universal", "cylindrical", "spherical", "free", "planar", "weld", "compound",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_joint_forces_of_trees(seed: int) -> None:
    """Pinocchio's are those on the child along the joint's moving axes, about its origin, force before moment. Of a
    joint that is several there, the last is meant; a weld is none there."""
    system = random_system(seed, 5, Traits(KINDS, symbolic=seed % 2 == 0, branching=0.5))
    d = jd.compile(system, cache=Cache(None))
    made = bridge(system)
    state = random_state(system, np.random.default_rng(seed))
    udot = d.forward_dynamics(state.q, state.u, state.f)
    pin.rnea(made.model, made.data, made.configuration(state.q), made.velocity(state.u), made.velocity(udot))
    checked = 0
    for joint in system.joints:
        mine = [(k, part) for k, _, _, part in made.parts if made.model.names[k].startswith(f"{joint.name}/")]
        if not mine:
            continue
        k, part = mine[-1]
        wrench = part.after.actInv(made.data.f[k])  # about the joint's own moving frame
        wanted = np.concatenate([wrench.angular, wrench.linear])
        size = float((np.abs(d.mass_matrix(state.q)) @ np.abs(udot)).max() + np.abs(wanted).max())
        agree(d.reactions(joint.name, state.q, state.u, state.f), wanted, size, joint.name)
        checked += 1
    assert checked >= 3
