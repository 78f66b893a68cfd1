"""The order in which the executable pages are read: files of `tutorials`, then of `papers`."""

from __future__ import annotations

from pathlib import Path

ORDER = (
    "first_mechanism", "model_builder", "vectors_and_speeds", "reading_equations", "kane_with_constraints",
    "compiled_functions", "simulating", "runs", "touching", "closed_mechanisms", "configurations",
    "forces_of_constraint", "changing_constraints", "a_bicycle",
    "urdf_robots", "coming_from_sympy", "operation_counts",
)  # fmt: skip
PAPERS = ("kwatny_blankenship_1995", "kane_levinson_1983", "silver_1981", "parsa_2007", "gillespie_2003")


class ByOrder:
    """The sorting key that sphinx-gallery asks for."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, filename: str) -> int:
        """The file's place."""
        return (ORDER + PAPERS).index(Path(filename).stem)

    def __repr__(self) -> str:
        return "<by the order of tutorial_order.py>"
