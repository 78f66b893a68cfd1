"""
Simulating
==========

`jourdain.simulate` integrates the motion in compiled code: the integrator and the equations are one program, and a step
never returns to Python.
"""

import numpy as np

import jourdain as jd

arm = jd.gallery.stanford_arm()
start = [0, np.pi / 2, 0, 0, 0, 0]
run = jd.simulate(arm, start, np.zeros(6), 10.0)
run

# %%
# The run names the method that was chosen, and holds times, coordinates and speeds at every step. Asked for times, it
# gives the states then:
run = jd.simulate(arm, start, np.zeros(6), np.linspace(0, 10, 101))
run.q.shape, run.counts

# %%
# Every run is checked: what must stay stays, and inverse dynamics gives the applied forces back. No torque acts about
# the vertical, so the momentum of q1 is conserved, which was found without being told.
print(run.checks)

# %%
# Methods
# -------
#
# A method is an object with its tolerances or its step. Explicit methods of high order are the choice for most motions;
# `Radau`, which SciPy steps with exact Jacobians, for very stiff ones; fixed steps for real time; and the symplectic
# rule where energy must stay for ever.
pendulum = jd.gallery.pendulum()
for method in (jd.DormandPrince853(rtol=1e-12), jd.RK4(step=0.05), jd.SymplecticMidpoint(step=0.05)):
    long = jd.simulate(pendulum, [2.0], [0.0], np.linspace(0, 1000, 11), method=method)
    print(f"{method.name:18}  {long.counts['evaluations']:7} evaluations  energy to {long.checks.energy:.0e} J")

# %%
# Inputs
# ------
#
# An input is a value, an expression of coordinates, speeds, parameters and the time, a table, or a function.
# Expressions and tables are compiled with the rest; a function is called in Python, which is slow, but can be anything.
m = jd.Model("cart")
push = m.input("push")
body = m.particle("body", 2.0)
m.prismatic("x", m.ground, body, axis="x")
m.force(push * m.ground.x, at=body.origin)
cart = m.system()
inputs = ("-8*x - 4*xdot", ([0, 1, 2], [0, 3, -3]), lambda t, q, u: np.cos(t))
for given in inputs:
    moved = jd.simulate(cart, [0.1], [0.0], 2.0, {"push": given})
    print(f"x = {moved.q[-1, 0]:.4f} m; {moved.checks}")

# %%
# Events
# ------
#
# An event is a guard, an expression whose zero is looked for. The integration steps to it exactly, so its time is as
# accurate as the motion.
m = jd.Model("ball")
ball = m.particle("ball", 0.2)
m.prismatic("z", m.ground, ball, axis="z")
fall = jd.simulate(m.system(), [2.0], [0.0], 5.0, events={"halfway": "z - 1", "floor": jd.Event("z", stop=True)})
for event in fall.events:
    print(f"{event.name} at {event.t:.12f} s")
assert abs(fall.t[-1] - np.sqrt(4.0 / 9.81)) < 1e-10

# %%
# Constraints
# -----------
#
# What the model keeps at zero stays there: a start near the constraints is put on them, one far from them refused, and
# what integration lets drift is projected out after every step. A loop begins with a position that closes and speeds
# that go together. A mode with switchable constraints on is a compiled system in that mode.
four_bar = jd.compile(jd.gallery.four_bar())
q = four_bar.assemble([0.5, -0.2, 1.0])
free = four_bar.independent(q)
turning = jd.simulate(four_bar, q, four_bar.complete(q, [5.0], free), 20.0)
print(turning.checks)

# %%
# Modes, and machines
# -------------------
#
# Where constraints come and go, one set of equations serves every mode. Modes that are known beforehand can have
# equations of their own: the motion is the same, and many fixed steps take less time. Left to itself, `simulate` does
# so for many equal steps of a system with few switches.
m = jd.Model.of(jd.gallery.shopping_cart())
m.switch("by the clock", m["swivel"].speed, on=jd.sin(9 * m.time), off=-jd.sin(9 * m.time))
shopping = jd.compile(m.system())
place = [0.1, -0.2, 0.3, 0.4]
speeds = shopping.complete(place, [1.0, 0.3], ["u1", "u2"])
both = jd.simulate(shopping, place, speeds, 3.0, {"F": 2.0}, jd.RK4(1e-3), modes=[(), ("by the clock",)])
print(jd.enumerate_modes(shopping), both.counts)

# %%
# A machine makes its steps as somebody asks for them, in real time with the inputs of the moment; switches can be
# turned by hand. While the general equations make its ticks, code of the modes that it meets is made in the background,
# and adopted between two ticks. It also looks ahead: what it foresees is computed on a copy, and when the change comes
# it is resolved from the state that there is then. What derives code in the background takes Python's lock now and
# then; a loop that must never be late names its modes beforehand, has `prepares=False`, and lets Python's collector
# rest (`gc.disable()`).
machine = jd.Machine(shopping, place, speeds, jd.RK4(1e-3), modes=[(), ("by the clock",)], prepares=False)
print(machine.look_ahead(1.0))
machine.advance(0.5, inputs={"F": 2.0})
machine.switch("caster sticks", True)
machine.advance(0.5)
print(*machine.changes, machine.mode, machine.forces["front wheel rolls"], sep="\n")
print(machine.predictions[0].off_time)

# %%
# Other solvers
# -------------
#
# `jourdain.ode` hands the equations, and their exact Jacobian, to whatever takes f(t, y).
from scipy.integrate import solve_ivp

f = jd.ode(jd.compile(arm))
theirs = solve_ivp(f, (0, 10), f.state(start, np.zeros(6)), method="DOP853", rtol=1e-10, atol=1e-12)
q_theirs, _ = f.split(theirs.y[:, -1])
float(np.abs(q_theirs - run.q[-1]).max())
