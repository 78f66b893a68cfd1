"""The host, and machine code: IR is checked, made an object file, loaded; objects can be kept and loaded again."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import llvmlite
import llvmlite.binding as llvm

from .library import addresses

# The highest effort: loops and memory too. What is printed as straight lines would gain nothing by it.
WHOLE = 3

# LLVM's context is one for the process, and not made for threads.
LOCK = threading.RLock()
_names = itertools.count()


@dataclass(frozen=True)
class Host:
    """The processor that code is made for. fuses: whether code is to use fused multiply-add where there is one."""

    triple: str
    cpu: str
    features: frozenset[str]
    fuses: bool = True

    @property
    def portable(self) -> Host:
        """The same processor in portable arithmetic: no contraction, so that digits are those of WebAssembly."""
        return replace(self, fuses=False)

    @property
    def architecture(self) -> str:
        name = self.triple.split("-")[0]
        return {"arm64": "aarch64", "amd64": "x86_64"}.get(name, name)

    @property
    def vector_bytes(self) -> int:
        """Width of the widest vector registers."""
        if "+avx512f" in self.features:
            return 64
        return 32 if "+avx" in self.features else 16

    @property
    def has_fma(self) -> bool:
        """Whether a fused multiply-add is an instruction, and wanted; every 64-bit ARM has it."""
        return self.fuses and (self.architecture == "aarch64" or "+fma" in self.features)

    @property
    def stack_bytes(self) -> int:
        """Working memory up to this comes from the stack: threads have short ones; a module's own is as it needs."""
        return 1 << 30 if self.architecture.startswith("wasm") else 1 << 17

    @property
    def attributes(self) -> str:
        """Function attributes: LLVM shies away from 512 bits on its own."""
        bits = 8 * self.vector_bytes
        if self.architecture != "x86_64":
            return ""
        return f'"prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'

    @property
    def fingerprint(self) -> str:
        """Everything about the host and the compiler that the code depends on."""
        arithmetic = [] if self.fuses else ["portable"]
        return "\n".join([llvmlite.__version__, self.triple, self.cpu, ",".join(sorted(self.features)), *arithmetic])


@functools.cache
def host() -> Host:
    """The machine we run on."""
    with LOCK:
        features = llvm.get_host_cpu_features()
        listed = frozenset(f"{'+' if on else '-'}{name}" for name, on in features.items())
        return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), listed)


@functools.cache
def _target_machine(level: int) -> llvm.TargetMachine:
    # LLVM < 20 wants to be initialized by hand.
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = host()
    target = llvm.Target.from_triple(machine.triple)
    features = ",".join(sorted(machine.features))
    return target.create_target_machine(cpu=machine.cpu, features=features, opt=level, reloc="pic", codemodel="default")


@functools.cache
def _linker() -> llvm.LLJIT:
    return llvm.create_lljit_compiler(_target_machine(2), suppress_errors=True)


def assemble(ir: str, level: int = 2) -> bytes:
    """The object file of a module in LLVM IR. At WHOLE effort the IR is improved before it becomes machine code."""
    with LOCK:
        machine = _target_machine(level)
        code: bytes = machine.emit_object(improved(ir, machine) if level == WHOLE else checked(ir, machine))
        return code


def checked(ir: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """A module in LLVM IR for this machine; under LOCK."""
    module = llvm.parse_assembly(ir)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    return module


def improved(ir: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """The same with loops, memory and calls gone through; under LOCK."""
    module = checked(ir, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    # Matrices are small: unrolled, elimination took twice the time to compile, and was slower up to 6 by 6.
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


class Library:
    """Loaded machine code; it stays in memory as long as this object."""

    def __init__(self, objects: Sequence[bytes], symbols: tuple[str, ...]) -> None:
        with LOCK:
            builder = llvm.JITLibraryBuilder()
            for code in objects:
                builder.add_object_img(code)
            for name, address in addresses().items():
                builder.import_symbol(name, address)
            for name in symbols:
                builder.export_symbol(name)
            self._tracker = builder.link(_linker(), f"jourdain{next(_names)}")
        self.addresses: dict[str, int] = {name: self._tracker[name] for name in symbols}
