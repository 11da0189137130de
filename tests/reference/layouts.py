"""How a matrix lies in memory, and whether accesses of some width survive its swizzle."""

from dataclasses import dataclass

PIECE_ELEMENTS = 16
PIECE_BITS = 128


@dataclass(frozen=True)
class Layout:
    """A rows x cols matrix of elements of `bits` bits; swizzle is (B, M, S)."""

    rows: int
    cols: int
    bits: int
    packed: bool = False
    order: str = "row"
    pad: int = 0
    swizzle: tuple[int, int, int] = (0, 0, 0)
    in_bytes: bool = False

    @property
    def run(self) -> int:
        """Elements along the contiguous axis."""
        return self.cols if self.order == "row" else self.rows

    @property
    def lines(self) -> int:
        """Rows (order "col": columns), one after the other."""
        return self.rows if self.order == "row" else self.cols

    @property
    def pitch_bits(self) -> int:
        """From one line to the next."""
        return self.along_bits(self.run + self.pad)

    @property
    def unit_bits(self) -> int:
        """What the swizzle counts."""
        return 8 if self.in_bytes or self.packed else self.bits

    @property
    def image_bytes(self) -> int:
        """All lines with their padding, before the swizzle."""
        return self.lines * self.pitch_bits // 8

    def along_bits(self, elements: int) -> int:
        """Bits from the begin of a line. PTX, "Optional Decompression": 16 narrow elements lie in
        16 bytes, packed from the first bit on, then padding."""
        if not self.packed:
            return elements * self.bits
        pieces, rest = divmod(elements, PIECE_ELEMENTS)
        return pieces * PIECE_BITS + rest * self.bits


def swizzled(place: int, swizzle: tuple[int, int, int]) -> int:
    """CuTe, swizzle.hpp, Swizzle<BBits, MBase, SShift>: the B bits from M + max(S, 0) on are XORed
    onto those from M - min(S, 0) on."""
    bits, base, shift = swizzle
    result = place
    for i in range(bits):
        source = base + max(shift, 0) + i
        target = base - min(shift, 0) + i
        result ^= (place >> source & 1) << target
    return result


def moved_bit(layout: Layout, bit: int) -> int:
    """Where a bit of the image goes."""
    unit, rest = divmod(bit, layout.unit_bits)
    return swizzled(unit, layout.swizzle) * layout.unit_bits + rest


def element_byte(layout: Layout, row: int, col: int) -> int:
    """The byte in which an element begins."""
    line, along = (row, col) if layout.order == "row" else (col, row)
    return moved_bit(layout, line * layout.pitch_bits + layout.along_bits(along)) // 8


def end_byte(layout: Layout) -> int:
    """One past the last byte to which the image goes."""
    units = layout.image_bytes * 8 // layout.unit_bits
    last = max(swizzled(unit, layout.swizzle) for unit in range(units))
    return -(-(last + 1) * layout.unit_bits // 8)


def is_spelled(layout: Layout) -> bool:
    """A line with its padding is a whole number of bytes, or of packed pieces."""
    padded = layout.run + layout.pad
    return padded % PIECE_ELEMENTS == 0 if layout.packed else padded * layout.bits % 8 == 0


def lines_are_aligned(layout: Layout, width: int) -> bool:
    """Every line begins at a multiple of `width` bytes, before the swizzle."""
    return all(line * layout.pitch_bits % (8 * width) == 0 for line in range(layout.lines))


def pieces_stay_whole(layout: Layout, width: int) -> bool:
    """Every piece of `width` bytes of the image stays in one piece, in order and aligned."""
    units = width * 8 // layout.unit_bits
    for byte in range(0, layout.image_bytes, width):
        first = byte * 8 // layout.unit_bits
        places = [swizzled(unit, layout.swizzle) for unit in range(first, first + units)]
        if places[0] % units or places != list(range(places[0], places[0] + units)):
            return False
    return True
