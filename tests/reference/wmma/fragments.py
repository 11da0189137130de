"""Which element of its matrix each field of each register of a wmma operand holds.

A fragment is a nested list [lane][register][field] of (row, column), fields from the low bits up.
PTX leaves it open. Measured on an H200, and the same on all targets from sm_75 except for one
accumulator: wmma is made of mma instructions, whose operand layouts PTX gives. In their drawings
lane = 4 g + t. An operand is a row of tiles, each the operand of one mma.
"""

from functools import cache

from ..forms import WARP_LANES
from .forms import element_bits, fields, registers

Place = tuple[int, int]
WmmaFragment = list[list[list[Place]]]


def _mma_k16(operand: str, g: int, t: int, i: int) -> Place:
    """PTX "mma.m16n8k16", 16-bit elements: value i of a lane."""
    pair, q = divmod(i, 2)
    if operand == "a":
        return g + 8 * (pair % 2), 2 * t + q + 8 * (pair // 2)
    return 2 * t + q + 8 * pair, g


def _mma_tf32(operand: str, g: int, t: int, i: int) -> Place:
    """PTX "mma.m16n8k8", .tf32: value i of a lane."""
    return (g + 8 * (i % 2), t + 4 * (i // 2)) if operand == "a" else (t + 4 * i, g)


def _mma_m8n8(operand: str, width: int, g: int, t: int, i: int) -> Place:
    """PTX "mma.m8n8k16", "mma.m8n8k32", "mma.m8n8k128", "mma.m8n8k4" with .f64.

    A lane holds `width` values: consecutive places along K.
    """
    return (g, width * t + i) if operand == "a" else (width * t + i, g)


def _accumulator(rows: int, g: int, t: int, i: int) -> Place:
    """PTX "mma", all shapes m16n8 and m8n8: value i of C or D of a tile of `rows` rows."""
    return g + (8 * (i // 2) if rows == 16 else 0), 2 * t + i % 2


def _multiplicand(operand: str, type: str, g: int, t: int, i: int) -> Place:
    """Value i of A or B: tiles follow each other down the rows of A, along the columns of B."""
    if element_bits(type) == 16 or type == "tf32":
        mma, tile_rows = (_mma_tf32 if type == "tf32" else _mma_k16), 16
        values = (8 if operand == "a" else 4) // (2 if type == "tf32" else 1)
    else:
        values = max(1, 32 // element_bits(type))
        tile_rows = 8

        def mma(operand: str, g: int, t: int, i: int) -> Place:
            return _mma_m8n8(operand, values, g, t, i)

    tile, i = divmod(i, values)
    row, column = mma(operand, g, t, i)
    return (row + tile_rows * tile, column) if operand == "a" else (row, column + 8 * tile)


def _place(operand: str, shape: str, type: str, g: int, t: int, i: int, sm_75: bool) -> Place:
    """Value i of a lane, replication aside."""
    if operand == "c" and shape == "m8n32k16" and type == "s32" and sm_75:
        row, column = _accumulator(8, g, t, i % 2)  # four m8n8 tiles side by side
        return row, column + 8 * (i // 2)
    if shape == "m8n32k16":  # executed as the transposed m32n8k16
        other = {"a": "b", "b": "a", "c": "c"}[operand]
        column, row = _place(other, "m32n8k16", type, g, t, i, sm_75)
        return row, column
    if operand != "c":
        return _multiplicand(operand, type, g, t, i)
    if shape.startswith("m8n8"):
        return _accumulator(8, g, t, i)
    tile, i = divmod(i, 4)
    row, column = _accumulator(16, g, t, i)
    return (row + 16 * tile, column) if shape == "m32n8k16" else (row, column + 8 * tile)


def distinct_registers(operand: str, shape: str, type: str) -> int:
    """How many registers do not repeat others.

    An .f16 A or B always has 8 registers. Where its elements need fewer, the first ones, those of .bf16, are repeated.
    """
    return registers(operand, shape, "bf16" if type == "f16" and operand != "c" else type)


@cache
def wmma_fragment(*, operand: str, layout: str, shape: str, type: str, sm_75: bool = False) -> WmmaFragment:
    """The fragment of an operand; its layout in memory does not matter.

    `sm_75`: as on that target, where the s32 accumulator of m8n32k16 is not transposed.
    """
    distinct = distinct_registers(operand, shape, type)
    width = fields(type)
    return [
        [
            [_place(operand, shape, type, *divmod(lane, 4), width * (r % distinct) + j, sm_75) for j in range(width)]
            for r in range(registers(operand, shape, type))
        ]
        for lane in range(WARP_LANES)
    ]
