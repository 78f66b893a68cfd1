"""
Kane's method, with constraints
===============================

Generalized speeds of your own choice, constraints that they satisfy or that are embedded, and how all of it reads. The
mechanism is Gillespie's shopping cart (2003): a basket on two rear wheels that only roll, and a caster in front.
"""

import numpy as np

import jourdain as jd

# %%
# The model
# ---------
#
# Four coordinates say where everything is: the place of P1 between the rear wheels, the basket's heading, the caster's
# angle.

m = jd.Model("cart")
p = m.parameters(m_B=20.0, m_C=1.0, I_B=1.6, L1=0.4, L2=0.9, L3=0.1)
F, tau = m.inputs("F", "tau")
basket = m.body("B", mass=p.m_B, center=(p.L1, 0, 0), inertia=jd.about_z(p.I_B))
caster = m.body("C", mass=p.m_C, center=(-p.L3, 0, 0), inertia=jd.point_mass)
m.planar("cart", m.ground, basket)
m.revolute("swivel", basket, caster, axis="z", at=(p.L2, 0, 0))
P1, P3 = basket.origin, caster.center
m.force(F * basket.x, at=P1)
m.torque(tau * basket.z, on=basket)

# %%
# Constraints and speeds
# ----------------------
#
# `keep` holds an expression at zero: of velocities, or of coordinates. A constraint that stands *before* the speeds is
# one that they satisfy by themselves, whatever their values: the rear wheels leave three speeds of four.

m.keep("rear wheels roll", P1.velocity @ basket.y)
m.speeds(u1=P1.velocity @ basket.x, u2=basket.omega @ basket.z, u3=caster.omega @ caster.z)

# %%
# One that stands after them is kept by a force, as long as it holds. `switch` declares one that comes and goes.

m.keep("front wheel rolls", P3.velocity @ caster.y)
m.switch("caster sticks", m["swivel"].speed)
cart = m.system()

# %%
# What it looks like
# ------------------
#
# In a notebook a system shows itself: a picture with its wheels, the tables of the model, the speeds u = Y q̇ + Z and
# the rates q̇ = W u + X, the constraints, the partial velocities, Kane's equations. `jd.derive(cart)` is the same as an
# object, with `text()`, `latex()` and `html()`; the command is `jourdain derive shopping-cart`.

cart

# %%
# The equations hold a multiplier λ for each row that the speeds do not satisfy:
#
# .. math::
#
#    M \dot u + h = f + A^T \lambda, \qquad A \dot u + b = 0
#
# Below them they stand with these constraints *embedded*: the third speed follows from the two others, its equation is
# combined with theirs, and no multiplier is left. A quotient by something that moves has a name of its own there, Z.

text = jd.derive(cart).text()
start = text.index("Constraints embedded")
print(text[start : text.index("Energy")])

# %%
# Kane's quantities
# -----------------
#
# By their names: partial velocities as a table, with remainders where something moves as given; the generalized active
# forces F, as a whole or by body, joint and load; the generalized inertia forces F*. Their sum is zero on every motion.

from jourdain.equations.kane import Kane

kane = Kane(cart)
print(kane.table())
print("F  =", kane.active_forces(), "of which the push:", kane.load_forces("force 1"))
print("F* of the basket =", kane.inertia_forces_of("B"))

# %%
# The same numbers
# ----------------
#
# A compiled cart satisfies its constraints in every mode. All three speeds stand in `u`, in every mode in the same
# order; `independent` names those that can be chosen, `complete` finds the others.

d = jd.compile(cart).with_inputs({"F": 30.0, "tau": 2.0})
q = np.array([0.0, 0.0, 0.3, 0.4])
rolling = d.complete(q, [1.2, 0.5])
print(d.independent(q), rolling, d.residual(q, rolling))

# %%
# The equations that were printed, typed again; the wheel at P3 moves along the caster alone. They give back the push
# and the torque.

v = cart.parameters
u1, u2, u3 = rolling
s, c = np.sin(q[3]), np.cos(q[3])
rates = d.forward_dynamics(q, rolling)
along = rates[0] * c + rates[1] * v["L2"] * s + u1 * u2 * s - v["L2"] * u2**2 * c + v["L3"] * u3**2
push = v["m_B"] * (rates[0] - v["L1"] * u2**2) + v["m_C"] * along * c
turn = (v["m_B"] * v["L1"] ** 2 + v["I_B"]) * rates[1] + v["m_B"] * v["L1"] * u1 * u2 + v["m_C"] * v["L2"] * along * s
print(push, turn)
assert np.allclose([push, turn], [30.0, 2.0])

# %%
# With the caster stuck one speed is left:

stuck = d.in_mode({"caster sticks"})
print(stuck.independent(q), stuck.forward_dynamics(q, stuck.complete(q, [1.2])))

# %%
# What a choice of speeds costs
# -----------------------------
#
# Speeds are chosen to make equations short. Gillespie's spherical wrist has two sets: the rates of its angles, and the
# components of its hand's angular velocity along the hand's own axes. With the second the mass matrix is diagonal, and
# the equations are Euler's, with gravity and the applied force beside them:

wrist = jd.gallery.spherical_wrist()
text = jd.derive(wrist).text()
print(text[text.index("Line by line") : text.index("The mass matrix")])

# %%
# Operations of the dynamical equations, u̇ = …, under the declared forces. The paper's Table 3 counts each printed
# equation as it stands: 29 multiplications and divisions and 16 additions, against 790 and 285. Here what depends on
# parameters alone is done once and not counted, and what stands twice is computed once.

for rates_too in (False, True):
    found = jd.count(jd.gallery.spherical_wrist(rates=rates_too))["dynamical_equations"]
    print("q̇" if rates_too else "ω·c", found["mul"] + found["div"], found["add"])
