"""What an entry promises: its name, its data, its docstring; and a chain of any length."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.model.system import System
from jourdain.native import Cache

Array = NDArray[np.float64]
SYSTEMS = {name: getattr(gallery, name)() for name in gallery.__all__}
every = pytest.mark.parametrize(("name", "system"), SYSTEMS.items(), ids=SYSTEMS)


@every
def test_names(name: str, system: System) -> None:
    """The command line's name, with a dash where Python has an underscore; a chain's has its length."""
    assert system.name == {"chain": "chain10"}.get(name, name.replace("_", "-"))


@every
def test_docstrings_begin_with_a_sentence(name: str, system: System) -> None:
    first = (inspect.getdoc(getattr(gallery, name)) or "").split("\n\n")[0]
    assert first.endswith(".")
    assert len(first.splitlines()) == 1


@every
def test_every_datum_is_a_parameter(name: str, system: System) -> None:
    """Except in the chain, whose data are numbers as it says."""
    numbers = {
        x.value for body in system.bodies for x in (body.mass, *body.center, *(y for row in body.inertia for y in row))
        if x.is_constant
    }  # fmt: skip
    assert (numbers <= {0.0}) is (name != "chain")
    assert bool(system.parameters) is (name != "chain")


@every
def test_saved_and_loaded_it_is_the_same(name: str, system: System, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.json"
    system.save(path)
    again = jd.load(path)
    assert (again.name, again.coordinates, again.speeds, dict(again.parameters)) == (
        system.name, system.coordinates, system.speeds, dict(system.parameters),
    )  # fmt: skip
    n, m = len(system.coordinates), len(system.speeds)
    q, u, udot = (np.random.default_rng(5).uniform(-1.0, 1.0, k) for k in (n, m, m))
    one, other = (jd.compile(x, cache=Cache(None)).inverse_dynamics(q, u, udot) for x in (system, again))
    assert np.array_equal(one, other)


def test_a_shorter_chain_is_the_beginning_of_a_longer_one() -> None:
    short, long, another = gallery.chain(3), gallery.chain(5), gallery.chain(3, seed=1984)
    assert short.coordinates == long.coordinates[:3] == ("q1", "q2", "q3")
    for one, other in zip(short.bodies, long.bodies):
        assert [x.value for x in (one.mass, *one.center)] == [x.value for x in (other.mass, *other.center)]
    assert [x.mass.value for x in short.bodies] != [x.mass.value for x in another.bodies]


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_a_chain_of_no_length(n: object) -> None:
    with pytest.raises(ValueError, match=r"a chain of .*; give a whole number from 1"):
        gallery.chain(n)  # type: ignore[arg-type]


def test_a_name_that_is_none() -> None:
    with pytest.raises(AttributeError, match="the gallery has no 'stanford'; did you mean 'stanford_arm'"):
        gallery.stanford  # noqa: B018


def test_stanford_arm_at_rest() -> None:
    """In the paper's zero configuration every body's axes are the ground's; places by (135) to (137), mended."""
    arm = gallery.stanford_arm()
    d = jd.compile(arm, cache=Cache(None))
    q = np.array([0.0, 0.0, 0.25, 0.0, 0.0, 0.0])
    p = arm.parameters
    places = {
        "A": (0.0, 0.0, 0.0),
        "B": (p["L1"], p["L4"], 0.0),
        "C": (p["L1"], p["L4"] + 0.25, 0.0),
        "D": (p["L1"], p["L4"] + 0.25 + p["L2"], 0.0),
        "E": (p["L1"], p["L4"] + 0.25 + p["L2"], 0.0),
        "F": (p["L1"], p["L4"] + 0.25 + p["L2"], 0.0),
    }
    for body, place in places.items():
        pose = d.pose(body, q)
        assert np.array_equal(pose[:3, :3], np.eye(3))
        assert np.abs(pose[:3, 3] - place).max() < 1e-15
    # The mass centre: each body's own, C* 0.25 m and D* 0.25 + L5 from B*, E* and F* beyond the wrist.
    wrist = p["L4"] + 0.25 + p["L2"]
    heights = [0.0, p["L4"], p["L4"] + 0.25, p["L4"] + 0.25 + p["L5"], wrist + p["L6"], wrist + p["L3"]]
    masses = [p[f"m_{name}"] for name in "ABCDEF"]
    assert abs(d.mass_center(q)[1] - np.dot(masses, heights) / sum(masses)) < 1e-15


# α [quarter turns], d and r of each joint, from the literature (Khalil and Dombre; Corke and Armstrong-Hélouvry).
ARMS = {
    "puma560": ((0, 0, 0), (-1, 0, 0), (0, 0.4318, 0.1501), (1, -0.0203, 0.4331), (-1, 0, 0), (1, 0, 0)),
    "rx90": ((0, 0, 0), (1, 0, 0), (0, 0.45, 0), (-1, 0, 0.45), (1, 0, 0), (-1, 0, 0)),
}


@pytest.mark.parametrize("name", ARMS)
def test_frames_of_khalils_arms(name: str) -> None:
    """Every link's frame is the product Rot(x, α) Trans(x, d) Rot(z, q) Trans(z, r) of its chain."""
    d = jd.compile(SYSTEMS[name], cache=Cache(None))
    q = np.random.default_rng(6).uniform(-3.0, 3.0, 6)
    pose = np.eye(4)
    for k, (quarters, across, along) in enumerate(ARMS[name]):
        alpha = quarters * np.pi / 2
        pose = pose @ _screw(0, alpha, across) @ _screw(2, q[k], along)
        assert np.abs(d.pose(f"link{k + 1}", q) - pose).max() < 1e-14


def _screw(axis: int, angle: float, distance: float) -> Array:
    """A turn about an axis and a shift along it (4, 4)."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found = np.eye(4)
    found[[i, j], [i, j]] = np.cos(angle)
    found[i, j], found[j, i] = -np.sin(angle), np.sin(angle)
    found[axis, 3] = distance
    return found
