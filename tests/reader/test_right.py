"""What is shown is right: every formula of a page's text, read back and evaluated beside the equations."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.constraints import active, bonds
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.redundancy import redundancy
from jourdain.graph import Graph, Node, interpret, symbols_of
from jourdain.graph.names import subscripted
from jourdain.model.motion import Orientation
from jourdain.model.system import System
from jourdain.reader import derive

from .systems import constrained, every_load, four_bar
from .told import Told, read_back

SYSTEMS: dict[str, Callable[[], System]] = {
    **{name: getattr(jd.gallery, name) for name in jd.gallery.__all__},
    "wrist_by_rates": lambda: jd.gallery.spherical_wrist(rates=True),
    "every_load": every_load,
    "constrained": constrained,
    "four_bar": four_bar,
}


@dataclass
class State:
    """A system at a random state, as numbers: what symbols stand for, by name."""

    system: System
    values: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        system = self.system
        random = np.random.default_rng(7)
        self.mechanics = m = mechanics_of(system)
        for name in (*system.parameters, *system.inputs, "t", "lambda", *(f"lambda{k}" for k in range(1, 9))):
            self.values[name] = random.uniform(0.3, 1.3)
        for joint in system.joints:
            numbers = random.uniform(0.3, 1.3, len(joint.coordinates))
            if joint.motion.orientation is Orientation.QUATERNION:
                four = [k for k, x in enumerate(joint.coordinates) if re.search(r"\.q[xyzw]$", x.name)]
                numbers[four] /= np.linalg.norm(numbers[four])
            self.values |= {x.name: float(v) for x, v in zip(joint.coordinates, numbers)}
        self.set_speeds(random.uniform(0.3, 1.3, len(system.speeds)))
        self.rates = random.uniform(0.3, 1.3, len(system.speeds))
        self.values |= {x.name: float(v) for x, v in zip(m.udot, self.rates)}

    def set_speeds(self, u: np.ndarray) -> None:
        """The speeds, and the rates of coordinates and the joints' own speeds that go with them."""
        m = self.mechanics
        self.u = u
        self.values |= {x.name: float(v) for x, v in zip(m.u, u)}
        if self.system.definitions:
            own = self.of(m.map.p)  # type: ignore[attr-defined]
            self.values |= {x.name: v for x, v in zip(self.system.joint_speed_symbols, own)}
        self.values |= {f"{x.name}dot": v for x, v in zip(m.q, self.of(m.rates()))}

    def of(self, nodes: list[Node] | tuple[Node, ...]) -> list[float]:
        """The numbers that expressions have."""
        nodes = list(nodes)
        return [float(x) for x in interpret(nodes, {x: self.values[x.name] for x in symbols_of(nodes)})]

    def dynamics(self) -> tuple[np.ndarray, np.ndarray]:
        """M and h."""
        m = self.mechanics
        n = len(self.system.speeds)
        return np.array(self.of([x for row in m.mass_matrix() for x in row])).reshape(n, n), np.array(
            self.of(m.bias_forces())
        )


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_shown_is_right(name: str) -> None:
    system = SYSTEMS[name]()
    told = read_back(system, derive(system).text(), Graph())
    state = State(system)
    mass, bias = state.dynamics()
    m = state.mechanics
    held = bonds(m, active(system))
    held = held.some(redundancy(m, held).kept)
    matrix = np.array(state.of([x for row in held.matrix for x in row])).reshape(-1, len(system.speeds))
    names = ["lambda"] if len(held.owners) == 1 else [f"lambda{k}" for k in range(1, len(held.owners) + 1)]
    push = matrix.T @ np.array([state.values[x] for x in names[: len(held.owners)]])
    forces = mass @ state.rates + bias - push
    state.values |= {f"f[{x}]": v for x, v in zip(system.speeds, forces)}
    expected = known(state, mass, bias)
    row_rates = iter(matrix @ state.rates + np.array(state.of(held.rest)))
    checked = 0
    for formula in told:
        if formula.section == "Constraints embedded" or re.fullmatch("[ZPsc][₀-₉]+", formula.left):
            continue
        value = state.of([formula.node])[0]
        if formula.whole:
            right = 0.0 if formula.right.startswith("f[") else next(row_rates)
        else:
            right = expected[formula.right if formula.right in expected else formula.left]
        assert value == pytest.approx(right, rel=1e-9, abs=1e-9), f"{formula.left} = {formula.right}"
        checked += 1
    assert checked >= len(system.speeds)
    # The rows of the constraints are there, whole or entry by entry.
    listed = {x.left for x in told if re.fullmatch("[bkdr][₀-₉]+", x.left) and x.section == "Equations of motion"}
    assert not list(row_rates) or len(listed) == len(held.owners)
    embedded(system, [x for x in told if x.section == "Constraints embedded"])


def known(state: State, mass: np.ndarray, bias: np.ndarray) -> dict[str, float]:
    """What each left side must be."""
    system, m = state.system, state.mechanics
    n = len(system.speeds)
    found = {f"f[{name}]": x for name, x in zip(system.speeds, state.values and mass @ state.rates + bias)}
    found |= {x.name: float(v) for x, v in zip(m.u, state.u)}
    found |= {f"{x.name}dot": state.values[f"{x.name}dot"] for x in m.q}
    found |= {x.name: float(v) for x, v in zip(m.udot, np.linalg.solve(mass, -bias))} if n else {}
    for letter in ("M", "A", "B", "MM"):
        for i in range(n):
            for k in range(n):
                index = f"{letter}[{i + 1},{k + 1}]" if max(i, k) > 8 else subscripted(letter, 10 * i + k + 11)
                found[letter if n == 1 else index] = mass[i, k]
    for letters, column in (((*"hbc", "hh"), bias), ((*"gGw", "gg"), state.of(m.gravity_forces()))):
        for letter in letters:
            if n == 1:
                found.setdefault(letter, column[0])
            for i, x in enumerate(column, 1):
                found[subscripted(letter, i)] = x
    every = bonds(m, active(system))
    rows = every.some(redundancy(m, every).kept)
    for i, (row, rest) in enumerate(zip(rows.matrix, state.of(rows.rest)), 1):
        for letter in "AJG":
            found |= {subscripted(letter, 10 * i + k): x for k, x in enumerate(state.of(row), 1)}
        found |= {subscripted(letter, i): rest for letter in "bkd"}
    energy = m.energy()
    for letters, value in zip(((*"TKE", "TT"), (*"VUP", "VV")), state.of([energy.kinetic, energy.potential])):
        found |= dict.fromkeys(letters, value)
    return found


def embedded(system: System, told: list[Told]) -> None:
    """Each mode's equations hold where its constraints do, for the rates that its constraints' forces bring about."""
    for heading in dict.fromkeys(x.heading for x in told):
        state = State(system)
        mine = [x for x in told if x.heading == heading]
        imposed = bonds(state.mechanics, re.findall("“(.*?)”", heading))
        imposed = imposed.some(redundancy(state.mechanics, imposed).kept)
        matrix = np.array(state.of([x for row in imposed.matrix for x in row])).reshape(-1, len(system.speeds))
        u = state.u - np.linalg.pinv(matrix) @ np.array(state.of(imposed.velocities))
        state.set_speeds(u)
        mass, bias = state.dynamics()
        rest = np.array(state.of(imposed.rest))
        rank = np.linalg.matrix_rank(matrix)
        assert rank == len(matrix)
        felt = np.linalg.solve(mass, matrix.T)
        free = np.linalg.solve(mass, -bias)
        rates = free - felt @ np.linalg.solve(matrix @ felt, matrix @ free + rest)
        state.values |= {x.name: float(v) for x, v in zip(state.mechanics.udot, rates)}
        wholes = 0
        for formula in mine:
            value = state.of([formula.node])[0]
            if formula.whole:
                assert value == pytest.approx(0.0, abs=1e-9), f"{heading}: {formula.left} = {formula.right}"
                wholes += 1
            elif formula.left in system.speeds:
                assert value == pytest.approx(state.values[formula.left], rel=1e-9), formula.left
        assert wholes == len(system.speeds) - rank, heading
