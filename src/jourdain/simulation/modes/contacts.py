"""Contacts in a mode: which rows they hold, what is watched of them, which are near enough to touch."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .touching import OPEN, RESTS, SLIPS, SLOW, STICKS

TOUCH = 1e-10  # [m]: a gap below this is closed
GIVE = 2e-6  # of the greatest friction: what sticks holds so much more, so that it slips with certainty when it lets go
NOISE = 4e-15  # [m]: of a gap near zero, where bodies are some metres from the origin


@kernel
def hold(
    rows: int, contacts: int, owners: Floats, switched: Floats, touch: Floats, friction: Floats, normals: Floats,
    slips: Floats, tangents: Floats, holds: Floats,
) -> None:
    """holds (rows,): 1 for rows of permanent constraints, of switches that are on, and of contacts as they touch."""
    for i in range(rows):
        owner = int(owners[i])
        holds[i] = 1.0 if owner == -1 else 0.0
        if owner >= 0:
            holds[i] = switched[owner]
    for k in range(contacts):
        if touch[k] == STICKS or touch[k] == SLIPS:
            holds[int(normals[k])] = 1.0
        if touch[k] == STICKS and friction[k] > 0.0:
            for s in range(int(tangents[k])):
                holds[int(slips[k]) + s] = 1.0


@kernel
def watched(
    contacts: int, touch: Floats, positions: Floats, velocities: Floats, carried: Floats, friction: Floats,
    normals: Floats, slips: Floats, tangents: Floats, heading: Floats, armed: Floats, depth: Floats, quiet: Floats,
    least: Floats, values: Floats,
) -> None:
    """values (2 contacts,): positive while a contact stays as it is. First the gap, or the force where it is closed;
    then how far friction is from its cone, or the slip along its heading, in a plane from the speed at which it counts
    as ended, once it has been faster (armed). depth (contacts,): below zero where an open contact's gap is so by
    rounding; it counts from there. least (contacts,): the smaller one of both;
    of contacts that are quiet only this is told."""
    for k in range(contacts):
        normal = int(normals[k])
        slip = int(slips[k])
        sides = int(tangents[k])
        values[k] = positions[normal] - depth[k]
        values[contacts + k] = 1.0
        if touch[k] == RESTS:
            values[k] = positions[normal] + 0.5 * TOUCH
        if touch[k] == STICKS or touch[k] == SLIPS:
            values[k] = carried[normal]
        if touch[k] == STICKS and friction[k] > 0.0 and sides > 0:
            squares = 0.0
            for s in range(sides):
                squares += carried[slip + s] * carried[slip + s]
            values[contacts + k] = friction[k] * (1.0 + GIVE) * carried[normal] - sqrt(squares)
        if touch[k] == SLIPS:
            total = 0.0
            for s in range(sides):
                total += velocities[slip + s] * heading[2 * k + s]
            values[contacts + k] = total - SLOW if armed[k] != 0.0 else total
        least[k] = min(values[k], values[contacts + k])
        if quiet[k] != 0.0:
            values[k] = 1.0
            values[contacts + k] = 1.0


@kernel
def rates_of_gaps(contacts: int, velocities: Floats, normals: Floats, rates: Floats) -> None:
    """rates (contacts,)"""
    for k in range(contacts):
        rates[k] = velocities[int(normals[k])]


@kernel
def follow_slips(
    contacts: int, touch: Floats, positions: Floats, velocities: Floats, normals: Floats, slips: Floats,
    tangents: Floats, heading: Floats, armed: Floats, depth: Floats,
) -> None:
    """Headings as slips are now, where these can turn; contacts without force that have opened are open."""
    for k in range(contacts):
        if positions[int(normals[k])] > 4.0 * NOISE:
            depth[k] = 0.0
        if touch[k] == RESTS and positions[int(normals[k])] > TOUCH:
            touch[k] = OPEN
        if touch[k] == SLIPS and int(tangents[k]) == 2:
            row = int(slips[k])
            speed = sqrt(velocities[row] * velocities[row] + velocities[row + 1] * velocities[row + 1])
            if speed > 2.0 * SLOW:
                armed[k] = 1.0
            if speed > SLOW:
                heading[2 * k] = velocities[row] / speed
                heading[2 * k + 1] = velocities[row + 1] / speed


@kernel
def gather(
    contacts: int, touch: Floats, fired: Floats, positions: Floats, friction: Floats, normals: Floats, slips: Floats,
    tangents: Floats, closed: Floats, start: Floats, sides: Floats, chosen: Floats, count: Floats,
) -> None:
    """The contacts that touch now: closed (count[0],), their places; chosen (count[1],), their rows, normal first;
    start, sides: where each one's rows begin among these, and how many tangents have friction."""
    found = 0
    row = 0
    for k in range(contacts):
        if positions[int(normals[k])] <= TOUCH or fired[k] != 0.0 or touch[k] == STICKS or touch[k] == SLIPS:
            closed[found] = float(k)
            start[found] = float(row)
            chosen[row] = normals[k]
            row += 1
            sides[found] = 0.0
            if friction[k] > 0.0:
                sides[found] = tangents[k]
                for s in range(int(tangents[k])):
                    chosen[row] = slips[k] + float(s)
                    row += 1
            found += 1
    count[0] = float(found)
    count[1] = float(row)


@kernel
def hush(contacts: int, spares: int, fired: Floats, before: Floats, touch: Floats, quiet: Floats) -> None:
    """Closed contacts are quiet till the end of the next step, where forces have been decided anew and all goes on.

    Only where contacts share a load that motion does not tell, or hardly (spares: rows that others imply): then other
    forces that are allowed were found, and some may be at the brink at once. fired (2 contacts,); before, touch: how
    contacts touched and touch.
    """
    same = 1 if spares > 0 else 0
    asked = 0
    for k in range(contacts):
        if before[k] != touch[k]:
            same = 0
        if touch[k] != OPEN and (fired[k] != 0.0 or fired[contacts + k] != 0.0):
            asked = 1
    for k in range(contacts):
        quiet[k] = 1.0 if same == 1 and asked == 1 and touch[k] != OPEN else 0.0


@kernel
def implied(rows: int, holds: Floats, owners: Floats, rank: int) -> int:
    """How many rows hold beyond the rank, if any of them is a contact's."""
    held = 0
    some = 0
    for i in range(rows):
        if holds[i] != 0.0:
            held += 1
            if owners[i] == -2.0:
                some = 1
    return held - rank if some == 1 else 0


@kernel
def wake(contacts: int, least: Floats, quiet: Floats, fired: Floats) -> int:
    """1 if a contact that was quiet is to be decided anew, and fires."""
    found = 0
    for k in range(contacts):
        if quiet[k] != 0.0:
            quiet[k] = 0.0
            if least[k] < 0.0:
                fired[k] = 1.0
                found = 1
    return found


@kernel
def sound(
    contacts: int, touch: Floats, positions: Floats, velocities: Floats, normals: Floats, depth: Floats
) -> None:
    """depth (contacts,): how far below zero, by rounding, gaps are that have just begun to open, and may still fall
    where they open slowly."""
    for k in range(contacts):
        row = int(normals[k])
        depth[k] = min(0.0, positions[row]) if touch[k] == OPEN else 0.0
        if touch[k] == OPEN and velocities[row] <= SLOW:
            depth[k] -= NOISE
