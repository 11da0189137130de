"""The memory of modules, programs and launches."""
from libc.stdlib cimport calloc, free, malloc

import mmap as _mmap
import os as _os

#: generic addresses, from and below, that are not of global memory
WINDOWS = (
    (WS_FIRST_PARAMETER, WS_FIRST_GLOBAL),
    (WS_LOCAL_WINDOW, WS_LOCAL_WINDOW + WS_LOCAL_WINDOW_BYTES),
    (WS_SHARED_WINDOW, WS_SHARED_WINDOW + WS_CLUSTER_WINDOW_BYTES),
)

cdef enum:
    LEAST_PAGES = 1 << 20  # bytes that are worth pages of their own


cdef extern from *:
    """
    #if defined(__unix__) || defined(__APPLE__)
    #include <sys/mman.h>
    #endif
    #ifndef MAP_NORESERVE
    #define MAP_NORESERVE 0
    #endif
    """
    const int MAP_NORESERVE  # what is never touched counts for nothing, in a fork neither


cdef class _Bytes:
    """Memory that lives as long as this does: zeros, unless who takes it begins it.

    Room of which most stays untouched is `sparse`: the system gives its pages once they are touched. calloc would touch
    all of it, where it finds room in the heap again.
    """
    cdef void *bytes
    cdef size_t count
    cdef Py_buffer pages

    def __cinit__(self, size_t count, bint zeros=True, bint sparse=False):
        self.count = count
        if sparse and count >= LEAST_PAGES and _os.name == "posix":
            try:
                flags = _mmap.MAP_PRIVATE | _mmap.MAP_ANONYMOUS | MAP_NORESERVE
                PyObject_GetBuffer(_mmap.mmap(-1, count + 64, flags), &self.pages, PyBUF_WRITABLE)
            except (OSError, OverflowError) as error:
                raise _too_much(count) from error
            self.bytes = self.pages.buf
        else:
            self.bytes = calloc(count + 64, 1) if zeros else malloc(count + 64)
        if self.bytes == NULL:
            raise _too_much(count)

    cdef ws_arena arena(self) noexcept:
        cdef size_t start = (<size_t> self.bytes + 63) // 64 * 64
        return ws_arena_make(<void *> start, self.count)

    def __dealloc__(self):
        if self.pages.buf != NULL:
            PyBuffer_Release(&self.pages)
        else:
            free(self.bytes)


cdef object _too_much(size_t count):
    return errors.OutOfMemoryError(f"out of memory: {count:,} bytes needed")
