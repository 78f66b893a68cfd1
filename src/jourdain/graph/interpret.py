"""The oracle: a graph evaluated node by node with NumPy, against which every target is tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .node import Node
from .operations import CONSTANT, SYMBOL
from .order import reachable


def interpret(
    outputs: Sequence[Node], values: Mapping[Node, ArrayLike], dtype: DTypeLike = np.float64
) -> list[NDArray[Any]]:
    """Each output's value, for values of symbols, or of any nodes, that broadcast against one another."""
    known: dict[Node, NDArray[Any]] = {node: np.asarray(value, dtype=dtype) for node, value in values.items()}
    nodes = reachable(outputs, known)
    missing = [node.name for node in nodes if node.op is SYMBOL and node not in known]
    if missing:
        raise ValueError(f"no value for {', '.join(missing)}")
    with np.errstate(all="ignore"):
        for node in nodes:
            if node in known:
                continue
            if node.op is CONSTANT:
                known[node] = np.asarray(node.value, dtype=dtype)
            else:
                known[node] = np.asarray(node.op.vectorized(*(known[x] for x in node.args)), dtype=dtype)
    return [known[node] for node in outputs]
