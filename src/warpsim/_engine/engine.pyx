# cython: language_level=3, freethreading_compatible=True, embedsignature=False, auto_pickle=False
"""The door to the engine that runs kernels: texts and arrays to pointers, blocks without the GIL, statuses to exceptions.

Nothing is modelled here. Arguments come in checked: C-contiguous arrays of bytes, numbers in range.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport strlen

import operator as _operator
import time as _time

from warpsim import errors
from warpsim.characters import caret_lines_of as _caret_lines_of, printable as _printable
from warpsim.threads.patience import interruptible as _interruptible

CUDA, GLUON = WS_CUDA, WS_GLUON
ARGUMENT, VARIABLE, CONSTANT, PARAMETERS, HEAP = (
    WS_REGION_ARGUMENT, WS_REGION_VARIABLE, WS_REGION_CONSTANT, WS_REGION_PARAMETERS, WS_REGION_HEAP
)
FIRST_GLOBAL = WS_FIRST_GLOBAL
FIRST_PARAMETER = WS_FIRST_PARAMETER
MOST_JUDGED = 1 << 30  # bytes of an array whose accesses are judged
MOST_RELEASES = WS_JOURNAL_CAPACITY  # of blocks to others, in a launch
MOST_PAUSES, MOST_LOOKS = WS_PAUSES, LOOKS  # of a cluster before it signals again; of others meanwhile
MOST_TOUCHED, ALL_TOUCHED = WS_TOUCHED_MOST, WS_TOUCHED_ALL  # bytes of an array whose sectors are counted, of all such
KERNEL_RULES = {ws_kernel_rule_name(rule).decode(): rule for rule in range(1, WS_RUN_END)}
SPACES = {WS_NAME_SHARED: "shared", WS_NAME_GLOBAL: "global", WS_NAME_CONST: "const", WS_NAME_PARAM: "param"}

cdef enum:
    HEAP_PIECES = 1 << 16
    SLICE = 1 << 16  # steps between two looks at what has changed


include "memory.pxi"


def _whole(error, message, text, length):
    """The message of an error about a text, with the line and a caret."""
    return _printable(message) + _caret_lines_of(text, error.column, length)


cdef object _error_of(int status, ws_error *error, bytes text):
    message = error.message[:strlen(error.message)].decode("utf-8", "replace")
    kind = errors.PtxSyntaxError if status == WS_SYNTAX else errors.UnsupportedError if status == WS_NOT_MODELLED else None
    if kind is None:
        return ValueError(message)
    if error.column >= 0:
        before = text[:error.column]
        column = len(before[before.rfind(b"\n") + 1:].decode("utf-8", "replace")) + 1
        message = f"line {before.count(10) + 1}, column {column}: {message}"
    return kind(message, error.column, _whole, text, error.length)


cdef tuple _numbers(const uint32_t *numbers, uint32_t count):
    cdef list found = []
    for i in range(count):
        found.append(numbers[i])
    return tuple(found)


@cython.final
cdef class Module:
    """A PTX text, read: its functions and variables by number. `language`: ws_language, in whose words it is told."""
    cdef public int language
    cdef bytes text
    cdef _Bytes memory
    cdef ws_module c
    cdef bytes labels

    def __init__(self, bytes text):
        cdef ws_error error
        cdef void *memory
        cdef int status
        self.text = text
        cdef const char *begin = <const char *> text
        cdef size_t length = len(text)
        cdef size_t nbytes
        with nogil:
            nbytes = ws_module_bytes(begin, length)
        self.memory = _Bytes(nbytes, sparse=True)
        memory = self.memory.bytes
        with nogil:
            status = ws_module_parse(begin, length, memory, &self.c, &error)
            if status == WS_OK:
                status = ws_module_check(&self.c, &error)
        if status != WS_OK:
            raise _error_of(status, &error, text)
        self.language = ws_language_of(&self.c)

    cdef str _name(self, ws_span span):
        return self.text[span.begin:span.end].decode("utf-8", "replace")

    @property
    def version(self):
        return self.c.version

    @property
    def targets(self):
        cdef list found = []
        for i in range(self.c.target_count):
            found.append(self._name(self.c.targets[i]))
        return tuple(found)

    @property
    def statement_count(self):
        return self.c.statement_count

    def entries(self):
        """(name, number, first parameter, parameters, statements, maxntid, reqntid, cluster, minnctapersm,
        maxclusterrank, explicitcluster) of each kernel with a body."""
        cdef const ws_function *f
        found = []
        for i in range(self.c.function_count):
            f = &self.c.functions[i]
            if not f.is_entry or f.is_declaration:
                continue
            found.append((
                self._name(f.name), i, f.first_parameter, f.parameter_count, f.statement_count, (f.maxntid.x, f.maxntid.y, f.maxntid.z),
                (f.reqntid.x, f.reqntid.y, f.reqntid.z), (f.cluster.x, f.cluster.y, f.cluster.z), f.minnctapersm,
                f.maxclusterrank, bool(f.explicit_cluster),
            ))
        return found

    def function(self, uint32_t number):
        """The name of a function."""
        if number >= self.c.function_count:
            raise IndexError(f"the module has {self.c.function_count} functions")
        return self._name(self.c.functions[number].name)

    def variables(self):
        """(name, space, type, bytes, alignment, is an array, whether it is in a function, is external) of each, in order."""
        cdef const ws_variable *v
        found = []
        for i in range(self.c.variable_count):
            v = &self.c.variables[i]
            found.append((
                self._name(v.name), SPACES.get(v.space, "local"), ws_type_word(v.type).decode(), v.nbytes, v.align, bool(v.is_array),
                v.function != WS_NO_INDEX, v.linkage == WS_LINKAGE_EXTERN,
            ))
        return found

    def initial(self, uint32_t number):
        """The pieces of bytes that a variable begins with: (where, bytes); and its relocations: (where, bytes, what, is a function, addend, shift)."""
        cdef const ws_variable *v = &self.c.variables[number]
        cdef const ws_initial_run *run
        cdef const ws_relocation *r
        pieces = []
        addresses = []
        for i in range(v.run_count):
            run = &self.c.runs[v.first_run + i]
            pieces.append((run.at, (<const char *> self.c.bytes + run.first)[:run.count]))
        for i in range(v.relocation_count):
            r = &self.c.relocations[v.first_relocation + i]
            addresses.append((r.at, r.nbytes, r.symbol, bool(r.is_function), r.addend, r.shift))
        return pieces, addresses

    def function_address(self, uint32_t number):
        """What a pointer to a function holds."""
        return ws_function_address(<uint32_t> (ws_module_definition(&self.c, number) - self.c.functions))

    def place(self, uint32_t statement):
        """Line and column of a statement, and its opcode."""
        cdef const ws_statement *s = &self.c.statements[statement]
        cdef ws_place_in_text place = ws_module_place(&self.c, s.at)
        cdef const ws_opcode *opcode = &self.c.opcodes[s.opcode]
        return place.line, place.column, opcode.text[:opcode.length].decode("utf-8", "replace")

    def source(self, uint32_t statement):
        """The source file of a statement, an index of files(), and its line; -1 where nothing is said."""
        cdef uint32_t at = self.c.statements[statement].location
        if at == WS_NO_INDEX:
            return -1, -1
        return <int32_t> self.c.locations[at].file, self.c.locations[at].line

    def frames(self, uint32_t statement):
        """The source lines of a statement, the user's outermost first: (file, an index of files(), line, function)."""
        return _frames(self, statement)

    def files(self):
        """The names of the source files."""
        return _files(self)


@cython.final
cdef class Program:
    """A kernel of a module, decoded for a target. `refused`: statements that are not modelled."""
    cdef readonly Module module
    cdef _Bytes memory
    cdef ws_kernel c
    cdef readonly tuple refused

    def __init__(self, Module module, uint32_t kernel, int target, int simd, bint contracts):
        cdef ws_chosen chosen
        cdef ws_error error
        cdef ws_refused refused
        cdef ws_arena arena = ws_arena_make(NULL, 0)
        cdef int status
        self.module = module
        chosen.kernel, chosen.target, chosen.simd, chosen.contracts = kernel, target, simd, contracts
        with nogil:
            status = ws_kernel_make(&module.c, &chosen, &arena, &self.c, &refused, &error)
        self.memory = _Bytes(arena.wanted, sparse=True)
        arena = self.memory.arena()
        with nogil:
            status = ws_kernel_make(&module.c, &chosen, &arena, &self.c, &refused, &error)
        self.refused = ()
        if status == WS_NOT_MODELLED:
            self.refused = _numbers(refused.statements, refused.count)
        elif status != WS_OK:
            raise _error_of(status, &error, module.text)

    @property
    def shared_bytes(self):
        return self.c.static_shared_bytes

    @property
    def local_bytes(self):
        return self.c.callees[0].locals

    @property
    def parameter_bytes(self):
        return self.c.parameter_bytes

    @property
    def steps(self):
        return self.c.num_steps

    @property
    def needs_heap(self):
        """Does it call malloc, vprintf or the like?"""
        return self.c.num_system_calls != 0

    @property
    def meets(self):
        """Does it ask for the workspace of its grid, where the blocks of a grid meet?"""
        return ws_kernel_meets(&self.c)

    def statements(self):
        """The statement of each step."""
        cdef list found = []
        for i in range(self.c.num_steps):
            found.append(self.c.steps[i].statement)
        return found

    def offset(self, uint32_t variable):
        """Where a parameter or a shared variable lies, or None."""
        cdef uint32_t at = self.c.offset_of[variable]
        return None if at == WS_NO_INDEX else at


cdef class _View:
    """A buffer that is held while a launch runs."""
    cdef Py_buffer view
    cdef bint held

    def __cinit__(self, object array, bint writable):
        self.held = False
        PyObject_GetBuffer(array, &self.view, PyBUF_WRITABLE if writable else PyBUF_SIMPLE)
        self.held = True

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)


@cython.final
cdef class Launch:
    """What all blocks of a launch share. Each thread of the caller runs blocks by `run`.

    `stop`: (rule of kernels, own rule of an instruction or -1, statement, warp, lanes, block, address or None, near, what
    happened, where all stand that wait, fix), or None. `names`: those that messages have (_Words).
    """
    cdef Program program
    cdef ws_launch c
    cdef ws_output output
    cdef list views
    cdef _Bytes regions, variables, printed, pieces, counted, sectors
    cdef uint8_t lock, tally
    cdef readonly uint64_t steps, done
    cdef uint64_t events, resting_at, stops_at  # stops_at: rules whose findings end it
    cdef size_t fits, residents, most_residents, resting, runners
    cdef readonly object stop
    cdef _Picked picked
    cdef _Shadows shadows
    cdef readonly bytes found  # by the checks: rows of ws_found, with statements instead of steps
    cdef readonly uint64_t overlooked  # accesses that were not compared with all that came to their place before
    cdef readonly uint64_t lost, reaches, crowded  # findings without room; is there one of two blocks? are objects without?
    cdef readonly bytes sampled  # addresses: a ws_sample for each step that may access shared memory, if counted
    cdef readonly set inexact  # statements without an exact rule that ran
    cdef public bint cancelled, is_late  # is_late: it ends as if its steps were used up
    cdef bytes parameters, made
    cdef object names

    def __init__(self, Program program not None, shape, list regions not None, picked, bint alone):
        self.program = program
        self.parameters, self.made = shape.parameters, shape.made
        self.stops_at, self.names = shape.stops_at, shape.names
        self._take(regions)
        self._give_output(shape.printed_bytes, shape.heap)
        self._describe(shape)
        self.c.lock = NULL if alone else &self.lock
        self.stop = None
        self.events = 1
        self.resting_at = self.resting = self.runners = self.residents = 0
        self.fits = self.most_residents = ws_launch_resident(&self.c)
        self.picked = _Picked(*picked, shape.checks)
        self.c.picked = self.picked.c
        self.inexact = set()
        self.cancelled = self.is_late = False
        self.counted = _Bytes(program.c.num_steps * sizeof(ws_line)) if shape.counts else None
        self.sectors = _Bytes(ws_touched_words(&self.c.memory) * 8) if shape.counts else None
        self.found = b""
        self.lost = self.reaches = self.crowded = self.overlooked = 0
        self.shadows = _Shadows(self, list(map(_operator.itemgetter(6), regions)), alone) if shape.checks else None

    cdef _give_output(self, size_t printed_bytes, heap):
        """Room for what the kernel prints, and for the pieces of its heap."""
        self.printed = _Bytes(printed_bytes)
        self.pieces = _Bytes(HEAP_PIECES * sizeof(ws_heap_piece) if heap[1] else 0)
        self.output.bytes = <uint8_t *> self.printed.bytes
        self.output.capacity = printed_bytes
        self.output.heap_base, self.output.heap_bytes = heap
        self.output.pieces = <ws_heap_piece *> self.pieces.bytes
        self.output.piece_capacity = HEAP_PIECES if heap[1] else 0
        self.c.output = &self.output

    cdef _describe(self, shape):
        """The launch as the core takes it."""
        cluster = shape.cluster or (1, 1, 1)
        self.variables = _Bytes(len(shape.variables) * 8)
        for i, value in enumerate(shape.variables):
            (<uint64_t *> self.variables.bytes)[i] = value
        self.c.program = &self.program.c
        self.c.variables = <uint64_t *> self.variables.bytes
        self.c.parameters = <const uint8_t *> self.parameters
        for i in range(3):
            self.c.grid[i], self.c.threads[i], self.c.cluster[i] = shape.grid[i], shape.block[i], cluster[i]
        self.c.has_clusters, self.c.is_strict = shape.cluster is not None, shape.strict
        self.c.shared_bytes, self.c.stack_bytes = shape.shared_bytes, shape.stack_bytes
        self.c.order, self.c.simd, self.c.workspace = shape.order, shape.simd, shape.workspace

    @property
    def unjudged(self):
        """The owners of regions that are too large to be judged."""
        return [] if self.shadows is None else self.shadows.skipped

    @property
    def unordered(self):
        """Whether blocks released or stored more than is kept: from then on they count as ordered."""
        if self.shadows is None:
            return False
        journal = <ws_journal *> self.shadows.journal.bytes
        return journal.is_full or journal.flags.is_missed

    @property
    def leaks(self):
        """What malloc gave and nobody freed, as rows of `found`."""
        return _leaks(self) if self.shadows is not None and self.stop is None else b""

    def lines(self):
        """Counters of each step: a ws_line each; None if nothing was counted."""
        cdef size_t nbytes = self.program.c.num_steps * sizeof(ws_line)
        return None if self.counted is None else (<const char *> self.counted.bytes)[:nbytes]

    def touched(self):
        """Sectors of global memory, a bit each, as ws_touched has them: 64-bit words; None if nothing was counted."""
        cdef size_t nbytes = ws_touched_words(&self.c.memory) * 8
        return None if self.sectors is None else (<const char *> self.sectors.bytes)[:nbytes]

    cdef _take(self, list regions):
        """The memory: (base, array, owner, kind, is read-only, marks of its bytes or None, ...) of each region."""
        cdef ws_region *region
        cdef _View view
        self.views = []
        self.regions = _Bytes(len(regions) * sizeof(ws_region))
        for i, (base, array, owner, kind, read_only, marks, _) in enumerate(regions):
            region = <ws_region *> self.regions.bytes + <size_t> i
            view = _View(array, not read_only)
            self.views.append(view)
            region.base = base
            region.nbytes = view.view.len
            region.bytes = <uint8_t *> view.view.buf
            region.owner = owner
            region.kind = kind
            region.is_read_only = read_only
            if marks is not None:
                view = _View(marks, True)
                self.views.append(view)
                region.marks = <uint8_t *> view.view.buf
        self.c.memory.regions = <ws_region *> self.regions.bytes
        self.c.memory.count = _uint32("regions", len(regions))

    def run(self, uint64_t max_steps, bint looks, object look=None):
        """Runs clusters (blocks, where clusters have one) until none is left; threads take those that no other has taken.

        `looks`: for Ctrl-C, and calls `look`, several times a second.
        """
        _Turns(self, max_steps, looks, look).run()

    def printed_records(self, size_t begin):
        """(bytes of all records from a place on, how many records were lost)"""
        ws_lock(&self.output.lock)
        try:
            return (<const char *> self.output.bytes)[begin:self.output.used], self.output.lost
        finally:
            ws_unlock(&self.output.lock)


include "../_core/narrow.pxi"
include "opcodes.pxi"
include "picked.pxi"
include "observers.pxi"
include "tally.pxi"
include "residents.pxi"
include "statements.pxi"
include "told.pxi"
include "stops.pxi"
