"""Operation counts that others have published: the records that ours are set beside.

Each row is one figure with its source; rows whose model or rules differ from ours say so in `source`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Record:
    """Multiplications and additions of one evaluation.

    model: gallery name; general: True where the figure holds for general inertias (regrouped, every one of a base
    parameter's symbols present) rather than for the model's own zeros.
    """

    model: str
    quantity: str
    mul: int
    add: int
    source: str
    general: bool = False


GILLESPIE = "Gillespie 2003, Table 3 (mul: divisions too; each equation as it stands in print)"

RECORDS = (
    Record("stanford-arm", "inverse_dynamics", 646, 394, "Kane & Levinson 1983, a form that also serves simulation"),
    Record("stanford-arm", "inverse_dynamics", 165, 115, "OpenSYMORO, base parameters"),
    Record("stanford-arm", "forward_dynamics", 508, 354, "OpenSYMORO, articulated bodies (mul: divisions too)"),
    Record("stanford-arm", "inverse_dynamics", 262, 211, "OpenSYMORO, general inertias, 33 base parameters", True),
    Record("stanford-arm", "mass_matrix", 147, 105, "OpenSYMORO, general inertias, 33 base parameters", True),
    Record("stanford-arm", "forward_dynamics", 705, 526, "OpenSYMORO, general inertias, articulated bodies", True),
    Record("puma560", "inverse_dynamics", 301, 240, "OpenSYMORO, general inertias, 36 base parameters", True),
    Record("puma560", "mass_matrix", 247, 163, "OpenSYMORO, general inertias, 36 base parameters", True),
    Record("puma560", "forward_dynamics", 925, 691, "OpenSYMORO, general inertias, articulated bodies", True),
    Record("rx90", "inverse_dynamics", 287, 226, "OpenSYMORO, general inertias, 36 base parameters", True),
    Record("rx90", "mass_matrix", 195, 133, "OpenSYMORO, general inertias, 36 base parameters", True),
    Record("rx90", "forward_dynamics", 835, 612, "OpenSYMORO, general inertias, articulated bodies", True),
    Record("spherical-wrist", "dynamical_equations", 29, 16, GILLESPIE),
    Record("spherical-wrist:rates", "dynamical_equations", 790, 285, GILLESPIE),
)


def records_for(model: str) -> tuple[Record, ...]:
    """The records of a model, by its name on the command line."""
    return tuple(record for record in RECORDS if record.model == model)
