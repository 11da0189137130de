# needs: LayoutCore, Op, _look, _wrong_argument (core.pyx), Profile, _evidence (cost.pxi), _array, new_array (kept.pxi), _int, _int8, _uint32 (narrow.pxi), Traffic, _names_of (results.pxi), _simd (simd.pxi), KINDS, RULES, _words (tables.pxi)
# The door to tiles and to the search of layouts: what a layout has in C, and arrays that C fills.



cdef tuple _element_type(int index):
    """(name, bits, packed, elements that a run with its padding must be a multiple of)."""
    cdef const ws_element_type *row = ws_element_type_at(index)
    cdef ws_layout layout = ws_layout_of_type(1, 1, index)
    return row.name.decode(), row.bits, row.packed != 0, ws_layout_run_unit(&layout)


cdef list _element_types():
    cdef list found = []
    for i in range(WS_ELEMENT_TYPE_COUNT):
        found.append(_element_type(i))
    return found


cdef list _swizzles():
    cdef ws_swizzle swizzle[WS_SEARCH_SWIZZLES_MAX]
    cdef list found = []
    for i in range(ws_search_swizzles(swizzle)):
        found.append((swizzle[i].bits, swizzle[i].base, swizzle[i].shift))
    return found


ELEMENT_TYPES = tuple(_element_types())
TILE_STORES = tuple(kind for i, kind in enumerate(KINDS, 1) if ws_tile_kinds(WS_TILE_STORE) >> i & 1)
TILE_LOADS = tuple(kind for i, kind in enumerate(KINDS, 1) if ws_tile_kinds(WS_TILE_LOAD) >> i & 1)
TILE_MOST_WARPS = WS_TILE_MAX_WARPS
SEARCH_SWIZZLES = tuple(_swizzles())  # (B, M, S) of those that a search tries by default
SEARCH_MOST_PAD = WS_SEARCH_PAD_MAX
SEARCH_MOST_OPS = WS_SEARCH_MOST_OPS
SEARCH_REASONS = tuple(_words(ws_search_reason_word, WS_SEARCH_REASON_COUNT, 0))
SEARCH_ROW = _numpy.dtype([
    ("rejected", _numpy.int64), ("store_wavefronts", _numpy.int64), ("load_wavefronts", _numpy.int64),
    ("bytes", _numpy.int64), ("cycles", _numpy.float64),
])
assert SEARCH_ROW.itemsize == sizeof(ws_search_row)

cdef enum:
    TRIED = 4  # candidates between two looks at the clock: one of the largest tile takes milliseconds


def newest_ptx(int target):
    """The newest PTX version that has the target: 88 for 8.8."""
    return ws_target_newest_ptx(target)


cdef ws_tiling _cover(LayoutCore layout, Op op, long long warps, str name="op") except *:
    cdef ws_tiling tiling
    cdef ws_error error
    if ws_tile_cover(&layout.c, &op.c, warps, &tiling, &error) != WS_OK:
        raise _wrong_argument(&error, name if error.argument == b"op" else None)
    return tiling


def tile_cover(Op op not None, LayoutCore layout not None, long long warps, str name not None):
    """How many steps each of the warps makes; ValueError, with `name` for op, where they do not cover the tile evenly."""
    return _cover(layout, op, warps, name).steps


def tile_steps(Op op not None, LayoutCore layout not None, long long warps):
    """Lane addresses of every step, int64 (warps, steps, 32)."""
    cdef ws_tiling tiling = _cover(layout, op, warps)
    cdef Py_ssize_t shape[3]
    shape[0], shape[1], shape[2] = tiling.warps, tiling.steps, WS_LANES
    address = _array(3, shape, NPY_INT64)
    cdef int64_t *out = <int64_t *> ws_array_data(address)
    cdef int64_t first = 0, last
    cdef uint64_t since = 0
    with nogil:
        while first < tiling.units:
            last = min(tiling.units, first + WS_BATCH_PIECE)
            ws_tile_steps_range(&layout.c, &op.c, &tiling, first, last, out)
            first = last
            _look(&since)
    return address


def tile_count(Op op not None, LayoutCore layout not None, long long warps, Profile profile not None):
    """(Traffic of shape (warps, steps), cycles, their relative error or None) of a tile in the window of shared memory."""
    cdef ws_tiling tiling = _cover(layout, op, warps)
    counts = new_array(_numpy.empty, (tiling.warps, tiling.steps, WS_COUNTER_COUNT), _numpy.int64)
    cdef ws_counts *out = <ws_counts *> ws_array_data(counts)
    cdef int simd = _simd
    cdef int64_t first = 0, last
    cdef uint64_t since = 0
    with nogil:
        while first < tiling.units:
            last = min(tiling.units, first + WS_BATCH_PIECE)
            ws_tile_count_range(&layout.c, &op.c, &tiling, simd, first, last, out)
            first = last
            _look(&since)
    wavefronts = _numpy.ascontiguousarray(counts[..., WS_COUNTER_WAVEFRONTS])
    cycles = ws_tile_cycles(&op.c, &profile.c, <const int64_t *> ws_array_data(wavefronts), tiling.warps, tiling.steps)
    cdef ws_asked asked = ws_asked_guess(&op.c, out)
    error, _ = _evidence(WS_LAW_PROGRAM if ws_program_was_timed(&op.c, &asked) else -1, profile)
    return Traffic(counts, _names_of(ws_tile_inexact(&op.c, &tiling))), cycles, error


def tile_cycles(Op op not None, wavefronts not None, Profile profile not None):
    """Cycles of a side whose steps take these wavefronts, int64 (warps, steps)."""
    held = _numpy.ascontiguousarray(wavefronts, _numpy.int64)
    return ws_tile_cycles(&op.c, &profile.c, <const int64_t *> ws_array_data(held), held.shape[0], held.shape[1])


def tile_findings(LayoutCore layout not None, Op op, Profile profile not None):
    """(rule, message) of what is wrong with a tile that the instruction covers; None: with its size."""
    cdef ws_tile_finding found[WS_TILE_MAX_FINDINGS]
    cdef char message[1024]
    cdef ws_text text
    cdef int count, i
    cdef list result = []
    if op is None:
        count = ws_tile_find_size(&layout.c, &profile.c, found, 0)
    else:
        count = ws_tile_find_side(&layout.c, &op.c, 0, profile.c.target, found, 0)
    for i in range(count):
        text = ws_text_make(message, sizeof(message))
        ws_tile_finding_write(&layout.c, NULL if op is None else &op.c, &profile.c, &found[i], &text)
        result.append((RULES[found[i].rule][0], message.decode()))
    return result


def report_form(Op op not None):
    """(summary, lowest PTX version of all targets, those targets in words, notes) of an instruction."""
    cdef char words[1024]
    cdef ws_text text = ws_text_make(words, sizeof(words))
    cdef list notes = []
    ws_report_summary(&op.c, &text)
    summary = words.decode()
    text = ws_text_make(words, sizeof(words))
    lowest = ws_report_targets(&op.c, &text)
    targets = words.decode()
    for i in range(WS_NOTE_COUNT):
        text = ws_text_make(words, sizeof(words))
        if ws_report_note(&op.c, i, &text):
            notes.append(words.decode())
    return summary, lowest, targets, notes


def report_findings(Op op not None, const uint64_t[::1] address, object stride, int target, LayoutCore layout):
    """(rule, lane, address, message, fix) of what is undefined about one warp's 32 addresses; `layout`: their tile, or None."""
    cdef uint32_t narrow[32]
    cdef uint32_t one_stride = 0
    cdef ws_finding items[256]
    cdef ws_findings sink
    cdef ws_access access = ws_access_make_64(&address[0], 1)
    cdef ws_memory memory
    cdef char words[1024]
    cdef ws_text text
    cdef list found = []
    sink.items, sink.capacity, sink.count = items, 256, 0
    if op.space != "" or op.kind == "cp.async":
        for i in range(32):
            narrow[i] = _uint32("address", address[i] & 0xFFFFFFFF)
        access = ws_access_make(narrow, 1)
    if stride is not None:
        one_stride = <uint32_t> (int(stride) & 0xFFFFFFFF)
        access.stride = &one_stride
    access.target = target
    memory = ws_report_findings(&op.c, &access, &sink)
    for i in range(min(sink.count, sink.capacity)):
        text = ws_text_make(words, sizeof(words))
        ws_finding_write(&op.c, &memory, &items[i], &text)
        message = words.decode()
        text = ws_text_make(words, sizeof(words))
        ws_report_fix(&op.c, &items[i], &layout.c if layout is not None else NULL, &text)
        found.append((
            RULES[items[i].rule][0], items[i].lane if items[i].lane >= 0 else None,
            items[i].address if items[i].has_address else None, message, words.decode(),
        ))
    return found


cdef int _candidates(LayoutCore tile, const long long[:, ::1] columns, bint unit_is_byte, ws_layout *out) except -1:
    """Layouts like `tile`, each with the order (1: column-major), pad, B, M and S of a row of columns."""
    cdef Py_ssize_t i
    for i in range(columns.shape[0]):
        out[i] = tile.c
        out[i].col_major, out[i].pad = columns[i, 0] != 0, columns[i, 1]
        out[i].swizzle.bits, out[i].swizzle.base = _int8("bits", columns[i, 2]), _int8("base", columns[i, 3])
        out[i].swizzle.shift, out[i].swizzle.unit_is_byte = _int8("shift", columns[i, 4]), unit_is_byte
    return 0


def search(LayoutCore tile not None, const long long[:, ::1] columns, bint unit_is_byte, tuple ops not None,
           tuple weights not None, long long warps, Profile profile not None, long long max_bytes):
    """One SEARCH_ROW for each candidate; a weight for each of 1 to SEARCH_MOST_OPS instructions."""
    cdef ws_search_terms terms
    cdef ws_error error
    cdef size_t n = columns.shape[0]
    cdef ws_layout *candidates = <ws_layout *> malloc(max(n, 1) * sizeof(ws_layout))
    cdef void *storage = NULL
    cdef ws_search_run run
    cdef size_t first = 0, last
    cdef uint64_t since = 0
    rows = new_array(_numpy.empty, n, SEARCH_ROW)
    cdef ws_search_row *out = <ws_search_row *> ws_array_data(rows)
    cdef Op op
    terms.count, terms.warps, terms.max_bytes = _int("ops", len(ops)), warps, max_bytes
    for i in range(terms.count):
        op = ops[i]
        terms.op[i], terms.weight[i] = op.c, weights[i]
    terms.profile, terms.simd = &profile.c, _simd
    try:
        if candidates == NULL:
            raise MemoryError(f"no memory for {n} candidates")
        _candidates(tile, columns, unit_is_byte, candidates)
        storage = malloc(8 * ws_search_words(candidates, n, &terms) + 8)
        if storage == NULL:
            raise MemoryError("no memory for the addresses of a tile")
        if ws_search_begin(&run, &terms, storage, &error) != WS_OK:
            raise ValueError(error.message.decode())
        with nogil:
            while first < n:
                last = min(n, first + TRIED)
                ws_search_range(&run, candidates, first, last, out)
                first = last
                _look(&since)
    finally:
        free(storage)
        free(candidates)
    return rows


def search_rank(LayoutCore tile not None, const long long[:, ::1] columns, rows not None):
    """(the candidates that were counted, best first; places of the Pareto set among them): int64 arrays."""
    cdef size_t n = columns.shape[0], kept, front, width = 1
    cdef uint64_t since = 0
    cdef ws_layout *candidates = <ws_layout *> malloc(max(n, 1) * sizeof(ws_layout))
    order, scratch = new_array(_numpy.empty, n, _numpy.int64), new_array(_numpy.empty, n, _numpy.int64)
    cdef int64_t *order_out = <int64_t *> ws_array_data(order)
    cdef int64_t *scratch_out = <int64_t *> ws_array_data(scratch)
    cdef const ws_search_row *row = <const ws_search_row *> ws_array_data(rows)
    if candidates == NULL:
        raise MemoryError(f"no memory for {n} candidates")
    try:
        _candidates(tile, columns, False, candidates)
        with nogil:
            kept = ws_search_counted(row, n, order_out)
            while width < kept:
                ws_search_merge(candidates, row, kept, width, order_out, scratch_out)
                width *= 2
                _look(&since)
            front = ws_search_pareto(row, order_out, kept, scratch_out)
    finally:
        free(candidates)
    return order[:kept].copy(), scratch[:front].copy()
