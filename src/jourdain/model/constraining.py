"""Generalized speeds of the user's choice, what is kept at zero, friction, handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..graph import Node, Role
from .arguments import Scalar
from .drafts import ConstraintDraft, FrictionDraft, HandleDraft, SpeedDraft
from .handles import BodyHandle, JointHandle, PointHandle
from .linear import why_not_linear
from .mistakes import did_you_mean, users_line
from .symbols import Symbols
from .system import GROUND, Friction, Level
from .workshop import Workshop

Rows = Scalar | Sequence[Scalar]
LETTERS = "xyz"


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

    def friction(
        self,
        holder: str | JointHandle,
        *slips: Rows,
        coefficient: Scalar,
        width: Scalar = 0.01,
        row: int | Sequence[int] = 0,
        along: str | Sequence[str] = (),
        both_sides: bool = True,
        name: str | None = None,
    ) -> None:
        """Coulomb friction that depends on a normal force N: coefficient times the size of N, against the slip s,
        smoothed by s / √(s·s + width²).

        `m.keep("touches", touch.gap)`, then `m.friction("touches", *touch.slip, coefficient=0.4)`; or
        `m.friction(slide, slide.speed, coefficient=0.1, along=("y", "z"))`. holder: a constraint that is declared
        already; N is the multiplier of its row `row`, a force [N] where the row is a distance; or, of a bearing's two
        or three rows at right angles, the length of what they carry together. Or a joint that does not move along the
        axes `along` of its moving frame; N is then the force that it transmits along them. slips: velocities [m/s],
        linear; of several along directions at right angles friction is one force against all. One that is an angular
        velocity [rad/s] makes a moment, and the coefficient is then a length [m]. width: the slip at which 1/√2 of the
        friction is reached. both_sides: friction of a force of either sign; otherwise only where N is positive, where a
        touch presses.

        Normal force and friction are found together: N is what it is with the friction that it makes. While the
        constraint is off there is none; inverse dynamics, which knows no forces of constraint, leaves it out. At rest
        this friction is a damper, so what stands on a slope creeps. Friction so large that no force fits it (where a
        pushed rod jams, Painlevé) gives forces of the wrong sign.
        """
        label = self.fresh("load", "friction", name)
        flat: list[Scalar] = []
        for slip in slips:
            flat += list(slip) if isinstance(slip, (list, tuple)) else [slip]  # type: ignore[list-item]
        if not flat:
            self.mistakes.add(f"friction {label!r} has no slip; give the velocities that it acts against")
        nodes = tuple(self._linear(x, f"slip {k} of friction {label!r}") for k, x in enumerate(flat, 1))
        size = self.read.scalar(coefficient, f"coefficient of friction {label!r}")
        if size.roles & Role.ACCELERATION.bit:
            self.mistakes.add(f"coefficient of friction {label!r} depends on accelerations, which follow from it")
        narrow = self.read.static(width, f"width of friction {label!r}")
        if narrow.is_constant and narrow.value <= 0.0:
            self.mistakes.add(f"width of friction {label!r} is {narrow.value}; a positive speed is needed")
        made = Friction(label, "", (), nodes, size, narrow, both_sides)
        if isinstance(holder, JointHandle):
            axes = [along] if isinstance(along, str) else list(along)
            joint = self.joint_of(holder, f"the joint of friction {label!r}")
            if not axes or len(set(axes)) < len(axes) or any(x not in LETTERS for x in axes):
                self.mistakes.add(
                    f"friction {label!r} is of the force along {along!r}; name axes of the joint's moving frame, each "
                    'once: "x", "y", "z"'
                )
            elif joint is not None:
                made = replace(made, joint=joint.name, axes=tuple(LETTERS.index(x) for x in axes))
            self._one_sided(label, len(axes), both_sides)
            self.frictions[label] = FrictionDraft(made, users_line())
            return
        draft = self.constraints.get(holder) if isinstance(holder, str) else None
        if draft is None:
            known = did_you_mean(str(holder), self.constraints)
            self.mistakes.add(f"friction {label!r} is at {holder!r}, but there is no such constraint; {known}")
            return
        rows = tuple(row) if isinstance(row, (list, tuple)) else (row,)
        known_rows = range(len(draft.rows))
        if not rows or len(set(rows)) < len(rows) or any(isinstance(x, bool) or x not in known_rows for x in rows):
            self.mistakes.add(f"constraint {draft.name!r} has {len(draft.rows)} rows; there is no row {row!r}")
            return
        self._one_sided(label, len(rows), both_sides)
        self.frictions[label] = FrictionDraft(replace(made, constraint=draft.name, rows=rows), users_line())

    def _one_sided(self, label: str, components: int, both_sides: bool) -> None:
        if components > 1 and not both_sides:
            self.mistakes.add(
                f"friction {label!r} is of a force of several components, which has no sign; leave out both_sides"
            )

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

    def _constrain(self, name: str, rows: Sequence[Rows], switchable: bool) -> str:
        """The name under which the constraint is kept."""
        good = self.claim("constraint", name, "constraint")
        flat: list[Scalar] = []
        for row in rows:
            flat += list(row) if isinstance(row, (list, tuple)) else [row]  # type: ignore[list-item]
        if not flat:
            self.mistakes.add(f"constraint {good!r} has no rows; give the expressions that are to be zero")
        said = self.mistakes.said
        nodes = [self.read.scalar(x, f"constraint {good!r}, row {k}") for k, x in enumerate(flat, 1)]
        if self.mistakes.said > said:
            nodes = []  # nothing is said of what only stands in for a row
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
            nodes = [node for node, velocity in zip(nodes, moving) if velocity]
        level = Level.VELOCITY if any(moving) else Level.POSITION
        if level is Level.VELOCITY:
            nodes = [self._linear(node, f"constraint {good!r}, row {k}") for k, node in enumerate(nodes, 1)]
        self.constraints[good] = ConstraintDraft(good, users_line(), tuple(nodes), level, switchable)
        return good

    def _linear(self, value: object, what: str) -> Node:
        """An expression linear in velocities."""
        node = self.read.scalar(value, what)
        why = why_not_linear(node)
        if why:
            self.mistakes.add(f"{what} is {node!r}, which {why}")
            return self.graph.zero
        return node
