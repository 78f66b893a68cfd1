"""What a URDF file says, checked: links, joints and their tree, before any mechanics is made of it."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..model.mistakes import Mistakes, Where, did_you_mean
from .xml import MAX_BYTES, Element, read_xml

Triple = tuple[float, float, float]

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LONGEST_NUMBER = 100
_NAME = re.compile(r"[^\W\d][^\x00-\x1f\x7f\"'`\\]*")
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Inertial:
    """A link's mass [kg], its mass centre in the link frame [m], and the inertia about it [kg m²].

    rpy: the angles that turn the link's axes into those of the inertia, R = Rz(y) Ry(p) Rx(r).
    inertia: xx, yy, zz, xy, xz, yz, entries of the matrix.
    """

    mass: float
    xyz: Triple
    rpy: Triple
    inertia: tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Link:
    """A link; inertial is None for one without mass."""

    name: str
    where: Where
    inertial: Inertial | None


@dataclass(frozen=True)
class Limits:
    """What a joint is allowed: position [m or rad], effort [N or N m], velocity; None where nothing is said."""

    lower: float | None
    upper: float | None
    effort: float | None
    velocity: float | None


@dataclass(frozen=True)
class Joint:
    """A joint; its frame, which is the child's, lies at xyz in the parent's, turned by rpy.

    axis: a direction in the joint's frame, of any length. damping [N s/m or N m s], friction [N or N m].
    mimic: the joint that this one should follow, None for most.
    """

    name: str
    where: Where
    kind: str
    parent: str
    child: str
    xyz: Triple
    rpy: Triple
    axis: Triple
    limits: Limits | None
    damping: float
    friction: float
    mimic: str | None


@dataclass(frozen=True)
class Robot:
    """A URDF's tree. root: the link that no joint carries. joints: every joint after the one that carries its parent,
    limb by limb, branches in the order of the file."""

    name: str
    root: str
    links: dict[str, Link]
    joints: tuple[Joint, ...]


def read_urdf(source: str | os.PathLike[str]) -> Robot:
    """What a URDF says, from a file's path or, for a string that begins with "<", from the text itself.

    All mistakes of the file are raised together, as a ModelError. Meshes and other files are never opened.
    """
    if isinstance(source, str) and source.lstrip()[:1] == "<":
        return _Reading("URDF text").robot(read_xml(source.encode(), "URDF text", "utf-8"), "robot")
    if not os.fspath(source):
        raise ValueError("an empty text is neither the path of a URDF file nor a URDF")
    path = Path(source)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return _Reading(str(path)).robot(read_xml(data, str(path)), path.stem)


Named = TypeVar("Named", Link, Joint)


class _Reading:
    """Reads elements, notes every mistake, answers something harmless for each."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.mistakes = Mistakes()

    def robot(self, root: Element, name: str) -> Robot:
        if root.tag != "robot":
            self.mistakes.add(f"the file begins with <{root.tag}>; a URDF begins with <robot>", root.where)
            self.mistakes.raise_for(self.source)
        for child in root.children:
            if child.tag.startswith("xacro:"):
                self.mistakes.add(
                    f"<{child.tag}> belongs to xacro; expand the file first: xacro FILE > robot.urdf", child.where
                )
                self.mistakes.raise_for(self.source)
        name = root.attributes.get("name", "").strip() or name
        if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            name = "robot"
        links = self._unique([self._link(x) for x in root.all("link")], "link")
        joints = self._unique([self._joint(x) for x in root.all("joint")], "joint")
        order = self._tree(links, list(joints.values()), root.where)
        self.mistakes.raise_for(name)
        return Robot(name, order[0], links, tuple(joints[x] for x in order[1:]))

    # -- the tree -----------------------------------------------------------------------------------------------

    def _tree(self, links: dict[str, Link], joints: list[Joint], where: Where) -> list[str]:
        """The root link, then the joints' names, parents first."""
        carrier: dict[str, Joint] = {}
        carried: dict[str, list[Joint]] = {name: [] for name in links}
        for joint in joints:
            for what, link in (("parent", joint.parent), ("child", joint.child)):
                if link and link not in links:
                    self.mistakes.add(
                        f"joint {joint.name!r}: its {what} is {link!r}, but there is no such link; "
                        f"{did_you_mean(link, links)}",
                        joint.where,
                    )
            if joint.child in carrier:
                self.mistakes.add(
                    f"joint {joint.name!r} carries link {joint.child!r}, which joint {carrier[joint.child].name!r} "
                    f"({carrier[joint.child].where}) carries already; a link hangs on one joint",
                    joint.where,
                )
            elif joint.child in links and joint.parent in links:
                carrier[joint.child] = joint
                carried[joint.parent].append(joint)
        if not links:
            self.mistakes.add("the robot has no link", where)
        roots = [name for name in links if name not in carrier]
        order: list[str] = []
        reached = set(roots)
        waiting = [joint for name in reversed(roots) for joint in reversed(carried[name])]
        while waiting:
            joint = waiting.pop()
            order.append(joint.name)
            reached.add(joint.child)
            waiting += reversed(carried[joint.child])
        self._loops([name for name in links if name not in reached], carrier)
        if len(roots) > 1 and not self.mistakes.found:
            self.mistakes.add(
                f"links {', '.join(map(repr, roots[:8]))} hang on no joint; only one link, the root, may", where
            )
        return [roots[0] if roots else "", *order]

    def _loops(self, unreached: list[str], carrier: dict[str, Joint]) -> None:
        """One mistake for each ring of joints that carry each other."""
        seen: set[str] = set()
        for start in unreached:
            trail: list[str] = []
            link = start
            while link not in seen:
                seen.add(link)
                trail.append(link)
                link = carrier[link].parent
            if link in trail:
                ring = [carrier[x] for x in trail[trail.index(link) :]]
                names = ", ".join(repr(joint.name) for joint in reversed(ring[:8]))
                self.mistakes.add(f"joints {names} close a loop; a URDF is a tree", ring[-1].where)

    def _unique(self, things: list[Named], what: str) -> dict[str, Named]:
        found: dict[str, Named] = {}
        for thing in things:
            if thing.name in found:
                first = found[thing.name].where
                self.mistakes.add(f"{what} {thing.name!r}: the name is taken by another {what} ({first})", thing.where)
            else:
                found[thing.name] = thing
        return found

    # -- elements -----------------------------------------------------------------------------------------------

    def _link(self, element: Element) -> Link:
        name = self._name(element, "link")
        inertial = element.first("inertial")
        return Link(name, element.where, None if inertial is None else self._inertial(inertial, f"link {name!r}"))

    def _inertial(self, element: Element, of: str) -> Inertial:
        xyz, rpy = self._origin(element, of)
        mass, inertia = element.first("mass"), element.first("inertia")
        if mass is None:
            self.mistakes.add(f"{of}: its <inertial> has no <mass value=…/>", element.where)
        if inertia is None:
            self.mistakes.add(f"{of}: its <inertial> has no <inertia ixx=…/>", element.where)
        kg = 0.0 if mass is None else self._needed(mass, "value", f"{of}: its mass")
        if mass is not None and kg < 0:
            self.mistakes.add(f"{of}: its mass is {kg}; it cannot be negative", mass.where)
        entries = [
            0.0 if inertia is None else self._needed(inertia, key, f"{of}: its {key}")
            for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        ]
        xx, yy, zz, xy, xz, yz = entries
        return Inertial(kg, xyz, rpy, (xx, yy, zz, xy, xz, yz))

    def _joint(self, element: Element) -> Joint:
        name = self._name(element, "joint")
        of = f"joint {name!r}"
        kind = element.attributes.get("type", "")
        if kind not in JOINT_TYPES:
            self.mistakes.add(f"{of}: its type is {kind!r}; a URDF joint is {', '.join(JOINT_TYPES)}", element.where)
        xyz, rpy = self._origin(element, of)
        axis: Triple = (1.0, 0.0, 0.0)
        turns = element.first("axis")
        if turns is not None and kind not in ("fixed", "floating"):
            axis = self._triple(turns, "xyz", axis, f"{of}: its axis")
            if not any(axis):
                self.mistakes.add(f"{of}: its axis is (0, 0, 0); an axis needs a direction", turns.where)
        limit, dynamics, mimic = (element.first(tag) for tag in ("limit", "dynamics", "mimic"))
        limits = None
        if limit is not None:
            lower, upper, effort, velocity = (
                self._number(limit, key, f"{of}: its limit's {key}") for key in ("lower", "upper", "effort", "velocity")
            )
            limits = Limits(lower, upper, effort, velocity)
        damping, friction = (
            0.0 if dynamics is None else self._number(dynamics, key, f"{of}: its {key}") or 0.0
            for key in ("damping", "friction")
        )
        parent, child = self._end(element, "parent", of), self._end(element, "child", of)
        follows = None if mimic is None else mimic.attributes.get("joint", "")
        return Joint(
            name, element.where, kind, parent, child, xyz, rpy, axis, limits, damping, friction, follows
        )

    def _end(self, element: Element, which: str, of: str) -> str:
        child = element.first(which)
        link = "" if child is None else child.attributes.get("link", "")
        if not link:
            self.mistakes.add(f"{of} has no <{which} link=…/>", element.where)
        return link

    def _name(self, element: Element, what: str) -> str:
        name = element.attributes.get("name", "")
        if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME or name != name.strip():
            self.mistakes.add(
                f"{name[:_LONGEST_NAME]!r} is no name for a {what}: begin with a letter, leave out quotes, backslashes "
                "and outer blanks",
                element.where,
            )
            return f"{what} in line {element.where.line}"
        return name

    def _origin(self, element: Element, of: str) -> tuple[Triple, Triple]:
        zero: Triple = (0.0, 0.0, 0.0)
        origin = element.first("origin")
        if origin is None:
            return zero, zero
        return (
            self._triple(origin, "xyz", zero, f"{of}: its origin's xyz"),
            self._triple(origin, "rpy", zero, f"{of}: its origin's rpy"),
        )

    # -- numbers ------------------------------------------------------------------------------------------------

    def _triple(self, element: Element, key: str, default: Triple, what: str) -> Triple:
        text = element.attributes.get(key)
        if text is None:
            return default
        parts = text.split(maxsplit=3)
        if len(parts) != 3:
            self.mistakes.add(f"{what} is {_shown(text)}; three numbers are needed", element.where)
            return default
        x, y, z = (self._value(part, element.where, what) for part in parts)
        return x, y, z

    def _needed(self, element: Element, key: str, what: str) -> float:
        number = self._number(element, key, what)
        if number is None:
            self.mistakes.add(f"{what} is missing", element.where)
        return number or 0.0

    def _number(self, element: Element, key: str, what: str) -> float | None:
        text = element.attributes.get(key)
        return None if text is None else self._value(text.strip(), element.where, what)

    def _value(self, text: str, where: Where, what: str) -> float:
        value = float(text) if len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(value):
            self.mistakes.add(f"{what} is {_shown(text)}; a finite number is needed", where)
            return 0.0
        return value


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
