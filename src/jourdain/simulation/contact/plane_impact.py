"""One contact that strikes and slips in any direction: the slip is followed along the normal impulse.

V. Bhatt and J. Koechling (ASME J. Appl. Mech. 61, 1994): dv_t / dp = W_tn − μ W_tt d with d = v_t / |v_t|. A step's
friction is one mean direction D of Runge and Kutta's times the normal impulse, and a step turns the slip by a few
hundredths, so that D·(v_t + v_t') ≥ 0: every step takes energy. Slip that does not turn goes straight until it stops.
Energetic restitution as in `line_impact`.
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .line_impact import FLAT

TURN = 0.02  # of the slip in a step [rad]
CHANGE = 0.1  # of the slip in a step, at most, beside the slip
STRAIGHT = 1e-13  # rate of turning, beside the greatest rates: less is none
STOPPED = 1e-13  # slip beside the greatest velocity: less is none
STEPS = 20000


@kernel
def mean_direction(
    first: float, second: float, step: float, push: Floats, block: Floats, mu: float, mean: Floats
) -> None:
    """The mean of v_t / |v_t| over a step of the normal impulse from v_t = (first, second): Runge and Kutta's four."""
    mean[0] = 0.0
    mean[1] = 0.0
    one = first
    two = second
    for stage in range(4):
        length = sqrt(one * one + two * two)
        if length > 0.0:
            one = one / length
            two = two / length
        weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
        mean[0] += weight * one
        mean[1] += weight * two
        part = step if stage == 2 else 0.5 * step
        gone = one
        one = first + part * (push[0] - mu * (block[0] * gone + block[1] * two))
        two = second + part * (push[1] - mu * (block[1] * gone + block[2] * two))


@kernel
def escape(push: Floats, block: Floats, mu: float, mean: Floats) -> int:
    """Friction where there is no slip: 1 if it holds, 0 if slip begins; the friction is −μ mean either way.

    Slip begins along d with W_tn − μ W_tt d = α d: the α > 0 that makes d a unit vector, by bisection.
    """
    most = sqrt(push[0] * push[0] + push[1] * push[1])
    trace = block[0] + block[2]
    mean[0] = 0.0
    mean[1] = 0.0
    if not (most > 0.0):
        return 1
    determinant = block[0] * block[2] - block[1] * block[1]
    if determinant <= 1e-12 * trace * trace:
        # Slip in one direction alone, which is that of the push.
        mean[0] = push[0] / max(most, mu * trace)
        mean[1] = push[1] / max(most, mu * trace)
        return 1 if most <= mu * trace else 0
    low = 0.0
    high = most
    alpha = 0.0
    length = 0.0
    for turn in range(120):
        bottom = alpha * alpha + alpha * mu * trace + mu * mu * determinant
        if bottom > 0.0:
            mean[0] = (alpha * push[0] + mu * (block[2] * push[0] - block[1] * push[1])) / bottom
            mean[1] = (alpha * push[1] + mu * (block[0] * push[1] - block[1] * push[0])) / bottom
            length = sqrt(mean[0] * mean[0] + mean[1] * mean[1])
        else:
            length = 2.0  # no friction at all
        if turn == 0 and length <= 1.0:
            return 1
        if length > 1.0:
            low = alpha
        else:
            high = alpha
        alpha = 0.5 * (low + high)
    mean[0] = mean[0] / length
    mean[1] = mean[1] / length
    return 0


@kernel
def strike_plane(
    W: Floats, v: Floats, ld: int, n: int, mu: float, e: float, impulse: Floats, after: Floats, push: Floats,
    block: Floats, mean: Floats,
) -> int:  # fmt: skip
    """0 when resolved, 1 where no impulse turns the approach back. Rows n … n + 2 of W and v.

    push (2), block (3) and mean (2): work; W_tn, the upper part of W_tt, the direction of a step.
    """
    own = W[n * ld + n]
    if not (own > 0.0):
        return 1
    push[0] = W[(n + 1) * ld + n]
    push[1] = W[(n + 2) * ld + n]
    block[0] = W[(n + 1) * ld + n + 1]
    block[1] = W[(n + 1) * ld + n + 2]
    block[2] = W[(n + 2) * ld + n + 2]
    for t in range(3):
        impulse[n + t] = 0.0
        after[n + t] = v[n + t]
    size = max(abs(v[n]), abs(v[n + 1]), abs(v[n + 2]))
    quick = sqrt(push[0] * push[0] + push[1] * push[1]) + mu * (block[0] + block[2])
    taken = 0.0
    returning = 0
    rise = 0.0
    one = 0.0
    two = 0.0
    faster = 0.0
    stuck = 0  # 1: holds for the rest; 2: slips along one direction for the rest
    for _ in range(STEPS):
        slip = sqrt(after[n + 1] * after[n + 1] + after[n + 2] * after[n + 2])
        if stuck == 0 and slip <= STOPPED * size:
            stuck = 1 if escape(push, block, mu, mean) == 1 else 2
            after[n + 1] = 0.0
            after[n + 2] = 0.0
        limit = -1.0  # the longest step; none where the direction stays
        straight = 0
        if stuck == 0:
            mean[0] = after[n + 1] / slip
            mean[1] = after[n + 2] / slip
            first = push[0] - mu * (block[0] * mean[0] + block[1] * mean[1])
            second = push[1] - mu * (block[1] * mean[0] + block[2] * mean[1])
            one = 1.0 * mean[0]
            two = 1.0 * mean[1]
            along = mean[0] * first + mean[1] * second
            turning = abs(mean[0] * second - mean[1] * first)
            if turning > STRAIGHT * quick:
                limit = slip * min(TURN / turning, CHANGE / quick)
            else:
                straight = 1
                if along < 0.0:
                    limit = -slip / along
        step = limit
        bent = 0.0
        ended = 0
        for _again in range(4):
            if stuck == 0 and straight == 0:
                mean_direction(after[n + 1], after[n + 2], step, push, block, mu, mean)
                first = after[n + 1] + step * (push[0] - mu * (block[0] * mean[0] + block[1] * mean[1]))
                second = after[n + 2] + step * (push[1] - mu * (block[1] * mean[0] + block[2] * mean[1]))
                slip = sqrt(first * first + second * second)
                if slip > 0.0:
                    # ∫ v_n dp of a curve: Euler and Maclaurin's next term. It is small beside what friction takes.
                    bent = mu * step * step * (push[0] * (first / slip - one) + push[1] * (second / slip - two)) / 12.0
            rise = own - mu * (push[0] * mean[0] + push[1] * mean[1])
            ends = -1.0
            if returning == 0:
                if rise > FLAT * own:
                    ends = max(0.0, -after[n] / rise)
            else:
                left = taken - bent if ended == 1 else taken  # the curve of a longer step is another one
                faster = after[n] * after[n] + 2.0 * rise * left
                if faster >= 0.0 and after[n] + sqrt(faster) > 0.0:
                    ends = max(0.0, 2.0 * left / (after[n] + sqrt(faster)))
            if ends >= 0.0 and (limit < 0.0 or ends <= limit or (ended == 1 and ends <= 1.5 * limit)):
                step = ends
                ended = 1
            elif limit < 0.0:
                return 1
            else:
                step = limit
                ended = 0
            if stuck > 0 or straight == 1 or ended == 0:
                break
        before = 1.0 * after[n]
        impulse[n] += step
        impulse[n + 1] -= mu * step * mean[0]
        impulse[n + 2] -= mu * step * mean[1]
        after[n] += rise * step
        if stuck != 1:
            after[n + 1] += step * (push[0] - mu * (block[0] * mean[0] + block[1] * mean[1]))
            after[n + 2] += step * (push[1] - mu * (block[1] * mean[0] + block[2] * mean[1]))
        if straight == 1 and ended == 0:
            after[n + 1] = 0.0
            after[n + 2] = 0.0
        taken -= 0.5 * step * (before + after[n]) + bent
        if ended == 1:
            if returning == 1 or not (e > 0.0):
                if returning == 0:
                    after[n] = 0.0
                return 0
            returning = 1
            taken = e * e * taken
            after[n] = 0.0
    return 1
