"""
Vectors and speeds
==================

Positions, velocities and accelerations of any point as seen from any body; what rolls, slides and meshes; and
generalized speeds: yours, or those that make the equations short.
"""

import numpy as np

import jourdain as jd

# %%
# Vectors
# -------
#
# A vector is written without choosing axes. Bodies and frames have unit vectors `x`, `y`, `z` and angular velocities,
# points have positions, velocities and accelerations; `@` is the dot product.

m = jd.Model("crane", gravity=(0, 0, -9.81))
p = m.parameters(L=2.0, h=0.3)
tower = m.body("tower", mass=50.0, inertia=jd.principal(4.0, 4.0, 2.0))
jib = m.body("jib", mass=8.0, center=(p.L / 2, 0, 0), inertia=jd.thin_rod(2.0, axis="x"))
load = m.particle("load", mass=3.0)
m.revolute("slew", m.ground, tower, axis="z")
m.revolute("luff", tower, jib, axis="-y", at=(0, 0, p.h))
m.universal("swing", jib, load, at=(p.L, 0, 0), child_at=(0, 0, 1.5))
tip = jib.point("tip", (p.L, 0, 0))

hanging = load.origin.pos_from(tip)
m.output("how far out", load.origin.position @ tower.x)
m.output("how steep", -(hanging @ m.ground.z) / hanging.norm())

# %%
# Seen from any body
# ------------------
#
# `P.vel(body)` and `P.acc(body)` are a point's velocity and acceleration as that body sees them; `B.ang_vel_in(A)` and
# `B.ang_acc_in(A)` a body's relative turning. `v.dt(body)` differentiates any vector as seen from a body, and
# `m.rate(x)` any scalar.

m.output("seen by the driver", load.origin.vel(tower), axes=tower)
m.output("luffing", jib.ang_vel_in(tower) @ jib.y)
m.output("sway", m.rate(hanging @ tower.y))

crane = m.system()
d = jd.compile(crane)
q, u = np.array([0.4, 0.3, 0.1, -0.2]), np.array([0.2, -0.1, 0.3, 0.4])
print({name: float(x) for name, x in d.outputs(q, u).items()})

# %%
# A wrong mixture says what to do:

try:
    tip.velocity + 1.0  # type: ignore[operator]
except TypeError as error:
    print(error)

# %%
# Reading vectors of a finished system
# ------------------------------------
#
# `kinematics` answers with what a vector is, in coordinates, speeds and their rates, along any axes; in a notebook it
# shows itself as mathematics, and `at` gives numbers.

k = jd.kinematics(jd.gallery.double_pendulum())
bob = k["lower"].center
k.of(bob.acceleration, axes=k["upper"])

# %%

print(k.of(bob.velocity))
print(k.of(bob.velocity @ bob.velocity).at([0.3, -0.2], [1.0, 2.0]))

# %%
# What rolls and slides
# ---------------------
#
# `ball`, `wheel`, `knife_edge` and `ball_on_ball` answer with the gap, the slip and the spin at a contact, on the
# ground or on a body that moves; `keep` holds rows of coordinates or of velocities at zero. Here a ball rolls on a
# turntable: whatever its spin, its centre goes in circles, at two sevenths of the table's speed.

t = jd.Model("turntable")
table = t.body("table", mass=1.0, inertia=jd.about_z(1.0))
ball = t.body("ball", mass=1.0, inertia=jd.solid_sphere(0.1))
t.revolute("turn", t.ground, table, axis="z")
t.prescribe("turn", 3.0 * t.time)
t.free("float", t.ground, ball)
touch = t.ball(ball, radius=0.1, plane=table)
t.keep("touches", touch.gap)
t.keep("rolls", *touch.slip)
t.output("felt", ball.origin.acceleration)
rolling = jd.compile(t.system())

still = np.array([0.5, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0])
free = rolling.independent(still)
moving = rolling.complete(still, [0.7, -0.2, 0.4], free)
felt = rolling.outputs(still, moving)
print([float(felt[f"felt.{axis}"]) for axis in "xyz"], 2 / 7 * np.cross([0, 0, 3.0], moving[3:]))

# %%
# Loops are closed by one more joint, as a constraint: `m.close("loop", "revolute", rod, slider, at=…)`, with any of the
# familiar kinds, a screw, or any joint given by its matrix. `m.gear` couples two joints.
#
# Generalized speeds
# ------------------
#
# By default the speeds are the joints' own. `m.speeds` takes any others that are linear in velocities, and
# `speed_relations` shows what the choice means: Kane's :math:`u = Y p + Z` and :math:`p = W u + X`.

s = jd.Model("sled", gravity=(0, 0, 0))
body = s.body("body", mass=2.0, inertia=jd.about_z(0.3))
s.planar("slide", s.ground, body)
edge = s.knife_edge(body, along="x", at=body.point("heel", (-0.4, 0, 0)))
s.keep("edge holds", edge.slip)
s.speeds(v=edge.glide, w=body.omega @ body.z)
jd.speed_relations(s.system())

# %%
# The edge was kept before the speeds were chosen and there are two of them for three joint speeds: they satisfy it
# whatever their values. Y, Z, W and X are expressions there, and numbers from the compiled functions:

print(jd.compile(s.system()).speed_relations([0.0, 0.0, 0.3]).W)

# %%
# Speeds that do not tell the joints' speeds are refused, with the line that chose them. Where they fail at a single
# configuration only, as angular velocity components do in gimbal lock, results there are not finite.
#
# Which speeds are cheap?
# -----------------------
#
# `compare_speeds` counts a system's operations in several sets of speeds: the joints' own; components of bodies'
# velocities along their own axes; and speeds that make the mass matrix diagonal.

jd.compare_speeds(jd.gallery.kwatny_arm())

# %%
# `efficient_speeds` takes the cheapest, `diagonal_speeds` the diagonal ones, `with_speeds` any others, each for a
# finished system.

arm = jd.efficient_speeds(jd.gallery.kwatny_arm())
print(jd.count(arm, ["forward_dynamics"])["forward_dynamics"])
print(jd.speed_relations(jd.diagonal_speeds(jd.gallery.double_pendulum())))
