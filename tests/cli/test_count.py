"""`jourdain count`: the counts, the published ones beside them, the formulations, and JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import jourdain as package
from jourdain import gallery, published
from jourdain.cli.names import gallery_entries
from jourdain.driver import alternatives

from .conftest import Jourdain

QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "dynamical_equations")


def rows(text: str, title: str) -> list[str]:
    """The lines of the table below a line, without header and rule."""
    part = text[text.index(title) :].split("\n\n")[0].splitlines()
    rule = next(k for k, line in enumerate(part) if line.startswith("─"))
    return part[rule + 1 :]


@pytest.mark.parametrize("name", [name for name in gallery_entries() if name != "chain"])
def test_json_is_what_python_answers(name: str, jourdain: Jourdain) -> None:
    done = jourdain("count", name, "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert found == package.count(getattr(gallery, name.replace("-", "_"))())
    assert tuple(found) == QUANTITIES
    for row in found.values():
        assert row["total"] == sum(row[key] for key in ("mul", "add", "div", "sqrt", "trig", "other"))
        assert {"mul", "add", "div", "sqrt", "trig", "precompute", "total"} <= row.keys()


def test_the_table(jourdain: Jourdain) -> None:
    done = jourdain("count", "stanford-arm")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "stanford-arm: 6 coordinates, 6 speeds"
    counts = package.count(gallery.stanford_arm())
    for name, line in zip(QUANTITIES, rows(done.out, "mul  add")):
        row = counts[name]
        shown = [str(row[key] or "—") for key in ("mul", "add", "div", "sqrt", "trig", "other", "precompute")]
        assert line.split() == [*name.split("_"), *shown, str(row["total"])]


def test_one_of_each_is_in_the_singular(jourdain: Jourdain) -> None:
    assert jourdain("count", "pendulum").out.startswith("pendulum: 1 coordinate, 1 speed\n")


@pytest.mark.parametrize("name", ["stanford-arm", "puma560", "rx90"])
def test_published_counts_of_the_same_inertias(name: str, jourdain: Jourdain) -> None:
    """The Stanford arm's axes are principal: records of general inertias are no match for it, and not shown."""
    done = jourdain("count", name)
    general = name != "stanford-arm"
    records = [x for x in published.records_for(name) if x.general is general]
    counts = package.count(getattr(gallery, name.replace("-", "_"))())
    shown = rows(done.out, "Published")
    assert len(shown) == len(records) > 0
    for record, line in zip(records, shown):
        ours = counts[record.quantity]
        assert f"{record.mul}/{record.add}" in line
        assert f"{ours['mul']}/{ours['add']}" in line
        assert line.endswith(record.source)


def test_nothing_published_of_others(jourdain: Jourdain) -> None:
    assert "Published" not in jourdain("count", "pendulum").out


def test_published_counts_are_not_a_users_models(tmp_path: Path, jourdain: Jourdain) -> None:
    """Another mechanism under the arm's name is not compared with it."""
    path = tmp_path / "arm.py"
    path.write_text(
        "import jourdain as jd\n\n\ndef arm():\n    m = jd.Model('stanford-arm')\n"
        "    m.revolute('q1', m.ground, m.particle('p', 1.0, center=(1, 0, 0)), axis='z')\n    return m.system()\n"
    )
    assert "Published" not in jourdain("count", f"{path}:arm").out


@pytest.mark.parametrize("name", ["stanford-arm", "puma560", "chain:12", "pendulum"])
def test_formulations(name: str, jourdain: Jourdain) -> None:
    """Every one that was tried, in order, with its operations; one of each quantity is kept."""
    done = jourdain("count", name)
    shown = rows(done.out, "Operations before")
    entry, _, length = name.partition(":")
    function = getattr(gallery, entry.replace("-", "_"))
    tried = alternatives(function(int(length)) if length else function(), QUANTITIES[:3])
    assert len(shown) == len(tried)
    for choice, line in zip(tried, shown):
        assert line.endswith(str(choice.counts))
        assert ("●" in line) is choice.chosen
    assert sum("●" in line for line in shown) == 3


def test_how_accelerations_are_solved_for(jourdain: Jourdain) -> None:
    """Only forward dynamics says so: by articulated bodies or by elimination; the longer the chain the former."""
    kept = {}
    for name in ("chain:3", "chain:30"):
        for line in rows(jourdain("count", name).out, "Operations before"):
            assert not ("articulated bodies" in line and "mass matrix and LᵀDL" in line)
            if "●" in line and ("articulated" in line or "LᵀDL" in line):
                kept[name] = re.split(r", | {2,}", line)
    assert "mass matrix and LᵀDL" in kept["chain:3"]
    assert "articulated bodies" in kept["chain:30"]
    inverse = rows(jourdain("count", "stanford-arm").out, "Operations before")[0]
    assert inverse.startswith("inverse dynamics")
    assert "LᵀDL" not in inverse


def test_speeds_side_by_side(jourdain: Jourdain) -> None:
    done = jourdain("count", "double-pendulum", "--speeds")
    assert (done.status, done.err) == (0, "")
    found = package.compare_speeds(gallery.double_pendulum())
    assert done.out.startswith("double-pendulum: operations in all; ● takes least to simulate")
    assert done.out.endswith(f"\n\n{found}\n")
    told = json.loads(jourdain("count", "double-pendulum", "--speeds", "--json").out)
    assert told == {x.name: x.counts for x in found.choices}
