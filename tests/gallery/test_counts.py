"""Operation counts of the gallery's arms: what the project promises, and below every published record of their kind."""

from __future__ import annotations

import pytest

import jourdain as jd
from jourdain import gallery
from jourdain.published import RECORDS, Record

COUNTS = {name: jd.count(getattr(gallery, name.replace("-", "_"))()) for name in ("stanford-arm", "puma560", "rx90")}
COUNTS["spherical-wrist"] = jd.count(gallery.spherical_wrist())
COUNTS["spherical-wrist:rates"] = jd.count(gallery.spherical_wrist(rates=True))

# Multiplications and additions at most; forward dynamics of the Stanford arm with five divisions.
PROMISED = {
    ("stanford-arm", "inverse_dynamics"): (130, 88),
    ("stanford-arm", "forward_dynamics"): (279, 187),
    ("puma560", "inverse_dynamics"): (255, 238),
    ("puma560", "mass_matrix"): (170, 137),
    ("rx90", "inverse_dynamics"): (243, 226),
    ("rx90", "mass_matrix"): (142, 113),
}


@pytest.mark.parametrize(("model", "quantity"), PROMISED, ids="-".join)
def test_promised_counts(model: str, quantity: str) -> None:
    row = COUNTS[model][quantity]
    mul, add = PROMISED[model, quantity]
    assert row["mul"] <= mul
    assert row["add"] <= add
    assert row["div"] == (5 if quantity == "forward_dynamics" else 0)
    assert row["sqrt"] == row["other"] == 0
    assert row["trig"] <= 6  # of six joints, sums of angles among them


@pytest.mark.parametrize("record", RECORDS, ids=lambda x: f"{x.model}-{x.quantity}-{x.mul}")
def test_published_records_are_beaten(record: Record) -> None:
    """Those of general inertias by the arms that have them, and by the Stanford arm, whose inertias are fewer."""
    row = COUNTS[record.model][record.quantity]
    assert row["mul"] < record.mul
    assert row["add"] < record.add
    assert row["total"] < record.mul + record.add


def test_a_table_of_published_records() -> None:
    """Of gallery entries, of quantities that are counted, each with its source, none twice."""
    assert len({(x.model, x.quantity, x.source) for x in RECORDS}) == len(RECORDS)
    for record in RECORDS:
        assert record.model in COUNTS
        assert record.quantity in COUNTS[record.model]
        assert record.source
        assert record.general is ("general" in record.source)


def test_the_choice_of_speeds_makes_the_wrist_s_equations_short() -> None:
    """Gillespie (2003), Table 3: 29 multiplications and divisions and 16 additions with u = ω·c; 790 and 285 with q̇.

    His figures are of the three u̇ = … solved for, (49), every operation as it stands there. So are these, but what
    depends on parameters alone is done once and not counted, and what stands twice is computed once.
    """
    chosen, rates = (COUNTS[name]["dynamical_equations"] for name in ("spherical-wrist", "spherical-wrist:rates"))
    assert (chosen["mul"], chosen["div"], chosen["add"]) == (18, 0, 9)
    assert (rates["mul"], rates["div"], rates["add"]) == (54, 2, 27)
