"""Several symbols by name, as a model answers them."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import Node
from .mistakes import did_you_mean


class Symbols:
    """Several symbols: `p.m_B` or `p["m B"]`, or all of them in order, as in `a, b = m.parameters(a=1, b=2)`."""

    __slots__ = ("_nodes",)

    def __init__(self, nodes: dict[str, Node]) -> None:
        self._nodes = nodes

    def __getattr__(self, name: str) -> Node:
        if not name.startswith("__") and name in self._nodes:
            return self._nodes[name]
        raise AttributeError(f"no {name!r} here; {did_you_mean(name, self._nodes)}")

    def __setattr__(self, name: str, value: object) -> None:
        if name == "_nodes":
            object.__setattr__(self, name, value)
            return
        raise AttributeError(
            f"{name!r} is a symbol or none, and stays so; values are given when it is declared, and changed by "
            "with_parameters or with_inputs of the compiled system"
        )

    def __repr__(self) -> str:
        return f"<symbols {', '.join(self._nodes)}>" if self._nodes else "<no symbols>"

    def __getitem__(self, name: str) -> Node:
        if name in self._nodes:
            return self._nodes[name]
        raise KeyError(f"no {name!r} here; {did_you_mean(name, self._nodes)}")

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def __len__(self) -> int:
        return len(self._nodes)

    def __dir__(self) -> list[str]:
        return list(self._nodes)
