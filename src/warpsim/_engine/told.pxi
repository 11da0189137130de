"""What is told of what the checks have found."""


cdef uint32_t _statement(value) except? 4294967295:
    return WS_NO_INDEX if value < 0 else value


cdef int64_t _number(uint32_t statement):
    return -1 if statement == WS_NO_INDEX else <int64_t> statement


cdef _fill(ws_found *row, tuple found):
    """A row of ws_found, with statements instead of steps."""
    row.rule, row.count, row.step, row.other = found[0], found[1], found[2], _statement(found[3])
    row.block, row.other_block, row.thread, row.other_thread, row.lanes = found[4:9]
    row.address, row.nbytes, row.space = found[9:12]
    row.is_write, row.other_is_write, row.is_copy, row.other_is_copy = found[12:16]
    row.via = _statement(found[16])
    row.object.variable, row.object.inside, row.object.nbytes, row.object.is_ended = WS_NO_INDEX, 0, 0, False
    if len(found) > 17:
        row.object.variable = _statement(found[17])
        row.object.inside, row.object.nbytes, row.object.is_ended = found[18:21]


cdef tuple _row(const ws_found *row):
    return (
        row.rule, row.count, row.step, _number(row.other), row.block, row.other_block, row.thread, row.other_thread, row.lanes,
        row.address, row.nbytes, row.space, bool(row.is_write), bool(row.other_is_write), bool(row.is_copy),
        bool(row.other_is_copy), _number(row.via), _number(row.object.variable), row.object.inside, row.object.nbytes,
        bool(row.object.is_ended),
    )


def told(Program program not None, list rows not None):
    """[(row, fix)] of the rows of all pieces of a launch (Launch.found)."""
    cdef uint32_t count = len(rows), i
    cdef _Bytes given = _Bytes(count * sizeof(ws_found)), memory
    cdef ws_arena arena = ws_arena_make(NULL, 0)
    cdef ws_told of
    cdef ws_repair *repairs
    cdef const ws_module *module = &program.module.c
    cdef ws_teller teller
    cdef ws_text fix
    cdef char words[4096]
    cdef list found = []
    for i in range(count):
        _fill(<ws_found *> given.bytes + <size_t> i, rows[i])
    ws_told_make(<ws_found *> given.bytes, count, module, &arena, &of)
    of.count = count  # at most
    ws_repairs_make(&of, &program.c, &arena)
    memory = _Bytes(arena.wanted)
    arena = memory.arena()
    with nogil:
        ws_told_make(<ws_found *> given.bytes, count, module, &arena, &of)
        repairs = ws_repairs_make(&of, &program.c, &arena)
    if repairs == NULL:
        raise errors.OutOfMemoryError("told: the arena is too small")
    teller.module, teller.program = module, &program.c
    for i in range(of.count):
        fix = ws_text_make(words, sizeof(words))
        ws_fix_add(&teller, &fix, &of.rows[i], &repairs[i])
        found.append((_row(&of.rows[i]), words[:fix.length].decode("utf-8", "replace")))
    return found
