"""What is told of what the checks have found."""

from warpsim._engine.found import Found as _Found, Stop as _Stop, Told as _Told


cdef int64_t _number(uint32_t number):
    return -1 if number == WS_NO_INDEX else <int64_t> number


cdef tuple _frames(Module module, uint32_t statement):
    cdef ws_source_frames frames = ws_source_frames_of(&module.c, statement)
    cdef const ws_function *function = &module.c.functions[module.c.statements[statement].function]
    cdef const ws_location *at
    cdef list found = []
    for i in range(frames.count):
        at = &module.c.locations[frames.location[i]]
        inlined = (<const char *> module.c.bytes)[at.function_name.begin:at.function_name.end].decode("utf-8", "replace")
        found.append((at.file, at.line, plain_name(inlined or module._name(function.name))))
    return tuple(found)


cdef tuple _files(Module module):
    cdef list found = []
    cdef _Bytes memory
    cdef ws_text text
    cdef ws_span name
    for i in range(module.c.file_count):
        name = module.c.files[i].name
        memory = _Bytes(name.end - name.begin + 1)
        text = ws_text_make(<char *> memory.bytes, name.end - name.begin + 1)
        ws_text_add_file(&text, module.c.text + name.begin, name.end - name.begin)
        found.append(_spoken(<const char *> memory.bytes, &text))
    return tuple(found)


cdef _found(const ws_found *row):
    return _Found(
        rule=row.rule, times=row.count, statement=row.step, other=_number(row.other), block=row.block, other_block=row.other_block,
        thread=row.thread, other_thread=row.other_thread, lanes=row.lanes, address=row.address, nbytes=row.nbytes, space=row.space,
        is_write=bool(row.is_write), other_is_write=bool(row.other_is_write), is_copy=bool(row.is_copy),
        other_is_copy=bool(row.other_is_copy), via=_number(row.via), variable=_number(row.object.variable), inside=row.object.inside,
        object_bytes=row.object.nbytes, is_ended=bool(row.object.is_ended),
    )


cdef class _Names:
    """Arrays or variables by name, as the core takes them."""
    cdef list words
    cdef _Bytes rows
    cdef uint32_t count

    def __init__(self, named):
        cdef ws_named *row
        self.words = []
        self.count = _uint32("names", len(named))
        self.rows = _Bytes(self.count * sizeof(ws_named))
        for i in range(self.count):
            name, base, nbytes = named[i]
            word = name.encode("utf-8", "replace")
            self.words.append(word)
            row = <ws_named *> self.rows.bytes + <size_t> i
            row.name, row.base, row.nbytes = word, base, nbytes


cdef _extent(uint32_t *to, numbers):
    to[0], to[1], to[2] = numbers


cdef str _spoken(const char *words, ws_text *text):
    return words[:text.length].decode("utf-8", "replace")


@cython.final
cdef class _Words:
    """A launch whose findings are told, and the names that messages have.

    `names`: (name, address, bytes) of each array of global memory, and of each variable of shared memory; the module's
    variables in plain words.
    """
    cdef ws_teller teller
    cdef ws_told_launch launch
    cdef _Names arrays, shared
    cdef list words
    cdef _Bytes pointers

    def __init__(self, Program program, names, grid, threads, cluster):
        arrays, shared, variables = names
        self.arrays, self.shared = _Names(arrays), _Names(shared)
        self.words = []
        self.pointers = _Bytes((len(variables) + 1) * sizeof(void *))
        for i in range(len(variables)):
            self.words.append(variables[i].encode("utf-8", "replace"))
            (<const char **> self.pointers.bytes)[i] = <bytes> self.words[i]
        self.teller = ws_teller_make(&program.module.c, &program.c, program.module.language)
        self.launch.names.arrays, self.launch.names.num_arrays = <ws_named *> self.arrays.rows.bytes, self.arrays.count
        self.launch.names.shared, self.launch.names.num_shared = <ws_named *> self.shared.rows.bytes, self.shared.count
        self.launch.variables = <const char **> self.pointers.bytes
        _extent(self.launch.grid, grid)
        _extent(self.launch.threads, threads)
        _extent(self.launch.cluster, cluster)


cdef tuple _near_row(const ws_near *near):
    if near.name == NULL:
        return None, None, None
    name = (<bytes> near.name).decode("utf-8", "replace")
    return (name, None, None) if near.is_local else (name, near.offset, near.nbytes)


cdef _near(const ws_teller *teller, const ws_told_launch *launch, const ws_found *row):
    """The array or object that a row is about, where in it the address is, and its bytes; None where nothing is known."""
    cdef char words[512]
    cdef ws_text text = ws_text_make(words, sizeof(words))
    cdef ws_near near
    if ws_told_is_missed(row.rule):
        named = _spoken(words, &text) if ws_message_object(teller, launch, row, &text) else None
        return named, row.object.inside, row.object.nbytes
    if row.nbytes == 0:
        return None, None, None
    near = ws_near_to(&launch.names, row.space, row.address)
    return _near_row(&near)


def near(names, int space, addresses):
    """Of each address the nearest array or variable, where in it the address is, and its bytes; `names`: _Words."""
    cdef _Names of_arrays = _Names(names[0]), of_shared = _Names(names[1])
    cdef ws_told_names of
    cdef ws_near found
    cdef list rows = []
    of.arrays, of.num_arrays = <ws_named *> of_arrays.rows.bytes, of_arrays.count
    of.shared, of.num_shared = <ws_named *> of_shared.rows.bytes, of_shared.count
    for address in addresses:
        found = ws_near_to(&of, space, address)
        rows.append(_near_row(&found))
    return rows


def told(Program program not None, bytes rows not None, grid, threads, cluster, names, bytes counted=None, bint is_whole=False):
    """A Told of each row of all pieces of a launch (Launch.found); `names`: _Words.

    `counted`: Launch.counted; `is_whole`: all blocks came to their ends.
    """
    cdef const ws_found *given = <const ws_found *> <const char *> rows
    cdef uint32_t count = _uint32("rows", len(rows) // sizeof(ws_found)), i, k, others
    cdef _Bytes memory
    cdef ws_arena arena = ws_arena_make(NULL, 0)
    cdef ws_told of
    cdef ws_repair *repairs
    cdef ws_text text
    cdef ws_text fix
    cdef char words[8192]
    cdef char fixed[8192]
    cdef uint32_t lines[64]
    cdef ws_module module = program.module.c  # other threads search in the same module, each with its own effort
    cdef ws_effort effort
    cdef _Words launch = _Words(program, names, grid, threads, cluster)
    cdef list found = []
    cdef ws_ran ran
    ran.lines = <const ws_line *> <const char *> counted if counted is not None else NULL
    ran.threads, ran.is_whole = threads[0] * threads[1] * threads[2], is_whole
    ws_told_make(given, count, &module, &arena, &of)
    of.count = count  # at most
    ws_repairs_make(&of, &program.c, &ran, &arena)
    memory = _Bytes(arena.wanted)
    arena = memory.arena()
    with nogil:
        effort.left, module.effort = WS_TOLD_EFFORT, &effort
        ws_told_make(given, count, &module, &arena, &of)
        effort.left = WS_REMEDY_EFFORT
        repairs = ws_repairs_make(&of, &program.c, &ran, &arena)
    if repairs == NULL:
        raise errors.OutOfMemoryError("told: the arena is too small")
    launch.teller.module = &module
    effort.left = WS_REMEDY_EFFORT
    for i in range(of.count):
        if of.first[i] != i:
            continue
        with nogil:
            others = ws_told_lines(&of, i, lines, 64)
            text, fix = ws_text_make(words, sizeof(words)), ws_text_make(fixed, sizeof(fixed))
            ws_message_add(&launch.teller, &launch.launch, &of, i, &text)
            ws_fix_add(&launch.teller, &fix, &of.rows[i], &repairs[i])
        also = []
        for k in range(others):
            also.append(lines[k])
        near = _near(&launch.teller, &launch.launch, &of.rows[i])
        found.append(_Told(_found(&of.rows[i]), _spoken(words, &text), _spoken(fixed, &fix), near, also))
    return found


cdef str _plain(str mangled, bint is_variable):
    cdef bytes name = mangled.encode("utf-8", "surrogatepass")
    cdef _Bytes memory = _Bytes(2 * len(name) + 1)  # each word follows its length; "::" takes its place
    cdef ws_text text = ws_text_make(<char *> memory.bytes, 2 * len(name) + 1)
    if is_variable:
        ws_text_add_plain_variable(&text, name, len(name))
    else:
        ws_text_add_plain(&text, name, len(name))
    return (<const char *> memory.bytes)[:text.length].decode("utf-8", "surrogatepass")


def plain_name(str mangled not None):
    """The C++ name of a kernel without its parameters and template arguments: "ns::gemm"; else the PTX name."""
    return _plain(mangled, False)


def plain_variable(str mangled not None):
    """The C++ name of a variable of a kernel ("tile" for _ZZ4gemmPfE4tile); else the PTX name."""
    return _plain(mangled, True)
