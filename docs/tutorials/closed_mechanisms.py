"""
Closed mechanisms
=================

Loops are constraints laid over a tree. They are kept to rounding, whether the rows that say so are independent, repeat
each other, or vanish for a moment.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

# %%
# Andrews' squeezer
# -----------------
#
# Seven bodies, three loops, one freedom: a motor of 0.033 N m, a stiff spring. It is a test problem for solvers
# (Hairer and Wanner 1991, section VII.7; the test set of Mazzia and Magherini), so its motion is known: after 0.03 s
# the crank stands at 15.81077119629904 rad.

squeezer = jd.compile(jd.gallery.andrews_squeezer())
print(squeezer.system.coordinates)
guess = [-0.06, 0.0, 0.46, 0.49, 0.22, 1.23, -0.22]
q = squeezer.assemble(guess, hold="Theta")
run = jd.simulate(squeezer, q, np.zeros(7), np.linspace(0, 0.03, 301), method=jd.DormandPrince853(1e-12, 1e-13))
print(run.checks)
print(f"beta = {run.q[-1, 0]:.9f} rad, in {run.seconds * 1e3:.1f} ms")
assert abs(run.q[-1, 0] - 15.81077119629904) < 1e-8

figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.plot(run.t * 1e3, run.q[:, 2:], label=run.system.coordinates[2:])
axes.set(xlabel="t [ms]", ylabel="rad")
axes.legend(ncols=3)
plt.show()

# %%
# `assemble` found the start from angles to two digits; the joint that it was told to hold stayed as it was. Where
# nothing closes, it says which loop is left open, and by how much:

try:
    jd.compile(jd.gallery.four_bar()).with_parameters({"l3": 2.0}).assemble([1.0, -0.5, 1.5])
except ValueError as error:
    print(error)

# %%
# Rows that repeat each other
# ---------------------------
#
# A plane loop in space, closed by a hinge, has three rows too many. Bricard's mechanism has one too many, and another
# one everywhere: six hinges at right angles, which counting says cannot move. What hinges carry is then not determined
# by the motion, and the library says so; the motion is.

bricard = jd.compile(jd.gallery.bricard())
print(bricard.redundancy.rank, "rows of", len(bricard.system.constraint("loop").rows), bricard.redundancy.not_unique)
run = jd.simulate(bricard, np.zeros(5), np.zeros(5), np.linspace(0, 60, 601))
print(run.checks)
assert run.checks.drift["loop"] < 1e-13

# %%
# Through singular configurations
# -------------------------------
#
# When all rods of a parallelogram lie in a line, a row vanishes, and the mechanism could go on as a parallelogram or
# crossed. One that arrives with some speed goes on as it came, for its accelerations are smooth along each branch;
# next to the crossing they are interpolated from both sides of it. Three parallel rods are one pendulum:

rods = jd.compile(jd.gallery.parallel_four_bars())
sign = np.where([name.startswith("rod") for name in rods.system.coordinates], 1.0, -1.0)
run = jd.simulate(rods, np.pi / 2 * sign, -sign, np.linspace(0, 60, 6001))
print(f"{abs(run.q[-1, 0] - run.q[0, 0]) / (2 * np.pi):.2f} turns, two singular configurations in each")
print(run.checks)
assert np.abs(run.q[:, 1:3] - run.q[:, :1]).max() < 1e-9

# %%
# A celt that turns back
# ----------------------
#
# Rolling is a constraint of velocities. An ellipsoid whose axes of inertia are turned a little against its own, spun
# the wrong way, begins to rattle, comes to rest, and turns the other way, its energy kept.

celt = jd.compile(jd.gallery.rattleback())
q = celt.assemble([0, 0, 0.02, np.sin(0.005), 0, 0, np.cos(0.005)])
u = celt.complete(q, [0.0, 0.0, 5.0], ["celt.wx", "celt.wy", "celt.wz"])
run = jd.simulate(celt, q, u, np.linspace(0, 12, 1201))
print(run.checks)
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.plot(run.t, run.outputs["spin"])
axes.set(xlabel="t [s]", ylabel="spin [rad/s]")
axes.axhline(0.0, color="0.7", linewidth=1)
plt.show()
assert run.outputs["spin"].min() < -2.0 < 4.9 < run.outputs["spin"][0]

# %%
# What cannot be kept
# -------------------
#
# Constraints that contradict each other are refused at the start, or end the run when they come to it, with what was
# computed until then.

m = jd.Model("bead", gravity=(0, 0, 0))
body, rail = m.body("bead", mass=1.0, inertia=jd.point_mass), m.link("rail")
x, y = m.prismatic("x", m.ground, rail, axis="x"), m.prismatic("y", rail, body, axis="y")
m.keep("circle", x.coordinate**2 + y.coordinate**2 - 1.0)
m.keep("line", x.coordinate - 0.5 - m.time)
run = jd.simulate(m.system(), [0.5, np.sqrt(0.75)], [1.0, -0.5 / np.sqrt(0.75)], 1.0, method=jd.RK4(1e-3))
print(run.reason)
assert run.status is jd.Status.CONSTRAINTS_LOST
