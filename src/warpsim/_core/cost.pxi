# needs: LayoutCore, Op, _error_of, _wrong_argument (core.pyx), _simd (simd.pxi), TARGETS, _words (tables.pxi)
# The door to the cost model: the constants of an SM, and what instructions, programs and main loops cost there.

CONSTANTS = tuple(
    (ws_profile_constant_at(i).name.decode(), ws_profile_constant_at(i).unit.decode(), ws_profile_constant_at(i).meaning.decode())
    for i in range(WS_CONSTANT_COUNT)
)
BASES = tuple(_words(ws_basis_word, WS_BASIS_COUNT, 0))
MANY_WARPS, COPY_WAVEFRONTS = WS_MANY_WARPS, WS_COPY_WAVEFRONTS
BOUNDS = tuple(_words(ws_bound_word, WS_BOUND_COUNT, 0))
PROGRAM_PARTS = tuple(_words(ws_program_part_word, WS_PROGRAM_PART_COUNT, 0))
MAINLOOP_LIMITS = WS_MAINLOOP_MOST, WS_PIPELINE_WARPS, WS_PIPELINE_GROUPS - 1  # elements, warps, stages
cdef bytes _user_source = b"the user's"


@cython.final
cdef class Profile:
    """The constants of one target's SM; time/architecture.py checks what comes in."""

    cdef ws_profile c

    def __cinit__(self, int target):
        self.c = ws_profile_of(target)

    @property
    def target(self):
        return TARGETS[self.c.target]

    @property
    def target_row(self):
        return self.c.target

    def constant(self, int index):
        """(value, basis, source, relative error or None)."""
        found = &self.c.constant[index]
        return found.value, BASES[found.basis], found.source.decode(), found.error if found.error >= 0 else None

    def put(self, int index, double value):
        """The user's value of a constant."""
        found = &self.c.constant[index]
        found.value, found.basis, found.error, found.source = value, WS_BASIS_USER, -1, <const char *> _user_source


cdef dict _parts(const double *part, int bound_count):
    return {BOUNDS[i]: part[i] for i in range(bound_count) if part[i] != 0}


cdef tuple _evidence(int law, Profile profile):
    """(relative error or None, where it comes from)."""
    error = ws_law_error(law, &profile.c)
    return (error, ws_law_at(law).source.decode()) if error >= 0 else (None, "")


cdef ws_asked _asked_of(const double *row) noexcept:
    cdef ws_asked asked
    asked.shared, asked.tags, asked.banks, asked.slower = row[0], row[1], row[2], row[3]
    asked.lines, asked.usual = <int> row[4], row[5] != 0
    return asked


def cost(Op op not None, const long long[::1] counters, const double[::1] passes, Profile profile not None, int warps):
    """(latency, interval, bound, parts, evidence of the latency, evidence of the interval) of one warp's issue.

    passes: a row of Issue.passes; evidence: (error or None, where that comes from).
    """
    cdef ws_counts counts
    memcpy(&counts, &counters[0], sizeof(counts))
    cdef ws_asked asked = _asked_of(&passes[0])
    cdef ws_cost found = ws_cost_of_demand(ws_demand_at(&op.c, &counts, &asked, &profile.c), &profile.c, warps)
    parts = _parts(found.part, WS_BOUND_COUNT)
    latency = _evidence(ws_law_of(&op.c, &asked, warps, WS_LATENCY), profile)
    interval = _evidence(ws_law_of(&op.c, &asked, warps, WS_INTERVAL), profile)
    return found.latency, found.interval, BOUNDS[found.bound], parts, latency, interval


def program_cost(list ops not None, const long long[:, :, ::1] counters, const double[:, :, ::1] passes,
                 Profile profile not None):
    """(cycles, wavefronts, bound, parts, error or None, where that comes from); counters and passes (warps, steps, 6)."""
    cdef ws_program program = ws_program_begin(&profile.c)
    cdef ws_counts counts
    cdef ws_asked asked
    cdef ws_demand demand
    cdef bint timed = True
    cdef Py_ssize_t warp, step
    for warp in range(counters.shape[0]):
        ws_program_warp(&program)
        PyErr_CheckSignals()
        for step in range(counters.shape[1]):
            memcpy(&counts, &counters[warp, step, 0], sizeof(counts))
            asked = _asked_of(&passes[warp, step, 0])
            timed = timed and ws_program_was_timed(&(<Op> ops[step]).c, &asked)
            demand = ws_demand_at(&(<Op> ops[step]).c, &counts, &asked, &profile.c)
            ws_program_add(&program, &demand)
    cdef ws_program_cost found = ws_program_end(&program)
    parts = {PROGRAM_PARTS[i]: found.part[i] for i in range(WS_PROGRAM_PART_COUNT)}
    error, source = _evidence(WS_LAW_PROGRAM if timed else -1, profile)
    return found.cycles, found.wavefronts, BOUNDS[found.bound], parts, error, source


SCHEDULE_NOTHING = WS_SCHEDULE_NOTHING
SCHEDULE_KINDS = {
    "convert": WS_SCHEDULE_CONVERT, "load": WS_SCHEDULE_LOAD, "mma": WS_SCHEDULE_MMA, "copy": WS_SCHEDULE_COPY,
    "wait": WS_SCHEDULE_WAIT, "barrier": WS_SCHEDULE_BARRIER, "reload": WS_SCHEDULE_RELOAD,
    "branch": WS_SCHEDULE_BRANCH, "constant": WS_SCHEDULE_CONSTANT, "other": WS_SCHEDULE_OTHER,
}


def mainloop_cost(tuple tile not None, tuple warps not None, long long stages, bint trans_b, LayoutCore a not None,
                  LayoutCore b not None, Profile profile not None, bint narrow_sums, bint unpacked,
                  const uint8_t[:, ::1] rows, long long registers):
    """A dict of what ws_mainloop_cost has, with the error and where it comes from. `rows`: machine code, or None."""
    cdef ws_mainloop loop
    cdef ws_assembled assembled
    cdef ws_mainloop_cost found
    cdef ws_error error
    cdef int status
    cdef ws_mainloop_storage *storage = <ws_mainloop_storage *> malloc(sizeof(ws_mainloop_storage))
    if storage == NULL:
        raise MemoryError("no memory for a main loop")
    try:
        loop.m, loop.n, loop.k = tile
        loop.warps_m, loop.warps_n = warps
        loop.stages, loop.trans_b, loop.a, loop.b, loop.simd = stages, trans_b, a.c, b.c, _simd
        loop.narrow_sums, loop.unpacked = narrow_sums, unpacked
        loop.assembled = NULL
        if rows is not None:
            if rows.shape[0] == 0 or rows.shape[1] != 5:
                raise ValueError("rows: expected at least one of 5 numbers each")
            assembled.instruction = <const uint8_t (*)[5]> &rows[0, 0]
            assembled.count, assembled.registers = rows.shape[0], registers
            loop.assembled = &assembled
        with nogil:
            status = ws_mainloop_cost_of(&loop, &profile.c, storage, &found, &error)
    finally:
        free(storage)
    if status == WS_UNSUPPORTED:
        raise _error_of(status, &error)
    if status != WS_OK:
        raise _wrong_argument(&error)
    relative, source = _evidence(WS_LAW_MAINLOOP if rows is None else WS_LAW_ASSEMBLED, profile)
    return {
        "cycles": found.cycles, "bound": BOUNDS[found.bound], "breakdown": _parts(found.part, WS_BOUND_COUNT),
        "load_wavefronts": found.load_wavefronts, "store_wavefronts": found.store_wavefronts, "mma": found.mma,
        "global_bytes": found.global_bytes, "shared_bytes": found.shared_bytes, "registers": found.registers,
        "tensor_fraction": found.tensor_fraction, "error": relative, "source": source,
    }
