"""The modes of a system that can be compiled beforehand, and which of them a run has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import Any

from ...driver import Compiled
from ...driver.changing import Changing
from ...driver.enumerated import Enumerated
from ...model.mistakes import did_you_mean
from ...model.system import System
from ..method import FixedStep, Method
from ..ode import Ode
from .layout import Layout

Mode = tuple[str, ...]
MOST = 256  # that are listed
FEW_SWITCHES = 3  # of which all modes are compiled if nobody says which
MANY_STEPS = 300_000  # of a run in which the code of single modes gains what deriving and compiling it takes
"""The shopping cart's four modes take 0.2 s, and gain 0.6 µs a step of RK4 (`benchmarks/simulation.py`)."""


def enumerate_modes(system: System | Compiled) -> tuple[Mode, ...]:
    """The modes that have equations of their own: the names of the switchable constraints that hold in each.

    Switches are on or off, contacts carry or do not; one with friction that carries sticks. Where it slips, or where
    contacts share a load that the motion does not tell, the general equations serve; modes whose constraints contradict
    one another are none.
    """
    own = system.system if isinstance(system, Compiled) else system
    changing = Changing.of(own)
    layout = Layout(changing)
    choices: list[tuple[Mode, Mode]] = [((), (name,)) for name in layout.switches]
    choices += [((), tuple(x for x in (contact.normal, contact.slip) if x)) for contact in own.contacts]
    count = 2 ** len(choices)
    if count > MOST:
        raise ValueError(
            f"system {own.name!r} has up to {count} modes, and no more than {MOST} are listed; name those that matter: "
            "modes=[…]"
        )
    return tuple(mode.names for mode in _all(changing, choices) if not mode.refusal and mode.redundancy.assembled)


def _all(changing: Changing, choices: list[tuple[Mode, Mode]]) -> Iterator[Enumerated]:
    for chosen in product(*reversed(choices)):
        yield Enumerated.of(changing, [name for names in chosen for name in names])


def checked_modes(changing: Changing, given: object) -> tuple[Mode, ...]:
    """What was given as modes, each once, in the order of the system's constraints."""
    if isinstance(given, str) or not isinstance(given, Collection):
        raise TypeError(
            f"modes is {given!r}; a collection of modes is needed, each the names of the constraints that hold in it, "
            'like [(), ("latch",)]'
        )
    found = dict.fromkeys(_checked(changing, one) for one in given)
    return tuple(found)


def _checked(changing: Changing, given: object) -> Mode:
    system = changing.system
    names: list[Any] = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    known = [x.name for x in system.conditions if x.switchable]
    for name in names:
        if name not in known:
            said = did_you_mean(name, known) if isinstance(name, str) else f"there are {', '.join(known) or 'none'}"
            raise ValueError(f"modes: system {system.name!r} has no switchable constraint {name!r}; {said}")
    mode = Enumerated.of(changing, names)
    if mode.refusal:
        said = ", ".join(map(repr, mode.names))
        raise ValueError(f"modes: the mode with {said or 'nothing'} has no equations of its own: {mode.refusal}")
    return mode.names


def chosen_modes(ode: Ode, method: Method, duration: float, given: object) -> tuple[Mode, ...]:
    """Those that a run of a duration [s] has. given: what the user says, or None: all of a system with few switches and
    no contacts, for many equal steps; else none."""
    system = ode.compiled.system
    changing = Changing.of(system, ode.drives.expressions)
    if given is not None:
        return checked_modes(changing, given)
    few = not system.contacts and len(Layout(changing).switches) <= FEW_SWITCHES
    many = isinstance(method, FixedStep) and duration / method.step >= MANY_STEPS
    if not (few and many):
        return ()
    return tuple(
        mode.names for mode in (Enumerated.of(changing, names) for names in enumerate_modes(system)) if not mode.refusal
    )
