# needs: _finish (calls.pxi), Op, _error_of, _look (core.pyx), _names_of (results.pxi), _simd (simd.pxi), TARGETS (tables.pxi)
# The long way through a call: what instruction/call.py asks of the core.

@cython.final
cdef class Findings:
    """What a check found, as C left it; texts are made on demand."""

    cdef ws_findings sink
    cdef ws_op op
    cdef ws_memory memory

    def __dealloc__(self):
        free(self.sink.items)

    def __len__(self):
        return self.sink.count

    cdef int reserve(self, size_t more) except -1:
        """Room for so many more."""
        cdef size_t wanted = self.sink.count + more
        if wanted <= self.sink.capacity:
            return 0
        wanted = max(wanted, 2 * self.sink.count)
        items = <ws_finding *> realloc(self.sink.items, wanted * sizeof(ws_finding))
        if items == NULL:
            raise MemoryError(f"no memory for {wanted} findings")
        self.sink.items, self.sink.capacity = items, wanted
        return 0

    cdef Findings kept(self):
        """These, in no more memory than they need; None where nothing was found."""
        if self.sink.count == 0:
            return None
        items = <ws_finding *> realloc(self.sink.items, self.sink.count * sizeof(ws_finding))
        if items != NULL:
            self.sink.items, self.sink.capacity = items, self.sink.count
        return self

    def get(self, size_t index):
        """(rule id, warp, lane or None, address or None, message) of one finding."""
        cdef char text[512]
        cdef ws_text writer = ws_text_make(text, sizeof(text))
        if index >= self.sink.count:
            raise IndexError(index)
        cdef ws_finding *finding = &self.sink.items[index]
        ws_finding_write(&self.op, &self.memory, finding, &writer)
        return (ws_rule_at(finding.rule).id.decode(), finding.warp, finding.lane if finding.lane >= 0 else None,
                finding.address if finding.has_address else None, text.decode())


cdef enum:
    SLOTS = 8

cdef size_t ANY = <size_t> -1


@cython.final
cdef class Issue:
    """n issues of one instruction, bound to the memory and arrays that they work on."""

    cdef ws_op op
    cdef ws_memory memory
    cdef ws_access access
    cdef ws_plan plan
    cdef ws_call call
    cdef Py_buffer views[SLOTS]
    cdef int pinned
    cdef size_t pinned_last  # bytes

    def __cinit__(self, Op op not None, memory, address, source, stride, active, exited, size_t n, int target, int policy):
        cdef void *pointer
        cdef int width, lanes
        self.pinned = 0
        self.op = op.c
        shared, shared_base, global_, global_base, window = memory
        pointer = self.pin("memory", shared, ws_op_writes_memory(&self.op), ANY)
        self.memory = ws_memory_make(pointer, self.pinned_bytes(), shared_base)
        pointer = self.pin("memory", global_, ws_op_writes_memory(&self.op) and self.op.kind != WS_CP_ASYNC, ANY)
        self.memory = ws_memory_with_global(self.memory, pointer, self.pinned_bytes(), global_base)
        self.memory.shared_window = window
        width = address.itemsize if address is not None else 4
        lanes = 1 if address is not None and ws_op_is_wmma(&self.op) and len(address) == <Py_ssize_t> n else WS_LANES
        self.access = ws_access_make_any(self.pin("address", address, False, n * width * lanes), width, n)
        if address is not None:
            self.access.address_lanes = lanes
        elif n > 0 and self.op.kind != WS_MOVMATRIX:
            raise ValueError("address: expected one a lane")
        self.access.source = <const uint64_t *> self.pin("source", source, False, n * 8 * WS_LANES)
        lanes = WS_LANES if stride is not None and len(stride) != <Py_ssize_t> n else 1
        self.access.stride = <const uint32_t *> self.pin("stride", stride, False, n * 4 * lanes)
        if stride is not None:
            self.access.stride_lanes = lanes
        self.access.active = <const uint32_t *> self.pin("active", active, False, n * 4)
        self.access.exited = <const uint32_t *> self.pin("exited", exited, False, n * 4)
        self.access.target = target
        self.access.policy = <ws_policy> policy
        self.access.shared_window = window
        self.access.simd = _simd
        self.plan = ws_plan_make(&self.op, &self.access)
        self.call = ws_call_make(&self.plan, &self.memory, &self.access, NULL)

    def __dealloc__(self):
        for i in range(self.pinned):
            PyBuffer_Release(&self.views[i])

    cdef void *pin(self, str name, array, bint writable, size_t nbytes) except? NULL:
        """The bytes of an array, held from now on; ValueError where it has not as many as the call asks for."""
        self.pinned_last = 0
        if array is None or len(array) == 0 and nbytes in (0, ANY):
            return NULL
        cdef Py_buffer *view = &self.views[self.pinned]
        PyObject_GetBuffer(array, view, PyBUF_WRITABLE if writable else PyBUF_SIMPLE)
        self.pinned += 1
        if nbytes != ANY and <size_t> view.len != nbytes:
            raise ValueError(f"{name}: changed its size during the call")
        self.pinned_last = view.len
        return view.buf

    cdef size_t pinned_bytes(self):
        return self.pinned_last

    cdef Findings no_findings(self):
        cdef Findings found = Findings.__new__(Findings)
        found.op, found.memory = self.op, self.memory
        return found

    def check(self, unsigned char[::1] ok):
        """Fills ok per warp; (findings or None, whether the policy says raise). Traps are raised."""
        cdef Findings found = self.no_findings()
        cdef ws_error error
        cdef int status = WS_OK, judged
        cdef size_t first = 0, last
        cdef uint64_t since = 0
        while first < self.access.n:
            last = min(self.access.n, first + WS_BATCH_PIECE)
            found.reserve((last - first) * WS_MAX_WARP_FINDINGS)
            with nogil:
                judged = ws_check_range(&self.call, first, last, &ok[first], &found.sink, &error if status == WS_OK else NULL)
            if status == WS_OK:
                status = judged
            if status != WS_OK and status != WS_UNDEFINED:
                raise _error_of(status, &error)
            first = last
            if first < self.access.n:
                _look(&since)
        return found.kept(), status == WS_UNDEFINED

    def check_qualifiers(self, list ops, unsigned char[::1] ok):
        """The same for one instruction per lane."""
        cdef ws_op per_lane[32]
        cdef Findings found = self.no_findings()
        cdef const char *code = NULL
        cdef size_t warp
        cdef uint64_t since = 0
        for i in range(32):
            per_lane[i] = (<Op?> ops[i]).c
        for warp in range(self.access.n):
            found.reserve(WS_LANES)
            ok[warp] = ws_check_qualifiers(per_lane, &self.access, warp, &found.sink)
            if warp % WS_BATCH_PIECE == 0:
                _look(&since)
        if found.sink.count and self.access.policy == WS_POLICY_HARDWARE:
            other = next(i for i in range(32) if ops[i] != ops[0])
            name = TARGETS[self.access.target]
            if ws_hardware_divergent(&per_lane[0], &per_lane[other], self.access.target, &code) == WS_OUTCOME_TRAP:
                raise errors.HardwareTrap(f"lanes differ in their qualifiers on {name}: {code.decode()}", code.decode())
            raise errors.UnknownHardwareBehaviorError(
                f"nobody measured what {name} does when lanes differ in these qualifiers")
        return found.kept()

    def run(self, source_registers, registers, size_t threads):
        """Executes all warps, which `check` has seen; registers are theirs."""
        cdef Py_buffer source_view, view
        cdef ws_batch batch
        cdef ws_call call = self.call
        batch.job, batch.call, batch.counts, batch.wavefronts = WS_BATCH_EXECUTE, &call, NULL, NULL
        call.checked = self.access.policy == WS_POLICY_RAISE
        if source_registers is not None:
            PyObject_GetBuffer(source_registers, &source_view, PyBUF_SIMPLE)
            call.source = <const uint32_t *> source_view.buf
        try:
            if registers is not None:
                PyObject_GetBuffer(registers, &view, PyBUF_SIMPLE if ws_op_writes_memory(&self.op) else PyBUF_WRITABLE)
                call.registers = view.buf
                if <size_t> view.len != self.access.n * self.plan.warp_bytes:
                    raise ValueError("registers: changed their size during the call")
            if source_registers is not None and <size_t> source_view.len != self.access.n * 4 * WS_LANES:
                raise ValueError("registers: changed their size during the call")
            _finish(&batch, self.access.n, min(threads, WS_POOL_MOST), False)
        finally:
            if registers is not None and call.registers != NULL:
                PyBuffer_Release(&view)
            if source_registers is not None:
                PyBuffer_Release(&source_view)

    def count(self, counts, size_t threads):
        """Counts of all warps, into a contiguous 64-bit array (n, 6)."""
        cdef Py_buffer view
        cdef ws_batch batch
        PyObject_GetBuffer(counts, &view, PyBUF_WRITABLE)
        batch.job, batch.call, batch.counts, batch.wavefronts = WS_BATCH_COUNT, &self.call, <ws_counts *> view.buf, NULL
        try:
            _finish(&batch, self.access.n, min(threads, WS_POOL_MOST), False)
        finally:
            PyBuffer_Release(&view)

    def passes(self, double[:, ::1] found):
        """What the memories do for each warp, as time sees it, into (n, 6): see cost.pxi."""
        cdef ws_asked one
        cdef uint64_t since = 0
        cdef size_t warp
        for warp in range(self.access.n):
            one = ws_asked_of(&self.op, &self.access, warp)
            found[warp, 0], found[warp, 1], found[warp, 2], found[warp, 3] = one.shared, one.tags, one.banks, one.slower
            found[warp, 4], found[warp, 5] = one.lines, one.usual
            _look(&since)

    def inexact(self):
        """Names of the counters that are approximations here."""
        cdef uint32_t found = 0
        cdef size_t first = 0, last
        cdef uint64_t since = 0
        with nogil:
            while first < self.access.n:
                last = min(self.access.n, first + WS_BATCH_PIECE)
                found |= ws_count_inexact_range(&self.plan, &self.access, first, last)
                first = last
                if first < self.access.n:
                    _look(&since)
        return _names_of(found)

    def bank_cells(self):
        """(wavefronts of each group, [(group, lane, bank, pass, word), ...]) of warp 0."""
        cdef ws_bank_cells cells
        ws_explain_warp(&self.op, &self.access, 0, &cells)
        cdef list groups = [], found = []
        for i in range(cells.groups):
            groups.append(cells.group_wavefronts[i])
        for i in range(cells.cells):
            cell = &cells.cell[i]
            found.append((cell.group, cell.lane, cell.bank, cell.cell_pass, cell.word))
        return groups, found
