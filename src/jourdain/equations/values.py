"""Numbers in the place of a derivation's symbols: what a page or a test needs to look at expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..graph import Node, Role, interpret
from ..model.system import TIME
from .mechanics import Mechanics

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

NOTHING: Mapping[str, float] = MappingProxyType({})


def values(
    mechanics: Mechanics,
    found: Node | Sequence[Node] | Sequence[Sequence[Node]],
    q: ArrayLike = (),
    u: ArrayLike = (),
    udot: ArrayLike = (),
    *,
    parameters: Mapping[str, float] = NOTHING,
    inputs: Mapping[str, float] = NOTHING,
    time: float = 0.0,
    others: Mapping[Node, float] = MappingProxyType({}),
) -> NDArray[Any]:
    """An expression, a list of them or a matrix, as an array of its shape.

    q, u, udot: of the mechanics' own symbols, as many as there are or none. parameters, inputs: those that are not to
    have their default values. others: of symbols made by a derivation. Added forces f are zero.
    """
    import numpy as np

    graph, system = mechanics.graph, mechanics.system
    known: dict[Node, Any] = dict.fromkeys(mechanics.f, 0.0)
    for name, symbols, given in (
        ("q", mechanics.q, q), ("u", mechanics.u, u), ("udot", mechanics.udot, udot),
    ):  # fmt: skip
        numbers = np.asarray(given, float)
        if numbers.shape not in ((0,), (len(symbols),)):
            raise ValueError(f"{name} has the shape {numbers.shape}; {len(symbols)} numbers are needed, or none")
        known.update(zip(symbols, numbers))
    for defaults, other, role in (
        (system.defaults, parameters, Role.PARAMETER), (system.input_values, inputs, Role.INPUT),
    ):  # fmt: skip
        known.update((graph.symbol(name, role), x) for name, x in {**defaults, **other}.items())
    known[graph.symbol(TIME, Role.TIME)] = time
    known.update(others)
    if isinstance(found, Node):
        return np.asarray(interpret([found], known)[0], float)
    flat = [x for row in found for x in ([row] if isinstance(row, Node) else row)]
    rows = len(found)
    array = np.array(interpret(flat, known), float)
    return array if all(isinstance(x, Node) for x in found) else array.reshape(rows, -1)


__all__ = ["values"]
