"""From the NAME on a command line to a System."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..model.mistakes import ModelError, Where, article, did_you_mean, warn
from .command import MODEL_HELP, UserMistake

if TYPE_CHECKING:
    from ..model.system import System


def resolve(name: str) -> System:
    """The system that a user means by a name; UserMistake says what is wrong with it.

    name: a gallery name, with a number where the entry takes one (`chain:30`), or one of its options
    (`spherical-wrist:rates`); `file.py:function`, whose answer may be a model of `sympy.physics.mechanics`; or a .urdf
    or saved .json file.
    """
    path, _, attribute = name.rpartition(":")
    if path.endswith(".py") and attribute:
        return _from_file(Path(path), attribute)
    file = Path(name.removesuffix(":"))
    suffix = file.suffix.lower()
    if suffix == ".py":
        raise UserMistake(
            f"{name!r} says no function: write {file}:NAME, the name of a System, a Model, or a function that answers "
            "one"
        )
    if suffix in READERS:
        _must_exist(file)
        return READERS[suffix](name)
    if suffix or len(file.parts) > 1:
        raise UserMistake(f"{name!r} cannot be read; NAME is {MODEL_HELP}")
    return _from_gallery(name)


# -- the gallery ----------------------------------------------------------------------------------------------------


def gallery_entries() -> dict[str, Callable[..., System]]:
    """Every entry of the gallery by its name on the command line, in the gallery's order."""
    from .. import gallery

    return {name.replace("_", "-"): getattr(gallery, name) for name in gallery.__all__}


def _from_gallery(name: str) -> System:
    entries = gallery_entries()
    if name in entries:
        return entries[name]()
    numbered = re.fullmatch(r"([a-z-]*[a-z])[:-]?(\d{1,4})", name)
    if numbered and numbered[1] in entries:
        entry = entries[numbered[1]]
        if "n" not in inspect.signature(entry).parameters:
            raise UserMistake(f"{name!r}: the gallery's {numbered[1]!r} takes no number")
        try:
            return entry(int(numbered[2]))
        except ValueError as error:
            raise UserMistake(f"{name!r}: {error}") from None
    chosen = re.fullmatch(r"([a-z0-9-]+):([a-z_]+)", name)
    if chosen and chosen[1] in entries:
        return _with_option(name, entries[chosen[1]], chosen[2])
    raise UserMistake(f"no gallery entry {name!r}; {did_you_mean(name, entries)} (`jourdain list` shows them all)")


def _with_option(name: str, entry: Callable[..., System], option: str) -> System:
    """An entry with one of its switches on."""
    options = [key for key, x in inspect.signature(entry).parameters.items() if x.default is False]
    if option in options:
        return entry(**{option: True})
    told = did_you_mean(option, options) if options else "it has none"
    raise UserMistake(f"{name!r}: the gallery's entry has no option {option!r}; {told}")


# -- files ----------------------------------------------------------------------------------------------------------


def _reader(function: str, what: str) -> Callable[[str], System]:
    def read(path: str) -> System:
        import jourdain

        load = getattr(jourdain, function, None)
        if load is None:
            raise UserMistake(f"{path}: {what} files cannot be read by this version")
        try:
            found: System = load(path)
        except ModelError:
            raise
        except ValueError as error:
            raise UserMistake(f"{path}: {error}") from error
        return found

    return read


READERS = {
    ".urdf": _reader("load_urdf", "URDF"),
    ".json": _reader("load", "saved system"),
}


def _must_exist(path: Path) -> None:
    if not path.is_file():
        raise UserMistake(f"no file {str(path)!r}")


def _from_file(path: Path, attribute: str) -> System:
    _must_exist(path)
    module = _run(path)
    if not hasattr(module, attribute):
        known = [k for k, v in vars(module).items() if _may_be_meant(v, module.__name__)]
        raise UserMistake(f"{path} has no {attribute!r}; {did_you_mean(attribute, known)}")
    found = getattr(module, attribute)
    if callable(found):
        found = _guarded(found, path)
    return _as_system(found, f"{path}:{attribute}")


def _may_be_meant(value: Any, module: str) -> bool:
    """Whether it is a system, a model, or a function of this module."""
    from ..model.model import Model
    from ..model.system import System

    return isinstance(value, System | Model) or (callable(value) and getattr(value, "__module__", "") == module)


def _as_system(found: Any, what: str) -> System:
    from ..model.system import System

    if type(found).__module__.startswith("sympy.physics.mechanics"):
        return _from_sympy(found, what)
    if not isinstance(found, System) and callable(getattr(found, "system", None)):
        found = found.system()
    if not isinstance(found, System):
        kind = type(found).__name__
        raise UserMistake(
            f"{what} is {article(kind)} {kind}; a System, a Model, or a function that answers one is needed"
        )
    return found


def _from_sympy(found: Any, what: str) -> System:
    """A model of SymPy's, as `jourdain.from_sympy` reads it."""
    from ..importers.sympy_models import from_sympy

    try:
        system = from_sympy(found)
    except TypeError as error:
        raise UserMistake(f"{what}: {error}") from None
    if system.parameters:
        file, _, _ = what.rpartition(":")
        names = ", ".join(system.parameters)
        warn(f"the values of {names} are made up; jourdain.from_sympy(model, values=…) gives others", Where(file, 0))
    return system


def _run(path: Path) -> ModuleType:
    """The user's file as a module; its own folder is where it looks for others, as with `python file.py`."""
    spec = importlib.util.spec_from_file_location(f"_jourdain_user_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    loader = spec.loader
    _guarded(lambda: loader.exec_module(module), path)
    return module


def _guarded(call: Callable[[], Any], path: Path) -> Any:
    """What the user's code answers; an error in it is said with the user's own line.

    What it prints goes to standard error, for standard output has the command's results and nothing else.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return call()
    except ModelError:
        raise
    except SyntaxError as error:
        # Of a file that is no text at all Python says neither name nor line.
        where = f"{error.filename}:{error.lineno}" if error.filename else str(path)
        raise UserMistake(f"{where}: {error.msg}") from error
    except SystemExit as stop:
        raise UserMistake(f"{path} ends the program (with {stop.code!r}) instead of answering a System") from stop
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).resolve() == path.resolve()]
        where = f"{path}:{own[-1].lineno}" if own else str(path)
        raise UserMistake(f"{where}: {type(error).__name__}: {error}") from error
