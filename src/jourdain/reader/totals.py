"""What is told of the whole: gravity's part, energies, operations."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import Node
from ..spatial import Vector
from .document import Block, Formula, Formulas, Matrix, Name, Table, paragraph
from .material import Material

COUNTED_ALL = 60
"""Speeds up to which forward dynamics and the mass matrix are counted, too."""


def gravity(material: Material) -> Iterator[Block]:
    """The part of h that balances gravity."""
    system = material.system
    if not material.freedom or all(x.is_zero for x in system.gravity) or material.is_large:
        return
    letter = material.letter("gGw")
    kane = material.kane
    weights = [kane.weight_forces(body) for body in kane.bodies]
    forces = [-sum(column[1:], column[0]) for column in zip(*weights)]
    if all(x.is_zero for x in forces):
        return
    bias = Name(material.letter("hbc"), bold=True)
    short = material.short(forces)
    if short is None:
        yield paragraph("Written out it would fill pages: it is ", bias, " at rest, without the declared loads.")
        return
    yield paragraph("The part of ", bias, " that balances gravity:")
    if len(short) == 1:
        yield Formulas((Formula(Name(letter, bold=True), short[0]),))
    else:
        yield Formulas((Formula(Name(letter, bold=True), Matrix(tuple((x,) for x in short))),))


def energies(material: Material) -> Iterator[Block]:
    """Kinetic and potential energy, where they can be written in a line or two."""
    if not material.freedom or material.is_large:
        return
    total = material.mechanics.energy()
    found, what = [], []
    for letters, kind, value in (("TKE", "kinetic", _kinetic(material)), ("VUP", "potential", total.potential)):
        short = None if value.is_zero else material.short([value])
        if short is not None:
            found.append((Name(material.letter(letters)), short[0]))
            what.append(kind)
    if found:
        zero = "" if total.potential.is_zero else ", gravity's zero at the ground's origin"
        told = " and ".join(what)
        yield paragraph(f"{told[0].upper()}{told[1:]} energy [J]{zero}:")
        yield Formulas(tuple(Formula(name, value) for name, value in found))


def counts(material: Material) -> Iterator[Block]:
    """Operations of one evaluation, as compiled."""
    if not material.freedom:
        return
    from ..driver.counting import COUNTED, count

    found = count(material.system, COUNTED if material.freedom <= COUNTED_ALL else COUNTED[:1])
    columns = ("mul", "add", "div", "sqrt", "trig", "other", "precompute")
    kept = [key for key in columns if any(row.get(key) for row in found.values())]
    rows = (
        (name.replace("_", " "), *(str(row.get(key) or "—") for key in kept), str(row["total"]))
        for name, row in found.items()
    )
    yield Table(("", *kept, "total"), tuple(rows))
    yield paragraph(
        "Of one evaluation; a sine and a cosine of one angle count as one, and what depends on parameters alone "
        "(precompute) is done once. The dynamical equations are the speeds’ rates under the declared forces alone; "
        "forward dynamics adds a force for each speed."
    )


def _kinetic(material: Material) -> Node:
    """Body by body, in velocities that the speeds are measure numbers of."""
    kane, system, lowered = material.kane, material.system, material.mechanics.lowered
    total = material.mechanics.graph.zero
    for body in system.bodies:
        v, w = kane.velocity(body.name, kane.center(body.name)), kane.angular_velocity(body.name)
        mass, *inertia = lowered.carry([body.mass, *(x for row in body.inertia for x in row)])
        total = total + mass * v.dot(v) * 0.5
        spin = Vector(*(Vector(*inertia[3 * k : 3 * k + 3]).dot(w) for k in range(3)))
        total = total + spin.dot(w) * 0.5
    for place, inertia_of in material.mechanics.standard.rotors:
        rate = material.mechanics.standard.all_speeds(lowered.speeds)[place]
        total = total + inertia_of * rate * rate * 0.5
    return total
