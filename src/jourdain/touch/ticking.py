"""The real-time loop as machine code: it waits for absolute deadlines, does the stages of a tick, and keeps count.

It is written in LLVM's language, so that no C compiler is needed, and runs outside Python's lock. It allocates nothing
and takes no locks. All that it knows is in a block of whole numbers, `FIELDS`, and in tables that the block points to.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..targets.llvm import Library
    from ..targets.llvm.code import Code

# -- the block ------------------------------------------------------------------------------------------------------

FIELDS = (
    "stop", "period", "deadline", "ticks", "limit", "gettime", "nanosleep", "stages", "stage_count", "inputs",
    "input_count", "outputs", "output_count", "snapshot", "timing", "bins", "rows", "row_mask", "skipped", "worst",
    "longest", "error", "start",
)  # fmt: skip
"""Whole numbers of 64 bits. Times are in nanoseconds of the clock; tables are by their addresses.

stop: ends the loop where it is not 0. deadline: of the next tick; 0 for one period after the start. limit: how many
ticks; 0 for as many as there are until it is stopped. gettime, nanosleep: addresses of the clock's functions.
row_mask: how many rows the log has, a power of two, less 1. worst: lateness; longest: the time from the start of a tick
to its end. error: what the clock answered that was no 0.
"""
STAGE, INPUT, OUTPUT, ROW = 4, 5, 2, 4  # numbers in a row of a table
# stages: code, its two pointers, whether at the end too. inputs: channel, staging room, target, last number seen, age.
# outputs: where from, how many numbers. rows of the log: tick, deadline from the start, lateness, duration.

TIMING = ("tick", "time", "period", "late", "skipped", "skipped_total", "busy", "ending")
"""What stages are told, as numbers: which tick, and the time of the mechanism [s]: the ticks that were done, each of
one period; the period, lateness [s]; deadlines skipped just before and in all; how long the last tick took [s]; 1.0
where the loop ends. After them the ages of the inputs in ticks."""
MOST_INPUTS = 8

# -- lateness ---------------------------------------------------------------------------------------------------------

SUB_BITS = 6  # 64 bins an octave: 1.6 %
OCTAVES = 42  # up to more than an hour, in nanoseconds
BINS = OCTAVES << SUB_BITS

MONOTONIC, ABSOLUTE = 1, 1  # CLOCK_MONOTONIC and TIMER_ABSTIME of Linux
INTERRUPTED = 4  # EINTR
TRIES = 4  # to read a channel that is just being written to
HEADER = 64  # bytes before a channel's first buffer: its sequence number, its size


@functools.cache
def library() -> Library:
    """The loaded code; made once, and kept with other machine code."""
    from ..native import default_cache
    from ..targets.llvm import Library, assemble, host

    text, cache = write(), default_cache()
    key = hashlib.sha256(f"{text}\n{host().fingerprint}".encode()).hexdigest()
    objects = cache.load(key)
    if objects is None:
        objects = [assemble(text)]
        cache.store(key, objects)
    return Library(objects, ("run", "publish", "collect"))


def write() -> str:
    """The module: `run`, and both ends of a channel."""
    from ..targets.llvm import host
    from ..targets.llvm.code import Module

    module = Module(host().attributes)
    module.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    _publish(_code(module))
    _collect(_code(module))
    _Loop(_code(module)).write()
    return module.text()


def _code(module: object) -> Code:
    from ..targets.llvm.code import Code

    return Code(module)  # type: ignore[arg-type]


# -- channels ---------------------------------------------------------------------------------------------------------
#
# A sequence number and two buffers: message n is in buffer n mod 2. The writer never waits, and a reader's copy is good
# if no other message was finished meanwhile; so a writer that is put to sleep half-way disturbs nobody. The order of
# memory is that of sequence locks: H.-J. Boehm, Can seqlocks get along with programming language memory models?, 2012.


def _copy(code: Code, source: str, target: str, byte_count: str) -> None:
    code.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {byte_count}, i1 false)")


def _buffer(code: Code, channel: str, number: str) -> tuple[str, str]:
    """Where message `number` lies, and its size in bytes."""
    size = code.let(f"load i64, ptr {code.offset(channel, 8)}")
    bytes_ = code.let(f"shl i64 {size}, 3")
    odd = code.let(f"and i64 {number}, 1")
    place = code.let(f"add i64 {code.let(f'mul i64 {odd}, {bytes_}')}, {HEADER}")
    return code.offset(channel, place), bytes_


def _begin(code: Code, channel: str) -> tuple[str, str]:
    """The number of a new message, and where it goes."""
    last = code.let(f"load atomic i64, ptr {channel} monotonic, align 8")
    number = code.let(f"add i64 {last}, 1")
    code.do("fence release")  # the number before is seen before anything is overwritten
    return number, _buffer(code, channel, number)[0]


def _commit(code: Code, channel: str, number: str) -> None:
    code.do(f"store atomic i64 {number}, ptr {channel} release, align 8")


def _publish(code: Code) -> None:
    """void publish(channel, source)"""
    number, target = _begin(code, "%channel")
    _copy(code, "%source", target, _buffer(code, "%channel", number)[1])
    _commit(code, "%channel", number)
    code.do("ret void")
    code.close("publish", "ptr %channel, ptr %source", linkage="")


def _collect(code: Code) -> None:
    """i64 collect(channel, target, seen): the number of the message that is now in the target, a newer one than `seen`;
    or `seen` itself, where there is none or the writer was quicker each time. Then the target is of no use."""
    code.do("br label %again")
    code.label("again")
    code.do("%try = phi i64 [ 0, %entry ], [ %next, %torn ]")
    code.do("%number = load atomic i64, ptr %channel acquire, align 8")
    code.do("%old = icmp eq i64 %number, %seen")
    code.do("br i1 %old, label %none, label %new")
    code.label("new")
    source, size = _buffer(code, "%channel", "%number")
    _copy(code, source, "%target", size)
    code.do("fence acquire")
    code.do("%after = load atomic i64, ptr %channel monotonic, align 8")
    code.do("%whole = icmp eq i64 %after, %number")
    code.do("br i1 %whole, label %good, label %torn")
    code.label("good")
    code.do("ret i64 %number")
    code.label("torn")
    code.do("%next = add i64 %try, 1")
    code.do(f"%more = icmp slt i64 %next, {TRIES}")
    code.do("br i1 %more, label %again, label %none")
    code.label("none")
    code.do("ret i64 %seen")
    code.close("collect", "ptr %channel, ptr %target, i64 %seen", "i64", linkage="")


# -- the loop ---------------------------------------------------------------------------------------------------------


class _Loop:
    """i64 run(block): 0, or the clock's error."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.spec = code.reserve(16, 8)  # struct timespec: seconds, nanoseconds

    def write(self) -> None:
        code = self.code
        with_period = code.let(f"add i64 {self._now()}, {self._get('period')}")
        given = self._get("deadline")
        first = code.let(f"select i1 {code.let(f'icmp eq i64 {given}, 0')}, i64 {with_period}, i64 {given}")
        self._set("deadline", first)
        self._set("start", first)
        code.repeat(self._goes_on, self._tick)
        self._tell("ending", code.let("bitcast i64 4607182418800017408 to double"))  # 1.0
        self._stages(at_end=True)
        self._send()
        code.do(f"ret i64 {self._get('error')}")
        code.close("run", "ptr %block", "i64", linkage="")

    def _goes_on(self) -> str:
        code = self.code
        stop = code.let(f"load atomic i64, ptr {self._at('stop')} monotonic, align 8")
        failed = self._get("error")
        none = code.let(f"icmp eq i64 {code.let(f'or i64 {stop}, {failed}')}, 0")
        limit = self._get("limit")
        endless = code.let(f"icmp eq i64 {limit}, 0")
        below = code.let(f"icmp slt i64 {self._get('ticks')}, {limit}")
        return code.let(f"and i1 {none}, {code.let(f'or i1 {endless}, {below}')}")

    def _tick(self) -> None:
        code = self.code
        self._wait()
        code.branch(code.let(f"icmp eq i64 {self._get('error')}, 0"), self._work)

    def _wait(self) -> None:
        """Until the deadline. A signal may wake us before; a deadline that is over is no wait at all."""
        code, deadline = self.code, self._get("deadline")
        code.do(f"store i64 {code.let(f'sdiv i64 {deadline}, 1000000000')}, ptr {self.spec}, align 8")
        code.do(
            f"store i64 {code.let(f'srem i64 {deadline}, 1000000000')}, ptr {code.offset(self.spec, 8)}, align 8"
        )
        sleep = self._pointer("nanosleep")
        stem = code.fresh("sleep")
        code.do(f"br label %{stem}")
        code.label(stem)
        answer = code.let(f"call i32 {sleep}(i32 {MONOTONIC}, i32 {ABSOLUTE}, ptr {self.spec}, ptr null)")
        again = code.let(f"icmp eq i32 {answer}, {INTERRUPTED}")
        code.do(f"br i1 {again}, label %{stem}, label %{stem}.done")
        code.label(f"{stem}.done")
        self._set("error", code.let(f"sext i32 {answer} to i64"))

    def _work(self) -> None:
        code = self.code
        begun = self._now()
        late = self._positive(code.let(f"sub i64 {begun}, {self._get('deadline')}"))
        self._told(late)
        self._receive()
        self._stages(at_end=False)
        self._send()
        self._count(begun, late)

    def _told(self, late: str) -> None:
        code = self.code
        tick, period = self._float(self._get("ticks")), self._seconds(self._get("period"))
        self._tell("tick", tick)
        self._tell("period", period)
        self._tell("time", code.let(f"fmul double {tick}, {period}"))
        self._tell("late", self._seconds(late))

    def _receive(self) -> None:
        """Every input that has a new message; the ages of the others grow."""
        code = self.code

        def one(row: str, i: str) -> None:
            words = [code.let(f"load i64, ptr {code.offset(row, 8 * k)}") for k in range(INPUT)]
            channel, staging, target, seen, age = words
            channel, staging, target = (code.let(f"inttoptr i64 {x} to ptr") for x in (channel, staging, target))
            number = code.let(f"call i64 @collect(ptr {channel}, ptr {staging}, i64 {seen})")
            code.do(f"store i64 {number}, ptr {code.offset(row, 24)}")
            new = code.let(f"icmp ne i64 {number}, {seen}")
            code.branch(new, lambda: _copy(code, staging, target, _buffer(code, channel, number)[1]))
            older = code.let(f"select i1 {new}, i64 0, i64 {code.let(f'add i64 {age}, 1')}")
            code.do(f"store i64 {older}, ptr {code.offset(row, 32)}")
            place = code.let(f"add i64 {i}, {len(TIMING)}")
            code.do(f"store double {self._float(older)}, ptr {code.index(self._pointer('timing'), '8', place)}")

        self._rows("inputs", "input_count", INPUT, one)

    def _stages(self, at_end: bool) -> None:
        code = self.code

        def one(row: str, _: str) -> None:
            address, a, b, last = (code.let(f"load i64, ptr {code.offset(row, 8 * k)}") for k in range(4))
            function, a, b = (code.let(f"inttoptr i64 {x} to ptr") for x in (address, a, b))

            def call() -> None:
                code.do(f"call void {function}(ptr {a}, ptr {b})")

            if at_end:
                code.branch(code.let(f"icmp ne i64 {last}, 0"), call)
            else:
                call()

        self._rows("stages", "stage_count", STAGE, one)

    def _send(self) -> None:
        """All outputs, as one message."""
        code = self.code
        channel = self._pointer("snapshot")
        number, target = _begin(code, channel)
        place = code.reserve(8, 8)
        code.do(f"store ptr {target}, ptr {place}")

        def one(row: str, _: str) -> None:
            source = code.let(f"inttoptr i64 {code.let(f'load i64, ptr {row}')} to ptr")
            size = code.let(f"shl i64 {code.let(f'load i64, ptr {code.offset(row, 8)}')}, 3")
            here = code.let(f"load ptr, ptr {place}")
            _copy(code, source, here, size)
            code.do(f"store ptr {code.offset(here, size)}, ptr {place}")

        self._rows("outputs", "output_count", OUTPUT, one)
        _commit(code, channel, number)

    def _count(self, begun: str, late: str) -> None:
        """The log, and the next deadline: the first that is not over. Those between are skipped: what was missed is
        never made up for by ticks in a burst, which would be felt as a blow."""
        code, period, deadline, tick = self.code, self._get("period"), self._get("deadline"), self._get("ticks")
        done = self._now()
        busy = self._positive(code.let(f"sub i64 {done}, {begun}"))
        row = code.let(f"and i64 {tick}, {self._get('row_mask')}")
        row = code.index(self._pointer("rows"), str(8 * ROW), row)
        since = code.let(f"sub i64 {deadline}, {self._get('start')}")
        for k, value in enumerate((tick, since, late, busy)):
            code.do(f"store i64 {value}, ptr {code.offset(row, 8 * k)}")
        self._bin(late)
        self._most("worst", late)
        self._most("longest", busy)
        over = self._positive(code.let(f"sub i64 {done}, {deadline}"))
        passed = code.let(f"sdiv i64 {over}, {period}")
        steps = code.let(f"add i64 {passed}, 1")
        self._set("deadline", code.let(f"add i64 {deadline}, {code.let(f'mul i64 {steps}, {period}')}"))
        total = code.let(f"add i64 {self._get('skipped')}, {passed}")
        self._set("skipped", total)
        self._tell("skipped", self._float(passed))
        self._tell("skipped_total", self._float(total))
        self._tell("busy", self._seconds(busy))
        next_ = code.let(f"add i64 {tick}, 1")
        code.do(f"store atomic i64 {next_}, ptr {self._at('ticks')} release, align 8")

    def _bin(self, late: str) -> None:
        """Bins are equal shares of octaves: a number's exponent and the first bits of its fraction say which."""
        code = self.code
        number = code.let(f"bitcast double {self._float(code.let(f'add i64 {late}, 1'))} to i64")
        short = code.let(f"lshr i64 {number}, {52 - SUB_BITS}")
        place = code.let(f"sub i64 {short}, {1023 << SUB_BITS}")
        inside = code.let(f"select i1 {code.let(f'icmp slt i64 {place}, {BINS}')}, i64 {place}, i64 {BINS - 1}")
        at = code.index(self._pointer("bins"), "8", inside)
        before = code.let(f"load i64, ptr {at}")
        code.do(f"store i64 {code.let(f'add i64 {before}, 1')}, ptr {at}")

    # -- small things -------------------------------------------------------------------------------------------------

    def _rows(self, table: str, count: str, width: int, one: Callable[[str, str], None]) -> None:
        code, base = self.code, self._pointer(table)
        code.loop(self._get(count), lambda i: one(code.index(base, str(8 * width), i), i))

    def _at(self, name: str) -> str:
        return self.code.offset("%block", 8 * FIELDS.index(name))

    def _get(self, name: str) -> str:
        return self.code.let(f"load i64, ptr {self._at(name)}")

    def _set(self, name: str, value: str) -> None:
        self.code.do(f"store i64 {value}, ptr {self._at(name)}")

    def _pointer(self, name: str) -> str:
        return self.code.let(f"inttoptr i64 {self._get(name)} to ptr")

    def _tell(self, name: str, value: str) -> None:
        place = self.code.offset(self._pointer("timing"), 8 * TIMING.index(name))
        self.code.do(f"store double {value}, ptr {place}")

    def _now(self) -> str:
        code = self.code
        code.let(f"call i32 {self._pointer('gettime')}(i32 {MONOTONIC}, ptr {self.spec})")
        seconds = code.let(f"load i64, ptr {self.spec}")
        rest = code.let(f"load i64, ptr {code.offset(self.spec, 8)}")
        return code.let(f"add i64 {code.let(f'mul i64 {seconds}, 1000000000')}, {rest}")

    def _positive(self, value: str) -> str:
        code = self.code
        return code.let(f"select i1 {code.let(f'icmp sgt i64 {value}, 0')}, i64 {value}, i64 0")

    def _most(self, name: str, value: str) -> None:
        code, before = self.code, self._get(name)
        self._set(name, code.let(f"select i1 {code.let(f'icmp sgt i64 {value}, {before}')}, i64 {value}, i64 {before}"))

    def _float(self, value: str) -> str:
        return self.code.let(f"sitofp i64 {value} to double")

    def _seconds(self, value: str) -> str:
        return self.code.let(f"fdiv double {self._float(value)}, 1.0e9")
