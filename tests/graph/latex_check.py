"""A check that LaTeX mathematics is well formed: braces, \\left and \\right, environments, nothing that breaks out."""

from __future__ import annotations

import re

_TOKENS = re.compile(r"\\(?:begin|end)\{[a-z]+\}|\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENS = {"{": "}", r"\left": r"\right"}


def check_latex(written: str) -> None:
    """Raises AssertionError where something is not closed, or a character is active that should not be."""
    open_: list[str] = []
    for token in _TOKENS.findall(written):
        if token.startswith(r"\begin"):
            open_.append(token.replace("begin", "end"))
        elif token in _OPENS:
            open_.append(_OPENS[token])
        elif token in _OPENS.values() or token.startswith(r"\end{"):
            assert open_, f"{token} closes nothing in {written}"
            assert open_.pop() == token, f"{token} closes something else in {written}"
        else:
            assert token not in "$%#~\\", f"an active {token!r} in {written!r}"
            assert token != "&" or r"\begin{" in written, f"an active & in {written!r}"
    assert not open_, f"{open_} missing in {written}"
