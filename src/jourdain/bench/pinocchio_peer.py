"""Pinocchio: its C++ templates compiled here for this processor, and its wheel called from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .case import Case, Ready, check, read_output
from .mechanism import Array
from .pinocchio_model import pinocchio_model
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

    def prepare(self, case: Case) -> Ready:
        """Built and checked."""
        program = self.program()
        text = case_text(case)

        def clock(seconds: float) -> dict[str, float]:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "mechanism.txt"
                file.write_text(text)
                return read_output(output_lines(program, str(file), str(seconds)), case.states)

        clock(0.0)
        return Ready(clock)

    def program(self) -> Path:
        """The timing program; a minute or two to build, the first time."""
        command = compiler(self.kind)
        include = headers()
        if command is None:
            raise Missing(f"no {self.kind} here: install {self.kind.replace('clang++', 'clang')}")
        source = NATIVE / "pinocchio_loop.cpp"
        flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-w", *BOOST]
        return build("pinocchio_loop", [command, *flags, f"-I{include}", *eigen(), str(source)], [source], WHEELS)


class PinocchioPython:
    """The wheel as a Python user calls it, one state at a time, arrays in and out."""

    name = "pinocchio python"

    def prepare(self, case: Case) -> Ready:
        """Loaded and checked."""
        headers()
        import pinocchio as pin

        model = pinocchio_model(case.mechanism)
        data = model.createData()

        def mass(q: Array) -> Array:
            upper = np.triu(pin.crba(model, data, q))
            full: Array = upper + np.triu(upper, 1).T
            return full

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
        return Ready(
            lambda seconds: {name: fastest_call_ns(call, seconds) for name, call in calls.items()},
            note="called from Python",
        )
