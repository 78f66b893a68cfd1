"""What pages say of contacts, stops and switches."""

from __future__ import annotations

import re

import pytest

import jourdain as jd

from ..model.test_switching import press


@pytest.mark.parametrize(
    "line",
    [
        r"elbow upper +while it touches +most - elbow = 0",
        r"latch +from the start, while it is on +slide - 0\.1 = 0",
        r"clamp +while it is on +slidedot = 0",
        r"elbow upper +none +0\.5 +Newton",
        r"floor +none +cos\(elbow\)[²^*2]+ +Stronge",
        r"A switchable constraint is off until something switches it on",
        r"The gap of a contact or a stop never falls below zero",
    ],
)
def test_pages_say_when_they_hold(line: str) -> None:
    assert re.search(line, str(jd.derive(press().system())))


def test_slips_hold_while_they_stick() -> None:
    m = jd.Model("ball")
    b = m.body("ball", mass=1.0, inertia=jd.solid_sphere(0.1))
    m.planar("p", m.ground, b, rotation=[("x", -1.5707963267948966)])
    rough = m.parameter("rough", 0.4)
    m.contact("floor", (b, jd.shapes.Sphere(0.1)), jd.shapes.Plane(), friction=rough)
    said = str(jd.derive(m.system()))
    assert re.search(r"floor sticks +while it sticks +.*p\.wz.* = 0", said)
    assert re.search(r"floor +rough +0 +Stronge", said)
    assert "until something switches it on" not in said
