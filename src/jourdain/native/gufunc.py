"""NumPy generalized ufuncs made from the addresses of machine code, through NumPy's C API and ctypes alone."""

from __future__ import annotations

import ctypes
import functools
import importlib
from typing import Any

import numpy as np

UFUNC_FROM_FUNCTION = 31  # place of PyUFunc_FromFuncAndDataAndSignature in NumPy's table of ufunc functions
IDENTITY_NONE = -1
TYPE_NUMBERS = {"f": 11, "d": 12}  # NPY_FLOAT, NPY_DOUBLE


class _UfuncHead(ctypes.Structure):
    """The beginning of PyUFuncObject, as NumPy's public header has had it since 1.7: everything up to `obj`."""

    _fields_ = (
        ("reference_count", ctypes.c_ssize_t), ("type", ctypes.c_void_p),
        ("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int), ("identity", ctypes.c_int),
        ("functions", ctypes.c_void_p), ("data", ctypes.c_void_p),
        ("ntypes", ctypes.c_int), ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p), ("types", ctypes.c_void_p), ("doc", ctypes.c_char_p), ("ptr", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
    )


@functools.cache
def _maker() -> Any:
    """PyUFunc_FromFuncAndDataAndSignature of the NumPy that is running."""
    core = "_core" if hasattr(np, "_core") else "core"  # NumPy 2, NumPy 1
    umath = importlib.import_module(f"numpy.{core}._multiarray_umath")
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer_of(umath._UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))
    prototype = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int,
        ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
    )
    return prototype(table[UFUNC_FROM_FUNCTION])


def make_gufunc(
    name: str,
    doc: str,
    signature: str,
    inputs: int,
    outputs: int,
    dtype: np.dtype[Any],
    loop: int,
    data: int,
    owner: object,
) -> np.ufunc:
    """A gufunc that calls the loop at this address with `data`; `owner`, and all that it refers to, lives as long."""
    functions = (ctypes.c_void_p * 1)(loop)
    pointers = (ctypes.c_void_p * 1)(data)
    types = (ctypes.c_byte * (inputs + outputs))(*[TYPE_NUMBERS[dtype.char]] * (inputs + outputs))
    names = [ctypes.create_string_buffer(text.encode()) for text in (name, doc, signature)]
    ufunc: np.ufunc = _maker()(
        ctypes.addressof(functions), ctypes.addressof(pointers), ctypes.addressof(types), 1, inputs, outputs,
        IDENTITY_NONE, ctypes.cast(names[0], ctypes.c_char_p), ctypes.cast(names[1], ctypes.c_char_p), 0,
        ctypes.cast(names[2], ctypes.c_char_p),
    )
    _keep_with(ufunc, (functions, pointers, types, names, owner))
    return ufunc


def _keep_with(ufunc: np.ufunc, owned: object) -> None:
    """Hangs an object on the ufunc's `obj` field, which NumPy's own frompyfunc uses: released when the ufunc is."""
    head = _UfuncHead.from_address(id(ufunc))
    if head.obj is not None or head.nargs != ufunc.nargs:
        version = f"NumPy {np.__version__}"
        raise RuntimeError(f"{version} lays out ufuncs in a way this version does not know; please report it")
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))
    head.obj = id(owned)
