"""Contraction: which products vanish into sums, and that nothing but rounding changes."""

from __future__ import annotations

import pytest

from jourdain.graph import Graph, Node, sin
from jourdain.graph.operations import ADD, MUL, SUB
from jourdain.program import Fused, contract, needed

from .samples import symbols, tangled


def contracted(results: list[Node], leaves: list[Node]) -> dict[Node, Fused]:
    return contract(needed(results, leaves), results, leaves)


def test_every_pattern() -> None:
    a, b, c = leaves = symbols(Graph(), "a b c")
    product = a * b
    late = sin(c)  # younger than the product, so that both orders of operands are met
    assert contracted([product + late], [*leaves]) == {product + late: Fused(a, b, late, False, False)}
    assert contracted([product - late], [*leaves]) == {product - late: Fused(a, b, late, False, True)}
    assert contracted([c + product], [*leaves]) == {c + product: Fused(a, b, c, False, False)}
    difference = c - product
    assert difference.op is SUB
    assert contracted([difference], [*leaves]) == {difference: Fused(a, b, c, True, False)}


def test_a_product_that_somebody_needs_by_itself_stays() -> None:
    a, b, c = leaves = symbols(Graph(), "a b c")
    product = a * b
    assert contracted([product + c, product], [*leaves]) == {}
    assert contracted([product + c, sin(product)], [*leaves]) == {}


def test_a_product_read_by_sums_alone_goes_into_each() -> None:
    a, b, c = leaves = symbols(Graph(), "a b c")
    product = a * b
    assert set(contracted([product + c, product - sin(c)], [*leaves])) == {product + c, product - sin(c)}


def test_of_two_products_the_deeper_goes_in_last() -> None:
    """While the shallow one is being multiplied, the deep one's operands are still on their way."""
    a, b, c = leaves = symbols(Graph(), "a b c")
    shallow, deep = a * b, c * sin(sin(a))
    both = shallow + deep
    assert contracted([both], [*leaves])[both].c is shallow


def test_of_two_products_the_one_without_other_readers_goes_in() -> None:
    a, b, c = leaves = symbols(Graph(), "a b c")
    single, shared = a * b, c * sin(sin(a))
    both, other = single + shared, shared + b
    assert contracted([both, other], [*leaves])[both].c is shared


def test_given_products_are_leaves() -> None:
    a, b, c = leaves = symbols(Graph(), "a b c")
    assert contracted([a * b + c], [*leaves, a * b]) == {}
    assert contracted([a * b + c], [a * b + c]) == {}


@pytest.mark.parametrize("seed", range(5))
def test_each_is_its_node(seed: int) -> None:
    """The fused form says what the node says."""
    program = tangled(300, seed)
    fused = contract(needed(program.results, program.leaves), program.results, program.leaves)
    assert fused
    for node, f in fused.items():
        product = f.a * f.b
        assert product.op is MUL
        if f.negate_product:
            assert not f.negate_addend
            assert (node.op, node.args) == (SUB, (f.c, product))
        else:
            assert node.op is (SUB if f.negate_addend else ADD)
            assert set(node.args) == {product, f.c}
