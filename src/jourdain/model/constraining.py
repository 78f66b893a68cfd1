"""Generalized speeds of the user's choice, and what is kept at zero: always, or while it is switched on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..graph import Node, Role
from .arguments import Scalar
from .drafts import ConstraintDraft, HandleDraft, SpeedDraft
from .handles import BodyHandle, PointHandle
from .linear import why_not_linear
from .mistakes import users_line
from .symbols import Symbols
from .system import GROUND, Level
from .workshop import Workshop

Rows = Scalar | Sequence[Scalar]


class Constraining(Workshop):
    """Speeds, constraints, handles."""

    def speeds(self, definitions: Mapping[str, Scalar] | None = None, /, **more: Scalar) -> Symbols:
        """The generalized speeds u of the whole model, each an expression linear in velocities: u = Y q̇ + Z (Kane).

        `m.speeds(u1=P.velocity @ body.x, u2=body.omega @ body.z, …)`: joints' own speeds, components of any point's
        velocity and any body's angular velocity along any axes, with terms that depend on time. Names that are no words
        go into a dictionary. There must be as many as the joints have; or fewer, by as many as the rows that were kept
        at zero *before* this line: the speeds then satisfy those constraints whatever their values.

        A set that nowhere tells the joints' speeds is refused when the equations are derived. One that fails at single
        configurations only (components of ω in gimbal lock) is taken; results are not finite there. For a finished
        system see `jourdain.with_speeds`, `efficient_speeds` and `diagonal_speeds`.

        Answers their symbols, for forces and outputs that depend on them.
        """
        given = {**(definitions or {}), **more}
        if self.definitions:
            where = next(iter(self.definitions.values())).where
            self.mistakes.add(f"the generalized speeds are defined twice, here and at {where}; give them all at once")
            return Symbols({})
        if not given:
            self.mistakes.add("no generalized speed is given; leave the line out for the joints' own speeds")
        found: dict[str, Node] = {}
        for name, value in given.items():
            node = self._linear(value, f"generalized speed {name!r}")
            symbol = self.symbol(name, Role.SPEED, "generalized speed")
            self.definitions[symbol.name] = SpeedDraft(symbol.name, users_line(), symbol, node)
            found[name] = symbol
        for constraint in self.constraints.values():
            constraint.satisfied = not constraint.switchable
        return Symbols(found)

    def keep(self, name: str, *rows: Rows) -> None:
        """Expressions that are zero at all times: of coordinates and time, or of velocities, linearly.

        `m.keep("rear wheels roll", P.velocity @ basket.y)`. Inputs in them are taken as constant.
        """
        self._constrain(name, rows, switchable=False)

    def switch(self, name: str, *rows: Rows) -> None:
        """A constraint that holds while it is on; it is off until something switches it on. Rows as for `keep`."""
        self._constrain(name, rows, switchable=True)

    def handle(self, body: BodyHandle | str, *, at: PointHandle | str | None = None, name: str | None = None) -> None:
        """What a person takes hold of: a body, by one of its points (its origin if left out)."""
        said = self.mistakes.said
        on = self.body_name(body, "the body of a handle")
        label = self.fresh("handle", "handle", name)
        if on == GROUND and self.mistakes.said == said:
            self.mistakes.add(f"handle {label!r} is on the ground, which does not move")
        point = self.origin_of(on) if at is None else self.point_of(at, f"the point of {label!r}")
        if point.body != on and self.mistakes.said == said:
            self.mistakes.add(f"{label!r} is on body {on!r}, but its point {point.name!r} is on {point.body!r}")
        self.handles[label] = HandleDraft(label, point)

    # -- inside -------------------------------------------------------------------------------------------------

    def _constrain(self, name: str, rows: Sequence[Rows], switchable: bool) -> None:
        good = self.claim("constraint", name, "constraint")
        flat: list[Scalar] = []
        for row in rows:
            flat += list(row) if isinstance(row, (list, tuple)) else [row]  # type: ignore[list-item]
        if not flat:
            self.mistakes.add(f"constraint {good!r} has no rows; give the expressions that are to be zero")
        nodes = [self.read.scalar(x, f"constraint {good!r}, row {k}") for k, x in enumerate(flat, 1)]
        moving = [bool(node.roles & Role.SPEED.bit) for node in nodes]
        for k, node in enumerate(nodes, 1):
            what = f"constraint {good!r}, row {k}"
            if node.roles & Role.ACCELERATION.bit:
                self.mistakes.add(f"{what} depends on accelerations; write it with velocities")
            elif not node.roles & (Role.COORDINATE.bit | Role.SPEED.bit):
                self.mistakes.add(f"{what} is {node!r}, which no motion changes")
        if any(moving) and not all(moving):
            self.mistakes.add(
                f"constraint {good!r} mixes rows of coordinates with rows of velocities; write them as two constraints"
            )
        level = Level.VELOCITY if any(moving) else Level.POSITION
        if level is Level.VELOCITY:
            nodes = [self._linear(node, f"constraint {good!r}, row {k}") for k, node in enumerate(nodes, 1)]
        self.constraints[good] = ConstraintDraft(good, users_line(), tuple(nodes), level, switchable)

    def _linear(self, value: object, what: str) -> Node:
        """An expression linear in velocities."""
        node = self.read.scalar(value, what)
        why = why_not_linear(node)
        if why:
            self.mistakes.add(f"{what} is {node!r}, which {why}")
            return self.graph.zero
        return node
