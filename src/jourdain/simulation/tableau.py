"""Butcher tableaux of explicit Runge–Kutta methods: numbers, and what they are for."""

from __future__ import annotations

from dataclasses import dataclass

Row = tuple[float, ...]


@dataclass(frozen=True)
class Tableau:
    """k_i = f(t + c_i h, y + h Σ a_ij k_j), y₁ = y + h Σ b_i k_i; the first stage is f(t, y).

    a: rows of the later stages. errors: weights of error estimates; they may have one entry more than b, for f(t + h,
    y₁). more: further stages that only dense output needs, (c, row), the rows counting f(t + h, y₁) as a stage.
    dense: weights of the polynomial's terms beyond the cubic one of Hermite, over all of those.
    """

    order: int
    c: Row
    a: tuple[Row, ...]
    b: Row
    errors: tuple[Row, ...] = ()
    more: tuple[tuple[float, Row], ...] = ()
    dense: tuple[Row, ...] = ()

    @property
    def stages(self) -> int:
        return len(self.b)

    @property
    def ends_with_rates(self) -> bool:
        """Whether an error estimate needs the rates at the end of the step."""
        return any(len(row) > self.stages for row in self.errors)
