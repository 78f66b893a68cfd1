"""Mechanisms that are ready to be derived, compiled, simulated: each a function that answers a `System`.

`jourdain list` shows every name of `__all__`, in this order, with the first line of its docstring. A new entry is a
file here and a row in each of the two lists below.
"""

from __future__ import annotations

from .andrews_squeezer import andrews_squeezer
from .bouncing_block import bouncing_block
from .bricard import bricard
from .chain import chain
from .double_pendulum import double_pendulum
from .four_bar import four_bar
from .kwatny_arm import kwatny_arm
from .latch import latch
from .parallel_four_bars import parallel_four_bars
from .pendulum import pendulum
from .piano_key import piano_key
from .puma560 import puma560
from .rattleback import rattleback
from .rolling_disk import rolling_disk
from .rolling_disk_on_ramp import rolling_disk_on_ramp
from .rx90 import rx90
from .shopping_cart import shopping_cart
from .slider_crank import slider_crank
from .spherical_wrist import spherical_wrist
from .stanford_arm import stanford_arm
from .stanford_arm_kane import stanford_arm_kane
from .thin_disk import thin_disk
from .whipple_bicycle import whipple_bicycle
from .woodpecker import woodpecker

__all__ = [  # noqa: RUF022 — from the simplest to the largest, as `jourdain list` shows them
    "pendulum",
    "double_pendulum",
    "chain",
    "stanford_arm",
    "stanford_arm_kane",
    "puma560",
    "rx90",
    "thin_disk",
    "kwatny_arm",
    "spherical_wrist",
    "rolling_disk_on_ramp",
    "rolling_disk",
    "shopping_cart",
    "four_bar",
    "slider_crank",
    "parallel_four_bars",
    "bricard",
    "andrews_squeezer",
    "rattleback",
    "whipple_bicycle",
    "bouncing_block",
    "latch",
    "woodpecker",
    "piano_key",
]


def __getattr__(name: str) -> object:
    from ..model.mistakes import did_you_mean

    raise AttributeError(f"the gallery has no {name!r}; {did_you_mean(name, __all__)}")
