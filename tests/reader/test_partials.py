"""Tables of partial velocities: in whatever axes they are written, they are the columns of the Jacobians."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.graph import Node, interpret, symbols_of
from jourdain.model.system import GROUND, System
from jourdain.reader.material import Material
from jourdain.reader.partials import columns

from .systems import constrained, every_load, four_bar

SYSTEMS: dict[str, Callable[[], System]] = {
    **{name: getattr(jd.gallery, name) for name in jd.gallery.__all__ if name not in ("chain", "rx90")},
    "wrist_by_rates": lambda: jd.gallery.spherical_wrist(rates=True),
    "every_load": every_load, "constrained": constrained, "four_bar": four_bar,
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_partial_velocities_are_columns_of_the_jacobian(name: str) -> None:
    system = SYSTEMS[name]()
    material = Material(system)
    mechanics = material.mechanics
    found = list(columns(material))
    poses = {body.name: mechanics.pose(body.name) for body in system.bodies}
    centers = {body.name: mechanics.lowered.vector(body.center) for body in system.bodies}
    jacobians = {body: mechanics.jacobian(body, center, True) for body, center in centers.items()}
    nodes = [x for column in found for vector in column.vectors for x in vector]
    nodes += [x for rows in (*poses.values(), *jacobians.values()) for row in rows for x in row]
    random = np.random.default_rng(3)
    names = sorted({x.name for x in symbols_of(nodes)})
    values = dict(zip(names, random.uniform(0.3, 1.3, len(names))))

    def numbers(flat: Sequence[Node]) -> NDArray[np.float64]:
        return np.array([float(interpret([x], {y: values[y.name] for y in symbols_of([x])})[0]) for x in flat])

    checked = 0
    for column in found:
        angular = column.title == f"ω of {column.body}"
        if not angular and not column.title.endswith("mass centre"):
            continue
        axes = np.eye(4)
        if column.axes != GROUND:
            axes = numbers([x for row in poses[column.axes] for x in row]).reshape(4, 4)
        shown = np.array([axes[:3, :3] @ numbers(vector) for vector in column.vectors])
        whole = numbers([x for row in jacobians[column.body] for x in row]).reshape(6, -1)
        np.testing.assert_allclose(shown[:-1].T, whole[:3] if angular else whole[3:], rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(shown[-1], 0.0, atol=1e-12)  # nothing here moves as given
        checked += 1
    assert checked >= len([x for x in system.bodies if not x.mass.is_zero])


def test_what_moves_as_given_is_a_row_of_no_speed() -> None:
    m = jd.Model("driven")
    inner = m.body("inner", mass=1, center=(0.2, 0, 0), inertia=jd.solid_sphere(0.1))
    outer = m.body("outer", mass=2.5, center=(0.3, 0, 0), inertia=jd.solid_sphere(0.1))
    crank = m.revolute("crank", m.ground, inner, axis="y")
    m.revolute("elbow", inner, outer, axis="y", at=(0.5, 0, 0))
    m.prescribe(crank, jd.sin(2.0 * m.time))
    text = jd.derive(m.system()).text()
    assert "no speed  2*cos(2*t) inner.y" in text
