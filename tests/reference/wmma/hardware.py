"""What an H200 does with wmma.load and wmma.store, defined or not, one warp, all lanes active.

Measured on code of CUDA 13.0 for sm_90a. Every lane forms the addresses of its own accesses from
its own address and stride; the accesses happen in order, and the first that cannot be done traps.
"""

from collections.abc import Callable, Sequence

from ..memory import Memory
from ..plain import lane_groups
from .forms import WmmaForm, element_bits
from .fragments import Place, distinct_registers, wmma_fragment
from .lowering import Access, lowering, stride_unit
from .matrices import Registers

SHARED_BYTES = 1 << 24
ROUND_UP = 128

MISALIGNED = "CUDA_ERROR_MISALIGNED_ADDRESS"
ILLEGAL_ADDRESS = "CUDA_ERROR_ILLEGAL_ADDRESS"
ILLEGAL_INSTRUCTION = "CUDA_ERROR_ILLEGAL_INSTRUCTION"


class TrapError(Exception):
    """The name of the CUDA error."""


def line_offset(line: int, stride: int, *, form: WmmaForm, space: str) -> int:
    """Bytes from the first line to another; `stride` is the 32-bit operand, taken as unsigned.

    Its low bits are dropped by `stride_unit`; for A and B of 16 bits, m16n16k16, not from .shared,
    only within each 8 lines.
    """
    bits, stride = element_bits(form["type"]), stride % (1 << 32)
    by_eight = form["operand"] != "c" and bits == 16 and form["shape"] == "m16n16k16"
    if by_eight and not space.startswith("shared"):
        return (line // 8 * 8 * stride + line % 8 * (stride - stride % 2)) * 2
    unit = stride_unit(**form, space=space)
    return line * ((stride - stride % unit) * bits // 8)


def access_addresses(
    access: Access, address: Sequence[int], stride: Sequence[int], *, form: WmmaForm, space: str
) -> list[int]:
    """The address of each lane of an access. Shared addresses wrap at 32 bits, others at 64."""
    bits = 32 if space.startswith("shared") else 64
    return [
        (
            address[lane]
            + line_offset(line, stride[lane], form=form, space=space)
            + position * element_bits(form["type"]) // 8
        )
        % (1 << bits)
        for lane, (line, position) in enumerate(access.places)
    ]


def shared_trap(addresses: Sequence[int], width: int, memory: Memory) -> str | None:
    """H200 measurement ("undefined behaviour and edges"): what one shared access does.

    An address of 2^24 or more is decided first, then an access beyond the end of the memory
    rounded up to 128 bytes, then alignment.
    """
    end = -(-(memory.base + len(memory.data)) // ROUND_UP) * ROUND_UP
    if any(address >= SHARED_BYTES for address in addresses):
        return ILLEGAL_INSTRUCTION
    if any(address + width > end for address in addresses):
        return ILLEGAL_ADDRESS
    return MISALIGNED if any(address % width for address in addresses) else None


def global_trap(addresses: Sequence[int], width: int, memory: Memory) -> str | None:
    """H200 measurement ("undefined behaviour and edges"): what one global access does.

    Which trap a misaligned address that does not exist takes was not measured.
    """
    if any(address % width for address in addresses):
        return MISALIGNED
    if not all(memory.holds(address, width) for address in addresses):
        return ILLEGAL_ADDRESS
    return None


def _issue(
    memory: Memory,
    address: Sequence[int],
    stride: Sequence[int],
    form: WmmaForm,
    space: str,
    do: Callable[[Access, list[int]], None],
) -> None:
    """The accesses one after the other, until one traps."""
    is_shared = space.startswith("shared")
    for access in lowering(**form, space=space).accesses:
        addresses = access_addresses(access, address, stride, form=form, space=space)
        trap = (shared_trap if is_shared else global_trap)(addresses, access.width, memory)
        if trap:
            raise TrapError(trap)
        do(access, addresses)


def _distinct(form: WmmaForm) -> list[tuple[Place, int, int, int]]:
    """Place in memory, lane, register and bit of every value that is not a repeated one."""
    width = element_bits(form["type"])
    count = distinct_registers(form["operand"], form["shape"], form["type"])
    return [
        (place if form["layout"] == "row" else (place[1], place[0]), lane, r, j * width)
        for lane, registers in enumerate(wmma_fragment(**form))
        for r in range(count)
        for j, place in enumerate(registers[r])
    ]


def hardware_load(
    memory: Memory, address: Sequence[int], stride: Sequence[int], *, form: WmmaForm, space: str
) -> Registers:
    """Registers of wmma.load, or TrapError. Bytes that are not in the memory read 0."""
    bits = element_bits(form["type"])
    elements: dict[Place, int] = {}

    def read(access: Access, addresses: list[int]) -> None:
        for (line, position), place in zip(access.places, addresses, strict=True):
            content = sum(
                memory.read(byte, 1)[0] << (8 * k)
                for k, byte in enumerate(range(place, place + access.width))
                if memory.holds(byte, 1)
            )
            for e in range(8 * access.width // bits):
                elements[line, position + e] = content >> (e * bits) & ((1 << bits) - 1)

    _issue(memory, address, stride, form, space, read)
    registers: Registers = []
    for lane in wmma_fragment(**form):
        places = [
            [place if form["layout"] == "row" else (place[1], place[0]) for place in register] for register in lane
        ]
        registers.append([sum(elements[p] << (j * bits) for j, p in enumerate(r)) for r in places])
    return registers


def hardware_store(
    memory: Memory, address: Sequence[int], stride: Sequence[int], registers: Registers, *, form: WmmaForm, space: str
) -> None:
    """wmma.store, or TrapError: a later access overwrites an earlier one, a later group of lanes an earlier one, and
    inside a group the lowest lane wins ("who wins when lanes write the same bytes")."""
    bits = element_bits(form["type"])
    elements = {place: registers[lane][r] >> bit & ((1 << bits) - 1) for place, lane, r, bit in _distinct(form)}

    def write(access: Access, addresses: list[int]) -> None:
        for group in lane_groups(access.width):
            for lane in reversed(group):
                line, position = access.places[lane]
                for e in range(8 * access.width // bits):
                    value = elements[line, position + e].to_bytes(bits // 8, "little")
                    for k, byte in enumerate(value, addresses[lane] + e * bits // 8):
                        if memory.holds(k, 1):
                            memory.write(k, bytes([byte]))

    _issue(memory, address, stride, form, space, write)
