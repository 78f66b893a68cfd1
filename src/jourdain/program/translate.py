"""From a Python function to a kernel's code: the small part of Python that kernels are written in."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType

from .formula import Formula
from .imperative import (
    Assign,
    Branch,
    Break,
    Code,
    Constant,
    Continue,
    Count,
    Do,
    Expression,
    Put,
    Repeat,
    Return,
    Statement,
    Type,
    Variable,
)
from .kernel import Floats, KernelError

ABSENT = object()
ANNOTATIONS = ((Floats, Type.FLOATS), (int, Type.INT), (float, Type.FLOAT))
Sure = set[str] | None
"""Names that have a value, whichever way the program came here; None where it never comes."""


def translate(function: Callable[..., object]) -> Code:
    """The code of a Python function. What is not in the language is an error with its file and line."""
    assert isinstance(function, FunctionType)
    return Translator(function).code()


class Translator:
    """Statements, one after the other; `Formula` reads what stands in them."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.file, self.first = function.__code__.co_filename, function.__code__.co_firstlineno
        self.variables: dict[str, Variable] = {}
        self.sure: Sure = set()
        self.result: Type | None = None
        self._exits: list[list[Sure]] = []  # of the loops around: what is sure where they are left by `break`
        self._formula = Formula(self)

    def code(self) -> Code:
        tree = self._definition()
        parameters = [self._parameter(x) for x in self._parameters(tree)]
        self.sure = {x.name for x in parameters}
        self.result = self._result(tree)
        body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
        statements = self._block(body)
        if self.result is not None and self.sure is not None:
            raise self.mistake(tree.body[-1], f"it can end without `return`, and must give {self.result.value}")
        return Code(tree.name, tuple(parameters), tuple(self.variables.values()), self.result, statements)

    # -- the head -------------------------------------------------------------------------------------------------

    def _definition(self) -> ast.FunctionDef:
        try:
            source = textwrap.dedent(inspect.getsource(self.function))
        except OSError as reason:
            raise KernelError(f"kernel {self.function.__name__!r}: its source is not to be had: {reason}") from None
        (tree,) = ast.parse(source).body
        if not isinstance(tree, ast.FunctionDef):
            raise self.mistake(tree, "a kernel is a function that `def` begins")
        if len(tree.decorator_list) > 1:
            raise self.mistake(tree, "a kernel has no other decorators")
        return tree

    def _parameters(self, tree: ast.FunctionDef) -> Sequence[ast.arg]:
        x = tree.args
        if x.vararg or x.kwarg or x.kwonlyargs or x.defaults:
            raise self.mistake(tree, "parameters are plain names, without defaults and stars")
        return [*x.posonlyargs, *x.args]

    def _parameter(self, x: ast.arg) -> Variable:
        type_ = None if x.annotation is None else self._annotated(x.annotation, (Floats, int, float))
        if type_ is None:
            raise self.mistake(x, f"parameter {x.arg!r} must be annotated Floats, int or float")
        return self._new(x.arg, type_)

    def _result(self, tree: ast.FunctionDef) -> Type | None:
        x = tree.returns
        if isinstance(x, ast.Constant) and x.value is None:
            return None
        type_ = None if x is None else self._annotated(x, (int, float))
        if type_ is None:
            raise self.mistake(tree, "the result must be annotated `-> None`, `-> int` or `-> float`")
        return type_

    def _annotated(self, x: ast.expr, among: Sequence[object]) -> Type | None:
        if isinstance(x, ast.Constant) and isinstance(x.value, str):
            x = ast.parse(x.value, mode="eval").body
        found = self.outside(x)
        return next((type_ for known, type_ in ANNOTATIONS if known in among and found == known), None)

    # -- names ----------------------------------------------------------------------------------------------------

    def outside(self, x: ast.expr) -> object:
        """What a name stands for that is not a variable, or `module.name`; ABSENT if for nothing."""
        if isinstance(x, ast.Attribute):
            owner = self.outside(x.value)
            return getattr(owner, x.attr, ABSENT) if isinstance(owner, ModuleType) else ABSENT
        if not isinstance(x, ast.Name) or x.id in self.function.__code__.co_varnames:
            return ABSENT
        free = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or ()))
        if x.id in free:
            try:
                return free[x.id].cell_contents
            except ValueError:  # not assigned yet
                return ABSENT
        return self.function.__globals__.get(x.id, getattr(builtins, x.id, ABSENT))

    def _new(self, name: str, type_: Type) -> Variable:
        found = self.variables[name] = Variable(len(self.variables), type_, name)
        return found

    def _target(self, x: ast.expr, type_: Type) -> Variable:
        """The variable that a value of a type is assigned to, new or known."""
        if not isinstance(x, ast.Name):
            raise self.mistake(x, f"`{ast.unparse(x)}` cannot be assigned to: a variable and `array[index]` can")
        found = self.variables.get(x.id) or self._new(x.id, type_)
        if found.type is not type_:
            why = f"{x.id!r} is of type {found.type.value} and cannot become {type_.value}"
            raise self.mistake(x, f"{why}: 0.0 and float(x) are float, 0 and int(x) int")
        return found

    def mistake(self, x: ast.AST, why: str) -> KernelError:
        """What is wrong, with file and line."""
        line = self.first + getattr(x, "lineno", 1) - 1
        return KernelError(f"{self.file}, line {line}: kernel {self.function.__name__!r}: {why}")

    # -- statements -----------------------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        made: list[Statement] = []
        for x in body:
            if self.sure is None:
                raise self.mistake(x, "this can never be reached")
            made += self._one(x)
        return tuple(made)

    def _one(self, x: ast.stmt) -> Sequence[Statement]:
        if isinstance(x, ast.Assign):
            if len(x.targets) != 1:
                raise self.mistake(x, "one assignment at a time")
            return [self._assign(x.targets[0], self._formula.assigned(x.value))]
        if isinstance(x, ast.AugAssign):
            return [self._change(x)]
        if isinstance(x, ast.If):
            return [self._if(x)]
        if isinstance(x, ast.For):
            return [self._for(x)]
        if isinstance(x, ast.While):
            return [self._while(x)]
        if isinstance(x, ast.Expr) and isinstance(x.value, ast.Call):
            return [Do(self._formula.apply(x.value))]
        if isinstance(x, ast.Return):
            return [self._return(x)]
        if isinstance(x, ast.Break):
            self._exits[-1].append(self.sure)
            self.sure = None
            return [Break()]
        if isinstance(x, ast.Continue):
            self.sure = None
            return [Continue()]
        if isinstance(x, ast.Pass):
            return []
        raise self._formula.unknown(x)

    def _assign(self, target: ast.expr, value: Expression) -> Statement:
        if isinstance(target, ast.Subscript):
            array, index = self._formula.place(target)
            return Put(array, index, self._formula.as_float(target, value))
        assert self.sure is not None
        if value.type is None:
            raise self.mistake(target, "what is assigned must be a number, an array or a part of one")
        variable = self._target(target, value.type)
        self.sure.add(variable.name)
        return Assign(variable, value)

    def _change(self, x: ast.AugAssign) -> Statement:
        """target op= value: the target is read first, as in Python."""
        calls, target = self._formula.calls_kernel, x.target
        if isinstance(target, ast.Subscript):  # the index is computed twice
            looks = any(isinstance(y, ast.Subscript) for y in ast.walk(target.slice))
            if calls(target) or (looks and calls(x.value)):
                raise self.mistake(x, f"a kernel may change `{ast.unparse(target.slice)}`: give the index a name first")
        return self._assign(target, self._formula.combine(x, x.op, self._formula.read(target), x.value))

    def _if(self, x: ast.If) -> Statement:
        condition = self._formula.condition(x.test)
        before = self._copy()
        then = self._block(x.body)
        after, self.sure = self.sure, before
        otherwise = self._block(x.orelse)
        self.sure = _either([after, self.sure])
        return Branch(condition, then, otherwise)

    def _while(self, x: ast.While) -> Statement:
        if x.orelse:
            raise self.mistake(x.orelse[0], "a loop has no `else`")
        condition = self._formula.condition(x.test)
        ends = condition != Constant(True)
        return Repeat(condition, self._loop(x.body, ends))

    def _for(self, x: ast.For) -> Statement:
        if x.orelse:
            raise self.mistake(x.orelse[0], "a loop has no `else`")
        call = x.iter
        if not isinstance(call, ast.Call) or self.outside(call.func) is not range or call.keywords:
            raise self.mistake(x, "`for` goes over range(…)")
        if not 1 <= len(call.args) <= 3:
            raise self.mistake(x, "range has one to three arguments")
        bounds = [self._formula.whole(y) for y in call.args]
        start, stop = (Constant(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) == 3 else Constant(1)
        if not isinstance(step, Constant) or step.value == 0:
            raise self.mistake(x, "the step of a range must be a constant, and not 0")
        variable = self._target(x.target, Type.INT)
        before = self._copy()
        assert self.sure is not None
        self.sure.add(variable.name)
        body = self._loop(x.body, True, before)
        return Count(variable, start, stop, int(step.value), body)

    def _loop(self, body: Sequence[ast.stmt], ends: bool, before: Sure = None) -> tuple[Statement, ...]:
        """A loop's body. ends: whether it can end without `break`; before: what is sure if it never begins."""
        before = self._copy() if before is None else before
        self._exits.append([])
        statements = self._block(body)
        self.sure = _either([*self._exits.pop(), before if ends else None])
        return statements

    def _return(self, x: ast.Return) -> Statement:
        if (x.value is None) != (self.result is None):
            raise self.mistake(x, f"the result was said to be {'None' if self.result is None else self.result.value}")
        value = None
        if x.value is not None:
            value = self._formula.read(x.value)
            value = self._formula.as_float(x, value) if self.result is Type.FLOAT else value
            if value.type is not self.result:
                raise self.mistake(x, f"`{ast.unparse(x.value)}` is no int: write int(…)")
        self.sure = None
        return Return(value)

    def _copy(self) -> Sure:
        return None if self.sure is None else set(self.sure)


def _either(ways: Sequence[Sure]) -> Sure:
    """What is sure where ways meet."""
    open_ = [x for x in ways if x is not None]
    return set.intersection(*open_) if open_ else None
