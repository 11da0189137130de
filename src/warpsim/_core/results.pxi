# needs: Op, _classes (core.pyx), new_array (kept.pxi), COUNTERS (tables.pxi)
# What calls give back: plain values, made of C numbers; arrays and texts on demand. Several threads may ask at once: what is
# made on demand is whole before it is kept, and the first that is kept stays.

cdef dict _inexact_names = {}  # bit set of counters -> their names


cdef tuple _names_of(uint32_t found):
    if found not in _inexact_names:
        _inexact_names[found] = tuple(name for i, name in enumerate(COUNTERS) if found >> i & 1)
    return _inexact_names[found]


cdef bint _is_counts(array):
    return array.dtype == _numpy.int64 and array.ndim > 0 and array.shape[array.ndim - 1] == WS_COUNTER_COUNT


@cython.final
@cython.no_gc
cdef class Traffic:
    """Counters of Nsight Compute, one of each per warp; int64 arrays of the batch's shape, numbers for one warp.

    `.inexact` names the counters that are approximations for these accesses, `.unknown` those
    without a rule (their value is 0). Units: instructions, requests, wavefronts (passes of the
    data banks), sectors of 32 bytes. Source: measurements on one H200.
    """

    cdef ws_counts one      # the counters of a single warp, where there is no array
    cdef object array       # int64 (..., 6), or None
    cdef object waves       # int64 (...), where all warps differ in wavefronts alone, or None
    cdef int64_t groups     # wavefronts without conflicts, of each of these
    cdef readonly tuple inexact
    cdef readonly tuple unknown

    def __cinit__(self, counts=None, tuple inexact=(), tuple unknown=()):
        if counts is not None and (not isinstance(counts, _numpy.ndarray) or not _is_counts(_numpy.asarray(counts))):
            raise TypeError("counts: expected an int64 array (..., 6)")
        self.array, self.inexact, self.unknown = counts, inexact, unknown

    @cython.critical_section
    cdef object columns(self):
        """The array, made once; no thread sees it before it is whole."""
        if self.array is None:
            made = self.spread() if self.waves is not None else self.single()
            if self.array is None:  # another thread may have come in meanwhile
                self.array = made
        return self.array

    cdef object spread(self):
        """Of warps that differ in wavefronts alone."""
        made = new_array(_numpy.empty, (*self.waves.shape, WS_COUNTER_COUNT), _numpy.int64)
        made[...] = (1, 1, 0, self.groups, 0, 0)
        made[..., WS_COUNTER_WAVEFRONTS] = self.waves
        made[..., WS_COUNTER_BANK_CONFLICTS] = self.waves - self.groups
        return made

    cdef object single(self):
        one = &self.one
        return _numpy.array(
            (one.instructions, one.requests, one.wavefronts, one.ideal_wavefronts, one.bank_conflicts, one.sectors),
            _numpy.int64)

    @property
    def instructions(self):
        """PTX instructions."""
        return self.columns()[..., WS_COUNTER_INSTRUCTIONS][()]

    @property
    def requests(self):
        """Memory accesses that the hardware makes of them."""
        return self.columns()[..., WS_COUNTER_REQUESTS][()]

    @property
    def wavefronts(self):
        """Passes of the data banks."""
        return self.columns()[..., WS_COUNTER_WAVEFRONTS][()] if self.waves is None else self.waves

    @property
    def ideal_wavefronts(self):
        """Wavefronts without bank conflicts."""
        return self.columns()[..., WS_COUNTER_IDEAL_WAVEFRONTS][()]

    @property
    def bank_conflicts(self):
        """Wavefronts beyond one per group of lanes."""
        if self.waves is not None:
            return self.waves - self.groups
        return self.columns()[..., WS_COUNTER_BANK_CONFLICTS][()]

    @property
    def sectors(self):
        """32-byte sectors of global memory."""
        return self.columns()[..., WS_COUNTER_SECTORS][()]

    def sum(self):
        """The same, totalled over all warps."""
        if self.waves is None:
            total = self.columns().reshape(-1, WS_COUNTER_COUNT).sum(axis=0, dtype=_numpy.int64)
        else:
            n, waves = self.waves.size, int(self.waves.sum())
            total = _numpy.array((n, n, waves, n * self.groups, waves - n * self.groups, 0), _numpy.int64)
        return Traffic(total, self.inexact, self.unknown)

    def where(self, counted):
        """The same with 0 for the warps that are not counted: bool (...)."""
        shape = self.columns().shape[:-1]
        if not isinstance(counted, (_numpy.ndarray, _numpy.bool_, bool)):
            raise TypeError(f"counted: expected a bool array, got {type(counted).__name__}")
        mask = _numpy.asarray(counted)
        if mask.dtype != bool or mask.shape != shape:
            raise ValueError(f"counted: expected a bool array of shape {shape}, got {mask.dtype} {mask.shape}")
        return Traffic(self.columns() * mask[..., None], self.inexact, self.unknown)

    def to_dict(self):
        """JSON-ready: lists of the batch's shape, plain numbers for one warp."""
        numbers = {name: self.columns()[..., i].tolist() for i, name in enumerate(COUNTERS)}
        return {"schema": "warpsim.traffic/1", **numbers, "inexact": list(self.inexact), "unknown": list(self.unknown)}

    def __eq__(self, other):
        if not isinstance(other, Traffic):
            return False
        return bool(_numpy.array_equal(self.columns(), (<Traffic> other).columns())
                    and self.inexact == other.inexact and self.unknown == other.unknown)

    __hash__ = None

    def __reduce__(self):
        return Traffic, (self.columns(), self.inexact, self.unknown)

    def _repr_html_(self):
        """A table of the totals, for notebooks."""
        total = (<Traffic> self.sum()).columns()
        rows = "".join(f"<tr><th>{name.replace('_', ' ')}</th><td>{total[i]:,}</td></tr>" for i, name in enumerate(COUNTERS))
        warps = self.columns().size // WS_COUNTER_COUNT
        return f"<table><caption>traffic of {warps:,} warp{'s' * (warps != 1)}</caption>{rows}</table>"

    def __repr__(self):
        cdef list parts = []
        for i, name in enumerate(COUNTERS):
            parts.append(f"{name}={self.columns()[..., i].tolist()}")
        parts += [f"inexact={self.inexact}"] if self.inexact else []
        parts += [f"unknown={self.unknown}"] if self.unknown else []
        return f"Traffic({', '.join(parts)})"


@cython.final
@cython.no_gc
cdef class Result:
    """What one call of execute gives.

    `registers`: uint32 (..., 32, num_registers), uint64 where register_bits is 64, None for stores.
    `traffic`: Traffic of shape (...), None with traffic=False. `findings`: a sequence of Finding.
    `ok`: bool (...), False where a warp's behaviour is undefined.
    """

    cdef object taken      # ndarray, None for stores; or made of `own` on demand
    cdef object counted    # Traffic, None if it was not wanted; or made of `one` on demand
    cdef object found      # Findings; None: nothing was found
    cdef object defined    # bool (...); None: all True
    cdef tuple batch       # the shape of the warps, where `defined` is None
    cdef Op op             # of a single warp whose registers and counters are still C numbers, else None
    cdef bint counts
    cdef ws_counts one
    cdef uint32_t own[WS_LANES * WS_MAX_REGISTERS]

    __match_args__ = ("registers", "traffic", "findings", "ok")

    def __cinit__(self, registers=None, traffic=None, findings=None, ok=None):
        self.taken, self.counted, self.found, self.defined = registers, traffic, findings, ok

    @property
    @cython.critical_section
    def registers(self):
        """uint32 (..., 32, num_registers), uint64 where register_bits is 64; None for stores."""
        cdef Py_ssize_t dims[2]
        if self.taken is None and self.op is not None:
            dims[0], dims[1] = WS_LANES, self.op.num_registers
            made = ws_array_new(2, dims, NPY_UINT64 if self.op.register_bits == 64 else NPY_UINT32)
            memcpy(ws_array_data(made), self.own, ws_array_bytes(made))
            if self.taken is None:
                self.taken = made
        return self.taken

    @property
    @cython.critical_section
    def traffic(self):
        """Traffic of shape (...); None with traffic=False."""
        cdef Traffic made
        if self.counted is None and self.op is not None and self.counts:
            made = Traffic.__new__(Traffic)
            made.one, made.inexact = self.one, self.op.inexact
            if self.counted is None:
                self.counted = made
        return self.counted

    @property
    @cython.critical_section
    def findings(self):
        """What was found, in the order warp, lane, misalignment before bounds."""
        if self.found is None:
            made = _classes["findings"]()
            if self.found is None:
                self.found = made
        return self.found

    @property
    @cython.critical_section
    def ok(self):
        """bool (...): False where a warp's behaviour is undefined."""
        if self.defined is None:
            made = _numpy.ones(self.batch if self.batch is not None else (), bool)[()]
            if self.defined is None:
                self.defined = made
        return self.defined

    def __reduce__(self):
        return Result, (self.registers, self.traffic, self.findings, self.ok)

    def __repr__(self):
        return f"Result(registers={self.registers!r}, traffic={self.traffic!r}, findings={self.findings!r}, ok={self.ok!r})"
