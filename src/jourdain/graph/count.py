"""Exact operation counts: per kind, for a set of outputs that share what they can.

The rule: a multiplication is a binary product, an addition a binary sum or difference; unary minus is free;
divisions, square roots and sine/cosine pairs are counted apart; expressions of parameters alone are not run-time
work and are reported as `precompute`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from .node import Node
from .operations import Cost, Operation
from .order import reached


@dataclass(frozen=True)
class Counts:
    """Operations of one evaluation; `precompute` is done once per set of parameters."""

    mul: int = 0
    add: int = 0
    div: int = 0
    sqrt: int = 0
    trig: int = 0
    other: int = 0
    precompute: int = 0

    @property
    def total(self) -> int:
        """All run-time operations, a sine/cosine pair as one."""
        return self.mul + self.add + self.div + self.sqrt + self.trig + self.other

    def as_dict(self) -> dict[str, int]:
        """By name, with the total."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"total": self.total}

    def __str__(self) -> str:
        parts = [f"{self.mul} mul", f"{self.add} add"]
        parts += [f"{getattr(self, key)} {key}" for key in ("div", "sqrt", "trig", "other") if getattr(self, key)]
        return ", ".join(parts)


def count(outputs: Iterable[Node]) -> Counts:
    """Operations needed for all outputs together."""
    tally: dict[Operation, int] = {}
    angles: set[Node] = set()
    precompute = 0
    for node in reached(outputs):
        op = node.op
        if op.cost is Cost.FREE:
            continue
        if node.is_static:
            precompute += 1
        elif op.cost is Cost.TRIG:
            angles.add(node.args[0])
        else:
            tally[op] = tally.get(op, 0) + 1
    mul, add, div, sqrt, other = (
        sum(times for op, times in tally.items() if op.cost is cost)
        for cost in (Cost.MUL, Cost.ADD, Cost.DIV, Cost.SQRT, Cost.OTHER)
    )
    return Counts(mul, add, div, sqrt, len(angles), other, precompute)
