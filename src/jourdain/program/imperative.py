"""What a kernel is to a target: typed expressions and statements over flat arrays, whole numbers and numbers.

Everything is resolved: names are variables with a type, conversions are written out, what a kernel calls is the code of
another. An expression computes from left to right; only `Apply` changes anything.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cached_property


class Type(Enum):
    """Of a variable or an expression: a flat array, a whole number of 64 bits, a number of 64 bits, true or false."""

    FLOATS = "floats"
    INT = "int"
    FLOAT = "float"
    FLAG = "flag"


# -- expressions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    value: int | float | bool

    @property
    def type(self) -> Type:
        return {bool: Type.FLAG, int: Type.INT, float: Type.FLOAT}[type(self.value)]


@dataclass(frozen=True)
class Variable:
    """A parameter or a local variable, told apart by its number; parameters come first."""

    number: int
    type: Type
    name: str = field(compare=False)


@dataclass(frozen=True)
class Item:
    """A number of an array."""

    array: Variable
    index: Expression

    @property
    def type(self) -> Type:
        return Type.FLOAT


@dataclass(frozen=True)
class View:
    """An array from a place on, to be handed on."""

    array: Variable
    start: Expression

    @property
    def type(self) -> Type:
        return Type.FLOATS


@dataclass(frozen=True)
class Unary:
    """op: "-", "abs", "sqrt", "floor" (to a number), "float" (from whole), "int" (truncates), "not"."""

    op: str
    x: Expression
    type: Type


@dataclass(frozen=True)
class Binary:
    """Operands of one type. op: + - * / // % min max; < <= > >= == != to a flag. `//` and `%` of whole numbers round
    down; min(a, b) is b if b < a else a, and max likewise."""

    op: str
    a: Expression
    b: Expression
    type: Type


@dataclass(frozen=True)
class Logic:
    """"and" or "or": b is not looked at where a decides."""

    op: str
    a: Expression
    b: Expression

    @property
    def type(self) -> Type:
        return Type.FLAG


@dataclass(frozen=True)
class Choice:
    """Only the one that is chosen is computed."""

    condition: Expression
    then: Expression
    otherwise: Expression

    @property
    def type(self) -> Type | None:
        return self.then.type


@dataclass(frozen=True)
class Apply:
    """Another kernel, and its result."""

    code: Code
    arguments: tuple[Expression, ...]

    @property
    def type(self) -> Type | None:
        return self.code.result


Expression = Constant | Variable | Item | View | Unary | Binary | Logic | Choice | Apply

# -- statements ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assign:
    variable: Variable
    value: Expression


@dataclass(frozen=True)
class Put:
    """array[index] = value; the value is computed first."""

    array: Variable
    index: Expression
    value: Expression


@dataclass(frozen=True)
class Do:
    """A kernel for what it does to its arrays."""

    apply: Apply


@dataclass(frozen=True)
class Branch:
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Count:
    """variable = start, start + step, … before stop; the count is not the variable: the body may change that."""

    variable: Variable
    start: Expression
    stop: Expression
    step: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Repeat:
    """While the condition holds."""

    condition: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Break:
    """Out of the innermost loop."""


@dataclass(frozen=True)
class Continue:
    """On to the innermost loop's next round."""


@dataclass(frozen=True)
class Return:
    value: Expression | None


Statement = Assign | Put | Do | Branch | Count | Repeat | Break | Continue | Return


@dataclass(frozen=True)
class Code:
    """A whole kernel. variables: parameters, then local variables."""

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    result: Type | None
    body: tuple[Statement, ...]

    @cached_property
    def digest(self) -> str:
        """The same for the same code in every process, whatever its names."""
        text = "\n".join(spell(x) for x in (self.variables, len(self.parameters), self.result, self.body))
        return hashlib.sha256(text.encode()).hexdigest()


def spell(x: object) -> str:
    """Code as text that depends on nothing but what it does."""
    if isinstance(x, Variable):
        return f"{x.type.value}{x.number}"
    if isinstance(x, Code):
        return x.digest
    if isinstance(x, Type):
        return x.value
    if isinstance(x, tuple):
        return f"[{' '.join(map(spell, x))}]"
    if is_dataclass(x):
        return f"({' '.join([type(x).__name__, *(spell(getattr(x, f.name)) for f in fields(x))])})"
    return x.hex() if isinstance(x, float) else repr(x)
