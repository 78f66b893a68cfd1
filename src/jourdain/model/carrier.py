"""Copying a model's parts from one graph to another, each node once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..graph import Graph, Node
from ..graph.operations import CONSTANT, SYMBOL
from ..spatial import Given, Matrix, Rotation, Turn, Vector
from .motion import Column, Motion
from .pose import Pose


class Carrier:
    """Copies nodes, and what is made of them, into a graph; remembers what it has copied.

    replacements: node -> node of the target that stands in its place. renamed: a symbol's name in the target.
    """

    def __init__(
        self,
        target: Graph,
        replacements: Mapping[Node, Node] | None = None,
        renamed: Callable[[Node], str] = lambda symbol: symbol.name,
    ) -> None:
        self.target = target
        self.built: dict[Node, Node] = dict(replacements or {})
        self.renamed = renamed

    def node(self, node: Node) -> Node:
        """The node in the target."""
        built = self.built
        found = built.get(node)
        if found is not None:
            return found
        pending = [node]
        while pending:  # operands first, down to what is built already
            top = pending[-1]
            waiting = [x for x in top.args if x not in built] if top.args else ()
            if waiting:
                pending.extend(waiting)
                continue
            pending.pop()
            if top not in built:
                built[top] = self._leaf_or_operation(top)
        return built[node]

    def _leaf_or_operation(self, node: Node) -> Node:
        if node.op is CONSTANT:
            return self.target.constant(node.value)
        if node.op is SYMBOL:
            return self.target.symbol(self.renamed(node), node.role)
        return self.target.applied(node.op, tuple([self.built[x] for x in node.args]))

    def nodes(self, nodes: Sequence[Node]) -> tuple[Node, ...]:
        """Several nodes."""
        return tuple(self.node(x) for x in nodes)

    def vector(self, vector: Vector) -> Vector:
        """Three nodes."""
        return Vector(self.node(vector.x), self.node(vector.y), self.node(vector.z))

    def matrix(self, matrix: Matrix) -> Matrix:
        """Nine nodes."""
        return Matrix(*(self.vector(row) for row in matrix))

    def rotation(self, rotation: Rotation) -> Rotation:
        """Factor by factor."""
        factors = tuple(
            Turn(x.axis, self.node(x.c), self.node(x.s)) if isinstance(x, Turn) else Given(self.matrix(x.rows))
            for x in rotation.factors
        )
        return Rotation(self.target, factors)

    def pose(self, pose: Pose) -> Pose:
        """Rotation and translation."""
        return Pose(self.rotation(pose.rotation), self.vector(pose.translation))

    def motion(self, motion: Motion) -> Motion:
        """A joint's columns."""
        columns = tuple(self._column(column) for column in motion.columns)
        return Motion(
            columns, motion.groups, motion.coordinate_order, motion.speed_order, motion.orientation, motion.kind
        )

    def _column(self, column: Column) -> Column:
        a, b, c, d, e, f = self.nodes(column)
        return a, b, c, d, e, f


