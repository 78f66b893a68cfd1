"""What a user says about a system once it is frozen: inputs that follow an expression, guards of events.

An expression is text in the system's names, or a node of the model's. A coordinate goes by its name, a speed by its
own, or with "dot" after it where a coordinate is called so; further parameters, outputs and the time `t`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..equations.mechanics import Mechanics
from ..graph import Node, Role, symbols_of
from ..graph.parse import WORD, ExpressionError, parse
from ..model.mistakes import did_you_mean
from ..model.system import TIME

Expression = str | Node


def spelled(mechanics: Mechanics, value: Expression, what: str) -> Node:
    """The expression in a derivation's symbols; what: whose it is, for messages."""
    graph, system = mechanics.graph, mechanics.system
    time = graph.symbol(TIME, Role.TIME)
    if isinstance(value, str):
        try:
            found = parse(value, _names(mechanics, value), graph)
        except ExpressionError as error:
            raise ValueError(f"{what}, {value!r}: {error}") from None
    else:
        found = mechanics.quantities.resolved([value])[0]
    parameters = {graph.symbol(name, Role.PARAMETER) for name in system.parameters}
    known = {time, *mechanics.q, *mechanics.u, *parameters}
    strange = [x.name for x in symbols_of([found]) if x not in known]
    if strange:
        raise ValueError(
            f"{what} depends on {', '.join(strange)}, which {'are' if len(strange) > 1 else 'is'} no coordinate, speed "
            f"or parameter of system {system.name!r}, nor the time; "
            f"{did_you_mean(strange[0], [*system.coordinates, *system.speeds, *system.parameters])} "
            "(a velocity or position must be in the model: declare it as an output and name that)"
        )
    return found


def _names(mechanics: Mechanics, text: str) -> Mapping[str, Node]:
    graph, system = mechanics.graph, mechanics.system
    names: dict[str, Node] = {name: graph.symbol(name, Role.PARAMETER) for name in system.parameters}
    names |= dict(zip(system.speeds, mechanics.u))
    names |= {x.name: x for x in mechanics.u}
    names |= dict(zip(system.coordinates, mechanics.q))
    names[TIME] = graph.symbol(TIME, Role.TIME)
    words = set(re.findall(WORD, text)) | set(re.findall("`([^`]*)`", text))
    if any(name in words and name not in names for name in system.outputs):
        names = {**mechanics.outputs(), **names}
    return names


def all_spelled(mechanics: Mechanics, values: Sequence[tuple[str, Expression]], what: str) -> list[Node]:
    """Several of them, by name."""
    return [spelled(mechanics, value, f"{what} {name!r}") for name, value in values]
