"""The language: a hash-consed graph of scalars. It knows no mechanics."""

from .count import Counts, count
from .interpret import interpret
from .node import (
    Graph,
    Node,
    absolute,
    acos,
    asin,
    atan2,
    cos,
    equal,
    exp,
    floor,
    less,
    less_equal,
    log,
    maximum,
    minimum,
    not_equal,
    power,
    select,
    sign,
    sin,
    sqrt,
    tan,
)
from .operations import BY_NAME, OPERATIONS, Cost, Operation, Role
from .order import reachable, symbols_of, uses
from .substitute import substitute, transfer

__all__ = [
    "BY_NAME", "OPERATIONS", "Cost", "Counts", "Graph", "Node", "Operation", "Role", "absolute", "acos", "asin",
    "atan2", "cos", "count", "equal", "exp", "floor", "interpret", "less", "less_equal", "log", "maximum", "minimum",
    "not_equal", "power", "reachable", "select", "sign", "sin", "sqrt", "substitute", "symbols_of", "tan", "transfer",
    "uses",
]
