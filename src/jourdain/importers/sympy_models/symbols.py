"""The symbols of a SymPy model, each with its name here: coordinates, speeds, parameters, inputs, time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...graph import Graph, Node, Role, symbols_of
from ...model.arguments import is_name
from ...model.guide import RATE
from ...model.system import TIME

Expression = Any
GOLDEN = 0.6180339887498949


class Names:
    """Names that are good and taken once each."""

    def __init__(self) -> None:
        self.taken: set[str] = {TIME}

    def free(self, wanted: str, otherwise: str) -> str:
        """The wanted name, without what no name may hold, with underscores after it where it is taken."""
        name = "".join(x if x.isprintable() and x not in "\\'\"`" else "_" for x in wanted).strip()
        if not is_name(name):
            name = f"{otherwise} {name}".strip() if is_name(f"{otherwise} {name}".strip()) else otherwise
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


class Symbols(Mapping[Expression, Node]):
    """SymPy's symbols and functions of time as nodes; what is no coordinate and no speed is a parameter or an input.

    values: of parameters and inputs, by SymPy's symbol or by name.
    """

    def __init__(
        self,
        graph: Graph,
        q: tuple[Expression, ...],
        u: tuple[Expression, ...],
        auxiliary: tuple[Expression, ...],
        values: Mapping[Any, float],
    ) -> None:
        from sympy import Derivative, Symbol
        from sympy.core.function import AppliedUndef
        from sympy.physics.vector import dynamicsymbols

        self.graph, self.names, self.time = graph, Names(), dynamicsymbols._t
        self._derivative, self._symbol, self._function = Derivative, Symbol, AppliedUndef
        self.given = {str(key): float(value) for key, value in values.items()}
        self.unused = set(self.given)
        self.parameters: dict[str, float] = {}
        self.inputs: dict[str, float] = {}
        self.input_rates: dict[str, str] = {}
        self._sources: dict[Node, Expression] = {}  # an input -> SymPy's function or derivative
        self.known: dict[Expression, Node] = {self.time: graph.symbol(TIME, Role.TIME)}
        self.q = tuple(self._coordinate(x) for x in q)
        self.rates = tuple(graph.symbol(RATE.format(x.name), Role.SPEED) for x in self.q)
        # What their derivatives are, first and second; SymPy makes each a Derivative only where one is written.
        self._changes: dict[Expression, tuple[Node, ...]] = {
            x: (rate, graph.symbol(RATE.format(rate.name), Role.ACCELERATION)) for x, rate in zip(q, self.rates)
        }
        self.speed_names: list[str] = []
        self.u = tuple(self._speed(x) for x in u)
        for x in auxiliary:
            self.known[x] = graph.zero
            self._changes[x] = (graph.zero,)

    def _coordinate(self, q: Expression) -> Node:
        found = self.known[q] = self.graph.symbol(self.names.free(_called(q), "q"), Role.COORDINATE)
        return found

    def _speed(self, u: Expression) -> Node:
        """A speed that is a coordinate's derivative is called as the coordinate, its symbol has "u_" before that."""
        still = self.graph.zero  # a speed's rate, in what is asked for where no speed changes
        if isinstance(u, self._derivative):
            q = u.args[0]
            name = self.known[q].name
            symbol = self.graph.symbol(self.names.free(f"u_{name}", "u"), Role.SPEED)
            self._changes[q] = (symbol, still)
        else:
            name = self.names.free(_called(u), "u")
            symbol = self.graph.symbol(name, Role.SPEED)
            self._changes[u] = (still,)
        self.speed_names.append(name)
        self.known[u] = symbol
        return symbol

    # -- as a mapping ---------------------------------------------------------------------------------------------

    def __contains__(self, key: object) -> bool:
        return key in self.known or self._learn(key)

    def __getitem__(self, key: Expression) -> Node:
        found = self.known.get(key)
        if found is None:
            if not self._learn(key):
                raise KeyError(key)
            found = self.known[key]
        return found

    def __iter__(self) -> Iterator[Expression]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def _learn(self, key: Any) -> bool:
        """A parameter, an input or an input's derivative."""
        if isinstance(key, self._symbol):
            name = self.names.free(key.name, "parameter")
            self.known[key] = self.graph.symbol(name, Role.PARAMETER)
            # Without a value, one of its own, so that nothing vanishes or coincides by chance.
            self.parameters[name] = self._value(key, name, 1.0 + (GOLDEN * (len(self.parameters) + 1)) % 1.0)
            return True
        if isinstance(key, self._function) and key.args == (self.time,):
            name = self.names.free(_called(key), "input")
            return self._input(key, name)
        if isinstance(key, self._derivative) and key.variables == (self.time,) * len(key.variables):
            changes = self._changes.get(key.args[0])
            if changes is not None:
                if len(key.variables) > len(changes):
                    return False
                self.known[key] = changes[len(key.variables) - 1]
                return True
            inner = key.args[0] if len(key.variables) == 1 else key.args[0].diff(self.time, len(key.variables) - 1)
            if inner not in self or not self[inner].is_symbol or self[inner].role is not Role.INPUT:
                return False
            of = self[inner].name
            name = f"{of}dot"
            while name in self.names.taken:
                name += "_"
            self.names.taken.add(name)
            self.input_rates[of] = name
            return self._input(key, name)
        return False

    def _input(self, key: Expression, name: str) -> bool:
        symbol = self.known[key] = self.graph.symbol(name, Role.INPUT)
        self._sources[symbol] = key
        self.inputs[name] = self._value(key, name, 0.0)
        return True

    def differentiable(self, nodes: Iterable[Node]) -> None:
        """Every input that these hold gets its derivative, an input too."""
        for symbol in symbols_of([x for x in nodes if x.roles & Role.INPUT.bit]):
            if symbol.role is Role.INPUT and symbol.name not in self.input_rates:
                self._learn(self._sources[symbol].diff(self.time))

    def _value(self, key: Expression, name: str, otherwise: float) -> float:
        for word in (str(key), name):
            if word in self.given:
                self.unused.discard(word)
                return self.given[word]
        return otherwise


def _called(function: Expression) -> str:
    return str(function.func.__name__)
