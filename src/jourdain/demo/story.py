"""The demo's chapters, in the order in which they are told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..console import Console, duration
from ..gallery import stanford_arm
from ..published import records_for
from . import figures
from .feedback import controlled_arm, moved
from .motion import DURATION, EFFORTS, GOAL, PAPERS, Floats, papers_efforts, prescribed

if TYPE_CHECKING:
    from ..driver import Compiled
    from ..equations.choose import Derivation
    from ..simulation import Run

SAMPLES = 1001
WITHOUT_TAU_1 = {"k1": 0.0, "k2": 0.0}


class Demo:
    """What the chapters share: the arm, its compiled functions, the motions found so far."""

    def __init__(self, console: Console, folder: Path) -> None:
        self.console, self.folder = console, folder
        self.arm = stanford_arm()
        self.t: Floats = np.linspace(0.0, DURATION, SAMPLES)
        self.derived: dict[str, Derivation] = {}

    @cached_property
    def compiled(self) -> Compiled:
        """The arm alone."""
        from ..driver import compile

        return compile(self.arm)

    @cached_property
    def controlled(self) -> Compiled:
        """The arm with the feedback law inside."""
        from ..driver import compile

        return compile(controlled_arm())

    # -- chapters -----------------------------------------------------------------------------------------------

    def derive(self) -> None:
        """Both problems of dynamics and the mass matrix as expressions, in the cheapest of several formulations."""
        from ..driver.counting import COUNTED, derivation

        say = self.console.print
        bodies, symbols = len(self.arm.bodies), len(self.arm.parameters)
        say(f"Stanford arm, Kane and Levinson 1983: {bodies} bodies, {symbols} parameters, all of them symbols")
        for what in COUNTED:
            start = time.perf_counter()
            self.derived[what] = derivation(self.arm, what)
            took, tried = duration(time.perf_counter() - start), len(self.derived[what].trials)
            formulations = f"the cheapest of {tried} formulations" if tried > 1 else "one formulation"
            say(f"  {what.replace('_', ' ')} derived in {took}, {formulations}")

    def count(self) -> None:
        """Operations, ours beside the published."""
        from ..graph import count

        rows = []
        for what, derivation in self.derived.items():
            own = count(derivation.outputs)
            rows.append([what.replace("_", " "), str(own.mul), str(own.add), str(own.div), "Jourdain"])
            for record in records_for(self.arm.name):
                if record.quantity == what and not record.general:
                    rows.append(["", str(record.mul), str(record.add), "", record.source])
        self.console.print()
        self.console.table(["operations of one evaluation", "mul", "add", "div", ""], rows)

    def compile(self) -> None:
        """To machine code, or from the cache."""
        with self._working("compiling") as took:
            self.compiled.ready("inverse_dynamics", "forward_dynamics")
            self.controlled.ready("forward_dynamics")
        self.console.print()
        self.console.print(f"inverse, forward and controlled dynamics compiled, or read from the cache, in {took()}")

    def prescribed_motion(self) -> None:
        """The torques that make the motion (127)."""
        start = time.perf_counter()
        self.efforts = papers_efforts(self.compiled.inverse_dynamics(*prescribed(self.t)))
        each = (time.perf_counter() - start) / len(self.t)
        self.console.print()
        self.console.print(f"The motion (127): efforts at {len(self.t)} instants, {duration(each)} each")
        chosen = np.linspace(0, len(self.t) - 1, 6).astype(int)
        rows = [[f"{self.t[i]:.0f} s", *(f"{x:.4f}" for x in self.efforts[i].round(4) + 0.0)] for i in chosen]
        self.console.table(["", *(f"{name} [N{' m' if name != 'σ' else ''}]" for name in EFFORTS)], rows)

    def feedback(self) -> None:
        """The motion under the law (128–133)."""
        with self._working("simulating 10 s of feedback"):
            self.run = moved(self.controlled, self.t)
        off = np.abs(self.run.q[-1] - GOAL)[list(PAPERS)]
        speed = np.abs(self.run.u[-1]).max()
        self.console.print()
        self.console.print(
            f"The law (128–133): {DURATION:.0f} s simulated in {duration(self.run.seconds)}, "
            f"{self.run.counts['evaluations']} evaluations; at the end"
        )
        self.console.print(
            f"  q₁ … q₅ are within {np.degrees(off[:5]).max():.2f}° of π/3, q₆ within {off[5] * 1e3:.2f} mm of 0.1 m, "
            f"no speed above {speed:.1e} rad/s or m/s"
        )

    def checks(self) -> None:
        """Inverse dynamics gives the applied efforts back; with τ₁ = 0 the angular momentum about n₂ stays zero."""
        with self._working("checking"):
            returned = returned_efforts(self.compiled, self.controlled, self.run)
            free = self.controlled.with_parameters(WITHOUT_TAU_1)
            drift = np.abs(angular_momentum(self.compiled, moved(free, self.t, 1e-12))).max()
        say = self.console.print
        say(f"  inverse dynamics of that motion gives the applied efforts back to {returned:.1e} of their size")
        say(f"  with τ₁ = 0 the angular momentum about n₂ (138) stays within {drift:.1e} kg m²/s of zero (paper: 1e-9)")

    def figures(self) -> None:
        """The paper's Figures 1 and 3."""
        one, three = self.folder / "figure-1.png", self.folder / "figure-3.png"
        with self._working("drawing"):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                figures.figure_1(self.t, self.efforts, one)
                figures.figure_3(self.run.t, self.run.q, three)
            except OSError as error:
                raise OSError(
                    f"the figures cannot be written to {str(self.folder)!r}: {error.strerror}; "
                    "run the demo in a folder that you may write to"
                ) from error
        self.console.print()
        self.console.print(f"Figures 1 and 3: {one}, {three}")

    # -- inside -------------------------------------------------------------------------------------------------

    @contextmanager
    def _working(self, text: str) -> Iterator[_Clock]:
        """Progress around a piece of work; the clock stops when it ends."""
        clock = _Clock()
        with self.console.step(text):
            yield clock
        clock.stop()


class _Clock:
    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._seconds = 0.0

    def stop(self) -> None:
        self._seconds = time.perf_counter() - self._start

    def __call__(self) -> str:
        return duration(self._seconds)


def returned_efforts(arm: Compiled, controlled: Compiled, run: Run) -> float:
    """How far inverse dynamics of a controlled motion misses the efforts that made it, relative to the largest."""
    applied = controlled.outputs(run.q, run.u)
    rates = controlled.forward_dynamics(run.q, run.u)
    returned = papers_efforts(arm.inverse_dynamics(run.q, run.u, rates))
    wanted = np.stack([applied[name] for name in ("tau1", "tau2", "tau3", "tau4", "tau5", "sigma")], axis=-1)
    return float(np.abs(returned - wanted).max() / np.abs(wanted).max())


def angular_momentum(arm: Compiled, run: Run) -> Floats:
    """H · n₂ about A* (n,) [kg m²/s]: the momentum that belongs to q̇₁, the first row of M times the speeds."""
    momentum: Floats = np.einsum("ni,ni->n", arm.mass_matrix(run.q)[:, 0, :], run.u)
    return momentum
