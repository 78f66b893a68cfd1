r"""
Silver 1981
===========

W. M. Silver, *On the representation of angular velocity and its effect on the efficiency of manipulator dynamics
computation*, 1981. Its thesis: Lagrange's equations cost what Newton's and Euler's cost, once they are recursive and
once the rotation of a body is told by :math:`\omega` and not by :math:`\dot W`. It argues from operation counts; here
the equations behind the counts run. `jourdain.history` has them, one file an author, over any scalar. Every statement
is also a test (`pytest tests/history`).
"""

import numpy as np

from jourdain import history
from jourdain.history import rotation
from jourdain.history.authors import (
    hollerbach_3x3,
    hollerbach_4x4,
    kane,
    luh_walker_paul,
    ours,
    silver,
    uicker_kahn,
    walker_orin,
)

# %%
# All give the same torques
# -------------------------
#
# A chain of eight joints, turning and sliding, with no zero among its data; its torques in newton metres and newtons:

chain = history.random_chain(8, slides=[False, False, True, False, True, False, False, True])
q, rates, accelerations = np.random.default_rng(622).uniform(-1.0, 1.0, (3, 8))
moment = history.at(chain, history.FLOATS, q, rates, accelerations)
expected = ours.inverse_dynamics(chain, q, rates, accelerations)
print(f"{'ours':17}", expected)
for author in (uicker_kahn, hollerbach_4x4, hollerbach_3x3, luh_walker_paul, silver, kane):
    torques = np.array(author.inverse_dynamics(moment))
    assert np.abs(torques - expected).max() < 1e-12 * np.abs(expected).max()
    print(f"{author.__name__.split('.')[-1]:17}", torques)

# %%
# Walker and Orin's composite bodies give the mass matrix, and with it the accelerations back:

back = walker_orin.forward_dynamics(moment, expected.tolist())
print(f"accelerations come back to {np.abs(np.array(back) - accelerations).max():.0e}")
assert np.abs(np.array(back) - accelerations).max() < 1e-11

# %%
# The rule of the counts
# ----------------------
#
# The same code runs with numbers that count. A product is a multiplication, a sum or a difference an addition, each
# time that it is executed, whether or not it was executed before; unary minus is free. Two counts are taken. In the
# first, matrices are *full*: a product of two 4 × 4 matrices takes 64 multiplications and
# 48 additions, whatever constant zeros and ones stand in them. In the second what is 0 or ±1 by construction of the
# joint's matrix is left out. In both, what no author would compute is not computed: products with the identity or the
# zero that a recursion starts from. Sines and cosines, the six products that make a joint's matrix of them, and what is
# made of data alone count nowhere. All joints turn; all data are general.
#
# Ours are counted as they are compiled, with every datum a symbol: equal expressions once, structural zeros never,
# inertias regrouped to base parameters.

print(history.table(6))

# %%
# Growth
# ------
#
# The counts for 1 to 12 joints lie on polynomials exactly: of the fourth degree, of the second, of the first. With full
# matrices the first joint already does.

print(history.table_of_growth())

# %%
# Ours is a straight line for odd n and one for even n, of equal slope: a link's frame may slide along its joint's axis,
# and settled so, every second one has an offset along one axis only. Our forward dynamics has no polynomial: where
# articulated bodies become cheaper than elimination, they are taken.
#
# With zeros and ones left out:

print(history.table_of_growth(sparse=True))

# %%
# Multiplications, additions and divisions together, for each number of joints:

print(history.table_by_joints(12))

# %%
# On logarithmic scales a power is a slope. Rings are the published figures.

import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(9, 5.4), layout="constrained")
history.plot(12, axes)
plt.show()

# %%
# Beside the published figures
# ----------------------------
#
# Silver takes his figures from Hollerbach (1980), who publishes them as functions of n too. What differs, and why:

for name, published in (
    ("Uicker, Kahn", history.published.UICKER_KAHN),
    ("Hollerbach 4×4", history.published.HOLLERBACH_4X4),
    ("Hollerbach 3×3", history.published.HOLLERBACH_3X3),
    ("Newton-Euler", history.published.NEWTON_EULER),
):
    print(f"{name:15} {published.mul_of_n}   {published.add_of_n}")

# %%
# * **Uicker and Kahn**, 74609/57370 against 66271/51548. The fourth powers are equal: 130 multiplications and 100
#   additions, two whole products, a trace and two rates, for each of :math:`n^2 (n+1)^2 / 4` combinations of i, j, k
#   and l. So symmetry in k and l was not used, and the figure is for full matrices. The third powers differ by 129/4
#   and 100/4 exactly: the traces with :math:`\ddot q_k`, at 129 and 100 each, are :math:`n^3/3 + \ldots` in number,
#   and enter the published polynomials as if they were :math:`n^3/12`. And the published polynomial of the products
#   gives 67143 at n = 6, not 66271 (67271, without its −128: a figure may have been misread); that of the sums gives
#   its figure.
# * **Hollerbach 4×4**, 4222/3352 against 4388/3586. Eleven products of matrices a joint, 704/528, are the body of
#   ours; and the ends of the chain agree: the first link is spared eight of them and the last one, and a product with
#   a vector, :math:`592 = 9 \cdot 64 + 16`, where ours also spares 16 multiplications and 48 additions with zero
#   matrices at the base. What is left is 25 multiplications and 31 additions a joint that are in his count and not in
#   ours. A factor 2 taken on a whole matrix would be 16 of them; we double :math:`\dot q` instead. The rest we cannot
#   name without his list.
# * **Hollerbach 3×3**, 2121/1623 against 2195/1719: 15 and 14 a joint, of which the same factor 2 would be 9.
# * **Luh, Walker and Paul**, 789/654 against 852/738. We read :math:`A^T z` off as the last row of a matrix and put
#   :math:`\dot q` into a vector as it is; multiplied out these are 15 multiplications and 6 additions a joint, and the
#   two counts differ by 12 and 15.
# * **Silver**, 768/642. He states that his computation is Luh's, and 852/738 is quoted for it. So it is, but for one
#   choice: his sums can be kept about origin i in axes i until they cross to the next link, and then :math:`p^*_i` need
#   not be turned into the next axes. That spares 9 multiplications and 6 additions a joint.
# * **Walker and Orin**, 1584/1266/26 without zeros and ones, 1813/1512/26 with them, against 1541/1196. Kane and
#   Levinson quote this for inverse dynamics, but it is of the order of forward dynamics, which Walker and Orin's paper
#   is about: mass matrix, bias forces and elimination. We keep inertias as full matrices; symmetric ones would be
#   cheaper.
# * **Kane and Levinson**, 646/394, is for the Stanford arm alone, most of whose lengths and products of inertia are
#   zero. Their appendices, run with counting numbers, take 645 multiplications, 433 additions and 5 divisions from q,
#   u and :math:`\dot u` to the efforts; of the additions 33 join data alone and can be done once. Kane's equations
#   for a general chain, partial velocities first and then one sum for each joint and body, grow with :math:`n^2`:
#   they are Silver's (3.12) before it is made recursive. For the same arm ours takes 127 and 85.
#
# What Silver concludes stands with either count: the recursion takes the fourth power to the first, and the choice of
# representation is worth a factor of 2 and once more one of about 2.5.

at_six = {row.name: row.full.total for row in history.counts(6) if row.full and row.quantity == "inverse dynamics"}
print(f"recursion: {at_six['Uicker, Kahn'] / at_six['Hollerbach 4×4']:.1f}")
print(f"3 × 3 for 4 × 4: {at_six['Hollerbach 4×4'] / at_six['Hollerbach 3×3']:.2f}")
print(f"ω for Ẇ: {at_six['Hollerbach 3×3'] / at_six['Silver']:.2f}")

# %%
# Angular velocity and the rate of a rotation
# -------------------------------------------
#
# Section 2 as functions. :math:`\dot W` from :math:`\omega` (2.5) and back (2.6); :math:`I` from :math:`J` and back
# (2.11); the table that ends the section, in both notations:

W = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))[0]
W = (W * np.linalg.det(W)).tolist()
omega, alpha = [0.4, -1.2, 0.7], [0.9, 0.3, -0.5]
J = [[0.5, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 0.3]]

inertia = rotation.inertia_of_second_moments(J)
assert np.allclose(rotation.second_moments_of_inertia(inertia, 0.5), J, rtol=0, atol=1e-15)
W_dot = rotation.rotation_rate(omega, W)
assert np.allclose(rotation.angular_velocity(W, W_dot, 0.5), omega, rtol=0, atol=1e-15)

fixed = rotation.in_fixed_axes(W, inertia)
print("kinetic energy     ", rotation.energy_with_omega(omega, fixed, 0.5), rotation.energy_with_rate(W_dot, J, 0.5))

# %%
# For the generalized force of a turn about an axis, :math:`\partial \omega / \partial \dot q = z` and
# :math:`\partial W / \partial q = z \times W`:

z = [0.6, 0.0, 0.8]
W_ddot = rotation.rotation_acceleration(omega, alpha, W)
print(
    "generalized force  ",
    rotation.force_with_omega(omega, alpha, fixed, z),
    rotation.force_with_rate(rotation.rotation_rate(z, W), J, W_ddot),
)

# %%
# That :math:`W`, :math:`\dot W` and :math:`\ddot W` have 27 entries for what takes nine is the whole difference between
# Hollerbach's 3 × 3 form and Silver's.
#
# The identities of the appendix, (A.1) to (A.3), and (3.4) to (3.12) hold on random chains to rounding, with
# derivatives by a complex step (`tests/history/test_identities.py`).
#
# A wrench at the tip, and a moving base
# --------------------------------------
#
# Section 3.2 puts both into the same recursion. What the last link exerts on what it holds enters the sums as the
# first term; a base that moves is where they start from. Pushing with 10 N along the last z:

wrench = luh_walker_paul.Wrench([0.0, 0.0, 10.0], [0.0, 0.0, 0.0])
print(np.array(silver.inverse_dynamics(moment, tip=wrench)) - expected)

# %%
# Errata
# ------
#
# In the text that we have; some may be the scan's. Letters that are merely misread (the tensor :math:`I` comes out as
# half a dozen others) are not listed.
#
# .. list-table::
#    :header-rows: 1
#    :widths: 18 30 26 26
#
#    * - where
#      - as printed
#      - as it must be
#      - how we know
#    * - 1.3, after (1.3)
#      - :math:`\frac{d^*}{dt}(L \cdot \omega) + \omega \times (L \cdot \omega)`
#      - :math:`I` in the place of :math:`L`
#      - the definition of L above it; the rate of :math:`I \cdot \omega` on a moving chain is (1.3)
#    * - 2.3, before (2.5)
#      - :math:`\dot v_i = \dot W_{ij} v'_i`
#      - :math:`\dot W_{ij} v'_j`
#      - (2.1); with :math:`v'_i` it is not :math:`\omega \times v`
#    * - eq (3.10)
#      - :math:`\partial I_i / \partial q_i`
#      - :math:`\partial I_i / \partial q_j`
#      - its two sides on a chain, for :math:`j \ne i`
#    * - 3.2, on gravity
#      - the base accelerates equally to gravity
#      - oppositely: :math:`-g`
#      - torques with either sign beside those with the links' weights
#    * - appendix A, first sentence
#      - the derivation is in section 2.1
#      - in section 3.1
#      - 2.1 is about :math:`\dot W`; the equations meant are (3.4) to (3.10)
#    * - paper 4, Kane and Levinson, on Walker and Orin
#      - 1541/1196 for inverse dynamics
#      - for forward dynamics, as far as counts can tell
#      - their bias forces are Luh, Walker and Paul's recursion, at about half of that
#    * - Hollerbach 1980, as quoted
#      - 66271 from :math:`32\frac12 n^4 + 86\frac5{12} n^3 + 171\frac14 n^2 + 53\frac13 n - 128`
#      - 67143
#      - the polynomial at n = 6
