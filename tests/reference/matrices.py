"""ldmatrix, stmatrix and movmatrix of one warp, all lanes active, addresses in order."""

from collections.abc import Sequence

from .forms import WARP_LANES, matrix_registers, row_bytes, rows_per_matrix
from .fragments import ldmatrix_fragment, movmatrix_fragment, stmatrix_fragment
from .memory import AddressSpace, Memory, found
from .packing import field_bits, pack_row, unpack_row

Registers = list[list[int]]


def ldmatrix(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    *,
    shape: str,
    num: int,
    trans: bool,
    type: str,
    space: str = "shared",
) -> Registers:
    """PTX "ldmatrix": registers [lane][register].

    Lane rows * m + k holds the address of row k of matrix m; every field of the fragment takes
    its element out of that row.
    """
    rows = rows_per_matrix(shape)
    elements = []
    for lane in range(rows * num):
        where, inside = found(memory, space, address[lane])
        elements.append(unpack_row(where.read(inside, row_bytes(type)), type))
    fragment = ldmatrix_fragment(shape=shape, num=num, trans=trans, type=type)
    registers: Registers = []
    for lane in range(WARP_LANES):
        registers.append([])
        for fields in fragment[lane]:
            value = 0
            for j, (matrix, row, column) in enumerate(fields):
                value |= elements[rows * matrix + row][column] << (j * field_bits(type))
            registers[lane].append(value)
    return registers


def stmatrix(
    memory: Memory | AddressSpace,
    address: Sequence[int],
    registers: Sequence[Sequence[int]],
    *,
    shape: str,
    num: int,
    trans: bool,
    type: str,
    space: str = "shared",
) -> None:
    """PTX "stmatrix": every field of the fragment goes to its place in its row.

    Rows that overlap are left open by PTX. H200 measurement ("who wins when lanes write the same
    bytes"): matrices in order, a later one overwrites; inside a matrix the lowest row wins.
    """
    width = field_bits(type)
    fragment = stmatrix_fragment(shape=shape, num=num, trans=trans, type=type)
    elements = [[0] * (128 // width) for _ in range(8 * num)]
    for lane in range(WARP_LANES):
        for register in range(matrix_registers(shape=shape, num=num)):
            for j, (matrix, row, column) in enumerate(fragment[lane][register]):
                value = registers[lane][register] >> (j * width) & ((1 << width) - 1)
                elements[8 * matrix + row][column] = value
    for matrix in range(num):
        for row in reversed(range(8)):
            where, inside = found(memory, space, address[8 * matrix + row])
            where.write(inside, pack_row(elements[8 * matrix + row], type))


def movmatrix(registers: Sequence[Sequence[int]]) -> Registers:
    """PTX "movmatrix": the transposed .m8n8 matrix, source and destination one register each."""
    source = ldmatrix_fragment(shape="m8n8", num=1, trans=False, type="b16")
    matrix = {}
    for lane in range(WARP_LANES):
        for j, element in enumerate(source[lane][0]):
            matrix[element] = registers[lane][0] >> (16 * j) & 0xFFFF
    return [
        [sum(matrix[element] << (16 * j) for j, element in enumerate(fields[0]))] for fields in movmatrix_fragment()
    ]
