"""Lemke's method: a start for contacts with friction that Newton's method does not find by itself."""

from __future__ import annotations

from ...program import Floats, kernel


@kernel
def lemke(m: Floats, n: int, z: Floats, table: Floats, labels: Floats) -> int:
    """z ≥ 0 with M z + q ≥ 0 and z·(M z + q) = 0; 1 if found, 0 where a ray ends the search (Lemke 1965).

    m: M and q, by rows (n, n + 1), q last; z (n): the solution. table (n (n + 2)) and labels (2 n + 1): work. Basic
    variables stand on the left of the dictionary w = q + M z + z₀; labels: w_i is i, z_i is n + i, z₀ is 2 n.
    """
    wide = n + 2
    for i in range(n):
        for j in range(n):
            table[i * wide + j] = m[i * (n + 1) + j]
        table[i * wide + n] = 1.0
        table[i * wide + n + 1] = m[i * (n + 1) + n]
        labels[i] = float(i)
        labels[n + i] = float(n + i)
        z[i] = 0.0
    labels[2 * n] = float(2 * n)
    row = 0
    for i in range(n):
        if table[i * wide + n + 1] < table[row * wide + n + 1]:
            row = i
    if n == 0 or table[row * wide + n + 1] >= 0.0:
        return 1
    column = n
    for _ in range(20 * n + 50):
        # Exchange: the variable of the column enters, that of the row leaves.
        pivot = 1.0 / table[row * wide + column]
        for j in range(wide):
            if j != column:
                table[row * wide + j] = -table[row * wide + j] * pivot
        for i in range(n):
            if i != row:
                ratio = table[i * wide + column]
                if ratio != 0.0:
                    for j in range(wide):
                        if j != column:
                            table[i * wide + j] += ratio * table[row * wide + j]
                    table[i * wide + column] = ratio * pivot
        table[row * wide + column] = pivot
        left = int(labels[row])
        labels[row] = labels[n + column]
        labels[n + column] = float(left)
        if left == 2 * n:
            for i in range(n):
                name = int(labels[i])
                if name >= n:
                    z[name - n] = max(0.0, table[i * wide + n + 1])
            return 1
        # The complement of what left enters now.
        partner = left + n if left < n else left - n
        for j in range(n + 1):
            if int(labels[n + j]) == partner:
                column = j
        row = -1
        best = 0.0
        for i in range(n):
            fall = -table[i * wide + column]
            if fall > 1e-11:
                ratio = max(0.0, table[i * wide + n + 1]) / fall
                if row < 0 or ratio < best - 1e-14 or (ratio <= best + 1e-14 and int(labels[i]) == 2 * n):
                    best = ratio
                    row = i
                elif ratio <= best + 1e-14 and int(labels[row]) != 2 * n and fall > -table[row * wide + column]:
                    row = i
        if row < 0:
            return 0
    return 0


@kernel
def facets(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats, work: Floats,
) -> int:  # fmt: skip
    """x by Lemke's method, with diamonds in place of the disks of friction (exact with one tangent); 1 if found.

    Stewart and Trinkle (1996): beside a normal x_n, each direction e_i of friction has a force f_i ≥ 0 and the contact
    a rate of slip s ≥ 0, with e_i·a_t + s ≥ 0 ⟂ f_i and μ (x_n + base) − Σ f ≥ 0 ⟂ s.
    work: 3 N² + 8 N + 2 with N = 6 contacts.
    """
    size = 0
    for k in range(contacts):
        size += 1
        if tangents[k] > 0.5 and moving[k] < 0.5:
            size += 2 * int(tangents[k]) + 1
    wide = size + 1
    return faceted(
        a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old, size, work,
        work[size * wide :], work[(size + m) * wide :],
    )  # fmt: skip


@kernel
def faceted(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats, size: int, work: Floats, spread: Floats, z: Floats,
) -> int:  # fmt: skip
    """`facets`, with `size` forces and rates: x = spread (z, 1), spread (m, size + 1); work (size, size + 1)."""
    wide = size + 1
    place = 0
    for i in range(m * wide):
        spread[i] = 0.0
    for k in range(contacts):
        n = int(at[k])
        spread[n * wide + place] = 1.0
        for t in range(int(tangents[k])):
            if moving[k] > 0.5:
                spread[(n + 1 + t) * wide + place] = -mu[k] * direction[2 * k + t]
                spread[(n + 1 + t) * wide + size] = -mu[k] * direction[2 * k + t] * base[k]
            else:
                spread[(n + 1 + t) * wide + place + 1 + 2 * t] = 1.0
                spread[(n + 1 + t) * wide + place + 2 + 2 * t] = -1.0
        place += 1
        if tangents[k] > 0.5 and moving[k] < 0.5:
            place += 2 * int(tangents[k]) + 1
    place = 0
    for k in range(contacts):
        n = int(at[k])
        count = int(tangents[k])
        sides = 2 * count + 1 if moving[k] < 0.5 else 1
        last = place + 2 * count + 1
        for side in range(sides):
            row = n if side == 0 else n + (side + 1) // 2
            sign = -1.0 if side > 0 and side % 2 == 0 else 1.0
            for j in range(wide):
                found = epsilon * spread[row * wide + j]
                for i in range(m):
                    found += a[row * m + i] * spread[i * wide + j]
                work[(place + side) * wide + j] = sign * found
            work[(place + side) * wide + size] += sign * (q[row] - epsilon * old[row])
            if side > 0:
                work[(place + side) * wide + last] += 1.0
        if sides > 1:
            for j in range(wide):
                work[last * wide + j] = 0.0
            work[last * wide + place] = mu[k]
            work[last * wide + size] = mu[k] * base[k]
            for side in range(1, 2 * count + 1):
                work[last * wide + place + side] = -1.0
            place = last + 1
        else:
            place += 1
    if lemke(work, size, z, z[size:], z[size + size * (size + 2) :]) == 0:
        return 0
    for i in range(m):
        x[i] = dot_affine(spread[i * wide :], z, size)
    return 1


@kernel
def dot_affine(row: Floats, z: Floats, n: int) -> float:
    """row·(z, 1)."""
    found = 0.0
    for j in range(n):
        found += row[j] * z[j]
    return found + float(row[n])
