# cython: language_level=3, boundscheck=False, wraparound=False
"""Bank conflicts of many warps, one by one, counted by warpsim's C core without the GIL."""

from libc.stdint cimport uint32_t, uint64_t

from warpsim cimport WS_OK, ws_access, ws_access_make, ws_count, ws_counts, ws_error, ws_op, ws_parse, ws_status


def bank_conflicts(str ptx, const uint32_t[:, ::1] addresses, uint64_t[::1] out):
    """Writes the bank conflicts of each warp of `addresses` (n, 32) to `out` (n,); gives their sum."""
    cdef ws_error error
    cdef ws_op op
    cdef ws_access access
    cdef ws_counts counts
    cdef ws_status status
    cdef uint64_t total = 0
    cdef Py_ssize_t warp, warps = addresses.shape[0]
    if addresses.shape[1] != 32 or out.shape[0] != warps:
        raise ValueError("addresses, out: expected shapes (n, 32) and (n,)")
    status = ws_parse(ptx.encode(), &op, &error)
    with nogil:
        for warp in range(warps):
            if status != WS_OK:
                break
            access = ws_access_make(&addresses[warp, 0], 1)
            status = ws_count(&op, &access, &counts, &error)
            out[warp] = counts.bank_conflicts
            total += counts.bank_conflicts
    if status != WS_OK:
        raise ValueError(error.message.decode())
    return total
