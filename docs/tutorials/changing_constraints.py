"""
Constraints that come and go
============================

A caster sticks and comes loose, a block bounces and comes to rest, a catch holds a door until it is pulled, a piano's
hammer is thrown, let off and checked. Whatever holds at a time is a *mode*; a simulation goes from mode to mode by
itself, and tells what changed, when, and what it cost.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

# %%
# Switched by a condition
# -----------------------
#
# Gillespie's shopping cart (2003) has a caster whose pivot may stick. `m.switch` declares a constraint that is not
# always there; `on` and `off` say when it comes and goes: expressions, at the moment when they rise through zero.
# They may hold what the constraint itself carries, its multiplier. In the gallery's cart the pivot
#
# .. code-block:: python
#
#    m.switch("caster sticks", turning, on=creep - absolute(turning),
#             off=absolute(m.multiplier("caster sticks")) - T_stick)
#
# sticks when it turns slowly, and comes loose at a moment that is too large for it.

cart = jd.compile(jd.gallery.shopping_cart(sticking=True))
start = [0.0, 0.0, 0.0, 0.1]
u = cart.complete(start, [1.0, 0.0], ["u1", "u2"])
run = jd.simulate(cart, start, u, 10.0, {"F": "2*cos(0.7*t)", "tau": "3*sin(1.5*t)"})
print(run.changes_table)

# %%
# Sticking takes a little energy, for a speed jumps; the table says how much. The rest is in the checks, as in every
# run: what inputs and friction did, and what impulses took, accounts for the energy to rounding.

print(run.checks)
run.plot()

# %%
# The modes are the bands of colour. `run.modes` has them as spans, and `run.forces` what every constraint carried.

held = run.forces["caster sticks"][:, 0]
figure, axes = plt.subplots(figsize=(8, 2.5), layout="constrained")
axes.plot(run.t, held)
axes.set(xlabel="t [s]", ylabel="moment in the pivot [N m]")
plt.show()
assert np.abs(held).max() < 0.1 + 1e-9  # where it exceeds this the caster is loose

# %%
# A constraint can as well be switched by hand, in a compiled system of its own mode (`d.in_mode({"caster sticks"})`),
# or by a Python function that is given to `simulate` by name (`m.call`).
#
# Contact
# -------
#
# `m.contact` says that two shapes may touch: they press, rub and bounce, but never pull. A block with four corners over
# a floor is four such points:
#
# .. code-block:: python
#
#    m.contact("floor", (block, jd.shapes.Box((width, height, width))), jd.shapes.Plane(normal="y", height=-height / 2),
#              friction=0.5, restitution=0.4)
#
# Each of them is open, or rests, sticks or slips, and each impact is resolved with its friction.

block = jd.gallery.bouncing_block()
fall = jd.simulate(block, [0.0, 0.4, 0.4], [0.5, 0.0, -2.0], 1.2)
print(len(fall.changes), "changes; the first of them, and the last:")
for change in (*fall.changes[:4], *fall.changes[-3:]):
    print(change)

# %%
# Bounces that follow one another ever faster end at their limit, and the block lies still. Where there are many modes,
# the picture has a bar for each constraint instead of bands.

fall.plot()

# %%
# What was lost, impact by impact and by rubbing, is what the block had:

lost = -sum(change.work for change in fall.changes)
before, after = (fall.compiled.energy(q, u).total for q, u in ((fall.q[0], fall.u[0]), (fall.q[-1], fall.u[-1])))
print(f"impacts took {lost:.4f} J of {before - after:.4f} J; unaccounted for: {fall.checks.energy:.1e} J")
assert fall.checks.energy < 1e-9
assert 0 < lost < before - after  # the rest is friction while it slid

# %%
# A catch
# -------
#
# Stops and switches work together. This door is closed by a spring, slams, bounces off its stop, and is caught when it
# is slow enough; a pull that grows opens it again. The catch gives way at 12 N m, which the multiplier tells to the
# microsecond.

door = jd.gallery.latch()
pull = ([0.0, 6.0, 7.0, 7.01, 20.0], [0.0, 0.0, 30.0, 0.0, 0.0])
swing = jd.simulate(door, [1.0], [0.0], 16.0, {"F": pull}, jd.DormandPrince853(longest_step=0.1))
print(swing.changes_table)
swing.plot()

# %%
# `longest_step` is for the pulse: a door at rest lets an adaptive method take steps so long that it would not see it.
#
# A piano's action
# ----------------
#
# After Gillespie (1992, 1996): key, wippen, jack and hammer. The jack pushes the hammer by its knuckle, until its toe
# meets the regulating button and turns it away: the hammer is let off, flies the last millimetres alone, strikes the
# string, and is caught by the check for as long as the key is held.

piano = jd.gallery.piano_key()
finger = ([0.0, 0.02, 0.021, 0.4, 0.401, 0.6], [0.0, 0.0, 5.0, 5.0, 0.0, 0.0])
law = jd.DormandPrince853(rtol=1e-9, atol=1e-11, longest_step=2e-3)
stroke = jd.simulate(piano, np.zeros(4), np.zeros(4), 0.6, {"F": finger}, law)
stroke.plot()

# %%
# What happened from the finger's touch to the string:

(strike,) = (x for x in stroke.changes if "string" in x.impulses)
for change in stroke.changes:
    if change.t <= strike.t:
        print(change)
print(f"the hammer's head at {strike.u_before[3] * piano.parameters['l_h']:.2f} m/s")
assert 2.0 < strike.u_before[3] * piano.parameters["l_h"] < 2.5

# %%
# Touch is force against time. The same stroke, softer and harder:

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
for force in (1.0, 2.0, 5.0, 15.0):
    table = (finger[0], [force * x / 5.0 for x in finger[1]])
    played = jd.simulate(piano, np.zeros(4), np.zeros(4), 0.25, {"F": table}, law)
    axes.plot(played.t, 1e3 * piano.parameters["l_h"] * played.q[:, 3], label=f"{force:g} N")
axes.axhline(1e3 * piano.parameters["l_h"] * piano.parameters["blow"], color="0.5", linewidth=0.8)
axes.set(xlabel="t [s]", ylabel="hammer [mm]")
axes.legend()
plt.show()
