"""Compiled programs as NumPy functions: compiled once, bound to parameters any number of times."""

from __future__ import annotations

import ctypes
import functools
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..program import PIECE, Block, Program, Split, hoist
from .cache import Cache, default_cache
from .gufunc import make_gufunc
from .timing import least_mean_ns

if TYPE_CHECKING:
    from .build import Built

Floats = NDArray[Any]
HOST_BITS = {"d": 64, "f": 32}
# More operands than NumPy's iterator takes.
MOST_OPERANDS = 32 if np.lib.NumpyVersion(np.__version__) < "2.0.0" else 64


def compile_program(
    program: Program,
    dtype: DTypeLike = np.float64,
    *,
    cache: Cache | None = None,
    piece: int = PIECE,
    patience: int | None = None,
) -> Function:
    """A program as a function of NumPy arrays; machine code is made, or read from the cache, on first use.

    patience: members of batches, in all, that are computed one by one before the code for batches is made too; if left
    out, so many that a few small batches do not wait for it.
    """
    return Function(program, dtype, cache or default_cache(), piece, patience)


class Function:
    """A program in one precision.

    Everything that needs the machine code makes it first, once; several threads may ask at the same time.
    """

    def __init__(self, program: Program, dtype: DTypeLike, cache: Cache, piece: int, patience: int | None) -> None:
        self.program = program
        self.name = program.name
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        if self.dtype.char not in HOST_BITS:
            raise TypeError(f"{self.name}: compiled functions compute in float64 or float32, not in {self.dtype}")
        operands = len(program.inputs) + len(program.outputs)
        if operands >= MOST_OPERANDS:
            raise ValueError(f"{self.name} has {operands} inputs and outputs, NumPy takes fewer than {MOST_OPERANDS}")
        self._cache, self._piece, self._patience = cache, piece, patience
        self._lock = threading.RLock()

    # -- what it is -----------------------------------------------------------------------------------------------

    @property
    def signature(self) -> str:
        """NumPy's gufunc signature; a name stands for a block without elements, which NumPy has no number for."""
        return _signature(self.program)

    @functools.cached_property
    def split(self) -> Split:
        """The program in two: what depends on parameters alone, and the rest."""
        return hoist(self.program)

    @property
    def compile_seconds(self) -> float:
        """Time it took to make or load the machine code, without the code for batches."""
        return self._built.seconds

    @property
    def batch_seconds(self) -> float | None:
        """Time it took to make or load the machine code for batches; None as long as that has not been needed."""
        batch = self._built.batch
        return None if batch is None or batch.code is None else batch.code.seconds

    @property
    def cached(self) -> bool:
        """Whether the machine code came from the disk; so far as it has been needed."""
        batch = self._built.batch
        return self._built.cached and (batch is None or batch.code is None or batch.code.cached)

    # -- binding --------------------------------------------------------------------------------------------------

    def bind(self, parameters: ArrayLike = ()) -> Bound:
        """The function for these parameters, (..., number of parameters): what depends on them alone is done now.

        Batch axes are axes of every later call.
        """
        values = np.asarray(parameters, dtype=np.float64)
        wanted = len(self.program.parameters)
        if values.ndim == 0 or values.shape[-1] != wanted:
            given = f"an array of shape {values.shape} was given for them"
            raise ValueError(f"{self.name} has {wanted} parameters; {given}")
        hoisted = self._setup(values)
        if hoisted.ndim > 1:
            return BatchBound(self._batched, self._batched._bound_ufunc(np.empty(0, self.dtype)), hoisted)
        return self._kind(self, self._bound_ufunc(hoisted), hoisted)

    def _setup(self, values: Floats) -> Floats:
        """Hoisted values, (..., number of hoisted values)."""
        setup = self.split.setup
        if setup is None:
            return np.empty((*values.shape[:-1], 0), self.dtype)
        ufunc = make_gufunc(
            setup.name, "", _signature(setup), 1, 1, np.dtype(np.float64), self._built.library.addresses["setup"], 0,
            self._built,
        )
        result: Floats = ufunc(values)
        with np.errstate(over="ignore"):
            return np.ascontiguousarray(result, dtype=self.dtype)

    def _bound_ufunc(self, hoisted: Floats) -> np.ufunc:
        main = self.split.main
        return make_gufunc(
            self.name, _describe(main), _signature(main), len(main.inputs), len(main.outputs), self.dtype,
            self._built.library.addresses["loop"], hoisted.ctypes.data, (self._built, hoisted),
        )

    @property
    def _kind(self) -> type[Bound]:
        if any(len(block) == 0 for block in self.program.inputs):
            return CheckedBound
        return Bound if self.dtype == np.float64 else CastingBound

    @functools.cached_property
    def _batched(self) -> Function:
        """The same function with the hoisted values as one more argument."""
        main = self.split.main
        constants = Block("constants", main.parameters.nodes)
        program = Program(self.name, (*main.inputs, constants), Block("none", ()), main.outputs)
        return Function(program, self.dtype, self._cache, self._piece, self._patience)

    # -- machine code ---------------------------------------------------------------------------------------------

    @property
    def _built(self) -> Built:
        with self._lock:
            return self._build_once

    @functools.cached_property
    def _build_once(self) -> Built:
        from ..targets.llvm import Form, host  # LLVM takes 0.1 s to import
        from .batch import PATIENCE
        from .build import build

        form = Form.of(HOST_BITS[self.dtype.char], host(), self._piece)
        return build(self.split, form, self._cache, PATIENCE if self._patience is None else self._patience)

    def __repr__(self) -> str:
        return f"<compiled {self.name}{self.signature} in {self.dtype}>"


class Bound:
    """A function of arrays whose last axes are the program's; leading axes broadcast, `out=` is honoured.

    ufunc: the NumPy gufunc underneath, for the least overhead.
    hoisted: the values that depend on parameters alone.
    """

    __slots__ = ("function", "hoisted", "ufunc")

    def __init__(self, function: Function, ufunc: np.ufunc, hoisted: Floats) -> None:
        self.function, self.ufunc, self.hoisted = function, ufunc, hoisted

    def __call__(self, *inputs: ArrayLike, **options: Any) -> Any:
        return self.ufunc(*inputs, **options)

    def fastest_ns(self, *inputs: ArrayLike, seconds: float = 0.2) -> float:
        """Nanoseconds of one evaluation, called in a compiled loop, everything in cache: the best of many blocks."""
        main, dtype = self.function.split.main, self.function.dtype
        self._check_count(inputs)
        given = [
            np.array(np.broadcast_to(np.asarray(x, dtype), block.dimensions), order="C")
            for x, block in zip(inputs, main.inputs)
        ]
        results = [np.empty(block.dimensions, dtype) for block in main.outputs]
        repeat = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * (len(given) + 1 + len(results)))(
            self.function._built.library.addresses["repeat"]
        )
        pointers = [x.ctypes.data for x in (*given, self.hoisted, *results)]
        return least_mean_ns(lambda n: repeat(n, *pointers), seconds)

    def fastest_batch_ns(self, *inputs: ArrayLike, seconds: float = 0.2) -> float:
        """Nanoseconds an evaluation over a batch, inputs (..., n), the call itself included: the best of many."""
        self._check_count(inputs)
        arrays = [np.asarray(x, self.function.dtype) for x in inputs]
        out = self(*arrays)
        results = out if isinstance(out, tuple) else (out,)
        block = self.function.program.outputs[0]
        members: int = results[0].size // len(block)

        def batches(n: int) -> None:
            for _ in range(n):
                self(*arrays, out=results)

        return least_mean_ns(batches, seconds) / members

    def _check_count(self, inputs: tuple[ArrayLike, ...]) -> None:
        names = [block.name for block in self.function.program.inputs]
        if len(inputs) != len(names):
            raise TypeError(f"{self.function.name} takes {len(names)} arrays ({', '.join(names)}), {len(inputs)} given")

    def __repr__(self) -> str:
        return f"<{self.function!r} bound to {self.function.program.parameters.name}>"


class CastingBound(Bound):
    """In single precision: what is given in double precision is rounded, which NumPy does only when told to."""

    __slots__ = ()

    def __call__(self, *inputs: ArrayLike, **options: Any) -> Any:
        options.setdefault("dtype", self.function.dtype)
        return self.ufunc(*inputs, **options)


class CheckedBound(CastingBound):
    """With inputs that have no elements: NumPy takes any number of elements for them."""

    __slots__ = ()

    def __call__(self, *inputs: ArrayLike, **options: Any) -> Any:
        for x, block in zip(inputs, self.function.program.inputs):
            if not len(block) and np.shape(x)[-len(block.dimensions) :] != block.dimensions:
                given = f"an array of shape {np.shape(x)} was given"
                raise ValueError(f"{self.function.name}: {block.name!r} has no elements, {given}")
        return super().__call__(*inputs, **options)


class BatchBound(CheckedBound):
    """Bound to many sets of parameters: the hoisted values are one more array that broadcasts with the inputs."""

    __slots__ = ()

    def __call__(self, *inputs: ArrayLike, **options: Any) -> Any:
        return super().__call__(*inputs, self.hoisted, **options)

    def _check_count(self, inputs: tuple[ArrayLike, ...]) -> None:
        super()._check_count((*inputs, self.hoisted))

    def fastest_ns(self, *inputs: ArrayLike, seconds: float = 0.2) -> float:
        raise ValueError(f"{self.function.name} is bound to many sets of parameters; bind one to time one evaluation")


def _signature(program: Program) -> str:
    def block(dimensions: tuple[int, ...], name: str) -> str:
        return "(" + ",".join(str(n) if n else f"{name}{i}" for i, n in enumerate(dimensions)) + ")"

    inputs = ",".join(block(x.dimensions, f"empty{i}_") for i, x in enumerate(program.inputs))
    outputs = ",".join(block(x.dimensions, "") for x in program.outputs)
    return f"{inputs}->{outputs}"


def _describe(program: Program) -> str:
    names = [", ".join(block.name for block in blocks) for blocks in (program.inputs, program.outputs)]
    return f"({names[0]}) -> ({names[1]}); compiled, leading axes broadcast."
