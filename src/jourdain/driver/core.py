"""What every compiled function of a system needs: where it is made, at which values, and how it is called."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..equations.constraints import active
from ..model.mistakes import did_you_mean
from ..model.system import GROUND, System
from ..native import Cache
from ..native.function import HOST_BITS
from .call import Call, by_name, check_names, packed
from .faults import check_finite
from .first import first_rates
from .library import Derived, Key, Library
from .readouts import AT, BY, MODE_READOUTS, READOUTS, Spot

Floats = NDArray[Any]
Inputs = Mapping[str, ArrayLike] | None
Time = ArrayLike | None
AXES = ("body", "ground")
CONSTRAINED = ("mobility", "operational_inertia")  # read-outs of a body that depend on the mode
FORWARD = "forward_dynamics"
WHOLE = (*READOUTS, "forward_dynamics_derivatives")  # what is asked of a whole system, by the names of methods
Kind = TypeVar("Kind", bound="Core")


class Core:
    """Functions of one system at some parameters and inputs, in one mode; nothing to be called yet."""

    def __init__(
        self,
        library: Library,
        dtype: np.dtype[Any],
        parameters: Mapping[str, ArrayLike],
        inputs: Mapping[str, ArrayLike],
        mode: tuple[str, ...] = (),
    ) -> None:
        if dtype.char not in HOST_BITS:
            raise TypeError(f"compiled functions compute in float64 or float32, not in {dtype}")
        self.system = library.system
        self.dtype = dtype
        self._library = library
        self._parameters, self._inputs = dict(parameters), dict(inputs)
        self.mode = mode
        self._imposed = active(library.system, mode)
        self._modes: dict[tuple[str, ...], Self] = {}
        self._calls: dict[str | Key, Call] = {}
        self._other: dict[np.dtype[Any], Self] = {}

    # -- views ----------------------------------------------------------------------------------------------------

    def in_mode(self, constraints: Iterable[str] = ()) -> Self:
        """The same functions with exactly these switchable constraints on; the permanent ones always hold."""
        wanted = {constraints} if isinstance(constraints, str) else set(constraints)
        known = [x for x, kind in self.system.constraints.items() if kind == "switchable"]
        for name in sorted(wanted):
            if name not in known:
                said = " is permanent, it always holds" if name in self.system.constraints else ""
                raise KeyError(
                    f"system {self.system.name!r} has no switchable constraint {name!r}"
                    + (f": it{said}" if said else f"; {did_you_mean(name, known)}")
                )
        for name in sorted(wanted & self.system.found_while_moving):
            raise ValueError(
                f"constraint {name!r} of system {self.system.name!r} is of the features of two polyhedra that face "
                "each other, which a simulation finds while they move; it cannot be switched on by hand"
            )
        mode = tuple(x for x in known if x in wanted)
        if mode == self.mode:
            return self
        if mode not in self._modes:
            self._modes[mode] = self._view(mode=mode)
        return self._modes[mode]

    def with_parameters(self, parameters: Mapping[str, ArrayLike]) -> Self:
        """The same functions at these values of parameters; what depends on parameters alone is computed once.

        Values may have batch axes, which are then axes of every call's result; the others stay as they are here.
        """
        known = self.system.parameters
        by_name(parameters, "parameters")
        for name in parameters:
            if name not in known:
                raise KeyError(f"system {self.system.name!r} has no parameter {name!r}; {did_you_mean(name, known)}")
        return self._view(parameters=_together(self._parameters, parameters, "parameter"))

    def with_inputs(self, inputs: Mapping[str, ArrayLike]) -> Self:
        """The same functions with these values of inputs where a call gives none; values may have batch axes."""
        check_names(self.system, inputs)
        return self._view(inputs=_together(self._inputs, inputs, "input"))

    def ready(self, *quantities: str) -> Self:
        """The same functions, the code of these ("forward_dynamics", …) made now or read from the cache.

        Then no call waits for it, and all answers are the code's, to the last bit; `forward_dynamics` answers its very
        first call before there is code, where one state is asked for.
        """
        for name in quantities:
            self._bound(self._key(name))
        return self

    def derived(self, quantity: str) -> Derived:
        """The program of a whole system's function ("forward_dynamics", …) in this mode, for other targets."""
        return self._library.derived(self._key(quantity))[0]

    def _key(self, name: str) -> Key:
        if name not in WHOLE:
            raise KeyError(f"no function of a whole system is called {name!r}; {did_you_mean(name, WHOLE)}")
        bound = name not in READOUTS or self._imposed or (name == FORWARD and self.system.frictions)
        return name, self._imposed if bound and name in MODE_READOUTS else None

    @property
    def parameters(self) -> dict[str, Any]:
        """Name -> the value that is computed with."""
        return {**self.system.parameters, **self._parameters}

    @property
    def inputs(self) -> dict[str, Any]:
        """Name -> the value where a call gives none."""
        return {**self.system.input_values, **self._inputs}

    @property
    def cache(self) -> Cache | None:
        """Where machine code is kept; the user's own folder if None."""
        return self._library.cache

    # -- inside ---------------------------------------------------------------------------------------------------

    def _view(
        self,
        *,
        dtype: np.dtype[Any] | None = None,
        parameters: Mapping[str, ArrayLike] | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        mode: tuple[str, ...] | None = None,
    ) -> Self:
        """The same library, seen in another way."""
        return type(self)(
            self._library,
            self.dtype if dtype is None else dtype,
            self._parameters if parameters is None else parameters,
            self._inputs if inputs is None else inputs,
            self.mode if mode is None else mode,
        )

    @functools.cached_property
    def _no_force(self) -> Floats:
        return np.zeros(len(self.system.speeds))

    def _call(
        self, key: str | Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time, options: dict[str, Any]
    ) -> Floats:
        """A read-out's one output; of those with several outputs, `_several` knows that they are a tuple."""
        call = self._calls.get(key)
        if call is None:
            first = None if options else self._first(key, arrays, inputs, t)
            if first is not None:
                return first
            call = self._calls[key] = self._bound((key, None) if isinstance(key, str) else key)
        if inputs is None and t is None and call.plain is not None and "dtype" not in options:
            try:  # nothing but arrays: the shortest way, for a call takes less than a microsecond
                plain: Floats = call.plain(*arrays, **options)
                return plain
            except (ValueError, TypeError):
                pass  # said better below
        if "dtype" in options:
            dtype = np.dtype(options.pop("dtype"))
            if dtype != self.dtype:
                return self._in(dtype)._call(key, arrays, inputs, t, options)
        found: Floats = call(arrays, inputs, t, options)
        return found

    def _first(self, key: str | Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time) -> Floats | None:
        """The answer of a first call at one state, for which no code is made; None where code is to answer."""
        name, imposed = (key, None) if isinstance(key, str) else key
        if name != FORWARD or not self._library.is_first((name, imposed)) or self.dtype != np.float64:
            return None
        if inputs is not None:
            check_names(self.system, inputs)
        given = packed(self.system.input_values, {**self._inputs, **(inputs or {})}, "input")
        values = packed(self.system.parameters, self._parameters, "parameter")
        counts = (len(self.system.coordinates), *(len(self.system.speeds),) * 2)
        state = [np.asarray(x) for x in (*arrays, 0.0 if t is None else t)]
        wanted = [*((count,) for count in counts), ()]
        plain = [x.shape for x in state] == wanted and all(np.can_cast(x.dtype, np.float64) for x in state)
        if not plain or given.ndim > 1 or values.ndim > 1:
            return None
        q, u, f, now = (x.astype(np.float64) for x in state)
        mode = imposed if isinstance(imposed, tuple) else ()
        parameters = dict(zip(self.system.parameters, values.tolist()))
        inputs_now = dict(zip(self.system.input_values, given.tolist()))
        return first_rates(self.system, mode, parameters, inputs_now, float(now), q, u, f)

    def _several(self, key: str | Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time) -> tuple[Floats, ...]:
        found: Any = self._call(key, arrays, inputs, t, {})
        return found if isinstance(found, tuple) else (found,)

    def _in(self, dtype: np.dtype[Any]) -> Self:
        """The same in another precision."""
        found = self._other.get(dtype)
        if found is None:
            found = self._other[dtype] = self._view(dtype=dtype)
        return found

    def _bound(self, key: Key) -> Call:
        derived, outputs = self._library.derived(key)
        bound = None
        if not derived.is_empty:
            values = packed(self.system.parameters, self._parameters, "parameter")
            function = self._library.function(key, self.dtype)
            bound = function.bind(values)
            check_finite(function, bound.hoisted, values, self.system)
        return Call(self.system, derived, outputs, bound, self._inputs)

    def _named(self, key: Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time) -> dict[str, Floats]:
        """Several outputs, by name."""
        found = self._several(key, arrays, inputs, t)
        _, outputs = self._library.derived(key)
        names = [block.name.removeprefix(BY) for block in outputs]
        return dict(zip(names, found))

    def _body(self, body: str) -> str:
        if body != GROUND:
            self.system.body(body)  # says what there is
        return body

    def _spot(self, name: str, body: str, at: str | ArrayLike | None, axes: str) -> tuple[Key, tuple[Any, ...]]:
        if axes not in AXES:
            raise ValueError(f'axes is {axes!r}; write "body" or "ground"')
        ground = axes == "ground"
        mode = self._imposed if name in CONSTRAINED else ()
        if at is None:
            return (name, Spot(self._body(body), "", ground, mode)), ()
        if not isinstance(at, str):
            return (name, Spot(self._body(body), AT, ground, mode)), (at,)
        point = self.system.points.get(at)
        own = [x.name for x in self.system.points.values() if x.body == self._body(body)]
        if point is None or point.body != body:
            raise KeyError(f"body {body!r} has no point {at!r}; {did_you_mean(at, own)}")
        return (name, Spot(body, at, ground, mode)), ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.system, self._library.cache, self.dtype, self._parameters, self._inputs,
                        self.mode)  # fmt: skip

    def __repr__(self) -> str:
        given = {**self._parameters, **self._inputs}
        values = f" at {', '.join(given)}" if given else ""
        values += f" in mode {', '.join(self.mode)}" if self.mode else ""
        return f"<{self.system.name!r} compiled in {self.dtype}{values}>"


def _again(
    kind: type[Kind],
    system: System,
    cache: Cache | None,
    dtype: np.dtype[Any],
    parameters: Mapping[str, ArrayLike],
    inputs: Mapping[str, ArrayLike],
    mode: tuple[str, ...],
) -> Kind:
    """A copy, in this process or another: derived and compiled anew, or rather read from the cache."""
    return kind(Library(system, cache), dtype, parameters, inputs, mode)


def _together(held: Mapping[str, Any], given: Mapping[str, ArrayLike], what: str) -> dict[str, Any]:
    """Values held and values given instead; copies, for what is done to the user's arrays later must change nothing."""
    found = {**held, **{name: _numbers(value, f"{what} {name!r}") for name, value in given.items()}}
    packed(dict.fromkeys(found, 0.0), found, what)  # says which of them do not broadcast
    return found


def _numbers(value: ArrayLike, what: str) -> Floats | float:
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {value!r}; a number or an array of numbers is needed") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{what} has a value that is not finite")
    array.flags.writeable = False
    return array if array.ndim else float(array)
