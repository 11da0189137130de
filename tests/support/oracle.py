"""What the slow oracle of tests/reference expects of one warp, whatever the instruction."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import warpsim as ws
from tests.reference import legality, matrices, plain, traffic, undefined
from tests.reference.forms import WARP_LANES, access_bytes, forms_of, matrix_registers, row_bytes, row_lanes
from tests.reference.memory import DEFAULT_SHARED_WINDOW, AddressSpace, Memory, resolve
from tests.reference.wmma import forms as wmma_forms
from tests.reference.wmma import legality as wmma_legality
from tests.reference.wmma import matrices as wmma
from tests.reference.wmma import traffic as wmma_traffic
from tests.reference.wmma import undefined as wmma_undefined

CLASSES: dict[str, Any] = {
    "ldmatrix": ws.Ldmatrix, "stmatrix": ws.Stmatrix, "movmatrix": ws.Movmatrix, "ld": ws.Ld, "st": ws.St,
    "cp.async": ws.CpAsync, "wmma.load": ws.WmmaLoad, "wmma.store": ws.WmmaStore,
}  # fmt: skip
STORES = ("stmatrix", "st", "cp.async", "wmma.store")
MATRICES = ("ldmatrix", "stmatrix")
PLAIN = ("ld", "st")
WMMA = ("wmma.load", "wmma.store")
WITHOUT_SPACE = ("movmatrix", "cp.async")
#: of wmma the fragments of these are not known
UNKNOWN_TARGETS = ("sm_70", "sm_72")


@dataclass(frozen=True)
class Instruction:
    """A form of an instruction; the state space is chosen case by case."""

    mnemonic: str
    form: dict[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        words = [self.mnemonic]
        for key, value in self.form.items():
            prefix = {"num": "x", "vec": "v"}.get(key, "")
            words += [] if value is False else [key if value is True else f"{prefix}{value}"]
        return " ".join(words)

    @property
    def is_wmma(self) -> bool:
        return self.mnemonic.startswith("wmma")

    @property
    def spaces(self) -> tuple[str, ...]:
        if self.is_wmma:
            return ("shared", "shared::cta", "global", "")
        return ("",) if self.mnemonic in WITHOUT_SPACE else ("shared", "shared::cta", "")

    @property
    def _operand(self) -> tuple[str, str, str]:
        return self.form["operand"], self.form["shape"], self.form["type"]

    @property
    def width(self) -> int:
        """Bytes at one address, to which it is aligned too; of wmma, a lane's fragment."""
        if self.is_wmma:
            return wmma_forms.fragment_bytes(*self._operand)
        if self.mnemonic in MATRICES:
            return row_bytes(self.form["type"])
        if self.mnemonic in PLAIN:
            return access_bytes(**self.form)
        return int(self.form.get("size", 0))

    @property
    def lines(self) -> tuple[int, int]:
        """Of wmma: runs of memory that the stride separates, and the elements of one."""
        return wmma_forms.lines(self.form["operand"], self.form["layout"], self.form["shape"])

    @property
    def registers(self) -> int:
        if self.is_wmma:
            return wmma_forms.registers(*self._operand)
        if self.mnemonic in MATRICES:
            return matrix_registers(**self.form)
        return {"movmatrix": 1, "cp.async": 0}.get(self.mnemonic) or self.form.get("vec", 0)

    @property
    def register_bits(self) -> int:
        if self.is_wmma:
            return wmma_forms.register_bits(self.form["type"])
        return plain.register_bits(self.form["type"]) if self.mnemonic in PLAIN else 32

    @property
    def register_type(self) -> Any:
        return np.uint64 if self.register_bits == 64 else np.uint32

    @property
    def row_lanes(self) -> int:
        if self.is_wmma:
            return 1
        if self.mnemonic in MATRICES:
            return row_lanes(**self.form)
        return 0 if self.mnemonic == "movmatrix" else WARP_LANES

    def legal(self, space: str, target: str, ptx_version: str) -> bool:
        if self.is_wmma:
            return wmma_legality.legal(self.form, space, target, ptx_version)
        return legality.legal(self.mnemonic, self.form, space, target, ptx_version)

    def min_ptx_version(self, space: str, target: str) -> str | None:
        if self.is_wmma:
            return wmma_legality.min_ptx_version(self.form, space, target)
        return legality.min_ptx_version(self.mnemonic, self.form, space, target)

    def takers(self, space: str) -> tuple[str, ...]:
        """Targets that take the form."""
        if self.is_wmma:
            return wmma_legality.targets(self.form, space)
        return legality.targets(self.mnemonic, self.form, space)

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Those on which it can be executed."""
        unknown = UNKNOWN_TARGETS if self.is_wmma else ()
        return tuple(target for target in self.takers("shared::cta") if target not in unknown)

    def op(self, space: str = "shared") -> Any:
        form = dict(self.form)
        if self.mnemonic not in WITHOUT_SPACE:
            form["space"] = space
        if self.mnemonic == "wmma.store":
            del form["operand"]
        return CLASSES[self.mnemonic](**form)


def wmma_instructions() -> list[Instruction]:
    loads = [Instruction("wmma.load", form) for form in wmma_forms.wmma_forms()]
    return loads + [Instruction("wmma.store", form) for form in wmma_forms.wmma_forms(("c",))]


INSTRUCTIONS = [Instruction(m, form) for m in CLASSES if m[0] != "w" for form in forms_of(m)]
INSTRUCTIONS += wmma_instructions()


@dataclass
class Warp:
    address: list[int]
    source: list[int]
    stride: list[int]
    registers: list[list[int]]
    active: int
    exited: int

    @property
    def mask(self) -> dict[str, Any]:
        return {"active": self.active, "exited": self.exited}

    @property
    def agrees(self) -> bool:
        """Whether the lanes that execute have one address and one stride."""
        lanes = plain.executing_lanes(**self.mask)
        return len({(self.address[lane], self.stride[lane]) for lane in lanes}) <= 1


@dataclass
class Case:
    space: str
    target: str | None
    shape: tuple[int, ...]
    shared: Memory
    global_: Memory
    window: int
    warps: list[Warp] = field(default_factory=list)
    threads: int = 1
    out: bool = False
    default_stride: bool = False

    @property
    def sm_75(self) -> bool:
        return self.target == "sm_75"

    @property
    def memory(self) -> Memory | AddressSpace:
        if self.space == "":
            return AddressSpace(self.shared, self.global_, self.window)
        return self.global_ if self.space == "global" else self.shared


@dataclass
class Expected:
    """Findings are (error, severity, lane, address)."""

    findings: list[Any]
    traffic: traffic.Counts | None
    registers: list[list[int]] | None = None
    warned: bool = False

    @property
    def ok(self) -> bool:
        return all(severity != wmma_undefined.ERROR for _, severity, *_ in self.findings)


def findings_of(instruction: Instruction, case: Case, warp: Warp) -> list[Any]:
    memory, width, mask = case.memory, instruction.width, warp.mask
    if instruction.is_wmma:
        return wmma_undefined.wmma_findings(
            memory, warp.address, warp.stride, form=instruction.form, space=case.space,
            sm_75=case.sm_75, **mask,
        )  # fmt: skip
    if instruction.mnemonic == "movmatrix":
        found = undefined.movmatrix_findings(**mask)
    elif instruction.mnemonic == "cp.async":
        found = undefined.cp_async_findings(case.shared, case.global_, warp.address, warp.source, size=width, **mask)
    elif instruction.mnemonic in MATRICES:
        found = undefined.matrix_findings(
            memory, warp.address, lanes=instruction.row_lanes, width=width, space=case.space,
            target=case.target, **mask,
        )  # fmt: skip
    else:
        found = undefined.plain_findings(memory, warp.address, width=width, space=case.space, **mask)
    return [(error, wmma_undefined.ERROR, lane, address) for error, lane, address in found]


def lies_in_shared(case: Case, address: int) -> bool:
    if case.space:
        return case.space != "global"
    return resolve(case.memory, "", address)[0] is case.shared


def traffic_of(instruction: Instruction, case: Case, warp: Warp, *, exited: int, sm_75: bool) -> traffic.Counts | None:
    """What is counted; None where no rule does: plain generic accesses outside of shared memory."""
    form, kind = instruction.form, instruction.mnemonic
    mask: dict[str, Any] = {"active": warp.active, "exited": exited}
    if warp.active == 0 or kind == "movmatrix":
        return traffic.only_issued()
    if instruction.is_wmma:
        return wmma_traffic.wmma_traffic(
            warp.address, warp.stride, form=form, space=case.space,
            shared=lies_in_shared(case, warp.address[0]), store=kind == "wmma.store",
            active=warp.active, sm_75=sm_75,
        )  # fmt: skip
    if kind in MATRICES:
        return traffic.matrix_traffic(warp.address, shape=form["shape"], num=form["num"], type=form["type"])
    if kind == "cp.async":
        return traffic.cp_async_traffic(warp.address, warp.source, **form, **mask)
    lanes = plain.executing_lanes(warp.active, 0)
    if not all(lies_in_shared(case, warp.address[lane]) for lane in lanes):
        return None
    rule = traffic.ld_traffic if kind == "ld" else traffic.st_traffic
    return rule(warp.address, **form, **mask)


def traffic_alone(instruction: Instruction, case: Case, warp: Warp) -> traffic.Counts | None:
    """The same without a memory: with the usual window, and strides that are defined."""
    if not case.space and instruction.mnemonic in (*PLAIN, *WMMA):
        reach = 1 << 16 if instruction.is_wmma else 0
        ends = [address + edge - case.window for address in warp.address for edge in (0, reach)]
        mixed = instruction.is_wmma and len({0 <= end < 1 << 24 for end in ends}) > 1
        if case.window != DEFAULT_SHARED_WINDOW or mixed:
            return None
    if instruction.is_wmma and not all(wmma_undefined.defined_stride(s, **instruction.form) for s in warp.stride):
        return None
    return traffic_of(instruction, case, warp, exited=0, sm_75=False)


def moved(instruction: Instruction, case: Case, warp: Warp) -> list[list[int]] | None:
    """The registers of a load; stores change the memories of the case."""
    form, kind, memory, mask = dict(instruction.form), instruction.mnemonic, case.memory, warp.mask
    address, space = warp.address, {"space": case.space}
    if kind == "ld":
        return plain.ld(memory, address, **space, **form, **mask)
    if kind == "st":
        plain.st(memory, address, warp.registers, **space, **form, **mask)
    elif kind == "cp.async":
        plain.cp_async(case.shared, case.global_, address, warp.source, **form, **mask)
    elif warp.active == 0:
        return [[0] * instruction.registers for _ in range(WARP_LANES)]
    elif kind == "ldmatrix":
        return matrices.ldmatrix(memory, address, **space, **form)
    elif kind == "stmatrix":
        matrices.stmatrix(memory, address, warp.registers, **space, **form)
    elif kind == "movmatrix":
        return matrices.movmatrix(warp.registers)
    else:
        place: Any = {**space, "stride": warp.stride[0], "sm_75": case.sm_75}
        if kind == "wmma.load":
            return wmma.wmma_load(memory, address[0], **form, **place)
        del form["operand"]
        wmma.wmma_store(memory, address[0], warp.registers, **form, **place)
    return None


def expect(instruction: Instruction, case: Case, warp: Warp) -> Expected:
    """What one warp does; stores change the memories of the case."""
    expected = Expected(findings_of(instruction, case, warp), traffic.nothing())
    if expected.ok:
        expected.traffic = traffic_of(instruction, case, warp, exited=warp.exited, sm_75=case.sm_75)
        expected.registers = moved(instruction, case, warp)
        expected.warned = instruction.form.get("cache") == "cg" and (
            undefined.equal_destinations(warp.address, **warp.mask)
        )
    return expected
