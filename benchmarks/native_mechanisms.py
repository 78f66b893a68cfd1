"""Times of native code: inverse dynamics, forward dynamics and mass matrix of mechanisms given as JSON files.

    python benchmarks/native_mechanisms.py stanford.json ur5.json [--functions inverse_dynamics,mass_matrix] [--numbers]

Everything is derived in the formulation that `jourdain.compile` chooses and compiled from nothing; `derive` is the time
of reading, choosing and deriving, `compile` that of the code for single calls, `more` that of the code for batches,
which is made when batches come.

A file holds `gravity` and `joints`, parents first, each with name, parent ("ground" or a joint's name), type (revolute
or prismatic), axis, rotation and translation of its frame in the parent's, and mass, com, inertia (about the mass
centre) of its body. Structure (zeros, ones) is numbers; all other data are parameters, or numbers too (`--numbers`).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.bench.case import QUANTITIES
from jourdain.bench.own import MEMBERS, program
from jourdain.graph import Graph, Node, Role
from jourdain.model import joints
from jourdain.model.pose import Pose
from jourdain.model.system import Body, Joint, System
from jourdain.native import Cache, compile_program
from jourdain.program import Program
from jourdain.spatial import Matrix, Rotation, Vector


class Reader:
    """Turns a file's numbers into nodes: parameters, or constants."""

    def __init__(self, numbers: bool) -> None:
        self.graph = Graph()
        self.numbers = numbers
        self.defaults: dict[str, float] = {}

    def node(self, value: float) -> Node:
        """Zeros and ones are structure."""
        if self.numbers or value in (0.0, 1.0, -1.0):
            return self.graph.constant(float(value))
        name = f"p{len(self.defaults)}"
        self.defaults[name] = float(value)
        return self.graph.symbol(name, Role.PARAMETER)

    def vector(self, values: list[float]) -> Vector:
        return Vector(*(self.node(x) for x in values))

    def system(self, path: Path) -> System:
        data = json.loads(path.read_text())
        pairs = [self._joint(joint) for joint in data["joints"]]
        bodies, tree = tuple(body for body, _ in pairs), tuple(joint for _, joint in pairs)
        gravity = self.vector(data["gravity"])
        return System(data["name"], self.graph, bodies, tree, gravity, defaults=self.defaults)

    def _joint(self, joint: dict[str, Any]) -> tuple[Body, Joint]:
        graph, name = self.graph, joint["name"]
        turn = Rotation(graph)
        if joint["rotation"] != [[1, 0, 0], [0, 1, 0], [0, 0, 1]]:
            turn = Rotation.given(graph, Matrix(*(self.vector(row) for row in joint["rotation"])))
        place = Pose(turn, self.vector(joint["translation"]))
        axis = Vector.of(graph, joint["axis"])
        motion = (joints.prismatic if joint["type"] == "prismatic" else joints.revolute)(graph, axis)
        q, u = graph.symbol(name, Role.COORDINATE), graph.symbol(f"{name}dot", Role.SPEED)
        upper = {(i, k): self.node(joint["inertia"][i][k]) for i in range(3) for k in range(i, 3)}
        inertia = Matrix.of(graph, [[upper[min(i, k), max(i, k)] for k in range(3)] for i in range(3)])
        body = Body(name, self.node(joint["mass"]), self.vector(joint["com"]), inertia)
        return body, Joint(name, joint["parent"], name, motion, place, Pose.identity(graph), (q,), (u,))


def states(program: Program, *batch: int) -> list[NDArray[np.float64]]:
    """Arrays to call it with."""
    rng = np.random.default_rng(1)
    return [rng.uniform(-1.0, 1.0, (*batch, len(block))) for block in program.inputs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--functions", default=",".join(QUANTITIES), help="names between commas")
    parser.add_argument("--numbers", action="store_true", help="data are numbers in the code, not parameters")
    parser.add_argument("--seconds", type=float, default=0.3, help="spent on each figure")
    parser.add_argument("--single", action="store_true", help="float32")
    given = parser.parse_args()
    dtype = np.float32 if given.single else np.float64
    print(f"{'':28}{'derive ms':>10}{'compile ms':>11}{'more ms':>9}{'one ns':>10}{f'of {MEMBERS} ns':>11}")
    for path in given.files:
        for name in given.functions.split(","):
            start = time.perf_counter()
            system = Reader(given.numbers).system(path)
            code = program(system, name)
            derived = time.perf_counter() - start
            function = compile_program(code, dtype, cache=Cache(None))
            bound = function.bind(list(system.defaults.values()))
            one = bound.fastest_ns(*states(code), seconds=given.seconds)
            batch = bound.fastest_batch_ns(*states(code, MEMBERS), seconds=given.seconds)
            figures = f"{1e3 * derived:10.1f}{1e3 * function.compile_seconds:11.0f}"
            figures += f"{1e3 * (function.batch_seconds or 0.0):9.0f}{one:10.1f}{batch:11.2f}"
            print(f"{system.name + ' ' + name:28}{figures}", flush=True)


if __name__ == "__main__":
    main()
