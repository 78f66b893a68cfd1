"""A system that is saved and loaded is the same system: its names, its numbers, its equations to the last bit."""

from __future__ import annotations

import copy
import json
import os
import pickle
import stat
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain import gallery
from jourdain.graph import OPERATIONS, Node, reachable
from jourdain.graph.operations import CONSTANT, SYMBOL
from jourdain.model import files
from jourdain.model.reading import system_of
from jourdain.model.record import record
from jourdain.model.system import System

from ..equations.systems import Traits, random_system
from .looking import births, derived
from .mechanisms import cart, everything

GALLERY: dict[str, Callable[[], System]] = {
    "pendulum": gallery.pendulum,
    "double-pendulum": gallery.double_pendulum,
    "chain": lambda: gallery.chain(12),
    "stanford-arm": gallery.stanford_arm,
    "puma560": gallery.puma560,
    "rx90": gallery.rx90,
    "thin-disk": gallery.thin_disk,
    "kwatny-arm": gallery.kwatny_arm,
    "cart": lambda: cart().system(),
    "everything": lambda: everything().system(),
}
FOLDER = Path(__file__).parent / "golden"


def loaded(system: System, folder: Path) -> System:
    """Saved, loaded, saved again: the same bytes, the same symbols, the same equations."""
    first, second = folder / "first.json", folder / "second.json"
    system.save(first)
    found = jd.load(first)
    found.save(second)
    assert first.read_bytes() == second.read_bytes()
    return found


def same(a: System, b: System) -> None:
    """Everything of two systems."""
    assert [(x.name, x.role) for x in a.graph.symbols] == [(x.name, x.role) for x in b.graph.symbols]
    assert (a.name, a.coordinates, a.speeds, a.outputs) == (b.name, b.coordinates, b.speeds, b.outputs)
    assert (dict(a.parameters), dict(a.input_values)) == (dict(b.parameters), dict(b.input_values))
    for part in ("bodies", "joints", "gravity", "points", "frames", "loads", "rotors", "quantities", "expressions"):
        assert described(getattr(a, part)) == described(getattr(b, part)), part
    assert derived(a) == derived(b)


def described(thing: object) -> str:
    """With every operand of every expression in its place."""
    if isinstance(thing, Node):
        order = {x: k for k, x in enumerate(reachable([thing]))}
        return str([(x.op.name, [order[y] for y in x.args], x.payload) for x in order])
    if isinstance(thing, dict) or hasattr(thing, "items"):
        return str([(described(name), described(value)) for name, value in thing.items()])
    if isinstance(thing, tuple | list):
        return str([described(x) for x in thing])
    if hasattr(thing, "__dataclass_fields__"):
        parts = [x for x in thing.__dataclass_fields__ if x != "graph"]
        return f"{type(thing).__name__}{[described(getattr(thing, x)) for x in parts]}"
    return repr(thing)


@pytest.mark.parametrize("name", GALLERY)
def test_a_saved_system_loads_back_the_same(name: str, tmp_path: Path) -> None:
    system = GALLERY[name]()
    same(system, loaded(system, tmp_path))


@pytest.mark.parametrize("symbolic", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_random_systems_load_back_the_same(seed: int, symbolic: bool, tmp_path: Path) -> None:
    traits = Traits(symbolic=symbolic, loads=True, driven=True, bare=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.ModelWarning)
        system = jd.Model.of(random_system(seed, 5, traits)).system()
    same(system, loaded(system, tmp_path))


def test_settling_again_changes_nothing() -> None:
    system = everything().system()
    again = files.settled(system)
    same(system, again)
    assert births(again.graph) == births(files.settled(again).graph)


def test_a_system_that_was_not_made_by_a_model_is_saved_too(tmp_path: Path) -> None:
    system = random_system(3, 6, Traits(symbolic=True, driven=True))
    found = loaded(system, tmp_path)
    assert found.coordinates == system.coordinates
    same(found, loaded(found, tmp_path))


# -- any expression ----------------------------------------------------------------------------------------------------

APPLIED = [op for op in OPERATIONS if op not in (CONSTANT, SYMBOL)]
NUMBERS = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_expression_is_saved(data: st.DataObject) -> None:
    """A pool of expressions that share their parts, as outputs and loads."""
    m = jd.Model("any")
    joint = m.revolute("q", m.ground, m.body("b", mass=1.0, inertia=jd.principal(1, 1, 1)))
    pool: list[Node] = [*m.parameters(a=0.5, b=-2.0, Z1=3.0), m.input("f"), m.time, joint.coordinate, joint.speed]
    for _ in range(data.draw(st.integers(1, 25))):
        op = data.draw(st.sampled_from(APPLIED))
        operands = [data.draw(st.one_of(st.sampled_from(pool), NUMBERS)) for _ in range(op.arity)]
        pool.append(m.graph.apply(op, *operands))
    made = [x for x in pool if not x.is_static]
    for k, node in enumerate(made[-6:]):
        m.output(f"o{k}", node)
    m.joint_force(joint, made[-1])
    system = m.system()
    first = record(system)
    found = system_of(json.loads(json.dumps(first)), "any")
    assert record(found) == first
    assert described(system.expressions) == described(found.expressions)


def test_a_long_table_is_cut_into_lines(tmp_path: Path) -> None:
    m = jd.Model("table")
    m.revolute("q", m.ground, m.body("b", mass=1.0, inertia=jd.principal(1, 1, 1)))
    points = [k + 0.1 * (k % 3) for k in range(300)]
    m.joint_force("q", m.table(m.time, points, [k * 1.7 % 3.1 for k in range(300)], jd.CUBIC))
    system = m.system()
    same(system, loaded(system, tmp_path))


# -- the file itself -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cart", "everything"])
def test_the_file_is_what_it_was(name: str, tmp_path: Path) -> None:
    """A change of the format is a change of its version."""
    path = tmp_path / f"{name}.json"
    GALLERY[name]().save(path)
    assert path.read_text("utf-8") == (FOLDER / f"{name}.json").read_text("utf-8")


def test_files_of_the_first_version_are_read() -> None:
    same(cart().system(), jd.load(FOLDER / "cart.json"))


def test_a_file_is_put_in_place_at_once_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arm.json"
    gallery.pendulum().save(str(path))
    before = path.read_bytes()

    def broken(descriptor: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="no space left"):
        gallery.stanford_arm().save(path)
    assert path.read_bytes() == before
    assert [x.name for x in tmp_path.iterdir()] == ["arm.json"]
    monkeypatch.undo()
    gallery.stanford_arm().save(path)
    assert jd.load(path).name == "stanford-arm"
    assert [x.name for x in tmp_path.iterdir()] == ["arm.json"]


def test_a_link_stays_a_link_and_the_mode_is_the_users(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    gallery.pendulum().save(target)
    plain = tmp_path / "plain"
    plain.write_text("")
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    link.symlink_to(target)
    gallery.puma560().save(link)
    assert link.is_symlink()
    assert jd.load(target).name == "puma560"


def test_there_must_be_a_folder_and_a_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"its folder is not there: '.*arm\.json'"):
        gallery.pendulum().save(tmp_path / "nowhere" / "arm.json")
    with pytest.raises(IsADirectoryError, match="a folder; name a file in it: "):
        gallery.pendulum().save(tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileNotFoundError):
        jd.load(tmp_path / "nowhere.json")


@pytest.mark.parametrize("name", GALLERY)
def test_a_pickled_system_is_the_same(name: str) -> None:
    system = GALLERY[name]()
    same(system, pickle.loads(pickle.dumps(system)))


def test_a_system_is_its_own_copy() -> None:
    """It cannot be edited, and equals only itself."""
    system = gallery.pendulum()
    assert copy.copy(system) is copy.deepcopy(system) is system


def test_any_name_can_be_written(tmp_path: Path) -> None:
    """Letters of any script, and half a surrogate pair, which UTF-8 cannot say."""
    m = jd.Model("маятник 振り子 \udc80")
    m.revolute("угол", m.ground, m.body("тело", mass=1.0, inertia=jd.principal(1, 1, 1)))
    m.output("o", m["угол"].coordinate * 2.0)
    same(m.system(), loaded(m.system(), tmp_path))
    same(m.system(), pickle.loads(pickle.dumps(m.system())))
    assert "угол" in (tmp_path / "first.json").read_text("utf-8")


def test_what_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    """A system made by hand, whose parameter has no value."""
    system = random_system(1, 2, Traits(symbolic=True))
    spoilt = System(
        system.name, system.graph, system.bodies, system.joints, system.gravity, defaults={"stray": float("nan")}
    )
    with pytest.raises(jd.ModelError, match=r"parameters\.stray is nan; a finite number is needed"):
        spoilt.save(tmp_path / "x.json")
    assert not list(tmp_path.iterdir())
