"""Values of parameters at which a derivation's own numbers are not finite: which parameters, and why.

A derivation divides by expressions of parameters where they are safe at the default values: masses, lengths. Another
value may make one of them zero. What depends on parameters alone is computed once, so that this is seen before anything
is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, interpret, reachable, symbols_of
from ..graph.operations import DIV, SYMBOL
from ..graph.write import text
from ..model.system import System
from ..native import Function


def check_finite(function: Function, hoisted: NDArray[Any], values: NDArray[Any], system: System) -> None:
    """ValueError where what depends on parameters alone, hoisted, is not finite at values (..., parameters)."""
    setup = function.split.setup
    if setup is None or np.isfinite(hoisted).all():
        return
    symbols = function.program.parameters.nodes
    for row in values.reshape(-1, len(symbols)):
        known = dict(zip(symbols, (float(x) for x in row)))
        node = _first_fault(setup.results, known)
        if node is not None:
            raise ValueError(f"{function.name} of system {system.name!r} {_said(node, known, system.parameters)}")


def _first_fault(results: Sequence[Node], known: Mapping[Node, float]) -> Node | None:
    """The first node that is not finite of finite ones, if any result is not; single precision may overflow alone."""
    nodes = [x for x in reachable(results) if x.op is not SYMBOL]
    finite = dict(zip(nodes, (bool(np.isfinite(x)) for x in interpret(nodes, known))))
    if all(finite.get(x, True) for x in results):
        return None
    guilty = reachable([x for x in results if not finite.get(x, True)])
    return next(x for x in guilty if not finite.get(x, True))


def _said(node: Node, known: Mapping[Node, float], declared: Mapping[str, float]) -> str:
    below = node.args[-1] if node.op is DIV else node
    symbols = sorted(symbols_of([below]), key=lambda x: x.id)
    at = ", ".join(f"{x.name} = {known[x]:g}" for x in symbols)
    does = f"divides by {text(below)}" if node.op is DIV else f"holds {text(node)}"
    if all(known[x] == declared[x.name] for x in symbols):
        advice = "look whether everything that moves freely has inertia, and whether lengths and ratios may be so"
    else:
        advice = "if the mechanism makes sense there, declare the parameters with such values: another way may be found"
    return f"{does}, which cannot be done at {at}; {advice}"
