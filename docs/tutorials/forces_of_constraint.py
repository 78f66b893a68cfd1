"""
Forces of constraint
====================

Kane's equations leave out what does no work: the forces in bearings, the pressure of a contact. When they are wanted,
they are brought into evidence, and what depends on them, friction, is found together with them.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

engine = jd.gallery.slider_crank()
d = jd.compile(engine)

# %%
# In a joint
# ----------
#
# A piston presses sideways on its bore. The joint `q3` carries it, and `reactions` gives what the ground exerts on the
# piston through that joint: a moment about the joint's origin, then a force, along the joint's axes. Here the crank
# turns once, steadily at first sight; gas pushes at the piston with 800 N.

angles = np.linspace(0.0, 2 * np.pi, 181)
thrust = []
q = d.assemble([0.0, 0.0, 0.2])
for angle in angles:
    q = d.assemble([angle, q[1], q[2]], hold=["q1"])
    u = d.complete(q, [30.0], ["q1"])
    wrench = d.reactions("q3", q, u, inputs={"F": -800.0})
    thrust.append(wrench[4])

figure, axes = plt.subplots(figsize=(6, 3))
axes.plot(np.degrees(angles), thrust)
axes.set(xlabel="crank angle [°]", ylabel="side thrust [N]")
plt.show()

# %%
# Along a constraint
# ------------------
#
# Each row of a constraint has a multiplier: the force along what the row measures. A rattleback keeps its gap at zero,
# so that row's multiplier is the pressure of the ground; its slip's are friction, along the ground's x and y.

celt = jd.compile(jd.gallery.rattleback())
q = celt.assemble([0, 0, 0.02, 0.05, 0, 0, 1])
u = celt.complete(q, [0.0, 0.0, 5.0], ["celt.wx", "celt.wy", "celt.wz"])
forces = celt.constraint_forces(q, u)
print(forces)
assert forces["touches"][0] > 0  # it presses

# %%
# Not every such force is determined by the motion: a loop that closes in a plane holds more than it has to, and
# `redundancy` says which constraints share their loads.

print(d.redundancy.not_unique)

# %%
# Friction
# --------
#
# Dry friction depends on the normal force, and the normal force on friction. `friction` declares the law; the two are
# solved for at once, so the equations hold exactly.

m = jd.Model.of(engine)
slide = m["q3"]
m.friction(slide, slide.speed, coefficient=0.1, along="y", name="bore")
rubbing = jd.compile(m.system())

q = d.assemble([1.0, -1.2, 0.17])
u = d.complete(q, [30.0], ["q1"])
inputs = {"F": -800.0}
normal = rubbing.reactions("q3", q, u, inputs=inputs)[4]
f = np.array([0.0, 0.0, -0.1 * abs(normal) * u[2] / np.hypot(u[2], 0.01)])
assert np.allclose(rubbing.forward_dynamics(q, u, inputs=inputs), d.forward_dynamics(q, u, f, inputs=inputs))
print(normal, d.reactions("q3", q, u, inputs=inputs)[4])

# %%
# Read as Kane would
# ------------------
#
# The same as expressions: constrained generalized forces by substitution, or recombined from those of all speeds
# (Gillespie 2003, 44–45); and auxiliary speeds, whose equations have the forces of constraint in them.

from jourdain.equations.auxiliary import GivingConstraints
from jourdain.equations.embedded import Embedded
from jourdain.equations.kane import Kane

embedded = Embedded(Kane(jd.gallery.shopping_cart()), independent=["u1", "u2"])
print(embedded.substituted.table())
print(GivingConstraints(embedded).by_auxiliary_speeds())
