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
* Its speeds (2), the angular velocity of D along D's axes, are singular at :math:`q_2 = 0`; ours are the coordinates'
  rates, which are not. Its motions start at :math:`q_2 = \pi/2`.
* No value of g is printed; the gallery takes 9.81 m/s², along :math:`-\mathbf n_2`.
* :math:`\tau_1` (103) is what the ground does to A. :math:`\tau_2 \ldots \tau_5` and :math:`\sigma` (102, 108, 109) are
  what the *outer* body does to the inner one, so they are minus the generalized forces of a joint.
"""

import numpy as np

import jourdain as jd
from jourdain.demo.feedback import controlled_arm, simulate
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
run = simulate(controlled.forward_dynamics, t)

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

free = simulate(controlled.with_parameters(WITHOUT_TAU_1).forward_dynamics, t, tolerance=1e-12)
print(f"{np.abs(angular_momentum(d, free)).max():.0e} kg m²/s")
assert np.abs(angular_momentum(d, free)).max() < 1e-9

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
#      - the efforts
#    * - appendix 1
#      - :math:`Z_{149} = Z_{142}(B_1 - B_2) - Z_7 B_3`
#      - :math:`\ldots - Z_{74} B_3`
#      - the efforts; compare :math:`Z_{158}`
#    * - appendix 1
#      - :math:`Z_{193} = -g Z_{118}(\ldots)`
#      - :math:`-g Z_{188}(\ldots)`
#      - the efforts
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
