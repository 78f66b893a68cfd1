"""Motion through changing constraints: modes are data, and one compiled loop goes through all of them."""

from ..change import Change
from .modal_run import ModalRun

__all__ = ["Change", "ModalRun"]
