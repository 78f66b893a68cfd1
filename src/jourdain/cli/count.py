"""Operations of inverse and forward dynamics, mass matrix and dynamical equations, beside published counts if any.

A multiplication is a binary product, an addition a binary sum or difference; unary minus is free; divisions, square
roots and sine/cosine pairs are counted apart; expressions of parameters alone are done once and are `precompute`.
The dynamical equations are the speeds' rates under the declared forces: forward dynamics without forces to be added.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..console import Console
from .command import add_model
from .names import resolve

if TYPE_CHECKING:
    from ..driver import Alternative
    from ..model.system import System

NAME = "count"
HELP = "operation counts, against the published ones where there are any"
ELIMINATED = "mass matrix and LᵀDL"
COLUMNS = ("mul", "add", "div", "sqrt", "trig", "other", "precompute")


def configure(parser: ArgumentParser) -> None:
    """NAME, --speeds and --json."""
    add_model(parser)
    parser.add_argument(
        "--speeds", action="store_true", help="the same system in other generalized speeds, side by side"
    )
    parser.add_argument("--json", action="store_true", help="the counts as JSON, and nothing else")


def run(options: Namespace, console: Console) -> int:
    """Prints the table."""
    import jourdain

    system = resolve(options.model)
    if options.speeds:
        return _speeds(system, options, console)
    counts: Mapping[str, Mapping[str, int]] = jourdain.count(system)
    if options.json:
        console.print(json.dumps({name: dict(row) for name, row in counts.items()}, indent=1))
        return 0
    console.print(f"{system.name}: {_number(system.coordinates, 'coordinate')}, {_number(system.speeds, 'speed')}")
    console.print()
    rows = [[x.replace("_", " "), *(_cell(row, k) for k in COLUMNS), str(row["total"])] for x, row in counts.items()]
    console.table(["", *COLUMNS, "total"], rows)
    _published(options.model, system, counts, console)
    _formulations(system, console)
    return 0


def _speeds(system: System, options: Namespace, console: Console) -> int:
    """The table of sets of speeds."""
    import jourdain

    found = jourdain.compare_speeds(system)
    if options.json:
        counts = {x.name: {name: dict(row) for name, row in x.counts.items()} for x in found.choices}
        console.print(json.dumps(counts, indent=1, ensure_ascii=False))
        return 0
    console.print(f"{system.name}: operations in all; ● takes least to simulate (rates and forward dynamics)")
    console.print()
    console.print(found.text())
    return 0


def _number(names: Sequence[str], what: str) -> str:
    return f"{len(names)} {what}{'' if len(names) == 1 else 's'}"


def _cell(row: Mapping[str, int], key: str) -> str:
    return str(row.get(key, 0) or "—")


def _published(name: str, system: System, counts: Mapping[str, Mapping[str, int]], console: Console) -> None:
    """Records of the same arm with the same inertias: general ones are no match for an arm of principal axes."""
    from ..published import records_for

    general = all(not x.is_constant for body in system.bodies for row in body.inertia for x in row)
    rows = []
    for record in records_for(name):
        if record.general is general:
            ours = counts[record.quantity]
            theirs = f"{record.mul}/{record.add}"
            rows.append([record.quantity.replace("_", " "), theirs, f"{ours['mul']}/{ours['add']}", record.source])
    if rows:
        console.print()
        console.print("Published, multiplications/additions:")
        console.table(["", "theirs", "ours", "source"], rows)


def _formulations(system: System, console: Console) -> None:
    """Which formulation was chosen for each quantity, and what the others would cost."""
    from ..driver import alternatives
    from ..driver.counting import DYNAMICAL

    choices = [choice for choice in alternatives(system) if choice.quantity != DYNAMICAL]  # forward dynamics' own
    names = [_in_full(choice) for choice in choices]
    shared = [part for part in names[0] if all(part in name for name in names)]
    rows = []
    last = ""
    for choice, name in zip(choices, names):
        what = "" if choice.quantity == last else choice.quantity.replace("_", " ")
        own = ", ".join(part for part in name if part not in shared)
        rows.append([what, "●" if choice.chosen else "", own, str(choice.counts)])
        last = choice.quantity
    console.print()
    common = f", all with {', '.join(shared)}" if shared else ""
    console.print(f"Formulations tried{common}; the cheapest is kept (●).")
    console.print("Operations before common parts are taken out:")
    console.table(["", "", "formulation", "operations"], rows)


def _in_full(choice: Alternative) -> list[str]:
    """Its parts; of forward dynamics also how the accelerations are solved for, which no other quantity asks."""
    from ..equations.formulation import ARTICULATED

    parts = choice.name.split(", ")
    if choice.quantity == "forward_dynamics" and ARTICULATED not in parts:
        parts.append(ELIMINATED)
    return parts
