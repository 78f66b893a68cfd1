"""
Touching a mechanism
====================

A haptic device is held by a person; a virtual coupler, a spring and a damper, joins it to a handle of the mechanism;
what the coupler pulls with is shown to the hand, and the mechanism feels the opposite (Gillespie 2003, example 3). All
of it happens in machine code, a thousand times a second, in a thread that does not wait for Python.
"""

import numpy as np
from matplotlib import pyplot

import jourdain as jd
from jourdain import touch

# %%
# Hands
# -----
#
# `with_hands` puts a force and a torque on every handle of a system, as inputs, and tells the handle's motion, as
# outputs. The shopping cart has a handle between its rear wheels.
cart = jd.compile(touch.with_hands(jd.gallery.shopping_cart()))
print(*cart.system.inputs, sep=", ")
q = [0.0, 0.0, 0.0, 0.4]
u = cart.complete(q, [0.0, 0.0], ["u1", "u2"])

# %%
# No device is needed to try this: a simulated one is held by a simulated hand, which here pushes forth and back by 10
# cm. Both are a mass on springs and dampers under a force that is held between samples, which is integrated exactly;
# the device may have dry friction, an encoder's steps, and a delay.
rate = 1000.0
device, hand = touch.Device(mass=0.1, damping=2.0), touch.Hand(mass=0.3, damping=20.0, stiffness=2000.0)
way = np.zeros((1, 4000, 3))
way[0, :, 0] = 0.05 * (1.0 - np.cos(2.0 * np.pi * np.arange(4000) / 1500.0))

# %%
# A display is a loop of stages: the device is read, the coupler's force found, energy watched, the guard asked, the
# device written to, and the mechanism moved on by a period, here in four steps. `modes` makes code of its own for each
# mode beforehand, and lets switches be turned on the way.
display = touch.Display(
    cart, q, u, rate, lambda wires: touch.SimulatedDevice(device, hand, 1.0 / rate, wires.shown, path=way),
    touch.Limits(force=20.0, torque=2.0, force_rate=5000.0, torque_rate=500.0, ramp=0.1), substeps=4,
    modes=[(), ("caster sticks",)],
)  # fmt: skip
display.couplers.hold(touch.Coupler(stiffness=500.0, damping=20.0, turn_stiffness=1.0, turn_damping=0.1))
display.guard.arm()

# %%
# `start` asks the system for real-time priority, for memory that is never paged out, and for exact timers, and says
# what it got. Meanwhile Python may do what it likes: a snapshot is how everything stood at the end of one tick, taken
# without a lock. After a second the caster is made to stick.
shots = []
display.loop.start(ticks=2000)
while not display.loop.join(0.01):
    shots.append(display.snapshot())
    if shots[-1]["told"][0] > 1000:
        display.mechanism.switch("caster sticks", True)
print(*display.loop.granted.lines(), sep="\n")

# %%
figure, axes = pyplot.subplots(2, sharex=True, figsize=(7, 5))
t = [x["told"][1] for x in shots]
axes[0].plot(t, [x["devices"][0, 0] for x in shots], label="device x [m]")
axes[0].plot(t, [x["handles"][0, 0] for x in shots], label="handle x [m]")
axes[0].plot(t, [x["state"][3] for x in shots], label="swivel of the caster [rad]")
axes[1].plot(t, [x["shown"][0] for x in shots], label="force on the hand [N]")
for x in axes:
    x.legend()
axes[1].set_xlabel("t [s]")
figure.tight_layout()

# %%
# How punctual it was
# -------------------
#
# Deadlines are absolute. One that is over is skipped and counted, and never made up for by ticks in a burst, which
# would be felt as a blow; the mechanism's time then stands still for a period. This is soft real time: `jourdain
# doctor --realtime` measures how late loops are on a machine, and says which rate it kept, which is no guarantee for
# the next minute. Where priority is not granted, let `/etc/security/limits.d` grant `rtprio` and `memlock`, or a
# container CAP_SYS_NICE and CAP_IPC_LOCK; a kernel with PREEMPT_RT, and a core that nothing else runs on, do more. It
# runs where there is a clock that sleeps until an absolute time, as on Linux, and refuses elsewhere.
print(display.loop.lateness)
print(f"{np.median(display.loop.log[:, 3]) / 1e3:.1f} µs for a tick")

# %%
# The guard
# ---------
#
# Forces are limited in size and in how fast they change, grow along a ramp after `arm`, and fall along one after
# `disarm`, after too many missed deadlines in a row, when nobody has given an order for longer than `Limits.oldest`,
# when a device is lost, or when the mechanism cannot go on; `emergency_stop` takes them away at once, and a force that
# is no number is never shown. When the loop ends, zeros are written to the device. A machine that stops altogether is
# beyond all this: devices must have a watchdog of their own.
display.guard.state, display.guard.fault, display.guard.ticks_cut

# %%
# How stiff it may be
# -------------------
#
# A force that is held between samples gives back more than it took. Colgate and Schenkel's condition tells the damping
# that a device needs so that it is passive whatever the hand; the eigenvalues of one period of hand, device, coupler
# and mechanism tell when a loop begins to swing in a hand that is known. Both are of the linear model at the pose and
# in the mode of now.
coupler = touch.Coupler(stiffness=500.0, damping=1.0)
for mode in ((), ("caster sticks",)):
    display.mechanism.switch("caster sticks", bool(mode))
    display.loop.run(2)
    print(mode, touch.report(display.admittance((1, 0, 0)), coupler, device, hand))

# %%
# Of a virtual wall, the published formulas and what is computed: passive up to 2 (b − \|B\|)/T, stable up to about (b
# + B)/(T/2 + t_d); a delay of one period costs two thirds of it.
for damping, delay in ((0.0, 0), (0.0, 1), (1.0, 0)):
    own, spring = touch.Device(0.1, 2.0, delay=delay), touch.Coupler(1.0, damping)
    wall = touch.immovable(1.0 / rate)
    print(
        f"B {damping:g} N s/m, delay {delay}: passive {touch.passive_stiffness(wall, spring, own):.0f} "
        f"(formula {touch.passive_wall(own, 1e-3, damping):.0f} without delay), stable "
        f"{touch.stable_stiffness(wall, spring, own):.0f} (formula {touch.stable_wall(own, 1e-3, damping):.0f}) N/m"
    )

# %%
# The energy that the hand has put in, the least that it ever was, and what a passivity controller has taken out, which
# only works where `Display(controls=True)` asks for it [J].
display.couplers.energy()
