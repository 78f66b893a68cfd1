r"""
Gillespie 2003
==============

R. B. Gillespie, *Kane's equations for haptic display of multibody systems*, 2003: a tutorial of Kane's method, and its
three examples. Here are steps 1 and 2 of its simulator, the equations: speeds of one's choice, partial velocities,
constraints embedded by substitution or by recombination, and imposed and deleted as modes. Every statement is also a
test (`pytest tests/papers -k gillespie`).
"""

import numpy as np

import jourdain as jd
from jourdain.equations.embedded import Embedded
from jourdain.equations.kane import Kane
from jourdain.equations.values import values
from jourdain.graph.write import text

# %%
# Example 1: a disk on a ramp
# ---------------------------
#
# The speeds are the centre's velocity up the ramp and r times the disk's angular velocity; while the disk rolls their
# sum is zero. The ground's axes are the ramp's, so the paper's :math:`\mathbf a_1, \mathbf a_2, \mathbf a_3` are
# x, y, z.

data = {"m": 1.3, "J": 0.05, "r": 0.25, "phi": 0.4, "g": 9.7}
m, J, r, phi, g = data.values()
disk = jd.compile(jd.gallery.rolling_disk_on_ramp()).with_parameters(data)
q, u, udot = np.random.default_rng(2003).uniform(-1.0, 1.0, (3, 2))

# %%
# :math:`u = Y \dot q + Z` (1) and :math:`\dot q = W u + X` (2), with the matrices of (6):

print(jd.speed_relations(disk.system))
X = disk.rates(q, np.zeros(2))
W = (disk.rates(q, np.eye(2)) - X).T
assert np.allclose(W, np.diag([1, 1 / r]), rtol=0, atol=1e-15) and not X.any()

# %%
# The table of partial velocities after (36):

kane = Kane(disk.system)
print(kane.table(["B"], axes="ground"))

# %%
# Generalized active and inertia forces, beside (38) and (39), with friction 0.83 N:

friction = {"F_f": 0.83}
F = values(kane.mechanics, kane.active_forces(), q, u, parameters=data, inputs=friction)
F_star = values(kane.mechanics, kane.inertia_forces(), q, u, udot, parameters=data)
by_38 = np.array([-m * g * np.sin(phi) - 0.83, -m * udot[0]])
by_39 = np.array([-0.83, -J / r**2 * udot[1]])  # F2 is printed without the sign
print("F1, F1*:", F[0], F_star[0], "  (38):", *by_38)
print("F2, F2*:", F[1], F_star[1], "  (39):", *by_39)
assert np.allclose([F, F_star], np.array([by_38, by_39]).T, rtol=0, atol=1e-13)

# %%
# Rolling embeds the constraint u1 + u2 = 0: D of (7), and the table by substitution after (40).

rolling = Embedded(kane, "rolls", ["u1"])
print("D =", [text(x) for row in rolling.dependence() for x in row])
print(rolling.substituted.table(["B"], axes="ground"))

# %%
# The constrained forces by recombination, (44), (45) and (47), :math:`\tilde F_1 = F_1 - F_2` and
# :math:`\tilde F_1^* = F_1^* - F_2^*`; and by substitution, as dot products with that table. Friction drops out.

for name, way in (("recombination", rolling), ("substitution", rolling.substituted)):
    F = values(kane.mechanics, way.active_forces(), q, u, parameters=data, inputs=friction)
    F_star = values(kane.mechanics, way.inertia_forces(), q, u, udot, parameters=data)
    print(f"by {name:13}: F̃1, F̃1* =", *F, *F_star)
    assert np.allclose(F, -m * g * np.sin(phi), rtol=0, atol=1e-13)  # (41)
    assert np.allclose(F_star, -(m + J / r**2) * udot[0], rtol=0, atol=1e-13)

# %%
# In compiled functions rolling is a mode, switched on and off while a program runs: (42), and the friction that it
# needs, which no equation of motion mentions.

rolls = disk.in_mode({"rolls"})
u = rolls.complete(q, [0.4], ["u1"])
found = rolls.forward_dynamics(q, u)
print("u̇1 =", found[0], "  (42):", -m * g * np.sin(phi) / (m + J / r**2))
print("friction up the ramp:", rolls.constraint_forces(q, u)["rolls"][0], "N")
assert np.isclose(found[0], -m * g * np.sin(phi) / (m + J / r**2), rtol=1e-14)

# %%
# Velocity remainders
# -------------------
#
# Where frames move with time, velocities have parts that belong to no speed: :math:`X` in (2), :math:`\mathbf v_t` in
# (23), :math:`\tilde{\mathbf v}_t` in (26). Let a belt run at w(t) under the disk: then :math:`E = w` in (5).

model = jd.Model("disk on a belt")
carrier, carriage = model.link("carrier"), model.link("carriage")
wheel = model.body("B", mass=1.0, inertia=jd.about_z(0.05))
model.prismatic("s", model.ground, carrier, axis="x")
model.prismatic("q1", carrier, carriage, axis="x", at=(0, 0.25, 0))
model.revolute("q2", carriage, wheel, axis="z")
model.prescribe("s", jd.sin(3 * model.time))
speed = model.speeds(u1=wheel.center.velocity @ model.ground.x, u2=0.25 * model["q2"].speed)
model.keep("rolls on the belt", speed.u1 + speed.u2 - 0.5 * jd.cos(2 * model.time))
model.output("turning", wheel.omega @ wheel.z)
belt = jd.compile(model.system())
t = 0.3
start = belt.complete(q, [0.0], ["u1"], t=t)
print(Embedded(Kane(belt.system), (), ["u1"]).substituted.table(["B"], axes="ground"))
print("X =", belt.rates(q, np.zeros(2), t=t), "  −ṡ =", -3 * np.cos(3 * t))
print("E =", start[1], "  w =", 0.5 * np.cos(2 * t))
print("remainder of ω:", float(belt.outputs(q, start, t=t)["turning"]), "  E/r =", start[1] / 0.25)
assert np.allclose(belt.rates(q, np.zeros(2), t=t), [-3 * np.cos(3 * t), 0], rtol=0, atol=1e-15)
assert np.isclose(start[1], 0.5 * np.cos(2 * t), rtol=1e-14)

# %%
# Example 2: the spherical wrist
# ------------------------------
#
# Once with the angular velocity along the hand's own axes as speeds, once with the angles' rates.

data = {"M": 2.1, "I1": 0.02, "I2": 0.035, "I3": 0.012, "L": 0.17, "g": 9.7}
M, I1, I2, I3, L, G = data.values()
own = jd.compile(jd.gallery.spherical_wrist()).with_parameters(data)
rates = jd.compile(jd.gallery.spherical_wrist(rates=True)).with_parameters(data)
q, u = np.array([0.3, 0.9, -0.7]), np.array([0.8, -0.5, 0.6])
push = {"T1": 0.3, "T2": -0.2, "T3": 0.4, "F1": 1.1, "F2": -0.6, "F3": 0.9}
T1, T2, T3, F1, F2, _ = push.values()
(s1, s2, s3), (c1, c2, c3), (u1, u2, u3) = np.sin(q), np.cos(q), u

# %%
# The kinematical equations (50) and the dynamical equations (49), both as printed:

turn = (s3 * u2 - c3 * u1) / s2
kinematical = np.array([turn, s3 * u1 + c3 * u2, u3 - c2 * turn])
dynamical = np.array(
    [
        (T1 - L * (F2 + G * M * (s1 * c3 + s3 * c1 * c2)) - (I3 - I2 - M * L**2) * u2 * u3) / (I1 + M * L**2),
        (T2 + L * (F1 + G * M * (s1 * s3 - c1 * c2 * c3)) + (I3 - I1 - M * L**2) * u1 * u3) / (I2 + M * L**2),
        (T3 + (I1 - I2) * u1 * u2) / I3,
    ]
)
print("q̇:", own.rates(q, u), "  (50):", kinematical)
print("u̇:", own.forward_dynamics(q, u, inputs=push), "  (49):", dynamical)
assert np.allclose(own.rates(q, u), kinematical, rtol=1e-14)
assert np.allclose(own.forward_dynamics(q, u, inputs=push), dynamical, rtol=1e-13)

# %%
# The partial angular velocities of C are its own axes:

print(Kane(own.system).table(["C"]))

# %%
# So the mass matrix is diagonal and constant: equations uncoupled in the speeds' rates. With the angles' rates (48) it
# is neither. Where :math:`\sin q_2 = 0` both choices fail, each in its own way: (50) divides by zero, and of (48) the
# mass matrix is singular.

print(own.mass_matrix(q))
print(rates.mass_matrix(q))

# %%
# What either choice costs, in the rule of Table 3 but with sines and cosines in pairs:

for name, system in (("u = ω·c", jd.gallery.spherical_wrist()), ("u = q̇", jd.gallery.spherical_wrist(rates=True))):
    row = jd.count(system)["forward_dynamics"]
    print(f"{name:8} {row['mul'] + row['div']:3} multiplications and divisions, {row['add']:3} additions")

# %%
# Table 3 prints 29 and 16 for (49), 790 and 285 for the other choice. The choice can be left to the library too: what
# some choices cost for the wrist in the angles' rates, and the best for forward dynamics.

print(jd.compare_speeds(rates.system))

# %%
# Speeds that make the mass matrix diagonal exist for every tree. Here the paper's are better ones, for theirs is
# constant as well:

diagonal = jd.compile(jd.diagonal_speeds(rates.system)).with_parameters(data)
print(diagonal.mass_matrix(q))
assert not diagonal.mass_matrix(q)[~np.eye(3, dtype=bool)].any()

# %%
# Gibbs and Appell
# ----------------
#
# :math:`\partial \mathbf p/\partial q_r = \partial \mathbf v/\partial \dot q_r = \partial \mathbf a/\partial \ddot q_r`
# (20). Its second half makes Kane's equations those of Gibbs and Appell, :math:`\partial S/\partial \dot u_r = Q_r`,
# which differentiate an energy of accelerations:

from jourdain.equations.gibbs_appell import GibbsAppell

gibbs = GibbsAppell(jd.gallery.spherical_wrist(rates=True))
udot = np.array([0.4, -0.9, 0.2])
by_gibbs = values(gibbs.mechanics, gibbs.inverse_dynamics(), q, u, udot, parameters=data, inputs=push)
by_kane = rates.inverse_dynamics(q, u, udot, inputs=push)
print("Gibbs and Appell:", by_gibbs)
print("Kane:            ", by_kane)
assert np.allclose(by_gibbs, by_kane, rtol=0, atol=1e-13)
first = values(gibbs.mechanics, gibbs.partial_velocities("C"), q)
second = values(gibbs.mechanics, gibbs.partial_accelerations("C"), q, u)
assert np.allclose(first, second, rtol=0, atol=1e-15)

# %%
# Example 3: the shopping cart
# ----------------------------
#
# The rear wheels' rolling is in the choice of speeds (51) to (54); that the front wheel rolls (58) is permanent, that
# the caster sticks (64) comes and goes.

data = {"m_B": 21.0, "m_C": 1.3, "I_B": 1.7, "L1": 0.42, "L2": 0.87, "L3": 0.11}
m_B, m_C, I_B, L1, L2, L3 = data.values()
cart = jd.compile(jd.gallery.shopping_cart()).with_parameters(data)
q = np.array([0.4, -0.3, 0.5, 0.6])
s4, c4 = np.sin(q[3]), np.cos(q[3])
cart.system

# %%
# Y of (56) and W of (57), and the rows (59) and (64):

print(jd.speed_relations(cart.system))
s3, c3 = np.sin(q[2]), np.cos(q[2])
assert np.allclose(cart.rates(q, np.eye(3)).T, [[c3, 0, 0], [s3, 0, 0], [0, 1, 0], [0, -1, 1]], rtol=0, atol=1e-15)
sticking = cart.in_mode({"caster sticks"})
rows = [sticking.residual(q, one) for one in np.eye(3)]
for name in ("front wheel rolls", "caster sticks"):
    print(f"{name:18}", np.array([row[name][0] for row in rows]))
print("(59)              ", np.array([-s4, L2 * c4, -L3]))

# %%
# The caster turns freely
# ^^^^^^^^^^^^^^^^^^^^^^^
#
# u3 follows from u1 and u2 by (60). The generalized inertia forces (63), as printed, and ours, recombined from the
# equations in u1, u2, u3 by (44) and (45), or by substitution:

D = np.array([-s4, L2 * c4]) / L3
u1, u2 = 0.7, -0.4
u = cart.complete(q, [u1, u2], ["u1", "u2"])
u3 = u[2]
print("u3 =", u3, "  (60):", D @ [u1, u2])
push = {"F": 12.0, "tau": -3.0}
udot = cart.forward_dynamics(q, u, inputs=push)

by_63 = np.array(
    [
        (L1 * m_B + L2 * m_C * c4**2) * u2**2 - L3 * m_C * c4 * u3**2 - m_C * s4 * c4 * u1 * u2
        - (m_B + m_C * c4**2) * udot[0] - L2 * m_C * s4 * c4 * udot[1],
        m_C * L2**2 * s4 * c4 * u2**2 - L2 * L3 * m_C * s4 * u3**2 - (L1 * m_B + L2 * m_C * s4**2) * u1 * u2
        - L2 * m_C * s4 * c4 * udot[0] - (I_B + m_B * L1**2 + m_C * L2**2 * s4**2) * udot[1],
    ]
)  # fmt: skip
free = Embedded(Kane(cart.system), (), ["u1", "u2"])
for name, way in (("recombination", free), ("substitution", free.substituted)):
    F = values(free.kane.mechanics, way.active_forces(), q, u, parameters=data, inputs=push)
    F_star = values(free.kane.mechanics, way.inertia_forces(), q, u, udot, parameters=data)
    print(f"by {name:13}: F̃ =", F, " F̃* =", F_star)
    assert np.allclose(F, [12.0, -3.0], rtol=0, atol=1e-12)  # (61)
    assert np.allclose(F_star, by_63, rtol=0, atol=1e-12)
print(f"{'(61), (63)':16}: F̃ = [F, τ],", by_63)

# %%
# The caster sticks
# ^^^^^^^^^^^^^^^^^
#
# u2 and u3 follow from u1 by (65). The mass in (67) is right; its velocity terms must cancel, for now the cart is one
# rigid body on wheels that turns about one point: its mass, as felt by u1, is constant.

stuck = Embedded(free.kane, "caster sticks", ["u1"])
print(stuck.substituted.table(["B"]))

# %%
# That is the table after (65), :math:`Z_2 = L_3 - L_2 c_4`.

Z2 = L3 - L2 * c4
Z3, Z4 = L2 * m_C * (L2 - L3 * c4), L1 * m_B + L2 * m_C
Z5 = I_B + Z3 + m_B * L1**2
mass = m_B + Z5 * s4**2 / Z2**2 + m_C * (1 - L3 * s4**2 / Z2)
u = sticking.complete(q, [u1], ["u1"])
_, u2, u3 = u
print("u2, u3 =", u2, u3, "  (65):", s4 / (L2 * c4 - L3) * u1)
print("independent:", sticking.independent(q), "  mass:", sticking.reduced_mass_matrix(q)[0, 0], "  (67):", mass)
squares = (Z4 - L2 * L3 * m_C * s4**2 / Z2) * u2**2 - L3 * m_C * (c4 - L2 * s4**2 / Z2) * u3**2
product = s4 * (Z4 - L3 * m_C * c4) / Z2 * u1 * u2
print("velocity terms of (67) as printed:", squares - product, "  with + before the product:", squares + product)
assert abs(squares + product) < 1e-12
found = sticking.forward_dynamics(q, u, inputs=push)
print("u̇1 =", found[0], "  (67):", (12.0 + 3.0 * s4 / Z2) / mass)
assert np.isclose(found[0], (12.0 + 3.0 * s4 / Z2) / mass, rtol=1e-12)

# %%
# (65) divides by zero where :math:`L_3 = L_2 \cos q_4`: the caster's axle then goes through P1, and the cart can only
# turn about it. Another speed is then the independent one, and nothing is singular:

q[3] = np.arccos(L3 / L2)
print("independent:", sticking.independent(q), "  speeds:", sticking.complete(q, [1.0]))
found = sticking.forward_dynamics(q, sticking.complete(q, [1.0]), inputs=push)
print("u̇ =", found)
assert sticking.independent(q) != ("u1",) and np.isfinite(found).all()

# %%
# Which speeds are independent, and which rows say nothing new
# ------------------------------------------------------------
#
# The choice is made from :math:`A_B` (43): its rank is the number of independent rows. The rear wheels' row is zero,
# for the speeds satisfy it. Lock the caster by a latch while it sticks, and one row repeats another; which one, and
# whose force is then not unique, is said by name.

model = jd.Model.of(cart.system)
model.switch("latch", model["C"].omega @ model.ground.z - model["B"].omega @ model.ground.z)
latched = jd.compile(model.system()).with_parameters(data).in_mode({"caster sticks", "latch"})
A_B = np.array([[row[0] for row in latched.residual(q, one).values()] for one in np.eye(3)]).T
print("rows of", list(latched.residual(q, np.zeros(3))))
print("singular values:", np.linalg.svd(A_B, compute_uv=False).round(3))
said = latched.redundancy
print("rank", said.rank, " repeated:", said.repeated, " not unique:", said.not_unique)
assert np.allclose(latched.forward_dynamics(q, [0, 1, 1], inputs=push), found, rtol=0, atol=1e-12)

# %%
# Errata
# ------
#
# In the text that we have; some may be the scan's. Each has its proof in `tests/papers/test_gillespie_disk.py` or
# `tests/papers/test_gillespie_cart.py`.
#
# .. list-table::
#    :header-rows: 1
#    :widths: 15 30 28 27
#
#    * - where
#      - as printed
#      - as it must be
#      - how we know
#    * - example 1, before (6)
#      - :math:`x \cos\phi - y \sin\phi = r`
#      - :math:`y \cos\phi - x \sin\phi = r`
#      - :math:`\mathbf p^{O B_o} \cdot \mathbf a_2` at any :math:`q_1`
#    * - (4), (5)
#      - A and B partition :math:`A_B` of (3), and :math:`D = A^{-1} B`
#      - :math:`D = -A^{-1} B`, :math:`E = -A^{-1} C`
#      - of :math:`u_1 + u_2 = 0` it is (7), D = [−1]
#    * - (18)
#      - for each particle
#      - in the sum over all particles
#      - the rods of a double pendulum
#    * - (33)
#      - no sign
#      - minus
#      - (14); with (34)
#    * - (37)
#      - :math:`{}^B \boldsymbol\alpha^B`
#      - :math:`{}^N \boldsymbol\alpha^B`
#      - in B itself it is zero
#    * - (39)
#      - :math:`F_2 = F_f`
#      - :math:`F_2 = -F_f`
#      - :math:`\boldsymbol\omega_2 \cdot \mathbf T^B` with :math:`\mathbf T^B = -r F_f \mathbf a_3`; (40) has it so,
#        and in (41) friction must drop out. (39) and (40) contradict each other
#    * - (45)
#      - the sum begins at n + 1
#      - at p + 1
#      - it would be empty; (44)
#    * - example 3, step 1
#      - :math:`q_3` is between :math:`\mathbf n_1` and :math:`\mathbf b_2`
#      - between :math:`\mathbf n_1` and :math:`\mathbf b_1`
#      - (56), (57)
#    * - (66), (67)
#      - :math:`M_b`, :math:`m_R`
#      - :math:`m_B`
#      - the mass felt by :math:`u_1`
#    * - (67)
#      - :math:`-s_4 (Z_4 - L_3 m_C c_4) / Z_2\, u_1 u_2`
#      - plus
#      - no velocity terms are left while the caster sticks
#    * - (66), (67)
#      - :math:`Z_6` with :math:`Z_5 + m_C L_3^2 - L_2 L_3 m_C c_4`, and :math:`+ L_2 Z_6 s_4 u_2`
#      - with :math:`Z_5` alone, and minus
#      - :math:`\dot u_2` by (65) at any :math:`\dot q_4`. It does no harm: :math:`Z_1 = \dot q_4`, and so all of
#        :math:`Z_6`, is zero while the caster sticks
