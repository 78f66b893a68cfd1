"""The drawing: every mechanism has one, it stays in its box, and its labels keep apart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.reader.labels import GLYPH, Wanted, place
from jourdain.reader.picture import DRAWN, picture
from jourdain.reader.posture import posture
from jourdain.reader.view import view

from .systems import four_bar

JOINTS = ("revolute", "prismatic", "screw", "universal", "cylindrical", "planar", "spherical", "free", "weld")


def one_joint(kind: str) -> System:
    m = jd.Model(kind)
    body = m.body("body", mass=1.0, center=(0.2, 0.1, 0.3), inertia=jd.principal(0.1, 0.2, 0.15))
    getattr(m, kind)("joint", m.ground, body, **({"pitch": 0.1} if kind == "screw" else {}))
    return m.system()


@pytest.mark.parametrize("name", jd.gallery.__all__)
def test_every_mechanism_of_the_gallery_fits_in_its_box(name: str) -> None:
    found = picture(getattr(jd.gallery, name)())
    assert found is not None
    width, height = found.size
    root = ElementTree.fromstring(f"<svg>{found.elements}</svg>")
    assert len(list(root.iter())) > 5
    assert "nan" not in found.elements
    for x, y in re.findall(r"translate\((-?[\d.]+) (-?[\d.]+)\)", found.elements):
        assert 0 < float(x) < width
        assert 0 < float(y) < height


@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_is_drawn(kind: str) -> None:
    found = picture(one_joint(kind))
    assert found is not None
    assert ("mark" in found.elements) == (kind != "free")
    assert ">joint<" in found.elements


def test_a_planar_mechanism_is_seen_along_its_axes() -> None:
    found = view(posture(jd.gallery.double_pendulum()))
    assert found.planar
    np.testing.assert_allclose(found.rows, [[1, 0, 0], [0, 0, 1]], atol=1e-15)
    assert not view(posture(jd.gallery.stanford_arm())).planar


def test_a_plane_without_gravity_is_seen_from_above() -> None:
    np.testing.assert_allclose(view(posture(jd.gallery.shopping_cart())).rows, [[1, 0, 0], [0, 1, 0]], atol=1e-15)


def test_wheels_stand_where_they_roll() -> None:
    found = posture(jd.gallery.shopping_cart())
    assert [wheel.constraint for wheel in found.wheels] == ["rear wheels roll", "front wheel rolls"]
    basket, caster = found.bodies
    np.testing.assert_allclose(found.wheels[0].at, basket.origin)
    np.testing.assert_allclose(found.wheels[1].at, caster.center)
    for wheel, link in zip(found.wheels, (basket.center - basket.origin, caster.center - caster.origin)):
        assert abs(wheel.axis @ link) < 1e-15
    drawn = picture(jd.gallery.shopping_cart())
    assert drawn is not None
    assert drawn.elements.count('class="wheel"') == 2
    assert ">front wheel rolls<" in drawn.elements
    assert "wheels" in drawn.caption


def test_loops_are_drawn_closed() -> None:
    rod, rocker = posture(four_bar()).bodies[1:]
    np.testing.assert_allclose(rod.ends[-1], rocker.ends[-1], atol=1e-9)


def test_links_reach_the_pins_that_close_loops() -> None:
    system = jd.gallery.slider_crank()
    found = posture(system)
    crank, rod, piston = found.bodies
    (pin,) = found.pins
    assert pin.constraint == "gudgeon pin"
    np.testing.assert_allclose(pin.at, piston.origin, atol=1e-12)
    np.testing.assert_allclose(rod.ends[-1], pin.at, atol=1e-9)
    length = system.parameters["l2"]
    np.testing.assert_allclose(np.linalg.norm(pin.at - rod.origin), length, rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(rod.origin - crank.origin), system.parameters["l1"], rtol=1e-12)
    drawn = picture(system)
    assert drawn is not None
    assert '<circle class="mark"' in drawn.elements
    assert ">gudgeon pin<" in drawn.elements
    assert "rings where loops are closed" in drawn.caption
    assert not posture(jd.gallery.pendulum()).pins


def test_a_body_that_is_hardly_longer_than_a_point_is_drawn_as_large_as_it_is() -> None:
    found = picture(jd.gallery.rattleback())
    assert found is not None
    reach = max(float(x) for x in re.findall(r'rx="([\d.]+)"', found.elements))
    assert reach > 0.1 * found.size[0]


def test_a_disk_is_drawn_as_large_as_it_is() -> None:
    disk = posture(jd.gallery.rolling_disk_on_ramp()).bodies[-1]
    np.testing.assert_allclose(np.linalg.eigvalsh(disk.spread), [0.0, 0.04, 0.04], atol=1e-12)


def test_too_many_bodies_are_not_drawn() -> None:
    assert picture(jd.gallery.chain(DRAWN + 1)) is None


def test_labels_keep_apart() -> None:
    wanted = [Wanted(f"label {k}", (200.0, 150.0), "soft") for k in range(6)]
    placed = place(wanted, [np.array([[200.0, 150.0]])], (400.0, 300.0))
    for i, a in enumerate(placed):
        for b in placed[:i]:
            assert abs(a.x - b.x) > GLYPH * len(a.text) * 0.9 or abs(a.y - b.y) > 14.0
