"""A system's functions for users: NumPy in and out, leading axes broadcast, `out=` and `dtype=` as in NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ..model.system import System, must_be_system
from ..native import Cache
from .core import Floats, Inputs, Time
from .library import Library
from .reacting import Reacting
from .readouts import Spot


class Energy(NamedTuple):
    """Kinetic and potential energy [J], each with the batch's shape."""

    kinetic: Floats
    potential: Floats

    @property
    def total(self) -> Floats:
        """Their sum."""
        found: Floats = self.kinetic + self.potential
        return found


class MassAndBias(NamedTuple):
    """M and h of the equations of motion M u̇ + h = f."""

    mass_matrix: Floats
    bias_forces: Floats


class SpeedRelations(NamedTuple):
    """Kane's Y (..., speeds, ·), Z (..., speeds), W (..., ·, speeds), X (..., ·): u = Y v + Z and v = W u + X."""

    Y: Floats
    Z: Floats
    W: Floats
    X: Floats


def compile(system: System, dtype: DTypeLike = np.float64, *, cache: Cache | None = None) -> Compiled:
    """The system's functions; each is derived and compiled when it is first called, or read from the cache on disk.

    dtype: float64 or float32, in which everything is computed unless a call says otherwise. cache: of machine code, the
    user's own folder if left out.
    """
    must_be_system(system, "compiled")
    return Compiled(Library(system, cache), np.dtype(dtype), {}, {})


class Compiled(Reacting):
    """Functions of one system at some parameters and inputs.

    Every function takes arrays whose last axes are its own (`q` (..., coordinates), `u`, `udot`, `f` (..., speeds)) and
    whose leading axes broadcast, and beside them

    - inputs: name -> value, for inputs whose value is not the declared one; values may have batch axes;
    - t: the time [s], 0 if left out; read where the system depends on time;
    - out, dtype: as NumPy's functions do; dtype=numpy.float32 computes in single precision.

    The first call of a function derives and compiles it. That of `forward_dynamics`, at one state, does not wait for
    code: its equations are evaluated with numbers, and solved by LAPACK, which takes milliseconds and agrees with the
    code to rounding. `ready` makes code beforehand.
    """

    # -- speeds ---------------------------------------------------------------------------------------------------

    def speed_relations(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> SpeedRelations:
        """How the generalized speeds u and the joints' own speeds p belong together: u = Y p + Z and p = W u + X.

        Where the definitions tell p at almost every configuration but not at this one (a gimbal in lock), W and X are
        not finite, and neither is what is computed with them; nothing is raised.
        """
        return SpeedRelations(*self._several("speed_relations", (q,), inputs, t))

    def rate_relations(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> SpeedRelations:
        """The same for the rates of the coordinates, u = Y q̇ + Z and q̇ = W u + X; of a unit quaternion, for rates
        that keep its length."""
        return SpeedRelations(*self._several("rate_relations", (q,), inputs, t))

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
        """The speeds' rates (..., speeds); f: generalized forces added to all declared ones, none if left out.

        The mode's constraints are satisfied: their rows stay at zero where they are zero.

        Code is made at the second call, or at a first one for a batch, with `out` or in single precision.
        """
        bound = self._imposed or self.system.frictions
        key = ("forward_dynamics", self._imposed) if bound else "forward_dynamics"
        return self._call(key, (q, u, self._no_force if f is None else f), inputs, t, options)

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

    def mass_and_bias(self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> MassAndBias:
        """M (..., speeds, speeds) and h (..., speeds) of M u̇ + h = f together, which costs less than one by one."""
        return MassAndBias(*self._several("mass_and_bias", (q, u), inputs, t))

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
        """Derivatives of inverse dynamics (..., speeds, ·) by "q", "u", "udot", "parameters" and "inputs".

        "q": along the tangent, a column for each speed: how the forces change while that speed alone is 1. With
        generalized speeds there is "joints", too, a column for each of the joints' own speeds: where the speeds satisfy
        constraints by themselves, there are more ways for a position to differ than ways to move.
        """
        return self._named(("inverse_dynamics_derivatives", None), (q, u, udot), inputs, t)

    def forward_dynamics_derivatives(
        self, q: ArrayLike, u: ArrayLike, f: ArrayLike | None = None, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """Derivatives of forward dynamics (..., speeds, ·) by "q", "u", "f", "parameters" and "inputs".

        Those of the rates that satisfy the mode's constraints; "q" and "joints" as for inverse dynamics.
        """
        given = (q, u, self._no_force if f is None else f)
        return self._named(("forward_dynamics_derivatives", self._imposed), given, inputs, t)

    def tangent(self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> dict[str, Floats]:
        """How a small step ξ of the joints from q grows: "rates" (..., joint speeds) at ξ = 0, the joints' speeds.

        And its derivatives (..., joint speeds, ·) by "joints" (ξ itself), "u" and "inputs"; configurations near q are
        those that the joints reach by ξ, as `integrate` takes steps.
        """
        return self._named(("tangent", None), (q, u), inputs, t)

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
        """The model's named outputs, each with the batch's shape; f: as in `forward_dynamics`, for accelerations.

        Accelerations satisfy the mode's constraints.
        """
        names = self.system.outputs
        if not names:
            return {}
        key = ("outputs", self._imposed) if self._imposed else "outputs"
        found = self._call(key, (q, u, self._no_force if f is None else f), inputs, t, {})
        return {name: found[..., k] for k, name in enumerate(names)}

    # -- bodies ---------------------------------------------------------------------------------------------------

    def pose(self, body: str, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """(..., 4, 4): the body's frame in the ground frame, rotation and origin [m] of a homogeneous matrix."""
        return self._call(("pose", Spot(self._body(body))), (q,), inputs, t, options)

    def poses(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None, **options: Any) -> Floats:
        """(..., bodies, 4, 4): the poses of all bodies together, in the system's order."""
        return self._call("poses", (q,), inputs, t, options)

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
        """The inverse of `mobility` (..., 6, 6): the inertia felt by a hand that moves the body by this point.

        It exists where the body can move in all six ways; elsewhere the numbers mean nothing, and `mobility` says what
        there is.
        """
        key, more = self._spot("operational_inertia", body, at, axes)
        return self._call(key, (q, *more), inputs, t, options)

    def mobility(
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
        """J M⁻¹ Jᵀ (..., 6, 6) of `jacobian`'s J: how a unit moment or force at this point accelerates the body.

        Under the mode's constraints: what they prevent is zero.
        """
        key, more = self._spot("mobility", body, at, axes)
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
