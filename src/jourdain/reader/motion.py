"""Kane's dynamical equations: line by line where they are short, with intermediate quantities where they are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..graph import Node
from .conditions import Held, rows_as_computed, rows_of_rates
from .document import Block, Cell, Formula, Formulas, Heading, Matrix, Name, Row, paragraph
from .material import Material
from .shortened import fraction, length


def motion(material: Material) -> Iterator[Block]:
    """M(q) u̇ + h(q, u) = f, and Aᵀ λ where constraints ask for it."""
    if not material.freedom:
        return
    if material.is_large:
        yield from _inverse(material)
        return
    m, h = material.letter("MAB"), material.letter("hbc")
    held = Held(material)
    a, rest = _letters(material, m)
    yield from _form(material, m, h, held)
    rows = rows_of_rates(material, held)
    told = [] if rows is None else rows
    if _lines(material, held) is not None:
        yield from _written_out(material, m, held)
        if rows is None:
            yield Heading("The rows’ rates, as they are computed")
            yield from _listed(material, rows_as_computed(material, a, rest))
    else:
        yield from _computed(material, m, h, rows_as_computed(material, a, rest) if rows is None else {})
    yield from told


def _letters(material: Material, m: str) -> tuple[str, str]:
    """Of the rows' matrix and of what is left of their rates."""
    a = Name(material.letter("AJG")).letter
    return (a if a != m else "J"), material.letter("bkdr")


def _form(material: Material, m: str, h: str, held: Held) -> Iterator[Block]:
    mass, bias, f = Name(m, bold=True), Name(h, bold=True), Name("f", bold=True)
    udot = Name("u" if material.system.definitions else material.letter("uvw"), dotted=True, bold=True)
    u, q = Name(udot.letter, bold=True), Name("q", bold=True)
    left = Row((mass, "(", q, ") ", udot, " + ", bias, "(", q, ", ", u, ")"))
    told: list[Cell] = [
        mass, " is the mass matrix, ", bias, " what the speeds, gravity and the declared loads ask for, and ",
        f, " the generalized forces that are added, one for each speed.",
    ]  # fmt: skip
    if not held.multipliers:
        yield Formulas((Formula(left, f),))
        yield paragraph(*told)
        return
    letter, b = _letters(material, m)
    a, rest, multiplier = Name(letter, bold=True), Name(b, bold=True), Name("λ", bold=True)
    transposed = Name(letter, bold=True, transposed=True)
    yield Formulas((
        Formula(left, Row((f, " + ", transposed, " ", multiplier))),
        Formula(Row((a, " ", udot, " + ", rest)), Row(("0",))),
    ))  # fmt: skip
    told += [" The multipliers ", multiplier, " are the forces of the constraints that hold always and that the speeds "
             "do not satisfy; the second equation is their rows’ rate."]  # fmt: skip
    yield paragraph(*told)


def _lines(material: Material, held: Held) -> list[Formula] | None:
    """Σ M u̇ + h − Aᵀ λ = f, each line in full; None where one is too long."""
    lines = []
    for k, line in enumerate(_whole(material)):
        push = held.push(k)
        lines.append(line if push is None else line - push)
    return material.equations(lines, material.forces, [x.name for x in held.multipliers])


def _whole(material: Material) -> list[Node]:
    mechanics = material.mechanics
    lines = []
    for row, rest in zip(mechanics.mass_matrix(), mechanics.bias_forces()):
        for x, rate in zip(row, mechanics.udot):
            rest = rest + x * rate
        lines.append(rest)
    return lines


def _written_out(material: Material, m: str, held: Held) -> Iterator[Block]:
    """Line by line, then the mass matrix by itself; and solved where no line holds the rate of another speed."""
    lines = _lines(material, held)
    assert lines is not None
    n = material.freedom
    yield Heading("Line by line" if n > 1 else "Written out")
    yield Formulas(tuple(lines), material.names)
    rows = material.mechanics.mass_matrix()
    if n == 1:
        return
    entries = material.short([x for row in rows for x in row])
    if entries is None:
        return
    matrix = Matrix(tuple(tuple(entries[i * n : (i + 1) * n]) for i in range(n)), symmetric=True)
    yield Heading("The mass matrix")
    yield Formulas((Formula(Name(m, bold=True), matrix),))
    if not held.multipliers and all(x.is_zero for k, x in enumerate(entries) if k % (n + 1)):
        yield from _solved(material, rows)


def _solved(material: Material, rows: Sequence[Sequence[Node]]) -> Iterator[Block]:
    """Each speed's rate by itself, under the declared forces alone."""
    mechanics = material.mechanics
    pairs = [(-x, row[k]) for k, (x, row) in enumerate(zip(mechanics.bias_forces(), rows))]
    shortest = []
    for above, below in pairs:
        one, other = fraction(above, below, material.paper), material.short([above / below])
        found = [x for x in (one, *(other or ())) if x is not None]
        if not found:
            return
        shortest.append(min(found, key=length))
    yield Heading("Solved for the speeds’ rates")
    yield paragraph("No speed’s rate depends on another’s. Under the declared forces alone:")
    yield Formulas(tuple(Formula(rate, x) for rate, x in zip(mechanics.udot, shortest)))


def _computed(material: Material, m: str, h: str, more: Mapping[Name, Node]) -> Iterator[Block]:
    """With intermediate quantities, as they are compiled."""
    mechanics = material.economical
    outputs: dict[Name, Node] = {}
    rows = mechanics.mass_matrix()
    for i, row in enumerate(rows, 1):
        for k, x in enumerate(row, 1):
            if k >= i and not x.is_zero:
                outputs[Name(m, f"{i},{k}")] = x
    for i, x in enumerate(mechanics.bias_forces(), 1):
        outputs[Name(h, str(i))] = x
    yield Heading("As they are computed")
    yield from _listed(material, {**outputs, **more})
    if any(x.is_zero for row in rows for x in row):
        yield paragraph("Entries of the mass matrix that are not listed are 0; it is symmetric.")


def _listed(material: Material, outputs: Mapping[Name, Node]) -> Iterator[Block]:
    for title, block in material.listed(dict(outputs)):
        yield paragraph(f"{title}:")
        yield block


def _inverse(material: Material) -> Iterator[Block]:
    f = Name("f", bold=True)
    yield paragraph(
        "With so many speeds the mass matrix would fill pages. The same equations as inverse dynamics: the generalized "
        "forces ", f, " to be added for given rates of the speeds.",
    )  # fmt: skip
    forces = material.economical.inverse_dynamics()
    yield from _listed(material, {Name("f", of=speed): x for speed, x in zip(material.system.speeds, forces)})
