"""Code for batches, made when batches have become worth it: the running loop itself asks for it, and goes on with it.

A first answer needs only the code for members one by one, which takes a fraction of the time to make. Results are the
same to the last bit with either.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ..targets.llvm import BATCH, Library

# Members of batches that are computed one by one before the batch code is made.
PATIENCE = 1000
# And again after an attempt that failed or was interrupted.
RENEWED = 1 << 24


class Loaded(Protocol):
    """Code that can be called."""

    @property
    def library(self) -> Library: ...


Code = TypeVar("Code", bound=Loaded)


class _Words(ctypes.Structure):
    """What lies at the loop's slot; in the order of `targets.llvm.asking.Slot`."""

    _fields_ = (
        ("batch", ctypes.c_void_p), ("patience", ctypes.c_int64), ("make", ctypes.c_void_p),
        ("take", ctypes.c_void_p), ("raise_", ctypes.c_void_p), ("give", ctypes.c_void_p),
    )


class _Failure(ctypes.Structure):
    """In which thread what is to be raised."""

    _fields_ = (("thread", ctypes.c_ulong), ("error", ctypes.py_object))


class Batch(Generic[Code]):
    """The batch code of one loaded loop. Several threads may ask for it at the same time; it is made once."""

    def __init__(self, slot: int, make: Callable[[], Code], patience: int) -> None:
        self._words, self._make, self._lock = _Words.from_address(slot), make, threading.RLock()
        self._failure: _Failure | None = None
        self.code: Code | None = None
        # By a weak reference, so that the code goes when its last user does.
        asked = weakref.WeakMethod(self._asked)
        self._callback = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: asked()())  # type: ignore[misc]
        python = ctypes.pythonapi
        self._words.take = _address(python.PyGILState_Ensure)
        self._words.raise_ = _address(python.PyThreadState_SetAsyncExc)
        self._words.give = _address(python.PyGILState_Release)
        self._words.patience = patience
        self._words.make = _address(self._callback)

    def made(self) -> Code:
        """Makes the code now, if it is not there yet."""
        with self._lock:
            if self.code is None:
                self.code = self._make()
                self._words.batch = self.code.library.addresses[BATCH]
            return self.code

    def _asked(self) -> int | None:
        """Where the loop's patience ends. Nothing can be raised through machine code; what is to be raised is answered.

        The loop that asked goes on member by member, and the error is raised when it is through.
        """
        try:
            self.made()
        except BaseException as error:
            self._words.patience = RENEWED
            self._failure = _Failure(threading.get_ident(), _raising(error))
            return ctypes.addressof(self._failure)
        return None


def _raising(error: BaseException) -> type[BaseException]:
    """A class whose only instance is this error: threads are sent classes."""
    kind = type(error)
    return type(kind.__name__, (kind,), {"__new__": lambda cls, *_: error})


def _address(function: object) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    assert address is not None
    return address
