"""Names as mathematics: q1 is q with subscript 1, alpha is the letter, q1dot wears its dot, base.qx stays readable."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_GREEK = frozenset(
    """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    """.split()  # noqa: SIM905
)
_ESCAPES = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#", "&": r"\&", "_": r"\_",
    "~": r"\sim ", "^": r"\hat{}", " ": r"\ ", "\n": r"\ ",
}  # fmt: skip
_SUBSCRIPT_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
# What is written as a letter with an index: mB, IA2, Ixx, cy; and base.qw, where the dot says so.
_INDEXED = re.compile(r"[A-Za-wα-ωΑ-Ω](?:[A-Z]{1,2}|[xyz]{1,2})")
_COMPONENT = re.compile(r"[A-Za-z][xyzw]")
_RUN_ON = re.compile(r"[A-Z]{1,2}[0-9]*|[xyz]{1,2}")
_DOTS = {"dot": r"\dot", "ddot": r"\ddot"}
_ACCENTS = {"\u0307": "dot", "\u0308": "ddot"}  # q̇ and q̈, as combining marks


def latex_name(name: str) -> str:
    """A symbol's name as LaTeX mathematics."""
    return r"\text{.}".join(_part(part, dotted=i > 0) for i, part in enumerate(name.split(".")))


def subscripted(letter: str, index: int) -> str:
    """Z₁, Z₂, …"""
    return letter + str(index).translate(_SUBSCRIPT_DIGITS)


def split_index(name: str) -> tuple[str, str]:
    """The letters and the trailing digits of a name: q12 and q_12 are ("q", "12"), plain or as subscripts."""
    plain = name.translate(_PLAIN_DIGITS)
    letters = plain.rstrip("0123456789")
    return letters.removesuffix("_"), plain[len(letters) :]


def free_letter(letters: str, taken: Iterable[str]) -> str:
    """The first letter that no other name pairs with a number; twice the first one where all are taken, and so on."""
    used = {split_index(name)[0] for name in taken if split_index(name)[1]}
    for letter in letters:
        if letter not in used:
            return letter
    return next(letters[0] * n for n in range(2, len(used) + 3) if letters[0] * n not in used)


def _part(name: str, dotted: bool) -> str:
    stem, *subscripts = [x for x in name.translate(_PLAIN_DIGITS).split("_") if x] or [name]
    accent = ""
    apart = unicodedata.normalize("NFD", stem)  # ẋ is one character, q̇ is two
    for mark, dots in _ACCENTS.items():
        if mark in apart:
            stem, accent = unicodedata.normalize("NFC", apart.replace(mark, "")), _DOTS[dots]
    for word in ("ddot", "dot"):
        if stem.endswith(word) and len(stem) > len(word):
            stem, accent = stem.removesuffix(word), _DOTS[word]
            break
        if subscripts and subscripts[-1].endswith(word):
            subscripts[-1], accent = subscripts[-1].removesuffix(word), _DOTS[word]
            break
    letters, digits = split_index(stem)
    if not letters:  # a name of digits alone
        letters, digits = stem, ""
    if digits:
        subscripts = [digits, *subscripts]
    if letters not in _GREEK and (_INDEXED.fullmatch(letters) or (dotted and _COMPONENT.fullmatch(letters))):
        index = letters[1:]
        if digits and index.isupper():  # IA2 is I with A2, Ixx2 is I with xx,2
            index, subscripts = index + digits, subscripts[1:]
        letters, subscripts = letters[0], [index, *subscripts]
    body = _letters(letters)
    if accent:
        body = f"{accent}{{{body}}}"
    written = [_subscript(x) for x in subscripts if x]
    return body + (f"_{{{','.join(written)}}}" if written else "")


def _subscript(word: str) -> str:
    """Digits and components run on in italics; a word stands upright."""
    return word if word.isdecimal() or _RUN_ON.fullmatch(word) else _letters(word)


def _letters(word: str) -> str:
    if word in _GREEK:
        return "\\" + word
    if len(word) == 1:
        described = unicodedata.name(word, "").split()
        if described[:1] == ["GREEK"] and len(described) == 4 and described[2] == "LETTER":
            letter = described[3].lower().replace("lamda", "lambda")
            letter = letter.capitalize() if described[1] == "CAPITAL" else letter
            if letter in _GREEK:
                return "\\" + letter
        return _ESCAPES.get(word, word)
    return r"\mathrm{" + "".join(_ESCAPES.get(x, x) for x in word) + "}"
