# cython: language_level=3
"""What each padding of a row-major tile costs: wavefronts of all accesses that cover it."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

from warpsim cimport (
    WS_OK, WS_SIMD_AUTO, ws_counts, ws_error, ws_layout, ws_layout_make, ws_op, ws_parse, ws_tile_count, ws_tile_cover, ws_tiling,
)


cdef uint64_t wavefronts(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, ws_counts *counts) noexcept nogil:
    cdef uint64_t total = 0
    cdef int64_t i
    ws_tile_count(layout, op, tiling, WS_SIMD_AUTO, counts)
    for i in range(tiling.units):
        total += counts[i].wavefronts
    return total


def pad_costs(str ptx, int rows, int cols, int element_bits, pads):
    """{padding in elements: wavefronts}, for one warp."""
    cdef ws_error error
    cdef ws_op op
    cdef ws_tiling tiling
    cdef ws_layout layout = ws_layout_make(rows, cols, element_bits)
    if rows < 1 or cols < 1 or element_bits not in (8, 16, 32, 64):
        raise ValueError("rows, cols, element_bits: expected a size, a size, and 8, 16, 32 or 64")
    if ws_parse(ptx.encode(), &op, &error) != WS_OK or ws_tile_cover(&layout, &op, 1, &tiling, &error) != WS_OK:
        raise ValueError(error.message.decode())
    cdef ws_counts *counts = <ws_counts *> malloc(<size_t> tiling.units * sizeof(ws_counts))
    if counts == NULL:
        raise MemoryError
    found = {}
    try:
        for pad in pads:
            layout.pad = pad
            found[pad] = wavefronts(&layout, &op, &tiling, counts)
    finally:
        free(counts)
    return found
