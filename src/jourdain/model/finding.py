"""Finding the parts of a model by name."""

from __future__ import annotations

from typing import Any

from ..graph import Node
from .handles import BodyHandle, FrameHandle, JointHandle, PointHandle
from .mistakes import did_you_mean
from .system import GROUND
from .workshop import Workshop

_KINDS = {
    JointHandle: "joint",
    BodyHandle: "body",
    PointHandle: "point",
    FrameHandle: "frame",
    Node: "parameter or input",
}


class Finding(Workshop):
    """`m["elbow"]`."""

    def __getitem__(self, name: str) -> Any:
        """The joint, body, point, frame, parameter or input of this name."""
        found: list[Any] = []
        if name in self.joints:
            found.append(JointHandle(self, name))
        if name in self.bodies or name == GROUND:
            found.append(BodyHandle(self, name))
        if name in self.points:
            found.append(PointHandle(self, self.points[name]))
        if name in self.frames:
            found.append(FrameHandle(self, name))
        if name in self.definitions:
            found.append(self.definitions[name].symbol)
        if name in self.defaults or name in self.input_values:
            found += [x for x in self.graph.symbols if x.name == name]
        if not found:
            known = [*self.joints, *self.bodies, *self.points, *self.frames, *self.defaults, *self.input_values]
            self.refuse(f"there is no {name!r} in this model; {did_you_mean(name, known)}")
        if len(found) > 1:
            kinds = " and ".join(_KINDS[type(x)] for x in found)
            self.refuse(f"the name {name!r} is that of a {kinds}; keep what the method that made it answered")
        return found[0]
