"""Constraints that come and go: what a model says of them, what a system keeps, what a file holds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.graph import substitute
from jourdain.model.changing import Call, Contact, Crossing, Multiplier, Switching
from jourdain.model.mistakes import ModelError
from jourdain.model.reading import system_of
from jourdain.model.record import record
from jourdain.model.system import Level, System

from .looking import Seen

Write = Callable[[Any], object]
STILL = jd.principal(1, 1, 1)


def press() -> jd.Model:
    """A slider on an arm, with stops, a latch that gives way, and a clamp that somebody closes."""
    m = jd.Model("press")
    most, grip = m.parameter("most", 2.0), m.parameter("grip", 50.0)
    m.input("push")
    arm, ram = (m.body(x, mass=1.0, inertia=STILL) for x in ("arm", "ram"))
    elbow = m.revolute("elbow", m.ground, arm)
    slide = m.prismatic("slide", arm, ram, axis="x")
    m.limits(elbow, lower=-1.0, upper=most, restitution=0.5, law=jd.ImpactLaw.NEWTON)
    m.stop("floor", ram.origin.position @ m.ground.x + 0.3, restitution=jd.cos(elbow.coordinate) ** 2)
    m.switch("latch", slide.coordinate - 0.1, on=slide.coordinate - 0.1, off=-m.multiplier("latch") - grip, start=True)
    m.switch("clamp", slide.speed, on=m.call("close"), off=m.call("open"))
    m.switch("by hand", elbow.speed)
    return m


def test_what_a_system_keeps() -> None:
    s = press().system()
    assert [x.name for x in s.contacts] == ["elbow lower", "elbow upper", "floor"]
    upper = s.contact("elbow upper")
    assert (upper.normal, upper.slip, upper.law) == ("elbow upper", "", jd.ImpactLaw.NEWTON)
    assert (upper.friction.value, upper.restitution.value) == (0.0, 0.5)
    gap = s.constraint("elbow upper")
    assert (gap.switchable, gap.level, len(gap.rows)) == (True, Level.POSITION, 1)
    assert repr(gap.rows[0]) == "most - elbow"
    assert s.contact("floor").law is jd.ImpactLaw.STRONGE
    assert [x.constraint for x in s.switchings] == ["latch", "clamp"]
    latch = s.switching("latch")
    assert latch.start
    assert isinstance(latch.off, Crossing)
    (symbol,) = s.multipliers
    assert s.multipliers[symbol] == Multiplier("latch", 0)
    force, grip = s.graph.constant(-70.0), s.graph.constant(50.0)
    named = {x.name: x for x in s.graph.symbols}
    assert substitute([latch.off.expression], {symbol: force, named["grip"]: grip})[0].value == 20.0
    assert s.switching("clamp") == Switching("clamp", Call("close"), Call("open"), False)
    assert s.switching("by hand") == Switching("by hand")
    assert s.calls == ("close", "open")
    with pytest.raises(KeyError, match="no constraint 'latsch'; did you mean 'latch'"):
        s.switching("latsch")
    with pytest.raises(KeyError, match="no contact 'roof'; there is"):
        s.contact("roof")


def test_what_switches_a_loop_is_said_after_it() -> None:
    m = press()
    hand = m.body("hand", mass=1.0, inertia=STILL)
    m.free("loose", m.ground, hand)
    m.close("gripped", "spherical", "ram", hand, switchable=True)
    m.when("gripped", on=m.call("grip"), off=m.multiplier("gripped", 2) - 5.0)
    m.when("by hand", start=True)
    s = m.system()
    assert s.switching("gripped").on == Call("grip")
    assert Multiplier("gripped", 2) in s.multipliers.values()
    assert s.switching("by hand") == Switching("by hand", start=True)


def test_a_summary_speaks_of_them() -> None:
    said = repr(press().system())
    assert "contacts: elbow lower (restitution 0.5, Newton), elbow upper (restitution 0.5, Newton), " in said
    assert "switched: latch (on at the start, on: slide - 0.1, off: " in said


def test_stops_hold_like_every_switchable_constraint() -> None:
    """With the stop's row on, the joint's acceleration is zero, and the multiplier what gravity asks of it."""
    d = jd.compile(press().system()).in_mode({"elbow upper"})
    q, u = [2.0, 0.4], [0.0, 0.3]
    assert d.forward_dynamics(q, u)[0] == pytest.approx(0.0, abs=1e-13)
    found = d.constraint_forces(q, u)["elbow upper"][0]
    free = jd.compile(press().system())
    missing = free.inverse_dynamics(q, u, d.forward_dynamics(q, u))[0]  # what would have to be added to the speed
    assert found == pytest.approx(-missing, rel=1e-12)  # the row is most − elbow: Aᵀ λ = −λ


def test_saved_and_loaded(tmp_path: Path) -> None:
    s = press().system()
    s.save(tmp_path / "a.json")
    found = jd.load(tmp_path / "a.json")
    found.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert shown(found) == shown(s)
    assert list(found.multipliers.values()) == list(s.multipliers.values())
    assert repr(found) == repr(s)


def shown(system: System) -> list[str]:
    return [repr(x) for x in (*system.contacts, *system.switchings)]


def test_placed_twice_under_prefixes() -> None:
    s = press().system()
    m = jd.Model("two")
    m.place(s, "left")
    m.place(s, "right", at=(0, 0, 1))
    both = m.system()
    assert [x.name for x in both.contacts][3:] == ["right.elbow lower", "right.elbow upper", "right.floor"]
    assert both.contact("right.floor").normal == "right.floor"
    assert both.calls == ("left.close", "left.open", "right.close", "right.open")
    assert list(both.multipliers.values()) == [Multiplier("left.latch", 0), Multiplier("right.latch", 0)]
    m.remove("right.arm")
    left = m.system()
    assert [x.name for x in left.contacts] == ["left.elbow lower", "left.elbow upper", "left.floor"]
    assert [x.constraint for x in left.switchings] == ["left.latch", "left.clamp"]
    assert [x for x in left.constraints if x.startswith("right")] == []


def test_a_guard_that_speaks_of_what_is_removed_goes_with_it() -> None:
    m = press()
    other = m.body("other", mass=1.0, inertia=STILL)
    slider = m.prismatic("aside", m.ground, other, axis="x")
    m.switch("held", m["elbow"].speed, on=slider.coordinate, off=m.multiplier("glued") - 1.0)
    m.switch("glued", slider.coordinate)
    m.remove("other")
    assert m.system().switching("held") == Switching("held")


def test_a_system_in_other_speeds_keeps_them() -> None:
    s = jd.with_speeds(press().system(), lambda m: {"u1": 2 * m["elbow"].speed, "u2": m["slide"].speed})
    assert shown(s)[:2] == shown(press().system())[:2]
    assert Seen.at_random(s).mass_matrix.shape == (2, 2)


# -- mistakes ---------------------------------------------------------------------------------------------------------

ROWS: list[tuple[Write, Sequence[str]]] = [
    (lambda m: m.stop("s", m["slide"].speed), ["stop 's' depends on velocities"]),
    (lambda m: m.stop("s", m["most"]), ["constraint 's', row 1 is most, which no motion changes"]),
    (lambda m: m.stop("latch", m["slide"].coordinate), ["constraint 'latch': the name is taken by a constraint"]),
    (lambda m: m.stop("s", m["slide"].coordinate, restitution=1.2), ["restitution of stop 's' is 1.2; it lies betw"]),
    (lambda m: m.stop("s", m["slide"].coordinate, restitution=m["most"]), ["restitution of stop 's' is most; it lies"]),
    (lambda m: m.stop("s", m["slide"].coordinate, restitution=m["slide"].speed), ["restitution .* depends on veloci"]),
    (lambda m: m.stop("s", m["slide"].coordinate, law="Newton"), ["law of impact of 's' is 'Newton'; it is one of Im"]),
    (lambda m: m.limits("slid", lower=0), ["the joint that has limits is 'slid', but there is no such joint"]),
    (lambda m: m.limits("slide"), ["joint 'slide' has no limits; give lower=, upper= or both"]),
    (lambda m: m.limits("slide", lower=1, upper=1), ["the limits of 'slide' are 1 and 1; the lower must be below"]),
    (lambda m: m.limits("slide", lower=m["elbow"].coordinate), ["the lower limit of 'slide' depends on elbow; only"]),
    (lambda m: m.limits("slide", lower=0, index=1), ["joint 'slide' has 1 coordinate; there is no index 1"]),
    (lambda m: m.limits(m.spherical("b", "arm", m.link("l")), lower=0), ["'b.qx' is a quaternion's component, which"]),
    (lambda m: m.switch("s", m["slide"].speed, on=m["slide"].acceleration), ["on of switch 's' depends on accelerat"]),
    (lambda m: m.switch("s", m["slide"].speed, on=jd.less(m["push"], 1)), ["on of switch 's' is a comparison; write"]),
    (lambda m: m.switch("s", m["slide"].speed, off=m["most"] - 1), ["off of switch 's' is .*, which never changes"]),
    (lambda m: m.switch("s", m["slide"].speed, off=lambda t, q, u: 0), ["off of switch 's' is a function; write m.ca"]),
    (lambda m: m.switch("s", m["slide"].speed, off="open"), ["off of switch 's' is 'open'; a number or an expression"]),
    (lambda m: m.switch("s", m["slide"].speed, start=1), ["start of switch 's' is 1; True or False is needed"]),
    (lambda m: m.switch("s", m["slide"].speed, on=m.call("7")), ["'7' is no name for a function that switches"]),
    (lambda m: m.switch("s", m["slide"].speed, on=m.multiplier("latsch")), ["of 'latsch', but there is no such const"]),
    (lambda m: m.switch("s", m["slide"].speed, on=m.multiplier("latch", 1)), ["of row 1 of constraint 'latch', which"]),
    (lambda m: m.when("clam", start=True), ["what is switched is 'clam', but there is no such constraint; did you m"]),
    (lambda m: m.when("floor", start=True), ["constraint 'floor' is a contact's, which imposes and deletes it"]),
    (lambda m: m.when("latch", start=True), ["what switches 'latch' is said already, at .*test_switching.py:"]),
    (lambda m: m.keep("k", m["slide"].speed) or m.when("k", start=True), ["constraint 'k' always holds; declare it"]),
    (lambda m: m.multiplier("latch", -1), ["the multiplier of 'latch' is of row -1; rows are counted 0, 1"]),
    (lambda m: m.output("o", m.multiplier("latch")), ["output 'o' is .*a multiplier can only stand in on= and off= o"]),
    (lambda m: m.force(m.multiplier("latch") * m["ram"].x, at=m["ram"].origin), ["a multiplier can only stand in on"]),
    (lambda m: m.joint_force("slide", 2 * m.multiplier("latch")), ["joint force .* a multiplier can only stand in on"]),
    (lambda m: m.keep("k", m["slide"].speed * m.multiplier("latch")), ["constraint 'k', row 1 .* a multiplier can on"]),
    (lambda m: m.stop("s", m["slide"].coordinate - m.multiplier("latch")), ["stop 's' is .* a multiplier can only st"]),
    (lambda m: m.rate(m.multiplier("latch")), ["what is differentiated is .* a multiplier can only stand in on= and"]),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_mistake_is_told(row: int) -> None:
    write, expected = ROWS[row]
    m = press()
    write(m)
    with pytest.raises(ModelError) as raised:
        m.system()
    mistakes = raised.value.mistakes
    assert len(mistakes) == len(expected), [str(x) for x in mistakes]
    for pattern, mistake in zip(expected, mistakes):
        assert re.search(pattern, mistake.text), mistake.text
        assert mistake.where.file == __file__


def test_what_was_taken_away_is_told_of() -> None:
    """Symbols that are kept in hand when their joint is gone."""
    m = press()
    slide = m["slide"].coordinate
    m.remove("ram")
    m.stop("near", m["elbow"].coordinate, restitution=slide * slide)
    m.switch("held", m["elbow"].speed, on=slide)
    with pytest.raises(ModelError) as raised:
        m.system()
    assert [x.text for x in raised.value.mistakes] == [
        "contact 'near' depends on joint 'slide', which was removed",
        "what switches 'held' depends on joint 'slide', which was removed",
    ]


def test_a_contact_whose_friction_speaks_of_what_is_removed_goes_too() -> None:
    m = press()
    m.stop("near", m["elbow"].coordinate, restitution=jd.cos(m["slide"].coordinate) ** 2)
    assert "near" in m.system().constraints
    m.remove("ram")
    assert "near" not in m.system().constraints


# -- files ------------------------------------------------------------------------------------------------------------

GONE = object()
SPOILT: list[tuple[str, Any, str]] = [
    ("contacts/floor/normal", "latsch", "contacts.floor.normal is 'latsch', but there is no such constraint"),
    ("contacts/floor/normal", "clamp", "normal is 'clamp'; a switchable constraint of the level 'position' with one r"),
    ("contacts/floor/normal", "elbow upper", "contacts.floor.normal is 'elbow upper', which another contact has"),
    ("contacts/floor/slip", "latch", "slip is 'latch'; a switchable constraint of the level 'velocity' with one row o"),
    ("contacts/floor/slip", 3, "contacts.floor.slip is 3; a text"),
    ("contacts/floor/friction", -0.5, "contacts.floor.friction is -0.5 at the .* values; it cannot be negative"),
    ("contacts/floor/friction", "slidedot", "contacts.floor.friction depends on slidedot"),
    ("contacts/floor/restitution", 2, "contacts.floor.restitution is 2 at the .*; it lies between 0 and 1"),
    ("contacts/floor/restitution", "most", "restitution is 2 at the parameters' default values; it lies between"),
    ("contacts/floor/law", "Hooke", "contacts.floor.law is 'Hooke', but there is no such law of impact"),
    ("contacts/floor/law", GONE, "contacts.floor has no field 'law'"),
    ("contacts/7", {}, "contacts.7 is called '7', which is no name"),
    ("switchings/nothing", {"start": False}, "switchings.nothing speaks of 'nothing', but there is no such constraint"),
    ("switchings/floor", {"start": False}, "speaks of constraint 'floor', which a contact imposes and deletes"),
    ("constraints/latch/switchable", False, "switchings.latch speaks of constraint 'latch', which always holds"),
    ("switchings/latch/start", 1, "switchings.latch.start is 1; true or false"),
    ("switchings/clamp/on/call", "", "switchings.clamp.on.call is ''; a name"),
    ("switchings/clamp/on", {}, "switchings.clamp.on has no field 'rises'"),
    ("switchings/clamp/on/rises", "1", "switchings.clamp.on.rises has no meaning here"),
    ("switchings/latch/on/rises", "`[latch: multiplier 2]`", "switchings.latch.on.rises is no expression"),
    ("multipliers/[latch: multiplier 1]/row", 1, "row is 1, but constraint 'latch' has 1 rows"),
    ("multipliers/[latch: multiplier 1]/row", -1, "row is -1; a whole number"),
    ("multipliers/[latch: multiplier 1]/constraint", "x", "constraint is 'x', but there is no such constraint"),
    ("multipliers/", {"constraint": "latch", "row": 0}, "is a multiplier whose name is empty"),
    ("multipliers/7 b", {"constraint": "latch", "row": 0}, "multipliers.7 b is called '7 b', which is no name"),
    ("outputs/o", "`[latch: multiplier 1]`", "outputs.o depends on .*; multipliers stand in guards alone"),
    ("constraints/latch/rows/0", "`[latch: multiplier 1]`", "cannot stand here, nor can multipliers"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value", "said"), SPOILT)
def test_every_spoilt_place_of_a_file_is_told(place: str, value: Any, said: str) -> None:
    data = json.loads(json.dumps(record(press().system())))
    at: Any = data
    *path, last = place.split("/")
    for key in path:
        at = at[int(key)] if isinstance(at, list) else at[key]
    if value is GONE:
        del at[last]
    else:
        at[int(last) if isinstance(at, list) else last] = value
    with pytest.raises(ModelError) as raised:
        system_of(data, "press.json")
    assert any(re.search(said, x.text) for x in raised.value.mistakes), [x.text for x in raised.value.mistakes]


def test_files_without_them_are_as_they_were() -> None:
    bare = replace(press().system(), contacts=(), switchings=(), multipliers={})
    assert not {"contacts", "switchings", "multipliers"} & record(bare).keys()
    assert np.array_equal(system_of(record(bare), "x").neutral, bare.neutral)


def test_records_are_values() -> None:
    one = press().system().contacts[0]
    assert replace(one, name=one.name) == one
    assert isinstance(one, Contact)
