"""One read-out, ready to be called: what the caller leaves out is put in, and what is wrong is said kindly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.mistakes import did_you_mean
from ..model.system import System
from ..native import Bound
from ..program import Block

if TYPE_CHECKING:
    from .library import Derived

Floats = NDArray[Any]


class Call:
    """A bound function, with the inputs and the time that it takes beside its arguments."""

    __slots__ = ("blocks", "bound", "more", "outputs", "plain", "system", "takes_inputs", "takes_time", "values")

    def __init__(
        self,
        system: System,
        derived: Derived,
        outputs: Sequence[Block],
        bound: Bound | None,
        values: Mapping[str, ArrayLike],
    ) -> None:
        self.system, self.bound, self.values = system, bound, values
        self.blocks, self.outputs = derived.program.inputs, tuple(outputs)
        self.takes_inputs, self.takes_time = derived.takes_inputs, derived.takes_time
        self.more = self.takes_inputs or self.takes_time or bound is None
        # The gufunc itself, where nothing has to be done around it.
        self.plain = bound.ufunc if type(bound) is Bound and not self.more else None

    def __call__(
        self,
        arrays: tuple[Any, ...],
        inputs: Mapping[str, ArrayLike] | None,
        t: ArrayLike | None,
        options: dict[str, Any],
    ) -> Any:
        if inputs is not None:
            check_names(self.system, inputs)
        if self.more:
            arrays = self._with_more(arrays, inputs, t)
            if self.bound is None:
                return self._nothing(arrays)
        try:
            return self.bound(*arrays, **options)  # type: ignore[misc]
        except (ValueError, TypeError) as error:
            self._explain(arrays, error)
            raise

    # -- what is left out -----------------------------------------------------------------------------------------

    def _with_more(
        self, arrays: tuple[Any, ...], inputs: Mapping[str, ArrayLike] | None, t: ArrayLike | None
    ) -> tuple[Any, ...]:
        if self.takes_inputs:
            given = {**self.values, **inputs} if inputs else self.values
            arrays += (packed(self.system.input_values, given),)
        if self.takes_time:
            arrays += (0.0 if t is None else t,)
        return arrays

    def _nothing(self, arrays: tuple[Any, ...]) -> Any:
        """Results without elements, of the batch's shape."""
        batch = np.broadcast_shapes(
            *(np.shape(x)[: np.ndim(x) - len(block.dimensions)] for x, block in zip(arrays, self.blocks))
        )
        found = tuple(np.empty((*batch, *block.dimensions)) for block in self.outputs)
        return found if len(found) > 1 else found[0]

    # -- what is wrong --------------------------------------------------------------------------------------------

    def _explain(self, arrays: tuple[Any, ...], error: Exception) -> None:
        """A sentence instead of NumPy's, where an array's last axes are not what they must be."""
        for x, block in zip(arrays, self.blocks):
            wanted = block.dimensions
            try:
                shape = np.shape(np.asarray(x, dtype=float))
            except (ValueError, TypeError):
                raise TypeError(f"{block.name} is {_shown(x)}; an array of numbers is needed") from error
            if shape[len(shape) - len(wanted) :] != wanted or len(shape) < len(wanted):
                axis = f"its last axis must have {wanted[0]} elements" if wanted else "a number is needed"
                raise ValueError(f"{block.name} has the shape {shape}; {axis}{_named(self.system, block)}") from error


def packed(defaults: Mapping[str, float], given: Mapping[str, ArrayLike]) -> Floats:
    """Values (..., names) of named numbers, each of which may have batch axes."""
    if not given:
        return np.array(list(defaults.values()), dtype=float)
    columns = [np.asarray(given.get(name, value), dtype=float) for name, value in defaults.items()]
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


def check_names(system: System, inputs: Mapping[str, ArrayLike]) -> None:
    """Every name must be an input of the system."""
    for name in inputs:
        if name not in system.input_values:
            raise KeyError(f"system {system.name!r} has no input {name!r}; {did_you_mean(name, system.inputs)}")


def _named(system: System, block: Block) -> str:
    names = {"q": system.coordinates, "q1": system.coordinates, "u": system.speeds, "udot": system.speeds,
             "f": system.speeds, "dq": system.speeds,
             "dp": system.joint_speeds, "inputs": system.inputs}.get(block.name, ())  # fmt: skip
    if not names:
        return ""
    return f" ({', '.join(names[:12])}{', …' if len(names) > 12 else ''})"


def _shown(x: object) -> str:
    text = repr(x)
    return text if len(text) <= 60 else text[:57] + "..."
