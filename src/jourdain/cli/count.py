"""Operations of inverse dynamics, forward dynamics and the mass matrix, beside the published counts where there are any.

A multiplication is a binary product, an addition a binary sum or difference; unary minus is free; divisions, square
roots and sine/cosine pairs are counted apart; expressions of parameters alone are done once and are `precompute`.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from ..console import Console
from ..model.system import System
from .command import add_model
from .names import resolve

NAME = "count"
HELP = "operation counts, against the published ones where there are any"
COLUMNS = ("mul", "add", "div", "sqrt", "trig", "other", "precompute")


def configure(parser: ArgumentParser) -> None:
    """NAME and --json."""
    add_model(parser)
    parser.add_argument("--json", action="store_true", help="the counts as JSON, and nothing else")


def run(options: Namespace, console: Console) -> int:
    """Prints the table."""
    import jourdain

    system = resolve(options.model)
    counts: Mapping[str, Mapping[str, int]] = jourdain.count(system)
    if options.json:
        console.print(json.dumps({name: dict(row) for name, row in counts.items()}, indent=1))
        return 0
    console.print(f"{system.name}: {len(system.coordinates)} coordinates, {len(system.speeds)} speeds")
    console.print()
    rows = [[name.replace("_", " "), *(_cell(row, key) for key in COLUMNS), str(row["total"])] for name, row in counts.items()]
    console.table(["", *COLUMNS, "total"], rows)
    _published(system, counts, console)
    _formulations(system, console)
    return 0


def _cell(row: Mapping[str, int], key: str) -> str:
    return str(row.get(key, 0) or "—")


def _published(system: System, counts: Mapping[str, Mapping[str, int]], console: Console) -> None:
    from ..published import records_for

    rows = []
    for record in records_for(system.name):
        ours = counts.get(record.quantity, {})
        rows.append([
            record.quantity.replace("_", " "), f"{record.mul}/{record.add}",
            f"{ours.get('mul', 0)}/{ours.get('add', 0)}" if ours else "—", record.source,
        ])  # fmt: skip
    if rows:
        console.print()
        console.print("Published, multiplications/additions:")
        console.table(["", "theirs", "ours", "source"], rows)


def _formulations(system: System, console: Console) -> None:
    """Which formulation was chosen for each quantity, and what the others would cost."""
    try:
        from ..formulations import alternatives
    except ImportError:
        return
    rows: list[list[Any]] = []
    for choice in alternatives(system):
        rows.append([choice.quantity.replace("_", " "), "●" if choice.chosen else "", choice.name, str(choice.counts)])
    console.print()
    console.print("Formulations tried; the cheapest is kept:")
    console.table(["", "kept", "formulation", "operations"], rows)
