"""The forms of wmma.load and wmma.store, and the sizes that follow from their qualifiers.

PTX "Warp-level matrix instructions using wmma": D = A * B + C, where A is M x K, B is K x N, and
C and D are M x N. A form is the dict of operand, layout, shape and type, without the state space,
which never changes what is moved. wmma.store.d moves operand "c": D is held as C is.
"""

import re
from functools import cache

WmmaForm = dict[str, str]

SHAPES_K16 = ("m16n16k16", "m8n32k16", "m32n8k16")
SHAPES = (*SHAPES_K16, "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128")
LAYOUTS = ("row", "col")

_ELEMENT_BITS = {
    **{"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64},
    **{"s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1},
}

# PTX "Matrix Fragments for WMMA": the types of A and B, and of C and D, by shape.
_MULTIPLICANDS = {
    **dict.fromkeys(SHAPES_K16, ("f16", "bf16", "s8", "u8")),
    **{"m16n16k8": ("tf32",), "m8n8k4": ("f64",), "m8n8k32": ("s4", "u4"), "m8n8k128": ("b1",)},
}
_ACCUMULATORS = {
    **dict.fromkeys(SHAPES_K16, ("f16", "f32", "s32")),
    **{"m16n16k8": ("f32",), "m8n8k4": ("f64",), "m8n8k32": ("s32",), "m8n8k128": ("s32",)},
}
_ONLY_NATURAL = ("s4", "u4", "b1")  # A must be .row and B .col

# PTX "Matrix Fragments for WMMA": registers a lane of C and D, then of A and B, whose number
# depends on the shape where A and B are not square.
_ACCUMULATOR_REGISTERS = {
    **{("f16", shape): 4 for shape in SHAPES_K16},
    **{("f32", shape): 8 for shape in (*SHAPES_K16, "m16n16k8")},
    **{("s32", shape): 8 for shape in SHAPES_K16},
    **{("s32", "m8n8k32"): 2, ("s32", "m8n8k128"): 2, ("f64", "m8n8k4"): 2},
}
_K16_REGISTERS = {  # of an operand with 8, 16, 32 rows (A) or columns (B)
    **{"f16": {8: 8, 16: 8, 32: 8}, "bf16": {8: 2, 16: 4, 32: 8}},
    **{"s8": {8: 1, 16: 2, 32: 4}, "u8": {8: 1, 16: 2, 32: 4}},
}


def _legal(operand: str, layout: str, shape: str, type: str) -> bool:
    if operand == "c":
        return type in _ACCUMULATORS[shape]
    if type not in _MULTIPLICANDS[shape]:
        return False
    return type not in _ONLY_NATURAL or layout == ("row" if operand == "a" else "col")


@cache
def wmma_forms(operands: tuple[str, ...] = ("a", "b", "c")) -> list[WmmaForm]:
    """All forms of the given operands."""
    return [
        {"operand": operand, "layout": layout, "shape": shape, "type": type}
        for operand in operands
        for layout in LAYOUTS
        for shape in SHAPES
        for type in _ELEMENT_BITS
        if _legal(operand, layout, shape, type)
    ]


def exists(operand: str, layout: str, shape: str, type: str) -> bool:
    """Whether the combination of qualifiers is legal anywhere."""
    form = {"operand": operand, "layout": layout, "shape": shape, "type": type}
    return form in wmma_forms()


def element_bits(type: str) -> int:
    """Bits of an element, in memory as in a register."""
    return _ELEMENT_BITS[type]


def register_bits(type: str) -> int:
    """Registers are 32 bits wide, those of .f64 64."""
    return 64 if type == "f64" else 32


def dimensions(operand: str, shape: str) -> tuple[int, int]:
    """Rows and columns of the matrix of an operand."""
    match = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", shape)
    assert match
    m, n, k = map(int, match.groups())
    return {"a": (m, k), "b": (k, n), "c": (m, n)}[operand]


def lines(operand: str, layout: str, shape: str) -> tuple[int, int]:
    """How many runs of memory the stride separates, and the elements of one.

    PTX "Matrix Storage for WMMA": the rows of a .row matrix, the columns of a .col one.
    """
    rows, columns = dimensions(operand, shape)
    return (rows, columns) if layout == "row" else (columns, rows)


def default_stride(operand: str, layout: str, shape: str) -> int:
    """PTX "Matrix Storage for WMMA": the length of a row, or of a column, in elements."""
    return lines(operand, layout, shape)[1]


def registers(operand: str, shape: str, type: str) -> int:
    """Registers a lane."""
    if operand == "c":
        return _ACCUMULATOR_REGISTERS[type, shape]
    if type == "tf32":
        return 4
    if shape not in SHAPES_K16:
        return 1
    rows, columns = dimensions(operand, shape)
    return _K16_REGISTERS[type][rows if operand == "a" else columns]


def fields(type: str) -> int:
    """Elements in a register."""
    return register_bits(type) // element_bits(type)


def fragment_bytes(operand: str, shape: str, type: str) -> int:
    """F of PTX "Matrix Storage for WMMA": what a lane holds of the matrix, in bytes.

    The start of every line must be a multiple of it.
    """
    return registers(operand, shape, type) * register_bits(type) // 8
