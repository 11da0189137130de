# needs: Op, _classes, _error_of, _to_be_filled, _whole (core.pyx), _product_of (mma.pxi), _int (narrow.pxi)
# The door to the parser: a text to the one object that stands for its instruction.
cdef dict _ops = {}  # the fields that tell instructions apart, as one number -> the instruction


cdef Op _op_of(const ws_op *op):
    """The one object that stands for a valid instruction."""
    cdef uint64_t key = op.kind | op.shape << 4 | op.type << 8 | op.space << 13 | op.num << 15 | op.trans << 18
    key |= <uint64_t> (op.vec | op.size_bytes << 3 | op.cache << 8 | op.operand << 10 | op.layout << 13) << 20
    cdef Op made = _ops.get(key)
    if made is None:
        made = Op.__new__(_classes[ws_kind_word(op.kind).decode()], _to_be_filled)
        made.c = op[0]
        made.describe()
        made = _ops.setdefault(key, made)  # another thread may have made it meanwhile
    return made


cdef object _error_in(int status, ws_error *error, str text, bytes data, tell):
    """The exception of a text that is `data` in UTF-8."""
    if error.column >= 0 and not text.isascii():
        error.column = _int("column", len(data[:error.column].decode("utf-8", "replace")))
    return _error_of(status, error, text, tell)


def parsed(text, tell=_whole):
    """The instruction that a PTX text is, or the exception, not raised, that points into it; `tell` makes its message."""
    cdef ws_error error
    cdef ws_op op
    if not isinstance(text, str):
        raise TypeError(f"text: expected a str, got {type(text).__name__}")
    text = str.__str__(text)
    data = text.encode("utf-8", "replace")
    cdef const char *bytes_ = data
    if ws_mma_is_text(bytes_, len(data)):
        return _product_of(text, data, tell)
    cdef int status = ws_parse_text(bytes_, len(data), &op, &error)
    return _op_of(&op) if status == WS_OK else _error_in(status, &error, text, data, tell)


def parse(text):
    """The instruction; raises the exception."""
    found = parsed(text)
    if isinstance(found, Exception):
        raise found
    return found
