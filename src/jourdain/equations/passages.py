"""Which parameters of each link of a tree can be moved to its parent: the tree's joints, link by link, as numbers.

Only the first few joints from the ground take time; beyond them a link can be anywhere, and only its joint matters.
"""

from __future__ import annotations

import numpy as np

from ..graph import Node, Role, interpret, symbols_of
from .reach import ORDER, Basis, Key, Passage, Reach, everywhere, ground_reach, null_basis, passed
from .tree import Tree

AT_HOME: Key = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


class Movable:
    """Which parameters of each link can be moved away, whatever the values of the tree's parameters."""

    def __init__(self, tree: Tree) -> None:
        carried = [0] * len(tree.links)
        for link in tree.links:
            if link.parent >= 0:
                carried[link.parent] += 1
        # Links without inertia that carry one other link: parts of compound joints, most often.
        self.hollow = {i for i, link in enumerate(tree.links) if carried[i] == 1 and link.inertia.is_zero}
        self._tree = tree
        self._passages = Passages(tree, self.hollow, Numbers(0.61803))
        self._others: Passages | None = None

    def basis(self, index: int) -> Basis:
        """Of the movable parameters of a link: with numbers that hold for all values of parameters."""
        passage = self._passages.at(index)
        whole = all(x == round(x) for _, vector in passage.basis for _, x in vector)
        if whole or not self._passages.symbolic(index):
            return passage.basis
        # A number that is not whole may have come from the values that stand for symbols: others must agree.
        if self._others is None:
            self._others = Passages(self._tree, self.hollow, Numbers(0.41421))
        return null_basis(np.concatenate([passage.rows, self._others.at(index).rows]), ORDER)


class Numbers:
    """Numbers in the place of expressions: symbols stand as numbers that meet no coincidence, or as given ones."""

    def __init__(self, step: float, given: dict[str, float] | None = None) -> None:
        self._step, self._given = step, given
        self._values: dict[Node, float] = {}

    def __call__(self, nodes: list[Node]) -> Key:
        if all(x.is_constant for x in nodes):
            return tuple(x.value for x in nodes)
        for symbol in symbols_of(nodes):
            if symbol not in self._values:
                k = len(self._values) + 1
                given = None if self._given is None else self._given.get(symbol.name)
                self._values[symbol] = 0.5 + self._step * k % 1.0 if given is None else given
        return tuple(float(x) for x in interpret(nodes, self._values))


class Passages:
    """The links' passages, each found when it is first asked for.

    hollow: links through which what comes from further out must go on.
    """

    def __init__(self, tree: Tree, hollow: set[int], numbers: Numbers) -> None:
        self._tree, self._hollow, self._numbers = tree, hollow, numbers
        self._found: list[Passage] = []
        self._symbolic: list[bool] = []
        self._ground = self._standing()

    def at(self, index: int) -> Passage:
        """The link's."""
        while len(self._found) <= index:
            self._next()
        return self._found[index]

    def symbolic(self, index: int) -> bool:
        """Whether values that stand for symbols have a part in the link's passage."""
        self.at(index)
        return self._symbolic[index]

    def _standing(self) -> Reach:
        gravity = list(self._tree.gravity)
        self._gravity_symbolic = not all(x.is_constant for x in gravity)
        directions: list[Key] = [self._numbers(gravity)]
        if any(x.role is not Role.PARAMETER for x in symbols_of(gravity)):  # it changes: any direction among these
            directions = [tuple(float(i == k) for i in range(3)) for k in range(3) if not gravity[k].is_zero]
        return ground_reach(tuple(directions), bool(self._tree.driven))

    def _next(self) -> None:
        tree, index = self._tree, len(self._found)
        link = tree.links[index]
        outer, symbolic, through = self._ground, self._gravity_symbolic, None
        if link.parent >= 0:
            outer, symbolic = self._found[link.parent].reach, self._symbolic[link.parent]
            through = self._found[link.parent] if link.parent in self._hollow else None
        columns = [x for column in link.columns for x in (*column.angular, *column.linear)]
        place: list[Node] = []  # without meaning where the frame can be anywhere
        if through is not None or not outer.is_everything:
            place = [x for row in link.placement.matrix() for x in row] + list(link.offset)
        else:
            symbolic = False
        at, h = self._numbers(place) or AT_HOME, self._numbers(columns)
        if not np.isfinite((*at, *h)).all():
            # An expression without a value where its symbols stand: nothing is known of the joint, nothing is moved.
            found = Passage(everywhere(bool(tree.driven)), np.eye(10), ())
        else:
            split = tuple(h[k : k + 6] for k in range(0, len(h), 6))
            free = any(k < tree.freedom for k in link.speeds)
            found = passed(outer, at, split, free, through)
        self._found.append(found)
        self._symbolic.append(symbolic or not all(x.is_constant for x in (*place, *columns)))
