"""What holds at contacts with friction, as one residual; the rows of Newton's method on it; Gauss and Seidel's sweep.

All functions are about x = (forces by contact) and a = A x + q + ε (x − old), with A (m, m) tight and m rows in all.
Contact k has its normal in row at[k], then tangents[k] rows. Its friction is bounded by mu[k] (x_n + base[k]); base[k]
is a normal force that is there already. moving[k] is 1 where the contact slips along direction[2 k: 2 k + 2].

codes[2 k] is 1 where the normal is closed; codes[2 k + 1] is STICKS, SLIPS, GIVEN or NOTHING.
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .dense import dot, dot_magnitudes

NOTHING = 0
STICKS = 1
SLIPS = 2
GIVEN = 3


@kernel
def stiffness(a: Floats, m: int, row: int, count: int) -> float:
    """The greatest eigenvalue, or a bound of it, of the block of A at `row` with `count` rows (1 or 2)."""
    if count == 1:
        return float(a[row * m + row])
    first = a[row * m + row]
    second = a[(row + 1) * m + row + 1]
    half = 0.5 * (first - second)
    across = 0.5 * (a[row * m + row + 1] + a[(row + 1) * m + row])
    return float(0.5 * (first + second) + sqrt(half * half + across * across))


@kernel
def sweep(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats,
) -> None:  # fmt: skip
    """One sweep over the contacts: each in turn is put right while the others' forces stay."""
    for k in range(contacts):
        n = int(at[k])
        count = int(tangents[k])
        pivot = a[n * m + n] + epsilon
        gained = dot(a[n * m :], x, m) + q[n] + epsilon * (x[n] - old[n])
        if count > 0 and moving[k] > 0.5:
            slope = pivot
            for t in range(count):
                slope -= mu[k] * direction[2 * k + t] * a[n * m + n + 1 + t]
            if slope < 0.1 * pivot:
                slope = pivot
            x[n] = max(0.0, x[n] - gained / slope)
            for t in range(count):
                x[n + 1 + t] = -mu[k] * direction[2 * k + t] * (x[n] + base[k])
        else:
            x[n] = max(0.0, x[n] - gained / pivot)
            bound = mu[k] * (x[n] + base[k])
            if count == 1:
                t = n + 1
                gained = dot(a[t * m :], x, m) + q[t] + epsilon * (x[t] - old[t])
                x[t] = min(bound, max(-bound, x[t] - gained / (a[t * m + t] + epsilon)))
            elif count == 2:
                t = n + 1
                stiff = stiffness(a, m, t, 2) + epsilon
                one = x[t] - (dot(a[t * m :], x, m) + q[t] + epsilon * (x[t] - old[t])) / stiff
                u = t + 1
                two = x[u] - (dot(a[u * m :], x, m) + q[u] + epsilon * (x[u] - old[u])) / stiff
                length = sqrt(one * one + two * two)
                scale = 1.0
                if length > bound:
                    scale = bound / length
                x[t] = one * scale
                x[u] = two * scale


@kernel
def residual(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats, gain: Floats, codes: Floats,
) -> float:  # fmt: skip
    """How far x is from what holds at contacts; writes the accelerations `gain` and the codes.

    It is the worst acceleration that is wrong, beside 1 and the magnitudes whose sum the accelerations of its contact
    are: a few times 1e-16 is rounding.

    The projections are those of Alart and Curnier (1991): x_n = max(0, x_n − ρ a_n), and x_t = the nearest to
    x_t − ρ a_t of the disk that the normal force allows.
    """
    for i in range(m):
        gain[i] = dot(a[i * m :], x, m) + q[i] + epsilon * (x[i] - old[i])
    worst = 0.0
    for k in range(contacts):
        n = int(at[k])
        count = int(tangents[k])
        size = 1.0
        for t in range(count + 1):
            size = max(size, 1.0 + dot_magnitudes(a[(n + t) * m :], x, m))
        stiff = a[n * m + n] + 1e-8
        pressed = x[n] - gain[n] / stiff
        codes[2 * k] = 1.0 if pressed > 0.0 else 0.0
        worst = max(worst, abs(x[n] - max(0.0, pressed)) * stiff / size)
        bound = mu[k] * (max(0.0, pressed) + base[k])
        codes[2 * k + 1] = 0.0
        if count > 0:
            stiff = stiffness(a, m, n + 1, count) + 1e-8
            square = 0.0
            for t in range(count):
                pulled = x[n + 1 + t] - gain[n + 1 + t] / stiff
                square += pulled * pulled
            length = sqrt(square)
            if moving[k] > 0.5:
                codes[2 * k + 1] = float(GIVEN)
            elif length <= bound and bound > 0.0:
                codes[2 * k + 1] = float(STICKS)
            else:
                codes[2 * k + 1] = float(SLIPS)
            for t in range(count):
                if moving[k] > 0.5:
                    wanted = -bound * direction[2 * k + t]
                else:
                    wanted = x[n + 1 + t] - gain[n + 1 + t] / stiff
                    if length > bound:
                        wanted = wanted * (bound / length)
                worst = max(worst, abs(x[n + 1 + t] - wanted) * stiff / size)
    return worst


@kernel
def newton_rows(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    direction: Floats, epsilon: float, old: Floats, gain: Floats, codes: Floats, matrix: Floats, right: Floats,
) -> None:  # fmt: skip
    """The equations whose solution is Newton's next x: matrix (m, m) and right side, from codes and accelerations."""
    for i in range(m):
        for j in range(m):
            matrix[i * m + j] = a[i * m + j]
        matrix[i * m + i] += epsilon
        right[i] = epsilon * old[i] - q[i]
    for k in range(contacts):
        n = int(at[k])
        count = int(tangents[k])
        code = int(codes[2 * k + 1])
        closed = int(codes[2 * k])
        if closed == 0:
            for j in range(m):
                matrix[n * m + j] = 0.0
            matrix[n * m + n] = 1.0
            right[n] = 0.0
        if count > 0 and code != STICKS:
            bound = mu[k] * base[k]
            if closed == 1:
                bound = mu[k] * (max(0.0, x[n] - gain[n] / (a[n * m + n] + 1e-8)) + base[k])
            stiff = stiffness(a, m, n + 1, count) + 1e-8
            one = 0.0  # the unit direction of the friction
            two = 0.0
            share = 0.0
            if code == GIVEN:
                one = -direction[2 * k]
                if count == 2:
                    two = -direction[2 * k + 1]
            else:
                one = x[n + 1] - gain[n + 1] / stiff
                if count == 2:
                    two = x[n + 2] - gain[n + 2] / stiff
                length = sqrt(one * one + two * two)
                if length > 0.0:
                    one = one / length
                    two = two / length
                    share = bound / length
            if count == 1 or code == GIVEN or not (share > 0.0):
                for t in range(count):
                    row = n + 1 + t
                    for j in range(m):
                        matrix[row * m + j] = 0.0
                    matrix[row * m + row] = 1.0
                    along = one if t == 0 else two
                    if closed == 1:
                        matrix[row * m + n] = -mu[k] * along
                    right[row] = mu[k] * base[k] * along
            else:
                # x_t' − μ x_n' e − share P (x_t' − a_t' / stiff) = μ base e, with P = 1 − e eᵀ and a_t' the rows above
                top = n + 1
                low = n + 2
                scale = share / stiff
                for j in range(m):
                    across = two * matrix[top * m + j] - one * matrix[low * m + j]  # along (two, −one)
                    matrix[top * m + j] = scale * two * across
                    matrix[low * m + j] = -scale * one * across
                across = scale * (two * right[top] - one * right[low])
                right[top] = two * across + mu[k] * base[k] * one
                right[low] = -one * across + mu[k] * base[k] * two
                matrix[top * m + top] += 1.0 - share * two * two
                matrix[top * m + low] += share * one * two
                matrix[low * m + top] += share * one * two
                matrix[low * m + low] += 1.0 - share * one * one
                if closed == 1:
                    matrix[top * m + n] -= mu[k] * one
                    matrix[low * m + n] -= mu[k] * two
