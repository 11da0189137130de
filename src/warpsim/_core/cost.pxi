# needs: LayoutCore, Op, TARGETS, _error_of, _words, _wrong_argument (core.pyx), _simd (simd.pxi)
# The door to the cost model: the constants of an SM, and what instructions, programs and main loops cost there.

CONSTANTS = tuple(
    (ws_profile_constant_at(i).name.decode(), ws_profile_constant_at(i).unit.decode(), ws_profile_constant_at(i).meaning.decode())
    for i in range(WS_CONSTANT_COUNT)
)
BASES = tuple(_words(ws_basis_word, WS_BASIS_COUNT, 0))
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
    error = ws_law_error(law, &profile.c)
    return error if error >= 0 else None, ws_law_at(law).source.decode()


def cost(Op op not None, const long long[::1] counters, Profile profile not None, int warps, int lines):
    """(latency, interval, bound, parts, error or None, where that comes from) of one warp's counters.

    lines: how many the sources of cp.async have; 0: as many as consecutive ones.
    """
    cdef ws_counts counts
    memcpy(&counts, &counters[0], sizeof(counts))
    cdef ws_demand demand = ws_demand_of(&op.c, &counts, &profile.c)
    if lines > 0 and demand.path > 0:
        demand.path = ws_demand_path(&profile.c, lines)
    cdef ws_cost found = ws_cost_of_demand(demand, &profile.c, warps)
    error, source = _evidence(ws_law_of(&op.c, &counts, warps), profile)
    return found.latency, found.interval, BOUNDS[found.bound], _parts(found.part, WS_BOUND_COUNT), error, source


def copy_lines(const unsigned long long[::1] source, uint32_t active):
    """Distinct lines of 128 bytes among 32 sources of cp.async."""
    return ws_copy_lines(<const uint64_t *> &source[0], active)


def program_cost(list ops not None, const long long[:, :, ::1] counters, Profile profile not None):
    """(cycles, wavefronts, bound, parts, error or None, where that comes from); counters (warps, steps, 6)."""
    cdef ws_program program = ws_program_begin(&profile.c)
    cdef ws_counts counts
    cdef ws_demand demand
    cdef Py_ssize_t warp, step
    for warp in range(counters.shape[0]):
        ws_program_warp(&program)
        PyErr_CheckSignals()
        for step in range(counters.shape[1]):
            memcpy(&counts, &counters[warp, step, 0], sizeof(counts))
            demand = ws_demand_of(&(<Op> ops[step]).c, &counts, &profile.c)
            ws_program_add(&program, &demand)
    cdef ws_program_cost found = ws_program_end(&program)
    parts = {PROGRAM_PARTS[i]: found.part[i] for i in range(WS_PROGRAM_PART_COUNT)}
    error, source = _evidence(WS_LAW_PROGRAM, profile)
    return found.cycles, found.wavefronts, BOUNDS[found.bound], parts, error, source


def mainloop_cost(tuple tile not None, tuple warps not None, long long stages, bint trans_b, LayoutCore a not None,
                  LayoutCore b not None, Profile profile not None):
    """A dict of what ws_mainloop_cost has, with the error and where it comes from."""
    cdef ws_mainloop loop
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
        with nogil:
            status = ws_mainloop_cost_of(&loop, &profile.c, storage, &found, &error)
    finally:
        free(storage)
    if status == WS_UNSUPPORTED:
        raise _error_of(status, &error)
    if status != WS_OK:
        raise _wrong_argument(&error)
    relative, source = _evidence(WS_LAW_MAINLOOP, profile)
    return {
        "cycles": found.cycles, "bound": BOUNDS[found.bound], "breakdown": _parts(found.part, WS_BOUND_COUNT),
        "load_wavefronts": found.load_wavefronts, "store_wavefronts": found.store_wavefronts, "mma": found.mma,
        "global_bytes": found.global_bytes, "shared_bytes": found.shared_bytes, "registers": found.registers,
        "tensor_fraction": found.tensor_fraction, "error": relative, "source": source,
    }
