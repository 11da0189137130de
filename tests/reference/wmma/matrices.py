"""wmma.load and wmma.store of one warp, all lanes active, element by element."""

from collections.abc import Sequence

from ..forms import WARP_LANES
from ..memory import AddressSpace, Memory, found
from .forms import default_stride, element_bits, registers
from .fragments import Place, wmma_fragment

Registers = list[list[int]]


def stride_of(stride: int | None, operand: str, layout: str, shape: str) -> int:
    """PTX "wmma.load": without the operand, the length of a line."""
    return default_stride(operand, layout, shape) if stride is None else stride


def element_address(address: int, stride: int, place: Place, *, layout: str, type: str) -> tuple[int, int]:
    """PTX "Matrix Storage for WMMA": lines of the matrix are `stride` elements apart.

    The byte in which an element begins, and the bit there, which is 0 except for types narrower
    than a byte: these are packed from the low bits up.
    """
    line, position = place if layout == "row" else (place[1], place[0])
    bits = (line * stride + position) * element_bits(type)
    return address + bits // 8, bits % 8


def wmma_load(
    memory: Memory | AddressSpace,
    address: int,
    *,
    operand: str,
    layout: str,
    shape: str,
    type: str,
    stride: int | None = None,
    space: str = "shared",
    sm_75: bool = False,
) -> Registers:
    """PTX "wmma.load": registers [lane][register]; every field takes its element."""
    width = element_bits(type)
    stride = stride_of(stride, operand, layout, shape)
    fragment = wmma_fragment(operand=operand, layout=layout, shape=shape, type=type, sm_75=sm_75)
    loaded: Registers = []
    for lane in fragment:
        loaded.append([])
        for elements in lane:
            value = 0
            for j, place in enumerate(elements):
                byte, bit = element_address(address, stride, place, layout=layout, type=type)
                where, inside = found(memory, space, byte)
                content = int.from_bytes(where.read(inside, max(1, width // 8)), "little")
                value |= (content >> bit & ((1 << width) - 1)) << (j * width)
            loaded[-1].append(value)
    return loaded


def wmma_store(
    memory: Memory | AddressSpace,
    address: int,
    stored: Sequence[Sequence[int]],
    *,
    layout: str,
    shape: str,
    type: str,
    stride: int | None = None,
    space: str = "shared",
    sm_75: bool = False,
) -> None:
    """PTX "wmma.store": every field goes to its element; D is held as the operand c.

    Lines do not overlap: no stride below the length of a line is defined.
    """
    width = element_bits(type)
    stride = stride_of(stride, "c", layout, shape)
    fragment = wmma_fragment(operand="c", layout=layout, shape=shape, type=type, sm_75=sm_75)
    for lane in range(WARP_LANES):
        for r in range(registers("c", shape, type)):
            for j, place in enumerate(fragment[lane][r]):
                value = stored[lane][r] >> (j * width) & ((1 << width) - 1)
                byte, _ = element_address(address, stride, place, layout=layout, type=type)
                where, inside = found(memory, space, byte)
                where.write(inside, value.to_bytes(width // 8, "little"))
