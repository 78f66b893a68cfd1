"""Python functions of (t, q, u) that compiled code calls: inputs, and conditions of switches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..driver.call import by_name
from ..model.mistakes import did_you_mean
from ..model.system import System

if TYPE_CHECKING:
    from .run import Run

Floats = NDArray[np.float64]
Function = Callable[[float, Floats, Floats], Any]


class FunctionError(ValueError):
    """A function that was given to `simulate` raised an exception, or answered no finite number.

    t: when it was asked [s]. run: what was computed until then; None where the run had not begun.
    """

    def __init__(self, message: str, t: float) -> None:
        super().__init__(message)
        self.t = t
        self.run: Run | None = None


@dataclass(frozen=True)
class Called:
    """As compiled code calls it, with (t, q, u) in one array. what: whose it is, for messages."""

    what: str
    function: Function
    coordinates: int

    def __call__(self, source: Floats, target: Floats) -> None:
        """target[0] = f(t, q, u)"""
        t, y = float(source[0]), source[1:].copy()  # the user's to keep
        try:
            value = self.function(t, y[: self.coordinates], y[self.coordinates :])
        except Exception as error:
            raise FunctionError(
                f"the function of {self.what} raised {type(error).__name__} at t = {t:g}: {error}", t
            ) from error
        target[0] = value if type(value) is float else number(self.what, value, t)
        if not np.isfinite(target[0]) and np.isfinite(y).all():
            raise FunctionError(f"the function of {self.what} answers {target[0]} at t = {t:g}", t)


def number(what: str, value: object, t: float) -> float:
    """The one that a function answered."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise FunctionError(f"the function of {what} answers {value!r} at t = {t:g}, no number", t) from None
    if found.size != 1:
        raise FunctionError(f"the function of {what} answers {found.size} numbers at t = {t:g}, not one", t)
    return float(found.reshape(()))


def conditions_of(system: System, given: Mapping[str, Function] | None) -> dict[str, Function]:
    """The functions by which a system's constraints are switched, each given, and no other."""
    calls = {} if given is None else given
    by_name(calls, "calls")
    for name, function in calls.items():
        if name not in system.calls:
            raise KeyError(
                f"no switch of system {system.name!r} asks for a function {name!r}; {did_you_mean(name, system.calls)}"
            )
        if not callable(function):
            raise TypeError(f"calls[{name!r}] is {function!r}; a function of (t, q, u) is needed")
    missing = [name for name in system.calls if name not in calls]
    if missing:
        said = ", ".join(f"{name!r}: function of (t, q, u)" for name in missing)
        raise ValueError(f"switches of system {system.name!r} ask for functions; give simulate calls={{{said}}}")
    return dict(calls)
