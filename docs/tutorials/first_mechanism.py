"""
A first mechanism
=================

A load hangs from a crane's trolley: two bodies, two joints, one force. Described, compiled, asked, and moved.
"""

# %%
# Describing it
# -------------
#
# A model is bodies and the joints that carry them. Parameters keep their names and can be changed later without
# compiling again; inputs come from outside at every instant.

import numpy as np

import jourdain as jd

m = jd.Model("crane")
p = m.parameters(m_T=20.0, m_L=5.0, length=2.0)
push = m.input("push")

trolley = m.particle("trolley", mass=p.m_T)
load = m.particle("load", mass=p.m_L, center=(0, 0, -p.length))
m.prismatic("x", m.ground, trolley, axis="x")
m.revolute("swing", trolley, load, axis="y")

m.force(push * m.ground.x, at=trolley.origin)
m.joint_damper("swing", damping=0.4)
m.output("height", load.center.position @ m.ground.z)

# %%
# `system()` freezes the model. If something in it were wrong, all that is wrong would be said now, each mistake with
# the line that made it.

crane = m.system()
crane

# %%
# Asking it
# ---------
#
# Coordinates `q` and speeds `u` stand in the tree's order, and match by name:

print(crane.coordinates, crane.speeds)

# %%
# Each function is derived and compiled when it is first called. `forward_dynamics` gives the accelerations,
# `inverse_dynamics` the forces that a motion takes beyond those declared.

d = jd.compile(crane)
q, u = [0.0, 0.3], [0.0, 0.0]
print(d.forward_dynamics(q, u))
print(d.forward_dynamics(q, u, inputs={"push": 40.0}))
print(d.inverse_dynamics(q, u, [1.0, 0.0]))

# %%
# The two undo each other:

udot = d.forward_dynamics(q, u)
assert np.allclose(d.inverse_dynamics(q, u, udot), 0.0, atol=1e-12)

# %%
# Arrays broadcast over leading axes, so a thousand states are one call:

many = np.linspace([0.0, -1.0], [0.0, 1.0], 1000)
print(d.forward_dynamics(many, u).shape, d.outputs(many, u)["height"].shape)

# %%
# Moving it
# ---------
#
# Any integrator will do; here SciPy's.

from scipy.integrate import solve_ivp

t = np.linspace(0.0, 8.0, 400)


def rates(t: float, state: np.ndarray) -> np.ndarray:
    """The state's rates: of the coordinates, then of the speeds."""
    q, u = state[:2], state[2:]
    return np.concatenate([d.rates(q, u), d.forward_dynamics(q, u)])


run = solve_ivp(rates, (0.0, 8.0), [0.0, 1.0, 0.0, 0.0], t_eval=t, rtol=1e-9, atol=1e-9)
qs, us = run.y[:2].T, run.y[2:].T

import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.plot(t, qs[:, 0], label="x [m]")
axes.plot(t, qs[:, 1], label="swing [rad]")
axes.set_xlabel("t [s]")
axes.legend()
plt.show()

# %%
# Nothing pushes, so the momentum along x stays zero, and the damper takes energy away:

assert np.abs(d.momentum(qs, us)[:, 3]).max() < 1e-6
energy = d.energy(qs, us).total
print(f"{energy[0]:.2f} J at first, {energy[-1]:.2f} J at the end")
assert np.diff(energy).max() < 1e-6
