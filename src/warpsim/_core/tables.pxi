# needs: nothing
"""The tables of the core, as Python has them: words, rules, targets and their limits."""


cdef list _words(const char *(*word_of)(int) noexcept nogil, int count, int first):
    cdef list found = []  # a comprehension of new objects frees one twice where memory runs out (Cython 3.3.1)
    for i in range(first, count):
        found.append(word_of(i).decode())
    return found


KINDS = tuple(_words(ws_kind_word, WS_KIND_COUNT, 1))
REGISTER_READERS = tuple(kind for i, kind in enumerate(KINDS, 1) if ws_kind_reads_registers(i))
SHAPES = tuple(_words(ws_shape_word, WS_SHAPE_COUNT, 0))
TYPES = tuple(_words(ws_type_word, WS_TYPE_COUNT, 0))
SPACES = tuple(_words(ws_space_word, WS_SPACE_COUNT, 0))
CACHES = tuple(_words(ws_cache_word, WS_CACHE_COUNT, 0))
OPERANDS = tuple(_words(ws_operand_word, WS_OPERAND_COUNT, 0))
LAYOUTS = tuple(_words(ws_layout_word, WS_LAYOUT_COUNT, 0))
COUNTERS = tuple(_words(ws_counter_word, WS_COUNTER_COUNT, 0))
TARGETS = tuple(ws_target(i).name.decode() for i in range(WS_TARGET_COUNT))
STATIC_SHARED_BYTES, BLOCK_REGISTERS = WS_LIMIT_STATIC_SHARED_BYTES, WS_LIMIT_BLOCK_REGISTERS
CONST_BYTES = WS_LIMIT_CONST_BYTES
PARAMETER_BYTES, EARLY_PARAMETER_BYTES = WS_LIMIT_PARAMETER_BYTES, WS_LIMIT_EARLY_PARAMETER_BYTES
BLOCK_THREADS, THREAD_REGISTERS = WS_LIMIT_BLOCK_THREADS, WS_LIMIT_THREAD_REGISTERS
GRID_MOST = (WS_LIMIT_GRID_X, WS_LIMIT_GRID_YZ, WS_LIMIT_GRID_YZ)
BLOCK_MOST = (WS_LIMIT_BLOCK_THREADS, WS_LIMIT_BLOCK_THREADS, WS_LIMIT_BLOCK_Z)
SEVERITIES = tuple(_words(ws_severity_word, WS_SEVERITY_COUNT, 0))


cdef object _text_or_none(const char *text):
    return text.decode() if text != NULL else None


cdef tuple _rule(int index):
    """(id, severity, title, what PTX says, what hardware does, fix, what it is about, fault); see Rule in findings.py."""
    cdef const ws_rule *rule = ws_rule_at(index)
    fault = ws_fault_word(rule.fault).decode() if index < WS_RULES_TILE or index >= WS_RULES_KERNEL else None
    return (
        rule.id.decode(), SEVERITIES[rule.severity], rule.title.decode(), _text_or_none(rule.ptx),
        _text_or_none(rule.hardware), rule.fix.decode(), ws_rule_section(index).decode(), fault,
    )


cdef list _rules():
    cdef list found = []
    for i in range(WS_RULE_COUNT):
        found.append(_rule(i))
    return found


RULES = tuple(_rules())
NEWEST_PTX = WS_LAST_PTX
BANKS = WS_BANK_COUNT
NO_TARGET = WS_NO_TARGET
SHARED_WINDOW, SHARED_WINDOW_BYTES = WS_SHARED_WINDOW, WS_SHARED_WINDOW_BYTES
VERSION = ws_version().decode()


cdef list _limits():
    cdef const ws_limits *row
    cdef list found = []
    for i in range(WS_TARGET_COUNT):
        row = ws_limits_of(i)
        if row == NULL:
            found.append(None)
        else:
            found.append((row.sm_shared_bytes, row.block_shared_bytes, row.sm_blocks, row.sm_warps, row.cluster_blocks))
    return found


#: of each target: bytes of shared memory of an SM and of a block, blocks and warps of an SM, blocks of a cluster
LIMITS = tuple(_limits())
