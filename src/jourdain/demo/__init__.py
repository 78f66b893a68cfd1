"""`jourdain demo`: the main job, start to finish, on the Stanford arm of Kane and Levinson (1983).

Derives the arm and counts, compiles, finds the torques of the prescribed motion (127), simulates the feedback law
(128–133), checks both uses of the equations against each other and against a constant of motion (138), and draws the
paper's Figures 1 and 3.
"""

from __future__ import annotations

from pathlib import Path

from ..console import Console
from .story import Demo

FOLDER = Path("jourdain-demo")


def run(console: Console, folder: Path = FOLDER) -> None:
    """The whole demo; pictures go to `folder`."""
    demo = Demo(console, folder)
    demo.derive()
    demo.count()
    demo.compile()
    demo.prescribed_motion()
    demo.feedback()
    demo.checks()
    demo.figures()


__all__ = ["FOLDER", "run"]
