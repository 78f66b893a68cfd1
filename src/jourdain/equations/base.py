"""The base parameters of a system: a smallest set of inertial parameters that its motion depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..graph import Node
from ..model.system import System, must_be_system
from .lower import Home, lower, only_joints
from .passages import Numbers, Passages
from .reach import ORDER, Floats, null_basis, parameters_moved
from .regroup import NAMES
from .tree import Tree

Label = tuple[str, int]  # a body, and which of its ten parameters
NOTHING = 1e-9


def base_parameters(system: System) -> dict[str, tuple[str, ...]]:
    """For each body those of its ten standard parameters that remain when all that can be is regrouped.

    The names are m, hx, hy, hz, Jxx … Jyz, about the body's own frame, as the regressor has them: the remaining columns
    of the regressor are independent, and all others are combinations of them. Found at the parameters' default values;
    rotors and loads have no part in it.
    """
    must_be_system(system, "regrouped")
    only_joints(system)
    lowered = lower(system, settled=False)
    kept = set(_Labelling(lowered.tree, lowered.homes, Numbers(0.61803, dict(system.parameters))).run())
    return {
        body.name: tuple(name for k, name in enumerate(NAMES) if (body.name, k) in kept) for body in system.bodies
    }


class _Labelling:
    """From the leaves inwards every link has parameters by the names of bodies' own: those fixed in it and those that
    links further out could not keep."""

    def __init__(self, tree: Tree, homes: Mapping[str, Home], numbers: Numbers) -> None:
        self._tree, self._numbers = tree, numbers
        self._passages = Passages(tree, set(), numbers)
        self._labels: list[list[Label]] = [[] for _ in tree.links]
        self._vectors: list[list[Floats]] = [[] for _ in tree.links]  # about the link's frame (10,)
        for solid in tree.solids:
            name, home = solid.name, homes[solid.name]
            if home.link >= 0:
                pose = self._pose(home.pose.rotation.matrix(), home.pose.translation)
                self._labels[home.link] += [(name, k) for k in range(10)]
                self._vectors[home.link] += list(parameters_moved(pose).T)
        self._own = [len(labels) for labels in self._labels]

    def run(self) -> list[Label]:
        """The names that remain."""
        kept: list[Label] = []
        for index, link in self._tree.inward():
            labels, vectors = self._labels[index], self._vectors[index]
            if not labels:
                continue
            table = np.array(vectors).T
            gone = null_basis(self._passages.at(index).rows @ table, _order(labels, self._own[index]))
            pivots = {pivot for pivot, _ in gone}
            kept += [label for k, label in enumerate(labels) if k not in pivots]
            if link.parent >= 0:
                inward = parameters_moved(self._pose(link.placement.matrix(), link.offset))
                self._give(link.parent, [(labels[k], inward @ _total(table, parts)) for k, parts in gone])
        return kept

    def _pose(self, rows: Sequence[Sequence[Node]], origin: Sequence[Node]) -> Floats:
        """(4, 4)"""
        numbers = self._numbers([*(x for row in rows for x in row), *origin])
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = np.reshape(numbers[:9], (3, 3)), numbers[9:]
        return pose

    def _give(self, link: int, moved: Sequence[tuple[Label, Floats]]) -> None:
        """What could not be kept further out, as far as it is independent; the names of nearer bodies first."""
        directions: list[Floats] = []
        for label, vector in reversed(moved):
            rest = vector
            for _ in range(2):  # once more for what rounding left
                for direction in directions:
                    rest = rest - direction * (direction @ rest)
            size = float(np.linalg.norm(rest))
            if size > NOTHING * max(1.0, float(np.linalg.norm(vector))):
                directions.append(rest / size)
                self._labels[link].append(label)
                self._vectors[link].append(vector)


def _order(labels: Sequence[Label], own: int) -> list[int]:
    """Places of labels, the first to be eliminated first: what came from further out, then bodies from the last on."""
    found = list(range(own, len(labels)))[::-1]
    for start in range(0, own, 10)[::-1]:
        found += [start + k for k in ORDER]
    return found


def _total(table: Floats, parts: Sequence[tuple[int, float]]) -> Floats:
    """A combination of columns."""
    found: Floats = sum((table[:, k] * share for k, share in parts), np.zeros(10))
    return found
