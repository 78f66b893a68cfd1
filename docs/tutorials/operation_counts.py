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

# %%
# How it grows
# ------------
#
# The equations are recursions over the tree, so deriving them, and evaluating them, takes time in proportion to the
# number of links: no expression is ever longer than what one link adds to it. Elimination of the mass matrix grows
# faster, but for a long chain forward dynamics goes by articulated bodies. The mass matrix itself has n² entries.

import time

import matplotlib.pyplot as plt

sizes = (4, 8, 16, 32, 64)
quantities = ("inverse_dynamics", "forward_dynamics")
operations: dict[str, list[float]] = {name: [] for name in quantities}
seconds: dict[str, list[float]] = {name: [] for name in quantities}
for n in sizes:
    chain = jd.gallery.chain(n)
    for name in quantities:
        taken = []
        for _ in range(2):
            start = time.process_time()
            found = jd.count(chain, [name])[name]["total"]
            taken.append(time.process_time() - start)
        operations[name].append(found)
        seconds[name].append(min(taken))

per_link = {name: np.diff(operations[name]) / np.diff(sizes) for name in quantities}
for name in quantities:
    print(f"{name:17} operations for one link more: {per_link[name].round(1)}")
assert all(np.ptp(x[2:]) < 0.02 * x[-1] for x in per_link.values())

# %%
# The lesser of two runs on the machine that made this page; a dashed line grows with n. Up to 40 links several
# formulations are tried, beyond that one is written down. `python benchmarks/derivation_growth.py` measures it with
# care, for chains and for trees.

figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for panel, title, curves in zip(panels, ("seconds to derive", "operations to evaluate"), (seconds, operations)):
    for name, values in curves.items():
        panel.loglog(sizes, values, "o-", markersize=4, label=name.replace("_", " "))
    base = curves["inverse_dynamics"][-1] / sizes[-1]
    panel.loglog(sizes, [0.5 * base * n for n in sizes], "--", color="#8a929a", label="in proportion to n")
    panel.set_title(title, loc="left")
    panel.set_xlabel("links n")
    panel.grid(visible=True, color="#e9ecef")
panels[0].legend(frameon=False)
plt.show()
