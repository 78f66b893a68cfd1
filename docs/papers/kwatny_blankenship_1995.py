r"""
Kwatny and Blankenship 1995
===========================

H. G. Kwatny and G. L. Blankenship, *Symbolic construction of models for multibody dynamics*, 1995: what comes out of
its sections II to IV, and what its print has wrong. Every statement here is also a test (`pytest tests/papers`).

A joint is three things: where its moved frame is, :math:`X(q)`; its map :math:`H(q)`, with the relative twist
:math:`\widehat{H p} = X^{-1} \dot X` (angular, then linear, in the moved axes); and its kinematic matrix
:math:`\Gamma(q)`, with :math:`\dot q = \Gamma p`. A *simple* joint has a constant :math:`H`; a *compound* joint is a
sequence of simple ones, of :math:`r = \{r_1 \ldots r_p\}` columns each.
"""

import numpy as np

import jourdain as jd

# %%
# Tables I and II
# ---------------
#
# The familiar joints by their matrices, and the :math:`\Gamma` that comes out. One freedom always has
# :math:`\Gamma = 1`; so has every compound joint of single freedoms (25).


def show(title: str, H: list[list[float]], r: list[int]) -> None:
    """A joint's map and kinematic matrix."""
    m = jd.Model("one joint")
    m.joint("e", m.ground, m.body("body", mass=1.0, inertia=jd.principal(1, 1, 1)), H=H, r=r)
    system = m.system()
    joint = system.joint("e")
    q, motion = joint.coordinates, joint.motion
    print(f"{title}, r = {r}")
    # Proposition 2: the twist of the moved frame, along the way that q̇ = Γ p leads, is H p.
    d, here = jd.compile(system), np.linspace(0.3, 0.8, len(q))
    for one in np.eye(len(q)):
        step = 1e-6 * d.rates(here, one)
        moved = (d.pose("body", here + step) - d.pose("body", here - step)) / 2e-6
        twist = np.linalg.inv(d.pose("body", here)) @ moved
        seen = [twist[2, 1], twist[0, 2], twist[1, 0], *twist[:3, 3]]
        assert np.allclose(d.jacobian("body", here) @ one, seen, rtol=0, atol=1e-8)
    for label, columns in (("H", zip(*motion.joint_map(system.graph, q))), ("Γ", motion.kinematic(system.graph, q))):
        for row in columns:
            print(f"   {label} ", [str(x).replace("e.", "") for x in row])


I6 = np.eye(6)
show("revolute", I6[:, [2]].tolist(), [1])
show("prismatic", I6[:, [5]].tolist(), [1])
show("screw of pitch 0.1 m/rad", (I6[:, [2]] + 0.1 * I6[:, [5]]).tolist(), [1])
show("cylindrical", I6[:, [2, 5]].tolist(), [2])
show("universal", I6[:, [1, 2]].tolist(), [1, 1])
show("spherical", I6[:, :3].tolist(), [3])

# %%
# The universal joint with three freedoms (35) is the spherical one taken apart: the same configuration, other speeds.

show("three-degree universal", I6[:, :3].tolist(), [1, 1, 1])

# %%
# With six freedoms (36), turns first: the coordinates are 3-2-1 angles and the position in the fixed frame, though the
# speeds are along the moved axes, so that the last three rows of Γ are the rotation matrix. The order of the columns
# chooses (section II.F): with displacements first, position would be measured along the moved axes.

show("six degrees", I6.tolist(), [6])

# %%
# The thin disk
# -------------
#
# A disk of mass m and radius R turns about its fixed centre. As a simple joint its equations are Euler's (54), whatever
# the angles; as a compound joint, Lagrange's (55). The velocity terms, by (40), at m = 5 and R = 2:

angles, p = [0.4, -0.3, 0.8], [0.5, 0.7, -1.1]
for r in ((3,), (1, 1, 1)):
    disk = jd.compile(jd.gallery.thin_disk(r))
    print(f"r = {r}: M =")
    print(disk.mass_matrix(angles))
    print("   velocity terms", disk.bias_forces(angles, p))

# %%
# Euler's are :math:`\omega \times I \omega`, with :math:`I = \mathrm{diag}(5, 5, 10)`; the print has them negative.

euler = jd.compile(jd.gallery.thin_disk((3,)))
assert np.allclose(euler.bias_forces(angles, p), np.cross(p, np.diag([5, 5, 10]) @ p), rtol=0, atol=1e-14)

# %%
# Poincaré's equations
# --------------------
#
# With :math:`\dot q = V p` and :math:`T = \frac12 p^T \mathcal M p` they are (40), and worked out (53),
# :math:`\mathcal M(q)\,\dot p + \mathcal C(q, p)\,p + \mathcal F(q) = Q_p`.
#
# Each function that the paper calls has a name here. The commutators of the columns of :math:`V`,
# :math:`[v_j, v_k] = \sum c^i_{jk} v_i` (38), are constants for every joint: the fields of a simple joint are invariant
# under its own motions, so that they are found at :math:`q = 0`. That is also why quaternions, whose :math:`V` has four
# rows and no inverse, need nothing of their own.

from jourdain.equations.poincare import Poincare
from jourdain.equations.values import values

m = jd.Model("top")
top = m.body("top", mass=1.2, center=(0, 0, 0.3), inertia=jd.principal(0.01, 0.01, 0.004))
m.spherical("tip", m.ground, top)
spinning = Poincare(m.system())
for j, table in enumerate(spinning.structure_constants()):
    print(f"V⁻¹ X_{j + 1} =", [[x.value for x in row] for row in table])

# %%
# The chain's inertia comes from the spatial operators (52), :math:`\mathcal M = H^T \Phi^T M \Phi H`; the matrix
# :math:`\mathcal C` from (53b), its signs put right. On the arm of six freedoms:

poincare = Poincare(jd.gallery.kwatny_arm(wrist=(3,)))
mechanics = poincare.mechanics
q, p, rates = np.random.default_rng(53).uniform(-1, 1, (3, 6))
M = values(mechanics, poincare.chain_inertia(), q)
C = values(mechanics, poincare.velocity_matrix(), q, p)
F = values(mechanics, poincare.potential_forces(), q)
recursion = values(mechanics, mechanics.inverse_dynamics(), q, p, rates)
print("M ṗ + C p + F =", M @ rates + C @ p + F)
assert np.allclose(M @ rates + C @ p + F, recursion, rtol=0, atol=1e-12)
assert np.allclose(values(mechanics, poincare.inverse_dynamics_by_energy(), q, p, rates), recursion, rtol=0, atol=1e-12)

# %%
# The rest by name: of a joint `configuration_matrix`, `joint_map` and `kinematic_matrix` (without a joint's name, the
# whole :math:`V`), of the system `end_effector`, `gravity_potential` and `poincare_function`, which is all but
# :math:`\mathcal M \dot p`.

print(values(mechanics, poincare.kinematic_matrix("wrist"), q))
print(values(mechanics, poincare.end_effector("tip"), q))
assert np.allclose(M @ rates + values(mechanics, poincare.poincare_function(), q, p), recursion, rtol=0, atol=1e-12)

# %%
# The arm of six freedoms
# -----------------------
#
# Shoulder, elbow and wrist; two bars of 3 m and a gripper of 0.7 m. The end effector's matrix agrees with the print:

arm = jd.compile(jd.gallery.kwatny_arm())
q = np.array([0.3, -0.7, 0.5, 0.2, -0.4, 0.6])
print(arm.pose("gripper", q)[:3, :3], arm.pose("gripper", q) @ [0, 0, 0.7, 1])

# %%
# The potential does not. Standing straight up with g = 1 the arm has 1.5 + 4.5 + 0.5 · 6.35 = 9.175 J; the printed
# expression gives 1.5 + 1.5 + 0.35 = 3.35, the sum of the heights of the mass centres above their own bodies' joints.

unit = arm.with_parameters({"g": 1.0})
print(unit.energy(np.zeros(6), np.zeros(6)).potential)

# %%
# The last row of the inertia matrix, for the wrist as a compound and as a simple joint. Its last three entries agree
# with the print; its first three cannot be the arm's, because both printed rows depend on :math:`s_2`, which turns the
# whole arm about an axis fixed in space, and because the simple one has no coupling with the elbow, which carries the
# gripper's mass.

simple = jd.compile(jd.gallery.kwatny_arm(wrist=(3,)))
for name, d in (("compound", arm), ("simple", simple)):
    turned = q + np.array([0.0, 0.7, 0.0, 0.0, 0.0, 0.0])
    assert np.allclose(d.mass_matrix(q), d.mass_matrix(turned), rtol=0, atol=1e-12)
    print(f"{name:9}", d.mass_matrix(q)[-1])

s1, s2, e = q[:3]
first = 1.05 * np.cos(s1 / 2) ** 2 * np.sin(s2) + 0.0969792 * np.cos(e + s1) * np.sin(s2)
print(f"as printed, for the simple one: first entry {first:.4f}, third 0")

# %%
# Errata
# ------
#
# .. list-table::
#    :header-rows: 1
#    :widths: 12 30 30 28
#
#    * - where
#      - as printed
#      - as it must be
#      - how we know
#    * - eq (2b)
#      - :math:`-R` in the inverse of a configuration
#      - :math:`-L R`
#      - the product with :math:`X` is the identity only so
#    * - eq (17)
#      - sums of :math:`L_j` and :math:`L_{j-1}`, and :math:`\mathcal R_0 = 1`
#      - products, and :math:`\mathcal R_0 = 0`, as in (23)
#      - the product of two screws
#    * - text at (32)
#      - multiply (29) by :math:`\lambda`
#      - by :math:`\lambda^{-1}`
#      - with :math:`\lambda` the twist comes out in the fixed axes
#    * - Table II, universal and universal-screw
#      - simple joints with :math:`\Gamma = \mathrm{diag}(1, \cos z_1)`
#      - compound, :math:`r = \{1, 1\}`, :math:`\Gamma = 1`
#      - the columns are not closed under the bracket: with the printed :math:`\Gamma` (a least-squares inverse) the
#        frame also turns at :math:`\sin z_1 \cos z_1` about the axis that :math:`H` lacks, and no other
#        :math:`\Gamma` would do
#    * - eq (40)
#      - :math:`c^k_{ij}\, p_j\, \partial / \partial p_i`
#      - :math:`c^i_{jk}\, p_j\, \partial / \partial p_i`, as in (41)
#      - the two agree on the rotation group, where c is cyclic; for a planar joint only the second gives Lagrange's
#        equations
#    * - eq (41)
#      - :math:`Q^T V^{-1}`
#      - :math:`Q^T V`, as in (40)
#      - power; gravity's forces
#    * - eqs (45), (46)
#      - the arm from joint to joint is the link's own
#      - the joint's displacement added to it
#      - a bead that slides on a turning rod: :math:`m r^2` holds its slide
#    * - eq (48)
#      - a runs from the mass centre to O
#      - from O to the mass centre
#      - the momentum of a body, :math:`m (v + \omega \times a)`
#    * - eq (53b)
#      - signs :math:`-, +\frac{1}{2}, +`
#      - :math:`+, -\frac{1}{2}, -`
#      - (40), worked out, for both representations of the disk
#    * - eq (53c)
#      - :math:`Q_p = V^{-T} Q`
#      - :math:`Q_p = V^{T} Q`
#      - power is :math:`Q^T \dot q = Q_p^T p`
#    * - eq (54b)
#      - :math:`(-5 p_2 p_3,\ 5 p_1 p_3,\ 0)`
#      - the negative: :math:`\omega \times I\omega`
#      - Euler's equations; (40)
#    * - eq (55a), last entry
#      - :math:`\ldots + 5 \sin t_2`
#      - :math:`\ldots + 5 \sin^2 t_2`
#      - :math:`H^T I H`
#    * - eq (55b)
#      - all rows negative
#      - the negative
#      - Lagrange's equations
#    * - IV, potential
#      - heights above the bodies' own joints
#      - :math:`\sum m g z`
#      - standing straight up: 9.175, not 3.35
#    * - IV, last row, compound wrist
#      - entries 1 to 3; :math:`\cos(s_1/2)` without its square in the second
#      - as computed above
#      - every printed entry follows when each joint's rotation is taken one joint too late along the chain; the result
#        depends on :math:`s_2`
#    * - IV, last row, simple wrist
#      - entries 1 to 3, the third 0
#      - as computed above
#      - the same
#    * - IV, last page
#      - the shoulder simple, :math:`r = \{2\}`
#      - compound, :math:`r = \{1, 1\}`
#      - its two columns are not closed under the bracket
#    * - IV, gripper
#      - :math:`m R^2 / 12` about its own axis (kept in the gallery)
#      - :math:`m R^2 / 2` for a solid cylinder
#      - the integral
