# needs: _finish (calls.pxi), _classes, _error_of, _legality_found, _to_be_filled (core.pyx), _int (narrow.pxi), _error_in, parse (parse.pxi), _simd (simd.pxi), LAYOUTS, OPERANDS, TYPES, _words (tables.pxi)
# The door to products: values, their legality, where elements are, and the multiplication.
cdef extern from "warpsim/mma.h" nogil:
    enum:
        WS_MMA_KIND_COUNT, WS_MMA_ROUNDING_COUNT, WS_MMA_BITS_COUNT, WS_MMA_NARROW_COUNT, WS_OPERAND_A, WS_OPERAND_B, WS_OPERAND_C, WS_OPERAND_D
    ctypedef struct ws_mma:
        uint8_t kind, m, n, a_layout, b_layout, d, a, b, c, satfinite, bits, rounding, narrow, scale_vec, scale, form
        uint16_t k
    const char *ws_mma_kind_word(int kind)
    const char *ws_mma_rounding_word(int rounding)
    const char *ws_mma_bits_word(int bits)
    const char *ws_mma_narrow_word(int narrow)
    bint ws_mma_equal(const ws_mma *x, const ws_mma *y)
    bint ws_mma_is_text(const char *bytes, size_t length)
    ws_status ws_mma_parse_text(const char *bytes, size_t length, ws_mma *mma, ws_error *error)
    void ws_text_add_mma(ws_text *text, const ws_mma *mma)
    int ws_mma_bits_of(const ws_mma *mma, int operand)
    int ws_mma_registers(const ws_mma *mma, int operand)
    int ws_mma_type(const ws_mma *mma, int operand)
    int ws_mma_selectors(const ws_mma *mma)
    int ws_mma_indices(const ws_mma *mma)
    ctypedef struct ws_mma_place:
        uint8_t product, row
        uint16_t col
    ws_mma_place ws_mma_place_at(const ws_mma *mma, int operand, int lane, int i)
    ws_mma_place ws_mma_index_at(const ws_mma *mma, int lane, int i)
    ws_mma_place ws_mma_scale_at(const ws_mma *mma, int operand, int lane, int i)
    ctypedef struct ws_mma_scale_id:
        uint32_t byte, thread
    ws_legality ws_mma_legality_of(const ws_mma *mma, int target, int ptx)
    int ws_mma_min_ptx_at(const ws_mma *mma, int target)
    ctypedef struct ws_mma_batch:
        const uint32_t *a
        const uint32_t *b
        const uint32_t *c
        const uint32_t *metadata
        uint32_t *d
        int selector
        const uint32_t *scales[2]
        ws_mma_scale_id scale_id[2]
    ctypedef struct ws_mma_plan:
        pass
    ws_status ws_mma_plan_make(const ws_mma *mma, int sm, int selector, int simd, ws_mma_plan *plan, ws_error *error)


MOST_THREADS = WS_POOL_MOST
PRODUCTS = tuple(_words(ws_mma_kind_word, WS_MMA_KIND_COUNT, 1))
ROUNDINGS = tuple(_words(ws_mma_rounding_word, WS_MMA_ROUNDING_COUNT, 0))
NARROW_KINDS = tuple(_words(ws_mma_narrow_word, WS_MMA_NARROW_COUNT, 0))
BIT_OPERATIONS = tuple(_words(ws_mma_bits_word, WS_MMA_BITS_COUNT, 0))


cdef class Product:
    """A product of a warp: the C value, its words as properties. Subclassed in instruction/products.py."""

    cdef ws_mma value
    cdef readonly str ptx, kind, shape, a_layout, b_layout, d, a, b, c, bits, rounding, narrow, scale_type
    cdef readonly bint satfinite, is_sparse
    cdef readonly int selectors, scale_vec
    cdef tuple counts  # registers of d, a, b, c

    def __cinit__(self, text=None):
        cdef ws_error error
        cdef int status
        if text is _to_be_filled:
            return
        if type(self) is Product or type(self) is _classes.get("product") or not isinstance(text, str):
            raise TypeError("expected one of the products, such as Mma(shape='m16n8k16'), or parse(text)")
        data = text.encode("utf-8", "replace")
        cdef const char *bytes_ = data
        status = ws_mma_parse_text(bytes_, len(data), &self.value, &error)
        if status != WS_OK:
            raise _error_of(status, &error)
        self.describe()

    def __eq__(self, other):
        return isinstance(other, Product) and ws_mma_equal(&self.value, &(<Product> other).value)

    def __hash__(self):
        return hash(self.ptx)

    def __reduce__(self):
        return parse, (self.ptx,)

    cdef void describe(self):
        """The words and numbers of the C value, once."""
        cdef char text[240]
        cdef ws_text writer = ws_text_make(text, sizeof(text))
        cdef const ws_mma *mma = &self.value
        ws_text_add_mma(&writer, mma)
        self.ptx = text.decode()
        self.kind = ws_mma_kind_word(mma.kind).decode()
        self.shape = f"m{mma.m}n{mma.n}k{mma.k}"
        self.a_layout, self.b_layout = LAYOUTS[mma.a_layout], LAYOUTS[mma.b_layout]
        self.d, self.a, self.b, self.c = TYPES[mma.d], TYPES[mma.a], TYPES[mma.b], TYPES[mma.c]
        self.bits, self.rounding = BIT_OPERATIONS[mma.bits], ROUNDINGS[mma.rounding]
        self.narrow, self.scale_vec, self.scale_type = NARROW_KINDS[mma.narrow], mma.scale_vec, TYPES[mma.scale]
        self.satfinite, self.selectors = mma.satfinite, ws_mma_selectors(mma)
        self.is_sparse = self.selectors != 0

    @property
    def num_registers(self):
        """32-bit registers of a lane, for each operand; an f64 value takes two."""
        return {name: ws_mma_registers(&self.value, OPERANDS.index(name)) for name in ("d", "a", "b", "c")}


cdef object _product_of(str text, bytes data, tell):
    """The product that a text is, or the exception that points into it."""
    cdef ws_error error
    cdef ws_mma mma
    cdef const char *bytes_ = data
    cdef int status = ws_mma_parse_text(bytes_, len(data), &mma, &error)
    if status != WS_OK:
        return _error_in(status, &error, text, data, tell)
    cdef Product made = Product.__new__(_classes[ws_mma_kind_word(mma.kind).decode()], _to_be_filled)
    made.value = mma
    made.describe()
    return made


def element_bits(Product op not None, str operand not None):
    """Bits of an element of an operand in its registers."""
    return ws_mma_bits_of(&op.value, OPERANDS.index(operand))


def product_min_ptx_at(Product op not None, int target):
    """The lowest PTX version (86 for 8.6) at which the product is legal at the target; 0: never."""
    return ws_mma_min_ptx_at(&op.value, target)


def product_legality(Product op not None, int target, int ptx):
    """As legality, of a product."""
    return _legality_found(ws_mma_legality_of(&op.value, target, ptx))


def product_fragment(Product op not None, str operand not None, int32_out):
    """Fills an int32 array (32, registers, fields, 3) with product (metadata: selector; scales: thread and byte), row and column."""
    cdef int[:, :, :, ::1] out = int32_out
    cdef bint scales = operand in ("scale_a", "scale_b")
    cdef int fields = _int("fields", out.shape[2])
    cdef int lane, reg, field, index = 0 if operand == "metadata" else OPERANDS.index(operand[-1])
    cdef ws_mma_place place
    for lane in range(32):
        for reg in range(out.shape[1]):
            for field in range(fields):
                if index == 0:
                    place = ws_mma_index_at(&op.value, lane, field)
                elif scales:
                    place = ws_mma_scale_at(&op.value, index, lane, field)
                else:
                    place = ws_mma_place_at(&op.value, index, lane, reg * fields + field)
                out[lane, reg, field, 0] = place.product
                out[lane, reg, field, 1] = place.row
                out[lane, reg, field, 2] = place.col


cdef const uint32_t *_registers_at(str name, object array, size_t words) except? NULL:
    """The words of an array, which an argument that was read after it may have made smaller."""
    if array is None:
        return NULL
    if ws_array_bytes(array) != words * 4:
        raise ValueError(f"{name}: changed its size during the call")
    return <const uint32_t *> ws_array_data(array)


def multiply(Product op not None, a, b, c, metadata, scales, ids, d, int selector, int target, size_t threads):
    """Fills d; all are C-contiguous uint32 arrays of n products, metadata None if the product is not sparse.

    scales: the factors of A and of B, None without block scaling; ids: the byte and the thread of each."""
    cdef ws_error error
    cdef ws_mma_plan plan
    cdef ws_batch batch
    cdef ws_mma_batch operands
    cdef int sm = ws_target(target).number
    cdef int i
    cdef size_t n = ws_array_bytes(d) // (128 * ws_mma_registers(&op.value, WS_OPERAND_D))
    cdef size_t lanes = n * 32
    cdef int status = ws_mma_plan_make(&op.value, sm, selector, _simd, &plan, &error)
    if status != WS_OK:
        raise _error_of(status, &error)
    for i in range(2):
        operands.scale_id[i].byte, operands.scale_id[i].thread = ids[i]
        operands.scales[i] = _registers_at("scale_" + "ab"[i], scales[i], lanes)
    operands.a = _registers_at("a", a, lanes * ws_mma_registers(&op.value, WS_OPERAND_A))
    operands.b = _registers_at("b", b, lanes * ws_mma_registers(&op.value, WS_OPERAND_B))
    operands.c = _registers_at("c", c, lanes * ws_mma_registers(&op.value, WS_OPERAND_C))
    operands.metadata = _registers_at("metadata", metadata, lanes)
    operands.d, operands.selector = <uint32_t *> ws_array_data(d), selector
    batch.job, batch.plan, batch.operands = WS_BATCH_MULTIPLY, &plan, &operands
    _finish(&batch, n, threads, False)
