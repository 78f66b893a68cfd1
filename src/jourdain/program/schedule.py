"""The order in which a program's operations are written, with sines and cosines gathered into groups.

Depth-first from the outputs keeps values short-lived. Angles that do not depend on one another's sines are taken
together, so that a target can reduce them in the lanes of one vector and test all of them for size with one branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..graph import Node
from ..graph.operations import CONSTANT, COS, SIN, TAN
from .contract import Fused, contract
from .program import Program, needed

TRIG_GROUP = 8


@dataclass(frozen=True, slots=True)
class Compute:
    """One operation, possibly fused."""

    node: Node
    fused: Fused | None

    @property
    def operands(self) -> tuple[Node, ...]:
        f = self.fused
        return self.node.args if f is None else (f.a, f.b, f.c)

    @property
    def results(self) -> tuple[Node, ...]:
        return (self.node,)


@dataclass(frozen=True, slots=True)
class Trig:
    """Sines and cosines of several angles at once; None where one of the pair is not needed."""

    angles: tuple[Node, ...]
    sines: tuple[Node | None, ...]
    cosines: tuple[Node | None, ...]

    @property
    def operands(self) -> tuple[Node, ...]:
        return self.angles

    @property
    def results(self) -> tuple[Node, ...]:
        return tuple(x for x in (*self.sines, *self.cosines) if x is not None)


Step = Compute | Trig


def schedule(program: Program) -> list[Step]:
    """The program's steps, operands first; leaves and constants are no steps."""
    leaves = program.leaves
    nodes = needed(program.results, leaves)
    fused = contract(nodes, program.results, leaves)
    made: dict[Node, Step] = {**_trig_groups(nodes, leaves.keys())}
    steps: list[Step] = []
    done: set[Node] = set(leaves)
    # Postorder without recursion: a node is pushed once to open it and once to close it.
    stack: list[tuple[Node, bool]] = [(node, False) for node in reversed(program.results)]
    while stack:
        node, opened = stack.pop()
        if node in done or node.op is CONSTANT:
            continue
        step = made.get(node)
        if opened:
            assert step is not None
            steps.append(step)
            done.update(step.results)
            continue
        if step is None:
            step = made[node] = Compute(node, fused.get(node))
        stack.append((node, True))
        stack += [(x, False) for x in reversed(step.operands) if x not in done]
    return steps


def _trig_groups(nodes: list[Node], leaves: object) -> dict[Node, Trig]:
    """The group of every sine and cosine; the angles of a group depend on no member of it."""
    assert isinstance(leaves, type({}.keys()))
    level: dict[Node, int] = {}
    sines: dict[Node, Node] = {}
    cosines: dict[Node, Node] = {}
    by_level: dict[int, dict[Node, None]] = {}
    for node in nodes:
        if node in leaves:
            level[node] = 0
            continue
        below = 0
        for x in node.args:
            if level[x] > below:
                below = level[x]
        level[node] = below
        if node.op is SIN or node.op is COS:
            (sines if node.op is SIN else cosines)[node.args[0]] = node
            by_level.setdefault(below, {})[node.args[0]] = None
            level[node] = below + 1
        elif node.op is TAN:
            level[node] = below + 1
    groups: dict[Node, Trig] = {}
    for angles in by_level.values():
        for chunk in _chunks(list(angles), TRIG_GROUP):
            group = Trig(tuple(chunk), tuple(sines.get(x) for x in chunk), tuple(cosines.get(x) for x in chunk))
            groups.update(dict.fromkeys(group.results, group))
    return groups


def _chunks(items: list[Node], size: int) -> Iterator[list[Node]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
