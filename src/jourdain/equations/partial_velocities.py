"""Tables of partial velocities, as they are read off by hand (Gillespie 2003, step 2): a row for each speed.

ω^B = Σ ω_r u_r + ω_t and v^P = Σ v_r u_r + v_t: the coefficients are the partial angular velocities of B and the
partial velocities of P; ω_t and v_t, without any u, are the velocity remainders (23), which frames that move as given
bring in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..graph import Node
from ..graph.write import text
from ..model.mistakes import did_you_mean
from ..spatial import Vector


@dataclass(frozen=True)
class PartialVelocities:
    """Of one body B and a point P of it, as measure numbers along some axes.

    body, point, axes: names, `point` in words. speeds: names of the generalized speeds u_r. angular, linear: for each
    speed ω_r of B and v_r of P. angular_remainder, linear_remainder: ω_t [rad/s] and v_t [m/s].
    """

    body: str
    point: str
    axes: str
    speeds: tuple[str, ...]
    angular: tuple[Vector, ...]
    linear: tuple[Vector, ...]
    angular_remainder: Vector
    linear_remainder: Vector

    @property
    def has_remainders(self) -> bool:
        """Whether the body moves where all generalized speeds are zero."""
        return not (self.angular_remainder.is_zero and self.linear_remainder.is_zero)

    def rows(self) -> Iterator[tuple[str, Vector, Vector]]:
        """A speed's name, ω_r and v_r."""
        yield from zip(self.speeds, self.angular, self.linear)


@dataclass(frozen=True)
class PartialVelocityTable:
    """Partial velocities of several bodies, in the order of the tree. Prints as text; `table["B"]` is one body's."""

    entries: tuple[PartialVelocities, ...]

    def __iter__(self) -> Iterator[PartialVelocities]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, body: str) -> PartialVelocities:
        for entry in self.entries:
            if entry.body == body:
                return entry
        raise KeyError(f"the table has no body {body!r}; {did_you_mean(body, [x.body for x in self.entries])}")

    def nodes(self) -> list[Node]:
        """Every measure number, row by row: what a reader gives names to."""
        found: list[Node] = []
        for entry in self.entries:
            for _, angular, linear in entry.rows():
                found += [*angular, *linear]
            found += [*entry.angular_remainder, *entry.linear_remainder]
        return found

    def __str__(self) -> str:
        blocks = []
        for entry in self.entries:
            lines = [("", f"angular velocity of {entry.body}", f"velocity of {entry.point}")]
            lines += [(name, _written(angular), _written(linear)) for name, angular, linear in entry.rows()]
            if entry.has_remainders:
                lines.append(("remainder", _written(entry.angular_remainder), _written(entry.linear_remainder)))
            widths = [max(len(line[k]) for line in lines) for k in range(3)]
            shown = ["  ".join(x.ljust(width) for x, width in zip(line, widths)).rstrip() for line in lines]
            blocks.append("\n".join([f"along the axes of {entry.axes}", *shown]))
        return "\n\n".join(blocks)


def _written(vector: Vector) -> str:
    return "0" if vector.is_zero else f"[{', '.join(text(x) for x in vector)}]"


__all__ = ["PartialVelocities", "PartialVelocityTable"]
