"""Motion through changing constraints: modes are data, and one compiled loop goes through all of them."""

from .modal_run import Change, ModalRun

__all__ = ["Change", "ModalRun"]
