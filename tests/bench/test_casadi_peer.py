"""The C loop around what CasADi generates, and the peer as a whole where CasADi is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jourdain import gallery
from jourdain.bench import casadi_peer
from jourdain.bench.casadi_peer import MOST_SPEEDS, CasadiC
from jourdain.bench.own import own
from jourdain.bench.toolchain import Missing, Refused, build, c_compiler, compiler

# In CasADi's plain C interface: the first argument plus the third, and how much room that needs.
SUM = """
int inverse_dynamics(const double **arg, double **res, long long *iw, double *w, int mem) {
  (void)iw, (void)w, (void)mem;
  res[0][0] = arg[0][0] + arg[2][0];
  return 0;
}
int inverse_dynamics_work(long long *a, long long *r, long long *i, long long *w) {
  *a = 3, *r = 1, *i = 0, *w = 0;
  return 0;
}
"""


def test_the_loop_calls_and_times(tmp_path: Path) -> None:
    """Where there is a compiler; elsewhere it is said what is missing."""
    if compiler("cc") is None:
        with pytest.raises(Missing, match="no C compiler here"):
            casadi_peer._loop()
        return
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    library = build("sum.so", [c_compiler(), "-O2", "-fPIC", "-shared", str(source)], [source])
    loop = casadi_peer._loop()
    state = own(gallery.pendulum()).case().states[0]
    ns, answer = casadi_peer._call(loop, library, "inverse_dynamics", state, 0.0)
    assert (ns, answer.tolist()) == (0.0, [state.q[0] + state.a[0]])
    ns, _ = casadi_peer._call(loop, library, "inverse_dynamics", state, 1e-3)
    assert 0.1 < ns < 1e4
    for file, name in ((library, "forward_dynamics"), (tmp_path / "nowhere.so", "inverse_dynamics")):
        with pytest.raises(Refused, match=rf"{file.name} could not be loaded"):
            casadi_peer._call(loop, file, name, state, 0.0)


def test_the_whole_peer() -> None:
    """Generated, compiled, checked, timed."""
    pytest.importorskip("casadi", reason="CasADi is not installed: pip install 'jourdain[peers]'")
    case = own(gallery.double_pendulum()).case()
    if compiler("cc") is None:
        with pytest.raises(Missing, match="no C compiler here"):
            CasadiC().prepare(case)
        return
    ready = CasadiC().prepare(case)
    times = ready.clock(1e-3)
    assert set(times) == {"inverse_dynamics", "forward_dynamics", "mass_matrix"}
    assert min(times.values()) > 0.0
    assert ready.derive_s is not None
    assert ready.compile_s is not None
    assert min(ready.derive_s, ready.compile_s) > 0.0


def test_what_is_too_large_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is measured all the same."""
    pytest.importorskip("casadi", reason="CasADi is not installed: pip install 'jourdain[peers]'")
    monkeypatch.setattr(casadi_peer, "_loop", lambda: None)
    monkeypatch.setitem(MOST_SPEEDS, "inverse_dynamics", 1)
    monkeypatch.setitem(MOST_SPEEDS, "mass_matrix", 1)

    def slow(*_: object) -> object:
        raise Refused("gcc took more than 180 s over forward_dynamics.so")

    monkeypatch.setattr(casadi_peer, "_compile", slow)
    ready = CasadiC().prepare(own(gallery.double_pendulum()).case())
    assert ready.note == (
        "inverse dynamics only up to 1 speeds; gcc took more than 180 s over forward_dynamics.so; "
        "mass matrix only up to 1 speeds"
    )
    assert ready.clock(1e-3) == {}
    assert np.isfinite(ready.derive_s or np.nan)
