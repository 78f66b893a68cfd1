"""
The model builder
=================

Joints, bodies, loads, inputs, tables, prescribed motion, and models made of models.
"""

import numpy as np

import jourdain as jd

# %%
# Bodies
# ------
#
# A body has a mass, a mass centre in its own frame, and an inertia: principal moments, a matrix, or a shape.
# Particles have no inertia, links no mass. All of these may be parameters, or expressions of parameters.

m = jd.Model("arm")
p = m.parameters(m_U=2.0, L=0.5, r=0.03)
upper = m.body("upper", mass=p.m_U, center=(0, 0, p.L / 2), inertia=jd.solid_cylinder(p.r, p.L, axis="z"))
fore = m.body("fore", mass=1.2, center=(0, 0, 0.2), inertia=jd.principal(0.02, 0.02, 0.001))
hand = m.particle("hand", mass=0.4, center=(0, 0, 0.05))

# %%
# An inertia about another point, or along other axes:

casting = jd.tensor([0.30, 0.35, 0.12, 0.01, 0.0, -0.02]).about("origin").in_axes([("z", 0.3)])

# %%
# Joints
# ------
#
# The familiar ones are methods; each stands somewhere in its parent (`at`, `rotation`) and holds its child somewhere
# (`child_at`, `child_rotation`).

m.universal("shoulder", m.ground, upper, axes=("x", "y"))
m.revolute("elbow", upper, fore, axis="y", at=(0, 0, p.L))

# %%
# Any other joint is a 6×n matrix: a column for each speed, relative angular velocity and then velocity of the moving
# frame, along its own axes. `r` says how many columns each *simple* joint of the sequence has.

HOOK = [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]
m.joint("wrist", fore, hand, H=HOOK, r=[1, 1], at=(0, 0, 0.4))
print(m.system().coordinates)

# %%
# Columns that are not closed under the Lie bracket belong to no simple joint. That is said, with what to do:

wrong = jd.Model("wrong")
wrong.joint("joint", wrong.ground, wrong.particle("bob", 1.0, center=(0, 0, 1)), H=HOOK, r=[2])
try:
    wrong.system()
except jd.ModelError as error:
    print(error.mistakes[0].text)

# %%
# Loads
# -----
#
# Forces and torques are vectors, built from bodies' axes and points' motions. Springs, dampers, friction, rotors behind
# gears have names of their own.

tip = hand.point("tip", at=(0, 0, 0.1))
pull = m.input("pull")
m.force(pull * m.ground.z, at=tip)
m.force(-0.8 * tip.velocity, at=tip, name="air")
m.spring(m.ground.point("nail", at=(0.5, 0, 0)), upper.center, stiffness=300.0, rest=0.4)
m.joint_damper("elbow", damping=0.1)
m.joint_friction("elbow", moment=0.05, width=0.01)
m.rotor("elbow", inertia=2e-5, ratio=100.0)

# %%
# A joint's coordinates and speeds are symbols that any expression may hold. An output is read off at any instant.

elbow = m["elbow"]
m.joint_force("elbow", -2.0 * jd.sin(elbow.coordinate) - 0.3 * elbow.speed, name="tendon")
m.output("reach", (tip.position - m.ground.origin.position).norm())
m.output("tip velocity", tip.velocity, axes=hand)

d = jd.compile(m.system())
q, u = np.array([0.1, -0.2, 0.7, 0.0, 0.3]), np.zeros(5)
print(d.outputs(q, u)["reach"])
print(d.forward_dynamics(q, u, inputs={"pull": 3.0}))

# %%
# Parameters change without compiling again, and may carry batch axes: here, three masses at once.

print(d.with_parameters({"m_U": [1.0, 2.0, 3.0]}).mass_matrix(q)[:, 0, 0])

# %%
# Tables
# ------
#
# A table is an expression like any other: straight lines, or a cubic spline where accelerations will be felt.

m.joint_force("elbow", m.table(elbow.coordinate, [-1.0, 0.0, 1.5], [4.0, 0.0, -9.0]), name="stop")

# %%
# Prescribed motion
# -----------------
#
# A joint may be driven: its coordinates are then expressions of time, and it has no freedom of its own. Its speeds and
# accelerations follow by differentiation.

m.prescribe("shoulder", 0.3 * jd.sin(2.0 * m.time), 0.0)
driven = m.system()
print(driven.coordinates)
print(jd.compile(driven).inverse_dynamics([0.7, 0.0, 0.3], np.zeros(3), np.zeros(3), t=0.5))

# %%
# `lock` holds a joint still.
#
# What touches, stops and gives way
# ---------------------------------
#
# Shapes on bodies may touch: `contact` makes, for each point where they can, a constraint that is imposed while they
# press, its gap, and one that is imposed while they stick. Stops keep an expression from falling below zero; `limits`
# makes those of a joint.

press = jd.Model("press")
arm = press.body("arm", mass=2.0, center=(0.25, 0, 0), inertia=jd.solid_box(0.5, 0.1, 0.1))
block = press.body("block", mass=1.0, inertia=jd.solid_box(0.2, 0.3, 0.1))
elbow = press.revolute("elbow", press.ground, arm, axis="-y", at=(0, 0, 0.4))
press.free("loose", press.ground, block)
cube = (block, jd.shapes.Box((0.2, 0.3, 0.1)))
press.contact("block", cube, jd.shapes.Plane(), friction=0.4, restitution=0.1)
press.contact("tip", (arm, jd.shapes.Sphere(0.05, (0.5, 0, 0))), cube, friction=0.2)
press.limits(elbow, lower=-1.2, upper=1.0, restitution=0.3)

# %%
# A constraint that is switched says what imposes it and what deletes it: an expression that rises through zero, which
# may hold what a constraint carries. This latch snaps in as the arm comes up to the level, and gives way at 5 N m.

press.switch(
    "latch",
    elbow.coordinate,
    on=elbow.coordinate,
    off=jd.absolute(press.multiplier("latch")) - 5.0,
)
pressed = press.system()
print(pressed)

# %%
# All of them are constraints like others: any set of them can be imposed, and asked for what it carries.

on_the_floor = [x.normal for x in pressed.contacts if x.name.startswith("block")][::2]
d = jd.compile(pressed).in_mode({"latch", *on_the_floor})
q = pressed.neutral
q[pressed.slices("loose")[0]][:3] = (1.0, 0.0, 0.05)
print(d.constraint_forces(q, np.zeros(7)))

# %%
# Where penalties are wanted instead, as for large batches, `compliant_contact` puts a smooth force (Hunt and Crossley)
# at the same points.
#
# Models of models
# ----------------
#
# A model or a system can be placed in another, under a prefix, as often as wanted; parameters and inputs of the parts
# can be joined.

pair = jd.Model("two arms")
bar = pair.body("bar", mass=4.0, inertia=jd.thin_rod(1.0, axis="y"))
pair.revolute("turn", pair.ground, bar, axis="z")
common = pair.parameter("m_U", 2.0)
for name, side in (("left", 0.5), ("right", -0.5)):
    part = pair.place(m, name, on=bar, at=(0, side, 0), given={"m_U": common})
    pair.joint_damper(part["elbow"], damping=0.2)
pair.system()

# %%
# `Model.of(system)` makes a model of a finished system, to be changed further: `change` gives a body another mass,
# `remove` takes it away with all that it carries, `replace` puts another system in its place.

changed = jd.Model.of(jd.gallery.double_pendulum())
changed.change("lower", mass=3.0, inertia=jd.solid_sphere(0.1))
changed.remove("lower")
changed.system()

# %%
# Saving
# ------
#
# A system is saved to a readable file, from which the same system is loaded.

from pathlib import Path
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    file = Path(folder) / "pair.json"
    pair.system().save(file)
    again = jd.load(file)
print(again.coordinates == pair.system().coordinates)
