"""What happens at an event, by numbers: switches turned, speeds pushed, contacts prepared for their problems."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .touching import NO_SLIP, OPEN, SLIPS, SLOW, STICKS

BRINK = 1e-6  # of the largest acceleration: how much what has just lost its force is taken to part
JAMMED = 1e-6  # [m/s]: slower slip ends where friction wedges bodies so that no forces go with it
RISE = 1e-13  # [m]: what would rise by less before it touches again has come to rest; rounding is not far below
PAST = 1e-300
STILL = 1e-10  # [m/s]: an approach below this is none


@kernel
def add(n: int, change: Floats, to: Floats) -> None:
    """to (n,) += change"""
    for i in range(n):
        to[i] += change[i]


@kernel
def missed(rows: int, holds: Floats, positions: Floats) -> float:
    """How far the rows that hold are from zero, the farthest of them."""
    found = 0.0
    for i in range(rows):
        if holds[i] != 0.0:
            found = max(found, abs(positions[i]))
    return found


@kernel
def switch_over(count: int, fired: Floats, targets: Floats, turns: Floats, switched: Floats) -> None:
    """Switches that conditions (count,) have turned: targets, which; turns, 1 for on and 0 for off."""
    for i in range(count):
        if fired[i] != 0.0:
            switched[int(targets[i])] = turns[i]


@kernel
def mask(count: int, targets: Floats, turns: Floats, switched: Floats, values: Floats) -> None:
    """Values of conditions that would change nothing are -1 now: a switch that is on cannot be turned on."""
    for i in range(count):
        if switched[int(targets[i])] == turns[i]:
            values[i] = -1.0


@kernel
def relapsed(count: int, total: int, levels: Floats, values: Floats, fired: Floats) -> int:
    """1 if a condition on forces (levels 1) holds as soon as it matters, and has fired; what had fired has been done.

    Of conditions (count,), the first of all that can fire (total,).
    """
    found = 0
    for i in range(total):
        fired[i] = 0.0
    for i in range(count):
        if levels[i] != 0.0 and values[i] > 0.0:
            fired[i] = 1.0
            found = 1
    return found


@kernel
def refresh(count: int, values: Floats) -> None:
    """Contacts as they have just been decided: what rounding leaves of the deciding zeros is as if it were positive."""
    for i in range(count):
        values[i] = max(values[i], PAST)


@kernel
def push(
    n: int, rows: int, matrix: Floats, impulses: Floats, change: Floats, total: Floats, u: Floats, work: Floats
) -> None:
    """u (n,) += change; total (rows,) += impulses; work (1,) += what the impulses do [J], at the mean of the speeds."""
    for i in range(rows):
        if impulses[i] != 0.0:
            rate = 0.0
            for j in range(n):
                rate += matrix[i * n + j] * (u[j] + 0.5 * change[j])
            work[0] += impulses[i] * rate
            total[i] += impulses[i]
    for j in range(n):
        u[j] += change[j]


@kernel
def transposed(n: int, rows: int, matrix: Floats, carried: Floats, to: Floats) -> None:
    """to (n,) = Aᵀ λ"""
    for j in range(n):
        to[j] = 0.0
    for i in range(rows):
        if carried[i] != 0.0:
            for j in range(n):
                to[j] += carried[i] * matrix[i * n + j]


@kernel
def at_rows(
    count: int, n: int, chosen: Floats, matrix: Floats, rates: Floats, rest: Floats, velocities: Floats, v: Floats,
    b: Floats,
) -> None:
    """v, b (count,): velocities of the chosen rows, and their rates at u̇ = rates."""
    for i in range(count):
        row = int(chosen[i])
        total = rest[row]
        for j in range(n):
            total += matrix[row * n + j] * rates[j]
        b[i] = total
        v[i] = velocities[row]


@kernel
def rises(gap: float, v: float, b: float) -> int:
    """1 where something that parts with v [m/s] and is accelerated by b [m/s²] opens its gap, else 0.

    What parts ever so slowly is left to the forces, for those at other contacts are not in b.
    """
    if b >= 0.0:
        return 1 if v > SLOW else 0
    return 1 if v > SLOW and 0.5 * v * v > (RISE - gap) * -b else 0


@kernel
def bouncing(
    count: int, closed: Floats, start: Floats, chosen: Floats, restitution: Floats, laws: Floats, positions: Floats,
    v: Floats, b: Floats, effective: Floats, law: Floats,
) -> int:
    """1 if any contact approaches, else 0. law (1,): of the one that approaches fastest. effective (count,):
    restitution, but 0 where a bounce would be too low.

    Bounces that follow one another ever faster end in this way, at their limit: the time that is left of them is that
    of the next bounce divided by 1 − e.
    """
    found = 0
    fastest = 0.0
    law[0] = 0.0
    for i in range(count):
        first = int(start[i])
        effective[i] = min(1.0, max(0.0, restitution[int(closed[i])]))
        if v[first] < -STILL:
            found = 1
        if v[first] < fastest:
            fastest = v[first]
            law[0] = laws[int(closed[i])]
        if v[first] < 0.0 and rises(positions[int(chosen[first])], -effective[i] * v[first], b[first]) == 0:
            effective[i] = 0.0
    return found


@kernel
def pulled(n: int, rows: int, count: int, chosen: Floats, impulse: Floats, matrix: Floats, pull: Floats,
           impulses: Floats) -> None:  # fmt: skip
    """pull (n,) = Aᵀ p of impulses (count,) on chosen rows; impulses (rows,) the same by row."""
    for j in range(n):
        pull[j] = 0.0
    for i in range(rows):
        impulses[i] = 0.0
    for i in range(count):
        row = int(chosen[i])
        impulses[row] = impulse[i]
        for j in range(n):
            pull[j] += impulse[i] * matrix[row * n + j]


@kernel
def staying(
    count: int, closed: Floats, start: Floats, sides: Floats, chosen: Floats, positions: Floats, v: Floats,
    b: Floats, touch: Floats, counts: Floats,
) -> None:
    """Only contacts that do not separate for longer than a moment stay in the lists; the others are open.

    counts (2,): contacts, rows.
    """
    found = 0
    row = 0
    for i in range(count):
        first = int(start[i])
        many = 1 + int(sides[i])
        if rises(positions[int(chosen[first])], v[first], b[first]) == 1:
            touch[int(closed[i])] = OPEN
        else:
            for s in range(many):
                chosen[row + s] = chosen[first + s]
                v[row + s] = v[first + s]
                b[row + s] = b[first + s]
            closed[found] = closed[i]
            sides[found] = sides[i]
            start[found] = float(row)
            found += 1
            row += many
    counts[0] = float(found)
    counts[1] = float(row)


@kernel
def slipping(
    count: int, closed: Floats, start: Floats, sides: Floats, v: Floats, friction: Floats, coefficient: Floats,
    moving: Floats, direction: Floats,
) -> None:
    """Of each contact in the lists: coefficient of friction, whether it slips already, and where to (2 each)."""
    for i in range(count):
        first = int(start[i])
        coefficient[i] = friction[int(closed[i])]
        squares = 0.0
        for s in range(int(sides[i])):
            squares += v[first + 1 + s] * v[first + 1 + s]
        moving[i] = 0.0
        direction[2 * i] = 0.0
        direction[2 * i + 1] = 0.0
        least = 1.001 * SLOW if int(sides[i]) == 2 else NO_SLIP  # what has just slowed down to it has ended
        if squares > least * least:
            moving[i] = 1.0
            for s in range(int(sides[i])):
                direction[2 * i + s] = v[first + 1 + s] / sqrt(squares)


@kernel
def creeping(
    contacts: int, count: int, closed: Floats, start: Floats, sides: Floats, v: Floats, moving: Floats, touch: Floats
) -> int:
    """1 if a contact slips so slowly that its slip counts as none; touch (contacts,): as if it stuck then."""
    found = 0
    for k in range(contacts):
        touch[k] = OPEN
    for i in range(count):
        touch[int(closed[i])] = STICKS if moving[i] == 0.0 else SLIPS
        for s in range(int(sides[i])):
            if moving[i] == 0.0 and v[int(start[i]) + 1 + s] != 0.0:
                found = 1
    return found


@kernel
def lean(count: int, size: int, closed: Floats, start: Floats, fired: Floats, b: Floats) -> None:
    """b (size,) of contacts whose force has just fallen to zero (fired) is a little towards parting."""
    largest = 0.0
    for i in range(size):
        largest = max(largest, abs(b[i]))
    for i in range(count):
        if fired[int(closed[i])] != 0.0:
            b[int(start[i])] += BRINK * largest


@kernel
def halt(count: int, start: Floats, sides: Floats, v: Floats, moving: Floats) -> int:
    """1 if slow slip was taken for none."""
    found = 0
    for i in range(count):
        squares = 0.0
        for s in range(int(sides[i])):
            squares += v[int(start[i]) + 1 + s] * v[int(start[i]) + 1 + s]
        if moving[i] != 0.0 and squares < JAMMED * JAMMED:
            moving[i] = 0.0
            found = 1
    return found


@kernel
def adopt(
    contacts: int, count: int, closed: Floats, state: Floats, direction: Floats, touch: Floats, heading: Floats,
    moving: Floats, sides: Floats, armed: Floats, size: int, chosen: Floats, force: Floats, rows: int, wanted: Floats,
) -> None:
    """touch, heading of all contacts: as solved for those in the lists, open else; wanted (rows,): the forces found,
    force (size,) on the rows chosen."""
    for k in range(contacts):
        touch[k] = OPEN
        armed[k] = 0.0
    for i in range(rows):
        wanted[i] = 0.0
    for i in range(count):
        k = int(closed[i])
        touch[k] = state[i]
        heading[2 * k] = direction[2 * i]
        heading[2 * k + 1] = direction[2 * i + 1]
        armed[k] = moving[i] if int(sides[i]) == 2 else 0.0
    for i in range(size):
        wanted[int(chosen[i])] = force[i]
