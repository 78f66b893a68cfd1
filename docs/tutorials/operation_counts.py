"""
Operation counts
================

How many multiplications and additions an evaluation takes, why so few, and what base parameters are.
"""

import jourdain as jd
from jourdain.driver import alternatives

# %%
# The rule
# --------
#
# A multiplication is a binary product, an addition a binary sum or difference; unary minus is free. Divisions, square
# roots and pairs of sine and cosine are counted apart. What depends on parameters alone is done once per set of
# parameters: `precompute`. Every datum of the model is a symbol; only zeros and ones of the structure are numbers.

arm = jd.gallery.stanford_arm()
for quantity, row in jd.count(arm).items():
    print(f"{quantity:17}", row)

# %%
# `jourdain count stanford-arm` prints the same beside the published counts. These are the operations that the compiled
# code performs, not an estimate: the counter walks the very expressions that are compiled.
#
# Where they go
# -------------
#
# Nothing is ever formed twice, for every expression is a node of one graph in which equal nodes are the same node.
# Zeros and ones vanish as they are formed. Then several formulations of the same recursion are written down and the
# cheapest is kept; none of them changes a value beyond rounding. A dot marks the one that is compiled, counted here
# before common factors are taken out:

for trial in alternatives(arm):
    mark = "●" if trial.chosen else " "
    print(f"{mark} {trial.quantity:17} {trial.counts.mul:4} mul {trial.counts.add:4} add   {trial.name}")

# %%
# Base parameters
# ---------------
#
# A body has ten inertial parameters, but a joint that turns about z cannot tell, for instance, the mass of what it
# carries from a mass of its parent's. What a joint can neither feel nor show is moved to the parent, in the derivation;
# the parameters that the user sets stay the bodies' own. How many are left is the rank of the regressor:

import numpy as np

for system in (jd.gallery.stanford_arm(), jd.gallery.puma560(), jd.gallery.rx90()):
    d = jd.compile(system)
    q, u, udot = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 100, 6))
    rows = d.regressor(q, u, udot).reshape(600, -1)
    print(f"{system.name:13} {rows.shape[1]} standard parameters, {np.linalg.matrix_rank(rows)} base parameters")

# %%
# Reactions and energies speak of single bodies, so they always use the standard parameters.
#
# Inverse dynamics is linear in the standard parameters, which is what identification needs:

arm_d = jd.compile(arm)
q, u, udot = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 6))
pi = []
value = arm.parameters
for name, center in zip("ABCDEF", (0, 0, 0, value["L5"] - value["L2"], value["L6"], value["L3"])):
    mass = value[f"m_{name}"]
    xx, yy, zz = (value[f"{name}{k}"] for k in (1, 2, 3))
    across = mass * center**2  # every mass centre lies on its body's y, so the moments about x and z grow
    pi += [mass, 0.0, mass * center, 0.0, xx + across, yy, zz + across, 0.0, 0.0, 0.0]
assert np.allclose(arm_d.regressor(q, u, udot) @ pi, arm_d.inverse_dynamics(q, u, udot), rtol=0, atol=1e-12)
