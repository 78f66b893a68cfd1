"""One contact that strikes, without friction or in a plane: exact, straight from event to event.

Velocities are straight lines over the normal impulse between events: slip stops and then sticks or turns back,
compression ends, restitution has done e² of the work that compression took (W. J. Stronge, Proc. R. Soc. A 431, 1990).
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel

FLAT = 1e-13  # slope of the normal velocity, beside W_nn: less is none


@kernel
def strike_line(
    W: Floats, v: Floats, ld: int, n: int, count: int, mu: float, e: float, impulse: Floats, after: Floats
) -> int:
    """0 when resolved, 1 where no impulse turns the approach back (jammed for ever). count: tangents, 0 or 1.

    Rows n (normal, v[n] < 0) and n + 1 of W and v; impulse and after are written there.
    """
    own = W[n * ld + n]
    if not (own > 0.0):
        return 1
    if count == 0:
        impulse[n] = -(1.0 + e) * v[n] / own
        after[n] = -e * v[n]
        return 0
    t = n + 1
    cross = W[n * ld + t]
    across = W[t * ld + t]
    normal = 1.0 * v[n]
    slip = 1.0 * v[t]
    pressed = 0.0
    rubbed = 0.0
    taken = 0.0  # work that compression took, then what restitution still has to give
    faster = 0.0
    returning = 0
    for stage in range(12):
        side = 1.0 if slip > 0.0 else (-1.0 if slip < 0.0 else 0.0)
        ratio = -mu * side
        if side == 0.0:
            if abs(cross) <= mu * across:
                ratio = -cross / across if across > 0.0 else 0.0
            else:
                side = 1.0 if cross > 0.0 else -1.0
                ratio = -mu * side
        rise = own + ratio * cross
        turn = cross + ratio * across
        stops = -slip / turn if slip * turn < 0.0 else -1.0
        if returning == 0:
            ends = -normal / rise if rise > FLAT * own else -1.0
            if stage == 0 and ends >= 0.0 and (stops < 0.0 or (1.0 + e) * ends <= stops):
                # No event of friction: restitution is compression e times over.
                impulse[n] = (1.0 + e) * ends
                impulse[t] = ratio * impulse[n]
                after[n] = -e * v[n]
                after[t] = v[t] + turn * impulse[n]
                if abs(after[t]) <= 1e-16 * abs(v[t]):
                    after[t] = 0.0
                return 0
        else:
            faster = sqrt(max(0.0, normal * normal + 2.0 * max(0.0, rise) * taken))
            ends = 2.0 * taken / (normal + faster) if normal + faster > 0.0 else 0.0
        if ends < 0.0 and stops < 0.0:
            return 1
        if stops >= 0.0 and (ends < 0.0 or stops < ends):
            step = stops
            next_normal = normal + rise * step
            if returning == 0:
                next_normal = min(0.0, next_normal)
            slip = 0.0
        else:
            step = ends
            next_normal = 0.0 if returning == 0 else faster
            slip = slip + turn * step
            if side == 0.0:
                slip = 0.0
        work = 0.5 * step * (normal + next_normal)
        normal = next_normal
        pressed += step
        rubbed += ratio * step
        over = 0
        if returning == 0:
            taken -= work
            if step == ends:
                returning = 1
                taken = e * e * taken
                if not (taken > 0.0):
                    over = 1
        else:
            if step == ends:
                over = 1
            taken -= work
        if over == 1:
            break
    impulse[n] = pressed
    impulse[t] = rubbed
    after[n] = normal
    after[t] = slip
    return 0
