"""Base parameters: as many as the regressor has independent columns, on every model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jourdain.equations.base import base_parameters
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.regressor import Seat, regressor
from jourdain.equations.regroup import flatten, regroup
from jourdain.graph import Graph, Node, Role, interpret, log
from jourdain.model import joints
from jourdain.model.motion import QUATERNION, Motion
from jourdain.model.pose import Pose
from jourdain.model.system import GROUND, Body, Joint, System
from jourdain.spatial import Matrix, Rotation, Vector

from .arms import PUMA560, RX90, STANFORD, TX40, general_arm, khalil_arm
from .ranks import columns_of, rank, stacked_regressor
from .systems import KINDS, Array, Traits, evaluate, random_state, random_system
from .trees import KINDS as TREE_KINDS
from .trees import Sample, random_tree
from .trees import Traits as TreeTraits

ARMS = {"stanford": (STANFORD, 33, 35), "puma560": (PUMA560, 36, 38), "rx90": (RX90, 36, 38), "tx40": (TX40, 36, 38)}


def kept_entries(system: System) -> int:
    """Inertial parameters that are left on the links after regrouping."""
    return sum(not x.is_zero for link in Mechanics(system).grouped.tree.links for x in flatten(link.inertia))


def minimal(system: System, seed: int = 0) -> int:
    """The number of base parameters, having seen that no fewer do and that none of them is redundant."""
    kept = base_parameters(system)
    rows = stacked_regressor(system, seed)
    number = sum(map(len, kept.values()))
    assert number == rank(rows) == rank(rows[:, columns_of(system, kept)])
    return number


@pytest.mark.parametrize("name", ARMS)
def test_arms_of_the_literature(name: str) -> None:
    """Gravity along the first axis hides two parameters of the first link."""
    table, along, anywhere = ARMS[name]
    for gravity, number in (("z", along), ("xyz", anywhere)):
        system = khalil_arm(name, table, gravity)
        assert minimal(system) == kept_entries(system) == number


def test_a_general_arm() -> None:
    for gravity, number in (("z", 36), ("xyz", 38)):
        system = general_arm(gravity)
        assert minimal(system) == kept_entries(system) == number


TRAITS = {
    "plain": Traits(), "parameters": Traits(symbolic=True), "driven": Traits(driven=True, loads=True),
    "massless": Traits(bare=0.4), "floating": Traits(floating=True), "parallel": Traits(parallel=0.8),
    "slides": Traits(kinds=("prismatic", "revolute", "cylindrical"), parallel=0.4),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAITS)
def test_random_systems(name: str) -> None:
    """Of every joint type, aligned and oblique, branching, some joints driven."""
    for seed in range(8):
        system = random_system(900 + seed, 1 + seed % 5, TRAITS[name])
        minimal(system, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_joint_on_the_ground_and_beyond_another(kind: str) -> None:
    for seed in range(3):
        minimal(random_system(seed, 1, Traits(kinds=(kind,))), seed)
        minimal(random_system(50 + seed, 2, Traits(kinds=("revolute", kind))), seed)
        minimal(random_system(80 + seed, 3, Traits(kinds=("prismatic", kind))), seed)


def serial(*motions: Motion, places: Sequence[Pose] = (), gravity: bool = True) -> System:
    """Full bodies, numbers all of them, each on the one before; gravity along −z."""
    graph = motions[0].columns[0][0].graph
    rng = np.random.default_rng(4)
    bodies, chain, parent = [], [], GROUND
    for k, motion in enumerate(motions):
        half = rng.normal(size=(3, 3))
        inertia = Matrix.of(graph, (half @ half.T + np.eye(3)).tolist())
        bodies.append(Body(f"b{k}", graph.constant(1.5), Vector.of(graph, rng.normal(size=3).tolist()), inertia))
        q = tuple(graph.symbol(f"q{k}.{i}", Role.COORDINATE) for i in range(motion.nq))
        u = tuple(graph.symbol(f"u{k}.{i}", Role.SPEED) for i in range(motion.np))
        place = places[k] if places else Pose(Rotation(graph), Vector.of(graph, rng.normal(size=3).tolist()))
        chain.append(Joint(f"j{k}", parent, f"b{k}", motion, place, Pose.identity(graph), q, u))
        parent = f"b{k}"
    down = Vector.of(graph, (0.0, 0.0, -9.81 if gravity else 0.0))
    return System("serial", graph, tuple(bodies), tuple(chain), down)


def hinge(graph: Graph, *axis: float) -> Motion:
    return joints.revolute(graph, Vector.of(graph, axis))


def slide(graph: Graph, *axis: float) -> Motion:
    return joints.prismatic(graph, Vector.of(graph, axis))


def test_without_gravity_fewer_matter() -> None:
    """Two hinges whose axes meet: beyond the second one only inertias about the place where they meet are felt."""
    for height in (0.0, 0.4):
        graph = Graph()
        places = [Pose(Rotation(graph), Vector.of(graph, (0.0, 0.0, z))) for z in (0.0, height)]
        axes = hinge(graph, 0, 0, 1), hinge(graph, 0.6, 0, 0.8)
        counts = [minimal(serial(*axes, places=places, gravity=gravity)) for gravity in (False, True)]
        assert counts == [6, 8]


def test_special_rules_of_slides() -> None:
    """Gautier and Khalil (1990): a slide parallel, oblique and square to the only direction that its carriers turn
    about; and one whose carriers turn about two."""
    graph = Graph()
    z = (0.0, 0.0, 1.0)
    counts = [
        minimal(serial(hinge(graph, *z), hinge(graph, *z), slide(graph, *axis)))
        for axis in (z, (0.6, 0.0, 0.8), (1.0, 0.0, 0.0))
    ]
    counts.append(minimal(serial(hinge(graph, *z), hinge(graph, 1, 0, 0), slide(graph, 0, 1, 0))))
    assert counts == [4 + 1, 4 + 3, 4 + 3, 8 + 4]


def test_gravity_that_changes_may_have_any_direction_among_its_own() -> None:
    graph = Graph()
    system = serial(hinge(graph, 0, 0, 1), hinge(graph, 0, 0, 1))
    assert minimal(system) == 4
    changing = Vector(graph.symbol("gx", Role.INPUT), graph.zero, graph.symbol("gz", Role.INPUT))
    shaken = replace(system, gravity=changing, input_values={"gx": 1.0, "gz": -9.81})
    assert minimal(shaken) == kept_entries(shaken) == 6


def test_a_system_at_rest_has_none() -> None:
    graph = Graph()
    body = serial(hinge(graph, 0, 0, 1)).bodies[0]
    weld = Joint("fixed", GROUND, "b0", joints.weld(graph), Pose.identity(graph), Pose.identity(graph), (), ())
    system = System("stone", graph, (body,), (weld,), Vector.zero(graph))
    assert base_parameters(system) == {"b0": ()}


# -- what the recursions are given ------------------------------------------------------------------------------------

SINGLE = ("revolute", "prismatic", "screw")


@pytest.mark.parametrize("kind", [*TREE_KINDS, "any", "single"])
def test_regrouping_leaves_no_more_than_needed(kind: str) -> None:
    """Of trees with a body on every joint, as many entries are not zero as the regressor has independent columns."""
    kinds = {"any": TREE_KINDS, "single": SINGLE}.get(kind, ("revolute", kind))
    for seed in range(5):
        sample = random_tree(600 + seed, 2 + seed % 3, TreeTraits(kinds, symbolic=True, aligned=seed % 2 == 0))
        left = sum(not x.is_zero for link in regroup(sample.tree).links for x in flatten(link.inertia))
        assert left == rank(felt(sample))


def felt(sample: Sample) -> Array:
    """Rows of the regressor of the links that have inertia, in many states."""
    tree, rng = sample.tree, np.random.default_rng(1)
    seats = [
        Seat(i, Rotation(tree.graph), Vector.zero(tree.graph))
        for i, link in enumerate(tree.links) if not link.inertia.is_zero
    ]  # fmt: skip
    rows = regressor(tree, sample.u, sample.udot, seats)
    states = [sample.elsewhere(rng).values for _ in range(10 * len(seats) + 10)]
    values: dict[Node, Array] = {symbol: np.array([state[symbol] for state in states]) for symbol in states[0]}
    flat = [np.broadcast_to(x, (len(states),)) for x in interpret([x for row in rows for x in row], values)]
    found = np.stack(flat, axis=-1).reshape(-1, 10 * len(seats)) if flat else np.zeros((1, 10 * len(seats)))
    return np.asarray(found / max(float(np.abs(found).max(initial=0.0)), 1e-300))


@pytest.mark.parametrize("seed", range(8))
def test_regrouping_with_driven_joints(seed: int) -> None:
    """A driven joint hides more: only what the free speeds feel is kept."""
    system = random_system(700 + seed, 2 + seed % 3, Traits(driven=True))
    assert kept_entries(system) <= sum(map(len, base_parameters(system).values()))


def torques_agree(system: System, seed: int = 3) -> None:
    """Inverse dynamics and the mass matrix from regrouped inertias and from the bodies' own."""
    state = random_state(system, np.random.default_rng(seed))
    grouped = Mechanics(system)
    own = grouped.written(replace(grouped.formulation, grouped=False))
    for read in (Mechanics.inverse_dynamics, lambda m: [x for row in m.mass_matrix() for x in row]):
        found, wanted = evaluate(grouped, read(grouped), state), evaluate(own, read(own), state)
        assert np.abs(found - wanted).max(initial=0.0) <= 1e-12 * np.abs(wanted).max(initial=0.0)


@pytest.mark.parametrize("value", [0.3, 0.0, -1.7])
def test_shares_that_depend_on_parameters_are_not_moved(value: float) -> None:
    """A hinge about an axis at a distance that is a parameter: what its first moment shares depends on the distance."""
    graph = Graph()
    d = graph.symbol("d", Role.PARAMETER)
    zero, one = graph.zero, graph.one
    off = joints.given([(zero, zero, one, zero, d, zero)], [1])
    before = hinge(graph, 1, 0, 0), joints.spherical(graph, QUATERNION), slide(graph, 0, 1, 0)
    system = replace(serial(*before, off), defaults={"d": value})
    torques_agree(system)
    assert minimal(system) == minimal(serial(*before, hinge(graph, 0, 0, 1)))


def test_nothing_is_moved_across_what_has_no_value() -> None:
    """log(d − 9) is not a number where d is unknown; with d = 10 it is zero, and all is well."""
    graph = Graph()
    d = graph.symbol("d", Role.PARAMETER)
    places = [Pose(Rotation(graph), Vector(graph.zero, x, graph.zero)) for x in (graph.zero, log(d - 9.0))]
    system = serial(hinge(graph, 0, 0, 1), hinge(graph, 1, 0, 0), places=places)
    torques_agree(replace(system, defaults={"d": 10.0}))
    assert kept_entries(system) > kept_entries(serial(hinge(graph, 0, 0, 1), hinge(graph, 1, 0, 0)))


@pytest.mark.parametrize("angle", [1e-15, 1e-13, 5e-12, 1e-10, 1e-8, 1e-6, 1e-3])
def test_axes_that_are_almost_parallel(angle: float) -> None:
    """As files with a few digits of π have them: whether they count as parallel or not, the torques stay right."""
    graph = Graph()
    s, c = float(np.sin(angle)), float(np.cos(angle))
    system = serial(hinge(graph, 0, 0, 1), hinge(graph, s, 0, c), slide(graph, s, 0, c), hinge(graph, 1, 0, 0))
    torques_agree(system)
    torques_agree(replace(system, gravity=Vector.of(graph, (1.0, 0.0, -9.81))))
