"""Which clusters of a launch run, dealt to the threads of the caller."""


@cython.final
cdef class _Picked:
    """The clusters of ordinals [next, end), less those after `last`: one that stopped. Rule or array give their numbers."""
    cdef ws_picked c
    cdef uint64_t next, end, last
    cdef uint8_t lock
    cdef _View view

    def __init__(self, uint64_t begin, uint64_t end, tuple rule, object numbers, bint checks):
        if checks and end > WS_PICKED_MOST:
            raise ValueError(f"expected at most {WS_PICKED_MOST:,} clusters with checks, got {end:,}")
        self.next, self.end, self.last = begin, end, end
        self.c.first, self.c.step, self.c.rest, self.c.parts = rule
        self.c.numbers = NULL
        if numbers is not None:
            self.view = _View(numbers, False)
            if <uint64_t> self.view.view.len < end * 8:
                raise ValueError(f"expected {end:,} numbers of clusters, got {self.view.view.len // 8:,}")
            self.c.numbers = <const uint64_t *> self.view.view.buf

    cdef bint deal(self, uint64_t *ordinal) noexcept nogil:
        """Gives a thread the next one; false: none is left."""
        cdef bint is_left
        ws_lock(&self.lock)
        is_left = self.next < self.end and self.next <= self.last
        ordinal[0] = self.next
        self.next += is_left
        ws_unlock(&self.lock)
        return is_left
