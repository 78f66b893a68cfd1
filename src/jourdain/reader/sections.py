"""The sections of a page, in their order: a row of the table is a title, an address, and what is written there.

A section that has nothing to say about a system answers no blocks, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np

from ..equations.energy import energy
from ..equations.mechanics import Mechanics
from ..graph import Node, substitute
from ..graph.differentiate import jvp
from ..model.joints import COORDINATE
from ..model.system import GROUND, Force, Joint, JointForce, Load, Strut, System, Torque
from . import freedoms
from .document import (
    Block,
    Cell,
    Formula,
    Formulas,
    Heading,
    Matrix,
    Name,
    Rate,
    Row,
    Section,
    Table,
    Vector,
    paragraph,
)
from .material import Material
from .picture import picture

Write = Callable[[Material], Iterator[Block]]

COUNTED_ALL = 60
"""Speeds up to which forward dynamics and the mass matrix are counted, too."""


# -- the model -------------------------------------------------------------------------------------------------------


def mechanism(material: Material) -> Iterator[Block]:
    """What carries what, and what acts."""
    system = material.system
    drawn = picture(system)
    if drawn is not None:
        yield drawn
    joints = tuple(_joint(material, joint) for joint in system.joints)
    yield Table(("joint", "type", "carries", "on", "at", "axis"), joints, "Joints")
    maps = [(joint.name, _map(joint)) for joint in system.joints if joint.motion.np > 1 and not joint.motion.kind]
    if maps:
        yield Table(("joint", "H"), tuple(maps), "Joints' maps: angular, then linear velocity, in the moved frame")
    given = [pair for joint in system.joints for pair in zip(joint.coordinates, joint.prescribed)]
    if given:
        yield Table(("coordinate", "prescribed as"), tuple(given))
    if system.is_guided:
        yield Table(
            ("body", "angular velocity [rad/s]", "velocity [m/s]"),
            tuple(_guided(material, joint) for joint in system.joints if joint.guide is not None),
            "Motion of guided bodies, each along its own axes",
        )
    yield Table(
        ("body", "mass [kg]", "mass centre [m]", "central inertia [kg m²]"),
        tuple(_body(material, k) for k in range(len(system.bodies))),
        "Bodies, each in its own frame",
    )
    if any(not x.is_zero for x in system.gravity):
        yield paragraph("Gravity ", Vector(tuple(material.tidy(system.gravity))), " m/s², in the ground's axes.")
    if system.loads or system.rotors:
        yield Table(("load", "acts as", "value"), tuple(_loads(material)), "Loads")


def _joint(material: Material, joint: Joint) -> tuple[Cell, ...]:
    motion = joint.motion
    kind = motion.kind or ("simple" if motion.is_simple else f"compound, r = {{{', '.join(map(str, motion.groups))}}}")
    place = material.tidy(joint.in_parent.translation)
    at: Cell = "origin" if all(x.is_zero for x in place) else Vector(tuple(place))
    axes: Cell = ""
    if motion.np == 1:
        column = motion.columns[0]
        angular = any(not x.is_zero for x in column[:3])
        axes = Vector(tuple(material.tidy(column[:3] if angular else column[3:])))
    if joint.guide is not None:
        return joint.name, "guided", joint.child, joint.parent, "", ""
    if motion.kind == COORDINATE:
        return joint.name, COORDINATE, joint.child, joint.parent, "", ""
    if joint.prescribed:
        kind = f"{kind}, prescribed"
    turned = _turned(joint)
    if turned:
        kind = f"{kind}, frame turned {turned}"
    return joint.name, kind, joint.child, joint.parent, at, axes


def _guided(material: Material, joint: Joint) -> tuple[Cell, ...]:
    assert joint.guide is not None
    return joint.child, *(Vector(tuple(material.tidy(v))) for v in (joint.guide.w, joint.guide.v))


def _map(joint: Joint) -> Matrix:
    """The columns that the joint was given."""
    return Matrix(tuple(tuple(column[i] for column in joint.motion.columns) for i in range(6)))


def _turned(joint: Joint) -> str:
    """The fixed turn between the parent's axes and the joint's: an angle and the axis that it is about."""
    entries = [x for row in joint.in_parent.rotation.matrix() for x in row]
    if not all(x.is_constant for x in entries):
        return "by an angle that is a parameter"
    turn = np.array([x.value for x in entries]).reshape(3, 3)
    across = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    angle = float(np.degrees(np.arctan2(np.linalg.norm(across), np.trace(turn) - 1.0)))
    if angle < 1e-9:
        return ""
    if np.linalg.norm(across) < 1e-9:  # half a turn: R + 1 is twice the axis times itself
        both = turn + np.eye(3)
        across = both[:, int(np.argmax(np.diag(both)))]
    axis = np.round(across / np.linalg.norm(across), 6) + 0.0
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) == 1.0:
        return f"{angle * axis[k]:.6g}° about {'xyz'[k]}"
    return f"{angle:.6g}° about ({', '.join(f'{x:.4g}' for x in axis)})"


def _body(material: Material, index: int) -> tuple[Cell, ...]:
    body = material.system.bodies[index]
    mass = material.tidy([body.mass])[0]
    center, inertia = material.tidy(body.center), [x for row in body.inertia for x in row]
    entries = material.tidy(inertia)
    off_diagonal = [inertia[k] for k in (1, 2, 5)]
    shown: Cell
    if all(x.is_zero for x in inertia):
        shown = "massless" if body.mass.is_zero else "a particle"
    elif all(x.is_zero for x in off_diagonal):
        shown = Row(("diag", Vector((entries[0], entries[4], entries[8]))))
    else:
        shown = Matrix(tuple(tuple(entries[3 * i : 3 * i + 3]) for i in range(3)))
    at: Cell = "origin" if all(x.is_zero for x in center) else Vector(tuple(center))
    return body.name, mass, at, shown


def _loads(material: Material) -> Iterator[tuple[Cell, ...]]:
    system = material.system
    for load in system.loads:
        yield load.name, _acts(load), _value(load)
    for rotor in system.rotors:
        what = f"rotor on joint {rotor.joint}, inertia behind the gear [kg m²]"
        yield rotor.name, what, rotor.inertia * rotor.ratio**2


def _acts(load: Load) -> str:
    if isinstance(load, JointForce):
        return f"generalized force of joint {load.joint}"
    if isinstance(load, Strut):
        return f"tension between {load.body_a} and {load.body_b} [N]"
    kind, unit = ("force", "N") if isinstance(load, Force) else ("torque", "N m")
    against = "" if load.reaction == GROUND else f", against {load.reaction}"
    return f"{kind} on {load.body}{against}, axes of {load.axes} [{unit}]"


def _value(load: Load) -> Cell:
    if isinstance(load, Force | Torque):
        return Vector(tuple(load.components))
    return load.tension if isinstance(load, Strut) else load.value


# -- coordinates, parameters -----------------------------------------------------------------------------------------


def coordinates(material: Material) -> Iterator[Block]:
    """q and u, their units and meaning."""
    system = material.system
    q, u = list(freedoms.coordinates(system)), list(freedoms.speeds(system))
    if not q:
        yield paragraph("Nothing moves freely: there are no coordinates and no speeds.")
        return
    rows = tuple((x.symbol, x.unit, x.joint, x.meaning) for x in q)
    yield Table(("coordinate", "unit", "joint", "meaning"), rows, "Coordinates q")
    yield Table(
        ("speed", "unit", "joint", "meaning", "unit of its force"),
        tuple((x.symbol, x.unit, x.joint, x.meaning, x.force) for x in u),
        "Speeds u",
    )


def parameters(material: Material) -> Iterator[Block]:
    """Parameters and inputs with the values that they have where none is given."""
    system = material.system
    for what, values in (("parameter", system.parameters), ("input", system.input_values)):
        if values:
            symbols = {x.name: x for x in system.graph.symbols}
            cells: list[tuple[Cell, Cell]] = [(symbols.get(name, name), f"{x:.10g}") for name, x in values.items()]
            side_by_side = 3 if len(cells) > 12 else 2 if len(cells) > 6 else 1
            height = -(-len(cells) // side_by_side)
            cells += [("", "")] * (height * side_by_side - len(cells))
            rows = (tuple(x for pair in cells[k::height] for x in pair) for k in range(height))
            yield Table((what, "value") * side_by_side, tuple(rows))


# -- equations -------------------------------------------------------------------------------------------------------


def kinematics(material: Material) -> Iterator[Block]:
    """q̇ = Γ(q) u, where it says more than that the speeds are the coordinates' rates."""
    mechanics = material.mechanics
    if not mechanics.q:
        return
    rates = mechanics.rates()
    told: list[tuple[Rate, Node]] = []
    plain = True
    for q, rate in zip(mechanics.q, rates):
        if rate.is_symbol and rate.name == f"{q.name}dot":
            continue
        plain = plain and rate.is_symbol
        told.append((Rate(q.name), rate))
    if not told:
        yield paragraph("The speeds are the rates of the coordinates.")
        return
    if plain:
        yield paragraph("Every speed is the rate of a coordinate. Where it has a name of its own:")
    elif len(told) < len(rates):
        yield paragraph("The other speeds are the rates of their coordinates.")
    short = material.short([rate for _, rate in told])
    if short is not None:
        yield Formulas(tuple(Formula(left, right) for (left, _), right in zip(told, short)))
        return
    yield Formulas(tuple(Formula(left, right) for left, right in told))


def motion(material: Material) -> Iterator[Block]:
    """M(q) u̇ + h(q, u) = f."""
    if not material.freedom:
        return
    if material.is_large:
        yield from _inverse(material)
        return
    m, h, f = material.letter("MAB"), material.letter("hbc"), "f"
    udot = Name(material.letter("uvw"), dotted=True, bold=True)
    u = Name(udot.letter, bold=True)
    q = Name("q", bold=True)
    mass, bias = Name(m, bold=True), Name(h, bold=True)
    yield Formulas((Formula(Row((mass, "(", q, ") ", udot, " + ", bias, "(", q, ", ", u, ")")), Name(f, bold=True)),))
    yield paragraph(
        mass, " is the mass matrix, ", bias, " what the speeds, gravity and the declared loads ask for, and ",
        Name(f, bold=True), " the generalized forces that are added, one for each speed.",
    )  # fmt: skip
    found = yield from _written_out(material, m, h, f)
    computed = _computed(material, m, h)
    if found and not any(title == "At every evaluation" for title, _ in computed):
        return
    yield Heading("As they are computed")
    for title, block in computed:
        yield paragraph(f"{title}:")
        yield block
    if any(x.is_zero for row in material.economical.mass_matrix() for x in row):
        yield paragraph("Entries of the mass matrix that are not listed are 0; it is symmetric.")


def _written_out(material: Material, m: str, h: str, f: str) -> Generator[Block, None, bool]:
    """In full, matrix by matrix and line by line; answers whether they are short enough for that."""
    mechanics, n = material.mechanics, material.freedom
    rows, bias = mechanics.mass_matrix(), mechanics.bias_forces()
    lines: list[Node] = []
    for row, rest in zip(rows, bias):
        for x, rate in zip(row, mechanics.udot):
            rest = rest + x * rate
        lines.append(rest)
    entries = material.short([*(x for row in rows for x in row), *bias])
    if entries is None:
        return False
    matrix = Matrix(tuple(tuple(entries[i * n : (i + 1) * n]) for i in range(n)), symmetric=True)
    column = Matrix(tuple((x,) for x in entries[n * n :]))
    yield Heading("Written out")
    one = n == 1
    yield Formulas((
        Formula(Name(m, bold=True), entries[0] if one else matrix),
        Formula(Name(h, bold=True), entries[1] if one else column),
    ))  # fmt: skip
    whole = material.short(lines)
    if whole is not None:
        yield Heading("Line by line" if n > 1 else "As one line")
        yield Formulas(tuple(Formula(x, Name(f, of=speed)) for x, speed in zip(whole, material.system.speeds)))
    return True


def _computed(material: Material, m: str, h: str) -> list[tuple[str, Formulas]]:
    mechanics = material.economical
    outputs: dict[Name, Node] = {}
    for i, row in enumerate(mechanics.mass_matrix(), 1):
        for k, x in enumerate(row, 1):
            if k >= i and not x.is_zero:
                outputs[Name(m, f"{i},{k}")] = x
    for i, x in enumerate(mechanics.bias_forces(), 1):
        outputs[Name(h, str(i))] = x
    return material.listed(outputs)


def _inverse(material: Material) -> Iterator[Block]:
    f = Name("f", bold=True)
    yield paragraph(
        "With so many speeds the mass matrix would fill pages. The same equations as inverse dynamics: the generalized "
        "forces ", f, " to be added for given rates of the speeds.",
    )  # fmt: skip
    forces = material.economical.inverse_dynamics()
    outputs = {Name("f", of=speed): x for speed, x in zip(material.system.speeds, forces)}
    for title, block in material.listed(outputs):
        yield paragraph(f"{title}:")
        yield block


def gravity(material: Material) -> Iterator[Block]:
    """The part of h that balances gravity."""
    system, mechanics = material.system, material.mechanics
    if not material.freedom or all(x.is_zero for x in system.gravity) or material.is_large:
        return
    letter = material.letter("gGw")
    forces = mechanics.gravity_forces()
    bias = Name(material.letter("hbc"), bold=True)
    short = material.short(forces) or material.short(_from_potential(mechanics))
    if short is None:
        yield paragraph("Written out it would fill pages: it is ", bias, " at rest, without the declared loads.")
        return
    yield paragraph("The part of ", bias, " that balances gravity:")
    if len(short) == 1:
        yield Formulas((Formula(Name(letter, bold=True), short[0]),))
    else:
        yield Formulas((Formula(Name(letter, bold=True), Matrix(tuple((x,) for x in short))),))


def _from_potential(mechanics: Mechanics) -> list[Node]:
    """Gravity's generalized forces as the potential's rates for a unit of each speed."""
    potential = energy(mechanics.standard, mechanics.u).potential
    rates = mechanics.rates()
    found = []
    for chosen in mechanics.u:
        unit = {u: 1.0 if u is chosen else 0.0 for u in mechanics.u}
        found += jvp([potential], dict(zip(mechanics.q, substitute(rates, unit))))
    return found


def energies(material: Material) -> Iterator[Block]:
    """Kinetic and potential energy, where they can be written in a line or two."""
    if not material.freedom or material.is_large:
        return
    total = material.mechanics.energy()
    found, what = [], []
    for letters, kind, value in (("TKE", "kinetic", total.kinetic), ("VUP", "potential", total.potential)):
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
    from ..driver import count

    quantities = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
    found = count(material.system, quantities if material.freedom <= COUNTED_ALL else quantities[:1])
    columns = ("mul", "add", "div", "sqrt", "trig", "other", "precompute")
    kept = [key for key in columns if any(row.get(key) for row in found.values())]
    rows = (
        (name.replace("_", " "), *(str(row.get(key) or "—") for key in kept), str(row["total"]))
        for name, row in found.items()
    )
    yield Table(("", *kept, "total"), tuple(rows))
    yield paragraph(
        "Of one evaluation; a sine and a cosine of one angle count as one, and what depends on parameters alone "
        "(precompute) is done once."
    )


# -- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One section: its title, its address on a page, and what writes it."""

    title: str
    anchor: str
    write: Write


SECTIONS = (
    Entry("Mechanism", "mechanism", mechanism),
    Entry("Coordinates and speeds", "coordinates", coordinates),
    Entry("Parameters", "parameters", parameters),
    Entry("Kinematic equations", "kinematics", kinematics),
    Entry("Equations of motion", "motion", motion),
    Entry("Gravity", "gravity", gravity),
    Entry("Energy", "energy", energies),
    Entry("Operations", "operations", counts),
)


def sections(system: System) -> tuple[Section, ...]:
    """All that have something to say."""
    material = Material(system)
    made = (Section(entry.title, entry.anchor, tuple(entry.write(material))) for entry in SECTIONS)
    return tuple(section for section in made if section.blocks)
