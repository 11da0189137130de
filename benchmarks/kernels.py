"""The rows that are measured in C: batches of data, of counts, and of packed rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import warpsim as ws

from . import levels, patterns
from .native import Native
from .patterns import KB, Bytes, Words
from .peers import numpy_ldmatrix, numpy_ldmatrix_trans, numpy_unpack, numpy_wavefronts, same
from .rows import Line
from .timing import Case, Effort, medians

WARP_BYTES = 512
MOST_OUT = 2 * KB * KB  # beyond, memory rules: a row of its own
LARGE_OUT = 32 * KB * KB
OUT_SIZES = (16 * KB, 128 * KB, MOST_OUT, LARGE_OUT)
SHORT_OUT_SIZES = (16 * KB, 2 * MOST_OUT)
COUNT_WARPS = 4096
PACKED_ROWS = KB * KB // 16

STRAIGHT = ws.Ldmatrix(num=4)
TURNED = ws.Ldmatrix(num=4, trans=True)

GATHER, MEMCPY, CHECKED, TRANS, UNCHECKED, SUM = (
    "gather", "memcpy", "checked", "trans", "unchecked", "sum",
)  # fmt: skip
#: (what is measured, level); the peers have none
Timed = tuple[str, str]


class Setting(NamedTuple):
    """One size of shared memory, walked in one pattern into an output of one size."""

    pattern: str
    image: Bytes
    address: Words
    out: Words

    @property
    def name(self) -> str:
        out = self.out.nbytes // KB
        size = f"{out // KB}M" if out >= KB else f"{out}K"
        return f"{self.image.nbytes // KB}K to {size}, {self.pattern}"


def _check(what: str, case: Case, out: NDArray[Any], expected: NDArray[Any]) -> None:
    """Runs a case once into an output that holds something else."""
    out.fill(0xA5)
    case(1)
    same(what, out.reshape(-1), expected.reshape(-1))


def _settings(effort: Effort) -> Iterator[Setting]:
    for nbytes in patterns.SHARED_SIZES:
        image = patterns.image(nbytes)
        for pattern, make in patterns.ROW_PATTERNS.items():
            sizes = SHORT_OUT_SIZES if effort.short else OUT_SIZES
            if pattern == patterns.RANDOM_ROWS and not effort.short:
                sizes = (MOST_OUT,)  # smaller ones would compare an image with a cache
            for size in sizes:
                warps = size // WARP_BYTES
                out = patterns.aligned((warps, 32, 4), np.uint32)
                yield Setting(pattern, image, make(warps, nbytes), out)


def _ldmatrix_cases(native: Native, setting: Setting) -> dict[Timed, Case]:
    _, image, address, out = setting
    cases: dict[Timed, Case] = {
        (MEMCPY, ""): native.memcpy(image, out),
        (GATHER, ""): native.gather(image, address, out),
    }
    for level in levels.available():
        cases[CHECKED, level] = native.execute(STRAIGHT, image, address, out, level)
        cases[TRANS, level] = native.execute(TURNED, image, address, out, level)
        cases[UNCHECKED, level] = native.unchecked(STRAIGHT, image, address, out, level)
    return cases


def _check_ldmatrix(setting: Setting, cases: Mapping[Timed, Case]) -> None:
    _, image, address, out = setting
    words = image.view(np.uint32)
    straight = numpy_ldmatrix(image, address)
    expected: dict[str, NDArray[Any]] = {
        MEMCPY: np.resize(words, out.size),
        GATHER: words.reshape(-1, 4)[address >> 4],
        CHECKED: straight,
        UNCHECKED: straight,
        TRANS: numpy_ldmatrix_trans(image, address),
    }
    for (what, level), case in cases.items():
        _check(f"{what} {level}, {setting.name}", case, out, expected[what])


def _beside_gather(line: Line, level: str, gather: float) -> Line:
    """Against memcpy, a gate asks for no less than the gate against the gather, which any ldmatrix.x4 contains."""
    bound = levels.gate("ldmatrix_gather", level)
    note = f"the gather alone takes {gather:.2f}"
    return levels.no_stricter(line, None if bound is None else round(bound * gather, 2), note)


def ldmatrix(native: Native, effort: Effort) -> Iterator[Line]:
    """ldmatrix.x4 against copies, against itself unchecked, and .trans against it."""
    for setting in _settings(effort):
        cases = _ldmatrix_cases(native, setting)
        _check_ldmatrix(setting, cases)
        warps = len(setting.address)
        ns = {key: found / warps for key, found in medians(cases, effort).items()}
        small = setting.out.nbytes <= MOST_OUT
        copied, gathered = ns[MEMCPY, ""], ns[GATHER, ""]
        for level in levels.available():
            key = "ldmatrix_memcpy" if small else "ldmatrix_memcpy_large"
            pairs = {"ldmatrix_gather": (CHECKED, (GATHER, "")), key: (CHECKED, (MEMCPY, ""))}
            if small:
                pairs["trans"] = (TRANS, (CHECKED, level))
                pairs["checks"] = (CHECKED, (UNCHECKED, level))
            for key, (ours, over) in pairs.items():
                line = levels.line(key, setting.name, level, ns[ours, level], ns[over])
                yield _beside_gather(line, level, gathered / copied) if over[0] == MEMCPY else line


#: bytes per lane -> the instructions that access that many
COUNTED: Mapping[int, tuple[ws.DataMovement, ...]] = {
    16: (STRAIGHT, ws.Ld(vec=4)),
    8: (ws.Ld(type="b64"), ws.Ld(vec=2)),
    4: (ws.Ld(),),
}


class Counting(NamedTuple):
    """The instructions of one width over one pattern of addresses."""

    width: int
    pattern: str
    address: Words

    @property
    def row(self) -> str:
        free = self.width == 4 and self.pattern == patterns.CONFLICT_FREE
        return f"count_b{8 * self.width}{'_free' if free else ''}"

    def name(self, op: ws.DataMovement) -> str:
        return f"{'ldmatrix.x4' if op == STRAIGHT else op.ptx}, {self.pattern}"


def _countings(effort: Effort) -> Iterator[Counting]:
    warps = effort.size(COUNT_WARPS, 70)
    for width in COUNTED:
        for pattern, make in patterns.COUNT_PATTERNS.items():
            yield Counting(width, pattern, make(warps, width))


def _counting_cases(native: Native, counting: Counting) -> dict[Timed, Case]:
    address = counting.address
    plain, total = np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    cases: dict[Timed, Case] = {(SUM, ""): native.sum(address, plain)}
    _check(SUM, cases[SUM, ""], plain, address.sum(dtype=np.uint32, keepdims=True))
    expected = numpy_wavefronts(address, counting.width).sum(keepdims=True)
    for op in COUNTED[counting.width]:
        for level in levels.available():
            case = native.count(op, address, total, level)
            _check(f"{counting.name(op)}, {level}", case, total, expected)
            cases[op.ptx, level] = case
    return cases


def wavefronts(native: Native, effort: Effort) -> Iterator[Line]:
    """Counting against the plain sum of the addresses."""
    for counting in _countings(effort):
        found = medians(_counting_cases(native, counting), effort)
        ns = {key: one / len(counting.address) for key, one in found.items()}
        for op in COUNTED[counting.width]:
            for level in levels.available():
                yield levels.line(counting.row, counting.name(op), level, ns[op.ptx, level], ns[SUM, ""])


PACKED: Mapping[int, tuple[str, str]] = {4: ("unpack_b4", "b8x16.b4x16_p64"), 6: ("unpack_b6", "b8x16.b6x16_p32")}


def unpack(native: Native, effort: Effort) -> Iterator[Line]:
    """Packed rows to one byte an element, against a memcpy of as many bytes."""
    rows = effort.size(PACKED_ROWS, 1024)
    packed = patterns.image(16 * rows).reshape(rows, 16)
    out: Bytes = patterns.aligned((rows, 16), np.uint8)
    for bits, (key, type_) in PACKED.items():
        op, expected = ws.Ldmatrix(shape="m8n16", type=type_), numpy_unpack(packed, bits)
        copy = native.memcpy(packed, out)
        _check(MEMCPY, copy, out, packed)
        cases: dict[Timed, Case] = {(MEMCPY, ""): copy}
        for level in levels.available():
            cases[key, level] = native.unpack(op, packed, out, level)
            _check(f"{key} {level}", cases[key, level], out, expected)
        ns = {name: found / rows for name, found in medians(cases, effort).items()}
        for level in levels.available():
            yield levels.line(key, f"{rows:,} rows", level, ns[key, level], ns[MEMCPY, ""])
