"""Kane and Levinson's own arrangement for the Stanford arm, executed with counting numbers.

The lines are those of appendices 1 and 2, the efforts (118) to (126), from q, u, u̇ and the sines and cosines.
"""

from __future__ import annotations

import ast
import math
from typing import Any

from jourdain.history import appendices as paper
from jourdain.history.counted import Counted, Ledger
from jourdain.history.published import KANE_LEVINSON, KANE_LEVINSON_EXECUTED

STATE = {"q": 0.3, "u": 0.2, "s": math.sin(0.3), "c": math.cos(0.3)}


class Written(Counted):
    """A counting number with the squares that the paper's lines have: x² is a multiplication."""

    def __pow__(self, power: int) -> Counted:
        assert power == 2
        return self * self


def executed() -> dict[str, tuple[int, int, int]]:
    """Multiplications, additions and divisions, by appendix 1, appendix 2 and the efforts."""
    ledger = Ledger()

    def number(x: float) -> Written:
        return Written(x, ledger)

    known: dict[str, Any] = {name: number(x) for name, x in paper.DATA.items()}
    known |= {f"{letter}{k}": number(x) for letter, x in STATE.items() for k in range(1, 7)}
    spent: dict[str, tuple[int, int, int]] = {}
    for name, expression in paper.LINES:
        if name[0] == "W":
            continue  # the constant of the motion, appendix 4
        before = (ledger.mul, ledger.add, ledger.div)
        value = eval(expression, {"__builtins__": {}}, known)  # the paper's lines, out of our own file
        known[name] = Counted(0.0, ledger, known=True) if expression == "0" else number(value.value)
        _spend(spent, name[0], before, ledger)
    before = (ledger.mul, ledger.add, ledger.div)
    _efforts(known, [number(0.1) for _ in range(6)])
    _spend(spent, "τ", before, ledger)
    return spent


def _spend(spent: dict[str, tuple[int, int, int]], part: str, before: tuple[int, int, int], now: Ledger) -> None:
    mul, add, div = spent.get(part, (0, 0, 0))
    spent[part] = (mul + now.mul - before[0], add + now.add - before[1], div + now.div - before[2])


def _efforts(z: dict[str, Any], rates: list[Written]) -> None:
    """(118) to (126)."""
    rows = []
    for r in range(1, 7):
        first, *others = (z[f"X{min(r, s)}{max(r, s)}"] * rate for s, rate in enumerate(rates, 1))
        total = first
        for x in others:
            total = total + x
        rows.append(total)
    tau3 = rows[1] + z["Z193"] + z["Z183"]
    y1 = rows[0] + tau3 * z["Z6"] + z["Z192"] + z["Z182"]
    y2 = rows[2] + tau3 * z["Z7"] + z["Z194"] + z["Z184"]
    _ = z["s2"] * (y2 * z["c3"] - y1 * z["s3"]), y1 * z["c3"] + y2 * z["s3"]
    _ = rows[3] + z["Z195"] + z["Z185"], rows[4] + z["Z186"]
    _ = rows[5] + z["Z196"] + z["Z187"]


def test_what_is_executed() -> None:
    spent = executed()
    assert spent == {"C": (4, 0, 0), "Z": (477, 286, 5), "X": (129, 110, 0), "τ": (35, 37, 0)}
    assert tuple(map(sum, zip(*spent.values()))) == KANE_LEVINSON_EXECUTED


def test_beside_the_printed_figures() -> None:
    """One multiplication fewer than the printed 646; 39 additions more than the printed 394, and five divisions."""
    mul, add, div = KANE_LEVINSON_EXECUTED
    assert (KANE_LEVINSON.mul - mul, add - KANE_LEVINSON.add, div) == (1, 39, 5)


def test_what_joins_data_alone() -> None:
    """Such as B2 − B3 or m_C + m_D: 33 additions and 12 multiplications that need be done only once."""
    found = {"add": 0, "mul": 0}
    for name, expression in paper.LINES:
        if name[0] != "W":
            _data_alone(ast.parse(expression, mode="eval").body, found)
    assert found == {"add": 33, "mul": 12}


def _data_alone(node: ast.expr, found: dict[str, int]) -> bool:
    """Whether a line's part is made of data alone; its operations of that kind are added to `found`."""
    if isinstance(node, ast.UnaryOp):
        return _data_alone(node.operand, found)
    if not isinstance(node, ast.BinOp):
        return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in paper.DATA)
    both = [_data_alone(x, found) for x in (node.left, node.right)]
    if all(both):
        found["add" if isinstance(node.op, ast.Add | ast.Sub) else "mul"] += 1
    return all(both)
