"""Multibody dynamics: equations of motion by Kane's and Poincaré's methods, in milliseconds, as the fastest code.

    import jourdain as jd

    m = jd.Model("pendulum")
    arm = m.body("arm", mass=1.0, center=(0, 0, -0.5), inertia=jd.principal(0.1, 0.1, 0.01))
    m.revolute("swing", m.ground, arm, axis="y")
    pendulum = jd.compile(m.system())
    pendulum.forward_dynamics([0.1], [0.0])

Everything here is imported where it is first asked for, so that `import jourdain` itself costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import gallery, history, touch
    from .control import Linear, linearize
    from .driver import Compiled, compile, count
    from .driver.choices import efficient_speeds
    from .equations.base import base_parameters
    from .equations.diagonal import diagonal_speeds
    from .equations.sympy_matrices import SympyEquations, to_sympy
    from .graph import (
        absolute,
        acos,
        asin,
        atan2,
        cos,
        equal,
        exp,
        floor,
        less,
        less_equal,
        log,
        maximum,
        minimum,
        not_equal,
        power,
        select,
        sign,
        sin,
        sqrt,
        tan,
    )
    from .importers.sympy_models import from_sympy
    from .importers.urdf import load_urdf
    from .model import shapes
    from .model.changing import ImpactLaw
    from .model.choosing import with_speeds
    from .model.files import load
    from .model.inertias import (
        InertiaOf,
        about_z,
        hollow_sphere,
        point_mass,
        principal,
        principal_per_mass,
        solid_box,
        solid_cylinder,
        solid_sphere,
        tensor,
        thin_disk,
        thin_ring,
        thin_rod,
    )
    from .model.mistakes import Mistake, ModelError, ModelWarning
    from .model.model import Model
    from .model.motion import ANGLES, QUATERNION, Orientation
    from .model.system import System
    from .model.tables import CUBIC, LINEAR, Curve
    from .reader import (
        EquationsOfMotion,
        Kinematics,
        SpeedChoices,
        SpeedRelations,
        compare_speeds,
        derive,
        kinematics,
        speed_relations,
    )
    from .simulation import (
        RK4,
        CheckpointError,
        Cvode,
        DormandPrince54,
        DormandPrince853,
        Event,
        FunctionError,
        ImplicitMidpoint,
        Radau,
        Run,
        RunFileError,
        SavedRun,
        SemiImplicitEuler,
        StateError,
        Status,
        SymplecticMidpoint,
        Table,
        load_run,
        ode,
        resume,
        simulate,
    )
    from .simulation.modes import Change, ModalRun
    from .simulation.modes.enumerating import enumerate_modes
    from .simulation.modes.machine import Machine

__version__ = "0.1.0"

# Where each name lives. A module's own name stands for the module.
_HOMES = {
    "control": ("Linear", "linearize"),
    "driver": ("Compiled", "compile", "count"),
    "driver.choices": ("efficient_speeds",),
    "equations.base": ("base_parameters",),
    "equations.diagonal": ("diagonal_speeds",),
    "equations.sympy_matrices": ("SympyEquations", "to_sympy"),
    "exporting": ("export",),
    "gallery": ("gallery",),
    "history": ("history",),
    "graph": (
        "absolute", "acos", "asin", "atan2", "cos", "equal", "exp", "floor", "less", "less_equal", "log", "maximum",
        "minimum", "not_equal", "power", "select", "sign", "sin", "sqrt", "tan",
    ),
    "importers.sympy_models": ("from_sympy",),
    "importers.urdf": ("load_urdf",),
    "model.changing": ("ImpactLaw",),
    "model.choosing": ("with_speeds",),
    "model.files": ("load",),
    "model.inertias": (
        "InertiaOf", "about_z", "hollow_sphere", "point_mass", "principal", "principal_per_mass", "solid_box",
        "solid_cylinder", "solid_sphere", "tensor", "thin_disk", "thin_ring", "thin_rod",
    ),
    "model.mistakes": ("Mistake", "ModelError", "ModelWarning"),
    "model.model": ("Model",),
    "model.motion": ("ANGLES", "QUATERNION", "Orientation"),
    "model.shapes": ("shapes",),
    "model.system": ("System",),
    "model.tables": ("CUBIC", "LINEAR", "Curve"),
    "reader": (
        "EquationsOfMotion", "Kinematics", "SpeedChoices", "SpeedRelations", "compare_speeds", "derive", "kinematics",
        "speed_relations",
    ),
    "simulation.modes": ("Change", "ModalRun"),
    "simulation": (
        "RK4", "CheckpointError", "Cvode", "DormandPrince54", "DormandPrince853", "Event", "FunctionError",
        "ImplicitMidpoint", "Radau", "Run", "RunFileError", "SavedRun", "SemiImplicitEuler", "StateError", "Status",
        "SymplecticMidpoint", "Table", "load_run", "ode", "resume", "simulate",
    ),
    "simulation.modes.enumerating": ("enumerate_modes",),
    "simulation.modes.machine": ("Machine",),
    "touch": ("touch",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ANGLES", "CUBIC", "LINEAR", "QUATERNION", "RK4", "Change", "CheckpointError", "Compiled", "Curve", "Cvode",
    "DormandPrince54", "DormandPrince853", "EquationsOfMotion", "Event", "FunctionError", "ImpactLaw",
    "ImplicitMidpoint", "InertiaOf", "Kinematics", "Linear", "Machine", "Mistake", "ModalRun", "Model", "ModelError",
    "ModelWarning", "Orientation", "Radau", "Run", "RunFileError", "SavedRun", "SemiImplicitEuler", "SpeedChoices",
    "SpeedRelations", "StateError", "Status", "SymplecticMidpoint", "SympyEquations", "System", "Table", "about_z",
    "absolute", "acos", "asin", "atan2", "base_parameters", "compare_speeds", "compile", "cos", "count", "derive",
    "diagonal_speeds", "efficient_speeds", "enumerate_modes", "equal", "exp", "export", "floor", "from_sympy",
    "gallery", "history", "hollow_sphere", "kinematics", "less", "less_equal", "linearize", "load", "load_run",
    "load_urdf", "log", "maximum", "minimum", "not_equal", "ode", "point_mass", "power", "principal",
    "principal_per_mass", "resume", "select", "shapes", "sign", "simulate", "sin", "solid_box", "solid_cylinder",
    "solid_sphere", "speed_relations", "sqrt", "tan", "tensor", "thin_disk", "thin_ring", "thin_rod", "to_sympy",
    "touch", "with_speeds",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        from .model.mistakes import did_you_mean

        raise AttributeError(f"jourdain has no {name!r}; {did_you_mean(name, __all__)}")
    module = import_module(f".{home}", __name__)
    found = module if home.rpartition(".")[2] == name else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
