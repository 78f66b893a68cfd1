"""Several contacts that strike at once: each yields a little, like a spring, while nothing else moves.

Contact j has a stiffness k_j while it is compressed and k_j / e_j² while it expands, so that it gives back e_j² of the
work it took: Stronge's energetic coefficient, contact by contact (C. Liu, Z. Zhao and B. Brogliato, Proc. R. Soc. A
464, 2008, write the same law over impulses). With S_j, the work that its force F_j = √(2 k_j S_j) stands for, a step of
impulses Δp changes S_j by −Δp_j (v_j + v_j') / 2 in compression and by e_j⁻² times that in expansion, exactly, and S_j
stays positive. Then friction acts on the velocities that result, within μ_j Δp_j: each of its corrections lowers the
kinetic energy. So energy never increases, however long the steps are. k_j = 1 / W_jj: what one contact alone would do
takes equally long for all, and what is symmetric remains so.
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .cone import stiffness

STEP = 0.01  # of the shortest time that the springs have, about
STEPS = 20000
SWEEPS = 6
LENDING = 0.05  # e below which a force may end too soon to give back friction that it lent
SLOW = 1e-8  # an approach beside the greatest velocity that is left to the end
LEFT = 1e-3  # the same, after all steps


@kernel
def slide(
    a: Floats, v: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, pressed: Floats,
    rubbed: Floats, before: Floats,
) -> None:  # fmt: skip
    """Half of the friction impulses μ_j pressed_j of contacts that slip fast, against that slip: rubbed (2 K).

    With `rub` for the other half, slip that turns is followed as by the trapezoidal rule. Where the mean slip of a
    contact is not against its friction, nothing is done: so it takes energy. before: work (m).
    """
    for i in range(2 * contacts):
        rubbed[i] = 0.0
    for i in range(m):
        before[i] = v[i]
    for k in range(contacts):
        count = int(tangents[k])
        bound = mu[k] * pressed[k]
        if count > 0 and bound > 0.0:
            n = int(at[k]) + 1
            square = before[n] * before[n]
            if count == 2:
                square += before[n + 1] * before[n + 1]
            speed = sqrt(square)
            if speed > 2.0 * bound * stiffness(a, m, n, count):
                for t in range(count):
                    rubbed[2 * k + t] = -0.5 * bound * before[n + t] / speed
                    for i in range(m):
                        v[i] += a[i * m + n + t] * rubbed[2 * k + t]
    wrong = 0
    for k in range(contacts):
        work = 0.0
        for t in range(int(tangents[k])):
            n = int(at[k]) + 1 + t
            work += rubbed[2 * k + t] * (before[n] + v[n])
        if work > 0.0:
            wrong = 1
    if wrong == 1:
        for i in range(2 * contacts):
            rubbed[i] = 0.0
        for i in range(m):
            v[i] = before[i]


@kernel
def rub(
    a: Floats, v: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, pressed: Floats,
    slid: Floats, rubbed: Floats,
) -> None:  # fmt: skip
    """Friction impulses, beside those that `slide` found, that lower the kinetic energy of v, which they change.

    Within μ_j pressed_j, less what slid; slid and rubbed (2 K).
    """
    for i in range(2 * contacts):
        rubbed[i] = 0.0
    for _ in range(SWEEPS):
        changed = 0.0
        for k in range(contacts):
            count = int(tangents[k])
            bound = mu[k] * pressed[k]
            if slid[2 * k] != 0.0 or slid[2 * k + 1] != 0.0:
                bound = 0.5 * bound
            if count > 0 and bound > 0.0:
                n = int(at[k]) + 1
                stiff = stiffness(a, m, n, count)
                if stiff > 0.0:
                    one = rubbed[2 * k] - v[n] / stiff
                    two = 0.0
                    if count == 2:
                        two = rubbed[2 * k + 1] - v[n + 1] / stiff
                    length = sqrt(one * one + two * two)
                    if length > bound:
                        one = one * (bound / length)
                        two = two * (bound / length)
                    first = one - rubbed[2 * k]
                    second = two - rubbed[2 * k + 1]
                    rubbed[2 * k] = one
                    rubbed[2 * k + 1] = two
                    changed = max(changed, (abs(first) + abs(second)) / bound)
                    for i in range(m):
                        v[i] += a[i * m + n] * first
                    if count == 2:
                        for i in range(m):
                            v[i] += a[i * m + n + 1] * second
        if changed < 1e-13:
            break


@kernel
def spring_force(stored: float, v: float, own: float, e: float, step: float, slow: float) -> float:
    """The force of one contact amid a step of this length, from what it has stored and how fast it approaches."""
    held = sqrt(2.0 * stored / own)
    if v < -slow:
        return held - 0.5 * step * v / own
    if e > 0.0:
        return max(0.5 * held, held - 0.5 * step * v / (own * e * e))
    return 0.0


@kernel
def spring_through(
    a: Floats, v: Floats, p: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, e: Floats,
    stored: Floats, force: Floats, gain: Floats, pressed: Floats, lent: Floats, rubbed: Floats, slid: Floats,
    before: Floats,
) -> int:  # fmt: skip
    """From v (m), which changes, until nothing approaches; p (m) gets the impulses. 1 where it did not end in time.

    Entries of A are at most 1, velocities about 1. Work: stored, force, gain, pressed, lent
    (K), rubbed, slid (2 K), before (m).
    """
    fastest = 0.0
    size = 0.0
    for i in range(m):
        p[i] = 0.0
        size = max(size, abs(v[i]))
    for k in range(contacts):
        stored[k] = 0.0
        lent[k] = 0.0
        n = int(at[k])
        own = a[n * m + n]
        found = 0.0
        if own > 0.0:
            for j in range(contacts):
                o = int(at[j])
                if a[o * m + o] > 0.0:
                    found += abs(a[n * m + o]) / sqrt(own * a[o * m + o])
        fastest = max(fastest, found)
    if not (fastest > 0.0):
        return 1
    longest = STEP / sqrt(fastest)
    for _ in range(STEPS):
        acting = 0
        for k in range(contacts):
            n = int(at[k])
            own = a[n * m + n]
            force[k] = 0.0
            if own > 0.0:
                if v[n] >= -SLOW * size and not (e[k] > 0.0):
                    stored[k] = 0.0
                if v[n] < -SLOW * size or stored[k] > 0.0:
                    acting = 1
                force[k] = spring_force(stored[k], v[n], own, e[k], longest, SLOW * size)
        if acting == 0:
            return 0
        step = longest
        for k in range(contacts):
            n = int(at[k])
            gain[k] = 0.0
            for j in range(contacts):
                gain[k] += a[n * m + int(at[j])] * force[j]
            if v[n] < -SLOW * size and v[n] + gain[k] * step > 0.0:
                step = max(-v[n] / gain[k], 0.001 * longest)
        emptied = -1
        for k in range(contacts):
            n = int(at[k])
            if force[k] > 0.0:
                left = e[k] * e[k] * stored[k]
                if force[k] * step * (v[n] + 0.5 * gain[k] * step) > left:
                    # The step at which it has given back all: ½ F g s² + F v s = left.
                    square = v[n] * v[n] + 2.0 * gain[k] * left / force[k]
                    root = sqrt(max(0.0, square))
                    step = 2.0 * left / (force[k] * (v[n] + root)) if v[n] >= 0.0 else (root - v[n]) / gain[k]
                    emptied = k
        if emptied >= 0 and step < 1e-6 * longest and v[int(at[max(0, emptied)])] >= 0.0:
            # So little is left that it is let go.
            stored[emptied] = 0.0
        else:
            for k in range(contacts):
                pressed[k] = force[k] * step
                n = int(at[k])
                p[n] += pressed[k]
                done = pressed[k] * (v[n] + 0.5 * gain[k] * step)
                if done <= 0.0:
                    stored[k] -= done
                elif e[k] > 0.0:
                    stored[k] = max(0.0, stored[k] - done / (e[k] * e[k]))
            if emptied >= 0:
                stored[emptied] = 0.0
            for i in range(m):
                for k in range(contacts):
                    v[i] += a[i * m + int(at[k])] * pressed[k]
            # Friction acts amid its impulses: on half of this step's, and half of what the next is going to be.
            for k in range(contacts):
                n = int(at[k])
                pressed[k] -= lent[k]
                lent[k] = 0.0
                if a[n * m + n] > 0.0 and e[k] > LENDING:
                    lent[k] = 0.5 * longest * spring_force(
                        stored[k], v[n], a[n * m + n], e[k], longest, SLOW * size
                    )  # fmt: skip
                lent[k] = max(lent[k], -pressed[k])
                pressed[k] += lent[k]
            slide(a, v, m, contacts, at, tangents, mu, pressed, slid, before)
            rub(a, v, m, contacts, at, tangents, mu, pressed, slid, rubbed)
            for k in range(contacts):
                for t in range(int(tangents[k])):
                    p[int(at[k]) + 1 + t] += slid[2 * k + t] + rubbed[2 * k + t]
    # Bounces between contacts that become ever less have no end; what is left of them is to be small.
    for k in range(contacts):
        n = int(at[k])
        if v[n] < -LEFT * size or sqrt(2.0 * stored[k] * a[n * m + n]) > LEFT * size:
            return 1
    return 0
