"""Contacts in a mode: which rows they hold, what is watched of them, which are near enough to touch."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .motion import slip_direction
from .touching import OPEN, RESTS, SLIPS, SLOW, STICKS

TOUCH = 1e-10  # [m]: a gap below this is closed
GIVE = 2e-6  # of the greatest friction: what sticks holds so much more, so that it slips with certainty when it lets go
SIGN = 1e-250  # a guard that says yes or no
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
    rounding; it counts from there. least (contacts,): the smallest that
    is of forces; of contacts that are quiet only this tells of them."""
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
        least[k] = values[k] if touch[k] == SLIPS else min(values[k], values[contacts + k])
        if quiet[k] != 0.0:
            values[k] = 1.0
            if touch[k] != SLIPS:
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
    """Closed contacts are quiet where forces have been decided anew and all goes on: their guards are not watched then,
    but whether any forces are allowed with which it goes on.

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
def rouse(contacts: int, least: Floats, quiet: Floats) -> None:
    """Contacts are quiet no longer where all forces are allowed as they are shared."""
    brink = 0
    for k in range(contacts):
        if quiet[k] != 0.0 and least[k] < 0.0:
            brink = 1
    if brink == 0:
        for k in range(contacts):
            quiet[k] = 0.0


@kernel
def are_quiet(contacts: int, quiet: Floats) -> int:
    """1 if any contact is."""
    for k in range(contacts):
        if quiet[k] != 0.0:
            return 1
    return 0


@kernel
def as_they_are(
    count: int, closed: Floats, chosen: Floats, start: Floats, sides: Floats, touch: Floats, velocities: Floats,
    heading: Floats, friction: Floats, coefficient: Floats, moving: Floats, direction: Floats,
) -> None:
    """Of each contact in the lists: coefficient of friction, whether it slips, and where to (2 each)."""
    for i in range(count):
        k = int(closed[i])
        coefficient[i] = friction[k]
        moving[i] = 0.0
        if touch[k] == SLIPS and int(sides[i]) > 0:
            moving[i] = 1.0
            row = int(chosen[int(start[i]) + 1])
            slip_direction(velocities, row, int(sides[i]), heading[2 * k :], direction[2 * i :])


@kernel
def goes_on(
    contacts: int, count: int, solved: int, closed: Floats, state: Floats, touch: Floats, quiet: Floats,
    values: Floats,
) -> None:
    """Of quiet contacts, one value (of 2 contacts) tells by its sign whether there are forces with which all goes on as
    it does; solved: 0 where forces were found."""
    same = 1
    if solved == 0:
        for i in range(count):
            before = touch[int(closed[i])]
            if state[i] != before and not (state[i] + before == RESTS + STICKS and min(state[i], before) == RESTS):
                same = 0
    told = 0
    for k in range(contacts):
        if quiet[k] != 0.0 and told == 0:
            values[k] = SIGN if same == 1 else -SIGN
            told = 1


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
