"""WebAssembly: procedures that run in a page, without a server."""

from .link import LinkError
from .machine import MACHINE
from .module import Wasm, layout_of, write_wasm

__all__ = ["MACHINE", "LinkError", "Wasm", "layout_of", "write_wasm"]
