"""A device and a hand that are simulated: what an encoder tells of them, and how they move under a held force.

Kernels. Along each axis device and hand are one mass on a spring and dampers: (m + m_h) ẍ + (b + b_h) ẋ + k_h (x − x_h)
= f. Under a force that is held its motion between samples is known exactly; dry friction acts in equal parts of the
period.
"""

from __future__ import annotations

from math import floor

from ..program import Floats, kernel
from .hands import AXES, MOTION, OMEGA, PLACE, PUSH, VELOCITY

# Data of a device: six entries of the exact map of (x − x_h, ẋ) and the held force over a part of a period, in this
# order: xx, xv, xf, vx, vv, vf; how dry friction changes a velocity in a part; parts in a period; an encoder's step;
# how many periods later forces act; for turning: vv, vf of the part's map; steps of the path.
XX, XV, XF, VX, VV, VF, DRY, PARTS, GRAIN, DELAY, TURN_VV, TURN_VF, PATH = range(13)
DATA = 13
# Of a hand: place and velocity as they are (3 each), axes (9), angular velocity (3), what the encoder told last (3),
# whether it has, at which step of the path, and forces that are on their way.
TRUE, SPEED, TURNED, TURNING, TOLD, HAS, STEP, WAITING = 0, 3, 6, 15, 18, 21, 22, 23
MOST_DELAY = 16
STATE = WAITING + (MOST_DELAY + 1) * PUSH


@kernel
def sense(state: Floats, data: Floats, devices: Floats, period: float, hands: int) -> None:
    """devices (18 hands): places as encoders tell them; velocities as their differences, as a device finds them."""
    for hand in range(hands):
        s = STATE * hand
        m = MOTION * hand
        for i in range(3):
            place = state[s + TRUE + i]
            if data[GRAIN] > 0.0:
                place = floor(place / data[GRAIN] + 0.5) * data[GRAIN]
            devices[m + VELOCITY + i] = 0.0
            if state[s + HAS] != 0.0:
                devices[m + VELOCITY + i] = (place - state[s + TOLD + i]) / period
            devices[m + PLACE + i] = place
            state[s + TOLD + i] = place
            devices[m + OMEGA + i] = state[s + TURNING + i]
        for i in range(9):
            devices[m + AXES + i] = state[s + TURNED + i]
        state[s + HAS] = 1.0


@kernel
def turn(axes: Floats, way: Floats, room: Floats) -> None:
    """Axes (9,) after a small turn (3,), by Cayley's map, which keeps them at right angles: R = I + 2/(1 + a²)(â + â²),
    a = way/2. room (9,)."""
    x = 0.5 * way[0]
    y = 0.5 * way[1]
    z = 0.5 * way[2]
    c = 2.0 / (1.0 + x * x + y * y + z * z)
    for j in range(3):
        # â v = a × v, column by column.
        u = axes[j]
        v = axes[3 + j]
        w = axes[6 + j]
        p = y * w - z * v
        q = z * u - x * w
        r = x * v - y * u
        room[j] = u + c * (p + y * r - z * q)
        room[3 + j] = v + c * (q + z * p - x * r)
        room[6 + j] = w + c * (r + x * q - y * p)
    for k in range(9):
        axes[k] = room[k]


@kernel
def go_on(state: Floats, data: Floats, path: Floats, forces: Floats, room: Floats, period: float, hands: int) -> None:
    """A period on. path (3 steps hands): where each hand wants to be, step by step, the last one for ever. room (12,).
    """
    delay = int(data[DELAY])
    parts = int(data[PARTS])
    steps = int(data[PATH])
    for hand in range(hands):
        s = STATE * hand
        w = PUSH * hand
        waiting = s + WAITING
        for k in range(delay):
            for i in range(6):
                state[waiting + PUSH * k + i] = state[waiting + PUSH * (k + 1) + i]
        for i in range(6):
            state[waiting + PUSH * delay + i] = forces[w + i]
        step = int(state[s + STEP])
        wish = 3 * (steps * hand + min(step, steps - 1))
        state[s + STEP] = state[s + STEP] + 1.0
        for i in range(3):
            x = state[s + TRUE + i] - path[wish + i]
            v = state[s + SPEED + i]
            f = state[waiting + i]
            for _ in range(parts):
                before = x
                x = data[XX] * before + data[XV] * v + data[XF] * f
                v = data[VX] * before + data[VV] * v + data[VF] * f
                # Dry friction takes what it can of the velocity, and no more.
                v = max(v - data[DRY], 0.0) if v > 0.0 else min(v + data[DRY], 0.0)
            state[s + TRUE + i] = x + path[wish + i]
            state[s + SPEED + i] = v
        for i in range(3):
            before = state[s + TURNING + i]
            after = before
            for _ in range(parts):
                after = data[TURN_VV] * after + data[TURN_VF] * state[waiting + 3 + i]
            state[s + TURNING + i] = after
            room[9 + i] = 0.5 * (before + after) * period
        turn(state[s + TURNED :], room[9:], room)
