# cython: language_level=3, freethreading_compatible=True, embedsignature=False, auto_pickle=False
"""The door to the C core: arguments to pointers, calls without the GIL, statuses to exceptions.

Nothing is modelled here, and array arguments come in checked: C-contiguous, of the right dtype and length.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, strlen

import os
import sys
from operator import index as _index_of

import numpy as _numpy

from warpsim import errors
from warpsim.characters import caret_lines as _caret_lines, printable as _printable

cdef extern from "numpy_array.h":
    int _import_array() except -1
    enum:
        NPY_UINT8, NPY_UINT32, NPY_UINT64, NPY_INT64
    bint ws_array_is_plain(object value, int type)
    bint ws_array_is_writeable(object array)
    int ws_array_rank(object array)
    Py_ssize_t *ws_array_shape(object array)
    char *ws_array_data(object array)
    size_t ws_array_bytes(object array)
    object ws_array_owner(object array)
    object ws_array_new(int rank, Py_ssize_t *shape, int type)


cdef extern from "kept.h":
    ctypedef struct ws_kept:
        size_t bytes
    enum:
        WS_KEPT_LEAST
    bint ws_kept_make(ws_kept *kept) except 0
    void ws_kept_after_fork(ws_kept *kept)
    void ws_kept_trim(ws_kept *kept)
    bint ws_kept_begin(ws_kept *kept) except -1
    bint ws_kept_end() except 0


cdef extern from "Python.h":
    ctypedef struct PyMethodDef:
        const char *ml_name
        void *ml_meth
        int ml_flags
        const char *ml_doc
    int METH_FASTCALL, METH_KEYWORDS
    object PyDescr_NewMethod(type owner, PyMethodDef *method)


cdef extern from "batch.h" nogil:
    ctypedef struct ws_pool:
        long process
    enum:
        WS_POOL_MOST
    ctypedef enum ws_batch_job:
        WS_BATCH_CHECK, WS_BATCH_EXECUTE, WS_BATCH_COUNT, WS_BATCH_MULTIPLY
    ctypedef struct ws_batch:
        ws_batch_job job
        const ws_mma_plan *plan
        const ws_mma_batch *operands
        const ws_call *call
        ws_counts *counts
        int64_t *wavefronts
    enum:
        WS_LOOK_NS, WS_BATCH_PIECE
    uint64_t ws_clock_ns()
    bint ws_pool_make(ws_pool *pool)
    void ws_batch_deal(ws_batch *batch, size_t n, size_t threads, bint stops)
    void ws_batch_range(ws_batch *batch, size_t range)
    bint ws_batch_round(ws_batch *batch, ws_pool *pool)
    bint ws_batch_is_clean(const ws_batch *batch)

_import_array()


cdef enum:
    MANY = 1 << 16  # small steps between two looks for Ctrl-C with the GIL


cdef int _look(uint64_t *since) except -1 nogil:
    """Asks for Ctrl-C if it is time again; whatever runs long does so, a bounded piece at a time. `since`: 0 at first."""
    cdef uint64_t now = ws_clock_ns()
    if since[0] != 0 and now - since[0] < WS_LOOK_NS:
        return 0
    since[0] = now
    with gil:
        PyErr_CheckSignals()
    return 0



include "tables.pxi"

cdef object _to_be_filled = object()  # in place of the fields of an instruction that C has
cdef dict _classes = {}  # kind -> the class that stands for it; "findings" -> that of Result.findings


def register_class(str kind, cls):
    """Lets parse make `cls` of instructions of this kind, or results make `cls` of findings."""
    _classes[kind] = cls


cdef object _make_sure = None, _refusal = None  # of memory_limit.py


def register_room(make_sure, refusal):
    """Who refuses what cannot fit, and says so where an allocation fails: functions of (warps, bytes)."""
    global _make_sure, _refusal
    _make_sure, _refusal = make_sure, refusal


include "narrow.pxi"
include "kept.pxi"
include "results.pxi"


cdef uint8_t _index(str field, tuple words, object word) except? 255:
    if not isinstance(word, str):
        raise TypeError(f"{field}: expected a str, got {type(word).__name__}")
    cdef str plain = str.__str__(word)
    if plain not in words:
        raise ValueError(f"{field}: expected one of {', '.join(repr(w) for w in words)}, got {plain[:80]!r}")
    return _int8(field, words.index(plain))


cdef uint8_t _small(str field, object value) except? 255:
    if isinstance(value, bool):
        raise TypeError(f"{field}: expected an int, got bool")
    try:
        number = int.__index__(_index_of(value))
    except TypeError:
        raise TypeError(f"{field}: expected an int, got {type(value).__name__}") from None
    return number if 0 < number < 255 else 254


def _whole(error, message, text, length):
    """The message of an error about a text, with the line and a caret."""
    return _printable(message) + _caret_lines(text, error.column, length)


cdef object _error_of(int status, ws_error *error, str text=None, tell=_whole):
    """The exception that says what `error` says; raised by the caller, since every frame between costs time."""
    message = PyUnicode_DecodeUTF8(error.message, <Py_ssize_t> strlen(error.message), "replace")
    if status in (WS_SYNTAX, WS_UNSUPPORTED, WS_NOT_MODELLED):
        kind = errors.PtxSyntaxError if status == WS_SYNTAX else errors.UnsupportedError
        return kind(message, error.column, tell, text, error.length)
    if status == WS_TRAP:
        return errors.HardwareTrap(message, error.code.decode() if error.code != NULL else None)
    if status == WS_UNKNOWN_HARDWARE:
        return errors.UnknownHardwareBehaviorError(message)
    return ValueError(message)


cdef object _wrong_argument(const ws_error *error, object called=None):
    """The ValueError of an error about one argument, `called` that where its name in C is another."""
    return errors.bad_value(called or error.argument.decode(), ws_error_sentence(error).decode())


cdef class Op:
    """An instruction: the C value, its words as properties. Subclassed in instruction/."""

    cdef ws_op c
    cdef ws_plan plan  # for no particular target
    cdef readonly str ptx, kind, shape, type, space, cache, operand, layout
    cdef readonly int num, vec, size, num_registers, register_bits, row_lanes, access_bytes, group_lanes, fields
    cdef readonly bint trans, is_collective, is_load, is_wmma, writes_memory
    cdef readonly object default_stride, matrix_shape
    cdef bint is_short, is_countable  # calls of it may take the short way
    cdef tuple inexact                # names of the counters that are approximations, as far as the form tells

    def __cinit__(self, fields=None):
        cdef ws_error error
        if fields is _to_be_filled:
            return
        if type(self) is _classes.get("instruction") or type(fields) is not dict or fields.get("kind") not in KINDS:
            raise TypeError("fields: expected one of the instructions, such as Ldmatrix(num=4), or parse(text)")
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
        if not isinstance(trans, (bool, int)) or int.__index__(trans) not in (0, 1):
            raise TypeError(f"trans: expected a bool, got {type(trans).__name__}")
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
        cdef ws_access nothing = ws_access_make(NULL, 0)
        self.plan = ws_plan_make(op, &nothing)
        self.inexact = _names_of(ws_count_inexact(op, &nothing))
        self.is_countable = ws_op_counts_groups(op) and self.space != ""
        self.is_short = self.is_countable and self.is_load


include "simd.pxi"


include "image.pxi"
include "calls.pxi"


include "mma.pxi"
include "parse.pxi"


def count_forms(Op op not None):
    """How many rows of the table of forms the instruction matches (1 for every valid one)."""
    return sum(ws_form_match(ws_isa_form(i), &op.c) == WS_MATCH_ALL for i in range(1, WS_FORM_COUNT))


def ptx_index(str version not None):
    """86 for "8.6"; 0 for an unknown PTX version."""
    data = version.encode("utf-8", "replace")
    return 0 if b"\0" in data else ws_ptx_find(data)


def min_ptx_at(Op op not None, int target):
    """The lowest PTX version (86 for 8.6) at which the form is legal at the target; 0: never."""
    return ws_op_min_ptx_at(&op.c, target)


def legality(Op op not None, int target, int ptx):
    """(ok, reasons, lowest PTX version or 0, names of all targets)."""
    return _legality_found(ws_legality_of(&op.c, target, ptx))


cdef tuple _legality_found(ws_legality found):
    names = tuple(name for i, name in enumerate(TARGETS) if found.targets >> i & 1)
    return found.ok != 0, tuple(found.reasons[i].decode() for i in range(found.reason_count)), found.min_ptx, names


def wmma_map(int target):
    """Whether the fragments of wmma are known there, and whether they are those of sm_75."""
    return ws_wmma_is_known(target), ws_is_before_sm_80(target)


def fragment(Op op not None, int32_out, bint sm_75=False):
    """Fills an int32 array (32, num_registers, fields, 3) with matrix, row and column; wmma: also as on sm_75."""
    cdef int[:, :, :, ::1] out = int32_out
    cdef int lane, reg, field, fields = _int("fields", out.shape[2])
    cdef ws_element element
    cdef ws_place_in_matrix place
    for lane in range(32):
        for reg in range(out.shape[1]):
            for field in range(fields):
                element = ws_fragment_element(&op.c, lane, reg, field)
                if sm_75 and ws_op_is_wmma(&op.c):
                    place = ws_wmma_element(&op.c, lane, reg * fields + field, True)
                    element.row, element.column = place.row, place.col
                out[lane, reg, field, 0] = element.matrix
                out[lane, reg, field, 1] = element.row
                out[lane, reg, field, 2] = element.column


include "issue.pxi"


@cython.final
cdef class LayoutCore:
    """A layout as C has it; tile/layout.py checks what comes in."""

    cdef ws_layout c
    cdef const long long[::1] rows, cols  # the tables of c, kept alive

    def __cinit__(self, long long rows, long long cols, long long pad, int element_bits, bint packed, bint col_major,
                  int bits, int base, int shift, bint unit_is_byte):
        self.c.rows, self.c.cols, self.c.pad = rows, cols, pad
        self.c.element_bits, self.c.packed, self.c.col_major = element_bits, packed, col_major
        self.c.swizzle.bits, self.c.swizzle.base = _int8("bits", bits), _int8("base", base)
        self.c.swizzle.shift = _int8("shift", shift)
        self.c.swizzle.unit_is_byte = unit_is_byte

    def place(self, const long long[::1] rows not None, const long long[::1] cols not None):
        """Takes the elements before each row and each column from tables instead of from the pitch."""
        self.rows, self.cols = rows, cols
        self.c.row_at, self.c.col_at = <const int64_t *> &rows[0], <const int64_t *> &cols[0]

    @property
    def pitch(self):
        return ws_layout_pitch_bytes(&self.c)

    @property
    def nbytes(self):
        return ws_layout_nbytes(&self.c)

    @property
    def element_bytes(self):
        return ws_layout_element_bytes(&self.c)

    def offsets(self, const long long[::1] rows, const long long[::1] cols, long long[::1] out):
        """Byte offsets of many elements."""
        cdef Py_ssize_t i
        for i in range(out.shape[0]):
            if i % MANY == 0:
                PyErr_CheckSignals()
            out[i] = ws_layout_offset(&self.c, rows[i], cols[i])

    def addresses(self, Op op not None, const long long[::1] rows, const long long[::1] cols, bint by_row,
                  long long[:, ::1] out):
        """Lane addresses at many places; None, or (place, row, column) of the first that leaves the matrix."""
        cdef Py_ssize_t i
        cdef int64_t r, c
        for i in range(rows.shape[0]):
            if i % MANY == 0:
                PyErr_CheckSignals()
            r, c = rows[i], cols[i]
            if not ws_layout_addresses(&self.c, &op.c, &r, &c, by_row, <int64_t *> &out[i, 0]):
                return i, r, c
        return None


include "cost.pxi"


include "tiles.pxi"


include "lint.pxi"


set_simd(os.environ.get("WARPSIM_SIMD", "auto"))
