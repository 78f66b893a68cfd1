"""A finished system in other generalized speeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .arguments import Scalar
from .model import Model
from .system import System, must_be_system

LETTERS = ("u", "w", "s", "speed ")


def with_speeds(system: System, choose: Callable[[Model], Mapping[str, Scalar]]) -> System:
    """The same system in other generalized speeds.

    choose: is given a model of the system, whose speeds are the joints' own, and answers the definitions by name, as
    `Model.speeds` takes them; no definitions stand for the joints' own speeds.
    """
    must_be_system(system, "given other speeds")
    if not callable(choose):
        raise TypeError(
            f"the choice of speeds is {choose!r}; a function is needed that is given the model and answers the "
            "definitions, like lambda m: {\"u1\": 2 * m[\"elbow\"].speed}"
        )
    model = Model.without_speeds(system)
    definitions = choose(model)
    if definitions:
        model.speeds(definitions)
    return model.system()


def fresh_names(model: Model, count: int) -> list[str]:
    """u1, u2, …; with another letter where one of these is a coordinate's, a parameter's, … already."""
    taken = {x.name for x in model.graph.symbols}
    for letter in LETTERS:
        names = [f"{letter}{k}" for k in range(1, count + 1)]
        if taken.isdisjoint(names):
            break
    return names
