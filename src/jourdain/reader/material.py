"""What all sections of a page share: the system's equations, and a graph in which they are written out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ..equations.formulation import Formulation
from ..equations.generalized import mechanics_of
from ..equations.kane import Kane
from ..equations.lower import Lowered, lower
from ..equations.mechanics import Mechanics
from ..equations.quantities import Quantities
from ..equations.states import general_values
from ..graph import Graph, Node, Role, cos, sin, substitute, symbols_of
from ..graph.differentiate import jacobian
from ..graph.improve import improve
from ..graph.listing import Line, Outputs, listing
from ..graph.names import split_index
from ..model.system import System
from .document import Formula, Formulas, Name, Names
from .shortened import balanced, shortened

MANY = 12
"""Speeds from which on a mass matrix fills pages, and inverse dynamics is shown instead."""
SQUARE = 1e-12
LONGEST_EQUATION = 150
"""Symbols, numbers and signs of an equation that is written in full: about three lines."""


class Material:
    """One system's equations.

    mechanics: in the system's own speeds, with the frames and inertias that the user gave, so that what is written out
    is in the user's terms.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.mechanics = mechanics_of(system, Formulation(settled=False, grouped=False))
        self.paper = Graph()
        for x in self._in_order():
            symbol = self.paper.symbol(x.name, x.role)
            if x.role is Role.COORDINATE:  # in a product they stand in the coordinates' order, too
                sin(symbol), cos(symbol)
        self._taken = {split_index(x.name)[0] for x in self.paper.symbols} | {x.name for x in self.paper.symbols}

    @property
    def freedom(self) -> int:
        """Number of speeds."""
        return len(self.system.speeds)

    @property
    def is_large(self) -> bool:
        """Whether inverse dynamics is all that can be read."""
        return self.freedom > MANY

    def letter(self, letters: str) -> str:
        """The first of the letters that the user has not given to something else; else twice the first one."""
        return next((x for x in letters if x not in self._taken), 2 * letters[0])

    # -- written in full ----------------------------------------------------------------------------------------

    def short(self, nodes: Sequence[Node]) -> list[Node] | None:
        """Written out in full, if that can be read."""
        return shortened(nodes, self.paper)

    def tidy(self, nodes: Sequence[Node]) -> list[Node]:
        """Data of the model as they would be written: m L²/12."""
        found = self.short(nodes)
        return list(nodes) if found is None else found

    def equations(
        self, lines: Sequence[Node], first: Sequence[Node], more: Iterable[str] = (), longest: int = LONGEST_EQUATION
    ) -> list[Formula] | None:
        """Equations line = first, with applied forces (and the symbols `more`) on the right."""
        found = balanced(lines, self.paper, first, {*self.applied, *more}, longest)
        names = self.names
        return None if found is None else [Formula(left, names.get(right, right)) for left, right in found]

    @property
    def forces(self) -> list[Node]:
        """Symbols of the generalized forces that are added, on paper."""
        return [self.paper.symbol(f.name, f.role) for f in self.mechanics.f]

    @property
    def names(self) -> Names:
        """f of a speed, where it stands inside a formula."""
        speeds = self.system.speeds
        return {node: Name("f", of=speed) for node, speed in zip(self.forces, speeds)}

    @cached_property
    def applied(self) -> frozenset[str]:
        """Names of the inputs that only push: no motion is prescribed by them, no constraint or speed holds them."""
        system = self.system
        held = [x for joint in system.joints for x in (*joint.prescribed, *joint.prescribed_speeds)]
        held += [x.value for x in system.definitions] + [row for x in system.conditions for row in x.rows]
        return frozenset(system.inputs) - {x.name for x in symbols_of(held)}

    # -- with intermediate quantities ---------------------------------------------------------------------------

    def listed(self, outputs: dict[Name, Node]) -> list[tuple[str, Formulas]]:
        """The outputs with their intermediate quantities: groups of formulas, each with a title."""
        better = improve(list(outputs.values()))
        keys = {f"{name.letter}_{name.index}{name.of}": node for name, node in zip(outputs, better)}
        names = dict(zip(keys, outputs))
        given: Outputs = keys
        made = listing(given)
        inside = {line.node: step_name(line.name) for line in (*made.once, *made.steps)}

        def formulas(lines: Iterable[Line]) -> Formulas:
            return Formulas(tuple(Formula(step_name(x.name), x.node) for x in lines), inside)

        results = tuple(Formula(names[x.name], inside.get(x.node, x.node)) for x in made.results)
        groups = [
            ("Once for a set of parameters", formulas(made.once)),
            ("At every evaluation", formulas(made.steps)),
            ("Results", Formulas(results, inside)),
        ]
        return [(title, block) for title, block in groups if block.items]

    @cached_property
    def economical(self) -> Mechanics:
        """The equations with few operations: frames settled, inertias regrouped."""
        return mechanics_of(self.system)

    # -- parts of the equations ---------------------------------------------------------------------------------

    @cached_property
    def kane(self) -> Kane:
        """Partial velocities, and generalized forces by their parts."""
        return Kane(self.mechanics)

    @cached_property
    def bare(self) -> Lowered:
        """The tree in its joints' own speeds."""
        return lower(self.system, Graph(), settled=False)

    def in_rates(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of the model's speeds and velocities in the rates of coordinates where these tell the joints'
        own speeds without a division, else in the joints' own speeds."""
        found = Quantities(self.bare).resolved(nodes)
        return substitute(found, self._speeds_by_rates)

    @cached_property
    def _speeds_by_rates(self) -> dict[Node, Node]:
        """p = Γᵀ q̇, joint by joint, where Γ is a rotation."""
        bare, system = self.bare, self.system
        rates, found = bare.rates(), {}
        for joint in system.joints:
            at, own = system.slices(joint.name)
            q, p = bare.coordinates[at], bare.speeds[own]
            rows = jacobian(rates[at], p)
            if len(q) != len(p):
                continue
            value = general_values(bare, [x for row in rows for x in row])
            numbers = np.array([[value(x) for x in row] for row in rows]).reshape(len(q), len(p))
            if np.abs(numbers @ numbers.T - np.eye(len(q))).max(initial=0.0) < SQUARE:
                dots = [bare.graph.symbol(f"{x.name}dot", Role.SPEED) for x in q]
                for k, symbol in enumerate(p):
                    total = bare.graph.zero
                    for row, dot in zip(rows, dots):
                        total = total + row[k] * dot
                    found[symbol] = total
        return found

    def _in_order(self) -> list[Node]:
        """Symbols in the order in which a product names them: masses, gravity, other parameters, inputs, motion."""
        system, mechanics = self.system, self.mechanics
        masses = symbols_of([body.mass for body in system.bodies])
        weights = symbols_of(system.gravity)
        parameters = [system.graph.symbol(name, Role.PARAMETER) for name in system.parameters]
        inputs = [system.graph.symbol(name, Role.INPUT) for name in system.inputs]
        every = [*masses, *weights, *parameters, *mechanics.f, *inputs, *mechanics.q, *mechanics.u, *mechanics.udot]
        return list({x.name: x for x in every}.values())


def step_name(name: str) -> Name:
    """The name of a line of a listing: Z3 is Z with the index 3; s1 and c1 likewise."""
    letters, digits = split_index(name)
    return Name(letters, digits)
