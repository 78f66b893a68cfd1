"""URDF that is wrong or meant to do harm: refused with file, line and reason; nothing else is opened."""

from __future__ import annotations

import builtins
import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import jourdain as jd
from jourdain.importers import xml
from jourdain.model.mistakes import ModelError

GOOD = """<robot name="arm">
<link name="base"/>
<link name="tip"><inertial>
<mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link>
<joint name="j" type="revolute">
<parent link="base"/>
<child link="tip"/>
<origin xyz="0 0 1" rpy="0 0 0"/>
<axis xyz="0 0 1"/>
<limit lower="0"/>
<dynamics damping="1"/>
</joint>
</robot>
"""
LINK, JOINT = '<link name="a"/>', '<joint name="k" type="fixed"><parent link="base"/><child link="a"/></joint>'

# What stands in the place of what, the line, and what is said of it.
ROWS: list[tuple[str, str, Sequence[tuple[int, str]]]] = [
    ('value="1"', 'value="one"', [(4, "link 'tip': its mass is 'one'; a finite number is needed")]),
    ('value="1"', 'value="nan"', [(4, "link 'tip': its mass is 'nan'; a finite number")]),
    ('value="1"', 'value="inf"', [(4, "its mass is 'inf'")]),
    ('value="1"', 'value="1e999"', [(4, "its mass is '1e999'")]),
    ('value="1"', 'value="0x10"', [(4, "its mass is '0x10'")]),
    ('value="1"', 'value="1_000"', [(4, "its mass is '1_000'")]),
    ('value="1"', 'value="١"', [(4, "its mass is '١'")]),
    ('value="1"', f'value="{"1" * 200}"', [(4, r"its mass is '1{57}\.\.\.'")]),
    ('value="1"', 'value=""', [(4, "its mass is ''")]),
    ('value="1"', 'kg="1"', [(4, "link 'tip': its mass is missing")]),
    ('value="1"', 'value="-1"', [(4, "link 'tip': its mass is -1.0; it cannot be negative")]),
    ('<mass value="1"/>', "", [(3, "link 'tip': its <inertial> has no <mass value=…/>")]),
    ('iyz="0"', "", [(5, "link 'tip': its iyz is missing")]),
    ('<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>', "", [(3, "has no <inertia ixx=…/>")]),
    ('type="revolute"', 'type="ball"', [(7, "joint 'j': its type is 'ball'; a URDF joint is revolute, continuous")]),
    ('type="revolute"', "", [(7, "joint 'j': its type is ''")]),
    ('name="j"', "", [(7, "'' is no name for a joint")]),
    ('name="j"', 'name="7"', [(7, "'7' is no name for a joint")]),
    ('name="j"', f'name="{"j" * 201}"', [(7, "'j{200}' is no name for a joint")]),
    ('name="tip"', 'name="t&quot;p"', [(3, "is no name for a link"), (7, "its child is 'tip', but there is no such")]),
    ('<parent link="base"/>', "", [(7, "joint 'j' has no <parent link=…/>")]),
    ('<child link="tip"/>', "<child/>", [(7, "joint 'j' has no <child link=…/>")]),
    ('<parent link="base"/>', '<parent link="bas"/>', [(7, "its parent is 'bas', .*; did you mean 'base'?")]),
    ('xyz="0 0 1" rpy', 'xyz="0 0" rpy', [(10, "joint 'j': its origin's xyz is '0 0'; three numbers are needed")]),
    ('rpy="0 0 0"', 'rpy="0 0 x"', [(10, "joint 'j': its origin's rpy is 'x'; a finite number is needed")]),
    ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', [(11, r"joint 'j': its axis is \(0, 0, 0\); an axis needs")]),
    ('<axis xyz="0 0 1"/>', '<axis xyz="1 2 3 4"/>', [(11, "joint 'j': its axis is '1 2 3 4'; three numbers")]),
    ('lower="0"', 'lower="low"', [(12, "joint 'j': its limit's lower is 'low'")]),
    ('damping="1"', 'damping="a lot"', [(13, "joint 'j': its damping is 'a lot'")]),
    ('<link name="base"/>', '<link name="base"/><link name="base"/>', [(2, r"'base': the name is taken .*:2\)")]),
    ("</robot>", f"{LINK}{JOINT}{JOINT}</robot>", [(15, "joint 'k': the name is taken by another joint")]),
    ("</robot>", LINK + "</robot>", [(1, "links 'base', 'a' hang on no joint; only one link, the root, may")]),
    ("</robot>", JOINT.replace('"a"', '"tip"') + "</robot>", [(15, r"'tip', which joint 'j' \(.*:7\) carries")]),
    ('<parent link="base"/>', '<parent link="tip"/>', [(7, "joints 'j' close a loop; a URDF is a tree")]),
    ("</robot>", LINK + JOINT.replace("base", "a") + "</robot>", [(15, "joints 'k' close a loop")]),
    ('<robot name="arm">', '<sdf name="arm">', []),
]  # fmt: skip


def refused(source: str | Path) -> ModelError:
    with pytest.raises(ModelError) as raised:
        jd.load_urdf(source)
    return raised.value


@pytest.mark.parametrize("row", range(len(ROWS) - 1))
def test_every_mistake_says_what_and_where(row: int, tmp_path: Path) -> None:
    old, new, expected = ROWS[row]
    assert old in GOOD
    path = tmp_path / "arm.urdf"
    path.write_text(GOOD.replace(old, new, 1), "utf-8")
    mistakes = refused(path).mistakes
    assert [(x.where.file, x.where.line) for x in mistakes] == [(str(path), line) for line, _ in expected]
    for mistake, (_, said) in zip(mistakes, expected):
        assert re.search(said, mistake.text), mistake.text


def test_all_mistakes_are_told_together() -> None:
    text = GOOD
    for old, new, _ in (ROWS[0], ROWS[14], ROWS[26]):
        text = text.replace(old, new, 1)
    error = refused(text)
    assert [x.where.line for x in error.mistakes] == [4, 7, 11]
    assert str(error).startswith("model 'arm' has 3 mistakes:\n  URDF text:4: ")


BOMB = "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(12))
XML: dict[str, tuple[str, str]] = {
    "no XML": ("robot: arm", "1: this is not well-formed XML"),
    "nothing": ("", "1: this is not well-formed XML: no element found"),
    "cut off": (GOOD[:100], "this is not well-formed XML"),
    "twice": (GOOD.replace('name="j"', 'name="j" name="k"'), "7: this is not well-formed XML: duplicate attribute"),
    "another root": (GOOD.replace("robot", "sdf"), "1: the file begins with <sdf>; a URDF begins with <robot>"),
    "xacro": (GOOD.replace("<link name", "<xacro:arm/><link name", 1), "2: <xacro:arm> belongs to xacro; expand the"),
    "no link": ("<robot/>", "1: the robot has no link"),
    "entity expansion": (f'<!DOCTYPE robot [<!ENTITY a0 "x">{BOMB}]><robot>&a12;</robot>', "1: the file declares a"),
    "external entity": (
        '<!DOCTYPE robot [<!ENTITY secret SYSTEM "file:///etc/passwd">]><robot name="&secret;"/>',
        "1: the file declares a document type or entities; remove <!DOCTYPE …>",
    ),
    "external DTD": ('<!DOCTYPE robot SYSTEM "http://example.com/robot.dtd">' + GOOD, "1: the file declares a documen"),
    "parameter entity": ('<!DOCTYPE robot [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><robot/>', "1: the file de"),
    "undefined entity": (GOOD.replace("base", "&nbsp;"), "2: this is not well-formed XML: undefined entity"),
    "depth": ("<robot>" + "<a>" * 200 + "</a>" * 200 + "</robot>", "1: elements are nested more than 100 deep"),
    "a null": (GOOD.replace("base", "ba\0se"), "2: this is not well-formed XML"),
}


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize("as_file", [True, False])
def test_documents_that_are_refused(name: str, as_file: bool, tmp_path: Path) -> None:
    text, said = XML[name]
    path = tmp_path / "arm.urdf"
    path.write_text(text, "utf-8")
    if as_file:
        error = refused(path)
        assert f"{path}:" in str(error)
    elif text.startswith("<"):
        error = refused(text)
        assert "URDF text:" in str(error)
    else:
        return
    assert said in str(error)
    assert len(error.mistakes) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'<?xml version="1.0" encoding="utf-7"?><robot/>', "not well-formed XML"),
        (b'<?xml version="1.0" encoding="no-such"?><robot/>', "not well-formed XML: unknown encoding"),
        (b'<robot name="\xff"/>', "not well-formed XML"),
        (b"\xfe\xff\x00", "not well-formed XML"),
    ],
)
def test_bad_encodings(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(data)
    assert said in str(refused(path))


def test_huge_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arm.urdf"
    with path.open("wb") as file:
        file.truncate(xml.MAX_BYTES + 1)
    assert "the file has more than 50 MB; this is no model file" in str(refused(path))
    path.write_text("<robot>" + "<a/>" * 1000 + "</robot>")
    monkeypatch.setattr(xml, "MAX_ELEMENTS", 500)
    assert "the file has more than 500 elements; this is no model file" in str(refused(path))


def test_a_ring_of_many_and_a_long_chain_need_no_depth() -> None:
    count = 3000
    links = "".join(f'<link name="l{k}"/>' for k in range(count))

    def joints(first: int) -> str:
        return "".join(
            f'<joint name="j{k}" type="fixed"><parent link="l{(k - 1) % count}"/><child link="l{k}"/></joint>'
            for k in range(first, count)
        )

    (mistake,) = refused(f"<robot>{links}{joints(0)}</robot>").mistakes
    assert re.fullmatch(r"joints ('j\d+', ){7}'j\d+' close a loop; a URDF is a tree", mistake.text)
    assert len(jd.load_urdf(f"<robot>{links}{joints(1)}</robot>").bodies) == count


def test_no_other_file_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arm.urdf"
    mesh = '<visual><geometry><mesh filename="package://arm/tip.stl"/></geometry></visual>'
    path.write_text(GOOD.replace("<inertial>", mesh + "<inertial>").replace("package://", f"file://{tmp_path}/"))
    jd.load_urdf(path)  # what is imported where it is used is there from here on
    opened: list[str] = []
    real, real_low = io.open, os.open

    def watched(file: Any, *args: Any, **options: Any) -> Any:
        opened.append(str(file))
        return real(file, *args, **options)

    def low(file: Any, *args: Any, **options: Any) -> int:
        opened.append(str(file))
        return real_low(file, *args, **options)

    monkeypatch.setattr(io, "open", watched)
    monkeypatch.setattr(builtins, "open", watched)
    monkeypatch.setattr(os, "open", low)
    jd.load_urdf(path)
    assert set(opened) == {str(path)}


def test_an_empty_text_is_no_path() -> None:
    with pytest.raises(ValueError, match="an empty text is neither the path of a URDF file nor a URDF"):
        jd.load_urdf("")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        jd.load_urdf(tmp_path / "nothing.urdf")
