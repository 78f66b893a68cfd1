"""One model beside its peers: rows, what is left out, what is wrong, and what Ctrl-C leaves."""

from __future__ import annotations

import json

import pytest

from jourdain import gallery
from jourdain.bench import compare as module
from jourdain.bench.case import QUANTITIES, Wrong
from jourdain.bench.compare import OURS, ROUNDS, all_peers, compare
from jourdain.bench.own import Own
from jourdain.model.system import System

from .fakes import Fake, Interrupted, NotHere, Unwilling
from .mechanisms import driven

SECONDS = 0.003


def pendulum() -> System:
    return gallery.pendulum()


def quiet(_: str) -> None:
    """Progress that nobody reads."""


def test_rows_ours_first_and_the_least_of_the_rounds() -> None:
    told: list[str] = []
    fake = Fake()
    found = compare(pendulum(), [fake], SECONDS, told.append)
    assert [row.peer for row in found.rows] == [OURS, "fake"]
    assert fake.rounds == ROUNDS
    assert found.rows[1].ns == {"inverse_dynamics": 100.0, "mass_matrix": 100.0}
    assert set(found.rows[0].ns) == set(found.rows[0].batch_ns) == set(QUANTITIES)
    assert not (found.skipped or found.wrong or found.interrupted)
    assert told[:2] == [
        "pendulum: deriving and compiling",
        "pendulum: preparing fake (what it compiles takes minutes the first time)",
    ]
    assert told[-1] == f"pendulum: timing fake, round {ROUNDS} of {ROUNDS}"


def test_json_of_a_row() -> None:
    """Nanoseconds, None for what is not measured; seconds where the name says so."""
    ours, fake = (row.as_json() for row in compare(pendulum(), [Fake()], SECONDS, quiet).rows)
    json.dumps([ours, fake])
    assert fake == {
        "model": "pendulum", "speeds": 1, "peer": "fake", "inverse_dynamics": 100.0, "forward_dynamics": None,
        "mass_matrix": 100.0, "batch": {}, "derive_s": 0.25, "compile_s": None, "note": "not real",
    }  # fmt: skip
    assert ours["peer"] == OURS
    assert set(ours["batch"]) == {"members", "lanes", *QUANTITIES}
    assert ours["derive_s"] > 0.0
    assert ours["compile_s"] > 0.0


def test_what_is_missing_or_refused_is_said() -> None:
    found = compare(pendulum(), [NotHere(), Unwilling(), Fake()], SECONDS, quiet)
    assert [row.peer for row in found.rows] == [OURS, "fake"]
    assert found.skipped == [
        "absent: absent is not installed: pip install absent",
        "unwilling, pendulum: too many joints",
    ]


def test_a_wrong_answer_gets_no_time() -> None:
    found = compare(pendulum(), [Fake(factor=1.000001)], SECONDS, quiet)
    assert [row.peer for row in found.rows] == [OURS]
    (wrong,) = found.wrong
    assert wrong.startswith("fake, pendulum: inverse dynamics differs by ")


def test_a_wrong_answer_of_ours_gets_no_time_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(_: Own) -> object:
        raise Wrong("forward dynamics differs by 1.0e+00 of the forces' scale")

    monkeypatch.setattr(Own, "case", wrong)
    found = compare(pendulum(), [Fake()], SECONDS, quiet)
    assert found.rows == []
    assert found.wrong == ["jourdain, pendulum: forward dynamics differs by 1.0e+00 of the forces' scale"]


def test_a_model_that_no_peer_is_given() -> None:
    found = compare(driven(), [Fake()], SECONDS, quiet)
    assert found.rows == []
    assert found.skipped == ["driven: its dynamics depend on inputs or on time; the peers know neither"]


@pytest.mark.parametrize(("in_round", "measured"), [(0, []), (1, [OURS, "fake"]), (2, [OURS, "fake", "long"])])
def test_ctrl_c_leaves_what_was_measured(in_round: int, measured: list[str]) -> None:
    found = compare(pendulum(), [Fake(), Interrupted(in_round=in_round)], SECONDS, quiet)
    assert found.interrupted
    assert [row.peer for row in found.rows] == measured
    assert all(row.ns for row in found.rows)


def test_the_better_compiler_stands_for_pinocchio(monkeypatch: pytest.MonkeyPatch) -> None:
    """clang where there is one, else g++; where there is neither, clang is asked for."""
    for here, kind in (({"clang++", "g++"}, "clang++"), ({"g++"}, "g++"), (set[str](), "clang++")):
        monkeypatch.setattr(module, "compiler", lambda name, here=here: name if name in here else None)
        assert [peer.name for peer in all_peers()] == [
            f"pinocchio {kind}", "pinocchio python", "casadi C", "mujoco C", "sympy KanesMethod",
        ]  # fmt: skip
