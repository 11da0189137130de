# cython: language_level=3, freethreading_compatible=True, embedsignature=False, auto_pickle=False
"""The door to the C core: arguments to pointers, calls without the GIL, statuses to exceptions.

Nothing is modelled here, and array arguments come in checked: C-contiguous, of the right dtype and length.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc
from libc.string cimport strlen

from warpsim import errors


cdef list _words(const char *(*word_of)(int) noexcept nogil, int count, int first):
    return [word_of(i).decode() for i in range(first, count)]


KINDS = tuple(_words(ws_kind_word, WS_KIND_COUNT, 1))
SHAPES = tuple(_words(ws_shape_word, WS_SHAPE_COUNT, 0))
TYPES = tuple(_words(ws_type_word, WS_TYPE_COUNT, 0))
SPACES = tuple(_words(ws_space_word, WS_SPACE_COUNT, 0))
CACHES = tuple(_words(ws_cache_word, WS_CACHE_COUNT, 0))
OPERANDS = tuple(_words(ws_operand_word, WS_OPERAND_COUNT, 0))
LAYOUTS = tuple(_words(ws_layout_word, WS_LAYOUT_COUNT, 0))
COUNTERS = tuple(_words(ws_counter_word, WS_COUNTER_COUNT, 0))
TARGETS = tuple(ws_target(i).name.decode() for i in range(WS_TARGET_COUNT))
RULES = tuple(
    (ws_rule_at(i).id.decode(), "warning" if ws_rule_at(i).warning else "error", ws_rule_at(i).error.decode(),
     ws_rule_at(i).title.decode(), ws_rule_at(i).ptx.decode(), ws_rule_at(i).hardware.decode(),
     ws_rule_at(i).fix.decode())
    for i in range(WS_RULE_COUNT)
)
NEWEST_PTX = WS_LAST_PTX
VERSION = ws_version().decode()

cdef dict _classes = {}  # kind -> the class that stands for it


def register_class(str kind, cls):
    """Lets parse make `cls` of instructions of this kind."""
    _classes[kind] = cls


cdef int _index(str field, tuple words, object word) except -1:
    if not isinstance(word, str):
        raise TypeError(f"{field}: expected a str, got {type(word).__name__}")
    if word not in words:
        raise ValueError(f"{field}: expected one of {', '.join(repr(w) for w in words)}, got {word!r}")
    return words.index(word)


cdef uint8_t _small(str field, object value) except? 255:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{field}: expected an int, got {type(value).__name__}")
    number = value.__index__()
    return number if 0 < number < 255 else 254


cdef object _error_of(int status, ws_error *error, str text=None):
    """The exception that says what `error` says; raised by the caller, since every frame between costs time."""
    message = PyUnicode_DecodeUTF8(error.message, <Py_ssize_t> strlen(error.message), "replace")
    if status == WS_SYNTAX:
        return errors.PtxSyntaxError(message, text, error.column, error.length)
    if status == WS_UNSUPPORTED:
        return errors.UnsupportedError(message, text, error.column, error.length)
    if status == WS_TRAP:
        return errors.HardwareTrap(message, error.code.decode() if error.code != NULL else None)
    if status == WS_UNKNOWN_HARDWARE:
        return errors.UnknownHardwareBehaviorError(message)
    return ValueError(message)


cdef class Op:
    """An instruction: the C value, its words as properties. Subclassed in instructions.py."""

    def __cinit__(self, dict fields=None):
        cdef ws_error error
        if fields is None:
            return
        self.c.kind = KINDS.index(fields["kind"]) + 1
        self.c.shape = _index("shape", SHAPES, fields.get("shape", ""))
        self.c.type = _index("type", TYPES, fields.get("type", ""))
        self.c.space = _index("space", SPACES, fields.get("space", ""))
        self.c.cache = _index("cache", CACHES, fields.get("cache", ""))
        self.c.operand = _index("operand", OPERANDS, fields.get("operand", ""))
        self.c.layout = _index("layout", LAYOUTS, fields.get("layout", ""))
        self.c.num = _small("num", fields["num"]) if "num" in fields else 0
        self.c.vec = _small("vec", fields["vec"]) if "vec" in fields else 0
        self.c.size_bytes = _small("size", fields["size"]) if "size" in fields else 0
        trans = fields.get("trans", False)
        if not isinstance(trans, (bool, int)) or trans not in (False, True):
            raise TypeError(f"trans: expected a bool, got {trans!r}")
        self.c.trans = 1 if trans else 0
        status = ws_op_validate(&self.c, &error)
        if status != WS_OK:
            raise _error_of(status, &error)
        self.describe()

    def __eq__(self, other):
        return isinstance(other, Op) and ws_op_equal(&self.c, &(<Op> other).c)

    def __hash__(self):
        return hash(self.ptx)

    def __reduce__(self):
        return parse, (self.ptx,)

    cdef void describe(self):
        """The words and numbers of the C value, once."""
        cdef char text[160]
        cdef ws_text writer = ws_text_make(text, sizeof(text))
        cdef const ws_op *op = &self.c
        ws_op_write(op, &writer)
        self.ptx = text.decode()
        self.kind = ws_kind_word(op.kind).decode()
        self.shape = ws_shape_word(op.shape).decode()
        self.type = ws_type_word(op.type).decode()
        self.space = ws_space_word(op.space).decode()
        self.cache = ws_cache_word(op.cache).decode()
        self.operand = ws_operand_word(op.operand).decode()
        self.layout = ws_layout_word(op.layout).decode()
        self.num, self.vec, self.size, self.trans = op.num, op.vec, op.size_bytes, op.trans != 0
        self.num_registers, self.register_bits = ws_op_num_registers(op), ws_op_register_bits(op)
        self.row_lanes, self.access_bytes = ws_op_row_lanes(op), ws_op_access_bytes(op)
        self.group_lanes, self.fields = ws_op_group_lanes(op), ws_op_fields(op)
        self.is_collective, self.is_load = ws_op_is_collective(op), ws_op_is_load(op)
        self.is_wmma, self.writes_memory = ws_op_is_wmma(op), ws_op_writes_memory(op)
        self.default_stride = ws_wmma_default_stride(op) if self.is_wmma else None
        self.matrix_shape = (ws_wmma_rows(op), ws_wmma_cols(op)) if self.is_wmma else None


include "_parse.pxi"


def count_forms(Op op not None):
    """How many rows of the table of forms the instruction matches (1 for every valid one)."""
    return sum(ws_form_match(ws_isa_form(i), &op.c) == WS_MATCH_ALL for i in range(1, WS_FORM_COUNT))


def ptx_index(str version not None):
    """86 for "8.6"; 0 if there is no such PTX version."""
    data = version.encode("utf-8", "replace")
    return 0 if b"\0" in data else ws_ptx_find(data)


def min_ptx_at(Op op not None, int target):
    """The lowest PTX version (86 for 8.6) at which the form is legal at the target; 0: never."""
    return ws_op_min_ptx_at(&op.c, target)


def legality(Op op not None, int target, int ptx):
    """(ok, reasons, lowest PTX version or 0, names of all targets)."""
    cdef ws_legality found = ws_legality_of(&op.c, target, ptx)
    names = tuple(name for i, name in enumerate(TARGETS) if found.targets >> i & 1)
    return found.ok != 0, tuple(found.reasons[i].decode() for i in range(found.reason_count)), found.min_ptx, names


def fragment(Op op not None, int32_out, bint sm_75=False):
    """Fills an int32 array (32, num_registers, fields, 3) with matrix, row and column; wmma: also as on sm_75."""
    cdef int[:, :, :, ::1] out = int32_out
    cdef int lane, reg, field
    cdef ws_element element
    cdef ws_place_in_matrix place
    for lane in range(32):
        for reg in range(out.shape[1]):
            for field in range(out.shape[2]):
                element = ws_fragment_element(&op.c, lane, reg, field)
                if sm_75 and ws_op_is_wmma(&op.c):
                    place = ws_wmma_element(&op.c, lane, reg * out.shape[2] + field, True)
                    element.row, element.column = place.row, place.col
                out[lane, reg, field, 0] = element.matrix
                out[lane, reg, field, 1] = element.row
                out[lane, reg, field, 2] = element.column


@cython.final
cdef class Findings:
    """What a check found, as C left it; texts are made on demand."""

    cdef ws_finding *items
    cdef size_t count
    cdef ws_op op
    cdef ws_memory memory

    def __dealloc__(self):
        free(self.items)

    def __len__(self):
        return self.count

    def get(self, size_t index):
        """(rule id, warp, lane or None, address or None, message) of one finding."""
        cdef char text[512]
        cdef ws_text writer = ws_text_make(text, sizeof(text))
        if index >= self.count:
            raise IndexError(index)
        cdef ws_finding *finding = &self.items[index]
        ws_finding_write(&self.op, &self.memory, finding, &writer)
        return (ws_rule_at(finding.rule).id.decode(), finding.warp, finding.lane if finding.lane >= 0 else None,
                finding.address if finding.has_address else None, text.decode())


cdef enum:
    SLOTS = 8


@cython.final
cdef class Issue:
    """n issues of one instruction, bound to the memory and arrays that they work on."""

    cdef ws_op op
    cdef ws_memory memory
    cdef ws_access access
    cdef Py_buffer views[SLOTS]
    cdef int pinned

    def __cinit__(self, Op op not None, memory, address, source, stride, active, exited, size_t n, int target, int policy):
        cdef void *pointer
        self.pinned = 0
        self.op = op.c
        shared, shared_base, global_, global_base, window = memory
        pointer = self.pin(shared, ws_op_writes_memory(&self.op))
        self.memory = ws_memory_make(pointer, len(shared) if shared is not None else 0, shared_base)
        pointer = self.pin(global_, ws_op_writes_memory(&self.op) and self.op.kind != WS_CP_ASYNC)
        self.memory = ws_memory_with_global(self.memory, pointer, len(global_) if global_ is not None else 0,
                                            global_base)
        self.memory.shared_window = window
        width = address.itemsize if address is not None else 4
        self.access = ws_access_make_any(self.pin(address, False), width, n)
        self.access.source = <const uint64_t *> self.pin(source, False)
        if n > 0 and address is not None:
            self.access.address_lanes = len(address) // n
        self.access.stride = <const uint32_t *> self.pin(stride, False)
        if stride is not None and n > 0:
            self.access.stride_lanes = len(stride) // n
        self.access.active = <const uint32_t *> self.pin(active, False)
        self.access.exited = <const uint32_t *> self.pin(exited, False)
        self.access.target = target
        self.access.policy = <ws_policy> policy
        self.access.shared_window = window

    def __dealloc__(self):
        for i in range(self.pinned):
            PyBuffer_Release(&self.views[i])

    cdef void *pin(self, array, bint writable) except? NULL:
        if array is None or len(array) == 0:
            return NULL
        PyObject_GetBuffer(array, &self.views[self.pinned], PyBUF_WRITABLE if writable else PyBUF_SIMPLE)
        self.pinned += 1
        return self.views[self.pinned - 1].buf

    cdef Findings collect(self, const ws_op *ops, size_t count):
        """Runs the check again with room for what it counted."""
        cdef Findings found = Findings.__new__(Findings)
        cdef ws_findings sink
        cdef ws_error error
        cdef size_t warp
        found.op = self.op
        found.memory = self.memory
        found.items = <ws_finding *> malloc(max(count, 1) * sizeof(ws_finding))
        if found.items == NULL:
            raise MemoryError(f"no memory for {count} findings")
        sink.items = found.items
        sink.capacity = count
        sink.count = 0
        with nogil:
            if ops == NULL:
                ws_check_range(&self.op, &self.memory, &self.access, 0, self.access.n, NULL, &sink, &error)
            else:
                for warp in range(self.access.n):
                    ws_check_qualifiers(ops, &self.access, warp, &sink)
        found.count = min(sink.count, count)
        return found

    def check(self, unsigned char[::1] ok):
        """Fills ok per warp; (findings or None, whether the policy says raise). Traps are raised."""
        cdef ws_findings sink
        cdef ws_error error
        cdef int status
        sink.items = NULL
        sink.capacity = 0
        sink.count = 0
        with nogil:
            status = ws_check_range(&self.op, &self.memory, &self.access, 0, self.access.n, &ok[0], &sink, &error)
        if status != WS_OK and status != WS_UNDEFINED:
            raise _error_of(status, &error)
        return self.collect(NULL, sink.count) if sink.count else None, status == WS_UNDEFINED

    def check_qualifiers(self, list ops, unsigned char[::1] ok):
        """The same for one instruction per lane."""
        cdef ws_op per_lane[32]
        cdef ws_findings sink
        cdef const char *code = NULL
        cdef size_t warp
        sink.items = NULL
        sink.capacity = 0
        sink.count = 0
        for i in range(32):
            per_lane[i] = (<Op?> ops[i]).c
        for warp in range(self.access.n):
            ok[warp] = ws_check_qualifiers(per_lane, &self.access, warp, &sink)
        if sink.count and self.access.policy == WS_POLICY_HARDWARE:
            other = next(i for i in range(32) if ops[i] != ops[0])
            name = TARGETS[self.access.target]
            if ws_hardware_divergent(&per_lane[0], &per_lane[other], self.access.target, &code) == WS_OUTCOME_TRAP:
                raise errors.HardwareTrap(f"lanes differ in their qualifiers on {name}: {code.decode()}", code.decode())
            raise errors.UnknownHardwareBehaviorError(
                f"nobody measured what {name} does when lanes differ in these qualifiers")
        return self.collect(per_lane, sink.count) if sink.count else None

    def run(self, size_t first, size_t last, source_registers, registers):
        """Executes the warps first <= w < last; registers are those of all warps."""
        cdef Py_buffer source_view, view
        cdef const uint32_t *source = NULL
        cdef char *base = NULL
        if source_registers is not None:
            PyObject_GetBuffer(source_registers, &source_view, PyBUF_SIMPLE)
            source = <const uint32_t *> source_view.buf
        try:
            if registers is not None:
                PyObject_GetBuffer(registers, &view, PyBUF_SIMPLE if ws_op_writes_memory(&self.op) else PyBUF_WRITABLE)
                base = <char *> view.buf
            step = 32 * ws_op_num_registers(&self.op) * (ws_op_register_bits(&self.op) // 8)
            if base != NULL:
                base += first * <size_t> step
            if source != NULL:
                source += first * 32
            with nogil:
                ws_execute_range(&self.op, &self.memory, &self.access, first, last, source, base)
        finally:
            if registers is not None and base != NULL:
                PyBuffer_Release(&view)
            if source_registers is not None:
                PyBuffer_Release(&source_view)

    def count(self, size_t first, size_t last, counts):
        """Counts of the warps first <= w < last, into a contiguous 64-bit array (n, 6)."""
        cdef Py_buffer view
        PyObject_GetBuffer(counts, &view, PyBUF_WRITABLE)
        cdef ws_counts *out = <ws_counts *> view.buf + first
        with nogil:
            ws_count_range(&self.op, &self.access, first, last, out)
        PyBuffer_Release(&view)

    def inexact(self):
        """Names of the counters that are approximations here."""
        cdef uint32_t found
        with nogil:
            found = ws_count_inexact(&self.op, &self.access)
        return tuple(name for i, name in enumerate(COUNTERS) if found >> i & 1)

    def bank_cells(self):
        """(wavefronts of each group, [(group, lane, bank, pass, word), ...]) of warp 0."""
        cdef ws_bank_cells cells
        ws_explain_warp(&self.op, &self.access, 0, &cells)
        return ([cells.group_wavefronts[i] for i in range(cells.groups)],
                [(cells.cell[i].group, cells.cell[i].lane, cells.cell[i].bank, cells.cell[i].cell_pass,
                  cells.cell[i].word) for i in range(cells.cells)])


@cython.final
cdef class LayoutCore:
    """A layout as C has it; layout.py checks what comes in."""

    cdef ws_layout c

    def __cinit__(self, long long rows, long long cols, long long pad, int element_bits, bint packed, bint col_major,
                  int bits, int base, int shift, bint unit_is_byte):
        self.c.rows, self.c.cols, self.c.pad = rows, cols, pad
        self.c.element_bits, self.c.packed, self.c.col_major = element_bits, packed, col_major
        self.c.swizzle.bits, self.c.swizzle.base, self.c.swizzle.shift = bits, base, shift
        self.c.swizzle.unit_is_byte = unit_is_byte

    @property
    def pitch(self):
        return ws_layout_pitch_bytes(&self.c)

    @property
    def nbytes(self):
        return ws_layout_nbytes(&self.c)

    def offsets(self, const long long[::1] rows, const long long[::1] cols, long long[::1] out):
        """Byte offsets of many elements."""
        cdef Py_ssize_t i
        for i in range(out.shape[0]):
            out[i] = ws_layout_offset(&self.c, rows[i], cols[i])

    def addresses(self, Op op not None, const long long[::1] rows, const long long[::1] cols, bint by_row,
                  long long[:, ::1] out):
        """Lane addresses at many places; None, or (place, row, column) of the first that leaves the matrix."""
        cdef Py_ssize_t i
        cdef int64_t r, c
        for i in range(rows.shape[0]):
            r, c = rows[i], cols[i]
            if not ws_layout_addresses(&self.c, &op.c, &r, &c, by_row, <int64_t *> &out[i, 0]):
                return i, r, c
        return None


include "_lint.pxi"
