"""A system's functions for users: NumPy in and out, leading axes broadcast, `out=` and `dtype=` as in NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..model.mistakes import did_you_mean
from ..model.system import GROUND, System
from ..native import Cache
from ..native.function import HOST_BITS
from .call import Call, check_names, packed
from .library import Key, Library
from .readouts import AT, BY, Spot

Floats = NDArray[Any]
Inputs = Mapping[str, ArrayLike] | None
Time = ArrayLike | None
AXES = ("body", "ground")


class Energy(NamedTuple):
    """Kinetic and potential energy [J], each with the batch's shape."""

    kinetic: Floats
    potential: Floats

    @property
    def total(self) -> Floats:
        """Their sum."""
        found: Floats = self.kinetic + self.potential
        return found


def compile(system: System, dtype: DTypeLike = np.float64, *, cache: Cache | None = None) -> Compiled:
    """The system's functions; each is derived and compiled when it is first called, or read from the cache on disk.

    dtype: float64 or float32, in which everything is computed unless a call says otherwise. cache: of machine code, the
    user's own folder if left out.
    """
    if not isinstance(system, System):
        hint = "; call its .system() first" if hasattr(system, "system") else ""
        raise TypeError(f"a System is compiled, not a {type(system).__name__}{hint}")
    return Compiled(Library(system, cache), np.dtype(dtype), {}, {})


class Compiled:
    """Functions of one system at some parameters and inputs.

    Every function takes arrays whose last axes are its own (`q` (..., coordinates), `u`, `udot`, `f` (..., speeds)) and
    whose leading axes broadcast, and beside them

    - inputs: name -> value, for inputs whose value is not the declared one; values may have batch axes;
    - t: the time [s], 0 if left out; read where the system depends on time;
    - out, dtype: as NumPy's functions do; dtype=numpy.float32 computes in single precision.

    The first call of a function derives and compiles it.
    """

    def __init__(
        self,
        library: Library,
        dtype: np.dtype[Any],
        parameters: Mapping[str, ArrayLike],
        inputs: Mapping[str, ArrayLike],
    ) -> None:
        if dtype.char not in HOST_BITS:
            raise TypeError(f"compiled functions compute in float64 or float32, not in {dtype}")
        self.system = library.system
        self.dtype = dtype
        self._library = library
        self._parameters, self._inputs = dict(parameters), dict(inputs)
        self._calls: dict[str | Key, Call] = {}
        self._other: dict[np.dtype[Any], Compiled] = {}

    # -- views ----------------------------------------------------------------------------------------------------

    def in_mode(self, constraints: Iterable[str] = ()) -> Self:
        """The same functions with these switchable constraints on."""
        for name in constraints:
            known = [x for x, kind in self.system.constraints.items() if kind == "switchable"]
            raise KeyError(
                f"system {self.system.name!r} has no switchable constraint {name!r}; {did_you_mean(name, known)}"
            )
        return self

    def with_parameters(self, parameters: Mapping[str, ArrayLike]) -> Compiled:
        """The same functions at these values of parameters; what depends on parameters alone is computed once.

        Values may have batch axes, which are then axes of every call's result; the others stay as they are here.
        """
        known = self.system.parameters
        for name, value in parameters.items():
            if name not in known:
                raise KeyError(f"system {self.system.name!r} has no parameter {name!r}; {did_you_mean(name, known)}")
            _numbers(value, f"parameter {name!r}")
        return Compiled(self._library, self.dtype, {**self._parameters, **parameters}, self._inputs)

    def with_inputs(self, inputs: Mapping[str, ArrayLike]) -> Compiled:
        """The same functions with these values of inputs where a call gives none; values may have batch axes."""
        check_names(self.system, inputs)
        for name, value in inputs.items():
            _numbers(value, f"input {name!r}")
        return Compiled(self._library, self.dtype, self._parameters, {**self._inputs, **inputs})

    @property
    def parameters(self) -> dict[str, Any]:
        """Name -> the value that is computed with."""
        return {**self.system.parameters, **self._parameters}

    @property
    def inputs(self) -> dict[str, Any]:
        """Name -> the value where a call gives none."""
        return {**self.system.input_values, **self._inputs}

    # -- dynamics -------------------------------------------------------------------------------------------------

    def rates(self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """dq/dt (..., coordinates)."""
        return self._call("rates", (q, u), inputs, t, options)

    def forward_dynamics(
        self,
        q: ArrayLike,
        u: ArrayLike,
        f: ArrayLike | None = None,
        *,
        inputs: Inputs = None,
        t: Time = None,
        **options: Any,
    ) -> Floats:
        """The speeds' rates (..., speeds); f: generalized forces added to all declared ones, none if left out."""
        return self._call("forward_dynamics", (q, u, self._no_force if f is None else f), inputs, t, options)

    def inverse_dynamics(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any
    ) -> Floats:
        """Generalized forces (..., speeds) to be added to all declared ones so that the speeds change at udot."""
        return self._call("inverse_dynamics", (q, u, udot), inputs, t, options)

    def mass_matrix(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """(..., speeds, speeds)."""
        return self._call("mass_matrix", (q,), inputs, t, options)

    def bias_forces(
        self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any
    ) -> Floats:
        """h (..., speeds) of M u̇ + h = f: inverse dynamics at u̇ = 0, declared forces included."""
        return self._call("bias_forces", (q, u), inputs, t, options)

    def coriolis_matrix(
        self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any
    ) -> Floats:
        """C (..., speeds, speeds): C u are the velocity terms of the bias forces, Ṁ − 2 C is skew (Parsa's eq 40).

        Where all speeds are rates of coordinates and nothing moves as given.
        """
        return self._call("coriolis_matrix", (q, u), inputs, t, options)

    def gravity_forces(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """What holds the mechanism at rest against gravity (..., speeds)."""
        return self._call("gravity_forces", (q,), inputs, t, options)

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """Derivatives of inverse dynamics (..., speeds, ·) by "q", "u", "udot" and "parameters".

        "q": along the tangent, a column for each speed: how the forces change while that speed alone is 1.
        """
        return self._named("inverse_dynamics_derivatives", (q, u, udot), inputs, t)

    def forward_dynamics_derivatives(
        self, q: ArrayLike, u: ArrayLike, f: ArrayLike | None = None, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """Derivatives of forward dynamics (..., speeds, ·) by "q" (along the tangent), "u", "f" and "parameters"."""
        given = (q, u, self._no_force if f is None else f)
        return self._named("forward_dynamics_derivatives", given, inputs, t)

    def regressor(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any
    ) -> Floats:
        """Y (..., speeds, 10 · bodies): without loads and rotors, inverse dynamics is Y π.

        π: for each body in the system's order m, h_x, h_y, h_z, J_xx, J_yy, J_zz, J_xy, J_xz, J_yz: its mass [kg],
        first moment m c [kg m] and inertia about the origin of its frame [kg m²] (products as entries of the matrix),
        in its axes.
        """
        return self._call("regressor", (q, u, udot), inputs, t, options)

    # -- totals ---------------------------------------------------------------------------------------------------

    def energy(self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> Energy:
        """Kinetic energy, and potential energy of gravity (zero at the ground's origin) and springs [J]."""
        return Energy(*self._several("energy", (q, u), inputs, t))

    def momentum(self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """(..., 6): angular momentum about the mass centre [kg m²/s], then linear momentum [kg m/s]; ground axes."""
        return self._call("momentum", (q, u), inputs, t, options)

    def momentum_matrix(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """The centroidal momentum matrix (..., 6, speeds): momentum for a unit of each speed."""
        return self._call("momentum_matrix", (q,), inputs, t, options)

    def mass_center(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """Of all moving bodies (..., 3), in the ground frame [m]."""
        return self._call("mass_center", (q,), inputs, t, options)

    def mass_center_jacobian(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """Velocity of the mass centre for a unit of each speed (..., 3, speeds), ground axes."""
        return self._call("mass_center_jacobian", (q,), inputs, t, options)

    def outputs(
        self, q: ArrayLike, u: ArrayLike, f: ArrayLike | None = None, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """The model's named outputs, each with the batch's shape; f: as in `forward_dynamics`, for accelerations."""
        names = self.system.outputs
        if not names:
            return {}
        found = self._call("outputs", (q, u, self._no_force if f is None else f), inputs, t, {})
        return {name: found[..., k] for k, name in enumerate(names)}

    # -- bodies ---------------------------------------------------------------------------------------------------

    def pose(self, body: str, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """(..., 4, 4): the body's frame in the ground frame, rotation and origin [m] of a homogeneous matrix."""
        return self._call(("pose", Spot(self._body(body))), (q,), inputs, t, options)

    def jacobian(
        self,
        body: str,
        q: ArrayLike,
        at: str | ArrayLike | None = None,
        axes: str = "body",
        *,
        inputs: Inputs = None,
        t: Time = None,
        **options: Any,
    ) -> Floats:
        """(..., 6, speeds): angular, then linear velocity of a point of a body for a unit of each speed.

        at: the point: a name of the model's, or an offset (..., 3) in the body frame [m]; its origin if left out.
        axes: in which the velocities are given, "body" or "ground".
        """
        key, more = self._spot("jacobian", body, at, axes)
        return self._call(key, (q, *more), inputs, t, options)

    def jacobian_rate(
        self,
        body: str,
        q: ArrayLike,
        u: ArrayLike,
        at: str | ArrayLike | None = None,
        axes: str = "body",
        *,
        inputs: Inputs = None,
        t: Time = None,
        **options: Any,
    ) -> Floats:
        """The time derivative of the entries of `jacobian` (..., 6, speeds)."""
        key, more = self._spot("jacobian_rate", body, at, axes)
        return self._call(key, (q, u, *more), inputs, t, options)

    def operational_inertia(
        self,
        body: str,
        q: ArrayLike,
        at: str | ArrayLike | None = None,
        axes: str = "body",
        *,
        inputs: Inputs = None,
        t: Time = None,
        **options: Any,
    ) -> Floats:
        """(J M⁻¹ Jᵀ)⁻¹ (..., 6, 6) of `jacobian`'s J: the inertia felt by a hand that moves the body by this point.

        It exists where the six rows of J are independent; elsewhere the numbers mean nothing.
        """
        key, more = self._spot("operational_inertia", body, at, axes)
        return self._call(key, (q, *more), inputs, t, options)

    # -- configurations -------------------------------------------------------------------------------------------

    def integrate(self, q: ArrayLike, dq: ArrayLike, **options: Any) -> Floats:
        """q ⊕ dq (..., coordinates): the configuration after a step dq (..., speeds), for instance u dt.

        Unit quaternions stay so; free, planar and spherical joints move as if their twist were constant in the moved
        frame. Joints in angles step by Γ(q) dq.
        """
        return self._call("integrate", (q, dq), None, None, options)

    def difference(self, q0: ArrayLike, q1: ArrayLike, **options: Any) -> Floats:
        """The step (..., speeds) that leads from q0 to q1: integrate(q0, difference(q0, q1)) is q1."""
        return self._call("difference", (q0, q1), None, None, options)

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _no_force(self) -> Floats:
        return np.zeros(len(self.system.speeds))

    def _call(
        self, key: str | Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time, options: dict[str, Any]
    ) -> Floats:
        """A read-out's one output; of those with several outputs, `_several` knows that they are a tuple."""
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = self._bound((key, None) if isinstance(key, str) else key)
        if inputs is None and t is None and not options and call.plain is not None:
            try:  # nothing but arrays: the shortest way, for a call takes less than a microsecond
                plain: Floats = call.plain(*arrays)
                return plain
            except (ValueError, TypeError):
                pass  # said better below
        if "dtype" in options:
            dtype = np.dtype(options.pop("dtype"))
            if dtype != self.dtype:
                return self._in(dtype)._call(key, arrays, inputs, t, options)
        found: Floats = call(arrays, inputs, t, options)
        return found

    def _several(self, key: str | Key, arrays: tuple[Any, ...], inputs: Inputs, t: Time) -> tuple[Floats, ...]:
        found: Any = self._call(key, arrays, inputs, t, {})
        return found if isinstance(found, tuple) else (found,)

    def _in(self, dtype: np.dtype[Any]) -> Compiled:
        """The same in another precision."""
        found = self._other.get(dtype)
        if found is None:
            found = self._other[dtype] = Compiled(self._library, dtype, self._parameters, self._inputs)
        return found

    def _bound(self, key: Key) -> Call:
        derived, outputs = self._library.derived(key)
        bound = None
        if not derived.is_empty:
            bound = self._library.function(key, self.dtype).bind(packed(self.system.parameters, self._parameters))
        return Call(self.system, derived, outputs, bound, self._inputs)

    def _named(self, name: str, arrays: tuple[Any, ...], inputs: Inputs, t: Time) -> dict[str, Floats]:
        """Several outputs, by name."""
        found = self._several(name, arrays, inputs, t)
        _, outputs = self._library.derived((name, None))
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
        if at is None:
            return (name, Spot(self._body(body), "", ground)), ()
        if not isinstance(at, str):
            return (name, Spot(self._body(body), AT, ground)), (at,)
        point = self.system.points.get(at)
        own = [x.name for x in self.system.points.values() if x.body == self._body(body)]
        if point is None or point.body != body:
            raise KeyError(f"body {body!r} has no point {at!r}; {did_you_mean(at, own)}")
        return (name, Spot(body, at, ground)), ()

    def __repr__(self) -> str:
        given = {**self._parameters, **self._inputs}
        values = f" at {', '.join(given)}" if given else ""
        return f"<{self.system.name!r} compiled in {self.dtype}{values}>"


def _numbers(value: ArrayLike, what: str) -> None:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {value!r}; a number or an array of numbers is needed") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{what} has a value that is not finite")


