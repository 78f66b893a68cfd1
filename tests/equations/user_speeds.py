"""Random sets of generalized speeds over random systems, and an independent way to know what they mean.

The witness is the same system without them: the definitions, given to it as outputs, are numbers Y p + Z there, so that
W = Y⁻¹ and everything in u follows from what is known in the joints' own speeds p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import jourdain as jd
from jourdain.equations.generalized import Generalized, mechanics_of
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, interpret
from jourdain.graph.differentiate import jacobian
from jourdain.model.handles import BodyHandle
from jourdain.model.system import System

from .systems import (
    Array,
    State,
    Traits,
    along_motion,
    complex_steps,
    evaluate,
    evaluate_rows,
    random_state,
    random_system,
    values_in,
)

Candidates = dict[str, Node]
Rows = Sequence[Sequence[Node]]


def candidates(m: jd.Model, system: System, rng: np.random.Generator) -> Candidates:
    """Expressions that are linear in velocities: components along own, others' and the ground's axes, mixed, scaled by
    what depends on coordinates and time, with terms that time alone moves."""
    bodies: list[BodyHandle] = [m[body.name] for body in system.bodies]
    letters = ("x", "y", "z")

    def pick(names: Sequence[BodyHandle]) -> BodyHandle:
        return names[int(rng.integers(len(names)))]

    found: list[Node] = []
    for body in bodies:
        for k in range(3):
            place = body.point(f"{body.name} point {k}", rng.normal(size=3))
            own = getattr(body, letters[int(rng.integers(3))])
            other = getattr(pick([*bodies, m.ground]), letters[int(rng.integers(3))])
            angular, linear = body.omega @ own, place.velocity @ own
            found += [angular, linear, body.omega @ other, place.velocity @ other, body.center.velocity @ own]
            found += [angular * (1.5 + jd.sin(m.time)) + linear + jd.cos(m.time)]
            found += [linear * (2.0 + own @ other) - 0.3 * (place.position @ other) * jd.sin(m.time)]
    for joint in system.joints:
        if not joint.prescribed:
            found += list(m.joints[joint.name].speeds)
    order = rng.permutation(len(found))
    return {f"u{k}": found[i] for k, i in enumerate(order)}


@dataclass(frozen=True)
class Changed:
    """One motion, told in the joints' speeds p by `before`, and in the user's u by `after`.

    y, w, y_rate, w_rate: Y, W and their rates on the motion; before's state has p and ṗ, after's u and u̇.
    """

    before: Mechanics
    after: Generalized
    p_state: State
    u_state: State
    y: Array
    y_rate: Array

    @property
    def w(self) -> Array:
        """W = Y⁻¹."""
        return np.array(np.linalg.inv(self.y))

    @property
    def w_rate(self) -> Array:
        """Ẇ = −W Ẏ W."""
        return -self.w @ self.y_rate @ self.w

    @property
    def condition(self) -> float:
        """What W makes of rounding."""
        one, two = float(np.linalg.norm(self.w)), float(np.linalg.norm(self.y))
        return one * two * (1.0 + one) * (1.0 + float(np.linalg.norm(self.y_rate)))

    def was(self, *nodes: Node) -> Array:
        return evaluate(self.before, nodes, self.p_state)

    def was_rows(self, rows: Rows) -> Array:
        return evaluate_rows(self.before, rows, self.p_state)

    def now(self, *nodes: Node) -> Array:
        return evaluate(self.after, nodes, self.u_state)

    def now_rows(self, rows: Rows) -> Array:
        return evaluate_rows(self.after, rows, self.u_state)

    def now_blocks(self, blocks: Mapping[str, Rows]) -> dict[str, Array]:
        """Several matrices at once, so that what they share is computed once."""
        numbers = iter(self.now(*(x for rows in blocks.values() for row in rows for x in row)))
        return {
            name: np.array([[next(numbers) for _ in row] for row in rows]).reshape(len(rows), -1)
            for name, rows in blocks.items()
        }

    def stepped(self, outputs: Sequence[Node], symbols: Sequence[Node]) -> Array:
        """(outputs, symbols): derivatives of expressions in u by complex steps, which lose nothing."""
        return complex_steps(self.after, outputs, self.u_state, dict(zip(symbols, np.eye(len(symbols)))), len(symbols))

    def slopes(self, outputs: Sequence[Node], directions: Array) -> Array:
        """(outputs, columns): derivatives while the joints move with speeds that are the columns (joint speeds, ·)."""
        plain = Mechanics(self.before.system)
        columns = directions.shape[1]
        moving = interpret(plain.rates(), {**values_in(plain, self.p_state), **dict(zip(plain.u, directions))})
        rates = [np.broadcast_to(rate, columns) for rate in moving]
        return complex_steps(self.after, outputs, self.u_state, dict(zip(self.after.q, rates)), columns)


def with_outputs(m: jd.Model, some: Candidates) -> System:
    """The model's system, with these as outputs and nothing else changed."""
    for name, value in some.items():
        m.output(f"defines {name}", value)
    return m.system()


def defined(mechanics: Mechanics, count: int) -> list[Node]:
    """The last outputs, which `with_outputs` added."""
    return list(mechanics.outputs().values())[-count:] if count else []


def changed(seed: int, size: int, traits: Traits) -> Changed:
    """A random system with a random full set of generalized speeds that is well conditioned where it is looked at."""
    rng = np.random.default_rng(seed)
    plain = random_system(seed, size, traits)
    while not plain.speeds:
        seed += 1000
        plain = random_system(seed, size, traits)
    state = random_state(plain, rng)
    m = jd.Model.of(plain)
    offered = candidates(m, plain, rng)
    for body in plain.bodies:
        point = m[body.name].point(f"{body.name} felt", rng.normal(size=3))
        m.output(f"felt at {body.name}", point.acceleration, axes=m[body.name])
        m.output(f"felt by {body.name}", m[body.name].alpha)
    system = with_outputs(m, offered)
    before = Mechanics(system)
    outputs = defined(before, len(offered))
    slopes = jacobian(outputs, before.u)
    y = evaluate_rows(before, slopes, state)
    chosen = _choose(y)
    names = list(offered)
    definitions = {names[i]: offered[names[i]] for i in chosen}
    values = [outputs[i] for i in chosen]
    flat = [x for i in chosen for x in slopes[i]]
    u, udot = evaluate(before, values, state), along_motion(before, values, state)
    y_rate = along_motion(before, flat, state).reshape(len(chosen), -1)
    m.speeds(definitions)
    after = mechanics_of(m.system())
    assert isinstance(after, Generalized)
    return Changed(before, after, state, replace(state, u=u, udot=udot), y[chosen], y_rate)


def _choose(y: Array) -> list[int]:
    """Rows of a full set, in random order as far as they are independent of those before."""
    n = y.shape[1]
    chosen: list[int] = []
    basis = np.zeros((0, n))
    for i in range(len(y)):
        size = float(np.linalg.norm(y[i]))
        rest = y[i] - basis.T @ (basis @ y[i])
        if size > 1e-6 and float(np.linalg.norm(rest)) > 0.25 * size:
            chosen.append(i)
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
        if len(chosen) == n:
            return chosen
    # What is left is hard to reach: the best there is.
    while len(chosen) < n:
        rests = y - (y @ basis.T) @ basis
        i = int(np.argmax(np.linalg.norm(rests, axis=1)))
        chosen.append(i)
        basis = np.vstack([basis, rests[i] / np.linalg.norm(rests[i])])
    return chosen
