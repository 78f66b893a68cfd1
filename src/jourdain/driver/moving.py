"""What an integrator needs of a system in one mode and under given inputs: programs of (q, u, inputs, t).

Inputs that follow expressions or tables are put into the equations; those that are values stay arguments. Generalized
forces f beside the declared ones are none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..equations.choose import Change, derive
from ..equations.conserved import conserved_momenta
from ..equations.constraints import Kinetics, bonds
from ..equations.derivatives import forward_slopes, input_symbols
from ..equations.formulation import Formulation
from ..equations.generalized import mechanics_of
from ..equations.hamilton import canonical_forces, momenta, speeds_of
from ..equations.mechanics import Mechanics
from ..equations.power import power
from ..equations.reduced import embed
from ..equations.redundancy import Redundancy, redundancy, usual
from ..equations.settling import (
    independent_rows,
    position_names,
    settled_positions,
    settled_speeds,
    turns_quaternions,
)
from ..graph import Node, Role, substitute
from ..graph.differentiate import jacobian
from ..graph.pause import collector_paused
from ..model.system import TIME, System
from ..program import Block, Program
from .expressions import Expression, all_spelled
from .readouts import MODE_READOUTS, READOUTS, Readout, matrix

Read = Callable[[Mechanics], tuple[Block, ...]]
Named = tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Moving:
    """One system, the constraints imposed in one mode, and the inputs that follow expressions."""

    system: System
    imposed: tuple[str, ...] = ()
    drives: Named = ()

    # -- equations of motion --------------------------------------------------------------------------------------

    @cached_property
    def motion(self) -> Program:
        """q̇ (coordinates,), u̇ (speeds,)."""
        return self._motion(False)

    @cached_property
    def motion_and_power(self) -> Program:
        """q̇, u̇, and the power (1,) of what energies do not account for; without it where there is none.

        Under constraints before it how little is left of their rows here, compared to elsewhere (1,).
        """
        return self._motion(True)

    @cached_property
    def rates(self) -> Program:
        """q̇ alone."""
        return self._program("rates", lambda m: (Block("qdot", tuple(m.rates())),))

    @cached_property
    def slopes(self) -> Program:
        """∂(q̇, u̇)/∂(q, u), one matrix."""

        def read(m: Mechanics) -> tuple[Block, ...]:
            state = [*m.q, *m.u]
            rows = forward_slopes(m, independent_rows(m, self.imposed) if self.imposed else None)
            given = [x + y for x, y in zip(rows["q"], rows["u"])]
            if self.drives:
                names = [x.name for x in input_symbols(m)]
                values = all_spelled(m, self.drives, "input")
                for (name, _), slopes in zip(self.drives, jacobian(values, state)):
                    k = names.index(name)
                    for row, line in zip(given, rows["inputs"]):
                        row[:] = [x + line[k] * slope for x, slope in zip(row, slopes)]
            return (matrix("slopes", [*jacobian(m.rates(), state), *given]),)

        return self._program("slopes", read)

    # -- constraints ----------------------------------------------------------------------------------------------

    @cached_property
    def positions(self) -> Program | None:
        """q (coordinates,) nearer to the constraints, and the miss (1,) before; None where positions cannot drift."""
        mechanics = mechanics_of(self.system)
        if not (position_names(mechanics, self.imposed) or turns_quaternions(mechanics)):
            return None

        def read(m: Mechanics) -> tuple[Block, ...]:
            q, miss = settled_positions(m, self.imposed)
            return Block("settled", tuple(q)), Block("miss", (miss,))

        return self._program("positions", read)

    @cached_property
    def speeds(self) -> Program | None:
        """u (speeds,) on the constraints, and the miss (1,) that is left; None without constraints."""
        if not self.imposed:
            return None

        def read(m: Mechanics) -> tuple[Block, ...]:
            u, miss = settled_speeds(m, self.imposed)
            return Block("settled", tuple(u)), Block("miss", (miss,))

        return self._program("speeds", read)

    @cached_property
    def rows(self) -> Program:
        """A (rows, speeds) of the rows that are imposed and say something new: what their forces are on the speeds."""
        return self._program("rows", lambda m: (matrix("rows", independent_rows(m, self.imposed).matrix),))

    # -- canonical form -------------------------------------------------------------------------------------------

    @property
    def is_canonical(self) -> bool:
        """Whether the speeds are the rates of the coordinates, and no constraint holds."""
        m = mechanics_of(self.system)
        return not self.imposed and not self.system.conditions and tuple(m.rates()) == m.u

    @cached_property
    def momenta(self) -> Program:
        """p = ∂L/∂q̇ (speeds,)."""
        return self._program("momenta", lambda m: (Block("p", tuple(momenta(m))),))

    @cached_property
    def canonical(self) -> Program:
        """p, ṗ (speeds,) and ∂p/∂q, ∂p/∂u, ∂ṗ/∂q, ∂ṗ/∂u, matrices."""

        def read(m: Mechanics) -> tuple[Block, ...]:
            p, force = momenta(m), self._driven(m, canonical_forces(m))
            blocks = [Block("p", tuple(p)), Block("force", tuple(force))]
            for name, nodes in (("p", p), ("force", force)):
                for by, symbols in (("q", m.q), ("u", m.u)):
                    blocks.append(matrix(f"{name} by {by}", jacobian(nodes, symbols)))
            return tuple(blocks)

        return self._program("canonical", read)

    @cached_property
    def from_momenta(self) -> Program:
        """u (speeds,) of the momenta p, which are given in the place of u."""
        return self._program("from_momenta", lambda m: (Block("velocities", tuple(speeds_of(m, m.u))),))

    # -- what the user asks ---------------------------------------------------------------------------------------

    def guards(self, expressions: Named) -> Program:
        """Values (guards,) whose signs are watched."""
        return self._program("guards", lambda m: (Block("guards", tuple(all_spelled(m, expressions, "event"))),))

    def outputs(self, names: tuple[str, ...]) -> Program:
        """Values (names,) of the model's own outputs, of those that hold no accelerations."""

        def read(m: Mechanics) -> tuple[Block, ...]:
            found = m.outputs()
            return (Block("outputs", tuple(found[x] for x in names)),)

        return self._program("outputs", read)

    @cached_property
    def inputs(self) -> Program:
        """All inputs (inputs,) as they act."""
        return self._program("inputs", lambda m: (Block("values", tuple(self._driven(m, input_symbols(m)))),))

    def conserved(self, given: Mapping[str, float]) -> tuple[tuple[str, ...], Program | None]:
        """Names of momenta that the motion conserves, and their values (names,); None where there are none.

        given: values of parameters, and of inputs that keep them.
        """
        with collector_paused():
            names: tuple[str, ...] = ()

            def read(m: Mechanics) -> tuple[Block, ...]:
                nonlocal names
                driven = self._driven(m, self._forward.read(m)[0].nodes)
                found = conserved_momenta(m, driven, given)
                names = tuple(x.name for x in found)
                return (Block("momenta", tuple(x.value for x in found) or (m.graph.zero,)),)

            program = self._program("conserved", read)
        return names, program if names else None

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _forward(self) -> Readout:
        """What finds the speeds' rates, and the formulations that are worth trying."""
        if self.imposed or self.system.frictions:
            return MODE_READOUTS["forward_dynamics"](self.imposed)
        return READOUTS["forward_dynamics"]

    def _motion(self, with_power: bool) -> Program:
        row = self._forward

        def read(m: Mechanics) -> tuple[Block, ...]:
            udot = row.read(m)[0].nodes
            blocks = [Block("qdot", tuple(m.rates())), Block("udot", udot)]
            if with_power:
                if self.imposed:
                    blocks.append(Block("delicacy", (self._delicacy(m),)))
                gained = power(m, udot, self.imposed)
                if not gained.is_zero:
                    blocks.append(Block("power", (gained,)))
            return tuple(blocks)

        return self._program("motion", read, row.changes, row.start)

    def _delicacy(self, m: Mechanics) -> Node:
        """Of the rows that are imposed; 1 where they are embedded by divisors that cannot vanish."""
        rows = bonds(m, self.imposed).some(self._redundancy.kept)
        if m.formulation.embedded and embed(m, rows) is not None:
            return m.graph.one
        return Kinetics.of(m, rows).delicacy(self._usual_squares)

    @property
    def can_be_singular(self) -> bool:
        """Whether rows of positions that are independent in general may depend on each other somewhere."""
        if not self.imposed or self.positions is None:
            return False
        return self._redundancy.assembled and self._redundancy.rank == len(self._redundancy.kept)

    @cached_property
    def _redundancy(self) -> Redundancy:
        """Of the rows that are imposed, the same however the equations are written."""
        m = mechanics_of(self.system)
        return redundancy(m, bonds(m, self.imposed))

    @cached_property
    def _usual_squares(self) -> tuple[float, ...]:
        m = mechanics_of(self.system)
        rows = bonds(m, self.imposed).some(self._redundancy.kept)
        return usual(m, rows, Kinetics.of(m, rows).squares)

    def _program(
        self, name: str, read: Read, changes: Sequence[Change] = (), start: Formulation | None = None,
        more: Callable[[Mechanics], Sequence[Block]] = lambda _: (),
    ) -> Program:  # fmt: skip
        """more: further inputs."""
        with collector_paused():
            mechanics = mechanics_of(self.system, start)
            shapes: tuple[Block, ...] = ()

            def flat(m: Mechanics) -> list[Node]:
                nonlocal shapes
                shapes = read(m)
                return self._driven(m, [x for block in shapes for x in block.nodes])

            nodes = iter(derive(mechanics, flat, changes).outputs)
            blocks = tuple(Block(x.name, tuple(next(nodes) for _ in x.nodes), x.shape) for x in shapes)
            graph = mechanics.graph
            given = tuple(input_symbols(mechanics))
            parameters = tuple(graph.symbol(x, Role.PARAMETER) for x in self.system.parameters)
            return Program(
                name,
                (
                    Block("q", mechanics.q), Block("u", mechanics.u), Block("inputs", given),
                    Block(TIME, (graph.symbol(TIME, Role.TIME),), ()), *more(mechanics),
                ),
                Block("parameters", parameters),
                tuple(x for x in blocks if len(x)),
            )  # fmt: skip

    def _driven(self, m: Mechanics, nodes: Sequence[Node]) -> list[Node]:
        """With what inputs follow in their place, and no forces but the declared ones."""
        given: dict[Node, Node | float] = dict.fromkeys(m.f, 0.0)
        values = all_spelled(m, self.drives, "input")
        given.update((m.graph.symbol(name, Role.INPUT), x) for (name, _), x in zip(self.drives, values))
        return substitute(nodes, given)
