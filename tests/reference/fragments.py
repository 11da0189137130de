"""Which matrix element each field of each register holds.

A fragment is a nested list [lane][register][field] of (matrix, row, column), fields from the low
bits up. Row is the row in memory, that is, which row address; column the place in that row.
In every drawing of PTX, four consecutive lanes share a row of the fragment: lane = 4 g + t.
"""

from .forms import WARP_LANES

Element = tuple[int, int, int]
Fragment = list[list[list[Element]]]


def _unknown(shape: str) -> ValueError:
    return ValueError(f"no fragment of {shape}: add it to tests/reference/fragments.py")


def ldmatrix_fragment(*, shape: str, num: int, trans: bool, type: str) -> Fragment:
    """PTX "ldmatrix", the figures "ldmatrix fragment layout for one ... matrix".

    .m8n8: a lane holds two consecutive columns of row g, with .trans of column g. .m8n16: a lane holds four consecutive
    columns of row g. .m16n16 (always .trans): four consecutive columns of two rows, g and g + 8, of the transposed
    matrix. Matrix 0 comes first in the registers, then matrix 1, and so on.
    """
    fragment: Fragment = []
    for lane in range(WARP_LANES):
        g, t = lane // 4, lane % 4
        registers: list[list[Element]] = []
        for m in range(num):
            if shape == "m8n8" and not trans:
                registers.append([(m, g, 2 * t), (m, g, 2 * t + 1)])
            elif shape == "m8n8":
                registers.append([(m, 2 * t, g), (m, 2 * t + 1, g)])
            elif shape == "m8n16":
                registers.append([(m, g, 4 * t + j) for j in range(4)])
            elif shape == "m16n16":
                registers.append([(m, 4 * t + j, g) for j in range(4)])
                registers.append([(m, 4 * t + j, g + 8) for j in range(4)])
            else:
                raise _unknown(shape)
        fragment.append(registers)
    return fragment


def stmatrix_fragment(*, shape: str, num: int, trans: bool, type: str) -> Fragment:
    """PTX "stmatrix": .m8n8 as ldmatrix; .m16n8 as the accumulator of mma .m16n8.

    The figure of .m16n8: bytes 0 and 1 of a lane are row g, columns 2t and 2t + 1 of the matrix,
    bytes 2 and 3 the same of row g + 8. It is stored column by column: 16 bytes an address.
    """
    if shape == "m8n8":
        return ldmatrix_fragment(shape=shape, num=num, trans=trans, type=type)
    if shape != "m16n8":
        raise _unknown(shape)
    fragment: Fragment = []
    for lane in range(WARP_LANES):
        g, t = lane // 4, lane % 4
        fragment.append(
            [[(m, 2 * t, g), (m, 2 * t + 1, g), (m, 2 * t, g + 8), (m, 2 * t + 1, g + 8)]
             for m in range(num)]
        )  # fmt: skip
    return fragment


def movmatrix_fragment() -> Fragment:
    """PTX "movmatrix": the source is an .m8n8 fragment, the destination that of its transpose.

    Coordinates are those of the source matrix.
    """
    return ldmatrix_fragment(shape="m8n8", num=1, trans=True, type="b16")
