"""What the model predicts for each published record, or why it cannot say.

Every record of truth/published.json.gz is in COMPARED or in REASONS, in one place only.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from tests.support.evidence import load

Record = Mapping[str, Any]
Values = tuple[float, ...]
Predict = Callable[[ws.Arch], Values]

#: cycles that one integer add puts between a load and the next address: 23 and 28 on an H200
ADD = 5
MANY_WARPS = 32
FMA_OF_MMA = 16 * 8 * 16

LANES = np.arange(32)
SAME = np.zeros(32, np.int64)
LD32 = ws.parse("ld.shared.b32 %r0, [%a];")
LD64 = ws.parse("ld.shared.v2.b32 {%r0, %r1}, [%a];")
LD128 = ws.parse("ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%a];")
ST32 = ws.parse("st.shared.b32 [%a], %r0;")
GLOBAL32 = ws.parse("ld.global.b32 %r0, [%a];")
GLOBAL64 = ws.parse("ld.global.b64 %r0, [%a];")
GLOBAL128 = ws.parse("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a];")
X1, X4 = ws.Ldmatrix(num=1), ws.Ldmatrix(num=4)
PADDED = [
    ws.parse(f"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.{form} {{%r0, %r1, %r2, %r3}}, [%a];")
    for form in ("b4x16_p64", "b6x16_p32")
]
WMMA_LOAD = ws.parse(
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%a], %s;"
)
WMMA_STORE = ws.parse(
    "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%a], {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, %s;"
)


@dataclass(frozen=True)
class Claim:
    """A record and what the model says of it; `at_least`: the record holds more than the model."""

    record: Record
    how: str
    predict: Predict
    measured: Values
    at_least: bool = False

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def target(self) -> str:
        named = re.match(r"sm_\d+", self.record["arch"])
        return named.group() if named else "sm_90"


def ids(text: str) -> tuple[str, ...]:
    """ "p001-p003, p007" -> the four."""
    found: list[str] = []
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        numbers = range(int(first[1:]), int((last or first)[1:]) + 1)
        found += [f"p{number:03d}" for number in numbers]
    return tuple(found)


def measured_of(record: Record) -> Values:
    value = record["value"]
    return tuple(map(float, value)) if isinstance(value, list) else (float(value),)


Maker = Callable[[Record], Claim]


def made(
    how: str, predict: Predict, measured: Values | None = None, at_least: bool = False, scale: float = 1.0
) -> Maker:
    """A Claim of every record that it is called with."""

    def make(record: Record) -> Claim:
        found = tuple(value * scale for value in measured or measured_of(record))
        return Claim(record, how, predict, found, at_least)

    return make


def latency(op: Any, address: Any, more: float = 0, steps: int = 1) -> Predict:
    stride = {"stride": 16} if op.is_wmma else {}
    return lambda arch: ((op.cost(address, target=arch, **stride).latency + more) * steps,)


def chase(op: Any, more: float = 0) -> Predict:
    """Of one thread."""
    return lambda arch: (op.cost(SAME, target=arch, active=1).latency + more,)


def interval(op: Any, address: Any, warps: int) -> Predict:
    return lambda arch: (op.cost(address, target=arch, warps=warps).interval,)


def rate(op: Any, address: Any, amount: float) -> Predict:
    """`amount` of each instruction, per cycle and SM, by many warps."""
    return lambda arch: (amount / op.cost(address, target=arch, warps=MANY_WARPS).interval,)


def matrices(record: Record) -> ws.Ldmatrix | ws.Stmatrix:
    kind = ws.Stmatrix if "stmatrix" in record["instruction"] else ws.Ldmatrix
    return kind(num=int(record["instruction"].rpartition(".x")[2][0]))


def of_matrices(how: str, predict: Callable[[Any, Any], Predict]) -> Maker:
    """By the x1, x2 or x4 of the record, without conflicts."""
    return lambda record: made(how, predict(matrices(record), LANES * 16))(record)


def warps_to_peak(op: Any, address: Any) -> Predict:
    """The fewest warps, of 1, 2, 4 and so on, that reach the interval of many."""

    def predict(arch: ws.Arch) -> Values:
        peak = op.cost(address, target=arch, warps=MANY_WARPS).interval
        counts = (2**i for i in range(7))
        reach = (n for n in counts if op.cost(address, target=arch, warps=n).interval <= peak)
        return (float(next(reach)),)

    return predict


def conflicts(arch: ws.Arch) -> Values:
    """ld.shared of one word a lane: without conflict, and two lanes a bank."""
    return tuple(LD32.cost(LANES * 4 * way, target=arch).latency for way in (1, 2))


def per_sub_core(active: int) -> Predict:
    return lambda arch: (LD32.cost(LANES * 4, target=arch, warps=active).interval * active,)


def return_bits(arch: ws.Arch) -> Values:
    """Of one warp that reads 16 bytes a lane."""
    return (32 * 128 / LD128.cost(LANES * 16, target=arch, warps=1).interval,)


def padded_over_b16(arch: ws.Arch) -> Values:
    plain = X4.cost(LANES * 16, target=arch, warps=MANY_WARPS).interval
    own = ws.Arch(f"{arch.target}a")
    return tuple(op.cost(LANES * 16, target=own, warps=MANY_WARPS).interval / plain for op in PADDED)


def constant(name: str, times: float = 1) -> Predict:
    return lambda arch: (arch.constants[name].value * times,)


def both_ends(predict: Predict) -> Predict:
    """One prediction for the two ends of a range."""
    return lambda arch: predict(arch) * 2


def mma_rate(arch: ws.Arch, scale: float = 1) -> Values:
    interval = arch.constants["mma_interval"].value
    return (arch.sub_partitions * FMA_OF_MMA / interval * scale,)


def mma_tflops(record: Record) -> Claim:
    condition = record["condition"]
    scale = 2 * condition["SMs"] * condition["clock_MHz"] / 1e6
    return made("4 * 2048 / mma_interval", partial(mma_rate, scale=scale))(record)


def chain(op: Any, address: Any, more: float) -> Maker:
    """The cycles of all N steps."""

    def make(record: Record) -> Claim:
        predict = latency(op, address, more, record["condition"]["N"])
        return made("N steps of ldmatrix.x1 and an integer add", predict)(record)

    return make


def mma_chain(record: Record) -> Claim:
    predict = constant("mma_latency", record["condition"]["N"])
    return made("N * mma_latency; the chain contains fillers", predict, at_least=True)(record)


def wavefronts(*patterns: tuple[Any, Any]) -> Predict:
    return lambda arch: tuple(float(op.traffic(address, target=arch.target).wavefronts) for op, address in patterns)


def shifted_codes(arch: ws.Arch) -> Values:
    """Bytes of the 16 codes after ldmatrix, and after fp4_to_mma."""
    row = np.array([0x10 * (2 * i + 1) + 2 * i for i in range(8)], np.uint8)
    shared = np.zeros(512, np.uint8)
    shared[:8] = row
    op = ws.parse("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r0}, [%a];")
    address = np.where(LANES < 8, LANES * 16, 0)
    found = op.execute(ws.SharedMemory(shared), address, target=f"{arch.target}a").registers
    codes = np.ascontiguousarray(found[:4, 0], np.uint32)
    both = [codes.view(np.uint8), ws.fp4_to_mma(codes).view(np.uint8)]
    return tuple(float(code) for codes in both for code in codes)


WIDE = LANES * 16
#: pairs of lanes with equal addresses: n and n^1, then n and n^2
PAIRED = [(LANES >> 1) * 16, ((LANES & 1) | (LANES >> 1 & ~1)) * 16]
PAIRED_64 = [address // 2 for address in PAIRED]
SPREAD_64 = LANES * 8
SAME_BANKS = LANES * 128

CHASE = "load to use, and an integer add (5 cycles, H200)"
RAW = "load to use"
TIMED = "load to use; the record's time includes two clock readings and a store"
SHARED_B300 = 148 * 2.032e9 / 1e12

#: ids -> what to compare
COMPARED: Mapping[str, Maker] = {
    "p020": made("dense_fma / 2, on GeForce", constant("dense_fma", 0.5)),
    "p026-p028": of_matrices("fewest warps at the interval of 32", warps_to_peak),
    "p029": made("ld.shared of 1 and 2 wavefronts", conflicts),
    "p057": made("interval of a sub-core, 32 bits a lane taken", per_sub_core(1)),
    "p058": made("interval of a sub-core, 32 bits a lane taken", per_sub_core(3)),
    "p059": made("interval of a sub-core, 32 bits a lane taken", per_sub_core(4)),
    "p060": made("interval, 32 bits a lane taken", interval(LD32, LANES * 4, MANY_WARPS)),
    "p061": made("one warp, 16 bytes a lane", return_bits),
    "p074-p076": of_matrices(f"{CHASE}, as in this log's ld.shared", partial(latency, more=ADD)),
    "p077-p079": of_matrices("interval of one warp", partial(interval, warps=1)),
    "p080": made("interval over that of b16; 2.3 cycles for both", padded_over_b16, (1.0, 1.0)),
    "p081-p082": lambda record: of_matrices("1 / interval", partial(rate, amount=1))(
        {**record, "instruction": record["instruction"].replace("LDSM", "ldmatrix")}
    ),
    "p083": made("1 / interval", rate(LD32, LANES * 4, 1)),
    "p084": made("128 bytes a cycle", rate(LD128, WIDE, 512 * SHARED_B300)),
    "p085": made("bytes / interval", rate(LD128, WIDE, 512)),
    "p086": made("128 bytes a cycle", both_ends(rate(X4, WIDE, 512 * SHARED_B300))),
    "p087": made("bytes / interval", both_ends(rate(X4, WIDE, 512))),
    "p088-p089, p124-p125, p241": made(CHASE, chase(LD32, ADD)),
    "p165": made(RAW, chase(LD32)),
    "p166": made("until a load can follow; its method is not stated", latency(ST32, LANES * 4)),
    "p090, p121-p123, p223, p226, p229, p232, p235, p238, p242": made(
        CHASE, chase(GLOBAL32, ADD)
    ),
    "p164": made(RAW, chase(GLOBAL32)),
    "p184, p187, p190, p193, p196": made(RAW, chase(GLOBAL64)),
    "p199, p215, p219": made(TIMED, chase(LD32), at_least=True),
    "p200, p216, p220": made(TIMED, chase(GLOBAL32), at_least=True),
    "p093, p136-p138": made("mma_latency", constant("mma_latency")),
    "p096": mma_tflops,
    "p097": made("4 * 2048 / mma_interval", mma_rate),
    "p104-p106": chain(X1, WIDE, ADD),
    "p107": made("ldmatrix.x1 and an integer add", latency(X1, WIDE, ADD)),
    "p108-p109": mma_chain,
    "p130-p132": made("bytes / interval, L1 hits", rate(GLOBAL128, WIDE, 512)),
    "p133-p135": made("bytes / interval", rate(LD128, WIDE, 512)),
    "p168-p169": made("2 * mma_interval", constant("mma_interval", 2)),
    "p180": made("from shared memory, alone", latency(WMMA_LOAD, 0), at_least=True),
    "p182": made("until a load can follow, alone", latency(WMMA_STORE, 0), at_least=True),
    "p276": made(
        "wavefronts: no pairs, n^1, n^2",
        wavefronts((LD128, WIDE), *((LD128, a) for a in PAIRED)),
        (4, 2, 2),
    ),
    "p277": made(
        "wavefronts: no pairs, n^1, n^2",
        wavefronts((LD64, SPREAD_64), *((LD64, a) for a in PAIRED_64)),
        (2, 1, 1),
    ),
    "p278": made(
        "wavefronts: no pairs, n^1, n^2, all lanes one address",
        wavefronts((LD128, WIDE), *((LD128, a) for a in (*PAIRED, SAME))),
        (4, 2, 2, 2),
    ),
    "p279": made("wavefronts", wavefronts((LD128, SAME_BANKS))),
    "p281": made(
        "bytes of the 16 codes after ldmatrix and fp4_to_mma",
        shifted_codes,
        tuple(float(code << shift) for shift in (0, 2) for code in range(16)),
    ),
}  # fmt: skip

#: what is known of the records and is no computation
WORDS: Mapping[str, Any] = json.loads(Path(__file__).with_name("data").joinpath("published.json").read_text("utf-8"))
#: why the model says nothing -> ids
REASONS: Mapping[str, str] = WORDS["reasons"]
#: published constants (architecture, name) -> the records that they were taken from
SOURCES: Mapping[tuple[str, str], str] = {(of, name): text for of, name, text in WORDS["sources"]}


@cache
def records() -> dict[str, Record]:
    return {record["id"]: record for record in load("published")["records"]}


def claims() -> Iterator[Claim]:
    """In the order of the records."""
    by_id = {id: maker for text, maker in COMPARED.items() for id in ids(text)}
    for id in sorted(by_id):
        yield by_id[id](records()[id])


def error(predicted: Values, measured: Values) -> float:
    """Relative, of the value that is farthest off."""
    pairs = zip(predicted, measured, strict=True)
    found = ((p - m) / m if m else float(p != m) for p, m in pairs)
    return max(found, key=abs)


def _changed(arch: ws.Arch, name: str) -> Iterator[ws.Arch]:
    for factor in (2, 0.5):
        yield ws.Arch(arch.target, {name: arch.constants[name].value * factor})


def rests_on(claim: Claim) -> tuple[str, ...]:
    """The constants that the prediction changes with."""
    arch = ws.arch(claim.target)
    fixed = {"banks", "bank_bytes", "shared_bytes_per_block"}
    before = claim.predict(arch)
    return tuple(
        name
        for name in arch.constants
        if name not in fixed and any(claim.predict(new) != before for new in _changed(arch, name))
    )


def is_own(claim: Claim, constants: Iterable[str]) -> bool:
    """Does a constant of the prediction come from this very record?"""
    return any(claim.id in ids(SOURCES.get((claim.target, name), "p000")) for name in constants)
