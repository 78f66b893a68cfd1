"""
Coming from SymPy
=================

A model of `sympy.physics.mechanics` is taken as it is: its accelerations are those of SymPy's own equations, found in
milliseconds.
"""

import time

import numpy as np
from sympy import lambdify, symbols
from sympy.physics.mechanics import (
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    PinJoint,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
)

import jourdain as jd

# %%
# A cart with a pendulum, a spring between the bob and a post, and a force on the cart, in SymPy's words:

m_c, m_p, length, k, c, g, h = symbols("m_c m_p length k c g h")
x, theta, v, omega, F = dynamicsymbols("x theta v omega F")

rail, cart, bob = RigidBody("rail"), RigidBody("cart", mass=m_c), Particle("bob", mass=m_p)
swing = ReferenceFrame("swing")
model = System.from_newtonian(rail)
model.add_joints(
    PrismaticJoint("slider", rail, cart, x, v, joint_axis=rail.x),
    PinJoint(
        "pin", cart, bob, theta, omega, joint_axis=cart.z, child_interframe=swing, child_point=length * swing.y
    ),
)
post = rail.masscenter.locatenew("post", h * rail.y)
post.set_vel(rail.frame, 0)
pathway = LinearPathway(post, bob.masscenter)
model.add_actuators(LinearSpring(k, pathway, length), LinearDamper(c, pathway))
model.add_loads((cart.masscenter, F * rail.x))
model.apply_uniform_gravity(-g * rail.y)

# %%
# `from_sympy` makes a system of it, like any other. It does not matter whether SymPy has formed its equations; values
# are given by symbol or by name. Coordinates and speeds are SymPy's, in SymPy's order.

values = {m_c: 2.0, m_p: 0.5, length: 0.8, k: 30.0, c: 0.4, g: 9.81, h: 0.3}
from_sympy = jd.from_sympy  # imported where it is first asked for
start = time.perf_counter()
system = from_sympy(model, values=values, name="cart and pendulum")
print(f"imported in {1000 * (time.perf_counter() - start):.1f} ms")
print(system.coordinates, system.speeds, system.inputs)

compiled = jd.compile(system)
q, u = np.array([0.1, 0.7]), np.array([0.0, -1.0])
ours = compiled.forward_dynamics(q, u, inputs={"F": 2.0})
print(ours)

# %%
# SymPy's answer at the same state:

model.form_eoms()
arguments = [list(model.q), list(model.u), list(values), F]
both = lambdify(arguments, [model.mass_matrix, model.forcing], cse=True)
mass, forcing = both(q, u, list(values.values()), 2.0)
theirs = np.linalg.solve(mass, forcing)[:, 0]
print(theirs)
assert np.allclose(ours, theirs, rtol=1e-12)

# %%
# SymPy's models state velocities, and places only as far as these need them: a wheel may roll without an angle, a
# contact point be at rest while it wanders. That is kept. Each body becomes a *guided* one, whose velocities are
# the model's expressions; a speed that is no coordinate's rate gets a coordinate `SPEED.integral`, on which nothing
# depends; auxiliary speeds are zero. Weights are loads, so they are not in `gravity_forces`.
#
# Holonomic constraints close loops and can be assembled:

model.add_holonomic_constraints(bob.masscenter.pos_from(rail.masscenter).dot(rail.x) - length / 2)
model.q_ind, model.q_dep = [theta], [x]
model.u_ind, model.u_dep = [omega], [v]
held = jd.compile(jd.from_sympy(model, values=values))
q = held.assemble([0.7, 0.0])
u = held.complete(q, [1.0], names=["omega"])
print(held.system.coordinates, q, u)
print(held.forward_dynamics(q, u), held.constraint_forces(q, u))

# %%
# A `KanesMethod` brings its own bodies and loads, or takes them here: `from_sympy(method, bodies=..., loads=...)`. What
# cannot be imported is said by name, everything at once:

try:
    jd.from_sympy(model, values={"mp": 1.0})
except jd.ModelError as error:
    print(error)

# %%
# The other way, `to_sympy` gives the matrices of any system in `dynamicsymbols`: M u̇ = forcing, q̇ = W u + X, and
# A u̇ + rest = 0 under constraints.

equations = jd.to_sympy(jd.gallery.double_pendulum(), evaluate=True)
print(equations.mass_matrix)
print(equations.kinematics)

# %%
# `benchmarks/sympy_import.py` times both libraries from the model to the first answer, and `jourdain derive
# model.py:function` reads a function that answers a model of SymPy's.
