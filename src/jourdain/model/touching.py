"""Shapes that may touch, as contacts: each possible point of contact with its gap, its slips, friction and impact."""

from __future__ import annotations

from collections.abc import Callable

from .arguments import Scalar
from .between_curves import ball_on_ball, ball_on_box, ball_on_capsule, ball_on_cylinder, capsule_on_capsule
from .between_faces import encounter, is_flat, spots_of
from .changing import ImpactLaw
from .drafts import EncounterDraft
from .encounter import SLOTS
from .handles import BodyHandle
from .mistakes import users_line
from .on_planes import on_plane
from .planar import shared_levels
from .rolling import Rolling
from .seating import Seat, seat
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Plane, Point, Shape, Sphere, Wheel
from .spots import Scene, Spot
from .switching import STICKS, Changing
from .system import GROUND
from .vectors import VectorExpression

Side = tuple[BodyHandle | str, Shape] | Shape
Meet = Callable[[Scene], list[Spot]]

# Which may touch which, the rounder first, and how. A new pair is a row here.
PAIRS: dict[tuple[type[Shape], type[Shape]], Meet] = {
    **{(kind, Plane): on_plane for kind in (Point, Sphere, Capsule, Box, Cylinder, Wheel, Mesh, Ellipsoid)},
    (Point, Sphere): ball_on_ball,
    (Point, Capsule): ball_on_capsule,
    (Point, Box): ball_on_box,
    (Point, Cylinder): ball_on_cylinder,
    (Sphere, Sphere): ball_on_ball,
    (Sphere, Capsule): ball_on_capsule,
    (Sphere, Box): ball_on_box,
    (Sphere, Cylinder): ball_on_cylinder,
    (Capsule, Capsule): capsule_on_capsule,
}
# Which meet by features that a collision detector finds while they move.
FACETED = ((Box, Box), (Mesh, Box), (Mesh, Mesh))


class Touching(Rolling, Changing):
    """Contacts between shapes."""

    def contact(
        self,
        name: str,
        one: Side,
        other: Side,
        *,
        friction: Scalar = 0.0,
        restitution: Scalar = 0.0,
        law: ImpactLaw = ImpactLaw.STRONGE,
    ) -> tuple[str, ...]:
        """Two shapes that may touch, press and rub, but never pull or pass through one another.

        one, other: (body, shape), or a shape of the ground, shapes from `jourdain.shapes`:
        `m.contact("block", (block, jd.shapes.Box((0.2, 0.3, 0.1))), jd.shapes.Plane(), friction=0.5)`. Every shape
        touches planes; points and spheres touch spheres, capsules, boxes and cylinders, and capsules touch capsules.
        Boxes and meshes touch boxes and meshes, by the vertices, edges and faces that face each other: a simulation
        asks the collision library coal for them (`pip install 'jourdain[collisions]'`).

        friction: Coulomb's coefficient; restitution: 0 to 1; both may depend on coordinates, time, inputs and
        parameters. law: what the restitution compares.

        Answers the names of the points of contact: the name itself, or "block 1", "block 2", … of several. Each is a
        switchable constraint, its gap, and where there is friction another one, "block 1 sticks": the velocities of
        slip along two directions, or the one along which bodies that move in a plane can slip: their joints are to be
        declared before.
        """
        what = f"contact {name!r}"
        good = self.read.name(name, "contact")
        rubs, bounce = self._friction(friction, what), self._restitution(restitution, what)
        scene = self._scene(one, other, what)
        if scene is None:
            return ()
        kinds = scene.one.kind, scene.other.kind
        if kinds in FACETED:
            for each, side in ((scene.one, "one"), (scene.other, "other")):
                if is_flat(each):
                    self.mistakes.add(f"the mesh of the {side} side of {what} lies in a plane; a solid one is needed")
                    return ()
            names = tuple(f"{good} {k}" for k in range(1, SLOTS + 1))
            met = encounter(scene, self.claim("encounter", good, "contact"), names)
            self.encounters[good] = EncounterDraft(met, users_line())
            spots = list(spots_of(scene, met))
        else:
            spots = PAIRS[kinds](scene)
            names = tuple(good if len(spots) == 1 else f"{good} {k}" for k in range(1, len(spots) + 1))
        for label, spot in zip(names, spots):
            if not self._gap(label, spot.gap, what):
                return ()
            velocity = self._relative(scene, spot)
            slips = [x for x in (velocity @ direction for direction in spot.across) if not x.is_zero]
            slip = STICKS.format(label) if slips and not rubs.is_zero else ""
            if slip:
                self._constrain(slip, slips, switchable=True)
            self._contact(label, slip, rubs, bounce, law)
        return names

    # -- inside -------------------------------------------------------------------------------------------------

    def _scene(self, one: object, other: object, what: str) -> Scene | None:
        """Two shapes in the order in which their pair is known."""
        a, b = seat(self, one, f"the one side of {what}"), seat(self, other, f"the other side of {what}")
        if a is None or b is None:
            return None
        if a.body.name == b.body.name:
            self.mistakes.add(f"both sides of {what} are on {a.body.name!r}; they never move against each other")
            return None
        known = (*PAIRS, *FACETED)
        if (a.kind, b.kind) not in known or ((b.kind, a.kind) in FACETED and a.body.name == GROUND):
            a, b = b, a
        if (a.kind, b.kind) not in known:
            self.mistakes.add(f"{what} is of a {_word(b)} and a {_word(a)}, which are not supported; {_supported()}")
            return None
        return Scene(self, a, b, shared_levels(self, a.body.name, b.body.name))

    def _relative(self, scene: Scene, spot: Spot) -> VectorExpression:
        """The velocity of the one body's point of contact as seen from the other body."""
        one, other = scene.one, scene.other
        return one.hub.vel(other.body) + one.body.ang_vel_in(other.body).cross(spot.arm)


def _word(of: Seat) -> str:
    return of.kind.__name__.lower()


def _supported() -> str:
    """All pairs, in words."""
    partners: dict[str, list[str]] = {}
    for a, b in (*PAIRS, *FACETED):
        partners.setdefault(b.__name__.lower(), []).append(a.__name__.lower())
    return "there are " + "; ".join(f"{' or '.join(x)} with {y}" for y, x in partners.items())
