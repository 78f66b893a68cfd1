"""Systems as code for elsewhere: each target writes a folder of files that need nothing of ours."""

from .front import export
from .plan import Plan
from .target import TARGETS, Target

__all__ = ["TARGETS", "Plan", "Target", "export"]
