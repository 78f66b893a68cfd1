"""How links can move, as linear spaces: which of a body's inertial parameters a joint can feel or show.

With a twist as the 4×4 matrix V̂ and the ten parameters as the symmetric 4×4 pseudo-inertia P = ∫ r rᵀ dm (r with a 1
below), twice the kinetic energy is tr(V̂ P V̂ᵀ) and gravity's potential tr(G P): both are tr(K P) with a symmetric K, and
a joint that moves by ĥ changes K by ĥᵀ K + K ĥ. The equations of motion tell two sets of parameters apart just where
some K of a reachable motion does. All K that a link's frame can meet span a space; from link to link the space grows,
and a few joints from the ground it usually is the whole one. A parameter can be moved to the parent without a trace
where no K depends on the joint's coordinates and speeds: where all changes of K by the joint, and all K = sym(V̂ᵀ ĥ),
vanish on it. For joints that can be anywhere the rules of Gautier and Khalil (1990) come out, and near the ground
their special ones, for joints of any kind and for branching trees.

A joint that is driven asks nothing of its parameters but that no free speed's force changes: of energies only those
matter that depend on free motion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Basis = tuple[tuple[int, tuple[tuple[int, float], ...]], ...]
Key = tuple[float, ...]

# Columns and directions are taken of length one; beside them what is smaller than this is rounding.
ROUNDING = 1e-12
# Entries this near to whole numbers may be meant to be whole; those even nearer are.
NEARLY = 1e-9
EXACT = 1e-14
# A pivot below this share of its row's largest entry is passed over while there are others: it would magnify rounding.
SMALL = 0.05
# Which of several parameters that stand for each other is eliminated first.
ORDER = (0, 3, 1, 2, 5, 4, 6, 7, 8, 9)


@dataclass(frozen=True, eq=False)
class Reach:
    """Spaces of 4×4 matrices, (k, 4, 4), in a link's frame. Equal only to itself.

    twists: of all twists V̂ that the frame can have. energies: of all K. free_twists, free_energies: of what free speeds
    have a part in (a twist or an energy that depends on driven motion alone is left out); None where nothing is driven.
    """

    twists: Floats
    energies: Floats
    free_twists: Floats | None = None
    free_energies: Floats | None = None

    @property
    def is_everything(self) -> bool:
        """Whether it cannot grow any more."""
        full = len(self.twists) == 6 and len(self.energies) == 10
        if self.free_twists is None or self.free_energies is None:
            return full
        return full and len(self.free_twists) == 6 and len(self.free_energies) == 10


@dataclass(frozen=True, eq=False)
class Passage:
    """A link's reach, and what decides about its parameters. Equal only to itself.

    rows: (k, 10), what must vanish on parameters that can be moved away; basis: of those parameters.
    """

    reach: Reach
    rows: Floats
    basis: Basis


@lru_cache(maxsize=64)
def ground_reach(gravity: tuple[Key, ...], driven: bool) -> Reach:
    """At rest; gravity along each of these directions."""
    none = np.zeros((0, 4, 4))
    weights = np.zeros((len(gravity), 4, 4))
    for k, direction in enumerate(gravity):
        weights[k, 3, :3] = weights[k, :3, 3] = _unit(np.array(direction))
    return Reach(none, weights, none, none) if driven else Reach(none, weights)


@lru_cache(maxsize=2)
def everywhere(driven: bool) -> Reach:
    """Of a link that can have any twist in any place."""
    twists, energies = _hats(np.eye(6)), np.moveaxis(_pseudo_inertias(), 2, 0)
    return Reach(twists, energies, twists, energies) if driven else Reach(twists, energies)


@lru_cache(maxsize=4096)
def passed(outer: Reach, place: Key, columns: tuple[Key, ...], free: bool, through: Passage | None) -> Passage:
    """Beyond a joint.

    outer: of the link that carries the joint; place: rotation (by rows) and origin of the joint's fixed frame there;
    columns: of its map, angular then linear; free: whether any of its speeds is. through: the carrying link where it
    has no inertia, so that what comes to it must go on.
    """
    x = np.eye(4)
    x[:3, :3] = np.reshape(place[:9], (3, 3))
    x[:3, 3] = place[9:]
    back = np.linalg.inv(x)
    hats = _hats(_unit(np.reshape(columns, (-1, 6))))

    def twists_here(twists: Floats) -> Floats:
        return _closed(back @ twists @ x, hats, _turned, 6)

    def energies_here(energies: Floats) -> Floats:
        return _closed(x.T @ energies @ x, hats, _moved, 10)

    twists, energies = twists_here(outer.twists), energies_here(outer.energies)
    own = np.concatenate([_paired(hats, twists), _paired(hats, hats)])
    felt = np.concatenate([own, _moved(energies, hats)])
    after = Reach(_span(np.concatenate([twists, hats])), _span(np.concatenate([energies, own])))
    if outer.free_twists is not None and outer.free_energies is not None:
        free_twists, free_energies = twists_here(outer.free_twists), energies_here(outer.free_energies)
        if free:
            free_twists = _span(np.concatenate([free_twists, hats, _turned(twists, hats)]))
            free_energies = _span(np.concatenate([free_energies, felt]))
        else:
            shared = _paired(hats, free_twists)
            felt = np.concatenate([shared, _moved(free_energies, hats)])
            free_energies = _span(np.concatenate([free_energies, shared]))
        after = Reach(after.twists, after.energies, free_twists, free_energies)
    rows = np.einsum("kij,ijp->kp", felt, _pseudo_inertias())
    if through is not None:
        rows = np.concatenate([rows, through.rows @ parameters_moved(x)])
    if after.is_everything:
        after = everywhere(outer.free_twists is not None)
    return Passage(after, rows, null_basis(rows, ORDER))


def null_basis(rows: Floats, order: Sequence[int]) -> Basis:
    """A basis of what rows (k, n) annul: for each vector its pivot, which no other contains, and its entries.

    order: of the places that are tried as pivots. Entries that are whole numbers but for rounding are made so, if the
    rows then still annul the vector.
    """
    size = len(order)
    _, sizes, vectors = np.linalg.svd(rows) if len(rows) else (None, np.zeros(0), np.eye(size))
    rank = int(np.sum(sizes > ROUNDING * sizes.max(initial=1.0)))
    pivots, basis = _echelon(vectors[rank:].copy(), order)
    whole = np.round(basis)
    tidy = np.where(np.abs(basis - whole) < NEARLY, whole, basis)
    seen = np.abs(tidy @ rows.T).max(axis=1, initial=0.0) > EXACT * max(1.0, float(np.abs(rows).max(initial=0.0)))
    tidy[seen] = np.where(np.abs(basis - whole) < EXACT, whole, basis)[seen]
    return tuple(
        (pivot, tuple((k, float(x)) for k, x in enumerate(row) if x != 0.0)) for pivot, row in zip(pivots, tidy)
    )


def parameters_moved(x: Floats) -> Floats:
    """(10, 10): parameters about a frame as such about another one, in which that frame stands at the pose x (4, 4)."""
    basis = np.moveaxis(_pseudo_inertias(), 2, 0)
    return _from_pseudo_inertia() @ (x @ basis @ x.T).reshape(10, 16).T


# -- spaces of matrices -----------------------------------------------------------------------------------------------


def _unit(vectors: Floats) -> Floats:
    """Along the last axis of length one, or zero."""
    size = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(size > 0.0, size, 1.0))


def _hats(twists: Floats) -> Floats:
    """(k, 6) as (k, 4, 4)."""
    found = np.zeros((len(twists), 4, 4))
    w, v = twists[:, :3], twists[:, 3:]
    found[:, 2, 1], found[:, 0, 2], found[:, 1, 0] = w.T
    found[:, 1, 2], found[:, 2, 0], found[:, 0, 1] = -w.T
    found[:, :3, 3] = v
    return found


@lru_cache(maxsize=1)
def _pseudo_inertias() -> Floats:
    """(4, 4, 10): of a unit of m, h_x, h_y, h_z, J_xx, J_yy, J_zz, J_xy, J_xz, J_yz; ∫ r rᵀ dm = tr(J)/2 − J."""
    found = np.zeros((4, 4, 10))
    found[3, 3, 0] = 1.0
    for k in range(3):
        found[k, 3, 1 + k] = found[3, k, 1 + k] = 1.0
        for i in range(3):
            found[i, i, 4 + k] = 0.5 if i != k else -0.5
    for place, (i, k) in enumerate(((0, 1), (0, 2), (1, 2)), 7):
        found[i, k, place] = found[k, i, place] = -1.0
    return found


@lru_cache(maxsize=1)
def _from_pseudo_inertia() -> Floats:
    """(10, 16): the ten parameters of a pseudo-inertia."""
    return np.asarray(np.linalg.pinv(_pseudo_inertias().reshape(16, 10)), dtype=float)


def _turned(twists: Floats, hats: Floats) -> Floats:
    """Changes of twists as the frame moves by each of the joint's columns: brackets."""
    return np.concatenate([h @ twists - twists @ h for h in hats]) if len(hats) else twists[:0]


def _moved(energies: Floats, hats: Floats) -> Floats:
    """Changes of K."""
    halves = [energies @ h for h in hats]
    return np.concatenate([half + half.transpose(0, 2, 1) for half in halves]) if halves else energies[:0]


def _paired(hats: Floats, twists: Floats) -> Floats:
    """sym(V̂ᵀ ĥ) for all pairs."""
    products = np.einsum("aji,bjk->abik", hats, twists).reshape(-1, 4, 4)
    found: Floats = products + products.transpose(0, 2, 1)
    return found


def _span(matrices: Floats) -> Floats:
    """An orthogonal basis. Directions that are hardly met stay small, so that rounding does not grow beside them."""
    if not len(matrices):
        return matrices
    _, sizes, rows = np.linalg.svd(matrices.reshape(-1, 16), full_matrices=False)
    rank = int(np.sum(sizes > ROUNDING * max(1.0, sizes[0])))
    return np.asarray(sizes[:rank, None] * rows[:rank]).reshape(-1, 4, 4)


def _closed(matrices: Floats, hats: Floats, change: Callable[[Floats, Floats], Floats], most: int) -> Floats:
    """The smallest space of at most this many dimensions around independent matrices that no change leads out of."""
    found = matrices
    while 0 < len(found) < most:
        once = change(found, hats)
        grown = _span(np.concatenate([found, once, change(once, hats)]))
        if len(grown) == len(found):
            break
        found = grown
    return found


def _echelon(rows: Floats, order: Sequence[int]) -> tuple[list[int], Floats]:
    """Rows reduced so that each has an entry 1 where all others have 0, and where."""
    pivots: list[int] = []
    for least in (SMALL, NEARLY):
        for k in order:
            done = len(pivots)
            if done == len(rows):
                break
            if k in pivots:
                continue
            best = done + int(np.argmax(np.abs(rows[done:, k])))
            if abs(rows[best, k]) < least * np.abs(rows[best]).max():
                continue
            rows[[done, best]] = rows[[best, done]]
            rows[done] /= rows[done, k]
            others = rows[:, k].copy()
            others[done] = 0.0
            rows -= others[:, None] * rows[done]
            pivots.append(k)
    return pivots, rows
