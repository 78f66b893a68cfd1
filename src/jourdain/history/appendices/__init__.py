"""Kane and Levinson's appendices (1983) line by line: 196 Z's, 36 X's, 31 W's, each beside what it is.

Their equations for the Stanford arm, typed out with the misprints mended (`lines`), as expressions of our graph
(`written`), and beside them the quantities that they are, read out of our own derivation (`meanings`, `beside`).

    from jourdain.history import appendices

    for row in appendices.table():
        print(row.name, row.meaning, row.error)
"""

from .beside import GENERAL, Row, states, table
from .efforts import SPEEDS, Values, accelerations, active_forces, efforts, joint_forces, rates, speed_rates, speeds
from .lines import DATA, ERRATA, LINES, MISNAMED
from .meanings import meanings
from .written import Written, actuation, evaluate, evaluated, serving, written

__all__ = [
    "DATA", "ERRATA", "GENERAL", "LINES", "MISNAMED", "SPEEDS", "Row", "Values", "Written", "accelerations",
    "active_forces", "actuation", "efforts", "evaluate", "evaluated", "joint_forces", "meanings", "rates", "serving",
    "speed_rates", "speeds", "states", "table", "written",
]  # fmt: skip
