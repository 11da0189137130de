"""The ordinary accesses that the assembler makes of wmma.load and wmma.store.

No hardware instruction loads a wmma operand. The tables of what CUDA's assemblers emit reduce to
the fragment map: a line is a run of memory that the stride separates (a row of a .row matrix), a
place is (line, element of the line), and every access is given by the places of its lanes.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ..forms import WARP_LANES
from .forms import element_bits, fields, lines
from .fragments import Place, distinct_registers, wmma_fragment


@dataclass(frozen=True)
class Access:
    """One instruction: `places[lane]` is where the `width` bytes of a lane begin.

    `rows`: it is an ldmatrix, whose lanes (8, 16 or 32) give rows of 16 bytes.
    """

    width: int
    places: tuple[Place, ...]
    rows: bool = False


class Lowering(NamedTuple):
    """Accesses in the order of the registers, and how many registers movmatrix transposes."""

    accesses: list[Access]
    transposes: int


Lane = list[Place]


def _lanes_of(operand: str, layout: str, shape: str, type: str, sm_75: bool) -> list[Lane]:
    """The places of the values of each lane, replication aside."""
    fragment = wmma_fragment(operand=operand, layout=layout, shape=shape, type=type, sm_75=sm_75)
    distinct = distinct_registers(operand, shape, type)
    return [
        [place if layout == "row" else (place[1], place[0]) for r in lane[:distinct] for place in r]
        for lane in fragment
    ]


def is_natural(operand: str, layout: str, shape: str, type: str, *, sm_75: bool = False) -> bool:
    """Whether the first two values of a lane lie next to each other in memory.

    Operands of one value, or of values that are never neighbours, are not.
    """
    lane = _lanes_of(operand, layout, shape, type, sm_75)[0]
    return len(lane) > 1 and lane[1] == (lane[0][0], lane[0][1] + 1)


def uses_ldmatrix(operand: str, layout: str, shape: str, type: str, space: str) -> bool:
    """Whether it becomes ldmatrix: A and B in .shared, of 16 bits, or fewer where natural."""
    bits = element_bits(type)
    if operand == "c" or not space.startswith("shared"):
        return False
    return bits == 16 or (bits < 16 and is_natural(operand, layout, shape, type))


def _by_rows(lanes: list[Lane], type: str, sm_75: bool) -> Lowering:
    """ldmatrix: each register is an 8x8 matrix of 16 bits, whose rows are pieces of 8 lines.

    Up to four matrices at once, on sm_75 and of narrow types two.
    """
    width = fields(type)
    blocks = [lanes[0][i] for i in range(0, len(lanes[0]), width)]
    at_once = 2 if sm_75 or element_bits(type) < 16 else 4
    accesses = []
    for first in range(0, len(blocks), at_once):
        rows = [(line + k, position) for line, position in blocks[first : first + at_once] for k in range(8)]
        accesses.append(Access(16, tuple(rows), rows=True))
    return Lowering(accesses, 0)


def _by_transposing(lanes: list[Lane]) -> Lowering:
    """Crossed 16-bit types: each register is loaded as an 8x8 matrix as it lies in memory."""
    accesses = []
    for i in range(0, len(lanes[0]), 2):
        line, position = lanes[0][i]
        lane_places = [(line + lane // 4, position + lane % 4 * 2) for lane in range(WARP_LANES)]
        accesses.append(Access(4, tuple(lane_places)))
    return Lowering(accesses, len(accesses))


def _by_runs(lanes: list[Lane], type: str) -> Lowering:
    """Everything else: an access for each run of values of a lane that are contiguous in memory."""
    accesses = []
    start = 0
    for i in range(1, len(lanes[0]) + 1):
        if i < len(lanes[0]):
            line, position = lanes[0][i - 1]
            if lanes[0][i] == (line, position + 1):
                continue
        width = (i - start) * element_bits(type) // 8
        accesses.append(Access(width, tuple(lane[start] for lane in lanes)))
        start = i
    return Lowering(accesses, 0)


@cache
def lowering(*, operand: str, layout: str, shape: str, type: str, space: str, sm_75: bool = False) -> Lowering:
    """The accesses of a form in a state space ("" is generic)."""
    lanes = _lanes_of(operand, layout, shape, type, sm_75)
    if uses_ldmatrix(operand, layout, shape, type, space):
        return _by_rows(lanes, type, sm_75)
    natural = is_natural(operand, layout, shape, type, sm_75=sm_75)
    if element_bits(type) == 16 and not natural:
        return _by_transposing(lanes)
    return _by_runs(lanes, type)


@cache
def stride_unit(*, operand: str, layout: str, shape: str, type: str, space: str) -> int:
    """Assembler of CUDA 13.0, sm_90a: the stride is rounded down to a multiple of it.

    Types narrower than a byte: the elements of a register. Accesses that move a pair of 16-bit or
    32-bit values: 2, if few blocks of 8 lines follow each other: two of C and D, one of A and B.
    """
    bits = element_bits(type)
    if bits < 8:
        return 32 // bits
    if bits not in (16, 32) or uses_ldmatrix(operand, layout, shape, type, space):
        return 1
    pairs = bits == 16 or is_natural(operand, layout, shape, type)
    blocks = lines(operand, layout, shape)[0] // 8
    return 2 if pairs and blocks <= (2 if operand == "c" else 1) else 1
