"""A cluster that runs beside others on a thread of the caller."""

cdef enum:
    LAST_LOOKS = 4  # at a cluster where the steps are used up
    FIRST_LOOK = 1 << 9  # steps of a cluster that waits, before the others have their turns; twice as many each time
    LONG_LOOK = 1 << 10  # from here on its state is compared with what it was; later where it has more bytes,
    BYTES_OF_STEP = 1 << 6  # of which so many are compared while it does a step
    MOST_LOOK = 1 << 12  # steps, unless it only polls
    LOOK_OF_WARP = 64  # steps of each warp in a look, at least
    FIRST_SLICE = 1 << 13  # steps of a cluster whose warps poll, before it is looked at; twice as many each time it does not wait
    LONG_RUN = 1 << 20  # after these others have their turns, if it reads what they may change
    UNCHANGED = 1 << 27  # steps in which nothing has changed: whoever counts them waits for ever, too
    RESIDENT_BYTES = 1 << 30
    LARGE = 1 << 24  # bytes: to clear them takes longer than some milliseconds
    MOST_TURNS = 1 << 12  # between two looks for Ctrl-C
    DRAWING = 8  # clusters of a thread that take turns at a counter, or begin while one has paused; every AGAIN-th such turn is a second one in a row
    AGAIN = 5
    MOST_DRAWS = 1 << 11  # such turns; in the first of them those that wait are looked at, too
    LOOKED_DRAWS = 1 << 7
    LOOKS = 1 << 16  # of the clusters of a thread while others pause

cdef double SHORT = 0.005, LONG = 0.02, LAST = 1.0  # seconds between them: a turn may take some milliseconds; LAST: of LAST_LOOKS where time is up


@cython.final
cdef class _Resident:
    """A cluster, and those who see it."""
    cdef ws_cluster cluster
    cdef ws_poll *poll
    cdef _Bytes memory, polling, polled
    cdef _Observers observers
    cdef uint64_t ordinal, look, slice, waited, event, digest
    cdef uint32_t looks
    cdef bint is_endless

    def __cinit__(self, Launch launch):
        cdef ws_arena arena = ws_arena_make(NULL, 0)
        ws_cluster_make(&launch.c, &arena, &self.cluster)
        self.memory = _Bytes(arena.wanted)
        arena = self.memory.arena()
        ws_cluster_make(&launch.c, &arena, &self.cluster)
        self.cluster.has_others = True
        self.observers = _Observers()
        self.observers.look_at(launch, &self.cluster)
        self.poll = NULL

    cdef ws_poll *looked(self, Launch launch) except NULL:
        """What looks at it, made when it is first needed."""
        cdef ws_arena arena = ws_arena_make(NULL, 0)
        if self.poll == NULL:
            self.polling = _Bytes(sizeof(ws_poll))
            self.poll = <ws_poll *> self.polling.bytes
            ws_poll_make(&self.cluster, &arena, self.poll)
            self.polled = _Bytes(arena.wanted)
            arena = self.polled.arena()
            ws_poll_make(&self.cluster, &arena, self.poll)
        return self.poll

    def start(self, uint64_t number):
        """Begins with a cluster of the grid."""
        self.observers.begin(self.ordinal, number)
        with nogil:
            ws_cluster_start(&self.cluster, number)

    cdef size_t nbytes(self):
        """What it holds."""
        return self.memory.count + self.observers.nbytes()

    def looked_at(self, uint64_t event, uint64_t steps):
        """`same`, for a thread of its own."""
        with nogil:
            self.same(event, steps)

    cdef void same(self, uint64_t event, uint64_t steps) noexcept nogil:
        """It has only polled: has all been so before, since the latest event?"""
        if self.event != event:
            self.event = event
            self.looks = 0
            self.waited = 0
            self.is_endless = False
            self.look = FIRST_LOOK
        self.waited += steps
        cdef uint64_t long_look = min(max(self.memory.count // BYTES_OF_STEP, <size_t> LONG_LOOK), <size_t> SLICE)
        self.look = min(self.look * 2, long_look)
        if self.look < long_look or self.is_endless:
            return
        cdef uint64_t digest = ws_digest_cluster(&self.cluster)
        self.is_endless = self.looks != 0 and digest == self.digest or self.waited > UNCHANGED
        if self.looks & (self.looks - 1) == 0:
            self.digest = digest
        self.looks += 1


cdef _ended(Launch launch, _Resident one, bint ended, list waiting, bint never=False):
    """A cluster is done, or stopped; of several that stopped, the first in order counts, or what the others wait for."""
    cdef ws_block *block = ws_cluster_stopped(&one.cluster)
    ws_lock(&launch.tally)
    launch.done += one.cluster.count if ended else 0
    ws_unlock(&launch.tally)
    if block == NULL or one.ordinal > launch.picked.last or ((never or block.stop.kind == WS_RUN_STEPS) and launch.picked.last < launch.picked.end):
        return
    launch.picked.last = one.ordinal
    launch.stop = None
    if block.stop.kind != WS_STOP_FOUND:
        launch.stop = _stop(launch, one, waiting)


cdef _told(Launch launch, _Resident one):
    """What was seen of its clusters goes to the launch."""
    if launch.program.c.num_inexact:
        launch.inexact |= {launch.program.c.steps[i].statement for i in range(launch.program.c.num_steps) if one.cluster.blocks.inexact[i]}
    one.observers.add()
