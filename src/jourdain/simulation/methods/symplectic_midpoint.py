"""The midpoint rule in coordinates and momenta: symplectic whatever the mass matrix, the variational integrator of the
midpoint's Lagrangian.

E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, second edition, 2006, sections VI.4 and VI.6; loads
beside the potential go into the momenta's rates as in the discrete principle of d'Alembert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...program import Array
from ..method import FixedStep, Slots
from ..newton import newton
from ..plant import INSTEAD, Plant


@dataclass(frozen=True)
class SymplecticMidpoint(FixedStep):
    """Fixed steps, of order 2, for long times: q₁ = q₀ + h v, p₁ = p₀ + h ṗ(q̄, v), with M(q̄) v = (p₀ + p₁)/2.

    Energy stays near where it was for ever where nothing drives or damps. Speeds must be the coordinates' rates.
    """

    order: ClassVar[int] = 2

    def refusal(self, plant: Plant) -> str:
        """Momenta belong to coordinates."""
        if plant.changes:
            return f"it takes no constraints, and here these come and go; {INSTEAD}"
        if plant.moving.is_canonical:
            return ""
        return (
            "it needs speeds that are the rates of the coordinates, and no constraints; ImplicitMidpoint takes any"
        )

    def emit(self, plant: Plant, at: Slots) -> None:
        draft, n, moving = plant.draft, plant.nu, plant.moving
        middle, moment = plant.state("middle"), draft.cell("t of the stage")
        before, momenta, force = (draft.array(x, n) for x in ("momenta before", "momenta", "force"))
        by = [draft.array(x, n * n) for x in ("p by q", "p by u", "force by q", "force by u")]
        speeds, places = draft.array("unknown", n), draft.array("places", n)
        draft.set({moment: at.t + at.h * 0.5})
        plant.run(moving.momenta, at.y, at.t, [before])
        draft.each([middle], lambda y, f, h: y + h * 0.5 * f, [at.y, at.f], [at.h])
        draft.copy(plant.u(middle), speeds)
        draft.copy(plant.q(at.y), places)

        def place() -> None:
            """The middle, at the speeds v."""
            q = draft.array("middle q", n)
            draft.each([q], lambda q, v, h: q + h * 0.5 * v, [places, speeds], [at.h])
            draft.copy(q, plant.q(middle))
            draft.copy(speeds, plant.u(middle))

        def linearized(matrix: Array, right: Array) -> None:
            place()
            plant.run(moving.canonical, middle, moment, [momenta, force, *by])
            draft.each(
                [matrix],
                lambda pq, pu, fq, fu, h: pu + h * 0.5 * (pq - fu) - (h * 0.5) * (h * 0.5) * fq, by, [at.h],
            )  # fmt: skip
            draft.each([right], lambda p, p0, f, h: p - p0 - h * 0.5 * f, [momenta, before, force], [at.h])

        newton(plant, at, speeds, linearized)
        place()
        rates = plant.state("k1")
        plant.motion(middle, moment, rates)  # for the work
        draft.each([at.new], lambda y, f, h: y + h * f, [at.y, rates], [at.h])
        draft.each([places], lambda q, v, h: q + h * v, [places, speeds], [at.h])
        draft.copy(places, plant.q(at.new))
        # p₁ = 2 p̄ − p₀ in the place of the speeds, from which they are found.
        plant.run(moving.momenta, middle, moment, [momenta])
        draft.each([momenta], lambda p, p0: p * 2.0 - p0, [momenta, before])
        draft.copy(momenta, plant.u(at.new))
        plant.run(moving.from_momenta, at.new, at.end, [speeds])
        draft.copy(speeds, plant.u(at.new))
