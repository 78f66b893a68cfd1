"""Files of ours that someone spoilt: refused with the place and the reason, all mistakes together."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import jourdain as jd
from jourdain.model import expressions, files, reading_joints
from jourdain.model.mistakes import ModelError
from jourdain.model.reading import system_of
from jourdain.model.record import record

from .mechanisms import everything

GOOD = record(everything().system())
GONE = object()
FREE = next(k for k, x in enumerate(GOOD["joints"]) if x["name"] == "float")


def joint(name: str) -> int:
    return next(k for k, x in enumerate(GOOD["joints"]) if x["name"] == name)


def load(name: str) -> int:
    return next(k for k, x in enumerate(GOOD["loads"]) if x["name"] == name)


TURN, GIVEN, DRIVEN, END, PLATE = (f"joints.{joint(x)}" for x in ("turn", "given", "driven", "end", "plate"))
FORCE, TORQUE, SLIDE, STRUT = (f"loads.{load(x)}" for x in ("force 1", "torque 1", "joint force 1", "strut 1"))
TIP = "quantities.[tip: velocity along x of d]"
LEAN = "quantities.[a: axis z along z of d]"

# A place, what stands there instead, and what is said of it.
ROWS: list[tuple[str, Any, Sequence[str]]] = [
    # what every field must be
    ("name", 5, ["name is 5; a name"]),
    ("name", "a'b", ["name is \"a'b\"; a name"]),
    ("name", GONE, ["there is no field 'name'"]),
    ("colour", "red", ["colour has no meaning here; there is"]),
    ("gravity", GOOD["gravity_m_s2"], ["gravity has no meaning here; did you mean 'gravity_m_s2'?"]),
    ("gravity_m_s2", [0, 1], ["gravity_m_s2 is a list of 2; a list of 3 is needed"]),
    ("gravity_m_s2.0", "t", [r"gravity_m_s2\[0\] depends on t; only numbers and parameters can stand here"]),
    ("gravity_m_s2.0", "turn*2", [r"gravity_m_s2\[0\] depends on turn; only numbers"]),
    ("gravity_m_s2.0", "L/(L - L*1)", [r"gravity_m_s2\[0\] is inf at the parameters' default values"]),
    ("gravity_m_s2.0", "1/0", [r"gravity_m_s2\[0\] is inf at"]),
    ("gravity_m_s2.0", "nan", [r"gravity_m_s2\[0\] is nan at"]),
    ("gravity_m_s2.0", "9.81)", [r"gravity_m_s2\[0\] is no expression: column 5 of '9.81\)'"]),
    ("gravity_m_s2.0", "__import__('os')", [r"\[0\] is no expression: column 1.*there is no function '__import__'"]),
    ("gravity_m_s2.0", "", [r"gravity_m_s2\[0\] is empty; a number or the text of an expression is needed"]),
    ("gravity_m_s2.0", "1+" * 11_000, [r"gravity_m_s2\[0\] is '(1\+)+1?…'; a text of at most 20000 characters"]),
    ("gravity_m_s2.0", "(" * 500, [r"gravity_m_s2\[0\] is no expression: .*more than 200"]),
    ("gravity_m_s2.0", None, [r"gravity_m_s2\[0\] is null; a finite number is needed"]),
    ("gravity_m_s2.0", True, [r"gravity_m_s2\[0\] is true; a finite number"]),
    ("gravity_m_s2.0", {}, [r"gravity_m_s2\[0\] is an object; a finite number"]),
    ("gravity_m_s2.0", 10**400, [r"gravity_m_s2\[0\] is a very large number; a finite number"]),
    ("gravity_m_s2.0", math.inf, [r"gravity_m_s2\[0\] is inf; a finite number"]),
    ("parameters", [], ["parameters is a list of 0; an object is needed"]),
    ("parameters.L", "1", ["parameters.L is '1'; a finite number"]),
    ("parameters.2L", 1, ["parameters.2L is called '2L', which is no name"]),
    ("parameters.push", 1, ["inputs.push is called 'push', but so is parameters.push"]),
    ("parameters.t", 1, ["parameters.t is called 't', but so is the time"]),
    ("inputs.push", math.nan, ["inputs.push is nan; a finite number"]),
    ("steps.L", "1", ["steps.L is called 'L', but so is parameters.L"]),
    ("steps.Z1", "Z2", ["steps.Z1 is no expression: column 1 of 'Z2': there is no symbol 'Z2'"]),
    ("steps.Z1", 3, ["steps.Z1 is 3; a text of at most"]),
    # bodies
    ("bodies", {}, ["bodies is an object; a list is needed"]),
    ("bodies.0", 7, [r"bodies\[0\] is 7; an object is needed"]),
    ("bodies.1.name", "base", [r"bodies\[1\].name is 'base', the name of another body"]),
    ("bodies.0.name", "ground", [r"bodies\[0\].name is 'ground', which is no body"]),
    ("bodies.0.mass", 1, [r"bodies\[0\].mass has no meaning here; did you mean 'mass_kg'"]),
    ("bodies.0.mass_kg", GONE, [r"bodies\[0\] has no field 'mass_kg'"]),
    ("bodies.3.mass_kg", "push", [r"bodies\[3\].mass_kg depends on push; only numbers and parameters"]),
    ("bodies.0.center_m", "xyz", [r"bodies\[0\].center_m is 'xyz'; a list of 3"]),
    ("bodies.0.inertia_kg_m2.1", [0.5, 1, 0], [r"bodies\[0\].inertia_kg_m2 is not symmetric at"]),
    ("bodies.0.inertia_kg_m2", [[1, 0, 0]], [r"bodies\[0\].inertia_kg_m2 is a list of 1; a list of 3"]),
    ("bodies.0.inertia_kg_m2.1.1", "L/0", [r"bodies\[0\].inertia_kg_m2\[1\]\[1\] is inf at"]),
    # joints
    ("joints.0", GONE, [r"joints has 12 entries for 13 bodies; each body is carried by one joint"]),
    (f"{TURN}.name", "float", [r"joints\[1\].name is 'float', the name of another joint"]),
    (f"{TURN}.name", 1, [r"joints\[1\].name is 1; a name"]),
    (f"{TURN}.parent", "nobody", [r"joints\[1\].parent is 'nobody', but there is no such body"]),
    (f"{TURN}.parent", "a", [r"joints\[1\].parent is 'a', the body that the joint carries"]),
    (f"{TURN}.parent", "b", [r"joints\[1\].parent is 'b', which stands later; .* a circle has none"]),
    (f"{TURN}.parent", 3, [r"joints\[1\].parent is 3; a text"]),
    (f"{TURN}.child", "b", [r"joints\[1\].child is 'b'; joints stand in the order of the bodies .* here 'a'"]),
    (f"{TURN}.kind", "hinge", [r"joints\[1\].kind is 'hinge', but there is no such kind of joint"]),
    (f"{TURN}.kind", "spherical", [r"joints\[1\].columns with .* are not those of a spherical joint"]),
    (f"{TURN}.kind", "free", [r"joints\[1\].columns with .* are not those of a free joint"]),
    (f"{TURN}.kind", "planar", [r"joints\[1\].columns with .* are not those of a planar joint"]),
    (f"{TURN}.kind", "universal", [r"joints\[1\].columns with .* are not those of a universal joint"]),
    (f"{TURN}.orientation", "quaternion", ["groups and the orders do not fit the 1 columns"]),
    (f"{GIVEN}.orientation", "quaternion", ["groups and the orders do not fit the 2 columns"]),
    (f"{TURN}.orientation", 2, [r"joints\[1\].orientation is 2; a text, the orientation, is needed"]),
    (f"{TURN}.columns", [], ["groups and the orders do not fit the 0 columns"]),
    (f"{TURN}.columns", [[0] * 6] * 97, ["columns has 97 entries; at most 96", "groups"]),
    (f"{TURN}.columns.0.0", "sqrt(0 - 1)", [r"joints\[1\].columns\[0\].* is nan at the parameters' default values"]),
    (f"{GIVEN}.columns.0.0", "sqrt(0 - 1)", [r"joints\[8\].columns\[0\]\[0\] is nan at"]),
    (f"{TURN}.columns.0", [0, 0, 1], [r"columns\[0\] is a list of 3; a list of 6", "make no simple joint"]),
    (f"{TURN}.columns.0", [0] * 6, [r"columns 1 to 1 make no simple joint: they must be independent"]),
    (f"{GIVEN}.groups", [2], [r"columns 1 to 2 make no simple joint: they must be independent and closed"]),
    (f"{GIVEN}.groups", [2.0], [r"groups\[0\] is 2.0; a whole number", "groups and the orders do not fit"]),
    (f"{GIVEN}.speed_order", [0, 0], ["groups and the orders do not fit the 2 columns: coordinate_order and"]),
    (f"{TURN}.coordinates", ["turn", "twist"], ["coordinates is a list of 2; a list of 1"]),
    (f"{TURN}.coordinates.0", "slide", ["is called 'slide', but so is joints"]),
    (f"{TURN}.in_parent", 3, ["in_parent is 3; an object"]),
    (f"{TURN}.in_parent.rotation.0.about", "w", [r"rotation\[0\].about is 'w', but there is no such axis"]),
    (f"{TURN}.in_parent.rotation.0.cos", 0.5, [r"in_parent.rotation\[0\] is not a rotation: it misses"]),
    (f"{PLATE}.in_parent.rotation.0.matrix.0", [0, -1, 0], ["is not a rotation: it is a ref"]),
    (f"{PLATE}.in_parent.rotation.0.turn", 1, [r"rotation\[0\].turn has no meaning here"]),
    (f"{DRIVEN}.prescribed", [], ["prescribed is a list of 0; a list of 1"]),
    (f"{DRIVEN}.prescribed.0", "turn", [r"prescribed\[0\] depends on turn; only numbers, parameters, inputs and the"]),
    (f"{DRIVEN}.prescribed_rates", GONE, ["has no field 'prescribed_rates'"]),
    # points and frames
    ("points.tip.body", "nobody", ["points.tip.body is 'nobody', but there is no such body"]),
    ("points.7up", {"body": "a", "offset_m": [0, 0, 0]}, ["points.7up is called '7up', which is no name"]),
    ("points.tip.offset_m.0", "inf", [r"points.tip.offset_m\[0\] is inf at"]),
    ("frames.hand.rotation", 1, ["frames.hand.rotation is 1; a list"]),
    # loads and rotors
    (f"{FORCE}.type", "push", [r"type is 'push', but there is no such type of load"]),
    (f"{FORCE}.type", GONE, [r"is no load: its type is missing, one of 'force', 'torque'"]),
    (f"{FORCE}.name", "torque 1", ["name is 'torque 1', the name of another load or rotor"]),
    (f"{FORCE}.reaction", "nobody", ["reaction is 'nobody', but there is no such body"]),
    (f"{FORCE}.components_N.0", "`[tip: acceleration along x of d]`", ["accelerations, which only follow"]),
    (f"{FORCE}.components_N.0", "`[strut 1: rate]`", [r"depends on '\[strut 1: rate\]', which only loads\[\d+\] can"]),
    (f"{FORCE}.components_N.0", "driven", ["is no expression: .* there is no symbol 'driven'"]),
    (f"{TORQUE}.axes", 4, ["axes is 4; a text"]),
    (f"{TORQUE}.offset_m", [0, 0, 0], ["offset_m has no meaning here"]),
    (f"{SLIDE}.joint", "tub", ["joint is 'tub', but there is no such joint; did you mean 'tube'"]),
    (f"{SLIDE}.index", 2, ["index is 2, but joint 'tube' has 2 speeds"]),
    (f"{SLIDE}.index", -1, ["index is -1; a whole number"]),
    (f"{SLIDE}.energy_J", "felt", ["energy_J is no expression: .* there is no symbol 'felt'"]),
    (f"{STRUT}.length", "", [r"loads\[\d+\].length is empty; the name of a symbol"]),
    (f"{STRUT}.rate", "", [r"loads\[\d+\].rate is empty; the name of a symbol"]),
    (f"{STRUT}.length", "[tip: length", [r"length is called '\[tip: length', which is no name", "no symbol '.strut"]),
    (f"{STRUT}.rate", "[damper 1: rate]", ["rate is called .* but so is loads", "there is no symbol '.strut 1: rate"]),
    ("rotors.0.name", "drag", [r"rotors\[0\].name is 'drag', the name of another load or rotor"]),
    ("rotors.0.ratio", "1/(L - L)", [r"rotors\[0\].ratio is inf at"]),
    # quantities and outputs
    ("quantities.", {"kind": "position"}, ["is a quantity whose name is empty"]),
    (f"{TIP}.kind", "speed", ["offset_m has no meaning", "kind is 'speed', but there is no such kind of quantity"]),
    (f"{TIP}.kind", GONE, ["offset_m has no meaning here", "has no field 'kind'"]),
    (f"{TIP}.of", "nobody", [r"of is 'nobody', but there is no such body"]),
    (f"{TIP}.component", "w", ["component is 'w', but there is no such component"]),
    (LEAN, {"kind": "rate", "of": "nobody", "index": 0}, ["of is 'nobody', but there is no such body"]),
    (LEAN, {"kind": "rate", "of": "b", "index": 1}, ["index is 1, but joint 'slide' has 1 speeds"]),
    (LEAN, {"kind": "rate", "of": "b", "index": 0, "axis": "x"}, ["axis has no meaning here"]),
    (f"{LEAN}.axis", 2, ["axis is 2; a text, the axis, is needed"]),
    ("outputs.work", "push*turndo", ["outputs.work is no expression: .* is 'turndot' meant?"]),
    ("outputs.half", "1/(L - L)", ["outputs.half is inf at"]),
]  # fmt: skip


def spoilt(place: str, value: Any) -> Any:
    """The good data with something else in one place."""
    data = copy.deepcopy(GOOD)
    head, _, bracket = place.partition(".[")
    path = head.split(".")
    if bracket:
        name, _, tail = bracket.rpartition("]")
        path += [f"[{name}]", *tail.split(".")[1:]]
    at: Any = data
    for key in path[:-1]:
        at = at[int(key)] if isinstance(at, list) else at[key]
    last = int(path[-1]) if isinstance(at, list) else path[-1]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return data


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_spoilt_place_is_told(row: int) -> None:
    place, value, expected = ROWS[row]
    with pytest.raises(ModelError) as raised:
        system_of(spoilt(place, value), "arm.json")
    mistakes = raised.value.mistakes
    for pattern in expected:
        assert any(re.search(pattern, x.text) for x in mistakes), [x.text for x in mistakes]
    assert all(str(x).startswith("arm.json: ") for x in mistakes)
    # What a lost name brings with it is told too; nothing else is blamed.
    first = place.split(".")[0]
    assert all(first in x.text or "there is no " in x.text or "so is" in x.text for x in mistakes), place


def test_only_what_turns_freely_has_a_quaternion() -> None:
    data = spoilt(f"{GIVEN}.orientation", "quaternion")
    data["joints"][joint("given")]["coordinate_order"] = [0, 1, 2]
    with pytest.raises(ModelError, match="are not those of a joint given by its matrix"):
        system_of(data, "arm.json")


def test_all_mistakes_of_a_file_are_told_together(tmp_path: Path) -> None:
    data = spoilt("bodies.0.mass_kg", "rho*")
    data["joints"][1]["parent"] = "nobody"
    data["outputs"]["work"] = None
    path = tmp_path / "arm.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ModelError) as raised:
        jd.load(path)
    assert [str(x).split(" is ")[0] for x in raised.value.mistakes] == [
        f"{path}: bodies[0].mass_kg",
        f"{path}: joints[1].parent",
        f"{path}: outputs.work",
    ]


RAW: dict[str, tuple[bytes, str]] = {
    "no JSON": (b'{\n"format":\n  oops', "arm.json:3: this is no JSON: Expecting value, column 3"),
    "a URDF": (b"\n<robot/>", "this is no JSON: Expecting value, column 1; jourdain.load_urdf reads URDF files"),
    "nothing": (b"", "arm.json:1: this is no JSON"),
    "no text": (b'{\n"name": "\xff"}', "arm.json:2: this is no text in UTF-8"),
    "a list": (b"[]", "arm.json:  is a list of 0; an object is needed"),
    "another format": (b'{"format": "urdf"}', "format is 'urdf'; this jourdain reads files with the format"),
    "no format": (b'{"a": 1}', "format is missing; this jourdain reads"),
    "a later version": (b'{"format": "jourdain system", "version": 2}', "version is 2; this jourdain reads files with"),
    "no version": (b'{"format": "jourdain system"}', "version is missing"),
    "a version of another type": (b'{"format": "jourdain system", "version": true}', "version is True; this"),
    "twice": (b'{"format": 1, "format": 2}', "the field 'format' stands twice in one object"),
    "NaN": (b'{"format": NaN}', "the file holds NaN, which is no number of JSON"),
    "infinity": (b'{"format": -Infinity}', "the file holds -Infinity"),
    "digits": (b'{"format": ' + b"1" * 10_000 + b"}", "a number with too many digits"),
    "depth": (b'{"a":' * 200_000, "nested too deeply"),
    "depth of lists": (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
}


@pytest.mark.parametrize("name", RAW)
def test_bytes_that_are_no_file_of_ours(name: str, tmp_path: Path) -> None:
    data, said = RAW[name]
    path = tmp_path / "arm.json"
    path.write_bytes(data)
    with pytest.raises(ModelError) as raised:
        jd.load(path)
    assert said in str(raised.value)


def test_a_huge_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arm.json"
    with path.open("wb") as file:
        file.truncate(files.MAX_BYTES + 1)
    with pytest.raises(ModelError, match="more than 64 MB; this is no system"):
        jd.load(path)


Bend = Callable[[dict[str, Any]], None]
MANY: dict[str, tuple[Bend, str]] = {
    "bodies": (lambda d: d["bodies"].extend(d["bodies"] * 3000), "bodies has 39013 entries; at most 20000"),
    "loads": (lambda d: d["loads"].extend(d["loads"] * 2000), r"loads has \d+ entries; at most 20000"),
    "points": (lambda d: d["points"].update({f"p{k}": 0 for k in range(20_000)}), "points has 20002 entries; at most"),
    "turns": (lambda d: d["frames"]["hand"]["rotation"].extend([0] * 2000), "rotation has 2001 entries; at most 1000"),
}


@pytest.mark.parametrize("name", MANY)
def test_there_is_an_end_to_everything(name: str) -> None:
    bend, said = MANY[name]
    data = copy.deepcopy(GOOD)
    bend(data)
    with pytest.raises(ModelError, match=said):
        system_of(data, "arm.json")


def test_there_is_an_end_to_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MOST_STEPS", 3)
    with pytest.raises(ModelError, match=r"steps has \d+ entries; at most 3 are read"):
        system_of(GOOD, "arm.json")
    assert reading_joints.MOST_COLUMNS < expressions.MOST


def test_a_long_chain_of_steps_does_no_harm() -> None:
    """Deep, and as wide as 2^3000 if it were written out: read as it stands, refused for what comes of it."""
    data = copy.deepcopy(GOOD)
    data["steps"]["W0"] = "L + 2"
    for k in range(3000):
        data["steps"][f"W{k + 1}"] = f"W{k}*W{k}"
    data["gravity_m_s2"][0] = "W3000"
    with pytest.raises(ModelError, match=r"gravity_m_s2\[0\] is inf at"):
        system_of(data, "arm.json")


def test_a_file_by_hand_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "arm.json"
    path.write_text(json.dumps(dict(reversed(GOOD.items())), indent=2))
    assert jd.load(path).coordinates == everything().system().coordinates
