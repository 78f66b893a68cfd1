"""Hands on a mechanism: a system whose handles are pushed by inputs, and tell where they are.

To each handle there are six inputs, a force at its point [N] and a torque on its body [N m], in the ground's axes, and
outputs: place [m], the body's axes, velocity [m/s] and angular velocity [rad/s]. So whatever takes a system takes its
hands, too: runs, machines, linear models.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model.handles import PointHandle
from ..model.mistakes import did_you_mean
from ..model.model import Model
from ..model.system import System, must_be_system

PUSH = 6  # numbers of a hand's force and torque
MOTION = 18  # of a place (3), axes (3, 3) as columns in rows, velocity (3), angular velocity (3)
PLACE, AXES, VELOCITY, OMEGA = 0, 3, 12, 15


def with_hands(system: System, *handles: str) -> System:
    """The same system with hands on these handles; on all of them if none is named. A body's name stands for its
    origin."""
    must_be_system(system, "touched")
    model = Model.of(system)
    names = handles or tuple(x.name for x in system.handles)
    if not names:
        raise ValueError(f"system {system.name!r} has no handle; name bodies, or give it one by Model.handle")
    if len(set(names)) < len(names):
        raise ValueError(f"handles {', '.join(map(repr, names))}: one of them is there twice")
    for name in names:
        point = _point(model, name)
        body = point.body
        model.force(model.inputs(*_named(name, "force")), at=point, name=f"{name} hand force")
        model.torque(model.inputs(*_named(name, "torque")), on=body, name=f"{name} hand torque")
        vectors = {
            "place": point.position, "x": body.x, "y": body.y, "z": body.z, "velocity": point.velocity,
            "omega": body.omega,
        }  # fmt: skip
        for what, vector in vectors.items():
            model.output(f"{name} hand {what}", vector)
    return model.system()


def push_inputs(name: str) -> tuple[str, ...]:
    """Names of the six inputs of a hand, force first."""
    return (*_named(name, "force"), *_named(name, "torque"))


def motion_outputs(name: str) -> tuple[str, ...]:
    """Names of the outputs (18,) that are a hand's motion: place, the rows of the matrix from the body's axes to the
    ground's, velocity, angular velocity."""
    axes = [f"{name} hand {axis}.{row}" for row in "xyz" for axis in "xyz"]
    place, velocity, omega = ([f"{name} hand {what}.{x}" for x in "xyz"] for what in ("place", "velocity", "omega"))
    return (*place, *axes, *velocity, *omega)


def hands_of(system: System, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The hands that `with_hands` has put on it, or those named of them."""
    last = " hand place.x"
    there = tuple(x.removesuffix(last) for x in system.outputs if x.endswith(last))
    for name in names:
        if name not in there:
            raise KeyError(f"system {system.name!r} has no hand {name!r}; {did_you_mean(name, there)}")
    return tuple(names) or there


def _named(name: str, what: str) -> list[str]:
    return [f"{name} {what} {x}" for x in "xyz"]


def _point(model: Model, name: str) -> PointHandle:
    if name in model.handles:
        return PointHandle(model, model.handles[name].point)
    if name in model.bodies:
        return PointHandle(model, model.origin_of(name))
    known = [*model.handles, *model.bodies]
    raise KeyError(f"system {model.name!r} has no handle or body {name!r}; {did_you_mean(name, known)}")
