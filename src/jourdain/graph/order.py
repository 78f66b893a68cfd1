"""The order of evaluation: what the outputs need, operands first, the same on every run."""

from __future__ import annotations

from collections.abc import Container, Iterable

from .node import Node


def reachable(outputs: Iterable[Node], given: Container[Node] = ()) -> list[Node]:
    """Every node that the outputs depend on, themselves included, in order of birth: operands come first.

    given: nodes that are known; what only they depend on is left out.
    """
    return sorted(reached(outputs, given), key=_birth)


def reached(outputs: Iterable[Node], given: Container[Node] = ()) -> set[Node]:
    """The same in no order."""
    seen: set[Node] = set()
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            if node not in given:
                stack.extend(node.args)
    return seen


def _birth(node: Node) -> int:
    return node.id


def symbols_of(outputs: Iterable[Node]) -> list[Node]:
    """The symbols that the outputs depend on, in order of birth."""
    return [node for node in reachable(outputs) if node.is_symbol]


def uses(outputs: Iterable[Node]) -> dict[Node, int]:
    """How often each reachable node is an operand or an output."""
    roots = list(outputs)
    count: dict[Node, int] = dict.fromkeys(reachable(roots), 0)
    for node in count:
        for operand in node.args:
            count[operand] += 1
    for node in roots:
        count[node] += 1
    return count
