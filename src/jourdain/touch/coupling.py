"""The virtual coupler: a spring and a damper between a device and a handle, in translation and in rotation.

Kernels over flat arrays. J. E. Colgate, M. C. Stanley, J. M. Brown, Issues in the haptic display of tool use, 1995:
impedance display, the device's motion is sensed, the coupler's force shown, and the mechanism feels its opposite.
"""

from __future__ import annotations

from math import sqrt

from ..program import Floats, kernel
from .hands import AXES, MOTION, OMEGA, PLACE, PUSH, VELOCITY

# Settings of a hand: stiffness and damping in translation and rotation; whether it holds the handle; whether it took
# hold of it where the device happened to be, or is to be at the same place.
STIFFNESS, DAMPING, TURN_STIFFNESS, TURN_DAMPING, HOLDS, WHEREVER = 0, 1, 2, 3, 4, 5
SETTINGS = 6
# What is kept: whether it held before, the device's place less the handle's, and the handle's axes in the device's.
HELD, OFFSET, TURNED = 0, 1, 4
GRIP = 13
STRAIGHT = 1e-6  # of cos(θ/2): beyond it the angle is half a turn, and the axis of it is anyone's guess


@kernel
def take_hold(device: Floats, handle: Floats, grip: Floats, wherever: int) -> None:
    """What is kept as a hand closes."""
    for i in range(3):
        grip[OFFSET + i] = 0.0
        for j in range(3):
            grip[TURNED + 3 * i + j] = 0.0
        grip[TURNED + 4 * i] = 1.0
    if wherever != 0:
        for i in range(3):
            grip[OFFSET + i] = device[PLACE + i] - handle[PLACE + i]
            for j in range(3):
                total = 0.0
                for k in range(3):
                    total += device[AXES + 3 * k + i] * handle[AXES + 3 * k + j]
                grip[TURNED + 3 * i + j] = total


@kernel
def turn_between(device: Floats, handle: Floats, grip: Floats, turn: Floats, room: Floats) -> None:
    """turn (3,) = 2 sin(θ/2) a, where a turn by θ about a takes the handle to where the device holds it. Its torque has
    the potential 4 K (1 − cos(θ/2)), so that a coupler without damping gives back what it takes. room (9,)."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += device[AXES + 3 * i + k] * grip[TURNED + 3 * k + j]
            room[3 * i + j] = total
    trace = 0.0
    for i in range(3):
        turn[i] = 0.0
    for k in range(3):
        # Of R = held handleᵀ, column by column: the trace, and what is skew, sin θ a.
        trace += room[k] * handle[AXES + k] + room[3 + k] * handle[AXES + 3 + k] + room[6 + k] * handle[AXES + 6 + k]
        turn[0] = turn[0] + 0.5 * (room[6 + k] * handle[AXES + 3 + k] - room[3 + k] * handle[AXES + 6 + k])
        turn[1] = turn[1] + 0.5 * (room[k] * handle[AXES + 6 + k] - room[6 + k] * handle[AXES + k])
        turn[2] = turn[2] + 0.5 * (room[3 + k] * handle[AXES + k] - room[k] * handle[AXES + 3 + k])
    half = sqrt(max(0.0, 0.25 * (1.0 + trace)))
    for i in range(3):
        turn[i] = turn[i] / max(half, STRAIGHT)


@kernel
def couple(
    devices: Floats, handles: Floats, settings: Floats, grips: Floats, wanted: Floats, room: Floats, hands: int
) -> None:
    """wanted (6 hands): force and torque on each hand. devices, handles (18 hands): their motions. room (12,)."""
    for hand in range(hands):
        m = MOTION * hand
        s = SETTINGS * hand
        g = GRIP * hand
        w = PUSH * hand
        if settings[s + HOLDS] == 0.0:
            for i in range(6):
                wanted[w + i] = 0.0
        else:
            if grips[g + HELD] == 0.0:
                take_hold(devices[m:], handles[m:], grips[g:], int(settings[s + WHEREVER]))
            turn_between(devices[m:], handles[m:], grips[g:], room[9:], room)
            for i in range(3):
                away = devices[m + PLACE + i] - grips[g + OFFSET + i] - handles[m + PLACE + i]
                faster = devices[m + VELOCITY + i] - handles[m + VELOCITY + i]
                wanted[w + i] = -(settings[s + STIFFNESS] * away + settings[s + DAMPING] * faster)
                faster = devices[m + OMEGA + i] - handles[m + OMEGA + i]
                wanted[w + 3 + i] = -(settings[s + TURN_STIFFNESS] * room[9 + i] + settings[s + TURN_DAMPING] * faster)
        grips[g + HELD] = settings[s + HOLDS]
