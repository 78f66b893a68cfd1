"""Compiling: long code is cut, every module is checked first, threads may do it all at once."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import llvmlite.binding as llvm
import numpy as np
import pytest

from jourdain.graph import Graph, Role, cos, sin
from jourdain.graph.interpret import interpret
from jourdain.native import build, compile_program
from jourdain.native.gufunc import make_gufunc
from jourdain.program import Block, Program, hoist, schedule
from jourdain.targets.llvm import Form, Host, Library, assemble, effort, host, library, machine, symbols, write

from .compiled import NOWHERE, PARAMETERS, arm, assert_same, compiled


def pendulum_row(links: int) -> Program:
    """A row of like parts, each a dozen operations and a sine/cosine pair."""
    graph = Graph()
    q = [graph.symbol(f"q{i}", Role.COORDINATE) for i in range(links)]
    x, y, results = graph.one, graph.zero, []
    for angle in q:
        s, c = sin(angle), cos(angle)
        x, y = x * c - y * s + 0.1 * angle, x * s + y * c - 0.2
        results.append(x * y)
    return Program("row", (Block("q", tuple(q)),), Block("parameters", ()), (Block("y", tuple(results[-5:])),))


def loaded(program: Program, form: Form, for_host: Host) -> np.ufunc:
    """One vector in, one out, written in another form or for another host than a function would choose."""
    split = hoist(program)
    objects = [assemble(text, effort(k)) for k, text in enumerate(write(split, form, for_host))]
    library = Library(objects, symbols(split))
    signature = f"({len(program.inputs[0])})->({len(program.outputs[0])})"
    return make_gufunc(program.name, "", signature, 1, 1, np.dtype(float), library.addresses["loop"], 0, library)


def test_pieces_and_text_grow_as_the_program_does() -> None:
    """Twice the links: twice the modules and twice the text; and no function longer than before."""
    sizes = {}
    for links in (500, 1000, 2000):
        program = pendulum_row(links)
        steps = len(schedule(program))
        texts = list(write(hoist(program), Form.of(64, host(), 250), host()))
        assert len(texts) == 1 + round(steps / 250)
        longest = max(len(function) for text in texts[1:] for function in text.split("define "))
        sizes[links] = (steps, sum(map(len, texts[1:])), longest, len(texts[0]))
    for small, large in ((500, 1000), (1000, 2000)):
        assert sizes[large][0] / sizes[small][0] == pytest.approx(2.0, rel=0.01)
        assert sizes[large][1] / sizes[small][1] == pytest.approx(2.0, rel=0.02)
        assert sizes[large][2] < 1.1 * sizes[small][2]
        assert sizes[large][3] - sizes[small][3] < 0.2 * (sizes[large][1] - sizes[small][1])


def test_moving_long_blocks_takes_no_longer_code() -> None:
    """Ten times the elements: the code that brings them in and out is a loop."""

    def moving(count: int) -> int:
        graph = Graph()
        nodes = tuple(graph.symbol(f"x{i}", Role.INPUT) for i in range(count))
        program = Program("long", (Block("x", nodes),), Block("p", ()), (Block("y", nodes[:1]), Block("z", nodes)))
        (text,) = write(hoist(program), Form.of(64, host(), 10**6), host())
        functions = [function for function in text.split("define ") if "@loop_many" in function.split("(")[0]]
        assert len(functions) == 1
        return len(functions[0])

    assert moving(2000) < 1.1 * moving(200)


def test_the_same_program_is_the_same_text_every_time() -> None:
    form = Form.of(64, host(), 9)
    assert list(write(hoist(arm()), form, host())) == list(write(hoist(arm()), form, host()))


def test_every_module_is_checked_before_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM would take the whole process down."""
    order: list[str] = []
    verify, emit = llvm.ModuleRef.verify, llvm.TargetMachine.emit_object

    def verified(self: llvm.ModuleRef) -> None:
        order.append("verify")
        verify(self)

    def emitted(self: llvm.TargetMachine, module: llvm.ModuleRef) -> bytes:
        order.append("emit")
        code: bytes = emit(self, module)
        return code

    monkeypatch.setattr(llvm.ModuleRef, "verify", verified)
    monkeypatch.setattr(llvm.TargetMachine, "emit_object", emitted)
    modules = len(list(write(hoist(arm()), Form.of(64, host(), 9), host())))
    compiled(arm(), piece=9).bind(PARAMETERS)
    assert order == ["verify", "emit"] * modules
    assert modules > 2


@pytest.mark.parametrize(
    "ir",
    [
        "define double @f(double %x) { ret float %x }",
        "define double @f(double %x) {\n  %a = fadd double %b, %x\n  %b = fadd double %x, %x\n  ret double %a\n}",
        "not IR at all",
    ],
)
def test_bad_code_is_an_error_not_a_crash(ir: str) -> None:
    with pytest.raises(RuntimeError):
        assemble(ir)


def test_symbols_are_exported() -> None:
    always = ("function", "loop", "repeat")
    for program, expected in ((arm(), (*always, "setup")), (pendulum_row(2), always)):
        split = hoist(program)
        assert symbols(split) == expected
        assert set(compiled(program)._built.library.addresses) == set(expected)


def test_without_fused_instructions_results_are_the_interpreters() -> None:
    """A host that cannot fuse rounds twice, as NumPy does: + − × ÷ agree to the last bit."""
    plain = Host(host().triple, host().cpu, host().features - {"+fma"})
    if host().architecture == "aarch64":
        assert plain.has_fma, "there every processor fuses"
        return
    assert not plain.has_fma
    x = [Graph().symbol("a", Role.INPUT)]
    x += [x[0].graph.symbol(name, Role.INPUT) for name in "bcdefgh"]
    sums = [a * b + c for a, b, c in zip(x, x[1:], x[2:])] + [c - a * b for a, b, c in zip(x, x[3:], x[1:])]
    sums += [-(a * b) - c / b for a, b, c in zip(x, x[1:], x[2:])]
    sums += [(a * b - c) * (b * c + a) for a, b, c in zip(x, x[2:], x[1:])]
    program = Program("plain", (Block("x", tuple(x)),), Block("p", ()), (Block("y", tuple(sums)),))
    assert not any("llvm.fma" in text for text in write(hoist(program), Form.of(64, plain), plain))
    ufunc = loaded(program, Form.of(64, plain), plain)
    values = np.random.default_rng(0).uniform(-2.0, 2.0, (21, len(x)))
    oracle = np.stack(interpret(sums, dict(zip(x, values.T))), axis=-1)
    assert_same(ufunc(values), oracle)
    assert_same(ufunc(values[3]), oracle[3])
    assert (compiled(program).bind()(values) != oracle).any(), "where the host fuses, roundings differ"


def test_one_lane_is_the_same_function() -> None:
    """The loop without vector code, as a host without vectors has it."""
    assert not any("tile_" in text for text in write(hoist(pendulum_row(30)), Form(64, 1), host()))
    ufunc = loaded(pendulum_row(30), Form(64, 1), host())
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (21, 30))
    assert_same(ufunc(q), compiled(pendulum_row(30)).bind()(q))


@pytest.mark.parametrize(
    ("triple", "features", "architecture", "vector_bytes", "has_fma"),
    [
        ("x86_64-unknown-linux-gnu", {"+avx512f", "+avx", "+fma"}, "x86_64", 64, True),
        ("x86_64-pc-windows-msvc", {"+avx", "+fma"}, "x86_64", 32, True),
        ("amd64-unknown-freebsd", {"+sse2", "-avx"}, "x86_64", 16, False),
        ("arm64-apple-darwin", {"+neon"}, "aarch64", 16, True),
        ("aarch64-unknown-linux-gnu", set(), "aarch64", 16, True),
    ],
)
def test_hosts(triple: str, features: set[str], architecture: str, vector_bytes: int, has_fma: bool) -> None:
    found = Host(triple, "some", frozenset(features))
    assert (found.architecture, found.vector_bytes, found.has_fma) == (architecture, vector_bytes, has_fma)
    assert (f'"prefer-vector-width"="{8 * vector_bytes}"' in found.attributes) == (architecture == "x86_64")
    assert "some" in found.fingerprint
    assert Form.of(64, found).lanes == vector_bytes // 8
    assert Form.of(32, found).lanes == vector_bytes // 4


@pytest.mark.parametrize("features", [{"+avx", "+avx2", "+fma"}, {"+sse2"}])
def test_narrower_hosts_give_the_same_digits(features: set[str]) -> None:
    """Two and four lanes instead of eight; what fuses here fuses there."""
    if host().architecture != "x86_64":
        features = set()
    fma = {"+fma"} & host().features
    narrow = Host(host().triple, host().cpu, frozenset(features | fma))
    ufunc = loaded(pendulum_row(12), Form.of(64, narrow), narrow)
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (21, 12))
    assert_same(ufunc(q), compiled(pendulum_row(12)).bind()(q))
    assert_same(ufunc(np.asfortranarray(q)), compiled(pendulum_row(12)).bind()(q))


def test_a_function_that_the_c_library_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MATHEMATICS", ("sin", "no_such_function"))
    with pytest.raises(OSError, match="the C library has no function 'no_such_function', which compiled code needs"):
        library.addresses.__wrapped__()


def test_long_compilations_tell_how_far_they_are(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(build, "LONG", 0.0)
    with caplog.at_level(logging.INFO, "jourdain"):
        compiled(arm(), piece=9).bind(PARAMETERS)
    told = [record.getMessage() for record in caplog.records]
    assert told[0].startswith("compiling arm: 1 pieces in 0.")
    assert len(told) > 2


# -- threads ------------------------------------------------------------------------------------------------------


def test_many_threads_ask_one_function_and_it_compiles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str, level: int) -> bytes:
        calls.append(text)
        return assemble(text, level)

    monkeypatch.setattr(build, "assemble", counted)
    function = compile_program(arm(), cache=NOWHERE)
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (33, 3))
    barrier = threading.Barrier(16)

    def ask(_: int) -> bytes:
        barrier.wait()
        return b"".join(y.tobytes() for y in function.bind(PARAMETERS)(q, q, 1.0))

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(ask, range(16)))) == 1
    assert len(calls) == 1


def test_many_threads_compile_many_functions_and_call_them() -> None:
    """Compiling, binding, calling and dropping, all at once; every answer is the one of a thread alone."""
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (200, 3))
    expected = {i: compiled(arm(constant=0.1 * i)).bind(PARAMETERS)(q, q, 1.0)[1] for i in range(4)}
    barrier = threading.Barrier(8)

    def work(thread: int) -> None:
        barrier.wait()
        for turn in range(3):
            i = (thread + turn) % 4
            bound = compiled(arm(constant=0.1 * i), piece=9 if thread % 2 else 1000).bind(PARAMETERS)
            for _ in range(50):
                assert_same(bound(q, q, 1.0)[1], expected[i])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_threads_share_no_working_memory() -> None:
    """One function called by many threads on different data, scratch and tiles in use."""
    bound = compiled(pendulum_row(60), piece=40).bind()
    data = [np.random.default_rng(i).uniform(-1.0, 1.0, (500, 60)) for i in range(8)]
    expected = [bound(q) for q in data]

    def work(i: int) -> None:
        for _ in range(30):
            assert_same(bound(data[i]), expected[i])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_the_compiler_is_one_for_all_threads() -> None:
    assert machine._linker() is machine._linker()
    with machine.LOCK, machine.LOCK:  # a thread may ask again while it has it
        assert assemble("define double @f(double %x) {\n  ret double %x\n}")
