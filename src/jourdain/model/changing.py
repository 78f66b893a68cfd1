"""Constraints that come and go: unilateral contacts, and what imposes and deletes a constraint that can be switched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..graph import Node


class ImpactLaw(Enum):
    """What the coefficient of restitution e of a contact compares, before an impact and after it."""

    STRONGE = "Stronge"
    """Work: what the normal force gives back in restitution is e² of what it took in compression."""
    NEWTON = "Newton"
    """Velocities: the contact parts with e times the speed of its approach."""
    POISSON = "Poisson"
    """Impulses: that of restitution is e times that of compression."""


@dataclass(frozen=True)
class Contact:
    """A point at which two bodies may touch, or a stop: they press, but never pull.

    normal: a switchable constraint of positions with one row, the gap φ(q, t) ≥ 0 [m or rad]. slip: a switchable
    constraint of velocities whose one or two rows are the velocities of slip [m/s] along directions at right angles;
    empty where nothing rubs. friction: Coulomb's coefficient. restitution: 0 to 1. Both depend on coordinates, time,
    inputs and parameters at most.
    """

    name: str
    normal: str
    slip: str
    friction: Node
    restitution: Node
    law: ImpactLaw = ImpactLaw.STRONGE


@dataclass(frozen=True)
class Multiplier:
    """What a symbol in a crossing stands for: the multiplier of a row, 0 for the first, of a constraint that holds.

    Its sign is that of M u̇ + h = f + Aᵀ λ.
    """

    constraint: str
    row: int


@dataclass(frozen=True)
class Crossing:
    """Where an expression rises through zero: of coordinates, speeds, time, inputs, parameters and multipliers."""

    expression: Node


@dataclass(frozen=True)
class Call:
    """Where the value of a Python function of (t, q, u), given to `simulate` by this name, rises through zero."""

    name: str


Guard = Crossing | Call


@dataclass(frozen=True)
class Switching:
    """A switchable constraint that is no contact's: what imposes it, what deletes it, whether it holds at the start."""

    constraint: str
    on: Guard | None = None
    off: Guard | None = None
    start: bool = False


def guards(switchings: tuple[Switching, ...]) -> tuple[Guard, ...]:
    """All of them, in order."""
    return tuple(x for each in switchings for x in (each.on, each.off) if x is not None)


def crossings(switchings: tuple[Switching, ...]) -> list[Node]:
    """The expressions among the guards."""
    return [x.expression for x in guards(switchings) if isinstance(x, Crossing)]
