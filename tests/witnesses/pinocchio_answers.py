"""What Pinocchio and we say of one system in one state, side by side, and that it is the same."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from jourdain.equations.formulation import Formulation
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, interpret
from jourdain.model.system import System
from jourdain.spatial import Vector

from ..equations.systems import State, random_state, values_in
from .agreement import agree
from .pinocchio_bridge import Bridge, bridge

Array = NDArray[np.float64]
OFFSET = (0.3, -0.2, 0.5)
FRAMES = {"body": pin.ReferenceFrame.LOCAL, "ground": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED}


@dataclass(frozen=True)
class Sizes:
    """Of the terms that are summed: of forces, and of momenta."""

    forces: float
    momenta: float


def evaluated(mechanics: Mechanics, parts: dict[str, list[Node]], state: State) -> dict[str, Array]:
    """Many expressions of one derivation at once, so that what they share is computed once."""
    flat = interpret([x for part in parts.values() for x in part], values_in(mechanics, state))
    numbers = iter(float(x) for x in flat)
    return {name: np.array([next(numbers) for _ in part]) for name, part in parts.items()}


def flat(rows: list[list[Node]]) -> list[Node]:
    return [x for row in rows for x in row]


def dynamics(mechanics: Mechanics) -> dict[str, list[Node]]:
    """What depends on the formulation."""
    return {
        "inverse dynamics": mechanics.inverse_dynamics(),
        "bias": mechanics.bias_forces(),
        "gravity": mechanics.gravity_forces(),
        "mass matrix": flat(mechanics.mass_matrix()),
        "forward dynamics": mechanics.forward_dynamics(),
    }


def totals(mechanics: Mechanics) -> dict[str, list[Node]]:
    """What does not."""
    last = mechanics.system.bodies[-1].name
    offset = Vector.of(mechanics.graph, OFFSET)
    return {
        "coriolis": flat(mechanics.coriolis_matrix()),
        "energy": list(mechanics.energy()),
        "mass center": list(mechanics.mass_center()),
        "mass center jacobian": flat(mechanics.mass_center_jacobian()),
        "momentum": mechanics.momentum(),
        "momentum matrix": flat(mechanics.momentum_matrix()),
        "pose": flat(mechanics.pose(last)),
        "jacobian body": flat(mechanics.jacobian(last, offset)),
        "jacobian ground": flat(mechanics.jacobian(last, offset, True)),
        "jacobian rate": flat(mechanics.jacobian_rate(last, None, True)),
    }


class Witness:
    """Pinocchio's answers in our order and conventions, in one state."""

    def __init__(self, system: System, state: State, made: Bridge | None = None) -> None:
        self.system, self.state = system, state
        self.bridge = made or bridge(system)
        self.model, self.data = self.bridge.model, self.bridge.data
        self.q, self.u = self.bridge.configuration(state.q), self.bridge.velocity(state.u)
        self.udot = self.bridge.velocity(state.udot)
        model, data, q = self.model, self.data, self.q
        upper = np.triu(pin.crba(model, data, q))
        self.mass = self.bridge.matrix(upper + np.triu(upper, 1).T)
        self.bias = self._forces(pin.nonLinearEffects(model, data, q, self.u))
        self.gravity = self._forces(pin.computeGeneralizedGravity(model, data, q))
        self.inverse = self._forces(pin.rnea(model, data, q, self.u, self.udot))

    def _forces(self, tau: Array) -> Array:
        return self.bridge.forces(np.asarray(tau))

    @property
    def sizes(self) -> Sizes:
        m, u, udot = np.abs(self.mass), np.abs(self.state.u), np.abs(self.state.udot)
        applied = np.abs(self.state.f)
        terms = (m @ udot).max(initial=0.0) + np.abs(self.bias).max(initial=0.0) + np.abs(self.gravity).max(initial=0.0)
        # Velocity terms partly cancel in the sum: what they are beside each other is of the size of M u u.
        velocity = float((m @ u).max(initial=0.0) * u.max(initial=0.0))
        return Sizes(float(terms + velocity + applied.max(initial=0.0)), float((m @ u).max(initial=0.0)))

    def dynamics_agree(self, found: dict[str, Array], what: str = "") -> None:
        """The results of `dynamics`."""
        n, size = len(self.state.u), self.sizes.forces
        agree(found["inverse dynamics"], self.inverse, size, f"{what} inverse dynamics")
        agree(found["bias"], self.bias, size, f"{what} bias")
        agree(found["gravity"], self.gravity, size, f"{what} gravity")
        agree(found["mass matrix"].reshape(n, n), self.mass, 0.0, f"{what} mass matrix")
        # Accelerations of an ill-conditioned mass matrix may differ; the forces that they stand for may not.
        udot = found["forward dynamics"]
        size += float((np.abs(self.mass) @ np.abs(udot)).max(initial=0.0))
        agree(self.mass @ udot + self.bias, self.state.f, size, f"{what} forward dynamics")

    def totals_agree(self, found: dict[str, Array], what: str = "") -> None:
        """The results of `totals`."""
        model, data, q = self.model, self.data, self.q
        u, n, size = self.u, len(self.u), self.sizes
        velocity = self.bias - self.gravity
        agree(found["coriolis"].reshape(n, n) @ self.state.u, velocity, size.forces, f"{what} coriolis")
        # What is fixed to the ground has potential energy, too; Pinocchio leaves it out.
        fixed = model.inertias[0]
        potential = pin.computePotentialEnergy(model, data, q) - fixed.mass * fixed.lever @ model.gravity.linear
        # Of rotors it counts some and not others: with them its mass matrix is the witness.
        kinetic = pin.computeKineticEnergy(model, data, q, u)
        if model.armature.any():
            kinetic = 0.5 * float(self.state.u @ self.mass @ self.state.u)
        energies = [kinetic, potential]
        far = 1.0 + max(float(np.abs(x.translation).max()) for x in data.oMi)
        weight = sum(inertia.mass for inertia in model.inertias) * float(np.linalg.norm(model.gravity.linear))
        agree(found["energy"], energies, weight * far, f"{what} energy")
        agree(found["mass center"], pin.centerOfMass(model, data, q), far, f"{what} mass center")
        jacobian = self._columns(pin.jacobianCenterOfMass(model, data, q), n)
        agree(found["mass center jacobian"].reshape(3, n), jacobian, far, f"{what} mass center jacobian")
        matrix = self.bridge.columns(np.asarray(pin.computeCentroidalMap(model, data, q)))
        terms = float(np.abs(matrix).max(initial=0.0)) * far
        agree(found["momentum matrix"].reshape(6, n), matrix, terms, f"{what} momentum matrix")
        momentum = np.asarray(pin.computeCentroidalMomentum(model, data, q, u).vector)
        momentum = np.concatenate([momentum[3:], momentum[:3]])
        agree(found["momentum"], momentum, terms * float(np.abs(u).sum()), f"{what} momentum")
        self._places_agree(found, far, what)

    def _places_agree(self, found: dict[str, Array], far: float, what: str) -> None:
        model, data, q, u = self.model, self.data, self.q, self.u
        frame = model.getFrameId(self.system.bodies[-1].name)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        place = data.oMf[frame]
        far += float(np.abs(place.translation).max())
        agree(found["pose"].reshape(4, 4), place.homogeneous, far, f"{what} pose")
        n = len(u)
        for axes, reference in FRAMES.items():
            at_origin = self.bridge.columns(np.asarray(pin.getFrameJacobian(model, data, frame, reference)))
            offset = np.array(OFFSET) if axes == "body" else place.rotation @ OFFSET
            at_point = np.vstack([at_origin[:3], at_origin[3:] + np.cross(at_origin[:3].T, offset).T])
            agree(found[f"jacobian {axes}"].reshape(6, n), at_point, far, f"{what} jacobian, {axes} axes")
        if "jacobian rate" not in found:
            return
        pin.computeJointJacobiansTimeVariation(model, data, q, u)
        pin.updateFramePlacements(model, data)
        rate = self.bridge.columns(
            np.asarray(pin.getFrameJacobianTimeVariation(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED))
        )
        agree(found["jacobian rate"].reshape(6, n), rate, far * (1.0 + float(np.abs(u).sum())), f"{what} jacobian rate")

    def _columns(self, j: Array, n: int) -> Array:
        found = np.zeros((3, n))
        found[:, self.bridge.order] = np.reshape(j, (3, n))
        return found


def everything_agrees(
    system: System, seed: int, states: int = 1, made: Bridge | None = None, without: Collection[str] = ()
) -> None:
    """All answers but those left out, in random states; forward dynamics of large systems by articulated bodies."""
    mechanics = Mechanics(system, Formulation(articulated=len(system.bodies) > 9))
    parts = dynamics(mechanics) | (totals(mechanics) if system.speeds else {})
    parts = {name: part for name, part in parts.items() if name not in without}
    made = made or bridge(system)
    rng = np.random.default_rng(seed)
    for _ in range(states):
        state = random_state(system, rng)
        witness = Witness(system, state, made)
        found = evaluated(mechanics, parts, state)
        witness.dynamics_agree(found, f"seed {seed}")
        if system.speeds:
            witness.totals_agree(found, f"seed {seed}")


def formulation_agrees(system: System, formulation: Formulation, seed: int) -> None:
    """What is written another way."""
    mechanics = Mechanics(system, formulation)
    state = random_state(system, np.random.default_rng(seed))
    found = evaluated(mechanics, dynamics(mechanics), state)
    Witness(system, state).dynamics_agree(found, f"seed {seed}, {formulation}")

