"""
Compiled functions
==================

What a compiled system can be asked, and how: batches, parameters, inputs, `out`, single precision.
"""

import numpy as np

import jourdain as jd

arm = jd.gallery.stanford_arm()
d = jd.compile(arm)

# %%
# Dynamics
# --------
#
# All of them speak of :math:`M \dot u + h = f`.

rng = np.random.default_rng(1983)
q, u, udot = rng.uniform(-1.0, 1.0, (3, 6))

M, h, f = d.mass_matrix(q), d.bias_forces(q, u), d.inverse_dynamics(q, u, udot)
assert np.allclose(M @ udot + h, f, rtol=0, atol=1e-12)
assert np.allclose(d.forward_dynamics(q, u, f), udot, rtol=0, atol=1e-10)
assert np.allclose(d.coriolis_matrix(q, u) @ u + d.gravity_forces(q), h, rtol=0, atol=1e-12)

# %%
# When code is made
# -----------------
#
# A function is derived and compiled, or read from the disk, when it is first called. `forward_dynamics` answers its
# very first call before that, where one state is asked for: M, h and the constraints' rows are evaluated with numbers
# and solved by LAPACK, in a few milliseconds. The second call waits for the code. The two agree to rounding, not to the
# last bit; where that matters, or where no call is to wait, `ready` makes the code beforehand:

d.ready("forward_dynamics", "inverse_dynamics")

# %%
# Batches
# -------
#
# The last axis is the coordinate or the speed; all axes before it broadcast. A batch runs inside compiled code, several
# states at once in the processor's SIMD lanes. That code is made, or read from the disk, when a function has seen its
# first thousand states in batches: a first answer does not wait for it, and the answers are the same to the last bit.

states = rng.uniform(-1.0, 1.0, (3, 50, 20, 6))
print(d.inverse_dynamics(*states).shape)
print(d.inverse_dynamics(states[0], np.zeros(6), np.zeros(6)).shape)

# %%
# `out` is filled instead of a new array, and single precision is asked for by `dtype`, for one call or for all:

forces = np.empty((50, 20, 6))
d.inverse_dynamics(*states, out=forces)

single = jd.compile(arm, dtype=np.float32)
off = single.inverse_dynamics(*states) - forces
print(d.inverse_dynamics(*states, dtype=np.float32).dtype, f"{np.abs(off).max():.0e}")

# %%
# Parameters and inputs
# ---------------------
#
# `with_parameters` gives the same functions at other values. What depends on parameters alone is computed once, then;
# nothing is compiled. Values may have batch axes of their own, which broadcast against the states':

heavier = d.with_parameters({"m_F": np.linspace(0.5, 5.0, 4)})
print(heavier.inverse_dynamics(q, np.zeros(6), np.zeros(6))[:, :2])

# %%
# `with_inputs` does the same for inputs, and every call takes `inputs=` and, where the system depends on time, `t=`.
#
# Places
# ------
#
# Poses are 4×4 matrices; a Jacobian has three angular rows, then three linear ones.

pose = d.pose("F", q)
J = d.jacobian("F", q, at=(0.0, 0.2, 0.0), axes="ground")
assert np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3))
print(J @ u)

# %%
# Its transpose takes a wrench at that point to generalized forces: the arm below bears one newton, sideways.

wrench = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
print(d.forward_dynamics(q, u, J.T @ wrench) - d.forward_dynamics(q, u))

# %%
# The inertia that a hand feels that moves the body by this point:

print(d.operational_inertia("F", q, at=(0.0, 0.2, 0.0), axes="ground")[3:, 3:])

# %%
# Derivatives
# -----------
#
# Exact ones, with respect to the configuration along the tangent, to the speeds, and to every parameter:

by = d.forward_dynamics_derivatives(q, u, f)
print({name: x.shape for name, x in by.items()})

step = 1e-6
change = d.forward_dynamics(q + step * np.eye(6)[0], u, f) - d.forward_dynamics(q - step * np.eye(6)[0], u, f)
assert np.allclose(by["q"][:, 0], change / (2 * step), rtol=1e-5, atol=1e-5)

# %%
# The second start
# ----------------
#
# Machine code is kept on disk under a name made of its content, so the same model compiles nothing when it is started
# again. `jourdain doctor` shows where.
