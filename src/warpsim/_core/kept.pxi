# needs: nothing
# New arrays for results; large ones in memory that earlier results have left.
cdef ws_kept _kept  # C's own: arrays may outlive this module

ws_kept_make(&_kept)


def _kept_after_fork():
    ws_kept_after_fork(&_kept)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_kept_after_fork)


cdef object _array(int rank, Py_ssize_t *shape, int type):
    """With anything in it; of a type of at most eight bytes."""
    cdef double bytes = 8
    cdef int i
    for i in range(rank):
        bytes *= <double> shape[i]
    if bytes < WS_KEPT_LEAST:
        return ws_array_new(rank, shape, type)
    cdef bint ours = ws_kept_begin(&_kept)
    try:
        return ws_array_new(rank, shape, type)
    finally:
        if ours:
            ws_kept_end()


def new_array(make, shape, dtype):
    """np.empty or np.zeros of a shape, in memory that earlier results have left where there is some."""
    cdef bint ours = ws_kept_begin(&_kept)
    try:
        return make(shape, dtype)
    finally:
        if ours:
            ws_kept_end()


def kept_bytes():
    """Bytes that no array has, kept for the next one."""
    return _kept.bytes


def free_kept():
    """Gives those back to the system."""
    ws_kept_trim(&_kept)
