"""A gallery system's equations at given states, by the interpreter alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, Role, interpret
from jourdain.model.system import System

Array = NDArray[np.float64]


class Evaluated:
    """A system at coordinates q, speeds u and their rates udot; parameters: values that are not the default ones."""

    def __init__(
        self,
        system: System,
        q: ArrayLike,
        u: ArrayLike = (),
        udot: ArrayLike = (),
        parameters: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.system = system
        self.parameters = {**system.parameters, **parameters}
        self.state = [np.asarray(x, float) for x in (q, u, udot)]

    def at(self, nodes: Callable[[Mechanics], Sequence[Any]]) -> Array:
        """The values of some expressions, by rows where they are a matrix."""
        mechanics = Mechanics(self.system)
        found = nodes(mechanics)
        rows = found if found and isinstance(found[0], list) else [found]
        values: dict[Node, Any] = {
            mechanics.graph.symbol(name, Role.PARAMETER): x for name, x in self.parameters.items()
        }
        for symbols, numbers in zip((mechanics.q, mechanics.u, mechanics.udot), self.state):
            values |= dict(zip(symbols, numbers))
        values |= dict.fromkeys(mechanics.f, 0.0)
        flat = np.array(interpret([x for row in rows for x in row], values), float)
        return flat if rows is not found else flat.reshape(len(rows), -1)
