"""WebAssembly: a module, a script that runs it, and a page that shows both; from a disk or any server of files.

The module holds the system's functions and its motion; the script has the layout inside it. Digits are those of native
code in portable arithmetic (`jourdain.targets.wasm`).
"""

from __future__ import annotations

import base64
import html
import json
import re
from importlib.resources import files as resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..simulation.status import Status
from ..targets.wasm import Wasm, write_wasm
from .plan import Plan
from .procedures import MOTION, Motion, functions_of, motion_of, parameters_of

Floats = NDArray[np.float64]
NAME = "wasm"
LARGEST = 1 << 26  # numbers in the memory of one motion
# Nothing is fetched, whatever a name in the model looks like.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval'"


def files(plan: Plan) -> dict[str, bytes]:
    """NAME.wasm, NAME.js, NAME.html."""
    wasm, layout = module_of(plan)
    script = _script(layout)
    return {
        f"{plan.name}.wasm": wasm.code, f"{plan.name}.js": script.encode(),
        f"{plan.name}.html": _page(plan, script, wasm.code).encode(),
    }  # fmt: skip


def module_of(plan: Plan) -> tuple[Wasm, dict[str, Any]]:
    """The module, and its layout with what is said of the system."""
    motion, functions = motion_of(plan), list(functions_of(plan))
    wasm = write_wasm({**{x.name: x.procedure for x in functions}, MOTION: motion.procedure})
    compiled, system = plan.compiled, plan.compiled.system
    return wasm, {
        **wasm.layout, "functions": {x.name: [x.reads, x.makes] for x in functions},
        "name": system.name, "coordinates": list(system.coordinates), "speeds": list(system.speeds),
        "inputs": {name: float(x) for name, x in compiled.inputs.items()},
        "parameters": dict(zip(system.parameters, map(float, parameters_of(plan)))), "mode": list(compiled.mode),
        "bodies": [x.name for x in system.bodies], "parents": _parents(plan),
        "motion": _motion(motion, plan), "statuses": {x.value: x.sentence for x in Status},
    }  # fmt: skip


def _parents(plan: Plan) -> list[int]:
    """Of each body its parent's place among them, −1 for the ground."""
    bodies = [x.name for x in plan.compiled.system.bodies]
    found = dict.fromkeys(bodies, -1)
    for joint in plan.compiled.system.joints:
        found[joint.child] = bodies.index(joint.parent) if joint.parent in bodies else -1
    return [found[name] for name in bodies]


def _motion(motion: Motion, plan: Plan) -> dict[str, Any]:
    return {
        "method": plan.method.name, "step": plan.method.step, "own": motion.own,
        "switches": list(motion.switches), "memory": _sparse(motion.memory),
        "given": {name: _sparse(x.reshape(-1)) for name, x in motion.given.items()},
    }  # fmt: skip


def _sparse(numbers: Floats) -> dict[str, Any]:
    """A length, and runs of what is not zero: their place, and bytes in base64."""
    if numbers.size > LARGEST:
        raise ValueError(f"a motion with an array of {numbers.size} numbers is too large for a page")
    places = np.flatnonzero(numbers.view(np.uint64))
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if places.size else []
    said = [[int(x[0]), base64.b64encode(numbers[x].astype("<f8").tobytes()).decode()] for x in runs]
    return {"length": numbers.size, "runs": said}


def _script(layout: dict[str, Any]) -> str:
    runtime = (resources("jourdain.targets.wasm") / "runtime.js").read_text(encoding="utf-8")
    system = (resources("jourdain.exporting") / "system.js").read_text(encoding="utf-8")
    said = json.dumps(layout, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"{runtime}\n{system}\nexport const layout = {said};\n"


def _page(plan: Plan, script: str, code: bytes) -> str:
    page = (resources("jourdain.exporting") / "page.html").read_text(encoding="utf-8")
    places = {
        "POLICY": POLICY, "TITLE": html.escape(plan.compiled.system.name), "SCRIPT": script,
        "CODE": base64.b64encode(code).decode(),
    }  # fmt: skip
    return re.sub(r"%([A-Z]+)%", lambda found: places[found[1]], page)
