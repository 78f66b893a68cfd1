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
            self._explain(arrays, options.get("out"), error)
            raise

    # -- what is left out -----------------------------------------------------------------------------------------

    def _with_more(
        self, arrays: tuple[Any, ...], inputs: Mapping[str, ArrayLike] | None, t: ArrayLike | None
    ) -> tuple[Any, ...]:
        if self.takes_inputs:
            given = {**self.values, **inputs} if inputs else self.values
            arrays += (packed(self.system.input_values, given, "input"),)
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

    def _explain(self, arrays: tuple[Any, ...], out: Any, error: Exception) -> None:
        """A sentence instead of NumPy's, where an array's last axes, or all arrays' leading ones, do not fit."""
        batches: dict[str, tuple[int, ...]] = {}
        for x, block in zip(arrays, self.blocks):
            wanted = block.dimensions
            kind = getattr(x, "dtype", None)
            if isinstance(kind, np.dtype) and kind.kind in "fc" and not np.can_cast(kind, np.float64):
                raise TypeError(f"{block.name} is of {kind}; compiled functions take float64 or less") from error
            try:
                shape = np.shape(np.asarray(x, dtype=float))
            except (ValueError, TypeError):
                shape = None
            if shape is None or x is None:  # NumPy takes None for NaN
                raise TypeError(f"{block.name} is {_shown(x)}; an array of numbers is needed") from error
            if shape[len(shape) - len(wanted) :] != wanted or len(shape) < len(wanted):
                axis = f"its last axis must have {_elements(wanted[0])}" if wanted else "a number is needed"
                raise ValueError(f"{block.name} has the shape {shape}; {axis}{_named(self.system, block)}") from error
            batches[block.name] = shape[: len(shape) - len(wanted)]
        if self.bound is not None:
            batches["parameters"] = self.bound.hoisted.shape[:-1]
        batch = broadcast(batches)
        if len(self.outputs) == 1 and out is not None:
            given = out[0] if isinstance(out, tuple) and len(out) == 1 else out
            if not isinstance(given, np.ndarray):
                raise TypeError(f"out is {_shown(out)}; an array is needed") from error
            result = (*batch, *self.outputs[0].dimensions)
            if given.shape != result and isinstance(error, ValueError):
                raise ValueError(f"out has the shape {given.shape}; the result has {result}") from error


def packed(defaults: Mapping[str, float], given: Mapping[str, ArrayLike], what: str) -> Floats:
    """Values (..., names) of named numbers, each of which may have batch axes; what: one of them, for messages."""
    if not given:
        return np.array(list(defaults.values()), dtype=float)
    columns = []
    for name, value in defaults.items():
        try:
            columns.append(np.asarray(given.get(name, value), dtype=float))
        except (TypeError, ValueError):
            shown = _shown(given[name])
            raise TypeError(f"{what} {name!r} is {shown}; a number or an array of numbers is needed") from None
    batch = broadcast({f"{what} {name!r}": x.shape for name, x in zip(defaults, columns)})
    return np.stack([np.broadcast_to(x, batch) for x in columns], axis=-1)


def broadcast(batches: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """The batch's shape; ValueError with all that take part where their leading axes do not broadcast."""
    try:
        return np.broadcast_shapes(*batches.values())
    except ValueError:
        shapes = ", ".join(f"{name} {shape}" for name, shape in batches.items() if shape)
        raise ValueError(f"leading axes do not broadcast: {shapes}") from None


def _elements(count: int) -> str:
    return f"{count} element{'' if count == 1 else 's'}"


def by_name(values: object, what: str) -> None:
    """Values are given as a mapping."""
    if not isinstance(values, Mapping):
        raise TypeError(f'{what} are given by name, like {{"name": 1.0}}, not as {_shown(values)}')


def check_names(system: System, inputs: Mapping[str, ArrayLike]) -> None:
    """Every name must be an input of the system."""
    by_name(inputs, "inputs")
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
