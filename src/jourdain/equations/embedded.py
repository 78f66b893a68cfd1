"""Kane's equations with motion constraints embedded: F̃ + F̃* = 0 in the independent speeds alone.

The rows A_B u + C = 0 (Gillespie 2003, eq 3) are divided into dependent and independent speeds, A u_D = B u_I + C′ (4),
and solved: u_D = D u_I + E (5), D = A⁻¹B. Then there are two ways. By substitution D u_I + E is put in the place of u_D
before partial velocities are read off, which are then the constrained ones ṽ_r = v_r + Σ v_s D_sr (25–27), and forces
are formed with them. By recombination the forces of the unconstrained system are combined, F̃_r = F_r + Σ D_sr F_s (44)
and F̃*_r = F*_r + Σ D_sr F*_s (45). Both are here, and agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ..graph import Node, interpret, substitute, symbols_of
from ..graph.differentiate import jvp
from ..model.elimination import Equation, solve
from ..model.mistakes import did_you_mean
from .constraints import Bonds, active, bonds, remainders
from .kane import Kane
from .known import Known
from .redundancy import assembled_state, redundancy
from .rows import Rows, dot, from_left

SINGULAR = 1e-9


class Embedded:
    """Kane's quantities of a system under its constraints, the permanent ones and those of `mode`.

    mode: names of switchable constraints that are on. independent: names of the speeds to keep; a well-conditioned
    choice if left out. Rows that say nothing new are left out.

    speeds, dependent: names of the independent and of the dependent speeds. u, udot: symbols of the independent ones.
    substituted: the constrained quantities by substitution: a `Kane` in these speeds. bonds: the rows.
    """

    def __init__(
        self, kane: Kane, mode: Iterable[str] = (), independent: Sequence[str] | None = None
    ) -> None:
        self.kane, self.graph, mechanics = kane, kane.graph, kane.mechanics
        switches = [x for x, kind in kane.system.constraints.items() if kind == "switchable"]
        wanted = {mode} if isinstance(mode, str) else set(mode)
        for name in sorted(wanted):
            if name not in switches:
                raise KeyError(
                    f"system {kane.system.name!r} has no switchable constraint {name!r}; {did_you_mean(name, switches)}"
                )
        rows = bonds(mechanics, active(kane.system, tuple(wanted)))
        self.bonds = rows.some(redundancy(mechanics, rows).kept)
        self._at = _Position(kane, self.bonds)
        kept, others = self._at.divided(independent)
        self._kept, self._others = kept, others
        self.speeds = tuple(kane.speeds[k] for k in kept)
        self.dependent = tuple(kane.speeds[k] for k in others)
        self.u, self.udot = tuple(kane.u[k] for k in kept), tuple(kane.udot[k] for k in kept)

    @property
    def owners(self) -> tuple[str, ...]:
        """Of each row, the name of its constraint."""
        return self.bonds.owners

    def size(self, node: Node) -> float:
        """The size of an expression of coordinates, where the constraints are closed: what pivots are chosen by."""
        return self._at.size(node)

    # -- the constraints ----------------------------------------------------------------------------------------

    def constraint_matrix(self) -> Rows:
        """A_B (rows, all speeds) of A_B u + C = 0 (3), in the order of the system's speeds."""
        return [list(row) for row in self.bonds.matrix]

    def constraint_remainder(self) -> list[Node]:
        """C (rows,) of A_B u + C = 0 (3)."""
        return remainders(self.kane.mechanics, self.bonds)

    def dependent_matrix(self) -> Rows:
        """A (rows, dependent) of A u_D = B u_I − C (4)."""
        return [[row[k] for k in self._others] for row in self.bonds.matrix]

    def independent_matrix(self) -> Rows:
        """B (rows, independent) of A u_D = B u_I − C (4)."""
        return [[-row[k] for k in self._kept] for row in self.bonds.matrix]

    def dependence(self) -> Rows:
        """D = A⁻¹B (dependent, independent) of u_D = D u_I + E (5)."""
        return [list(row[:-2]) for row in self._solved]

    def dependence_remainder(self) -> list[Node]:
        """E (dependent,) of u_D = D u_I + E (5)."""
        return [row[-2] for row in self._solved]

    def all_speeds(self) -> list[Node]:
        """Every speed of the system (all speeds,), in the independent ones."""
        pairs = zip(self.dependence(), self.dependence_remainder())
        return self._together(self.u, [dot(self.graph, row, self.u) + rest for row, rest in pairs])

    def all_rates(self) -> list[Node]:
        """Every speed's rate (all speeds,), from the rates of the rows: A u̇_D = B u̇_I − (what is left of Ȧ u + Ċ)."""
        rest = self._in_speeds([row[-1] for row in self._solved])
        moved = [dot(self.graph, row, self.udot) + x for row, x in zip(self.dependence(), rest)]
        return self._together(self.udot, moved)

    # -- by recombination ---------------------------------------------------------------------------------------

    def active_forces(self) -> list[Node]:
        """F̃_r (independent,) = F_r + Σ D_sr F_s (44), of gravity and the declared loads."""
        return self.recombined(self.kane.active_forces())

    def inertia_forces(self) -> list[Node]:
        """F̃*_r (independent,) = F*_r + Σ D_sr F*_s (45)."""
        return self.recombined(self.kane.inertia_forces())

    def recombined(self, forces: Sequence[Node]) -> list[Node]:
        """Generalized forces on all speeds (all speeds,) as the independent ones feel them (independent,): of any part
        of F or F*, such as one body's. Dependent speeds and their rates are put in."""
        felt = from_left(self.graph, [forces[k] for k in self._others], self.dependence(), len(self._kept))
        return self._in_speeds([forces[k] + x for k, x in zip(self._kept, felt)])

    def equations(self) -> list[Node]:
        """F̃_r + F̃*_r (independent,) with the added forces f, which vanish on every motion (46)."""
        return self.recombined(self.kane.equations())

    # -- by substitution ----------------------------------------------------------------------------------------

    @cached_property
    def substituted(self) -> Kane:
        """Velocities in independent speeds; from them everything, as without constraints."""
        return _Substituted(self)

    # -- inside -------------------------------------------------------------------------------------------------

    @cached_property
    def _solved(self) -> Rows:
        """D, E and the remainder of u̇_D, from one elimination."""
        equations = [
            Equation(list(a), [*b, -c, -rest])
            for a, b, c, rest in zip(
                self.dependent_matrix(), self.independent_matrix(), self.constraint_remainder(), self.bonds.rest
            )
        ]
        return solve(self.graph, equations, len(self._others), self.size) if equations else []

    @cached_property
    def _speeds_in(self) -> dict[Node, Node]:
        speeds = self.all_speeds()
        return {self.kane.u[k]: speeds[k] for k in self._others}

    @cached_property
    def _rates_in(self) -> dict[Node, Node]:
        rates = self.all_rates()
        return {self.kane.udot[k]: rates[k] for k in self._others}

    def _in_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of all speeds and rates, in the independent ones."""
        if not self._others:
            return list(nodes)
        return substitute(nodes, {**self._speeds_in, **(self._rates_in if _holds(nodes, self.kane.udot) else {})})

    def _together(self, kept: Sequence[Node], others: Sequence[Node]) -> list[Node]:
        found = dict(zip((*self._kept, *self._others), (*kept, *others)))
        return [found[k] for k in range(len(found))]


class _Substituted(Kane):
    """Kane's quantities where D u_I + E stands in the place of the dependent speeds, from the velocities on."""

    def __init__(self, embedded: Embedded) -> None:
        super().__init__(embedded.kane.mechanics)
        self._embedded = embedded
        self.u, self.udot, self.speeds = embedded.u, embedded.udot, embedded.speeds
        self.f = tuple(embedded.recombined(embedded.kane.f))

    @cached_property
    def _joint_speeds(self) -> Sequence[Node]:
        return self._in_speeds(self._lowered.speeds)

    @cached_property
    def _joint_rates(self) -> Sequence[Node]:
        """d/dt of the joints' speeds as they are written now; the rows' own rates are not used."""
        clock = self.mechanics.quantities.rates()
        rates = dict(zip(clock, self._in_speeds(list(clock.values()))))
        return jvp(self._joint_speeds, {**rates, **dict(zip(self.u, self.udot))})

    @cached_property
    def _known(self) -> Sequence[Known]:
        """Measure numbers that are still speeds."""
        return [x for x in self._lowered.known if self._in_speeds([x.value])[0] is x.value]

    def _in_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        return substitute(nodes, self._embedded._speeds_in)


class _Position:
    """Where the constraints are looked at to choose speeds and pivots: general, but with all positions closed if any
    such is found."""

    def __init__(self, kane: Kane, rows: Bonds) -> None:
        self.kane, self.rows = kane, rows
        self.values = {**dict.fromkeys(kane.u, 0.0), **assembled_state(kane.mechanics, rows)[0]}

    def size(self, node: Node) -> float:
        """The absolute value of an expression there."""
        return abs(float(interpret([node], self.values)[0]))

    def divided(self, independent: Sequence[str] | None) -> tuple[list[int], list[int]]:
        """Places of the independent and of the dependent speeds."""
        names, count = self.kane.speeds, len(self.rows.owners)
        flat = [x for row in self.rows.matrix for x in row]
        matrix = np.array([float(x) for x in interpret(flat, self.values)]).reshape(count, len(names))
        if independent is None:
            from scipy.linalg import qr  # takes longer to import than most systems to derive

            pivots = qr(matrix, pivoting=True, mode="r")[1] if count else []
            others = sorted(int(k) for k in pivots[:count])
            return [k for k in range(len(names)) if k not in others], others
        for name in independent:
            if name not in names:
                raise KeyError(f"system {self.kane.system.name!r} has no speed {name!r}; {did_you_mean(name, names)}")
        kept = [names.index(x) for x in dict.fromkeys(independent)]
        others = [k for k in range(len(names)) if k not in kept]
        if len(others) != count:
            raise ValueError(
                f"{count} independent rows leave {len(names) - count} of {len(names)} speeds independent; "
                f"{len(kept)} are given: {', '.join(independent) or 'none'}"
            )
        if count and np.linalg.matrix_rank(matrix[:, others], tol=SINGULAR * np.abs(matrix).max()) < count:
            said = ", ".join(names[k] for k in others)
            raise ValueError(f"the constraints do not tell {said} from the others; choose other independent speeds")
        return kept, others


def _holds(nodes: Sequence[Node], symbols: Sequence[Node]) -> bool:
    return bool(set(symbols_of(nodes)).intersection(symbols))


__all__ = ["Embedded"]
