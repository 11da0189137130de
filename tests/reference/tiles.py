"""How warps cover a tile with one instruction, what that costs, and which layout is best."""

from collections.abc import Sequence

from .forms import WARP_LANES, Form, access_bytes, row_bytes, rows_per_matrix
from .layouts import PIECE_ELEMENTS, Layout, end_byte, is_spelled, lines_are_aligned, moved_bit, pieces_stay_whole
from .traffic import Counts, cp_async_traffic, ld_traffic, matrix_traffic, st_traffic

Unit = list[int]
Ranked = tuple[float, int, str, int, int, int, int]

MATRICES = ("ldmatrix", "stmatrix")


def width_of(mnemonic: str, form: Form) -> int:
    """Bytes at one address."""
    if mnemonic in MATRICES:
        return row_bytes(form["type"])
    return int(form["size"]) if mnemonic == "cp.async" else access_bytes(**form)


def _place_byte(layout: Layout, line: int, along: int) -> int:
    """Where a piece goes that begins with element `along` of a line (packed: with that byte)."""
    bits = 8 if layout.packed else layout.bits
    return moved_bit(layout, line * layout.pitch_bits + along * bits) // 8


def _matrix_units(layout: Layout, mnemonic: str, form: Form) -> list[Unit] | None:
    """One unit per block of matrices: m1 below m0, m2 to its right; blocks along the line first."""
    num, height = form["num"], rows_per_matrix(form["shape"])
    width = width_of(mnemonic, form)
    wide = width if layout.packed else width * 8 // layout.bits  # 16 packed elements are 16 bytes
    by_row = layout.order == "row"
    down, right = {1: (1, 1), 2: (2, 1), 4: (2, 2)}[num]
    block_rows = down * (height if by_row else wide)
    block_cols = right * (wide if by_row else height)
    if layout.rows % block_rows or layout.cols % block_cols:
        return None
    corners = [(row, col) for row in range(0, layout.rows, block_rows) for col in range(0, layout.cols, block_cols)]
    if not by_row:
        corners.sort(key=lambda corner: (corner[1], corner[0]))
    units = []
    for row, col in corners:
        rows = []
        for matrix in range(num):
            below, beside = matrix % 2, matrix // 2
            for line in range(height):
                if by_row:
                    place = (row + below * height + line, col + beside * wide)
                else:
                    place = (col + beside * height + line, row + below * wide)
                rows.append(_place_byte(layout, *place))
        units.append([rows[lane % len(rows)] for lane in range(WARP_LANES)])
    return units


def _piece_units(layout: Layout, mnemonic: str, form: Form) -> list[list[tuple[int, int]]] | None:
    """32 pieces each, as (shared address, place in the dense tile); the last is repeated."""
    width = width_of(mnemonic, form)
    run_bits = layout.along_bits(layout.run)
    if run_bits % (8 * width) or (layout.packed and layout.run % PIECE_ELEMENTS):
        return None
    if not layout.packed and width * 8 < layout.bits:
        return None
    per_line = run_bits // (8 * width)
    pieces = []
    for line in range(layout.lines):
        for piece in range(per_line):
            bit = line * layout.pitch_bits + piece * width * 8
            pieces.append((moved_bit(layout, bit) // 8, (line * per_line + piece) * width))
    pieces += [pieces[-1]] * (-len(pieces) % WARP_LANES)
    return [pieces[i : i + WARP_LANES] for i in range(0, len(pieces), WARP_LANES)]


def units_of(layout: Layout, mnemonic: str, form: Form) -> list[Unit] | None:
    """Lane addresses of every unit in order; None where the tile does not divide."""
    if mnemonic in MATRICES:
        return _matrix_units(layout, mnemonic, form)
    pieces = _piece_units(layout, mnemonic, form)
    return None if pieces is None else [[to for to, _ in unit] for unit in pieces]


def dealt(units: Sequence[Unit], warps: int) -> list[list[Unit]] | None:
    """[warp][step]: unit number step * warps + warp."""
    if len(units) % warps:
        return None
    steps = len(units) // warps
    return [[units[step * warps + warp] for step in range(steps)] for warp in range(warps)]


def counts_of(layout: Layout, mnemonic: str, form: Form) -> list[Counts] | None:
    """Counters of every unit in order."""
    if mnemonic == "cp.async":
        pieces = _piece_units(layout, mnemonic, form)
        if pieces is None:
            return None
        return [cp_async_traffic([to for to, _ in unit], [at for _, at in unit], **form) for unit in pieces]
    units = units_of(layout, mnemonic, form)
    if units is None:
        return None
    if mnemonic in MATRICES:
        matrix = {name: form[name] for name in ("shape", "num", "type")}
        return [matrix_traffic(unit, **matrix) for unit in units]
    count = ld_traffic if mnemonic == "ld" else st_traffic
    return [count(unit, **form) for unit in units]


def rejection(layout: Layout, widths: Sequence[int], max_bytes: int, shared_bytes: int) -> str | None:
    """The first reason why a candidate that divides is illegal."""
    if not is_spelled(layout):
        return "pad"
    if not all(lines_are_aligned(layout, width) for width in widths):
        return "pitch"
    if not all(pieces_stay_whole(layout, width) for width in widths):
        return "swizzle"
    nbytes = end_byte(layout)
    if nbytes > max_bytes:
        return "bytes"
    return "shared" if nbytes > shared_bytes else None


def ranking_key(cycles: float, nbytes: int, layout: Layout) -> tuple[object, ...]:
    """Fewer cycles, fewer bytes, then the simpler layout."""
    bits, base, shift = layout.swizzle
    return (*(cycles, nbytes, bits > 0, layout.pad, layout.order == "col"), *(bits, base, abs(shift), shift < 0))


def non_dominated(points: Sequence[tuple[float, int]]) -> list[int]:
    """Points that no other beats in one coordinate without losing in the other."""
    return [i for i, (x, y) in enumerate(points) if not any(a <= x and b <= y and (a < x or b < y) for a, b in points)]
