"""What joints transmit: the wrench that the parent exerts on the child, by each body's balance of Newton and Euler.

On a body act gravity, the declared forces and torques, the forces of constraints laid over the tree, its own joint and,
oppositely, the joints of what it carries. From the leaves inwards each joint's wrench is therefore what the body needs
for its motion, with its own standard inertia, less all else that acts. Forces on a joint's own speeds (motors, springs,
friction, added forces) are a part of what the joint transmits; friction that depends on a constraint's force acts where
its slips are.
"""

from __future__ import annotations

from ..graph import Node
from ..model.system import Level
from ..spatial import Inertia, Vector
from .bond_wrenches import bond_wrenches
from .inverse import Load, accelerate, inertia_load, spin
from .kinematics import places
from .loads import carried_across
from .lower import moved_pose
from .own_speeds import OwnSpeeds

AXES = ("joint", "body", "ground")


def transmitted(motion: OwnSpeeds) -> dict[str, Load]:
    """For each joint the wrench on the child, about the origin of the child's link (−1: the ground), in its axes."""
    mechanics = motion.mechanics
    tree, system, graph = mechanics.standard, mechanics.system, mechanics.graph
    moving = accelerate(tree, mechanics.u, motion.answer.rates)
    still = spin(Vector.zero(graph), Vector.zero(graph))
    needed: dict[str, Load] = {}
    for solid in tree.solids:
        fixed = solid.link < 0
        inertia = Inertia.about_center(solid.mass, solid.center, solid.central)
        origin = -tree.gravity if fixed else moving.origins[solid.link]
        needed[solid.name] = inertia_load(inertia, still if fixed else moving.spins[solid.link], origin)
    acting = list(mechanics.loads.acting)
    held = [(name, system.constraint(name).rows[k], system.constraint(name).level) for name, k in motion.places]
    acting += bond_wrenches(mechanics, held, motion.answer.multipliers)
    for rubbing, size in zip(motion.solver.acting, motion.solver.sizes(motion.answer.multipliers)):
        slips = [(rubbing.friction.name, slip, Level.VELOCITY) for slip in rubbing.friction.slips]
        acting += bond_wrenches(mechanics, slips, [x * size for x in rubbing.against])
    for load in acting:
        if load.body in needed:
            needed[load.body] = needed[load.body] - load.wrench
    homes = mechanics.lowered.homes
    for joint in reversed(system.joints):
        if joint.parent in needed:
            source, target = homes[joint.child].link, homes[joint.parent].link
            carried = carried_across(tree, needed[joint.child], source, target)
            needed[joint.parent] = needed[joint.parent] + carried
    return {joint.name: needed[joint.child] for joint in system.joints}


def reaction(motion: OwnSpeeds, joint: str, at: Vector | None = None, axes: str = "joint") -> list[Node]:
    """(6,): moment, then force, that the parent exerts on the child through a joint, in the system's own speeds.

    at: the point about which the moment is taken, in the child's body frame; the origin of the joint's moving frame if
    left out. axes: of that frame ("joint"), of the child's body ("body") or of the ground ("ground").
    """
    mechanics = motion.mechanics
    child = motion.system.joint(joint).child
    found = next(x for x in mechanics.system.joints if x.child == child)
    home = mechanics.lowered.homes[found.child]
    seat = moved_pose(found.in_child, mechanics.graph)
    place = home.pose.translation + home.pose.rotation.inward(seat.translation if at is None else at)
    load = transmitted(motion)[found.name]
    six = [load.moment - place.cross(load.force), load.force]
    if axes == "ground":
        if home.link >= 0:
            frame = places(mechanics.standard)[home.link]
            six = [frame.rotation @ x for x in six]
    else:
        six = [home.pose.rotation.outward(x) for x in six]
        if axes == "joint":
            six = [seat.rotation.outward(x) for x in six]
    return motion.put_in([x for vector in six for x in vector])


__all__ = ["AXES", "reaction", "transmitted"]
