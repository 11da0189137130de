# needs: Op, _make_sure, _refusal (core.pyx), Image (image.pxi), _array (kept.pxi), Result, Traffic (results.pxi), _simd (simd.pxi)
# The short way through a call: loads from shared memory by all lanes, with arrays that need no conversion. What is not
# like that, and whatever has a finding, takes the long way through instruction/call.py, which gives the same answer.

cdef str _TRAFFIC = sys.intern("traffic")
cdef str _OUT = sys.intern("out")
cdef str _THREADS = sys.intern("threads")
cdef ws_pool _threads
cdef enum:
    HELD = 64            # warps of a call that keeps the GIL
    MOST_DIMS = 8
    ROOMY = 1 << 26      # bytes from which on memory_limit.py is asked


cdef bint _apart(const char *a, size_t a_bytes, const char *b, size_t b_bytes):
    return a + a_bytes <= b or b + b_bytes <= a


cdef bint _finish(ws_batch *batch, size_t n, size_t threads, bint stop) except -1:
    """All warps; with `stop` only while nothing is found. Was nothing found?"""
    cdef bint done = False
    if n <= HELD:
        ws_batch_deal(batch, n, 1, stop)
        ws_batch_range(batch, 0)
        return ws_batch_is_clean(batch)
    ws_batch_deal(batch, n, threads, stop)
    while not done:
        with nogil:
            done = ws_batch_round(batch, &_threads)
        PyErr_CheckSignals()
    return ws_batch_is_clean(batch)


cdef ws_plan _plan_of(Op op):
    """Prepared once for the op, at the level of this call."""
    cdef ws_plan plan = op.plan
    plan.level = ws_simd_level(_simd)
    return plan


cdef Traffic _counters(Op op, ws_call *call, int rank, Py_ssize_t *dims, ws_batch *batch):
    """Room for the counters of warps that all run, which the batch is to fill; dims are those of the addresses."""
    cdef Traffic counted = Traffic.__new__(Traffic)
    cdef Py_ssize_t shape[MOST_DIMS]
    cdef int i
    batch.counts, batch.wavefronts = NULL, NULL
    counted.inexact = op.inexact
    if rank == 1:
        batch.counts = &counted.one
        return counted
    for i in range(rank - 1):
        shape[i] = dims[i]
    if ws_count_is_uniform(call.plan, call.access):
        counted.waves, counted.groups = _array(rank - 1, shape, NPY_INT64), 32 // op.group_lanes
        batch.wavefronts = <int64_t *> ws_array_data(counted.waves)
    else:
        shape[rank - 1] = WS_COUNTER_COUNT
        counted.array = _array(rank, shape, NPY_INT64)
        batch.counts = <ws_counts *> ws_array_data(counted.array)
    return counted


cdef size_t _need(ws_call *call, bint registers, bint traffic):
    """Bytes of what a call makes of its warps."""
    cdef size_t each = call.plan.warp_bytes if registers else 0
    if traffic:
        each += 8 if ws_count_is_uniform(call.plan, call.access) else sizeof(ws_counts)
    return call.access.n * each


cdef Traffic _count_short(Op op, ws_access *access, object address, size_t threads):
    """Counters of warps that all run."""
    cdef ws_batch batch
    cdef Traffic counted
    cdef ws_plan plan = _plan_of(op)
    cdef ws_call call = ws_call_make(&plan, NULL, access, NULL)
    cdef size_t need = _need(&call, False, True)
    if need >= ROOMY:
        _make_sure(access.n, need)
    try:
        counted = _counters(op, &call, ws_array_rank(address), ws_array_shape(address), &batch)
    except MemoryError:
        raise _refusal("address", access.n, need)
    batch.job, batch.call = WS_BATCH_COUNT, &call
    _finish(&batch, access.n, threads, False)
    return counted


cdef bint _reach(object address, ws_access *access):
    """Addresses (..., 32) that C can take as they are."""
    cdef size_t n = 1
    cdef int i, rank
    if not ws_array_is_plain(address, NPY_UINT32):
        return False
    rank = ws_array_rank(address)
    if rank == 0 or rank + 1 > MOST_DIMS or ws_array_shape(address)[rank - 1] != 32:
        return False
    for i in range(rank - 1):
        n *= ws_array_shape(address)[i]
    access[0] = ws_access_make(<const uint32_t *> ws_array_data(address), n)
    access.simd = _simd
    return n > 0


cdef object _output(Op op, object address, object memory, object out):
    """Registers for the addresses: `out` if it can be taken as it is, a new array, or None."""
    cdef Py_ssize_t dims[MOST_DIMS]
    cdef int dtype = NPY_UINT64 if op.register_bits == 64 else NPY_UINT32
    cdef int i, rank = ws_array_rank(address)
    for i in range(rank):
        dims[i] = ws_array_shape(address)[i]
    dims[rank] = op.num_registers
    if out is None:
        return _array(rank + 1, dims, dtype)
    if not ws_array_is_plain(out, dtype) or not ws_array_is_writeable(out) or ws_array_rank(out) != rank + 1:
        return None
    for i in range(rank + 1):
        if ws_array_shape(out)[i] != dims[i]:
            return None
    held = (<Image> memory)._bytes
    for other in (address, held):
        if not _apart(ws_array_data(out), ws_array_bytes(out), ws_array_data(other), ws_array_bytes(other)):
            return None
    return out


cdef Result _one_short(Op op, ws_memory *memory, ws_access *access, bint traffic):
    """A single warp: numbers that become arrays when they are asked for; None: take the long way."""
    cdef Result result = Result.__new__(Result)
    cdef ws_findings sink
    cdef ws_plan plan = _plan_of(op)
    cdef ws_call call = ws_call_make(&plan, memory, access, result.own)
    sink.items, sink.capacity, sink.count = NULL, 0, 0
    if ws_execute_range(&call, 0, 1, &sink) != 1 or sink.count != 0:
        return None
    result.op, result.counts = op, traffic
    if traffic:
        ws_count_range(call.plan, access, 0, 1, &result.one, NULL)
    return result


cdef Result _execute_short(Op op, object memory, object address, bint traffic, object out, size_t threads):
    """The result, or None: take the long way."""
    cdef ws_access access
    cdef ws_plan plan
    cdef ws_call call
    cdef ws_batch batch, counts
    cdef Result result
    cdef size_t need
    cdef int i, rank
    if not op.is_short or not isinstance(memory, Image) or not (<Image> memory).shared or not (<Image> memory).is_there() \
            or not _reach(address, &access):
        return None
    rank = ws_array_rank(address)
    if rank == 1 and out is None:
        return _one_short(op, &(<Image> memory).memory, &access, traffic)
    plan = _plan_of(op)
    call = ws_call_make(&plan, &(<Image> memory).memory, &access, NULL)
    need = _need(&call, out is None, traffic)
    if need >= ROOMY:
        _make_sure(access.n, need)
    result = Result.__new__(Result)
    try:
        registers = _output(op, address, memory, out)
        if registers is None:
            return None
        if traffic:
            result.counted = _counters(op, &call, rank, ws_array_shape(address), &counts)
    except MemoryError:
        raise _refusal("address", access.n, need)
    call.registers = ws_array_data(registers)
    batch.call, batch.counts, batch.wavefronts = &call, NULL, NULL
    batch.job = WS_BATCH_CHECK  # what the caller gave is not touched before all is known to be well
    if out is not None and not _finish(&batch, access.n, threads, True):
        return None
    call.checked = out is not None
    result.taken = registers
    if traffic:
        batch.counts, batch.wavefronts = counts.counts, counts.wavefronts
    batch.job = WS_BATCH_EXECUTE
    if not _finish(&batch, access.n, threads, True):
        return None
    if rank > 1:
        result.batch = address.shape[:rank - 1]
    return result


cdef dict _named(PyObject **args, Py_ssize_t positional, PyObject *names):
    """The keyword arguments of a vector call."""
    return {} if names is NULL else {name: <object> args[positional + i] for i, name in enumerate(<tuple> names)}


cdef size_t _threads_of(object value):
    """How many threads; 0: the long way complains."""
    return min(<Py_ssize_t> value, WS_POOL_MOST) if type(value) is int and 0 < value < 1 << 30 else 0


cdef object _execute(Op op, PyObject **args, Py_ssize_t positional, PyObject *names):
    cdef Result result = None
    cdef object traffic = True, out = None
    cdef size_t threads = 1
    cdef Py_ssize_t i
    cdef bint known = positional == 2
    if known and names is not NULL:
        for i, name in enumerate(<tuple> names):
            value = <object> args[positional + i]
            if name is _TRAFFIC or name == _TRAFFIC:  # names of calls are nearly always these very objects
                traffic = value
            elif name is _OUT or name == _OUT:
                out = value
            elif name is _THREADS or name == _THREADS:
                threads = _threads_of(value)
            else:
                known = False
    if known and threads > 0 and type(traffic) is bool:
        result = _execute_short(op, <object> args[0], <object> args[1], traffic, out, threads)
        if result is not None:
            return result
    return op._execute(*[<object> args[i] for i in range(positional)], **_named(args, positional, names))


cdef object _traffic(Op op, PyObject **args, Py_ssize_t positional, PyObject *names):
    cdef ws_access access
    cdef size_t threads = 1
    cdef Py_ssize_t i
    cdef bint known = positional == 1 and op.is_countable
    if known and names is not NULL:
        for i, name in enumerate(<tuple> names):
            if name is _THREADS or name == _THREADS:
                threads = _threads_of(<object> args[positional + i])
            else:
                known = False
    if known and threads > 0 and _reach(<object> args[0], &access):
        address = <object> args[0]
        return _count_short(op, &access, address, threads)
    return op._traffic(*[<object> args[i] for i in range(positional)], **_named(args, positional, names))


# Methods made by hand: below Python 3.12 the limited API has vector calls for these alone.
cdef PyMethodDef _execute_method = [b"execute", <void *> _execute, METH_FASTCALL | METH_KEYWORDS, b"""\
execute($self, memory, address, registers=None, *, source=None, stride=None, active=4294967295, exited=0, target=None, on_ub='raise', traffic=True, threads=1, out=None)
--

The Result for every warp of `address`: registers, traffic, findings.

- `memory`: a SharedMemory, GlobalMemory or AddressSpace, as the state space asks; None for movmatrix.
- `address`: byte addresses, integers (..., 32): the last axis is the lanes, any number of warps in
  front; wmma also takes an int or (..., 1), p of all lanes. Lanes that the instruction does not ask may
  hold anything. uint32 (shared) and uint64 (global, generic) arrays are used without a copy.
- `registers`: what stores and movmatrix read, (..., 32, num_registers).
- `source`: cp.async's global addresses, like `address`.
- `stride`: wmma's, in elements; an int, (...) or (..., 32); left out: the default.
- `active`, `exited`: lane masks, an int or an array of shape (...).
- `target`: the instruction must be legal there, and that target's rules hold; None: the rules of
  sm_80 and later.
- `on_ub`: "raise" stops before any memory is changed, "record" gives warps with an error ok=False and
  zero registers and lets them store nothing, "hardware" does what the silicon of `target` was measured to do.
- `traffic`: False leaves the counters out; `threads` splits loads and counting over warps.
- `out`: a uint32 (or uint64) array that takes a load's registers.

Errors: UndefinedBehaviorError and its subclasses, UnsupportedError, HardwareTrap,
UnknownHardwareBehaviorError; TypeError and ValueError name the argument."""]
cdef PyMethodDef _traffic_method = [b"traffic", <void *> _traffic, METH_FASTCALL | METH_KEYWORDS, b"""\
traffic($self, address, *, source=None, stride=None, active=4294967295, target=None, threads=1)
--

What the accesses cost the memory, in Nsight Compute's counters; needs no memory.

`address`: (..., 32). Never raises for undefined behaviour: rows are rounded down to their
alignment, a partial mask of an .aligned instruction counts as full. cp.async without
`source`: the lanes copy consecutive bytes from a 128-byte boundary on.

>>> import numpy as np, warpsim as ws
>>> lane = np.arange(32)
>>> ws.Ldmatrix(num=4).traffic(lane % 8 * 256 + lane // 8 * 16).sum().bank_conflicts.item()
28"""]


def _make_pool():
    """A pool without threads, at import and in the child of a fork."""
    if not ws_pool_make(&_threads):
        raise MemoryError("no memory for a lock")


_make_pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_make_pool)
EXECUTE = PyDescr_NewMethod(Op, &_execute_method)
TRAFFIC = PyDescr_NewMethod(Op, &_traffic_method)
