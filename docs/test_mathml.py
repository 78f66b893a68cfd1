"""Formulas of the pages: an accented letter keeps its index beside it, and a sum its limits above and below."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from docutils.utils.math.latex2mathml import tex2mathml
from mathml import SPACE, with_accents_on_letters


def outline(element: ElementTree.Element) -> str:
    """Tags and texts, nested."""
    inner = " ".join(map(outline, element)) or (element.text or "").strip()
    return f"{element.tag.removeprefix(f'{{{SPACE}}}')}({inner})"


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\dot u_1", "math(msub(mover(mi(u) mo(˙)) mn(1)))"),
        (r"\tilde F_r", "math(msub(mover(mi(F) mo(~)) mi(r)))"),
        (r"\sum_i^n", "math(munderover(mo(∑) mi(i) mi(n)))"),
        (r"\sin x < 1", "math(mi(sin) mo(\u2061) mi(x) mo(<) mn(1))"),
    ],
)
def test_formula(tex: str, expected: str) -> None:
    assert outline(ElementTree.fromstring(with_accents_on_letters(str(tex2mathml(tex))))) == expected
