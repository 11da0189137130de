"""Who watches blocks while they run: counters and checks, for each thread of a launch."""


@cython.final
cdef class _Shadows:
    """Cells of the global memory of a launch, and what orders its blocks: for all threads."""
    cdef _Bytes rows, journal, others
    cdef list cells
    cdef ws_arrays c
    cdef ws_crowd crowd
    cdef uint8_t lock
    cdef readonly list skipped  # owners of regions that are too large, or for whose cells there is no memory

    def __init__(self, Launch launch, list unwritten, bint alone):
        cdef ws_region *region
        cdef ws_array_shadow *shadow
        cdef uint32_t count = launch.c.memory.count
        cdef _Bytes memory
        self.rows = _Bytes(count * sizeof(ws_array_shadow))
        self.journal = _Bytes(sizeof(ws_journal), zeros=False)
        ws_journal_begin(<ws_journal *> self.journal.bytes)
        self.cells = []
        self.skipped = []
        self.c.shadows = <ws_array_shadow *> self.rows.bytes
        self.c.shift = ws_check_shift(&launch.c, WS_AT_GLOBAL)
        self.c.lock = NULL if alone else &self.lock
        self.others = _Bytes(<size_t> WS_CROWD_MOST * sizeof(ws_crowd_row), sparse=True)
        self.crowd = ws_crowd_make(<ws_crowd_row *> self.others.bytes, WS_CROWD_MOST, WS_CROWD_LIST)
        self.c.crowd = &self.crowd
        for i in range(count):
            region = <ws_region *> launch.regions.bytes + <size_t> i
            shadow = self.c.shadows + <size_t> i
            shadow.is_unwritten = unwritten[i]
            if region.is_read_only:
                continue
            if region.nbytes > MOST_JUDGED:
                self.skipped.append(region.owner)
                continue
            try:
                memory = _Bytes(ws_array_shadow_bytes(region.nbytes, self.c.shift))
            except errors.OutOfMemoryError:
                self.skipped.append(region.owner)
                continue
            self.cells.append(memory)
            ws_array_shadow_make(shadow, region, <ws_array_cell *> memory.bytes)

    cdef uint64_t take_overlooked(self):
        """Accesses to global memory that were not compared with all that came to their place before, since it was asked."""
        cdef uint64_t count
        if self.c.lock != NULL:
            ws_lock(self.c.lock)
        count = self.crowd.overlooked
        self.crowd.overlooked = 0
        if self.c.lock != NULL:
            ws_unlock(self.c.lock)
        return count


@cython.final
cdef class _Observers:
    """Those of one thread, who see its blocks."""
    cdef Launch launch
    cdef _Bytes watch, watched, check, checked

    cdef void look_at(self, Launch launch, ws_cluster *cluster):
        """From here on they see its blocks."""
        cdef ws_arena arena = ws_arena_make(NULL, 0)
        cdef ws_journal *journal
        self.launch = launch
        if launch.counted is not None:
            self.watch = _Bytes(sizeof(ws_watch))
            ws_watch_make(&launch.c, &arena, <ws_watch *> self.watch.bytes)
            self.watched = _Bytes(arena.wanted)
            arena = self.watched.arena()
            ws_watch_make(&launch.c, &arena, <ws_watch *> self.watch.bytes)
            if launch.made is not None:
                ws_watch_as_made(<ws_watch *> self.watch.bytes, <const uint8_t *> <const char *> launch.made)
            ws_cluster_observe(cluster, &(<ws_watch *> self.watch.bytes).observer)
        if launch.shadows is not None:
            arena = ws_arena_make(NULL, 0)
            journal = <ws_journal *> launch.shadows.journal.bytes
            self.check = _Bytes(sizeof(ws_check))
            ws_check_make(&launch.c, &launch.program.module.c, &launch.shadows.c, journal, &arena, <ws_check *> self.check.bytes)
            self.checked = _Bytes(arena.wanted)
            arena = self.checked.arena()
            if ws_check_make(&launch.c, &launch.program.module.c, &launch.shadows.c, journal, &arena, <ws_check *> self.check.bytes):
                (<ws_check *> self.check.bytes).judge.found.stops_at = launch.stops_at
                ws_cluster_observe(cluster, &(<ws_check *> self.check.bytes).observer)
            else:
                self.check = None

    cdef size_t nbytes(self):
        """What they hold."""
        return (self.watched.count if self.watched is not None else 0) + (self.checked.count if self.checked is not None else 0)

    cdef void begin(self, uint64_t ordinal, uint64_t number) noexcept:
        """Before a cluster starts; ordinals are below WS_PICKED_MOST where there is a check."""
        if self.watch is not None:
            (<ws_watch *> self.watch.bytes).samples.block = number
        cdef ws_check *check
        if self.check is not None:
            check = <ws_check *> self.check.bytes
            with nogil:
                ws_check_start(check, <uint32_t> ordinal)

    cdef void waits(self) noexcept:
        """The cluster waits for others."""
        if self.check is not None:
            ws_pause_waits(&(<ws_check *> self.check.bytes).pause)

    cdef void add(self):
        """What they saw goes to the launch."""
        cdef ws_watch *watch
        cdef ws_found_table *found
        cdef _Bytes rows
        cdef size_t count
        if self.watch is not None:
            watch = <ws_watch *> self.watch.bytes
            ws_watch_end(watch)
            ws_lock(&self.launch.tally)
            for i in range(self.launch.program.c.num_steps):
                ws_line_add(<ws_line *> self.launch.counted.bytes + <size_t> i, &watch.lines[i])
            ws_touched_add(<uint64_t *> self.launch.sectors.bytes, &watch.touched)
            ws_unlock(&self.launch.tally)
            if self.launch.sampled is None:
                self.launch.sampled = (<const char *> watch.samples.rows)[:watch.samples.count * sizeof(ws_sample)]
            else:
                merged = bytearray(self.launch.sampled)
                for i in range(watch.samples.count):
                    ws_sample_add(<ws_sample *> <char *> merged + <size_t> i, &watch.samples.rows[i])
                self.launch.sampled = bytes(merged)
        if self.check is not None:
            found = &(<ws_check *> self.check.bytes).judge.found
            if self.launch.stop is not None:
                ws_idle_end(&(<ws_check *> self.check.bytes).judge.idle)
            rows = _Bytes(WS_FOUND_CAPACITY * sizeof(ws_found))
            count = ws_told_take(found, &self.launch.program.c, <ws_found *> rows.bytes)
            self.launch.found += (<const char *> rows.bytes)[:count * sizeof(ws_found)]
            self.launch.lost += found.lost
            self.launch.crowded |= (<ws_check *> self.check.bytes).judge.clock.is_crowded
            self.launch.overlooked += (<ws_check *> self.check.bytes).shared.crowd.overlooked
            self.launch.overlooked += self.launch.shadows.take_overlooked()
            self.launch.reaches |= ws_found_table_reaches(found)


MOST_OBJECTS, MOST_WAITS = WS_CHECK_OBJECTS, WS_CLOCK_OBJECTS  # mbarrier objects of a block; flags and phases, and one


def most_steps(uint32_t blocks):
    """A kernel of fewer steps can be checked, in clusters of so many blocks."""
    return ws_check_most_steps(blocks)


cdef bytes _leaks(Launch launch):
    """What malloc gave and nobody freed, as rows of Launch.found."""
    cdef uint32_t most = launch.output.piece_count
    cdef _Bytes rows = _Bytes(most * sizeof(ws_found))
    cdef size_t count = ws_told_leaks(&launch.output, &launch.program.c, <ws_found *> rows.bytes, most)
    return (<const char *> rows.bytes)[:count * sizeof(ws_found)]
