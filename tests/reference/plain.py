"""ld, st and cp.async of one warp: every lane moves its own bytes."""

from collections.abc import Sequence

from .forms import ALL_LANES, WARP_LANES, access_bytes, type_bytes
from .memory import AddressSpace, Memory, found

Registers = list[list[int]]


def executing_lanes(active: int, exited: int) -> list[int]:
    """The lanes whose predicate is true and that have not exited, in order."""
    return [lane for lane in range(WARP_LANES) if (active & ~exited) >> lane & 1]


def lane_groups(width: int) -> list[range]:
    """H200 measurement ("shared memory: wavefronts"): 32 lanes at once for up to 4 bytes a lane,
    16 for 8 bytes, 8 for 16 bytes."""
    lanes = WARP_LANES * 4 // max(width, 4)
    return [range(first, first + lanes) for first in range(0, WARP_LANES, lanes)]


def register_bits(type: str) -> int:
    """Registers are 32 bits wide, 64 for the 64-bit types."""
    return 64 if type_bytes(type) == 8 else 32


def ld(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    *,
    vec: int,
    type: str,
    space: str = "shared",
    active: int = ALL_LANES,
    exited: int = 0,
) -> Registers:
    """PTX "ld": consecutive elements into consecutive registers.

    "Operand Size Exceeding Instruction-Type Size": signed types sign-extend into a wider
    register, all others zero-extend. Lanes that do not execute show 0 here.
    """
    size = type_bytes(type)
    registers = [[0] * vec for _ in range(WARP_LANES)]
    for lane in executing_lanes(active, exited):
        where, inside = found(memory, space, address[lane])
        for i in range(vec):
            content = where.read(inside + i * size, size)
            value = int.from_bytes(content, "little", signed=type.startswith("s"))
            registers[lane][i] = value % (1 << register_bits(type))
    return registers


def st(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    registers: Sequence[Sequence[int]],
    *,
    vec: int,
    type: str,
    space: str = "shared",
    active: int = ALL_LANES,
    exited: int = 0,
) -> None:
    """PTX "st": the low bits of consecutive registers into consecutive elements.

    Lanes that write the same bytes are left open by PTX. H200 measurement ("who wins when lanes write the same bytes"):
    groups in order, a later one overwrites; inside a group the lowest lane wins.
    """
    size = type_bytes(type)
    executing = executing_lanes(active, exited)
    for group in lane_groups(access_bytes(vec=vec, type=type)):
        for lane in reversed(group):
            if lane in executing:
                where, inside = found(memory, space, address[lane])
                for i in range(vec):
                    value = registers[lane][i] % (1 << (8 * size))
                    where.write(inside + i * size, value.to_bytes(size, "little"))


def cp_async(
    shared: Memory,
    global_: Memory,
    address: Sequence[int],
    source: Sequence[int],
    *,
    size: int,
    cache: str,
    active: int = ALL_LANES,
    exited: int = 0,
) -> None:
    """PTX "cp.async": size bytes of a lane from global memory to shared memory.

    H200 measurement ("cp.async"): of lanes with equal destinations .ca leaves the data of the
    highest. PTX and the measurement leave .cg open; the contract takes the lowest.
    """
    lanes = executing_lanes(active, exited)
    for lane in lanes if cache == "ca" else reversed(lanes):
        shared.write(address[lane], global_.read(source[lane], size))
