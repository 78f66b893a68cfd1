"""
Constraints, linear models: a bicycle
=====================================

What a system under constraints can be asked, by the example of the Whipple bicycle with the benchmark's parameters of
Meijaard, Papadopoulos, Ruina and Schwab (2007). Its equations are full and nonlinear; linear ones are made of them.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

system = jd.gallery.whipple_bicycle()
print(system.constraints)
print("coordinates:", ", ".join(system.coordinates))
print("speeds:", ", ".join(system.speeds))

# %%
# Eight coordinates and only three speeds: both wheels roll, and the speeds that the model defines satisfy that whatever
# their values. What that saves is in the counts: mass matrix and forcing together, with every datum a symbol.

print(jd.count(system, ["mass_and_bias"])["mass_and_bias"])

# %%
# A configuration and its speeds
# ------------------------------
#
# That the front wheel touches the ground is a constraint of positions: pitch follows from lean and steer. `assemble`
# finds the configuration nearest to a guess (`hold` names joints that stay), and `residual` says by name how
# well a state satisfies everything.

d = jd.compile(system)
guess = np.zeros(8)
guess[[3, 6]] = 0.2, 0.5  # lean, steer [rad]
q = d.assemble(guess)
u = np.array([0.0, 0.0, -5.0 / 0.3])  # 5 m/s
print(dict(zip(system.coordinates, q.round(5).tolist())))
print({name: f"{np.abs(x).max():.0e}" for name, x in d.residual(q, u).items()})
print("accelerations:", d.forward_dynamics(q, u, inputs={"steer_torque": 1.0}))

# %%
# Upright nothing is divided by zero: speeds were solved for by a determinant that only vanishes where they could not be
# solved for at all.

print(d.forward_dynamics(np.zeros(8), u, inputs={"steer_torque": 1.0}))

# %%
# A linear model
# --------------
#
# `linearize` gives :math:`\dot x = a + A x + B v` about any state, by exact derivatives. Its states are independent
# coordinates and speeds alone; the others follow. Place, heading and the wheels' angles act on nothing, so lean and
# steer can be looked at by themselves.

model = jd.linearize(d, np.zeros(8), u)
print(model.states)
part = model.part("lean", "steer", "lean_rate", "steer_rate")
print(part.A.round(4))

published = [-0.32286642900409, -0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j,
             -14.07838969279822]  # fmt: skip
assert np.allclose(part.eigenvalues, published, rtol=0, atol=1e-10)

# %%
# Leading axes broadcast: the figure that everyone draws, its speeds in one call. Between about 4.3 and 6 m/s all real
# parts are negative, and the bicycle stays upright by itself.

v = np.linspace(0.0, 10.0, 201)
riding = np.stack([0.0 * v, 0.0 * v, -v / 0.3], axis=-1)
values = jd.linearize(d, np.zeros(8), riding).part(*part.states).eigenvalues
stable = v[(values.real < 0.0).all(axis=-1)]
print(f"stable from {stable[0]:.2f} to {stable[-1]:.2f} m/s")

figure, axes = plt.subplots()
axes.plot(v, values.real, ".", color="tab:blue", markersize=2)
axes.axhline(0.0, color="black", linewidth=0.5)
axes.set(xlabel="v [m/s]", ylabel="real parts [1/s]", ylim=(-10, 10))
plt.show()

# %%
# Constraints that are switched
# -----------------------------
#
# A constraint made by `Model.switch` holds in the modes that name it. All speeds keep their places;
# `constraint_forces` gives the multipliers, `independent` and `complete` say which speeds can be chosen and what the
# others are then.

cart = jd.compile(jd.gallery.shopping_cart())
stuck = cart.in_mode({"caster sticks"})
q = np.array([0.0, 0.0, 0.3, 0.2])
free = cart.independent(q), stuck.independent(q)
print(*free)
u = stuck.complete(q, [0.5], ["u1"])
print(u, stuck.constraint_forces(q, u, inputs={"F": 10.0}))
