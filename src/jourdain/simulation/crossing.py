"""Accelerations at singular configurations: a mechanism's motion is smooth there, though its constraints are not.

Where all joints of a parallelogram lie in a line, a row of the constraints vanishes, and two branches of motion cross.
Along each, accelerations have limits; but what is computed next to the crossing is a quotient of two small numbers,
and in a step that is cut short to avoid it, worse. So accelerations are interpolated there from those at states on
both sides, a little before and after on the same branch, where the rows still say enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph import Node, absolute, equal, less, maximum, power, select
from ..program import Array

if TYPE_CHECKING:
    from .plant import Plant

SINGULAR = 1e4  # how delicate rates may be that are taken as they are: they lose half as many digits as this has
NEAREST = 1e-3  # [rad or m] of the first look aside
FARTHER = 1.5
LOOKS = 12  # at most, up to 0.1 rad or m
WEIGHTS = (0.75, -0.3, 0.05)  # of values at ±1, ±2, ±3: what they make at 0 is exact for polynomials of degree 5


def cross(plant: Plant, y: Array, t: Node, rates: Array) -> None:
    """Emits code that mends `rates` at a state on the constraints where they are too delicate, if it moves."""
    draft, point, there = plant.draft, plant.state("state aside"), plant.state("rates aside")
    along, squares, total = plant.state("along"), plant.state("squares"), plant.state("total of rates")
    names = ("reach", "looks", "side", "worst", "offset", "speed", "weight")
    reach, looks, side, worst, offset, speed, weight = (draft.cell(f"crossing {x}") for x in names)

    def aside() -> None:
        draft.each([point], lambda x, rate, by: x + by * rate, [y, along], [offset])
        draft.copy(plant.u(y), plant.u(point))
        plant.settle(point, t)
        plant.evaluate(point, t, there)

    with draft.when(less(SINGULAR, plant.delicacy)):
        draft.copy(rates, along)
        draft.each([squares], lambda x: x * x, [along])
        plant.total(squares, speed, plant.nq)
        draft.set({reach: NEAREST / (FARTHER * power(maximum(speed, 1e-300), 0.5)), looks: 0.0, worst: float("inf")})
        with draft.loop(less(SINGULAR, worst) * less(looks, float(LOOKS)) * less(1e-200, speed)):
            draft.set({reach: reach * FARTHER, looks: looks + 1.0, side: -1.0, worst: 0.0})
            with draft.loop(less(side, 2.0)):
                draft.set({offset: side * reach})
                aside()
                draft.set({worst: maximum(worst, plant.delicacy), side: side + 2.0})
        with draft.when(less(worst, SINGULAR)):
            draft.each([total], lambda x: x.graph.zero, [along])
            draft.set({side: -float(len(WEIGHTS))})
            with draft.loop(less(side, len(WEIGHTS) + 0.5)):
                with draft.when(less(0.5, absolute(side))):
                    chosen: Node | float = WEIGHTS[-1]
                    for k, value in enumerate(WEIGHTS[:-1], 1):
                        chosen = select(equal(absolute(side), float(k)), value, chosen)
                    draft.set({offset: side * reach, weight: chosen})
                    aside()
                    draft.each([total], lambda x, rate, w: x + w * rate, [total, there], [weight])
                draft.set({side: side + 1.0})
            draft.copy(plant.u(total), plant.u(rates))
            draft.copy(plant.work(total), plant.work(rates))
