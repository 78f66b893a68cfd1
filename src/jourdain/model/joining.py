"""The joints of a model: one method for each familiar joint, and the general one of Kwatny and Blankenship."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

from numpy.typing import NDArray

from ..graph import Graph, Node, Role
from ..spatial import Vector
from . import joints
from .arguments import Scalar, Triple
from .closure import independent, open_pairs
from .drafts import Drive, JointDraft
from .handles import BodyHandle, JointHandle, PointHandle
from .mistakes import users_line
from .motion import Column, Motion, Orientation
from .pose import Pose
from .system import GROUND
from .workshop import Workshop

Body = BodyHandle | str


class Placement(TypedDict, total=False):
    """Where a joint is.

    at, rotation: origin [m] and rotation of the joint's fixed frame in the parent's body frame. child_at,
    child_rotation: of its moving frame in the child's body frame. A place is three scalars or a point of that body;
    a rotation is a 3×3 matrix (the joint's axes as columns), a SciPy Rotation or turns like [("z", 0.5), ("x", a)].
    """

    at: Triple | PointHandle
    rotation: object
    child_at: Triple | PointHandle
    child_rotation: object


class Joining(Workshop):
    """Joints. Every method takes name, parent, child (bodies or their names) and a `Placement`."""

    def revolute(
        self, name: str, parent: Body, child: Body, axis: Triple | str = "z", **placement: Unpack[Placement]
    ) -> JointHandle:
        """A turn by one angle [rad] about an axis of the joint's frame."""
        direction = self.read.axis(axis, f"the axis of joint {name!r}")
        return self._join(name, parent, child, joints.revolute(self.graph, direction), placement)

    def prismatic(
        self, name: str, parent: Body, child: Body, axis: Triple | str = "z", **placement: Unpack[Placement]
    ) -> JointHandle:
        """A slide by one distance [m] along an axis of the joint's frame."""
        direction = self.read.axis(axis, f"the axis of joint {name!r}")
        return self._join(name, parent, child, joints.prismatic(self.graph, direction), placement)

    def screw(
        self,
        name: str,
        parent: Body,
        child: Body,
        axis: Triple | str = "z",
        *,
        pitch: Scalar,
        **placement: Unpack[Placement],
    ) -> JointHandle:
        """A turn by one angle [rad] about an axis with a slide of `pitch` metres a radian along it."""
        direction = self.read.axis(axis, f"the axis of joint {name!r}")
        advance = self.read.static(pitch, f"the pitch of joint {name!r}")
        return self._join(name, parent, child, joints.screw(self.graph, direction, advance), placement)

    def universal(
        self,
        name: str,
        parent: Body,
        child: Body,
        axes: Sequence[Triple | str] = ("x", "y"),
        **placement: Unpack[Placement],
    ) -> JointHandle:
        """Angles a1 about axes[0], fixed in the parent, then a2 about axes[1], fixed in the child.

        Speeds: the rates of the angles.
        """
        if isinstance(axes, str) or len(axes) != 2:
            self.mistakes.add(f'the axes of joint {name!r} are {axes!r}; two are needed, like ("x", "y")')
            axes = ("x", "y")
        first, second = (self.read.axis(x, f"axes[{i}] of joint {name!r}") for i, x in enumerate(axes))
        if first.cross(second).is_zero:
            self.mistakes.add(f"the axes of joint {name!r} are parallel; a universal joint needs two directions")
        return self._join(name, parent, child, joints.universal(self.graph, first, second), placement)

    def cylindrical(
        self, name: str, parent: Body, child: Body, axis: Triple | str = "z", **placement: Unpack[Placement]
    ) -> JointHandle:
        """A turn by `angle` [rad] about an axis and a slide by `slide` [m] along it; speeds: w and v."""
        direction = self.read.axis(axis, f"the axis of joint {name!r}")
        return self._join(name, parent, child, joints.cylindrical(self.graph, direction), placement)

    def planar(self, name: str, parent: Body, child: Body, **placement: Unpack[Placement]) -> JointHandle:
        """x, y [m] along the fixed axes, angle [rad] about z; speeds vx, vy along the moved axes, and wz."""
        return self._join(name, parent, child, joints.planar(self.graph), placement)

    def spherical(
        self,
        name: str,
        parent: Body,
        child: Body,
        *,
        orientation: Orientation = Orientation.QUATERNION,
        **placement: Unpack[Placement],
    ) -> JointHandle:
        """Any rotation: a unit quaternion qx, qy, qz, qw, or angles roll, pitch, yaw.

        With angles R = R_z(yaw) R_y(pitch) R_x(roll), singular at pitch ±90°. Speeds wx, wy, wz: the angular velocity
        in the moved axes.
        """
        motion = joints.spherical(self.graph, self._orientation(orientation, name))
        return self._join(name, parent, child, motion, placement)

    def free(
        self,
        name: str,
        parent: Body,
        child: Body,
        *,
        orientation: Orientation = Orientation.QUATERNION,
        **placement: Unpack[Placement],
    ) -> JointHandle:
        """Six freedoms: position x, y, z [m] in the fixed frame, then orientation as for `spherical`.

        Speeds: angular velocity wx, wy, wz, then velocity of the origin vx, vy, vz, both in the moved axes.
        """
        motion = joints.free(self.graph, self._orientation(orientation, name))
        return self._join(name, parent, child, motion, placement)

    def weld(self, name: str, parent: Body, child: Body, **placement: Unpack[Placement]) -> JointHandle:
        """No freedom: the two bodies move as one."""
        return self._join(name, parent, child, joints.weld(self.graph), placement)

    def joint(
        self,
        name: str,
        parent: Body,
        child: Body,
        H: Sequence[Sequence[Scalar]] | NDArray[Any],
        r: Sequence[int] | None = None,
        **placement: Unpack[Placement],
    ) -> JointHandle:
        """A joint by its map matrix, as Kwatny and Blankenship define it.

        H: 6×n, constant, a column for each speed: relative angular, then linear velocity of the moving frame, in its
        own axes. r: how many columns each simple joint of the sequence has, [n] (one simple joint) if left out. The
        configuration is X = λ_n … λ_1: the first column acts nearest the child. Coordinates q1 … qn, speeds u1 … un
        are numbered as the columns.
        """
        motion = self._given(name, H, r)
        return self._join(name, parent, child, motion, placement)

    def prescribe(
        self,
        joint: JointHandle | str,
        *coordinates: Scalar | Sequence[Scalar] | NDArray[Any],
        speeds: Sequence[Scalar] = (),
        rates: Sequence[Scalar] = (),
    ) -> None:
        """Drive a joint: all its coordinates as expressions of `time`, parameters and inputs.

        Speeds and their rates follow by differentiation with respect to time, inputs taken as constant. Where inputs
        change, give `speeds` (the joint's own, in their order) and `rates` (theirs) as well.
        """
        draft = self.joint_of(joint, "the joint to prescribe")
        if draft is None:
            return
        what = f"joint {draft.name!r}"
        given = self._listed(coordinates)
        motion = draft.motion
        if len(given) != motion.nq:
            names = ", ".join(x or draft.name for x in motion.coordinate_names)
            takes = f"{motion.nq} coordinate{'' if motion.nq == 1 else 's'}" + (f" ({names})" if names else "")
            self.mistakes.add(f"{what} has {takes}; {len(given) or 'none'} given: give all of them, and no more")
            return
        for values, which in ((speeds, "speeds"), (rates, "rates")):
            if len(values) not in (0, motion.np):
                self.mistakes.add(f"{what} has {motion.np} speeds; {len(values)} {which} are given")
                return
        if rates and not speeds:
            self.mistakes.add(f"{what}: rates are given without speeds; give both")
            return
        read = [
            tuple(self._driving(x, f"{which}[{i}] of {what}") for i, x in enumerate(values))
            for values, which in ((given, "coordinates"), (speeds, "speeds"), (rates, "rates"))
        ]
        draft.drive = Drive(users_line(), *read)

    def lock(self, joint: JointHandle | str, *coordinates: Scalar | Sequence[Scalar] | NDArray[Any]) -> None:
        """Hold a joint still at these coordinates (numbers or parameters); at its neutral ones if none are given."""
        draft = self.joint_of(joint, "the joint to lock")
        if draft is None:
            return
        values = self._listed(coordinates) if coordinates else draft.motion.neutral()
        what = f"the locked joint {draft.name!r}"
        self.prescribe(draft.name, [self.read.static(x, f"a coordinate of {what}") for x in values])

    # -- inside -------------------------------------------------------------------------------------------------

    def _join(self, name: object, parent: Body, child: Body, motion: Motion, placement: Placement) -> JointHandle:
        good = self.claim("joint", name, "joint")
        parent_name = self.body_name(parent, f"the parent of joint {good!r}", later=True)
        child_name = self.body_name(child, f"the child of joint {good!r}", later=True)
        only_places(placement, "a joint")
        coordinates, speeds = self.joint_symbols(good, motion)
        self.joints[good] = JointDraft(
            good,
            users_line(),
            parent_name,
            child_name,
            motion,
            self._pose(placement, "at", "rotation", parent_name, good),
            self._pose(placement, "child_at", "child_rotation", child_name, good),
            coordinates,
            speeds,
        )
        return JointHandle(self, good)

    def _listed(self, coordinates: Sequence[Any]) -> Sequence[Any]:
        """Coordinates given one by one, or as one sequence."""
        entries = self.read.sequence(coordinates[0]) if len(coordinates) == 1 else None
        return coordinates if entries is None else entries

    def _pose(self, placement: Placement, at: str, rotation: str, body: str, joint: str) -> Pose:
        place = placement.get(at, (0, 0, 0))
        if isinstance(place, PointHandle):
            draft = self.point_of(place, f"{at} of joint {joint!r}")
            if draft.body != body or draft.offset is None:
                why = "a mass centre, which can move"
                if draft.body != body:
                    why = f"on body {draft.body!r}, not on {body!r}"
                self.mistakes.add(f"{at} of joint {joint!r} is the point {draft.name!r}, which is {why}")
            translation = draft.offset or Vector.zero(self.graph)
        else:
            translation = self.read.triple(place, f"{at} of joint {joint!r}")
        return Pose(self.read.rotation(placement.get(rotation), f"{rotation} of joint {joint!r}"), translation)

    def _orientation(self, orientation: object, name: object) -> Orientation:
        if isinstance(orientation, Orientation):
            return orientation
        self.mistakes.add(
            f"the orientation of joint {name!r} is {orientation!r}; write jourdain.QUATERNION or jourdain.ANGLES"
        )
        return Orientation.QUATERNION

    def _driving(self, value: object, what: str) -> Node:
        node = self.read.scalar(value, what)
        moving = Role.COORDINATE.bit | Role.SPEED.bit | Role.ACCELERATION.bit
        if node.roles & moving:
            self.mistakes.add(f"{what} is {node!r}, which depends on the motion; use time, parameters and inputs")
            return self.graph.zero
        return node

    def _given(self, name: object, matrix: Any, groups: Any) -> Motion:
        columns = self._columns(matrix, f"H of joint {name!r}")
        sizes = [len(columns)] if groups is None else list(groups)
        if any(isinstance(x, bool) or not isinstance(x, int) or x < 1 for x in sizes) or sum(sizes) != len(columns):
            self.mistakes.add(
                f"r of joint {name!r} is {sizes}; it must hold positive whole numbers that sum to the "
                f"{len(columns)} columns of H"
            )
            return joints.weld(self.graph)
        start = 0
        for size in sizes:
            if not self._check_simple(name, columns[start : start + size], start):
                return joints.weld(self.graph)
            start += size
        return joints.given(columns, sizes)

    def _columns(self, matrix: Any, what: str) -> list[Column]:
        try:
            rows = [list(row) for row in matrix]
        except TypeError:
            rows = []
        width = len(rows[0]) if rows else 0
        if len(rows) != 6 or not 1 <= width <= 6 * 16 or any(len(row) != width for row in rows):
            shape = f"{len(rows)}×{width}"
            hint = "; transpose it" if width == 6 and 1 <= len(rows) < 6 else ""
            self.mistakes.add(f"{what} is {shape}; it must be 6×n, a column for each speed{hint}")
            return [(*Vector.unit(self.graph, 2), *Vector.zero(self.graph))]
        nodes = [[self.read.static(x, f"{what}[{i}][{k}]") for k, x in enumerate(row)] for i, row in enumerate(rows)]
        return [_column(self.graph, [row[k] for row in nodes]) for k in range(width)]

    def _check_simple(
        self, name: object, columns: Sequence[Column], start: int, loop: tuple[str, str] | None = None
    ) -> bool:
        """The columns of one simple joint: independent, and closed under the bracket.

        loop: what else the joint is called, and what is to be done where it is not simple.
        """
        what = loop[0] if loop else "joint"
        last = start + len(columns)
        which = f"column {last}" if len(columns) == 1 else f"columns {start + 1} to {last}"
        if not independent(columns):
            self.mistakes.add(
                f"{which} of H of {what} {name!r} are not independent: some speeds would move nothing"
                if len(columns) > 1
                else f"{which} of H of {what} {name!r} is zero: its speed would move nothing"
            )
            return False
        pairs = open_pairs(columns)
        if pairs:
            i, k = pairs[0]
            remedy = (
                f"For one motion after the other write the compound joint r={[1] * len(columns)}; for these very "
                "velocities write the joint that its brackets span and keep the rest at zero by nonholonomic "
                "constraints"
            )
            more = f" ({len(pairs) - 1} more such pairs)" if len(pairs) > 1 else ""
            self.mistakes.add(
                f"columns {start + i + 1} and {start + k + 1} of H of {what} {name!r} are not closed under the Lie "
                f"bracket{more}: no joint with {len(columns)} coordinates has this constant map. "
                f"{loop[1] if loop else remedy}"
            )
            return False
        return True


def _column(graph: Graph, entries: Sequence[Node]) -> Column:
    a, b, c, d, e, f = (graph.node(x) for x in entries)
    return a, b, c, d, e, f


__all__ = ["GROUND", "Joining", "Placement"]


def only_places(placement: Placement, what: str) -> None:
    """TypeError where a keyword is none of a joint's places."""
    unknown = sorted(set(placement) - Placement.__annotations__.keys())
    if unknown:
        takes = ", ".join(Placement.__annotations__)
        raise TypeError(f"{what} takes no argument {unknown[0]!r}; it takes {takes}")
