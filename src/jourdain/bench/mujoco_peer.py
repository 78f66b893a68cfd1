"""MuJoCo: its C functions on the same mechanism, without geometry, contacts, limits or actuators."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .case import Case, Ready, State, read_output
from .mechanism import Array, Link, Mechanism, quaternion
from .plain_text import numbers, state_row
from .toolchain import NATIVE, Missing, Refused, build, c_compiler, output_lines, package


class MujocoC:
    """`mj_inverse`, `mj_forward` and the mass matrix (with the kinematics that it needs) in C."""

    name = "mujoco C"

    def prepare(self, case: Case) -> Ready:
        """Built and checked. MuJoCo's two problems of dynamics include its empty sensor and constraint stages."""
        program = self.program()
        words = Words(case.mechanism)
        xml = words.xml()
        # The first state comes last, because the program times the state that it read last.
        states = [words.answers(state) for state in reversed(case.states)]
        rows = "\n".join([str(len(states)), *map(state_row, states)]) + "\n"

        def clock(seconds: float) -> dict[str, float]:
            with tempfile.TemporaryDirectory() as folder:
                model_file, states_file = Path(folder) / "model.xml", Path(folder) / "states.txt"
                model_file.write_text(xml)
                states_file.write_text(rows)
                return read_output(output_lines(program, str(model_file), str(states_file), str(seconds)), states)

        clock(0.0)
        return Ready(clock)

    def program(self) -> Path:
        """The timing program, linked with the wheel's own library."""
        folder = package("mujoco", "mujoco")
        libraries = sorted(p for p in folder.glob("libmujoco*") if ".so" in p.name or p.suffix == ".dylib")
        if not libraries:
            raise Missing("the mujoco wheel here has no C library to link with: pip install mujoco")
        source = NATIVE / "mujoco_loop.c"
        command = [c_compiler(), "-O2", f"-I{folder / 'include'}", str(source), str(libraries[-1]),
                   f"-Wl,-rpath,{folder}", "-lm"]  # fmt: skip
        return build("mujoco_loop", command, [source], ["mujoco"])


@dataclass(frozen=True)
class Words:
    """A mechanism in MuJoCo's words: joints in depth-first order, a free joint's velocity along the ground's axes."""

    mechanism: Mechanism

    def __post_init__(self) -> None:
        for link in self.mechanism.links:
            if any(step.kind == "screw" for step in link.steps):
                raise Refused("MuJoCo has no screw joint")
            if link.kind == "free" and link.parent >= 0:
                raise Refused("MuJoCo has free joints only at the ground")
            if link.kind in ("free", "planar") and link.armature.any():
                raise Refused("a rotor on a joint of several freedoms is not converted for MuJoCo")
            if float(np.linalg.eigvalsh(link.inertia)[0]) <= 0.0:
                raise Refused(f"MuJoCo has no bodies without inertia about some axis, as {link.name!r} moves one")

    def depth_first(self) -> Iterator[tuple[int, int]]:
        """Links as MuJoCo numbers them, each with how many bodies to close before it opens."""
        children: dict[int, list[int]] = {}
        for i, link in enumerate(self.mechanism.links):
            children.setdefault(link.parent, []).append(i)
        stack = [(i, 1) for i in reversed(children.get(-1, []))]
        depth = 0
        while stack:
            i, at = stack.pop()
            yield i, depth - at + 1
            depth = at
            stack += [(k, at + 1) for k in reversed(children.get(i, []))]

    def xml(self) -> str:
        """The model as MJCF."""
        root = ElementTree.Element("mujoco")
        as_it_is = {"angle": "radian", "boundmass": "0", "boundinertia": "0", "balanceinertia": "false"}
        ElementTree.SubElement(root, "compiler", as_it_is)
        ElementTree.SubElement(root, "option", gravity=numbers(self.mechanism.gravity))
        opened = [ElementTree.SubElement(root, "worldbody")]
        for i, closing in self.depth_first():
            del opened[len(opened) - closing :]
            link = self.mechanism.links[i]
            turned = np.roll(quaternion(link.rotation), 1)
            body = ElementTree.SubElement(opened[-1], "body", pos=numbers(link.translation), quat=numbers(turned))
            self._joints(body, link)
            j = link.inertia
            six = numbers(np.diagonal(j), j[0, 1], j[0, 2], j[1, 2])
            place, mass = numbers(link.center), numbers(link.mass)
            ElementTree.SubElement(body, "inertial", pos=place, mass=mass, fullinertia=six)
            opened.append(body)
        return ElementTree.tostring(root, encoding="unicode")

    def _joints(self, body: ElementTree.Element, link: Link) -> None:
        if link.kind == "free":
            ElementTree.SubElement(body, "joint", type="free", armature="0")
        elif link.kind == "spherical":
            ElementTree.SubElement(body, "joint", type="ball", armature=numbers(link.armature[0]))
        elif link.kind == "planar":
            raise Refused("a planar joint's speeds are not MuJoCo's")
        for step, armature in zip(link.steps, link.armature):
            kind = "hinge" if step.kind == "revolute" else "slide"
            if len(link.steps) > 1 and step.translation.any():
                raise Refused("a sequence of joints whose axes do not meet is not converted for MuJoCo")
            ElementTree.SubElement(body, "joint", type=kind, axis=numbers(step.axis), armature=numbers(armature))
        if len(link.steps) == 1 and link.steps[0].translation.any():
            place = link.translation + link.rotation @ link.steps[0].translation
            body.set("pos", numbers(place))

    def _order(self) -> tuple[list[slice], list[slice]]:
        """Where each link's coordinates and speeds lie in ours, in MuJoCo's order of links."""
        q, v, at_q, at_v = [], [], 0, 0
        for link in self.mechanism.links:
            q.append(slice(at_q, at_q + link.nq))
            v.append(slice(at_v, at_v + link.nv))
            at_q, at_v = at_q + link.nq, at_v + link.nv
        order = [i for i, _ in self.depth_first()]
        return [q[i] for i in order], [v[i] for i in order]

    def coordinates(self, q: Array) -> Array:
        """MuJoCo's coordinates: quaternions have their scalar first, a free body's place is the ground's."""
        order = [i for i, _ in self.depth_first()]
        parts = []
        for i, where in zip(order, self._order()[0]):
            link, own = self.mechanism.links[i], q[where]
            if link.kind == "free":  # from the ground, wherever the joint's fixed frame is
                place = link.translation + link.rotation @ own[:3]
                own = np.concatenate([place, _product(quaternion(link.rotation), own[3:])])
            if link.kind in ("free", "spherical"):
                own = np.concatenate([own[:-4], np.roll(own[-4:], 1)])
            parts.append(own)
        return np.concatenate(parts)

    def speeds(self, state: State) -> Array:
        """J, v_MuJoCo = J v: links in their order, a free joint's linear part turned to the ground's axes."""
        order = [i for i, _ in self.depth_first()]
        jacobian = np.zeros((self.mechanism.nv,) * 2)
        row = 0
        for i, q, v in zip(order, *self._order()):
            link = self.mechanism.links[i]
            block = np.eye(link.nv)
            if link.kind == "free":
                block[:3, :3] = link.rotation @ rotation(state.q[q][3:])
            jacobian[row : row + link.nv, v] = block
            row += link.nv
        return jacobian

    def answers(self, state: State) -> State:
        """The state with everything that MuJoCo's answers are compared with in its words."""
        jacobian = self.speeds(state)
        inverse = np.linalg.inv(jacobian)  # a permutation with rotations in it
        back = inverse.T
        mass = back @ state.mass @ inverse
        # v_M = J v: dv_M/dt = J a + J̇ v, with J̇ v = ω × v in the ground's axes for a free joint's linear part.
        added = self._added(state, jacobian)
        a = jacobian @ state.a + added
        tau = back @ state.tau
        return State(self.coordinates(state.q), jacobian @ state.v, a, tau, tau - mass @ a, mass)

    def _added(self, state: State, jacobian: Array) -> Array:
        order = [i for i, _ in self.depth_first()]
        added = np.zeros(self.mechanism.nv)
        row = 0
        for i, v in zip(order, self._order()[1]):
            link = self.mechanism.links[i]
            if link.kind == "free":
                linear, angular = state.v[v][:3], state.v[v][3:]
                added[row : row + 3] = jacobian[row : row + 3, v.start : v.start + 3] @ np.cross(angular, linear)
            row += link.nv
        return added


def rotation(q: Array) -> Array:
    """Matrix of a unit quaternion (x, y, z, w): R = 1 + 2 w [v×] + 2 [v×]²."""
    x, y, z, w = q
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    found: Array = np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross
    return found


def _product(a: Array, b: Array) -> Array:
    """Of quaternions (x, y, z, w)."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.array([*vector, a[3] * b[3] - a[:3] @ b[:3]])
