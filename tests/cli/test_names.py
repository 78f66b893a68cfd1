"""From a NAME to a System: the gallery, a user's file, a URDF, a saved system; and everything that can be wrong."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jourdain import gallery
from jourdain.cli.command import UserMistake
from jourdain.cli.names import gallery_entries, resolve
from jourdain.model.mistakes import ModelError, ModelWarning
from jourdain.model.system import System

from .conftest import Jourdain

CART = """
import jourdain as jd

LENGTH = 0.4
NOT_A_SYSTEM = 3


def cart():
    m = jd.Model("cart")
    body = m.body("body", mass=2.0, center=(LENGTH, 0, 0), inertia=jd.principal(0.1, 0.1, 0.1))
    m.prismatic("slide", m.ground, body, axis="x")
    return m.system()


def model():
    m = jd.Model("as a model")
    m.revolute("turn", m.ground, m.particle("p", 1.0, center=(1, 0, 0)), axis="z")
    return m


ready = cart()


def of_length(length):
    return cart()


def broken():
    return 1 / 0


def nothing():
    return None


def stops():
    raise SystemExit("enough")


def mistaken():
    m = jd.Model("mistaken")
    m.revolute("turn", m.ground, m.particle("p", 1.0, center=(1, 0, 0)), axis="z")
    m.revolute("turn", m.ground, m.particle("q", 1.0, center=(1, 0, 0)), axis="z")
    return m.system()
"""

URDF = """<robot name="one"><link name="base"/><link name="arm">
<inertial><mass value="1"/><origin xyz="0 0 -0.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
</link><joint name="swing" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture(autouse=True)
def _paths(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's file puts its folder on the path and itself among the modules."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    known = set(sys.modules)
    yield
    for name in set(sys.modules) - known:
        if name.startswith(("_jourdain_user", "helper_of")):
            del sys.modules[name]


@pytest.fixture
def cart(tmp_path: Path) -> Path:
    path = tmp_path / "cart.py"
    path.write_text(CART)
    return path


# -- the gallery ----------------------------------------------------------------------------------------------------


def test_every_entry_by_its_name() -> None:
    assert list(gallery_entries()) == [name.replace("_", "-") for name in gallery.__all__]
    for name in gallery_entries():
        assert isinstance(resolve(name), System)


@pytest.mark.parametrize("name", ["chain:4", "chain-4", "chain4"])
def test_a_chain_of_a_length(name: str) -> None:
    assert len(resolve(name).coordinates) == 4


def test_an_entry_with_an_option() -> None:
    assert resolve("spherical-wrist:rates").speeds == ("q1", "q2", "q3")
    assert resolve("spherical-wrist").speeds == ("u1", "u2", "u3")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("chain:0", "'chain:0': a chain of 0 links; give a whole number from 1"),
        ("pendulum:3", "'pendulum:3': the gallery's 'pendulum' takes no number"),
        ("chain:123456", "no gallery entry 'chain:123456'"),
        ("puma", "did you mean 'puma560'?"),
        ("stanford_arm", "did you mean 'stanford-arm' or 'stanford-arm-kane'?"),
        ("pendulum:rates", "no option 'rates'; it has none"),
        ("spherical-wrist:rate", "no option 'rate'; did you mean 'rates'?"),
        ("xyzzy", "there is 'pendulum', 'double-pendulum'"),
        ("", "no gallery entry ''"),
        ("robot.sdf", "'robot.sdf' cannot be read; NAME is a gallery name"),
        ("some/where", "'some/where' cannot be read"),
        ("nowhere.urdf", "no file 'nowhere.urdf'"),
        ("nowhere.json", "no file 'nowhere.json'"),
        ("nowhere.py:cart", "no file 'nowhere.py'"),
        ("nowhere.py", "'nowhere.py' says no function: write nowhere.py:NAME"),
        ("nowhere.py:", "'nowhere.py:' says no function: write nowhere.py:NAME"),
    ],
)
def test_names_that_are_none(name: str, reason: str) -> None:
    with pytest.raises(UserMistake) as mistake:
        resolve(name)
    assert reason in str(mistake.value)


# -- a user's file --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("attribute", "name"), [("cart", "cart"), ("ready", "cart"), ("model", "as a model")])
def test_a_function_a_system_or_a_model(cart: Path, attribute: str, name: str) -> None:
    assert resolve(f"{cart}:{attribute}").name == name


def test_a_file_finds_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "helper_of_cart.py").write_text("NAME = 'helped'\n")
    path = tmp_path / "helped.py"
    path.write_text(CART.replace('"cart"', "NAME") + "\nfrom helper_of_cart import NAME\n")
    (tmp_path / "late.py").write_text("from helper_of_cart import NAME\n" + CART.replace('"cart"', "NAME"))
    assert resolve(f"{tmp_path / 'late.py'}:cart").name == "helped"


def test_the_users_own_line_is_said(cart: Path) -> None:
    line = CART.splitlines().index("    return 1 / 0") + 1
    with pytest.raises(UserMistake, match=rf"cart\.py:{line}: ZeroDivisionError: division by zero"):
        resolve(f"{cart}:broken")


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("crat", "has no 'crat'; did you mean 'cart'?"),
        ("NOT_A_SYSTEM", "is an int; a System, a Model, or a function that answers one is needed"),
        ("nothing", "is a NoneType"),
        ("of_length", "missing 1 required positional argument: 'length'"),
        ("stops", "ends the program (with 'enough')"),
    ],
)
def test_what_is_no_system(cart: Path, attribute: str, reason: str) -> None:
    with pytest.raises(UserMistake) as mistake:
        resolve(f"{cart}:{attribute}")
    assert reason in str(mistake.value)


def test_a_models_mistakes_stay_its_own(cart: Path) -> None:
    line = next(k for k, text in enumerate(CART.splitlines(), 1) if 'particle("q"' in text)
    with pytest.raises(ModelError, match=rf"cart\.py:{line}: .*'turn'"):
        resolve(f"{cart}:mistaken")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def cart(:\n", "bad.py:1: "),
        ("x = 1\nimport no_such_package_at_all\n", "bad.py:2: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "ends the program (with 3)"),
        ("\0", "bad.py: "),
    ],
)
def test_a_file_that_does_not_run(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    with pytest.raises(UserMistake) as mistake:
        resolve(f"{path}:cart")
    assert reason in str(mistake.value)


# -- files of other kinds -------------------------------------------------------------------------------------------


def test_a_urdf(tmp_path: Path) -> None:
    path = tmp_path / "one.URDF"
    path.write_text(URDF)
    assert resolve(str(path)).coordinates == ("swing",)


def test_a_saved_system(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    gallery.double_pendulum().save(path)
    assert resolve(str(path)).coordinates == ("shoulder", "elbow")


@pytest.mark.parametrize("suffix", ["urdf", "json"])
@pytest.mark.parametrize("text", ["", "not at all", "<robot", "{", "[1, 2]", '{"a": 1}', "\udcff"])
def test_files_that_are_something_else(tmp_path: Path, suffix: str, text: str, jourdain: Jourdain) -> None:
    path = tmp_path / f"other.{suffix}"
    path.write_bytes(text.encode(errors="surrogateescape"))
    done = jourdain("count", str(path))
    assert (done.status, done.out) == (2, "")
    assert f"other.{suffix}" in done.err
    assert "Traceback" not in done.err


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").mkdir()
    with pytest.raises(UserMistake, match="no file"):
        resolve(str(tmp_path / "robot.urdf"))


def test_a_reader_that_this_version_has_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import jourdain

    path = tmp_path / "one.urdf"
    path.write_text(URDF)
    monkeypatch.setattr(jourdain, "load_urdf", None)
    with pytest.raises(UserMistake, match="URDF files cannot be read by this version"):
        resolve(str(path))


def test_warnings_are_notes(tmp_path: Path, jourdain: Jourdain) -> None:
    """A link that no physical body can be is counted, and said."""
    path = tmp_path / "one.urdf"
    path.write_text(URDF.replace('ixx="1"', 'ixx="5"'))
    done = jourdain("count", str(path))
    assert done.status == 0
    assert re.match(rf"jourdain: warning: {re.escape(str(path))}:\d+: .*'arm'", done.reason)


SYMPY = """
from sympy import symbols
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System, SymbolicSystem


def slider():
    wall, cart = RigidBody("wall"), Particle("cart", mass=symbols("m"))
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("slide", wall, cart))
    return system


def other():
    return Particle("p")
"""


def test_a_file_may_answer_a_model_of_sympy(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(SYMPY)
    with pytest.warns(ModelWarning, match=r"the values of .*, m are made up; jourdain\.from_sympy\(model, values=…\)"):
        system = resolve(f"{file}:slider")
    assert isinstance(system, System) and system.coordinates == ("q_slide",) and system.speeds == ("u_slide",)
    with pytest.raises(UserMistake, match=r"model.py:other: a System, KanesMethod, LagrangesMethod or JointsMethod of"):
        resolve(f"{file}:other")


# -- what a user's file prints ----------------------------------------------------------------------------------------


def test_what_a_file_prints_is_not_among_the_results(cart: Path, jourdain: Jourdain) -> None:
    built = '    m = jd.Model("cart")'
    cart.write_text("print('while read')\n" + CART.replace(built, f"    print('while built')\n{built}"))
    done = jourdain("count", "--json", f"{cart}:cart")
    assert done.status == 0
    assert json.loads(done.out)["inverse_dynamics"]["mul"] >= 0
    assert "while read" in done.err and "while built" in done.err


def test_systems_and_models_are_offered_too(cart: Path) -> None:
    with pytest.raises(UserMistake, match="did you mean 'ready'"):
        resolve(f"{cart}:redy")
