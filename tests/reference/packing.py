"""The elements of one row, as they lie in memory."""

from typing import NamedTuple

from .forms import B4, B6, S4


class _Packed(NamedTuple):
    """Elements of a row, bits of one in memory, bits of one in a register."""

    elements: int
    element: int
    field: int


#: .b16 fills half of a register, all other types a byte
_PACKED = {
    "b16": _Packed(8, 16, 16),
    "b8": _Packed(16, 8, 8),
    B6: _Packed(16, 6, 8),
    B4: _Packed(16, 4, 8),
    S4: _Packed(16, 4, 8),
}


def _packed(type: str) -> _Packed:
    if type not in _PACKED:
        raise ValueError(f"no elements of {type}: add it to tests/reference/packing.py")
    return _PACKED[type]


def element_bits(type: str) -> int:
    """Bits of an element in memory."""
    return _packed(type).element


def field_bits(type: str) -> int:
    """Bits of an element in a register."""
    return _packed(type).field


def unpack_row(row: bytes, type: str) -> list[int]:
    """All elements of a row, each as the register field that ldmatrix makes of it.

    PTX "Optional Decompression" and the source formats of "ldmatrix": 16 unsigned elements of w bits, element e in bits
    [w e, w e + w) of the row, then padding that is never read. The value is in the low bits of its byte, zeros above.
    H200 measurement: an element of .s8.s4 is signed and extends into its byte.
    """
    width = element_bits(type)
    row_bits = int.from_bytes(row, "little")
    elements = []
    for e in range(_packed(type).elements):
        value = 0
        for bit in range(width):
            value |= (row_bits >> (width * e + bit) & 1) << bit
        if type == S4 and value >= 8:
            value += 0xF0
        elements.append(value)
    return elements


def pack_row(elements: list[int], type: str) -> bytes:
    """The 16 bytes of a row that stmatrix writes; its types .b16 and .b8 leave no padding."""
    width = element_bits(type)
    row_bits = sum(value << (width * e) for e, value in enumerate(elements))
    return row_bits.to_bytes(16, "little")
