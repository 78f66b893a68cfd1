"""
Configurations
==============

A body that turns freely has three speeds, but no three coordinates that are good everywhere. So a configuration is a
point of a manifold, a step on it is a vector of speeds, and two functions go back and forth.
"""

import numpy as np

import jourdain as jd

m = jd.Model("gyroscope", gravity=(0, 0, 0))
top = m.body("top", mass=1.0, inertia=jd.principal(1.0, 2.0, 3.0))
m.free("body", m.ground, top)
system = m.system()
print(system.coordinates)
print(system.speeds)

# %%
# Seven coordinates, six speeds: position and a unit quaternion (x, y, z, w); angular velocity and velocity along the
# body's own axes. At the neutral configuration the frames lie on each other:

q = system.neutral
q

# %%
# Steps and differences
# ---------------------
#
# `integrate` takes a step `dq`, as long as `u` is, and keeps the quaternion at unit length. `difference` is the step
# from one configuration to another.

d = jd.compile(system)
step = np.array([0.3, -0.2, 1.0, 0.5, 0.0, 0.1])
there = d.integrate(q, step)
print(there)
assert np.isclose(np.linalg.norm(there[3:]), 1.0, rtol=1e-15)
assert np.allclose(d.difference(q, there), step, atol=1e-14)

# %%
# A step is the twist of the moved frame, held constant along its own axes: half of it made twice is the whole.

half = d.integrate(q, step / 2)
assert np.allclose(d.integrate(half, step / 2), there, atol=1e-14)

# %%
# `rates` gives the coordinates' rates, for integrators that know nothing of manifolds:

u = np.array([0.01, 5.0, 0.02, 0.0, 0.0, 0.0])
print(d.rates(q, u))

# %%
# A method on the manifold
# ------------------------
#
# Runge and Kutta's method with stages that are steps from one point. The middle axis of inertia is unstable:
# the body turns over, again and again, while energy and angular momentum stay.


def advance(q: np.ndarray, u: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """One step of length h [s]; the coordinates' stages are tangent steps."""
    a1 = d.forward_dynamics(q, u)
    u2 = u + h / 2 * a1
    a2 = d.forward_dynamics(d.integrate(q, h / 2 * u), u2)
    u3 = u + h / 2 * a2
    a3 = d.forward_dynamics(d.integrate(q, h / 2 * u2), u3)
    u4 = u + h * a3
    a4 = d.forward_dynamics(d.integrate(q, h * u3), u4)
    return d.integrate(q, h / 6 * (u + 2 * u2 + 2 * u3 + u4)), u + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


times = np.arange(0.0, 12.0, 0.01)
speeds, height, energies = [], [], []
for _ in times:
    speeds.append(u[:3])
    height.append(d.pose("top", q)[1, 1])
    energies.append(float(d.energy(q, u).total))
    q, u = advance(q, u, 0.01)

import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.plot(times, speeds, label=["wx", "wy", "wz"])
axes.set_xlabel("t [s]")
axes.set_ylabel("rad/s")
axes.legend()
plt.show()

print(f"energy off by {np.ptp(energies) / energies[0]:.0e} of itself")
assert min(height) < -0.99
assert np.ptp(energies) < 1e-5 * energies[0]

# %%
# Derivatives along the tangent
# -----------------------------
#
# Derivatives with respect to a configuration have a column for each *speed*: how the result changes while that speed
# alone is one.

by = d.inverse_dynamics_derivatives(q, u, np.zeros(6))
print(by["q"].shape)
