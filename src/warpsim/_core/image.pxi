# needs: nothing
# The bytes of a memory, held for as long as C reads or writes them.

cdef class Image:
    """A run of bytes with a base address, at hand for C."""

    cdef readonly object _bytes
    cdef readonly object _base
    cdef object owner          # the array that has the storage, where an array has it
    cdef char *owner_data
    cdef size_t owner_bytes
    cdef ws_memory memory
    cdef bint shared

    @cython.critical_section
    def _hold(self, bytes_ not None, base not None, bint shared):
        """`bytes_`: uint8 (n,), kept as long as this lives, since calls without the GIL work on it."""
        if self._bytes is not None:
            raise TypeError(f"{type(self).__name__}: its storage was given before, and stays")
        if not ws_array_is_plain(bytes_, NPY_UINT8) or ws_array_rank(bytes_) != 1:
            raise TypeError("storage: expected bytes")
        self._bytes, self._base, self.shared = bytes_, base, shared
        self.owner = ws_array_owner(bytes_)
        self.owner_data, self.owner_bytes = ws_array_data(self.owner), ws_array_bytes(self.owner)
        self.memory = ws_memory_make(ws_array_data(bytes_), len(bytes_), base if shared else 0)

    cdef bint is_there(self):
        """The storage has not been resized since: ndarray.resize can do that to an array that others view."""
        return self.owner is not None and ws_array_data(self.owner) == self.owner_data \
            and ws_array_bytes(self.owner) >= self.owner_bytes

    def _held(self):
        """The bytes, if they are still there."""
        if not self.is_there():
            raise ValueError("memory: the array that it was made of has been resized since")
        return self._bytes
