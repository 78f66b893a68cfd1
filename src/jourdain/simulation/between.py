"""Where a motion is between its rows: cubic pieces with the rates that the equations give, put on the constraints.

E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, second edition, 1993, section II.6:
Hermite's cubic errs by the fourth power of a step's length, which no eye sees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..driver.moving import Moving
from ..native import compile_program
from .checks import stacked
from .motion import Motion
from .plant import CLOSED, ROUNDS

Floats = NDArray[np.float64]


def between(run: Motion, moments: Floats) -> tuple[Floats, dict[str, Floats]]:
    """q (moments, coordinates) and inputs (moments,) by name; times before and after the run are its ends."""
    d, t = run.compiled, run.t
    at = np.clip(moments, t[0], t[-1])
    if len(t) < 2:
        q = np.repeat(run.q, len(at), axis=0)
        return q, {name: np.repeat(x, len(at)) for name, x in run.inputs.items()}
    k = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    used, places = np.unique(np.concatenate([k, k + 1]), return_inverse=True)
    given = {name: x[used] for name, x in run.inputs.items()}
    rates = d.rates(run.q[used], run.u[used], inputs=given, t=t[used])
    before, after = rates[places[: len(k)]], rates[places[len(k) :]]
    h = t[k + 1] - t[k]
    s = (np.divide(at - t[k], h, out=np.zeros_like(h), where=h > 0.0))[:, None]
    q0, q1, step = run.q[k], run.q[k + 1], h[:, None]
    q = q0 + s * s * (3.0 - 2.0 * s) * (q1 - q0) + s * (1.0 - s) * step * ((1.0 - s) * before - s * after)
    inputs = {name: np.interp(at, t, x) for name, x in run.inputs.items()}
    return _settled(run, q, inputs, at), inputs


def _settled(run: Motion, q: Floats, inputs: dict[str, Floats], t: Floats) -> Floats:
    """On the constraints of positions, quaternions of length one."""
    d = run.compiled
    program = Moving(d.system, d.imposed).positions
    if program is None:
        return q
    nearer = compile_program(program, cache=d.cache).bind(run.ode.parameters)
    u, values = np.zeros((len(q), len(d.system.speeds))), stacked(inputs, q)
    for _ in range(ROUNDS):
        q, miss = nearer(q, u, values, t)
        if float(np.max(miss)) <= CLOSED:
            break
    return q
