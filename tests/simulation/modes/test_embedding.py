"""Independent speeds chosen by elimination, and what is solved in them, beside LAPACK."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from numpy.typing import NDArray

from jourdain.simulation.modes.elimination import choose
from jourdain.simulation.modes.embedding import prepare, respond
from jourdain.simulation.modes.reduction import mobility
from jourdain.simulation.modes.sharing import find_spare, share

Floats = NDArray[np.float64]


class Problem:
    """Rows of a given rank over masses, some of which hold."""

    def __init__(self, rng: np.random.Generator, n: int, rows: int, rank: int) -> None:
        self.n, self.rows = n, rows
        self.matrix = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n))
        self.holds = (rng.random(rows) < 0.8).astype(float)
        root = rng.normal(size=(n, n))
        self.mass = root @ root.T + 0.1 * np.eye(n)
        self.force = rng.normal(size=n)
        self.rest = self.matrix @ rng.normal(size=n)
        self.pivots, self.columns = np.zeros(rows), np.zeros(n)
        self.rank = int(
            choose(
                self.matrix.ravel(), self.mass.ravel(), self.holds, rows, n, np.zeros(rows * n), np.zeros(n),
                self.pivots, self.columns,
            )
        )  # fmt: skip
        p = n - self.rank
        self.block, self.follow, self.reduced = np.zeros(self.rank**2), np.zeros(self.rank * p), np.zeros(p * p)
        self.work = np.zeros(n * n + 2 * n)
        self.strength = prepare(
            self.matrix.ravel(), self.mass.ravel(), self.pivots, self.columns, self.rank, n, self.block, self.follow,
            self.reduced, self.work,
        )  # fmt: skip

    @property
    def held(self) -> Floats:
        """The rows that hold."""
        found: Floats = self.matrix[self.holds > 0.0]
        return found

    def respond(self) -> tuple[Floats, Floats]:
        """How the speeds change, and what the rows carry."""
        change, carried = np.zeros(self.n), np.zeros(self.rows)
        respond(
            self.matrix.ravel(), self.mass.ravel(), self.force, self.rest, self.rows, self.pivots, self.columns,
            self.rank, self.n, self.block, self.follow, self.reduced, self.work, change, carried,
        )  # fmt: skip
        return change, carried


@pytest.fixture(params=range(120))
def problem(request: pytest.FixtureRequest) -> Problem:
    """Random ones, with too many rows and too few."""
    rng = np.random.default_rng(request.param)
    n, rows = int(rng.integers(1, 9)), int(rng.integers(1, 11))
    return Problem(rng, n, rows, int(rng.integers(0, min(n, rows) + 1)))


def test_the_rank_is_that_of_the_singular_values(problem: Problem) -> None:
    size = max(1.0, float(np.abs(problem.held).max(initial=0.0)))
    assert problem.rank == (np.linalg.matrix_rank(problem.held, tol=1e-9 * size) if len(problem.held) else 0)
    assert sorted(map(int, problem.columns)) == list(range(problem.n))
    assert len({int(x) for x in problem.pivots[: problem.rank]}) == problem.rank
    assert all(problem.holds[int(x)] == 1.0 for x in problem.pivots[: problem.rank])


def test_rows_hold_and_forces_are_combinations_of_them(problem: Problem) -> None:
    change, carried = problem.respond()
    assert problem.held @ change == pytest.approx(-problem.rest[problem.holds > 0.0], abs=1e-9)
    size = 1.0 + float(np.abs(carried).max(initial=0.0))
    assert problem.mass @ change - problem.force == pytest.approx(problem.matrix.T @ carried, abs=1e-10 * size)
    assert not carried[problem.holds == 0.0].any()


def test_mobility_is_that_of_the_null_space(problem: Problem) -> None:
    if problem.rank == problem.n:
        return
    count, n = problem.rows, problem.n
    felt = np.zeros(count * count)
    mobility(
        problem.matrix.ravel(), np.arange(count, dtype=float), count, problem.columns, problem.rank, n, problem.follow,
        problem.reduced, np.zeros(count * n), felt,
    )  # fmt: skip
    g = scipy.linalg.null_space(problem.held, rcond=1e-10) if problem.rank else np.eye(n)
    expected = problem.matrix @ g @ np.linalg.solve(g.T @ problem.mass @ g, g.T) @ problem.matrix.T
    assert felt.reshape(count, count) == pytest.approx(expected, abs=1e-8 * max(1.0, float(np.abs(expected).max())))


def test_redundant_forces_are_shared_as_least_squares_have_it(problem: Problem) -> None:
    change, carried = problem.respond()
    rows, wanted = problem.rows, np.linspace(-1.0, 1.0, problem.rows) * problem.holds
    owners = np.full(rows, -2.0)
    spare, shares, gram = np.zeros(rows), np.zeros(rows * rows), np.zeros(rows * rows)
    count = find_spare(
        problem.matrix.ravel(), problem.holds, owners, problem.pivots, problem.columns, problem.rank, rows, problem.n,
        problem.block, spare, shares, gram,
    )  # fmt: skip
    assert count == int(problem.holds.sum()) - problem.rank
    share(count, problem.rank, owners, problem.pivots, spare, shares, gram, wanted, carried, np.zeros(rows))
    held = problem.holds > 0.0
    load = problem.mass @ change - problem.force
    nearest = wanted[held] + np.linalg.pinv(problem.held.T, rcond=1e-10) @ (load - problem.held.T @ wanted[held])
    assert carried[held] == pytest.approx(nearest, abs=1e-7 * (1.0 + float(np.abs(nearest).max(initial=0.0))))


def test_elimination_chooses_as_well_as_singular_values() -> None:
    """Reckdahl's way: speeds for which the singular vectors' leading rows are best conditioned. A choice is judged by
    how strongly dependent speeds follow independent ones."""
    rng = np.random.default_rng(7)
    ours, theirs = [], []
    for _ in range(300):
        n, rows = int(rng.integers(3, 9)), int(rng.integers(1, 3))
        matrix = rng.normal(size=(rows, n))
        columns = np.zeros(n)
        rank = int(
            choose(
                matrix.ravel(), np.eye(n).ravel(), np.ones(rows), rows, n, np.zeros(rows * n), np.zeros(n),
                np.zeros(rows), columns,
            )
        )  # fmt: skip
        ours.append(_strength(matrix, [int(x) for x in columns[:rank]]))
        v = np.linalg.svd(matrix)[2]
        order = scipy.linalg.qr(v[:rank], pivoting=True, mode="r")[1]
        theirs.append(_strength(matrix, [int(x) for x in order[:rank]]))
    assert np.max(ours) < 4.0
    assert np.mean(ours) < 1.05 * np.mean(theirs)


def _strength(matrix: Floats, dependent: list[int]) -> float:
    free = [k for k in range(matrix.shape[1]) if k not in dependent]
    return float(np.abs(np.linalg.solve(matrix[:, dependent], matrix[:, free])).max())
