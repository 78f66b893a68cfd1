"""Pinocchio: its C++ templates compiled here for this processor, and its wheel called from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .case import Case, Times, check, read_output
from .pinocchio_model import PinocchioModel, pinocchio_model
from .plain_text import case_text
from .timing import fastest_call_ns
from .toolchain import NATIVE, Missing, build, compiler, eigen, output_lines

# The sizes of Boost's lists that Pinocchio's headers ask for, and Boost's prepared headers are too short for.
BOOST = (
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)  # fmt: skip
WHEELS = ("pin", "libpinocchio", "cmeel-boost")


def headers() -> Path:
    """The folder of Pinocchio's headers, which the wheel brings along."""
    try:
        import pinocchio
    except ImportError:
        raise Missing("Pinocchio is not installed: pip install pin") from None
    for folder in Path(pinocchio.__file__).resolve().parents:
        if (folder / "include" / "pinocchio").is_dir():
            return folder / "include"
    raise Missing("Pinocchio is installed without its headers: pip install pin")


@dataclass(frozen=True)
class PinocchioCompiled:
    """RNEA, ABA and CRBA of the C++ library, -O3 for this processor; of ABA's and CRBA's two conventions the faster.

    kind: "clang++", or "g++", which makes slower code of these templates.
    """

    kind: str

    @property
    def name(self) -> str:
        return f"pinocchio {self.kind}"

    def measure(self, case: Case, seconds: float) -> Times:
        """Checked and timed."""
        program = self.program()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mechanism.txt"
            file.write_text(case_text(case))
            return read_output(output_lines(program, str(file), str(seconds)), case.states)

    def program(self) -> Path:
        """The timing program; a minute or two to build, the first time."""
        command = compiler(self.kind)
        include = headers()
        if command is None:
            raise Missing(f"no {self.kind} here: install {self.kind.removesuffix('++').replace('g', 'g++') if self.kind == 'g++' else 'clang'}")
        source = NATIVE / "pinocchio_loop.cpp"
        flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-w", *BOOST]
        return build("pinocchio_loop", [command, *flags, f"-I{include}", *eigen(), str(source)], [source], WHEELS)


class PinocchioPython:
    """The wheel as a Python user calls it, one state at a time, arrays in and out."""

    name = "pinocchio python"

    def measure(self, case: Case, seconds: float) -> Times:
        """Checked and timed."""
        headers()
        import pinocchio as pin

        model = pinocchio_model(case.mechanism)
        data = model.createData()

        def mass(q: Any) -> Any:
            upper = np.triu(pin.crba(model, data, q))
            return upper + np.triu(upper, 1).T

        for s in case.states:
            check("inverse_dynamics", pin.rnea(model, data, s.q, s.v, s.a), s)
            check("forward_dynamics", pin.aba(model, data, s.q, s.v, s.tau), s)
            check("mass_matrix", mass(s.q), s)
        s = case.states[0]
        calls: dict[str, Callable[[], object]] = {
            "inverse_dynamics": lambda: pin.rnea(model, data, s.q, s.v, s.a),
            "forward_dynamics": lambda: pin.aba(model, data, s.q, s.v, s.tau),
            "mass_matrix": lambda: pin.crba(model, data, s.q),
        }
        return replace(Times(note="called from Python"), **{k: fastest_call_ns(f, seconds) for k, f in calls.items()})  # type: ignore[arg-type]


__all__ = ["PinocchioCompiled", "PinocchioModel", "PinocchioPython"]
