r"""
Kane and Levinson 1983
======================

T. R. Kane and D. A. Levinson, *The use of Kane's dynamical equations in robotics*, 1983: the Stanford arm, with the
data of its appendix 3, in both uses: torques for a prescribed motion, and simulation under a feedback law.
`jourdain demo` runs all of this.

What carries over
-----------------

* The paper's angles :math:`q_1 \ldots q_5` and displacement :math:`q_6` are coordinates of these names. The tree's
  order is q1, q2, q6, q3, q4, q5.
* Its speeds (2), the angular velocity of D along D's axes, are singular at :math:`q_2 = 0`: they are those of
  `gallery.stanford_arm_kane`. The speeds of `gallery.stanford_arm` are the coordinates' rates, which are not singular
  anywhere. The paper's motions start at :math:`q_2 = \pi/2`.
* No value of g is printed; the gallery takes 9.81 m/s², along :math:`-\mathbf n_2`.
* :math:`\tau_1` (103) is what the ground does to A. :math:`\tau_2 \ldots \tau_5` and :math:`\sigma` (102, 108, 109) are
  what the *outer* body does to the inner one, so they are minus the generalized forces of a joint.
"""

import numpy as np

import jourdain as jd
from jourdain.demo.feedback import controlled_arm, moved
from jourdain.demo.motion import EFFORTS, GOAL, ORDER, papers_efforts, prescribed
from jourdain.demo.story import WITHOUT_TAU_1, angular_momentum, returned_efforts

arm = jd.gallery.stanford_arm()
arm

# %%
# Operations
# ----------
#
# The paper's algorithm takes 646 multiplications and 394 additions for the six efforts, in a form that also serves
# simulation. Here, with every datum of appendix 3 a symbol:

for quantity, row in jd.count(arm).items():
    print(f"{quantity:17} {row['mul']:4} multiplications {row['add']:4} additions {row['div']:2} divisions")

# %%
# Torques for a prescribed motion
# -------------------------------
#
# The motion (127) goes from rest to rest in 10 s. Inverse dynamics of the whole batch is one call; the paper's
# Figure 1:

import matplotlib.pyplot as plt

d = jd.compile(arm)
t = np.linspace(0.0, 10.0, 1001)
q, u, udot = prescribed(t)
efforts = papers_efforts(d.inverse_dynamics(q, u, udot))

figure, axes = plt.subplots(2, 3, figsize=(9, 4.5), sharex=True, layout="constrained")
for panel, name, effort in zip(axes.flat, EFFORTS, efforts.T):
    panel.plot(t, effort)
    panel.set_title(f"{name} [{'N' if name == 'σ' else 'N m'}]")
for panel in axes[1]:
    panel.set_xlabel("t [s]")
plt.show()

# %%
# Simulation under feedback
# -------------------------
#
# The law (128) to (133), with the gains given, declared as part of the model and so compiled with it. From rest at
# :math:`q_2 = \pi/2` all joints come to π/3, and 0.1 m, and rest within 10 s; the paper's Figure 3:

controlled = jd.compile(controlled_arm())
run = moved(controlled, t)

figure, axis = plt.subplots(figsize=(8, 3.6), layout="constrained")
for name, values, goal in zip(ORDER, run.q.T, GOAL):
    axis.plot(t, values / goal, label=name)
axis.set_xlabel("t [s]")
axis.set_ylabel("coordinate / goal")
axis.legend(ncols=3)
plt.show()

print("last, as fractions of the goal:", dict(zip(ORDER, (run.q[-1] / GOAL).round(3).tolist())))

# %%
# Checks
# ------
#
# Inverse dynamics of the simulated motion gives the applied efforts back, to this part of the largest:

print(f"{returned_efforts(d, controlled, run):.0e}")
assert returned_efforts(d, controlled, run) < 1e-12

# %%
# With :math:`\tau_1 = 0` the angular momentum about :math:`\mathbf n_2` (138) stays zero; the paper's program kept it
# below :math:`10^{-9}`:

free = moved(controlled.with_parameters(WITHOUT_TAU_1), t, tolerance=1e-12)
print(f"{np.abs(angular_momentum(d, free)).max():.0e} kg m²/s")
assert np.abs(angular_momentum(d, free)).max() < 1e-9

# %%
# The appendices line by line
# ---------------------------
#
# The paper says that its Z's have no special physical significance. Yet each is something: a component of a velocity or
# an acceleration, a partial velocity, the rate of one, a part of an inertia torque, a generalized force.
# `jourdain.history.appendices` has all 196 Z's, 36 X's and 31 W's as they must read, and beside each what it is, read
# out of our own derivation in the speeds (2) and (3). How far apart the two are, relative to the quantity's largest
# value over some states, with data of which no two are alike:

import re

from jourdain.history import appendices

rows = appendices.table()
for letter, what in (("C", "cosines"), ("Z", "Z's"), ("X", "X's"), ("W", "W's")):
    some = [row for row in rows if row.name[0] == letter]
    print(f"{len(some):3} {what:8} differ by at most {max(row.error for row in some):.0e}")
assert max(row.error for row in rows) < 1e-12
assert {row.name for row in rows if row.printed} == {*appendices.ERRATA, *appendices.MISNAMED}


class Lines:
    """All lines, to be opened."""

    def __repr__(self) -> str:
        return "\n".join(f"{row.name:5} {row.meaning}" for row in rows)

    def _repr_html_(self) -> str:
        lines = "".join(f"<div><b>{row.name}</b> {self.raised(row.meaning)}</div>" for row in rows)
        said = f"All {len(rows)} lines, and what they are"
        return f"<details><summary>{said}</summary><div style='columns: 16em'>{lines}</div></details>"

    @staticmethod
    def raised(words: str) -> str:
        """Indices below, bodies and points above: ω_1^A."""
        return re.sub(r"\^([A-FP]\*?)", r"<sup>\1</sup>", re.sub(r"_([1-6])", r"<sub>\1</sub>", words))


Lines()

# %%
# In these speeds the efforts (118) to (126) from the paper's lines, and from our recursion, at a random state:

q = np.random.default_rng(1983).uniform(0.3, 1.2, 6)
v, a = np.random.default_rng(1984).uniform(-1.0, 1.0, (2, 6))
index = [int(name[1:]) for name in ORDER]
theirs = appendices.actuation(dict(zip(index, q)), dict(zip(index, v)), dict(zip(index, a)))
ours = papers_efforts(d.inverse_dynamics(q, v, a))
for name, one, other in zip(EFFORTS, theirs.values(), ours):
    print(f"{name:3} {one:18.13f} {other:18.13f}")
assert np.allclose(list(theirs.values()), ours, rtol=0, atol=1e-11 * np.abs(ours).max())

# %%
# Closed loops
# ------------
#
# The paper ends with a promise: with *nonholonomic* partial velocities the equations of robots whose bodies form loops
# are no harder. Let a tool 0.3 m beyond the wrist stand in a ball joint on a bench. Three speeds are left; each of
# their partial velocities is one of the open arm's plus those of the speeds that follow, and neither force nor
# multiplier of the loop appears:

m = jd.Model.of(arm)
q = np.array([0.4, 1.3, 0.3, -0.5, 0.6, 0.2])
tip = np.array([0.0, 0.3, 0.0])
place = d.pose("F", q) @ [*tip, 1.0]
m.close("tool on the bench", "spherical", m.ground, m["F"], at=tuple(place[:3]), child_at=tuple(tip))
held = jd.compile(m.system())
three = held.independent(q)
u = held.complete(q, [0.3, -0.2, 0.4])
columns = np.array([held.complete(q, one) for one in np.eye(len(three))]).T
print("independent:", three)
print("partial velocities of the tip:\n", held.jacobian("F", q, at=tip)[3:] @ columns)
print("of the wrist:\n", held.jacobian("D", q)[3:] @ columns)

udot = held.forward_dynamics(q, u)  # by the compiled functions, with multipliers
left = columns.T @ d.inverse_dynamics(q, u, udot)  # F̃ + F̃* = 0
print("F̃ + F̃*:", -left)
assert np.abs(left).max() < 1e-12 * np.abs(columns.T @ d.mass_matrix(q)).max() * np.abs(udot).max()

# %%
# Errata
# ------
#
# In the text that we have; some may be the scan's. With these lines mended, the efforts (118) to (126) agree with ours
# to a few units of rounding at random states, and so does :math:`W_{31}` with the first row of :math:`M u`; with any
# one of the first four left as printed, they do not (`pytest tests/papers`).
#
# .. list-table::
#    :header-rows: 1
#    :widths: 18 30 30 22
#
#    * - where
#      - as printed
#      - as it must be
#      - how we know
#    * - appendix 1
#      - :math:`Z_{90} = -Z_{87} c_5 + Z_{84} s_4`
#      - :math:`Z_{90} = -Z_{87} c_3 + Z_{84} s_4`
#      - it is :math:`\dot C_{32}` (64)
#    * - appendix 1
#      - :math:`Z_{139} = A_2 Z_{71}`
#      - :math:`Z_{139} = -A_2 Z_{71}`
#      - :math:`\mathbf T^{*A} \cdot \mathbf a_2` at :math:`\dot u = 0`; the efforts
#    * - appendix 1
#      - :math:`Z_{149} = Z_{142}(B_1 - B_2) - Z_7 B_3`
#      - :math:`\ldots - Z_{74} B_3`
#      - :math:`\mathbf T^{*B} \cdot \mathbf b_3` at :math:`\dot u = 0`; the efforts
#    * - appendix 1
#      - :math:`Z_{193} = -g Z_{118}(\ldots)`
#      - :math:`-g Z_{188}(\ldots)`
#      - :math:`K_2` of gravity; the efforts
#    * - appendix 1
#      - :math:`Z_{92}`, printed twice
#      - the second is :math:`Z_{93}`
#      - it is :math:`\dot Z_{23}`
#    * - appendix 4
#      - :math:`W_{18} = L_1 Z_{32} - W_3 W_{38}`
#      - :math:`L_1 Z_{32} - W_3 Z_{38}`
#      - :math:`(\mathbf p \times \mathbf v)^{D*} \cdot \mathbf c_3`; there is no :math:`W_{38}`
#    * - eq (136)
#      - :math:`\mathbf p^{E*} = \mathbf p^{C*} + L_2 \mathbf d_2 + L_5 \mathbf e_2`
#      - :math:`L_6` in the place of :math:`L_5`
#      - :math:`W_9 = W_7 + L_6` of appendix 4
#    * - eq (137)
#      - :math:`\mathbf p^{F*} = \mathbf p^{E*} + \ldots`
#      - :math:`\mathbf p^{C*} + \ldots`
#      - :math:`W_{10} = W_7 + L_3` of appendix 4
#    * - before (128)
#      - the arm starts from :math:`q_r(0) = 0` for all r
#      - :math:`q_2(0) = \pi/2`, as with (127)
#      - at :math:`q_2 = 0` the speeds (2) are singular: :math:`Z_1` divides by :math:`s_2`
#    * - after (133)
#      - :math:`k_{11}` in N m, :math:`k_{12}` in N s
#      - N/m, N s/m
#      - :math:`\sigma` is a force, :math:`q_6` a length
