"""The command `jourdain`: one file a command."""

from .main import main

__all__ = ["main"]
