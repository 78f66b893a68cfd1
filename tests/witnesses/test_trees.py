"""Pinocchio on every joint type, alone and in pairs, and on five hundred random trees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ..equations.systems import KINDS, Traits, random_system
from .pinocchio_answers import everything_agrees
from .pinocchio_bridge import bridge

CHUNKS = 25
TREES = 500
SINGLE = ("revolute", "revolute", "prismatic", "screw", "oblique-screw", "cylindrical", "universal", "spherical")


def size_of(seed: int) -> int:
    """Most trees are small; one in fifty has up to forty bodies."""
    if seed % 50 == 49:
        return 13 + 3 * (seed // 50)
    return 6 + seed % 7 if seed % 20 == 4 else 1 + seed % 4


def test_the_largest_tree_has_forty_bodies() -> None:
    assert max(map(size_of, range(TREES))) == 40
    assert min(map(size_of, range(TREES))) == 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_trees(chunk: int) -> None:
    """Branching, every joint, axes and frames in general positions; with parameters or with numbers."""
    for seed in range(chunk * TREES // CHUNKS, (chunk + 1) * TREES // CHUNKS):
        size = size_of(seed)
        kinds = KINDS if size < 10 else SINGLE
        traits = Traits(kinds, symbolic=seed % 3 == 0, floating=seed % 4 == 1, parallel=0.3, branching=0.5)
        everything_agrees(random_system(seed, size, traits), seed, without=() if size < 10 else ("jacobian rate",))


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_alone(kind: str) -> None:
    for seed in range(2):
        everything_agrees(random_system(seed, 1, Traits((kind,), symbolic=seed == 1)), seed, states=2)


@pytest.mark.parametrize("outer", KINDS)
def test_joints_in_pairs(outer: str) -> None:
    """Every joint on every other."""
    for k, inner in enumerate(KINDS):
        everything_agrees(random_system(30 + k, 2, Traits((inner, outer), parallel=0.0, row=True)), k)


@pytest.mark.parametrize("seed", range(4))
def test_rotors_add_to_their_own_speeds(seed: int) -> None:
    system = random_system(seed, 5, Traits(SINGLE, loads=True))
    everything_agrees(replace(system, loads=()), seed)


@pytest.mark.parametrize("seed", range(3))
def test_composite_joints_are_the_same_as_rows_of_simple_ones(seed: int) -> None:
    """Pinocchio's own composite joint beside ours; the rates of its Jacobians leave out that its columns turn."""
    system = random_system(seed, 4, Traits(("universal", "compound", "cylindrical")))
    everything_agrees(system, seed, made=bridge(system, composite=True), without=("jacobian rate",))
