"""A kernel as a function in LLVM IR: (ptr, i64, double, …) -> i64, double or nothing.

Variables are memory on the stack, which LLVM's own passes turn into registers: kernels are to be assembled at WHOLE
effort. Nothing is contracted or reordered, so that the bits are Python's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...program.imperative import (
    Apply,
    Assign,
    Binary,
    Branch,
    Break,
    Choice,
    Constant,
    Count,
    Do,
    Expression,
    Item,
    Logic,
    Put,
    Repeat,
    Return,
    Statement,
    Type,
    Unary,
    Variable,
    View,
)
from ...program.imperative import Code as Kernel
from .code import Code, Kind, Module

NUMBER = Kind(64)
TYPES = {Type.FLOATS: "ptr", Type.INT: "i64", Type.FLOAT: "double", Type.FLAG: "i1", None: "void"}
FLOAT_UNARY = {"abs": "fabs", "sqrt": "sqrt", "floor": "floor"}
FLOAT_OPERATIONS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
INT_OPERATIONS = {"+": "add", "-": "sub", "*": "mul"}
FLOAT_ORDERS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
INT_ORDERS = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}


def kernel_name(kernel: Kernel) -> str:
    """The same code is the same function."""
    return f"kernel_{kernel.digest[:32]}"


def signature(kernel: Kernel) -> str:
    """As a declaration has it."""
    types = ", ".join(TYPES[x.type] for x in kernel.parameters)
    return f"{TYPES[kernel.result]} @{kernel_name(kernel)}({types})"


def write_kernels(module: Module, kernels: Iterable[Kernel]) -> None:
    """Writes kernels for other modules to call, and the kernels that these call."""
    seen = {kernel_name(x): x for x in kernels}
    for kernel in seen.values():
        _write(module, kernel, frozenset(seen))


def _write(module: Module, kernel: Kernel, exported: frozenset[str]) -> None:
    def write(module: Module, name: str) -> None:
        _Kernel(module, kernel, exported).write("hidden " if name in exported else "internal ")

    module.require(kernel_name(kernel), write)


def truncated(code: Code, value: str) -> str:
    """A number as a whole one; out of range it is the nearest, where plain fptosi would be undefined."""
    code.module.declare("i64 @llvm.fptosi.sat.i64.f64(double)")
    return code.let(f"call i64 @llvm.fptosi.sat.i64.f64(double {value})")


class _Kernel:
    """The function under construction."""

    def __init__(self, module: Module, kernel: Kernel, exported: frozenset[str]) -> None:
        self.kernel, self.code, self.exported = kernel, Code(module), exported
        self.runs = True  # whether the next line is reached at all
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` lead

    def write(self, linkage: str) -> None:
        kernel, code = self.kernel, self.code
        for x in kernel.variables:
            code.entry.append(f"  {_home(x)} = alloca {TYPES[x.type]}, align 8")
        for x in kernel.parameters:
            self._set(x, f"%p{x.number}")
        self._block(kernel.body)
        if self.runs:
            code.do("ret void" if kernel.result is None else "unreachable")
        given = ", ".join(f"{TYPES[x.type]} %p{x.number}" for x in kernel.parameters)
        code.close(kernel_name(kernel), given, TYPES[kernel.result], linkage)

    # -- statements -----------------------------------------------------------------------------------------------

    def _block(self, body: Sequence[Statement]) -> None:
        for x in body:
            self._one(x)

    def _one(self, x: Statement) -> None:
        code = self.code
        if isinstance(x, Assign):
            self._set(x.variable, self.value(x.value))
        elif isinstance(x, Put):
            value = self.value(x.value)
            code.do(f"store double {value}, ptr {self._place(x.array, x.index)}, align 8")
        elif isinstance(x, Do):
            self.value(x.apply)
        elif isinstance(x, Branch):
            self._branch(x)
        elif isinstance(x, Count):
            self._count(x)
        elif isinstance(x, Repeat):
            self._repeat(x)
        elif isinstance(x, Return):
            value = "" if x.value is None else f" {self.value(x.value)}"
            self._end(f"ret {TYPES[self.kernel.result]}{value}")
        else:
            again, out = self._loops[-1]
            self._end(f"br label %{out if isinstance(x, Break) else again}")

    def _branch(self, x: Branch) -> None:
        stem, condition = self.code.fresh("if"), self.value(x.condition)
        self._end(f"br i1 {condition}, label %{stem}.then, label %{stem}.else")
        for name, body in ((f"{stem}.then", x.then), (f"{stem}.else", x.otherwise)):
            self._label(name)
            self._block(body)
            self._go(f"{stem}.end")
        self._label(f"{stem}.end")

    def _count(self, x: Count) -> None:
        code = self.code
        stem, start, stop = code.fresh("for"), self.value(x.start), self.value(x.stop)
        counter = f"%{stem}.counter"
        code.entry.append(f"  {counter} = alloca i64, align 8")
        code.do(f"store i64 {start}, ptr {counter}, align 8")
        self._go(f"{stem}.head")
        self._label(f"{stem}.head")
        i = code.let(f"load i64, ptr {counter}, align 8")
        more = code.let(f"icmp {'slt' if x.step > 0 else 'sgt'} i64 {i}, {stop}")
        self._end(f"br i1 {more}, label %{stem}.body, label %{stem}.end")
        self._label(f"{stem}.body")
        self._set(x.variable, i)
        self._body(x.body, f"{stem}.next", f"{stem}.end")
        self._label(f"{stem}.next")
        code.do(f"store i64 {code.let(f'add nsw i64 {i}, {x.step}')}, ptr {counter}, align 8")
        self._go(f"{stem}.head")
        self._label(f"{stem}.end")

    def _repeat(self, x: Repeat) -> None:
        stem = self.code.fresh("while")
        self._go(f"{stem}.head")
        self._label(f"{stem}.head")
        self._end(f"br i1 {self.value(x.condition)}, label %{stem}.body, label %{stem}.end")
        self._label(f"{stem}.body")
        self._body(x.body, f"{stem}.head", f"{stem}.end")
        self._label(f"{stem}.end")

    def _body(self, body: Sequence[Statement], again: str, out: str) -> None:
        self._loops.append((again, out))
        self._block(body)
        self._loops.pop()
        self._go(again)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _end(self, line: str) -> None:
        self.code.do(line)
        self.runs = False

    def _go(self, label: str) -> None:
        if self.runs:
            self._end(f"br label %{label}")

    def _label(self, name: str) -> None:
        self.code.label(name)
        self.runs = True

    # -- memory ---------------------------------------------------------------------------------------------------

    def _set(self, x: Variable, value: str) -> None:
        self.code.do(f"store {TYPES[x.type]} {value}, ptr {_home(x)}, align 8")

    def _place(self, array: Variable, index: Expression) -> str:
        return self.code.let(f"getelementptr double, ptr {self.value(array)}, i64 {self.value(index)}")

    # -- expressions ----------------------------------------------------------------------------------------------

    def value(self, x: Expression) -> str:
        """Its name."""
        code = self.code
        if isinstance(x, Constant):
            return NUMBER.literal(x.value) if x.type is Type.FLOAT else str(x.value).lower()
        if isinstance(x, Variable):
            return code.let(f"load {TYPES[x.type]}, ptr {_home(x)}, align 8")
        if isinstance(x, Item):
            return code.let(f"load double, ptr {self._place(x.array, x.index)}, align 8")
        if isinstance(x, View):
            return self._place(x.array, x.start)
        if isinstance(x, Unary):
            return self._unary(x, self.value(x.x))
        if isinstance(x, Binary):
            a = self.value(x.a)
            return self._binary(x, a, self.value(x.b))
        if isinstance(x, Logic):
            return self._logic(x)
        if isinstance(x, Choice):
            return self._choice(x)
        return self._apply(x)

    def _unary(self, x: Unary, value: str) -> str:
        code = self.code
        if x.op == "not":
            return code.let(f"xor i1 {value}, true")
        if x.op == "float":
            return code.let(f"sitofp i64 {value} to double")
        if x.op == "int":
            return truncated(code, value)
        if x.type is Type.FLOAT:
            return code.let(f"fneg double {value}") if x.op == "-" else code.intrinsic(FLOAT_UNARY[x.op], NUMBER, value)
        negative = code.let(f"sub i64 0, {value}")
        if x.op == "-":
            return negative
        return code.let(f"select i1 {code.let(f'icmp slt i64 {value}, 0')}, i64 {negative}, i64 {value}")

    def _binary(self, x: Binary, a: str, b: str) -> str:
        code, real = self.code, x.a.type is Type.FLOAT
        type_, compare, orders = ("double", "fcmp", FLOAT_ORDERS) if real else ("i64", "icmp", INT_ORDERS)
        if x.op in orders:
            return code.let(f"{compare} {orders[x.op]} {type_} {a}, {b}")
        if x.op in ("min", "max"):  # as Python has it, NaNs and zeros included
            other = code.let(f"{compare} {orders['<' if x.op == 'min' else '>']} {type_} {b}, {a}")
            return code.let(f"select i1 {other}, {type_} {b}, {type_} {a}")
        if x.op in ("//", "%"):
            return self._divided(x.op, a, b)
        return code.let(f"{(FLOAT_OPERATIONS if real else INT_OPERATIONS)[x.op]} {type_} {a}, {b}")

    def _divided(self, op: str, a: str, b: str) -> str:
        """Rounded down. By 0 and −1 the processor's instruction could stop the process: there Python has an exception,
        and a // −1 = −a."""
        code = self.code
        unsafe = code.let(f"icmp ult i64 {code.let(f'add i64 {b}, 1')}, 2")
        safe = code.let(f"select i1 {unsafe}, i64 1, i64 {b}")
        quotient = code.let(f"sdiv i64 {a}, {safe}")
        rest = code.let(f"sub i64 {a}, {code.let(f'mul i64 {quotient}, {safe}')}")
        opposite = code.let(f"icmp slt i64 {code.let(f'xor i64 {rest}, {safe}')}, 0")
        down = code.let(f"and i1 {code.let(f'icmp ne i64 {rest}, 0')}, {opposite}")
        if op == "%":
            return code.let(f"select i1 {down}, i64 {code.let(f'add i64 {rest}, {safe}')}, i64 {rest}")
        found = code.let(f"select i1 {down}, i64 {code.let(f'sub i64 {quotient}, 1')}, i64 {quotient}")
        return code.let(f"select i1 {unsafe}, i64 {code.let(f'sub i64 0, {a}')}, i64 {found}")

    def _logic(self, x: Logic) -> str:
        code, stem = self.code, self.code.fresh(x.op)
        a, before = self.value(x.a), code.block
        ways = f"%{stem}.more, label %{stem}.end" if x.op == "and" else f"%{stem}.end, label %{stem}.more"
        code.do(f"br i1 {a}, label {ways}")
        code.label(f"{stem}.more")
        b, last = self.value(x.b), code.block
        code.do(f"br label %{stem}.end")
        code.label(f"{stem}.end")
        decided = "false" if x.op == "and" else "true"
        return code.let(f"phi i1 [ {decided}, %{before} ], [ {b}, %{last} ]")

    def _choice(self, x: Choice) -> str:
        code, stem = self.code, self.code.fresh("choice")
        code.do(f"br i1 {self.value(x.condition)}, label %{stem}.then, label %{stem}.else")
        ends = []
        for name, expression in ((f"{stem}.then", x.then), (f"{stem}.else", x.otherwise)):
            code.label(name)
            ends.append(f"[ {self.value(expression)}, %{code.block} ]")
            code.do(f"br label %{stem}.end")
        code.label(f"{stem}.end")
        return code.let(f"phi {TYPES[x.type]} {', '.join(ends)}")

    def _apply(self, x: Apply) -> str:
        _write(self.code.module, x.code, self.exported)
        values = [f"{TYPES[p.type]} {self.value(y)}" for p, y in zip(x.code.parameters, x.arguments)]
        call = f"call {TYPES[x.type]} @{kernel_name(x.code)}({', '.join(values)})"
        if x.type is None:
            self.code.do(call)
            return ""
        return self.code.let(call)


def _home(x: Variable) -> str:
    return f"%x{x.number}"
