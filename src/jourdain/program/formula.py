"""Expressions of kernels, read from Python's: each has a type, and every conversion is written out."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

import numpy as np

from .imperative import Apply, Binary, Choice, Constant, Expression, Item, Logic, Type, Unary, Variable, View
from .kernel import Kernel, KernelError

if TYPE_CHECKING:
    from .translate import Translator

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
LARGEST = 2**63 - 1
NUMBERS = (Type.INT, Type.FLOAT)


class Formula:
    """Reads expressions, with a translator's variables and names."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.mistake = translator.mistake

    def read(self, x: ast.expr) -> Expression:
        """Any expression that has a value; an array's name too."""
        if isinstance(x, ast.Constant):
            return self._constant(x, x.value)
        if isinstance(x, ast.Name | ast.Attribute):
            return self._name(x)
        if isinstance(x, ast.Subscript):
            return Item(*self.place(x))
        if isinstance(x, ast.UnaryOp):
            return self._unary(x)
        if isinstance(x, ast.BinOp):
            return self.combine(x, x.op, self.read(x.left), x.right)
        if isinstance(x, ast.Compare):
            return self._compare(x)
        if isinstance(x, ast.BoolOp):
            return self._logic(x)
        if isinstance(x, ast.IfExp):
            condition, then, otherwise = self.condition(x.test), self.read(x.body), self.read(x.orelse)
            self._alike(x, then, otherwise)
            return Choice(condition, then, otherwise)
        if isinstance(x, ast.Call):
            return self._call(x)
        raise self.unknown(x)

    def unknown(self, x: ast.AST) -> KernelError:
        """What is not in the language."""
        words = ast.unparse(x).strip().splitlines()[0]
        return self.mistake(x, f"`{words}` is not in the language of kernels ({type(x).__name__})")

    # -- of one type ----------------------------------------------------------------------------------------------

    def whole(self, x: ast.expr) -> Expression:
        """An int."""
        found = self.read(x)
        if found.type is not Type.INT:
            raise self.mistake(x, f"`{ast.unparse(x)}` must be an int")
        return found

    def condition(self, x: ast.expr) -> Expression:
        """A truth."""
        found = self.read(x)
        if found.type is not Type.FLAG:
            raise self.mistake(x, f"`{ast.unparse(x)}` is no condition: compare it with something")
        return found

    def number(self, x: ast.expr) -> Expression:
        """An int or a float."""
        return self._checked(x, self.read(x))

    def as_float(self, x: ast.AST, value: Expression) -> Expression:
        """A number as a float."""
        self._checked(x, value)
        if isinstance(value, Constant):
            return Constant(float(value.value))
        return value if value.type is Type.FLOAT else Unary("float", value, Type.FLOAT)

    def place(self, x: ast.Subscript) -> tuple[Variable, Expression]:
        """Array and index."""
        if isinstance(x.slice, ast.Slice):
            raise self.mistake(x, f"`{ast.unparse(x)}`: a part of an array is handed on to a kernel, or given a name")
        index = self.whole(x.slice)
        if isinstance(index, Constant) and index.value < 0:
            raise self.mistake(x, f"`{ast.unparse(x)}`: indices do not count from the end")
        return self._array(x.value), index

    def _array(self, x: ast.expr) -> Variable:
        found = self.translator.variables.get(x.id) if isinstance(x, ast.Name) else None
        if found is None or found.type is not Type.FLOATS:
            raise self.mistake(x, f"`{ast.unparse(x)}` is no array: parameters that are Floats are")
        return found

    def _checked(self, x: ast.AST, value: Expression) -> Expression:
        if value.type not in NUMBERS:
            raise self.mistake(x, f"`{ast.unparse(x)}` is no number")
        return value

    def _alike(self, x: ast.expr, *values: Expression) -> None:
        if len({value.type for value in values}) > 1 or values[0].type in (Type.FLOATS, None):
            raise self.mistake(x, f"`{ast.unparse(x)}` must be of one type, all int or all float")

    # -- kinds of expressions -------------------------------------------------------------------------------------

    def _constant(self, x: ast.expr, value: object) -> Expression:
        if isinstance(value, np.float64):
            value = float(value)
        if type(value) not in (bool, int, float):
            raise self.mistake(x, f"`{ast.unparse(x)}` is {value!r}, which is no number")
        assert isinstance(value, bool | int | float)
        if type(value) is int and abs(value) > LARGEST:
            raise self.mistake(x, f"{value} is no whole number of 64 bits")
        return Constant(value)

    def _name(self, x: ast.Name | ast.Attribute) -> Expression:
        variable = self.translator.variables.get(x.id) if isinstance(x, ast.Name) else None
        if variable is not None or (isinstance(x, ast.Name) and x.id in self.translator.function.__code__.co_varnames):
            name = ast.unparse(x)
            if variable is None or self.translator.sure is None or name not in self.translator.sure:
                raise self.mistake(x, f"{name!r} may have no value here: give it one before")
            return variable
        value = self.translator.outside(x)
        if type(value) not in (bool, int, float, np.float64):
            raise self.mistake(x, f"`{ast.unparse(x)}` is neither a variable nor a number of the module")
        return self._constant(x, value)

    def _unary(self, x: ast.UnaryOp) -> Expression:
        if isinstance(x.op, ast.Not):
            return Unary("not", self.condition(x.operand), Type.FLAG)
        value = self.number(x.operand)
        if isinstance(x.op, ast.UAdd):
            return value
        if not isinstance(x.op, ast.USub):
            raise self.unknown(x)
        return Constant(-value.value) if isinstance(value, Constant) else Unary("-", value, _type(value))

    def combine(self, x: ast.AST, op: ast.operator, a: Expression, right: ast.expr) -> Expression:
        """a op right"""
        spelled, b = ARITHMETIC.get(type(op)), self.number(right)
        self._checked(x, a)
        if spelled is None:
            raise self.unknown(x)
        if spelled in ("//", "%"):
            if (a.type, b.type) != (Type.INT, Type.INT):
                raise self.mistake(x, f"`{ast.unparse(x)}`: `{spelled}` is for ints")
        elif spelled == "/" or a.type is not b.type:
            a, b = self.as_float(x, a), self.as_float(x, b)
        return Binary(spelled, a, b, _type(a))

    def _compare(self, x: ast.Compare) -> Expression:
        made: Expression | None = None
        sides = [x.left, *x.comparators]
        if any(map(self.calls_kernel, sides[1:-1])):
            raise self.mistake(x, "a kernel in the middle of a chain of comparisons: give its result a name first")
        for left, op, right in zip(sides, x.ops, sides[1:]):
            if type(op) not in COMPARISONS:
                raise self.unknown(x)
            a, b = self.number(left), self.number(right)
            if a.type is not b.type:
                a, b = self.as_float(left, a), self.as_float(right, b)
            one = Binary(COMPARISONS[type(op)], a, b, Type.FLAG)
            made = one if made is None else Logic("and", made, one)
        assert made is not None
        return made

    def _logic(self, x: ast.BoolOp) -> Expression:
        made = self.condition(x.values[0])
        for y in x.values[1:]:
            made = Logic("and" if isinstance(x.op, ast.And) else "or", made, self.condition(y))
        return made

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, x: ast.Call) -> Expression:
        function = self.translator.outside(x.func)
        if isinstance(function, Kernel):
            found = self.apply(x)
            if found.type is None:
                raise self.mistake(x, f"kernel {function.name!r} has no result")
            return found
        if x.keywords or any(isinstance(y, ast.Starred) for y in x.args):
            raise self.mistake(x, f"`{ast.unparse(x)}`: arguments go by place")
        values = [self.number(y) for y in x.args]
        if function is min or function is max:
            if len(values) < 2:
                raise self.mistake(x, f"`{ast.unparse(x)}` needs two numbers or more")
            self._alike(x, *values)
            found_: Expression = values[0]
            for value in values[1:]:
                found_ = Binary("min" if function is min else "max", found_, value, _type(value))
            return found_
        op = next((op for known, op in ONE_NUMBER if known is function), None)
        if op is None:
            raise self.mistake(x, f"`{ast.unparse(x.func)}` is no kernel, and none of {', '.join(NAMES)}")
        if len(values) != 1:
            raise self.mistake(x, f"`{ast.unparse(x)}` needs one number")
        return self._one_number(x, op, values[0])

    def _one_number(self, x: ast.expr, op: str, value: Expression) -> Expression:
        if op == "abs":
            return Unary("abs", value, _type(value))
        if op == "float":
            return self.as_float(x, value)
        if op in ("int", "whole floor"):
            if value.type is Type.INT:
                return value
            return Unary("int", Unary("floor", value, Type.FLOAT) if op == "whole floor" else value, Type.INT)
        return Unary(op, self.as_float(x, value), Type.FLOAT)

    def apply(self, x: ast.Call) -> Apply:
        """A kernel is called."""
        called = self._kernel(x)
        if called is None:
            raise self.mistake(x, f"`{ast.unparse(x.func)}` is no kernel")
        if called.is_being_read:
            raise self.mistake(x, f"kernel {called.name!r} calls itself in the end")
        code = called.code
        if x.keywords or len(x.args) != len(code.parameters):
            raise self.mistake(x, f"kernel {called.name!r} takes {len(code.parameters)} arguments by place")
        arguments = [self._argument(y, parameter) for y, parameter in zip(x.args, code.parameters)]
        return Apply(code, tuple(arguments))

    def _argument(self, x: ast.expr, parameter: Variable) -> Expression:
        if parameter.type is Type.INT:
            return self.whole(x)
        if parameter.type is Type.FLOAT:
            return self.as_float(x, self.number(x))
        return self._view(x) if _is_part(x) else self._array(x)

    def assigned(self, x: ast.expr) -> Expression:
        """What a variable can stand for: a number, an array, a part of one."""
        return self._view(x) if _is_part(x) else self.read(x)

    def _view(self, x: ast.expr) -> View:
        """array[start:]"""
        assert isinstance(x, ast.Subscript) and isinstance(x.slice, ast.Slice)
        if x.slice.lower is None or x.slice.upper is not None or x.slice.step is not None:
            raise self.mistake(x, f"`{ast.unparse(x)}`: a part of an array is written array[start:]")
        start = self.whole(x.slice.lower)
        if isinstance(start, Constant) and start.value < 0:
            raise self.mistake(x, f"`{ast.unparse(x)}`: indices do not count from the end")
        return View(self._array(x.value), start)

    def calls_kernel(self, x: ast.AST) -> bool:
        """Whether a kernel is called somewhere in it."""
        return any(self._kernel(y) is not None for y in ast.walk(x))

    def _kernel(self, x: ast.AST) -> Kernel[..., object] | None:
        found = self.translator.outside(x.func) if isinstance(x, ast.Call) else None
        return found if isinstance(found, Kernel) else None


def _is_part(x: ast.expr) -> bool:
    return isinstance(x, ast.Subscript) and isinstance(x.slice, ast.Slice)


# What Python and NumPy call them; math.floor is whole.
ONE_NUMBER: tuple[tuple[object, str], ...] = (
    (abs, "abs"), (int, "int"), (float, "float"), (math.sqrt, "sqrt"), (np.sqrt, "sqrt"), (math.floor, "whole floor"),
    (np.floor, "floor"),
)  # fmt: skip
NAMES = ("abs", "min", "max", "int", "float", "sqrt", "floor")


def _type(x: Expression) -> Type:
    assert x.type is not None
    return x.type
