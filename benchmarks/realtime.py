"""The shopping cart in the real-time loop while Python is busy; and where a wall begins to swing, found by trying.

Run it: python benchmarks/realtime.py [SECONDS]

The cart is pushed to and fro by a simulated hand at 1 kHz: coupler, guard, mode check and four steps in each tick, for
60 s if not said otherwise, with real-time priority where it is granted. The wall's stiffness is raised until swings of
device and hand grow, in the loop's own stages; beside it the stiffness at which an eigenvalue of a period of all leaves
the unit circle, and the published formula.
"""

from __future__ import annotations

import sys

import numpy as np

import jourdain as jd
from jourdain import touch
from jourdain.console import Console
from jourdain.touch.punctuality import HEADER, Measured, busy_thread

RATE = 1000.0
FREE = touch.Limits(1e9, 1e9, 1e15, 1e15, 1e-9)


def cart(seconds: float, console: Console) -> None:
    """Lateness, and how long a tick takes."""
    compiled = jd.compile(touch.with_hands(jd.gallery.shopping_cart()))
    q = [0.0, 0.0, 0.0, 0.4]
    u = compiled.complete(q, [0.0, 0.0], ["u1", "u2"])
    way = np.zeros((1, round(seconds * RATE), 3))
    way[0, :, 0] = 0.05 * (1.0 - np.cos(2.0 * np.pi * np.arange(way.shape[1]) / 1500.0))
    device, hand = touch.Device(0.1, 2.0), touch.Hand(0.3, 20.0, 2000.0)
    display = touch.Display(
        compiled, q, u, RATE, lambda wires: touch.SimulatedDevice(device, hand, 1.0 / RATE, wires.shown, path=way),
        touch.Limits(20.0, 2.0, 5000.0, 500.0), substeps=4, modes=[(), ("caster sticks",)],
    )  # fmt: skip
    display.couplers.hold(touch.Coupler(500.0, 20.0, 1.0, 0.1))
    display.guard.arm()
    with busy_thread():
        display.loop.start(ticks=way.shape[1])
        while not display.loop.join(0.1):
            pass
    console.table(HEADER, [Measured(True, display.loop.granted, display.loop.lateness).cells()])
    for line in display.loop.granted.lines():
        console.print(line)
    spent = np.quantile(display.loop.log[:, 3], [0.5, 0.99]) / 1e3
    longest = display.loop.lateness.longest * 1e6
    console.print(f"a tick: median {spent[0]:.2f} µs, p99 {spent[1]:.2f} µs, longest {longest:.1f} µs")


def grows(stiffness: float, coupler: touch.Coupler, device: touch.Device, hand: touch.Hand) -> bool:
    """Whether swings in front of a wall do, in the stages as the loop does them."""
    told, handles, wanted, shown = touch.timing(), np.zeros((1, 18)), np.zeros(6), np.zeros(6)
    told[2] = 1.0 / RATE
    handles[0, 3:12] = np.eye(3).ravel()
    simulated = touch.SimulatedDevice(device, hand, 1.0 / RATE, shown, [[1e-4, 0, 0]], np.zeros((1, 1, 3)))
    couplers = touch.Couplers(told, simulated.devices, handles, wanted, shown)
    guard = touch.Guard(told, wanted, shown, FREE)
    couplers.hold(touch.Coupler(stiffness, coupler.damping), wherever=False)
    guard.arm()
    couplers.target[:], guard.order[:] = couplers.settings.read(), guard.orders.read()
    codes = (simulated._reading, couplers.session, guard.session, simulated._writing)
    places = []
    for _ in range(12_000):
        for code in codes:
            code.run()
        places.append(float(simulated.devices[0, 0]))
    swings = np.abs(np.diff(places, 4))  # in which nothing slow is left
    return bool(swings[-2000:].max() > swings[4000:6000].max())


def walls(console: Console) -> None:
    """Onsets found by trying, computed, and by the formula."""
    rows = []
    for hand in (touch.Hand(), touch.Hand(0.3, 2.0, 150.0)):
        for delay in (0, 1):
            device, coupler = touch.Device(0.1, 0.2, delay=delay), touch.Coupler(1.0, 0.5)
            computed = touch.stable_stiffness(touch.immovable(1.0 / RATE), coupler, device, hand)
            low, high = 0.5 * computed, 2.0 * computed
            while high > 1.002 * low:
                middle = float(np.sqrt(low * high))
                low, high = (low, middle) if grows(middle, coupler, device, hand) else (middle, high)
            found = float(np.sqrt(low * high))
            rows.append([
                "none" if hand == touch.Hand() else "a hand", f"{delay}", f"{found:.1f}", f"{computed:.1f}",
                f"{100.0 * (found / computed - 1.0):+.2f} %", f"{touch.stable_wall(device, 1.0 / RATE, 0.5):.1f}",
                f"{touch.passive_stiffness(touch.immovable(1.0 / RATE), coupler, device):.1f}",
            ])  # fmt: skip
    console.table(("hand", "delay", "tried N/m", "computed N/m", "off", "Hulin N/m", "passive N/m"), rows)


if __name__ == "__main__":
    output = Console()
    walls(output)
    output.print()
    cart(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, output)
