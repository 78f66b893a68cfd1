"""The table that Silver argues from, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .counting import OURS, Row, counts, grown
from .methods import FORWARD, INVERSE
from .published import JOINTS, KANE_LEVINSON

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = {
    "Uicker, Kahn": "#8c2d19", "Hollerbach 4×4": "#c8731d", "Hollerbach 3×3": "#a8923a",
    "Kane, sums as written": "#5b8a5b", "Luh, Walker, Paul": "#3b7ea1", "Silver": "#8a6fb3", OURS: "#16476a",
}  # fmt: skip
INK, SOFT, GRID = "#22282e", "#8a929a", "#e9ecef"


def table(n: int = JOINTS) -> str:
    """Multiplications/additions(/divisions) of one evaluation for n joints, as text."""
    rows = [["", "", "full matrices", "0 and 1 left out", "published"]]
    rows += [[x.name, x.quantity, str(x.full or "—"), str(x.sparse), _published(x)] for x in counts(n)]
    return _aligned(rows)


def table_of_growth(upto: int = 12, sparse: bool = False) -> str:
    """The same as polynomials of n, fitted to runs with 1 … upto joints and exact from the first n that is named.

    sparse: zeros and ones left out, instead of full matrices; ours are always so.
    """
    rows = [["", "", "multiplications", "additions", "from n ="]]
    for i, row in enumerate(counts(1)):
        if row.name == OURS and row.quantity == FORWARD:
            continue  # the formulation itself changes with n
        mul, add = (grown(i, operation, sparse or row.full is None, upto) for operation in ("mul", "add"))
        rows.append([row.name, row.quantity, str(mul), str(add), str(max(mul.start, add.start))])
    return _aligned(rows)


def table_by_joints(upto: int = 12) -> str:
    """Multiplications + additions + divisions for 1 … upto joints, full matrices (ours: as compiled)."""
    rows = [["n", *(f"{x.name}, {x.quantity}" for x in counts(1))]]
    rows += [[str(n), *(str((x.full or x.sparse).total) for x in counts(n))] for n in range(1, upto + 1)]
    return _aligned([list(column) for column in zip(*rows)])


def _published(row: Row) -> str:
    return f"{row.published.mul}/{row.published.add}" if row.published else "—"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def plot(upto: int = 12, axes: Axes | None = None) -> Axes:
    """Operations of one inverse dynamics for 1 … upto joints on logarithmic scales; published figures as rings.

    axes: where to draw, a new figure's if they are not given. Their figure is `plot().figure`.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, FormatStrFormatter, NullLocator

    if axes is None:
        axes = Figure(figsize=(9.0, 5.4), layout="constrained", facecolor="white").subplots()
    joints = range(1, upto + 1)
    for i, row in enumerate(counts(1)):
        if row.quantity != INVERSE:
            continue
        found = [counts(n)[i] for n in joints]
        totals = [(x.full or x.sparse).total for x in found]
        growth = grown(i, "mul", row.full is None, max(upto, 12))
        power = {1: "n", 2: "n²", 4: "n⁴"}[growth.degree]
        label = f"{row.name}: {power}, {totals[-1]:,} at n = {upto}"
        axes.plot(joints, totals, "o-", markersize=3.5, linewidth=1.8, color=COLORS[row.name], label=label)
        published = counts(JOINTS)[i].published
        if published and upto >= JOINTS:
            _ring(axes, published.mul + published.add, COLORS[row.name])
    if upto >= JOINTS:
        _ring(axes, KANE_LEVINSON.mul + KANE_LEVINSON.add, SOFT)
        axes.annotate(
            "Kane and Levinson: the Stanford arm alone", (JOINTS, KANE_LEVINSON.mul + KANE_LEVINSON.add), (-30, -80),
            textcoords="offset points", fontsize=9, color=SOFT, ha="center",
            arrowprops={"arrowstyle": "-", "color": SOFT, "shrinkB": 6},
        )  # fmt: skip
    axes.set_xscale("log")  # a power of n is a slope
    axes.set_yscale("log")
    axes.set_xlabel("joints n")
    axes.set_ylabel("multiplications and additions")
    title = "inverse dynamics of a chain, counted as executed; rings: as published for n = 6"
    axes.set_title(title, loc="left", color=INK, fontsize=11)
    axes.xaxis.set_major_locator(FixedLocator(list(joints)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FormatStrFormatter("%d"))
    axes.grid(visible=True, which="major", color=GRID)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _ring(axes: Axes, total: int, color: str) -> None:
    axes.plot([JOINTS], [total], "o", markersize=10, markerfacecolor="none", markeredgecolor=color, markeredgewidth=1.6)
