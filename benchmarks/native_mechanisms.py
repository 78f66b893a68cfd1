"""Mechanisms from JSON files as programs: inverse dynamics, forward dynamics, mass matrix, for the other benchmarks.

A file holds `gravity` and `joints`, parents first, each with name, parent, type (revolute or prismatic), axis,
rotation and translation of its frame in the parent's, and mass, com, inertia (about the mass centre) of its body.
Structure (zeros, ones) is numbers, all other data are parameters, or numbers too where `literal` is asked for.
"""

from __future__ import annotations

import json
from pathlib import Path

from jourdain.equations.articulated import forward_dynamics
from jourdain.equations.factor import factorize
from jourdain.equations.inverse import inverse_dynamics
from jourdain.equations.mass import mass_matrix
from jourdain.equations.regroup import regroup
from jourdain.equations.tree import Column, Link, Tree
from jourdain.graph import Graph, Node, Role
from jourdain.graph.improve import improve
from jourdain.graph.pause import collector_paused
from jourdain.program import Block, Program
from jourdain.spatial import Inertia, Matrix, Rotation, Vector

import numpy as np
from numpy.typing import NDArray


class Mechanism:
    """A chain or tree of joints of one freedom, its symbols, and its parameters' values."""

    def __init__(self, path: Path, literal: bool = False) -> None:
        data = json.loads(path.read_text())
        self.name: str = data["name"]
        self.graph = graph = Graph()
        self.values: list[float] = []
        self.parameters: list[Node] = []
        joints = data["joints"]
        n = len(joints)
        self.q, self.u, self.udot, self.f = (
            tuple(graph.symbol(f"{stem}{i}", role) for i in range(n))
            for stem, role in (
                ("q", Role.COORDINATE), ("u", Role.SPEED), ("udot", Role.ACCELERATION), ("f", Role.INPUT),
            )
        )

        def number(value: float) -> Node:
            if literal or value in (0.0, 1.0, -1.0):
                return graph.constant(float(value))
            node = graph.symbol(f"p{len(self.parameters)}", Role.PARAMETER)
            self.parameters.append(node)
            self.values.append(float(value))
            return node

        def vector(values: list[float]) -> Vector:
            return Vector(*(number(x) for x in values))

        index = {"ground": -1}
        links = []
        for k, joint in enumerate(joints):
            index[joint["name"]] = k
            axis, sign = _axis(joint["axis"])
            still = Vector.zero(graph)
            unit = Vector.of(graph, [sign if i == axis else 0.0 for i in range(3)])
            placement = Rotation(graph)
            if joint["rotation"] != [[1, 0, 0], [0, 1, 0], [0, 0, 1]]:
                placement = Rotation.given(graph, Matrix(*(vector(row) for row in joint["rotation"])))
            turns = joint["type"] == "revolute"
            moment = joint["inertia"]
            xx, yy, zz = (number(moment[i][i]) for i in range(3))
            xy, xz, yz = (number(moment[i][j]) for i, j in ((0, 1), (0, 2), (1, 2)))
            central = Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz))
            links.append(Link(
                parent=index[joint["parent"]], placement=placement, offset=vector(joint["translation"]),
                motion=Rotation.turn(graph, axis, self.q[k] * sign) if turns else Rotation(graph),
                travel=still if turns else unit * self.q[k],
                columns=(Column(unit, still) if turns else Column(still, unit),), speeds=(k,),
                inertia=Inertia.about_center(number(joint["mass"]), vector(joint["com"]), central),
            ))
        self.tree = regroup(Tree(graph, tuple(links), vector(data["gravity"]), n))

    def program(self, function: str) -> Program:
        """`inverse`: q, u, udot -> f; `forward`: q, u, f -> udot (mass matrix); `articulated`: the same, O(n); `mass`."""
        q, u, udot, f = (Block(s, x) for s, x in (("q", self.q), ("u", self.u), ("udot", self.udot), ("f", self.f)))
        n = len(self.q)
        with collector_paused():
            if function == "inverse":
                blocks, results, shape = (q, u, udot), inverse_dynamics(self.tree, self.u, self.udot), (n,)
            elif function == "mass":
                blocks, results, shape = (q,), [x for row in mass_matrix(self.tree) for x in row], (n, n)
            elif function == "articulated":
                blocks, results, shape = (q, u, f), forward_dynamics(self.tree, self.u, self.f), (n,)
            else:
                bias = inverse_dynamics(self.tree, self.u, [self.graph.zero] * n)
                right = [x - y for x, y in zip(self.f, bias)]
                blocks, results, shape = (q, u, f), factorize(mass_matrix(self.tree)).solve(right), (n,)
            results = improve(results)
        name = f"{self.name}_{function}"
        return Program(name, blocks, Block("parameters", tuple(self.parameters)), (Block("result", tuple(results), shape),))

    def arrays(self, program: Program, *batch: int) -> list[NDArray[np.float64]]:
        """States to call it with."""
        rng = np.random.default_rng(1)
        return [rng.uniform(-1.0, 1.0, (*batch, len(block))) for block in program.inputs]


def _axis(axis: list[float]) -> tuple[int, float]:
    for k in range(3):
        if abs(axis[k]) == 1.0:
            return k, float(axis[k])
    raise ValueError(f"axis {axis}: this benchmark knows coordinate axes only")
