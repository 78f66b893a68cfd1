"""What all sections of a page share: the system's equations, and a graph in which they are written out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ..equations.formulation import Formulation
from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..graph import Graph, Node, Role, symbols_of
from ..graph.improve import improve
from ..graph.listing import Line, Outputs, listing
from ..graph.names import split_index
from ..model.system import System
from .document import Formula, Formulas, Name
from .shortened import shortened

MANY = 12
"""Speeds from which on a mass matrix fills pages, and inverse dynamics is shown instead."""


class Material:
    """One system's equations.

    mechanics: with the frames and inertias that the user gave, so that what is written out is in the user's terms.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.mechanics = _mechanics(system, Formulation(settled=False, grouped=False))
        self.paper = Graph()
        for x in self._in_order():
            self.paper.symbol(x.name, x.role)
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

    def short(self, nodes: Sequence[Node]) -> list[Node] | None:
        """Written out in full, if that can be read."""
        return shortened(nodes, self.paper)

    def tidy(self, nodes: Sequence[Node]) -> list[Node]:
        """Data of the model as they would be written: m L²/12."""
        found = self.short(nodes)
        return list(nodes) if found is None else found

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
        return _mechanics(self.system)

    def _in_order(self) -> list[Node]:
        """Symbols in the order in which a product names them: masses, gravity, other parameters, inputs, motion."""
        system, mechanics = self.system, self.mechanics
        masses = symbols_of([body.mass for body in system.bodies])
        weights = symbols_of(system.gravity)
        parameters = [system.graph.symbol(name, Role.PARAMETER) for name in system.parameters]
        inputs = [system.graph.symbol(name, Role.INPUT) for name in system.inputs]
        every = [*masses, *weights, *parameters, *inputs, *mechanics.q, *mechanics.u, *mechanics.udot]
        return list({x.name: x for x in every}.values())


def _mechanics(system: System, formulation: Formulation | None = None) -> Mechanics:
    """In the joints' own speeds; where bodies are guided, in the speeds that guide them."""
    return mechanics_of(system, formulation) if system.is_guided else Mechanics(system, formulation)


def step_name(name: str) -> Name:
    """The name of a line of a listing: Z3 is Z with the index 3; s1 and c1 likewise."""
    letters, digits = split_index(name)
    return Name(letters, digits)
