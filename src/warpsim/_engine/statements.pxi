"""The statements of a module as values: statement.py."""

from functools import lru_cache as _lru_cache

from warpsim._engine.statement import Operand as _Operand, Product as _Product, Row as _Row, Statement as _Statement

_SPACES = {
    WS_AT_SHARED: "shared", WS_AT_CLUSTER: "shared", WS_AT_GLOBAL: "global", WS_AT_LOCAL: "local", WS_AT_CONST: "const",
    WS_AT_PARAM: "param",
}
_ITEMS = {
    WS_ITEM_REGISTER: "register", WS_ITEM_INTEGER: "integer", WS_ITEM_FLOAT32: "float32", WS_ITEM_FLOAT64: "float64",
    WS_ITEM_VARIABLE: "variable", WS_ITEM_FUNCTION: "function", WS_ITEM_LABEL: "label", WS_ITEM_LIST: "list",
    WS_ITEM_SINK: "sink", WS_ITEM_SPECIAL: "special", WS_ITEM_ADDRESS: "address", WS_ITEM_VECTOR: "vector",
    WS_ITEM_PARENTHESES: "parentheses", WS_ITEM_PAIR: "pair",
}


cdef object _product(const ws_opcode_product *product):
    if product.m == 0:
        return None
    return _Product(
        product.m, product.n, product.k, ws_type_word(product.d).decode(), ws_type_word(product.a).decode(), product.warps,
        bool(product.is_sparse),
    )


@_lru_cache(maxsize=4096)
def row(str opcode not None):
    """What an opcode says: a Row."""
    cdef bytes text = opcode.encode("utf-8", "replace")
    cdef ws_opcode one
    cdef ws_opcode_row c
    one.text, one.length = text, _uint32("opcode", len(text))
    with nogil:
        c = ws_opcode_row_of(&one)
    return _Row(
        opcode, text[:ws_opcode_word(one.text, one.length)].decode("utf-8", "replace"), bool(c.is_known), bool(c.writes), ws_event_word(c.event).decode(), _SPACES.get(c.space, "generic"),
        ws_type_word(c.type).decode(), c.nbytes // c.elements, c.nbytes, ws_opcode_choice(c.how).decode(),
        bool(c.said.rounds), bool(c.said.is_strong), bool(c.said.is_noncoherent), _product(&c.product),
        _SPACES.get(c.source, ""), bool(c.is_tensor),
    )


cdef object _operand(Module module, const ws_function *function, const ws_item *item):
    """An operand; registers are numbered throughout the module."""
    cdef bint is_register = item.kind == WS_ITEM_REGISTER or (item.kind == WS_ITEM_ADDRESS and item.base_kind == WS_ITEM_REGISTER)
    cdef int64_t index = -1 if item.index == WS_NO_INDEX else <int64_t> item.index
    cdef list parts = []
    for i in range(item.part_count):
        parts.append(_operand(module, function, &module.c.items[item.first_part + i]))
    return _Operand(
        _ITEMS[item.kind], index + function.first_register if is_register else index, <int64_t> item.value,
        _ITEMS[item.base_kind] if item.kind == WS_ITEM_ADDRESS else "", bool(item.is_inverted) or (is_register and bool(item.is_negative)),
        module._name(ws_item_text(&module.c, item)), tuple(parts),
    )


cdef object _guard(const ws_function *function, const ws_statement *statement):
    if statement.guard == WS_NO_INDEX:
        return None
    return _Operand("register", statement.guard + function.first_register, 0, "", bool(statement.guard_is_negated))


cdef bytes _labels(Module module):
    """A byte for each statement: is it a label that jumps name?"""
    if module.labels is None:
        marks = _Bytes(module.c.statement_count + 1)
        ws_module_labels(&module.c, <uint8_t *> marks.bytes)
        module.labels = (<const char *> marks.bytes)[:module.c.statement_count]
    return module.labels


def statement(Module module not None, uint32_t number):
    """A statement of a module, by its number."""
    cdef const ws_statement *s
    cdef const ws_function *function
    cdef const ws_opcode *opcode
    cdef ws_place_in_text place
    cdef list operands = []
    if number >= module.c.statement_count:
        raise IndexError(f"the module has {module.c.statement_count} statements")
    s = &module.c.statements[number]
    function = &module.c.functions[s.function]
    opcode = &module.c.opcodes[s.opcode]
    place = ws_module_place(&module.c, s.at)
    for i in range(s.item_count):
        operands.append(_operand(module, function, &module.c.items[s.first_item + i]))
    return _Statement(
        number, place.line, place.column, s.at, s.opcode_at, row(opcode.text[:opcode.length].decode("utf-8", "replace")),
        _guard(function, s), tuple(operands), bool(_labels(module)[number]),
    )


def statement_at(Module module not None, uint32_t line, uint32_t column):
    """The number of the statement at a line and column, or of the one before; None at the beginning."""
    cdef uint32_t found = ws_module_statement_at(&module.c, line, column)
    return None if found == WS_NO_INDEX else found


_LINKAGES = {
    WS_LINKAGE_EXTERN: "extern", WS_LINKAGE_VISIBLE: "visible", WS_LINKAGE_WEAK: "weak", WS_LINKAGE_COMMON: "common",
}


def declarations(Module module not None):
    """(byte of its name, name, linkage, is a variable, has a body) of each name of a whole module, in the text's order."""
    cdef const ws_function *f
    cdef const ws_variable *v
    cdef list found = []
    for i in range(module.c.function_count):
        f = &module.c.functions[i]
        found.append((f.name.begin, module.text[f.name.begin:f.name.end], _LINKAGES.get(f.linkage, ""), False, not f.is_declaration))
    for i in range(module.c.variable_count):
        v = &module.c.variables[i]
        if v.function == WS_NO_INDEX and not v.is_parameter:
            found.append((v.name.begin, module.text[v.name.begin:v.name.end], _LINKAGES.get(v.linkage, ""), True, False))
    return sorted(found)


def tokens(bytes text not None):
    """(begin, end) of each token of a PTX text."""
    cdef const char *begin = <const char *> text
    cdef size_t length = len(text), none_before = 0
    cdef ws_span one = ws_ptx_token(begin, length, 0, &none_before)
    cdef list found = []
    while one.begin < one.end:
        found.append((one.begin, one.end))
        one = ws_ptx_token(begin, length, one.end, &none_before)
    return found
