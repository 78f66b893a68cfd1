"""A compiled system's forces of constraint within joints, and those that the speeds hide."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ..equations.reactions import AXES
from ..model.mistakes import did_you_mean
from .constrained import Constrained
from .core import Floats, Inputs, Time
from .joint_readouts import Hinge
from .library import Key
from .readouts import AT


class Reacting(Constrained):
    """What joints transmit."""

    def reactions(
        self,
        joint: str,
        q: ArrayLike,
        u: ArrayLike,
        f: ArrayLike | None = None,
        at: str | ArrayLike | None = None,
        axes: str = "joint",
        *,
        inputs: Inputs = None,
        t: Time = None,
        **options: Any,
    ) -> Floats:
        """(..., 6): the wrench that the parent exerts on the child through a joint, moment [N m], then force [N].

        It is what the joint transmits while the mechanism moves under the declared forces and f, with this mode's
        constraints: by each body's balance, with its own standard inertia. Forces on the joint's own speeds, f and
        declared ones, are a part of it. at: the point that the moment is taken about, a name of one of the child's
        points or an offset (..., 3) in the child's body frame [m]; the origin of the joint's moving frame if left out.
        axes: of that frame, "joint"; of the child's body, "body"; or "ground".

        Where speeds are the user's, f is meant as the forces on the joints' own speeds that have the same power.
        Constraints that `redundancy` names as not unique share their loads in ways that no rigid body tells: what is
        left out as repeated carries nothing.
        """
        key, more = self._hinge(joint, at, axes)
        given = self._no_force if f is None else f
        return self._call(key, (q, u, given, *more), inputs, t, options)

    def embedded_forces(
        self, q: ArrayLike, u: ArrayLike, f: ArrayLike | None = None, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """Multipliers λ (..., rows) by constraint, of the constraints that the user's speeds satisfy by themselves.

        Their forces are in no equation; here they are brought into evidence. As for `constraint_forces`, λ is along
        what its row measures, and 0 where a row says nothing new.
        """
        names = tuple(x.name for x in self.system.conditions if x.satisfied)
        if not names:
            return {}
        arrays = (q, u, self._no_force if f is None else f)
        every = self._call(("embedded_multipliers", self.mode), arrays, inputs, t, {})
        return {name: every[..., places] for name, places in self._places(names).items()}

    def _hinge(self, joint: str, at: str | ArrayLike | None, axes: str) -> tuple[Key, tuple[Any, ...]]:
        child = self.system.joint(joint).child
        if axes not in AXES:
            raise ValueError(f'axes is {axes!r}; write "joint", "body" or "ground"')
        if at is None:
            return ("reactions", Hinge(joint, self.mode, "", axes)), ()
        if not isinstance(at, str):
            return ("reactions", Hinge(joint, self.mode, AT, axes)), (at,)
        point = self.system.points.get(at)
        if point is None or point.body != child:
            own = [x.name for x in self.system.points.values() if x.body == child]
            raise KeyError(f"body {child!r}, carried by joint {joint!r}, has no point {at!r}; {did_you_mean(at, own)}")
        return ("reactions", Hinge(joint, self.mode, at, axes)), ()
