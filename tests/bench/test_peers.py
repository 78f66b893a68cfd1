"""Every peer that the tests bring along answers as we do, on every joint that it has; others are refused aloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from jourdain import gallery
from jourdain.bench.case import Case, Ready, State, Wrong, check
from jourdain.bench.mechanism import Mechanism, Unsupported, mechanism
from jourdain.bench.mujoco_peer import MujocoC, Words
from jourdain.bench.own import own
from jourdain.bench.pinocchio_model import pinocchio_model
from jourdain.bench.pinocchio_peer import PinocchioCompiled, PinocchioPython
from jourdain.bench.plain_text import case_text
from jourdain.bench.sympy_peer import MOST_SPEEDS, SympyKane
from jourdain.bench.toolchain import Missing, Refused, compiler
from jourdain.model.system import System

from .mechanisms import JOINTS, askew, driven, floating_in_free, free_with_a_rotor, loaded, welded, with_joint

QUANTITIES = {"inverse_dynamics", "forward_dynamics", "mass_matrix"}
CASES = {kind: own(with_joint(kind)).case() for kind in JOINTS}
every = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def all_positive(ready: Ready) -> None:
    times = ready.clock(1e-3)
    assert set(times) == QUANTITIES
    assert min(times.values()) > 0.0


@every
def test_pinocchio_agrees(case: Case) -> None:
    """`prepare` compares every answer for every state."""
    all_positive(PinocchioPython().prepare(case))


MUJOCO_HAS_NOT = ("screw", "upright screw", "planar", "off-axis", "massless")


def mujoco_answers(case: Case) -> list[tuple[State, mujoco.MjData, mujoco.MjModel]]:
    words = Words(case.mechanism)
    model = mujoco.MjModel.from_xml_string(words.xml())
    found = []
    for given in case.states:
        state = words.answers(given)
        data = mujoco.MjData(model)
        data.qpos, data.qvel, data.qacc, data.qfrc_applied = state.q, state.v, state.a, state.tau
        found.append((state, data, model))
    return found


@pytest.mark.parametrize("kind", [x for x in JOINTS if x not in MUJOCO_HAS_NOT])
def test_mujoco_agrees(kind: str) -> None:
    """The model and the states that its C program is given, asked from Python."""
    for state, data, model in mujoco_answers(CASES[kind]):
        mujoco.mj_inverse(model, data)
        check("inverse_dynamics", np.array(data.qfrc_inverse), state)
        mujoco.mj_forward(model, data)
        check("forward_dynamics", np.array(data.qacc), state)
        columns = []
        for unit in np.eye(model.nv):
            column = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, column, unit)
            columns.append(column)
        check("mass_matrix", np.array(columns), state)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (CASES["screw"], "no screw joint"),
        (CASES["planar"], "a planar joint's speeds are not MuJoCo's"),
        (CASES["massless"], "no bodies without inertia about some axis, as 'half' moves one"),
        (own(gallery.pendulum()).case(), "no bodies without inertia"),
        (own(floating_in_free()).case(), "free joints only at the ground"),
        (own(free_with_a_rotor()).case(), "a rotor on a joint of several freedoms"),
        (own(askew()).case(), "a sequence of joints whose axes do not meet"),
    ],
    ids=["screw", "planar", "massless", "particle", "free", "rotor", "askew"],
)
def test_mujoco_refuses(case: Case, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        Words(case.mechanism).xml()


def test_mujoco_in_c() -> None:
    """Its own program, where there is a compiler; elsewhere it is said what is missing."""
    case = CASES["free"]
    if compiler("cc") is None:
        with pytest.raises(Missing, match="install gcc or clang"):
            MujocoC().prepare(case)
    else:
        all_positive(MujocoC().prepare(case))


@pytest.mark.parametrize("name", ["double_pendulum", "chain"])
def test_sympy_agrees(name: str) -> None:
    system = gallery.chain(2) if name == "chain" else gallery.double_pendulum()
    ready = SympyKane().prepare(own(system).case())
    all_positive(ready)
    assert ready.derive_s is not None
    assert ready.derive_s > 0.0


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (CASES["screw"], "only turning and sliding joints"),
        (CASES["rotor"], "only turning and sliding joints, without rotors"),
        (own(gallery.chain(MOST_SPEEDS + 1)).case(), "minutes beyond 6 speeds"),
    ],
    ids=["screw", "rotor", "long"],
)
def test_sympy_refuses(case: Case, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        SympyKane().prepare(case)


def test_sympy_on_sliding_and_turned_frames() -> None:
    SympyKane().prepare(CASES["prismatic"])


@every
def test_casadi_agrees(case: Case) -> None:
    """The recursions that C is generated from, evaluated as they are."""
    casadi = pytest.importorskip("casadi", reason="CasADi is not installed: pip install 'jourdain[peers]'")
    from jourdain.bench import casadi_recursions as recursions

    s = recursions.symbols(case.mechanism)
    for quantity in sorted(QUANTITIES):
        function = casadi.Function(quantity, [s.q, s.v, s.x], [getattr(recursions, quantity)(s)])
        for state in case.states:
            last = state.a if quantity == "inverse_dynamics" else state.tau
            answer = np.array(function(state.q, state.v, last))
            check(quantity, answer if quantity == "mass_matrix" else answer[:, 0], state)


def test_pinocchio_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match=r"no clang\+\+ here: install clang$"):
        PinocchioCompiled("clang++").prepare(CASES["revolute"])
    with pytest.raises(Missing, match=r"no g\+\+ here: install g\+\+$"):
        PinocchioCompiled("g++").prepare(CASES["revolute"])


def test_wheels_without_headers_or_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    with pytest.raises(Missing, match="Pinocchio is installed without its headers"):
        PinocchioPython().prepare(CASES["revolute"])
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    with pytest.raises(Missing, match="the mujoco wheel here has no C library to link with"):
        MujocoC().prepare(CASES["revolute"])


@pytest.mark.parametrize("system", [askew(), free_with_a_rotor(), floating_in_free()], ids=lambda x: x.name)
def test_pinocchio_agrees_on_what_mujoco_has_not(system: System) -> None:
    PinocchioPython().prepare(own(system).case())


def test_a_wrong_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer's model with one body a millionth heavier."""

    def heavier(mechanism: Mechanism) -> Any:
        model = pinocchio_model(mechanism)
        model.inertias[1].mass *= 1.000001
        return model

    monkeypatch.setattr("jourdain.bench.pinocchio_peer.pinocchio_model", heavier)
    with pytest.raises(Wrong, match=r"inverse dynamics differs by .* of the forces' scale"):
        PinocchioPython().prepare(CASES["revolute"])


# -- what no peer is given ------------------------------------------------------------------------------------------


def test_unsupported_mechanisms() -> None:
    for system, reason in (
        (driven(), "inputs or on time"),
        (welded(), "nothing in it can move"),
        (gallery.thin_disk(), "joint 'attitude' has a simple joint of 3 columns; the peers have none"),
    ):
        with pytest.raises(Unsupported, match=reason):
            own(system)
    with pytest.raises(Unsupported, match="joint 'turn' moves as given; the peers have no such joints"):
        mechanism(driven())


def test_loads_are_left_out() -> None:
    """The damper is in nobody's equations."""
    bare, damped = own(gallery.pendulum()), own(loaded())
    for one, other in zip(bare.case().states, damped.case().states):
        assert np.array_equal(one.tau, other.tau)


def test_the_text_for_programs_reads_back(case: Case = CASES["free"]) -> None:
    """Every number to the same bits."""
    words = iter(case_text(case).split())
    assert int(next(words)) == len(case.mechanism.links)

    def take(n: int) -> np.ndarray:
        return np.array([float(next(words)) for _ in range(n)])

    assert np.array_equal(take(3), case.mechanism.gravity)
    for link in case.mechanism.links:
        assert (int(next(words)), next(words)) == (link.parent, link.kind)
        if link.kind == "steps":
            assert int(next(words)) == len(link.steps)
            for step in link.steps:
                assert next(words) == step.kind
                assert np.array_equal(take(7), [step.pitch, *step.axis, *step.translation])
        expected = [*link.rotation.ravel(), *link.translation, link.mass, *link.center, *link.inertia.ravel()]
        assert np.array_equal(take(22), expected[:22])
        assert np.array_equal(take(3), expected[22:])
        assert np.array_equal(take(link.nv), link.armature)
    assert int(next(words)) == len(case.states)
    for state in case.states:
        for numbers in (state.q, state.v, state.a, state.tau):
            assert np.array_equal(take(len(numbers)), numbers)
    assert next(words, None) is None
