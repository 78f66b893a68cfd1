"""Cutting: the pieces together are the whole, of nearly equal length, with as little scratch as they can do with."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import Graph, Node, Role
from jourdain.graph.interpret import interpret
from jourdain.program import PIECE, cut, schedule

from ..graph.random_graphs import random_graph, random_values
from .running import carry_out_pieces
from .samples import simple, tangled


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 150), st.integers(1, 40))
def test_pieces_reproduce_the_whole(seed: int, size: int, length: int) -> None:
    """A piece reads leaves, its own values and the scratch slots it fetches, and nothing else."""
    graph = random_graph(seed, size)
    program = simple(graph.symbols, graph.outputs)
    values = random_values(graph.symbols, seed)
    pieces, slots = cut(schedule(program), length)
    given_values = {node: float(x) for node, x in values.items()}
    oracle = [float(x) for x in interpret(program.results, values)]
    assert carry_out_pieces(program, pieces, slots, given_values) == oracle


@pytest.mark.parametrize("length", [1, 7, 50, 1000])
def test_pieces_are_consecutive_and_of_nearly_equal_length(length: int) -> None:
    steps = schedule(tangled(400))
    pieces, _ = cut(steps, length)
    assert [step for piece in pieces for step in piece.steps] == steps
    assert len(pieces) == (round(len(steps) / length) if len(steps) >= 2 * length else 1)
    lengths = [len(piece.steps) for piece in pieces]
    assert max(lengths) - min(lengths) <= 1


def test_one_piece_needs_no_scratch() -> None:
    steps = schedule(tangled(400))
    assert len(steps) < PIECE
    (piece,), slots = cut(steps)
    assert (slots, piece.fetch, piece.keep) == (0, {}, {})


def test_nothing_at_all_is_one_empty_piece() -> None:
    (piece,), slots = cut([])
    assert (piece.steps, slots) == ([], 0)


@pytest.mark.parametrize("length", [5, 20, 60])
def test_slots_are_used_again_and_never_while_needed(length: int) -> None:
    steps = schedule(tangled(1500))
    pieces, slots = cut(steps, length)
    held: dict[int, Node] = {}
    for piece in pieces:
        assert {held[slot] for slot in piece.fetch.values()} == set(piece.fetch)
        assert not set(piece.keep.values()) & set(piece.fetch.values()), "order within a piece is the compiler's"
        assert len(set(piece.keep.values())) == len(piece.keep)
        held.update({slot: node for node, slot in piece.keep.items()})
    assert set(held) == set(range(slots))
    assert slots < sum(len(piece.keep) for piece in pieces)


def test_scratch_of_a_chain_does_not_grow_with_its_length() -> None:
    graph = Graph()
    x = a = b = graph.symbol("x", Role.INPUT)
    for _ in range(3000):
        a, b = a * b + 0.1, b - a * a
    pieces, slots = cut(schedule(simple((x,), (a, b))), 100)
    assert len(pieces) > 50
    assert slots <= 8
